// Sorts rows by values that are small enough to be taken along: near each other they are compared faster than
// where they are kept.
#pragma once

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

// Requires: all rows have a value.
template <class T, class Less>
void sort_by_copies(sort_row* first, sort_row* last, const Less& less) {
  struct copied {
    T value;
    entity_t entity;
    std::uint32_t row;
    sort_row as_row() const { return {std::addressof(value), entity, row}; }
  };
  std::vector<copied> all;
  all.reserve(static_cast<std::size_t>(last - first));
  for (const sort_row* r = first; r != last; ++r)
    all.push_back({*static_cast<const T*>(r->value), r->entity, r->row});
  merge_sort(all.data(), all.data() + all.size(),
             [&](const copied& a, const copied& b) { return less(a.as_row(), b.as_row()); });
  // Where the values are is not needed any more, only the order.
  for (const copied& c : all) *first++ = {nullptr, c.entity, c.row};
}

}  // namespace kith::core
