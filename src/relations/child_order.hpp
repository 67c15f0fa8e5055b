// The order in which children came, for parents that keep it (OrderedChildren).
//
// Children leave by a mark in their place; the list is closed up when half of it is marks, so coming
// and going are O(1).
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/undo_log.hpp"

namespace kith::core {

class child_order {
 public:
  bool any() const { return !lists_.empty(); }
  bool is_kept(std::uint32_t parent) const { return lists_.contains(parent); }
  // Starts to keep the order, with the children as they are now.
  void keep(std::uint32_t parent, std::span<const entity_t> children);
  void forget(std::uint32_t parent);

  // After this, the list of a parent that keeps one can change without failing; `count` children may
  // come.
  void reserve(std::uint32_t parent, std::size_t count);
  // After this, `keep` cannot fail for up to `count` children.
  void reserve_keep(std::uint32_t parent, std::size_t count);
  // These happen completely or not at all. Without a log, erasing takes no memory.
  void append(std::uint32_t parent, entity_t child);
  void erase(std::uint32_t parent, entity_t child);
  // Requires: `children` are the children there are, each once.
  void set(std::uint32_t parent, std::span<const entity_t> children);

  // Valid until the next change.
  std::span<const entity_t> children(std::uint32_t parent) const;

  // From now on every change is noted in the log; with null, not any more.
  void set_undo(undo_log* log) {
    undo_ = log;
    ++undo_number_;
  }

 private:
  struct list {
    std::vector<entity_t> entities;  // 0 where one left
    std::size_t holes = 0;
    hash_map<entity_t, std::size_t> positions;
    std::uint64_t noted = 0;  // the number of the last log that has the list as it was
    void close_up();
    void reserve(std::size_t count);
  };
  // Notes the list as it is, if this log has it not.
  void note_whole(std::uint32_t parent);

  undo_log* undo_ = nullptr;
  std::uint64_t undo_number_ = 0;
  mutable hash_map<std::uint32_t, list> lists_;
  hash_map<std::uint32_t, list> coming_;  // empty lists with room, see reserve_keep
  mutable std::mutex closing_up_;         // several may read
};

}  // namespace kith::core
