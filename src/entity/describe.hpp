// Prints entities and ids: a path, `#id` for an entity without a name, `(R, T)` for a pair.
#pragma once

#include <string>
#include <string_view>

#include "entity/names.hpp"
#include "storage/store.hpp"

namespace kith::core {

// The parent of an entity, or 0.
entity_t parent_of(const store& s, const entity_record& r);

// The path from the root, joined by `separator`. An entity without a name is written as `#id`, and
// a path starts at the innermost ancestor without a name. A built-in entity is written by its short
// name unless an entity of the user has that name at the root.
std::string path_of(const store& s, const names& n, entity_t e, std::string_view separator = "::");

// For messages: the path, `#id` for an entity that is not alive, `nothing` for 0.
std::string describe(const store& s, const names& n, entity_t e);
std::string describe_id(const store& s, const names& n, id_t id);

}  // namespace kith::core
