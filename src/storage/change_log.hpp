// Which entities gained, lost or switched an id, for those who want to know.
//
// A reader watches groups of ids (id_index::group_key) and keeps, per group, the number of changes it has
// seen. Nobody watches most groups; finding that out costs a change a look into a small array.
//
//   (Likes, *)   first = 40   [ e7 | e2 | e7 | e9 ]   end() = 44
//                               ^ a reader that has seen 40 looks at four entities;
//                                 one that has seen less must look at everything
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/make_room.hpp"
#include "ids/entity_index.hpp"

namespace kith::core {

struct change_log {
  std::uint64_t first = 0;         // how many changes were before those that are listed
  std::vector<entity_t> entities;  // who changed, in order
  // If somebody asked for it, when each entity changed last, by its index: the end of the log after that.
  // This is never forgotten.
  bool is_marked = false;
  std::vector<std::uint64_t> marks;
  // Memory for a mark ended when the log ended here: every entity counts as changed at that time.
  std::uint64_t all_marked = 0;

  std::uint64_t end() const { return first + entities.size(); }
  std::uint64_t mark_of(entity_t e) const {
    return std::max(all_marked, index_of(e) < marks.size() ? marks[index_of(e)] : 0);
  }
  void mark(entity_t e) noexcept {
    if (index_of(e) < marks.size() || add_marks(index_of(e))) marks[index_of(e)] = end();
  }
  // Up to an index. False, and all are marked, if memory ends.
  bool add_marks(std::size_t index) noexcept;
  // Lists nothing any more: a reader that has not seen all must look at everything.
  void forget() noexcept {
    // One more than there were, so that no reader has seen all.
    first = end() + 1;
    entities.clear();
  }
};

// A log and how much of it somebody has seen.
class log_reader {
 public:
  log_reader() = default;
  // What the log says so far is not news.
  explicit log_reader(std::shared_ptr<const change_log> log)
      : log_(std::move(log)), seen_(log_->end()) {}

  explicit operator bool() const { return log_ != nullptr; }
  bool has_news() const { return seen_ != log_->end(); }
  // Does the log still list all that is news?
  bool is_complete() const { return seen_ >= log_->first; }
  // Who changed since, as far as it is complete. Valid until something changes.
  std::span<const entity_t> news() const {
    return std::span(log_->entities).subspan(static_cast<std::size_t>(seen_ - log_->first));
  }
  void catch_up() { seen_ = log_->end(); }
  // Of a log with marks: is the last change of an entity news?
  bool has_news_of(entity_t e) const { return log_->mark_of(e) > seen_; }

 private:
  std::shared_ptr<const change_log> log_;
  std::uint64_t seen_ = 0;
};

class change_logs {
 public:
  explicit change_logs(const entity_index& entities) : entities_(entities) {}

  // The log of a group lives as long as somebody holds it. Several threads may ask at once. Key 0:
  // which entities began or ended.
  std::shared_ptr<const change_log> watch(id_t group);
  // The same with marks from now on.
  std::shared_ptr<const change_log> watch_each(id_t group);

  // `e` gained, lost or switched an id of the group. Like all that writes to logs this cannot fail:
  // when memory ends, a log forgets what it lists.
  void note(id_t group, entity_t e) noexcept {
    if (watched_[place_of(group)]) append(group, e);
  }
  void note_life(entity_t e) noexcept { note(0, e); }
  // Too many entities to list; readers must rescan.
  void note_many(id_t group) noexcept {
    if (watched_[place_of(group)]) forget(group);
  }
  // All that can be said: these were among the many noted last.
  void mark(id_t group, std::span<const entity_t> entities) noexcept {
    if (watched_[place_of(group)]) mark_each(group, entities);
  }
  bool any() const { return !logs_.empty(); }
  // A log that has grown to this forgets its older half: a reader that must look at everything has had
  // changes in proportion to that.
  std::size_t max_listed() const { return std::max<std::size_t>(4096, entities_.size() / 4); }

 private:
  static std::size_t place_of(id_t key) { return mix(key) % places; }
  void append(id_t key, entity_t e) noexcept;
  void forget(id_t key) noexcept;
  void mark_each(id_t key, std::span<const entity_t> entities) noexcept;
  // The log, or null; one that nobody holds any more is erased.
  change_log* find(id_t key);

  const entity_index& entities_;
  static constexpr std::size_t places = 256;
  std::array<bool, places> watched_{};  // some watched key has its place here
  hash_map<id_t, std::shared_ptr<change_log>> logs_;
  std::mutex watching_;  // who changes the world is alone; who reads it may be one of many
};

}  // namespace kith::core
