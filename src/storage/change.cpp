#include "storage/change.hpp"

#include <bit>

#include "base/assert.hpp"

namespace kith::core {

change_sinks::mask change_sinks::add(change_sink& sink, needs n) {
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    if (sinks_[i]) continue;
    sinks_[i] = &sink;
    const auto bit = static_cast<mask>(1u << i);
    if (n.before) need_before_ |= bit;
    if (n.writes) need_writes_ |= bit;
    return bit;
  }
  KITH_ASSERT(false, "a store has at most eight sinks");
  return 0;
}

void change_sinks::remove(mask bit) {
  unwant_all(bit);
  need_before_ &= static_cast<mask>(~bit);
  need_writes_ &= static_cast<mask>(~bit);
  sinks_[static_cast<std::size_t>(std::countr_zero(bit))] = nullptr;
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

void change_sinks::before(std::span<const delta> deltas) const {
  for (std::size_t i = 0; i < sinks_.size(); ++i)
    if (need_before_ >> i & 1) sinks_[i]->before(deltas);
}

void change_sinks::after(mask to, std::span<const delta> deltas) const noexcept {
  for (std::size_t i = 0; i < sinks_.size(); ++i)
    if (to >> i & 1) sinks_[i]->after(deltas);
}

void change_sinks::after_many(mask to, id_t id) const noexcept {
  for (std::size_t i = 0; i < sinks_.size(); ++i)
    if (to >> i & 1) sinks_[i]->after_many(id);
}

}  // namespace kith::core
