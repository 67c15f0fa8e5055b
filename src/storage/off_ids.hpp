// The ids that are switched off, per entity. Tables and pools know this per id and row; this list
// answers for all ids of an entity at once. Most entities have no entry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/make_room.hpp"

namespace kith::core {

class off_ids {
 public:
  // `entity` is an index. Switching an id on takes no memory.
  void set(std::uint32_t entity, id_t id, bool off);
  // After this, switching `count` ids of the entity off takes no memory.
  void reserve(std::uint32_t entity, std::size_t count) { make_room(lists_[entity], count); }
  void forget(std::uint32_t entity) { lists_.erase(entity); }

  // The ids of an entity that are off, ascending. Invalidated by any change.
  std::span<const id_t> of(std::uint32_t entity) const;
  // The pairs of one relation that are off, ascending.
  std::span<const id_t> pairs_of(std::uint32_t entity, std::uint32_t relation) const;

 private:
  hash_map<std::uint32_t, std::vector<id_t>> lists_;
};

}  // namespace kith::core
