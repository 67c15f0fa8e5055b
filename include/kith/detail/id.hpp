// What a 64-bit id means.
//
//   entity   0 0 0 | generation (29) | index (32)
//   pair     1     | relation index (31) | target index (32)
//
// An entity id names one life of an index: when the entity is deleted the generation grows, so an
// old id is never alive again. A pair holds indices without generations; that is enough because a
// pair never outlives its relation or its target.
#pragma once

#include <cstdint>

namespace kith {

// An entity as a plain number: index and generation. 0 is no entity.
using entity_t = std::uint64_t;
// Anything that can be added to an entity as a plain number: an entity or a pair.
using id_t = std::uint64_t;

// A pair of ids that are known to the compiler, for trait_list:
// `kith::trait_list<kith::pair_id(kith::OnInstantiate, kith::Override)>`.
constexpr id_t pair_id(entity_t relation, entity_t target);

namespace core {

inline constexpr id_t pair_flag = id_t{1} << 63;
inline constexpr unsigned generation_bits = 29;
inline constexpr std::uint32_t max_generation = (std::uint32_t{1} << generation_bits) - 1;
// A relation index has 31 bits in a pair, so no entity index may have more.
inline constexpr std::uint32_t max_index = 0x7fff'ffff;

constexpr bool is_pair(id_t id) { return (id & pair_flag) != 0; }

constexpr std::uint32_t index_of(entity_t e) { return static_cast<std::uint32_t>(e); }
constexpr std::uint32_t generation_of(entity_t e) { return static_cast<std::uint32_t>(e >> 32); }
constexpr entity_t make_entity(std::uint32_t index, std::uint32_t generation) {
  return entity_t{generation} << 32 | index;
}

// Indices of the two halves of a pair. Requires: is_pair(id).
constexpr std::uint32_t relation_of(id_t id) {
  return static_cast<std::uint32_t>(id >> 32) & 0x7fff'ffff;
}
constexpr std::uint32_t target_of(id_t id) { return static_cast<std::uint32_t>(id); }
constexpr id_t make_pair_of(std::uint32_t relation, std::uint32_t target) {
  return pair_flag | id_t{relation} << 32 | target;
}
constexpr id_t make_pair(entity_t relation, entity_t target) {
  return make_pair_of(index_of(relation), index_of(target));
}
// The group of an id: all pairs of one relation, or one plain id.
constexpr id_t group_key(id_t id) { return is_pair(id) ? make_pair_of(relation_of(id), 0) : id; }

}  // namespace core

constexpr id_t pair_id(entity_t relation, entity_t target) {
  return core::make_pair(relation, target);
}

}  // namespace kith
