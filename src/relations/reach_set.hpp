// What walks along one relation lead to, or lead from, one entity: a set that is found step by
// step.
//
// The entities are listed breadth first, so the list says two things at once: who is in the set,
// and whose steps have been looked at.
//
//     list    [ e4  e7  e2 | e9  e5 ]        members so far, nearest first
//                          ^ expanded        the steps of e4, e7 and e2 have been looked at
//
// The set is complete when all members are expanded. Membership is a lookup in a table that grows
// when it is first asked for, so a set that is only listed has no table.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"

namespace kith::core {

class reach_set {
 public:
  explicit reach_set(entity_t start) : start_(start) {}

  // Is it among the members that have been found?
  bool has(entity_t e) const {
    file();
    return members_.find(index_of(e)) != members_.end();
  }
  bool is_complete() const { return started_ && expanded_ == list_.size(); }
  // The members that have been found, each once, nearest first. The start is one of them if it is
  // on a cycle.
  std::span<const entity_t> list() const { return list_; }
  // How many entities have been expanded.
  std::size_t expanded() const { return expanded_ + started_; }

  // Looks at the steps of one more entity: `each_step(e, add)` calls `add` with each entity that a
  // step leads to from `e`. Returns how many there were. Requires: not complete.
  template <class EachStep>
  std::size_t expand(EachStep each_step) {
    file();
    const entity_t here = started_ ? list_[expanded_] : start_;
    std::size_t steps = 0;
    each_step(here, [&](entity_t to) {
      ++steps;
      // No member may be filed and not listed, also if memory ends.
      if (list_.size() == list_.capacity()) list_.reserve(2 * list_.size() + 4);
      if (!members_.insert(index_of(to)).second) return;
      list_.push_back(to);
      filed_ = list_.size();
    });
    expanded_ += started_;
    started_ = true;
    return steps;
  }
  // The set of an entity from which one step leads to `next`, and no other step leads anywhere.
  // Requires: `of_next` is the complete set of `next`, nothing has been expanded.
  void follow(entity_t next, const reach_set& of_next);

 private:
  // Files the members that are only listed.
  void file() const;

  entity_t start_;
  std::vector<entity_t> list_;
  std::size_t expanded_ = 0;  // members
  bool started_ = false;      // the start is expanded
  mutable std::size_t filed_ = 0;
  mutable hash_set<std::uint32_t, mixing_hash, std::equal_to<std::uint32_t>> members_;
};

}  // namespace kith::core
