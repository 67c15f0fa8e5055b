#include "storage/off_ids.hpp"

#include <algorithm>

namespace kith::core {

void off_ids::set(std::uint32_t entity, id_t id, bool off) {
  auto found = lists_.find(entity);
  if (found == lists_.end()) {
    if (off) lists_[entity] = std::vector<id_t>{id};
    return;
  }
  std::vector<id_t>& ids = found.value();
  const auto at = std::ranges::lower_bound(ids, id);
  const bool is_off = at != ids.end() && *at == id;
  if (is_off == off) return;
  if (off)
    ids.insert(at, id);
  else
    ids.erase(at);
  if (ids.empty()) lists_.erase(found);
}

std::span<const id_t> off_ids::of(std::uint32_t entity) const {
  auto found = lists_.find(entity);
  return found == lists_.end() ? std::span<const id_t>() : found->second;
}

std::span<const id_t> off_ids::pairs_of(std::uint32_t entity, std::uint32_t relation) const {
  const std::span<const id_t> all = of(entity);
  const auto first = std::lower_bound(all.begin(), all.end(), make_pair_of(relation, 0));
  const auto last = std::upper_bound(first, all.end(), make_pair_of(relation, 0xffff'ffff));
  return {first, last};
}

}  // namespace kith::core
