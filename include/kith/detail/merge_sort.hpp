// A stable sort that stays inside its array for any comparison, even one that contradicts itself.
//
// std::stable_sort does not: where it has compared with the first element it goes on without
// looking for the end. What is in order already takes one comparison per element. Which of two
// comes first is often a coin toss, so merging picks one without a branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kith::core {

// Merges two neighbouring runs of the same length from both ends at once: neither end waits for
// what the other compares. False if the comparison contradicts itself, and then `to` is not to be
// used.
template <class T, class Less>
bool merge_from_both_ends(const T* from, std::size_t length, T* to, const Less& less) {
  std::size_t left = 0, right = length;
  std::size_t last_left = length - 1, last_right = 2 * length - 1;
  T* front = to;
  T* back = to + 2 * length;
  // Each end takes as many as a run has, so neither can leave its run before it is done.
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t is_right = less(from[right], from[left]) ? 1 : 0;
    const std::size_t is_left = less(from[last_right], from[last_left]) ? 1 : 0;
    *front++ = from[left ^ ((left ^ right) & (0 - is_right))];
    *--back = from[last_right ^ ((last_left ^ last_right) & (0 - is_left))];
    right += is_right;
    left += 1 - is_right;
    last_left -= is_left;
    last_right -= 1 - is_left;
  }
  return left == last_left + 1 && right == last_right + 1;
}

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
      const bool overlap = middle != end && less(from[middle], from[middle - 1]);
      if (overlap && less(from[end - 1], from[begin])) {
        std::copy(from + begin, from + middle, std::copy(from + middle, from + end, to + begin));
        continue;
      }
      if (overlap && end - middle == length &&
          merge_from_both_ends(from + begin, length, to + begin, less))
        continue;
      T* out = to + begin;
      std::size_t left = begin, right = middle;
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
