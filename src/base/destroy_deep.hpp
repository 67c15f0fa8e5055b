// Destroys a tree as deep as memory goes: without recursion, and without taking memory.
//
// A list of nodes that has a list below its last node is hung below the first node of that one,
// which becomes the list in hand. What hung there before goes where the one in hand came from:
//
//   [a b]               [c d]          c stands for the way back: d goes first, then c is alone
//      └─ [c d]           └─ [a b]     and gives [a b] back, with x below b
//          └─ [x]                └─ [x]
#pragma once

#include <utility>
#include <vector>

namespace kith::core {

// `last_list(node)` returns the last list below a node that is not empty, or null; it may destroy
// what stands behind it. `first_place(node)` returns the first list below a node, which may be
// empty, or null if it can have none.
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
    // None of them has anything below it.
    if (holder == inner.size()) continue;
    // Else nothing is left but the node that had them: it goes.
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
