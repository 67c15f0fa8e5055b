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
  reductions(const checked_query& q, const slot_list& known, const slot_list& bound)
      : q_(q), known_(known), bound_(bound) {}

  // What is left to do if slots stay unset while those in `bound` have values.
  std::shared_ptr<const plan_level> reduce(const std::shared_ptr<const plan_level>& level,
                                           slot_list unset, const slot_list& bound);
  // What is left of an item if a slot it decides gets a value in it (null: it does not), or stays
  // unset. `fresh`: the slots that the item decides.
  const item* with_set(const item& i, slot_index slot);
  const item* with_unset(const item& i, slot_index slot, const slot_list& fresh);
  // What is to do after an alternative, with what the other alternatives say of its variables.
  std::shared_ptr<const plan_level> with_mention(const std::shared_ptr<const plan_level>& rest,
                                                 const item& chain, std::size_t alternative,
                                                 const slot_list& bound);
  const block* block_of(const std::vector<const item*>& items, std::uint32_t number);

 private:
  // `around`: the slots that are no variables of a Not in it.
  const item* reduce(const item& i, const slot_list& unset, const slot_list& around);
  block reduce(const block& b, slot_list unset, const slot_list& around);
  slot_list lost_slots(const item& i, const item* left) const;
  template <class Change>
  block changed(const block& b, slot_index slot, const Change& change);

  const checked_query& q_;
  const slot_list& known_;
  const slot_list& bound_;
  std::deque<item> items_;  // what is left of others
  std::deque<block> blocks_;
};

}  // namespace kith::core
