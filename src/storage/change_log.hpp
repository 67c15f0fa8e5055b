// Logs of the entities that gained, lost or switched an id, for readers that watch the id.
//
// A reader watches groups of ids (group_key) and keeps, per group, the number of changes it has
// seen. Most groups have no reader; the funnel (change.hpp) finds that out by one look into an
// array.
//
//   (Likes, *)   first = 40   [ e7 | e2 | e7 | e9 ]   end() = 44
//                               ^ a reader that has seen 40 looks at four entities;
//                                 one that has seen less must look at everything
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/try_allocate.hpp"
#include "ids/entity_index.hpp"
#include "storage/change.hpp"

namespace kith::core {

struct change_log {
  std::uint64_t first = 0;         // the number of changes before the listed ones
  std::vector<entity_t> entities;  // the entities that changed, in order
  std::vector<id_t> ids;           // the id that each of them gained, lost, switched or wrote
  // If a reader asked for marks: the end() of the log after the last change of each entity, by the
  // index of the entity. Marks are never forgotten.
  bool is_marked = false;
  std::vector<std::uint64_t> marks;
  std::uint64_t mark_of_all = 0;  // the end() when memory last ended before a mark was made

  std::uint64_t end() const { return first + entities.size(); }
  std::uint64_t mark_of(entity_t e) const {
    return index_of(e) < marks.size() ? std::max(marks[index_of(e)], mark_of_all) : mark_of_all;
  }
  void mark(entity_t e) noexcept {
    const std::size_t index = index_of(e);
    if (index < marks.size() || try_allocate([&] { marks.resize(index + 1); }))
      marks[index] = end();
    else
      mark_of_all = end();
  }
  // Makes every reader rescan: no reader has seen all, and the log lists nothing.
  void forget() {
    first = end() + 1;
    entities.clear();
    ids.clear();
  }
};

// A log, and how much of it this reader has seen.
class log_reader {
 public:
  log_reader() = default;
  // Starts at the end of the log: changes before now are not news.
  explicit log_reader(std::shared_ptr<const change_log> log)
      : log_(std::move(log)), seen_(log_->end()) {}

  explicit operator bool() const { return log_ != nullptr; }
  bool has_news() const { return seen_ != log_->end(); }
  // Does the log still list all changes that this reader has not seen?
  bool is_complete() const { return seen_ >= log_->first; }
  // The entities that changed since. Requires: is_complete(). Invalidated by any change.
  std::span<const entity_t> news() const {
    return std::span(log_->entities).subspan(static_cast<std::size_t>(seen_ - log_->first));
  }
  // Their ids, one for each; 0 where an entity began or ended.
  std::span<const id_t> news_ids() const {
    return std::span(log_->ids).subspan(static_cast<std::size_t>(seen_ - log_->first));
  }
  void catch_up() { seen_ = log_->end(); }
  // Did `e` change since? Requires: a log with marks.
  bool has_news_of(entity_t e) const { return log_->mark_of(e) > seen_; }

 private:
  std::shared_ptr<const change_log> log_;
  std::uint64_t seen_ = 0;
};

// A listener that keeps a log for each key that a reader watches.
class change_logs final : change_listener {
 public:
  // What the logs list. membership: the entities that gained, lost or switched an id of a group;
  // the key of a log is a group, or 0 for entities that begin or end. values: the entities whose
  // value of an id was gained or written; the key is that id.
  enum class about : std::uint8_t { membership, values };

  change_logs(const entity_index& entities, change_sinks& sinks, about what)
      : entities_(entities),
        sinks_(sinks),
        what_(what),
        bit_(sinks.add(*this, what == about::values)) {}

  // The log lives as long as a reader holds it. Several threads may call this at once.
  std::shared_ptr<const change_log> watch(id_t key);
  // The same, with marks from now on.
  std::shared_ptr<const change_log> watch_each(id_t key);

  // Marks `entities`, which were among the many that note_writes() reported last.
  void mark(id_t key, std::span<const entity_t> entities) noexcept;
  bool any() const { return !logs_.empty(); }
  // A log that has this many entries forgets its older half. A reader that must rescan because of
  // that has missed a number of changes in proportion to the number of entities.
  std::size_t max_listed() const { return std::max<std::size_t>(4096, entities_.size() / 4); }

 private:
  void hear(delta::kind what, entity_t e, id_t id) noexcept override;
  // Too many entities to list; readers must rescan.
  void hear_many(id_t id) noexcept override;
  id_t key_of(id_t id) const { return what_ == about::values ? id : group_key(id); }
  void append(change_log& log, entity_t e, id_t id) noexcept;
  // The log of `key`, or null. Erases a log that no reader holds any more.
  change_log* find(id_t key) noexcept;

  const entity_index& entities_;
  change_sinks& sinks_;
  about what_;
  change_sinks::mask bit_;
  hash_map<id_t, std::shared_ptr<change_log>> logs_;
  std::mutex watching_;  // one thread changes the world, but several may read it and call watch()
};

}  // namespace kith::core
