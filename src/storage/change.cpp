#include "storage/change.hpp"

#include <bit>

#include "base/assert.hpp"

namespace kith::core {

change_sinks::mask change_sinks::add(member m) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].sink || members_[i].listener) continue;
    members_[i] = m;
    return static_cast<mask>(1u << i);
  }
  KITH_ASSERT(false, "a store has at most eight sinks and listeners");
  return 0;
}

change_sinks::mask change_sinks::add(change_sink& sink) {
  const mask bit = add({&sink, nullptr});
  seeing_ |= bit;
  return bit;
}

change_sinks::mask change_sinks::add(change_listener& listener, bool writes) {
  const mask bit = add({nullptr, &listener});
  if (writes) writes_ |= bit;
  return bit;
}

void change_sinks::remove(mask bit) {
  unwant_all(bit);
  seeing_ &= static_cast<mask>(~bit);
  writes_ &= static_cast<mask>(~bit);
  members_[static_cast<std::size_t>(std::countr_zero(bit))] = {};
}

void change_sinks::want(mask bit, id_t group) {
  wanted_[place_of(group)].fetch_or(bit, std::memory_order_relaxed);
  any_.fetch_or(bit, std::memory_order_relaxed);
}

void change_sinks::want_all(mask bit) {
  for (auto& wanted : wanted_) wanted.fetch_or(bit, std::memory_order_relaxed);
  any_.fetch_or(bit, std::memory_order_relaxed);
}

void change_sinks::unwant_place(mask bit, std::size_t place) {
  wanted_[place].fetch_and(static_cast<mask>(~bit), std::memory_order_relaxed);
}

void change_sinks::unwant_all(mask bit) {
  for (std::size_t place = 0; place < places; ++place) unwant_place(bit, place);
  any_.fetch_and(static_cast<mask>(~bit), std::memory_order_relaxed);
}

void change_sinks::before(mask to, std::span<const delta> deltas) const {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (change_sink* const sink = members_[i].sink; sink && to >> i & 1) sink->before(deltas);
}

void change_sinks::after(mask to, std::span<const delta> deltas) const noexcept {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (change_sink* const sink = members_[i].sink; sink && to >> i & 1) sink->after(deltas);
}

void change_sinks::hear(mask to, delta::kind what, entity_t e, id_t id) const noexcept {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (change_listener* const l = members_[i].listener; l && to >> i & 1) l->hear(what, e, id);
}

void change_sinks::hear_many(mask to, id_t id) const noexcept {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (change_listener* const l = members_[i].listener; l && to >> i & 1) l->hear_many(id);
}

}  // namespace kith::core
