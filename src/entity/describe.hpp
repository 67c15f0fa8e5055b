// Entities and ids as people write them: paths, `#id` for what has no name, `(R, T)` for pairs.
#pragma once

#include <string>
#include <string_view>

#include "entity/names.hpp"
#include "storage/store.hpp"

namespace kith::core {

// The parent of an entity, or 0.
entity_t parent_of(const store& s, const entity_record& r);

// The path from the root, joined by `separator`. What has no name is written as `#id`, and a path
// starts at the innermost such ancestor. A built-in entity has its short name unless an entity of
// the user at the root has the same.
std::string path_of(const store& s, const names& n, entity_t e, std::string_view separator = "::");

// For messages: the path, `#id` for what is not alive, `nothing` for 0.
std::string describe(const store& s, const names& n, entity_t e);
std::string describe_id(const store& s, const names& n, id_t id);

}  // namespace kith::core
