// Sets of slots, in two forms. A `slot_list` ascends and is for few slots. A `bit_set` has a bit
// for each slot and says which of them have values: a query may have thousands of slots, and each
// step of a plan asks about a few.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "base/bit_set.hpp"
#include "query/check/checked_query.hpp"

namespace kith::core {

inline bool contains(const bit_set& set, slot_index slot) { return set.contains(slot); }
inline void insert(bit_set& set, slot_index slot) { set.insert(slot); }
inline void insert(bit_set& set, const slot_list& more) {
  for (slot_index slot : more) set.insert(slot);
}
inline bit_set set_of(const slot_list& slots) {
  bit_set set;
  insert(set, slots);
  return set;
}

// Slots that have values, and some more.
struct known_slots {
  const bit_set& set;
  std::span<const slot_index> also{};
  unsigned which = 0;  // of `also`
};
inline bool contains(const known_slots& known, slot_index slot) {
  if (known.set.contains(slot)) return true;
  for (std::size_t i = 0; i < known.also.size(); ++i)
    if (known.which & 1u << i && known.also[i] == slot) return true;
  return false;
}

inline bool all_in(const slot_list& slots, const bit_set& set) {
  return std::ranges::all_of(slots, [&](slot_index s) { return set.contains(s); });
}
inline bool all_in(const slot_list& slots, const slot_list& set) {
  return std::ranges::includes(set, slots);
}

template <class Set>
bool any_in(const slot_list& slots, const Set& set) {
  return std::ranges::any_of(slots, [&](slot_index s) { return contains(set, s); });
}

inline slot_list without(const slot_list& slots, const slot_list& less) {
  slot_list rest;
  std::ranges::set_difference(slots, less, std::back_inserter(rest));
  return rest;
}
inline slot_list without(const slot_list& slots, const bit_set& less) {
  slot_list rest;
  std::ranges::copy_if(slots, std::back_inserter(rest),
                       [&](slot_index s) { return !less.contains(s); });
  return rest;
}
inline slot_list without(const bit_set& slots, const bit_set& less) {
  slot_list rest;
  for (std::size_t s = slots.next_beyond(less); s != bit_set::none;
       s = slots.next_beyond(less, s + 1))
    rest.push_back(static_cast<slot_index>(s));
  return rest;
}

inline slot_list both(const slot_list& a, const slot_list& b) {
  slot_list common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common;
}
inline slot_list both(const slot_list& a, const bit_set& b) {
  slot_list common;
  std::ranges::copy_if(a, std::back_inserter(common), [&](slot_index s) { return b.contains(s); });
  return common;
}

// Does a place have a value?
inline bool is_known(const checked_ref& r, const known_slots& known) {
  return r.is == checked_ref::kind::fixed ||
         (r.is == checked_ref::kind::slot && contains(known, r.slot));
}

}  // namespace kith::core
