#include "relations/reach_set.hpp"

#include <algorithm>

namespace kith::core {

void reach_set::file() const {
  for (; filed_ < list_.size(); ++filed_) members_.insert(index_of(list_[filed_]));
}

void reach_set::follow(entity_t next, const reach_set& of_next) {
  const std::span<const entity_t> beyond = of_next.list();
  list_.reserve(beyond.size() + 1);
  list_.push_back(next);
  // On a cycle `next` is among the entities that it leads to.
  std::ranges::copy_if(beyond, std::back_inserter(list_), [&](entity_t e) { return e != next; });
  expanded_ = list_.size();
  started_ = true;
}

}  // namespace kith::core
