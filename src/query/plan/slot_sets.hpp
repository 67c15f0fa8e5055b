// Lists of slots as sets. They ascend.
#pragma once

#include <algorithm>
#include <iterator>

#include "query/check/checked_query.hpp"

namespace kith::core {

inline bool all_in(const slot_list& slots, const slot_list& set) {
  return std::ranges::includes(set, slots);
}

inline bool any_in(const slot_list& slots, const slot_list& set) {
  return std::ranges::any_of(slots, [&](slot_index s) { return contains(set, s); });
}

inline slot_list without(const slot_list& slots, const slot_list& less) {
  slot_list rest;
  std::ranges::set_difference(slots, less, std::back_inserter(rest));
  return rest;
}

inline slot_list both(const slot_list& a, const slot_list& b) {
  slot_list common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common;
}

// Does a place have a value?
inline bool is_known(const checked_ref& r, const slot_list& known) {
  return r.is == checked_ref::kind::fixed ||
         (r.is == checked_ref::kind::slot && contains(known, r.slot));
}

}  // namespace kith::core
