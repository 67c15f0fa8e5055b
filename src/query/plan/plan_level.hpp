// What is still to do while a query is planned.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "query/check/checked_query.hpp"

namespace kith::core {

struct plan_step;

// The items of a block that are still to do, inside what surrounds the block.
struct plan_level {
  plan_level() = default;
  plan_level(const plan_level&) = default;
  // Those around it go one after the other, not one inside the other.
  ~plan_level() {
    while (outer && outer.use_count() == 1) outer = std::shared_ptr<const plan_level>(outer->outer);
  }

  std::vector<const item*> items;
  slot_list own;  // slots the block itself must give values to
  // Those of them that may stay unset, each with the item that decides it, in the order of their
  // first use. One that was guessed to have a value must get it there.
  std::vector<std::pair<slot_index, const item*>> decided;
  bool impossible = false;     // a guess was wrong
  plan_step* owner = nullptr;  // the step whose body this is; null for the block of the plan
  std::size_t alternative = 0;
  std::shared_ptr<const plan_level> outer;

  const item* decider_of(slot_index slot) const {
    for (const auto& [decided_slot, by] : decided)
      if (decided_slot == slot) return by;
    return nullptr;
  }
};

}  // namespace kith::core
