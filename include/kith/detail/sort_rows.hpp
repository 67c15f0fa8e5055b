// Sorts rows by values that are small enough to be taken along: near each other they are compared
// faster than where they are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <kith/detail/merge_sort.hpp>
#include <kith/detail/query_desc.hpp>

namespace kith::core {

template <class T>
constexpr bool is_sorted_by_copies =
    std::is_trivially_copyable_v<T>&& std::is_default_constructible_v<T>&&
        std::is_copy_constructible_v<T>&& std::is_copy_assignable_v<T> &&
    sizeof(T) <= 16;
template <>
inline constexpr bool is_sorted_by_copies<void> = false;

// Does a row come first, as a comparison says: a bool for less, or something below 0?
template <class Compare>
struct comes_first {
  Compare compare;
  bool operator()(const sort_row& a, const sort_row& b) const {
    const auto order = compare(a, b);
    if constexpr (std::is_same_v<decltype(order), const bool>)
      return order;
    else
      return order < 0;
  }
};

// The same, and of rows that are alike the one with the lower entity.
template <class Compare>
struct comes_first_of_alike {
  Compare compare;
  bool operator()(const sort_row& a, const sort_row& b) const {
    const auto order = compare(a, b);
    if constexpr (std::is_same_v<decltype(order), const bool>)
      return order || (!compare(b, a) && a.entity < b.entity);
    else
      // Few are alike, and then the entity may have to be fetched.
      return order == 0 ? a.entity < b.entity : order < 0;
  }
};

// Afterwards only the numbers of the rows are in order. Requires: all rows have a value.
template <class T, class Less>
void sort_by_copies(sort_row* first, sort_row* last, const Less& less) {
  struct copied {
    T value;
    std::uint32_t place;
  };
  std::vector<copied> all;
  all.reserve(static_cast<std::size_t>(last - first));
  for (const sort_row* r = first; r != last; ++r)
    all.push_back({*static_cast<const T*>(r->value), static_cast<std::uint32_t>(r - first)});
  // A comparison that does not look at the entity does not wait for it to be read.
  const auto row_of = [&](const copied& c) {
    return sort_row{std::addressof(c.value), first[c.place].entity, 0};
  };
  merge_sort(all.data(), all.data() + all.size(),
             [&](const copied& a, const copied& b) { return less(row_of(a), row_of(b)); });
  std::vector<std::uint32_t> order;
  order.reserve(all.size());
  for (const copied& c : all) order.push_back(first[c.place].row);
  for (std::uint32_t row : order) *first++ = {nullptr, 0, row};
}

// Sorts rows by a comparison, and rows that are alike by entity. T: what the values are; void if
// that is not known.
template <class T, class Compare>
void sort_rows(sort_row* first, sort_row* last, const Compare& compare) {
  // Sorting keeps what is alike in order. Most rows come in the order of their entities.
  const bool ascending = std::is_sorted(
      first, last, [](const sort_row& a, const sort_row& b) { return a.entity < b.entity; });
  const auto sort = [&](const auto& less) {
    if constexpr (is_sorted_by_copies<T>)
      sort_by_copies<T>(first, last, less);
    else
      merge_sort(first, last, less);
  };
  if (ascending)
    sort(comes_first<Compare>{compare});
  else
    sort(comes_first_of_alike<Compare>{compare});
}

}  // namespace kith::core
