#include "storage/change_log.hpp"

#include <algorithm>

#include "base/make_room.hpp"

namespace kith::core {

std::shared_ptr<const change_log> change_logs::watch(id_t key) {
  const std::lock_guard lock(watching_);
  if (const auto known = logs_.find(key); known != logs_.end()) return known->second;
  const auto log = std::make_shared<change_log>();
  logs_[key] = log;
  sinks_.want(bit_, group_key(key));
  return log;
}

std::shared_ptr<const change_log> change_logs::watch_each(id_t key) {
  std::shared_ptr<const change_log> log = watch(key);
  const std::lock_guard lock(watching_);
  logs_.find(key).value()->is_marked = true;
  return log;
}

change_log* change_logs::find(id_t key) noexcept {
  const auto known = logs_.find(key);
  if (known == logs_.end()) return nullptr;
  if (known->second.use_count() > 1) return known.value().get();
  logs_.erase(known);
  if (logs_.empty()) {
    sinks_.unwant_all(bit_);
    return nullptr;
  }
  const std::size_t place = change_sinks::place_of(group_key(key));
  const bool needed = std::ranges::any_of(logs_, [&](const auto& log) {
    return change_sinks::place_of(group_key(log.first)) == place;
  });
  if (!needed) sinks_.unwant_place(bit_, place);
  return nullptr;
}

void change_logs::hear(delta::kind what, entity_t e, id_t id) noexcept {
  const bool listed = what_ == about::values
                          ? what == delta::kind::gained || what == delta::kind::written
                          : what != delta::kind::written;
  if (!listed) return;
  if (change_log* log = find(key_of(id))) append(*log, e, id);
}

void change_logs::append(change_log& log, entity_t e, id_t id) noexcept {
  if (log.entities.size() >= max_listed()) {
    // Keeps the newer half, for readers that keep up.
    const std::size_t half = log.entities.size() / 2;
    log.first += half;
    const auto erase = [&](auto& list) {
      list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(half));
    };
    erase(log.entities);
    erase(log.ids);
  }
  const bool listed = try_allocate([&] {
    make_room(log.entities);
    log.ids.push_back(id);
  });
  if (listed)
    log.entities.push_back(e);
  else
    log.forget();
  if (log.is_marked) log.mark(e);
}

void change_logs::hear_many(id_t id) noexcept {
  if (change_log* log = find(key_of(id))) log->forget();
}

void change_logs::mark(id_t key, std::span<const entity_t> entities) noexcept {
  change_log* log = any() ? find(key) : nullptr;
  if (!log || !log->is_marked) return;
  for (entity_t e : entities) log->mark(e);
}

}  // namespace kith::core
