#include "storage/change_log.hpp"

#include <algorithm>

namespace kith::core {

bool change_log::add_marks(std::size_t index) noexcept {
  const bool has_room = try_make_room(marks, index + 1 - marks.size());
  if (has_room)
    marks.resize(index + 1);
  else
    all_marked = end();
  return has_room;
}

std::shared_ptr<const change_log> change_logs::watch(id_t group) {
  const std::lock_guard lock(watching_);
  std::shared_ptr<change_log>& log = logs_[group];
  if (!log) log = std::make_shared<change_log>();
  watched_[place_of(group)] = true;
  return log;
}

std::shared_ptr<const change_log> change_logs::watch_each(id_t group) {
  std::shared_ptr<const change_log> log = watch(group);
  const std::lock_guard lock(watching_);
  logs_.find(group).value()->is_marked = true;
  return log;
}

change_log* change_logs::find(id_t key) {
  const auto known = logs_.find(key);
  if (known == logs_.end()) return nullptr;
  if (known->second.use_count() > 1) return known.value().get();
  logs_.erase(known);
  watched_[place_of(key)] = std::ranges::any_of(
      logs_, [&](const auto& log) { return place_of(log.first) == place_of(key); });
  return nullptr;
}

void change_logs::append(id_t key, entity_t e) noexcept {
  change_log* log = find(key);
  if (!log) return;
  if (log->entities.size() >= max_listed()) {
    // The newer half stays, for readers that keep up.
    const std::size_t half = log->entities.size() / 2;
    log->first += half;
    log->entities.erase(log->entities.begin(),
                        log->entities.begin() + static_cast<std::ptrdiff_t>(half));
  }
  if (try_make_room(log->entities))
    log->entities.push_back(e);
  else
    log->forget();
  if (log->is_marked) log->mark(e);
}

void change_logs::forget(id_t key) noexcept {
  if (change_log* log = find(key)) log->forget();
}

void change_logs::mark_each(id_t key, std::span<const entity_t> entities) noexcept {
  change_log* log = find(key);
  if (!log || !log->is_marked) return;
  for (entity_t e : entities) log->mark(e);
}

}  // namespace kith::core
