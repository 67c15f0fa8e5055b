// Deletes entities, and with them what their use demands.
//
// Other entities may have the deleted entity in their ids: as a tag, as a relation or as a target.
// For a tag or a relation its own (OnDelete, ...) decides; for a target the relation's
// (OnDeleteTarget, ...) decides what happens to the entities that have the id:
//
//   Remove   they lose the id (the default)
//   Delete   they are deleted too, and so on
//   Panic    an error is raised, and no entity is deleted
//
// delete_entities() first finds all entities that must go, then looks for panics, then deletes in
// the reverse order of finding: an entity that depends on another goes before it, a child before
// its parent. Each entity takes with it its name, its values, and every id made of it wherever that
// is.
#pragma once

#include <functional>
#include <vector>

#include "relations/graph.hpp"

namespace kith::core {

// Deletes `entities` and all entities that must go with them. Calls `leaving` for each. Raises an
// error if a built-in entity would have to go, or if a use says Panic.
// Requires: the entities are alive.
void delete_entities(graph& g, std::vector<entity_t> entities,
                     const std::function<void(entity_t)>& leaving);
void delete_entity(graph& g, entity_t e, const std::function<void(entity_t)>& leaving);

}  // namespace kith::core
