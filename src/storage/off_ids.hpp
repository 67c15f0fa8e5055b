// Which ids are switched off, entity by entity. Tables and pools know it by id and row; this list
// answers for all ids of an entity at once. Most entities have none.
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
  // `entity` is an index. Switching on takes no memory.
  void set(std::uint32_t entity, id_t id, bool off);
  // The next `count` ids of the entity that are switched off take no memory.
  void reserve(std::uint32_t entity, std::size_t count) { make_room(lists_[entity], count); }
  void forget(std::uint32_t entity) { lists_.erase(entity); }

  // What is off on an entity, ascending. Invalidated by any change.
  std::span<const id_t> of(std::uint32_t entity) const;
  // The pairs of one relation among them.
  std::span<const id_t> pairs_of(std::uint32_t entity, std::uint32_t relation) const;

 private:
  hash_map<std::uint32_t, std::vector<id_t>> lists_;
};

}  // namespace kith::core
