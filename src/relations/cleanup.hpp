// What else goes when an entity is deleted.
//
// An entity may be in use as a tag, a relation or a target. Who has it as a tag or a relation is dealt
// with by its (OnDelete, ...), who has it as a target by the relation's (OnDeleteTarget, ...):
//
//   Remove   they lose the id (the default)
//   Delete   they are deleted too, and so on
//   Panic    it is an error, and nothing at all is deleted
//
// First all entities that must go are found, then the panics are looked for, then they go in the
// reverse order of how they were found: what depends on an entity goes before it, children before
// their parent. Each leaves with its name, every id made of it wherever that is, and its values.
#pragma once

#include <functional>
#include <vector>

#include "relations/graph.hpp"

namespace kith::core {

// Deletes `entities` and all that must go with them. `leaving` is called for each.
// Requires: alive. An error if a built-in entity would have to go, or if one of them panics.
void delete_entities(graph& g, std::vector<entity_t> entities,
                     const std::function<void(entity_t)>& leaving);
void delete_entity(graph& g, entity_t e, const std::function<void(entity_t)>& leaving);

}  // namespace kith::core
