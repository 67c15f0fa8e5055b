// Destroys a tree of any depth without recursion and without taking memory.
//
// `list` is the list in hand, and `inner` the list below its last node. destroy_deep() hangs `list`
// below the first node of `inner`, and puts what was there before into the place of `inner`. Then
// `inner` becomes the list in hand:
//
//   [a b]               [c d]          c keeps the way back: d goes first, then c is alone and
//      └─ [c d]           └─ [a b]     gives [a b] back, with x below b
//          └─ [x]                └─ [x]
#pragma once

#include <utility>
#include <vector>

namespace kith::core {

// last_list(node) returns the last list below a node that is not empty, or null; it may destroy
// what stands behind that list. first_place(node) returns the first list below a node, which may be
// empty, or null if the node can have none.
template <class Node, class LastList, class FirstPlace>
void destroy_deep(std::vector<Node>& list, LastList last_list, FirstPlace first_place) noexcept {
  while (!list.empty()) {
    std::vector<Node>* const below = last_list(list.back());
    if (!below) {
      list.pop_back();
      continue;
    }
    std::vector<Node> inner = std::move(*below);
    below->clear();
    std::size_t holder = 0;
    while (holder < inner.size() && !first_place(inner[holder])) ++holder;
    // No node of `inner` can have nodes below it: all of them end with `inner`.
    if (holder == inner.size()) continue;
    // If this is false, only the node that had `inner` is left, with nothing below it, and it ends.
    if (list.size() > 1 || first_place(list.back()) != below) {
      if (holder) std::swap(inner.front(), inner[holder]);
      std::vector<Node>* const place = first_place(inner.front());
      std::swap(*below, *place);
      *place = std::move(list);
    }
    list = std::move(inner);
  }
}

}  // namespace kith::core
