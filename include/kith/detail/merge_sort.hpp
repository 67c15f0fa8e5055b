// A stable sort that ends well whatever the comparison says, also one that says something else each time.
//
// std::stable_sort does not: where it has compared with the first element it goes on without looking for
// the end. What is in order already takes one comparison per element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kith::core {

template <class T, class Less>
void merge_sort(T* first, T* last, Less less) {
  // Runs of this length are sorted in place.
  constexpr std::size_t run = 16;
  const auto size = static_cast<std::size_t>(last - first);
  for (std::size_t begin = 0; begin < size; begin += run) {
    const std::size_t end = std::min(begin + run, size);
    for (std::size_t i = begin + 1; i < end; ++i)
      for (std::size_t at = i; at > begin && less(first[at], first[at - 1]); --at)
        std::swap(first[at], first[at - 1]);
  }
  std::vector<T> left;
  for (std::size_t length = run; length < size; length *= 2) {
    for (std::size_t begin = 0; begin + length < size; begin += 2 * length) {
      const std::size_t middle = begin + length, end = std::min(middle + length, size);
      if (!less(first[middle], first[middle - 1])) continue;
      left.assign(first + begin, first + middle);
      std::size_t from_left = 0, from_right = middle, to = begin;
      while (from_left < left.size() && from_right < end)
        first[to++] =
            less(first[from_right], left[from_left]) ? first[from_right++] : left[from_left++];
      std::copy(left.begin() + static_cast<std::ptrdiff_t>(from_left), left.end(), first + to);
    }
  }
}

}  // namespace kith::core
