#include "reactive/sleepers.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

void sleepers::sleep(entity_t who, id_t group) {
  woken_.reserve(count_ + 1);
  waiting_[group].push_back(who);
  ++count_;
  store_.sinks().want(bit_, group);
}

std::vector<entity_t> sleepers::take_woken() {
  std::vector<entity_t> woken;
  woken.reserve(count_);
  woken.swap(woken_);
  count_ -= woken.size();
  return woken;
}

void sleepers::hear(delta::kind what, entity_t, id_t id) noexcept {
  if (what != delta::kind::gained && what != delta::kind::switched) return;
  const auto waiting = waiting_.find(group_key(id));
  if (waiting == waiting_.end()) return;
  woken_.insert(woken_.end(), waiting->second.begin(), waiting->second.end());
  const std::size_t place = change_sinks::place_of(waiting->first);
  waiting_.erase(waiting);
  // Groups that share a place in the array of the sinks cannot be told apart.
  const bool is_needed = std::ranges::any_of(
      waiting_, [&](const auto& w) { return change_sinks::place_of(w.first) == place; });
  if (!is_needed) store_.sinks().unwant_place(bit_, place);
}

}  // namespace kith::core
