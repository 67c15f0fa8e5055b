// The order in which children came, for parents that keep it (OrderedChildren).
//
// A child that leaves becomes a 0 in the list. A list closes up when more than half of it is zeros,
// so append() and erase() are amortised O(1).
#pragma once

#include <memory>
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
  // Starts to keep the order, which begins with `children`.
  void keep(std::uint32_t parent, std::span<const entity_t> children);
  void forget(std::uint32_t parent);

  // After this, changes of a list that is kept cannot fail while at most `count` children come.
  void reserve(std::uint32_t parent, std::size_t count);
  // After this, keep() cannot fail for up to `count` children.
  void reserve_keep(std::uint32_t parent, std::size_t count);
  // Both happen completely or not at all. Without an undo log, erase() takes no memory.
  void append(std::uint32_t parent, entity_t child);
  void erase(std::uint32_t parent, entity_t child);
  // Requires: `children` has each child of the parent once.
  void set(std::uint32_t parent, std::span<const entity_t> children);

  // Invalidated by the next change.
  std::span<const entity_t> children(std::uint32_t parent) const;

  // From now on `log` can take every change back. Null: changes are final.
  void set_undo(undo_log* log) {
    undo_ = log;
    ++undo_number_;
  }

 private:
  struct list {
    std::vector<entity_t> entities;  // 0 where a child left
    std::size_t holes = 0;
    hash_map<entity_t, std::size_t> positions;
    std::uint64_t noted = 0;  // the number of the last log that has a copy of this list
    void close_up();
    void reserve(std::size_t count);
  };
  // Copies the list into the log, unless this log has a copy already.
  void note_whole(std::uint32_t parent);
  // Puts `other` in the place of the list, and the list into `other`. Null: there is no list.
  void exchange(std::uint32_t parent, std::unique_ptr<list>& other);
  static void put_last(list& l, entity_t child) {
    l.positions[child] = l.entities.size();
    l.entities.push_back(child);
  }
  static void take_out(list& l, entity_t child);

  undo_log* undo_ = nullptr;
  std::uint64_t undo_number_ = 0;
  mutable hash_map<std::uint32_t, std::unique_ptr<list>> lists_;
  // Empty lists with room, see reserve_keep.
  hash_map<std::uint32_t, std::unique_ptr<list>> coming_;
  mutable std::mutex closing_up_;  // several threads may read at once
};

}  // namespace kith::core
