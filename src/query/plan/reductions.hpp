// What is left of the parts of a query where a variable stays unset, or is guessed to have a value.
//
// A term that uses a variable that stays unset is as if not written. That can leave another
// variable without a term, which then stays unset as well.
//
//   ?(Owns, $y), Big($y)          $y unset: nothing is left
//   (Likes, $x) || (Owns, $y)     $y set: (Owns, $y)
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/plan/plan_level.hpp"

namespace kith::core {

// The slots that a chain or an optional item uses outside `!` where those of its own in `unset`
// stay unset.
slot_list mentioned(const item& i, const slot_list& unset);

class reductions {
 public:
  // `known`: the slots that are no variables of a Not further in. `bound`: those that have values
  // from the beginning. Requires: all of them stay where they are.
  reductions(const checked_query& q, const bit_set& known, const bit_set& bound)
      : q_(q), known_(known), bound_(bound) {}

  // What is left to do if slots stay unset while those in `bound` have values.
  std::shared_ptr<const plan_level> reduce(const std::shared_ptr<const plan_level>& level,
                                           slot_list unset, const bit_set& bound);
  // A level of these items.
  std::shared_ptr<plan_level> level_of(open_items what, const bit_set& bound) const;
  // What is left of an item if a slot it decides gets a value in it (null: it does not), or stays
  // unset. `fresh`: the slots that the item decides.
  const item* with_set(const item& i, slot_index slot);
  const item* with_unset(const item& i, slot_index slot, const slot_list& fresh);
  // What is to do after an alternative, with what the other alternatives say of its variables.
  std::shared_ptr<const plan_level> with_mention(const std::shared_ptr<const plan_level>& rest,
                                                 const item& chain, std::size_t alternative,
                                                 const bit_set& bound);
  const block* block_of(const std::vector<const item*>& items, std::uint32_t number);

 private:
  // A level while it is reduced.
  struct reduced_level {
    const plan_level& from;
    open_items left;
    slot_list used;  // outside `!`, by what is left
    bool changed;
  };
  std::shared_ptr<plan_level> join(std::vector<reduced_level>& levels, const bit_set& bound) const;
  // `around`: the slots that are no variables of a Not in it.
  const item* reduce(const item& i, const slot_list& unset, const bit_set& around);
  block reduce(const block& b, slot_list unset, const bit_set& around);
  std::shared_ptr<const plan_level> drop_items(const std::shared_ptr<const plan_level>& level,
                                               const slot_list& unset, const bit_set& bound);
  slot_list lost_slots(const item& i, const item* left) const;
  template <class Change>
  block changed(const block& b, slot_index slot, const Change& change);

  const checked_query& q_;
  const bit_set& known_;
  const bit_set& bound_;
  std::deque<item> items_;  // what is left of others
  std::deque<block> blocks_;
};

}  // namespace kith::core
