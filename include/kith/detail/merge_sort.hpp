// A stable sort that ends well whatever the comparison says, also one that says something else each time.
//
// std::stable_sort does not: where it has compared with the first element it goes on without looking for
// the end. What is in order already takes one comparison per element. Which of two comes first is often a
// coin toss, so merging picks one without a branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kith::core {

// Requires: T is cheap to copy.
template <class T, class Less>
void merge_sort(T* first, T* last, Less less) {
  // Runs of this length are sorted in place.
  constexpr std::size_t run = 8;
  const auto size = static_cast<std::size_t>(last - first);
  std::size_t in_order = 1;
  while (in_order < size && !less(first[in_order], first[in_order - 1])) ++in_order;
  if (in_order >= size) return;
  for (std::size_t begin = 0; begin < size; begin += run) {
    const std::size_t end = std::min(begin + run, size);
    for (std::size_t i = begin + 1; i < end; ++i) {
      const T moving = first[i];
      std::size_t at = i;
      for (; at > begin && less(moving, first[at - 1]); --at) first[at] = first[at - 1];
      first[at] = moving;
    }
  }
  // Each round merges runs from one place into the other.
  std::vector<T> other(size > run ? size : 0);
  T *from = first, *to = other.data();
  for (std::size_t length = run; length < size; length *= 2, std::swap(from, to))
    for (std::size_t begin = 0; begin < size; begin += 2 * length) {
      const std::size_t middle = std::min(begin + length, size);
      const std::size_t end = std::min(middle + length, size);
      T* out = to + begin;
      std::size_t left = begin, right = middle;
      const bool overlap = right != end && less(from[right], from[right - 1]);
      while (overlap && left != middle && right != end) {
        const std::size_t is_right = less(from[right], from[left]) ? 1 : 0;
        *out++ = from[left ^ ((left ^ right) & (0 - is_right))];
        right += is_right;
        left += 1 - is_right;
      }
      out = std::copy(from + left, from + middle, out);
      std::copy(from + right, from + end, out);
    }
  if (from != first) std::copy(from, from + size, first);
}

}  // namespace kith::core
