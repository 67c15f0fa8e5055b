#include "query/cache/read_watch.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/builtins.hpp>

namespace kith::core {

namespace {

constexpr id_t life_group = 0;  // the key under which logs list entities that began or ended

}  // namespace

read_watch::read_watch(reads what, meaning& m)
    : m_(&m), what_(std::move(what)), alive_(what_.named.size()) {
  const core::store& store = m.world().store;
  for (id_t group : what_.groups) groups_.push_back({group, log_reader(store.logs().watch(group))});
  if (what_.life) groups_.push_back({life_group, log_reader(store.logs().watch(life_group))});
  mark();
}

void read_watch::add_values(const std::vector<id_t>& ids) {
  for (id_t id : ids) values_.emplace_back(m_->world().store.value_logs().watch(id));
}

void read_watch::mark() {
  for (watched_group& w : groups_) w.log.catch_up();
  for (log_reader& log : values_) log.catch_up();
  for (std::size_t n = 0; n < alive_.size(); ++n) alive_[n] = m_->alive(what_.named[n]);
  store_version_ = m_->world().store.version();
  names_version_ = m_->world().names.version();
}

void read_watch::forget_life() {
  std::erase_if(groups_, [](const watched_group& w) { return w.group == life_group; });
}

void read_watch::watch_life() {
  if (std::ranges::find(groups_, life_group, &watched_group::group) == groups_.end())
    groups_.push_back({life_group, log_reader(m_->world().store.logs().watch(life_group))});
}

bool read_watch::others_unchanged() const {
  const graph& g = m_->world();
  if (store_version_ != g.store.version()) {
    if (what_.all_ids) return false;
    for (std::size_t n = 0; n < alive_.size(); ++n)
      if (alive_[n] != m_->alive(what_.named[n])) return false;
  }
  if (what_.names && names_version_ != g.names.version()) return false;
  return std::ranges::none_of(values_, &log_reader::has_news);
}

bool read_watch::unchanged() const {
  return others_unchanged() &&
         std::ranges::none_of(groups_, [](const watched_group& w) { return w.log.has_news(); });
}

std::optional<read_watch::news> read_watch::changes(std::size_t most) const {
  if (!others_unchanged()) return std::nullopt;
  news found;
  std::vector<entity_t>& changed = found.entities;
  for (const watched_group& w : groups_) {
    if (!w.log.has_news()) continue;
    if (!w.log.is_complete() || changed.size() + w.log.news().size() > most) return std::nullopt;
    changed.insert(changed.end(), w.log.news().begin(), w.log.news().end());
    found.kinds = found.kinds || w.group == make_pair(IsA, 0);
  }
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  return found;
}

std::optional<std::vector<changed_fact>> read_watch::facts(std::size_t most) const {
  if (!others_unchanged()) return std::nullopt;
  std::vector<changed_fact> found;
  for (const watched_group& w : groups_) {
    if (!w.log.has_news()) continue;
    if (!w.log.is_complete() || found.size() + w.log.news().size() > most) return std::nullopt;
    const std::span<const entity_t> entities = w.log.news();
    const std::span<const id_t> ids = w.log.news_ids();
    for (std::size_t i = 0; i < entities.size(); ++i) found.push_back({entities[i], ids[i]});
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace kith::core
