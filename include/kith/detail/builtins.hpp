// The entities every world is born with. Their ids are the same in all worlds, so they are constants.
#pragma once

#include <kith/detail/id.hpp>

namespace kith {

// Matches any one entity in a pattern: `(Likes, Wildcard)`. Never added to an entity.
inline constexpr entity_t Wildcard = 1;
// Like Wildcard, but asks only whether there is one.
inline constexpr entity_t Any = 2;

// Marks the entities that are component types; an entity without it is a tag when added. Its value is a
// component_info.
inline constexpr entity_t Component = 3;
struct component_info {
  std::uint32_t size = 0;
  std::uint32_t alignment = 0;
};
// The hierarchy: (ChildOf, parent). An entity has at most one parent, is deleted with it, and is
// named within it.
inline constexpr entity_t ChildOf = 4;
// Entities that are switched off as a whole.
inline constexpr entity_t Disabled = 5;

// Traits: what a relation or component can be told to do.
// Pairs of this relation never carry a value.
inline constexpr entity_t PairIsTag = 6;
inline constexpr entity_t Tag = PairIsTag;
// An entity has at most one target of this relation; a new one replaces the old one.
inline constexpr entity_t Exclusive = 7;
// No chain of this relation leads back to where it began.
inline constexpr entity_t Acyclic = 8;

// The scope in which the built-in entities live.
inline constexpr entity_t BuiltinScope = 9;

namespace core {
// Built-in entities have an index below this; entities of the user start here.
inline constexpr std::uint32_t first_user_index = 256;
constexpr bool is_builtin(entity_t e) { return index_of(e) < first_user_index; }
constexpr bool is_wildcard(std::uint32_t index) { return index == Wildcard || index == Any; }
constexpr bool has_wildcard(id_t id) {
  return is_pair(id) ? is_wildcard(relation_of(id)) || is_wildcard(target_of(id))
                     : is_wildcard(index_of(id));
}
// Does an id fit a pattern, in which any part may be a wildcard?
constexpr bool matches(id_t id, id_t pattern) {
  if (is_pair(id) != is_pair(pattern)) return false;
  if (!is_pair(id)) return id == pattern || is_wildcard(index_of(pattern));
  return (relation_of(id) == relation_of(pattern) || is_wildcard(relation_of(pattern))) &&
         (target_of(id) == target_of(pattern) || is_wildcard(target_of(pattern)));
}
}  // namespace core
}  // namespace kith
