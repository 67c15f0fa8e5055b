#include "storage/table_edges.hpp"

#include <algorithm>

namespace kith::core {

table* table_edges::search(id_t id) const {
  for (std::size_t i = 0; i < few_.size(); ++i) {
    if (few_[i].id != id) continue;
    last_ = static_cast<std::uint32_t>(i);
    return few_[i].to;
  }
  if (!many_) return nullptr;
  auto found = many_->find(id);
  return found == many_->end() ? nullptr : found->second;
}

void table_edges::insert(id_t id, table* to) {
  erase(id);
  if (few_.size() < max_few) {
    few_.push_back({id, to});
    return;
  }
  if (!many_) many_ = std::make_unique<hash_map<id_t, table*>>();
  (*many_)[id] = to;
}

void table_edges::erase(id_t id) {
  auto found = std::find_if(few_.begin(), few_.end(), [&](const edge& e) { return e.id == id; });
  if (found != few_.end()) {
    *found = few_.back();
    few_.pop_back();
  } else if (many_) {
    many_->erase(id);
  }
}

}  // namespace kith::core
