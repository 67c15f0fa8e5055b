// Changes of an id of all entities at once, the end of entities, and freeing memory.
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/scope_exit.hpp"
#include "base/try_allocate.hpp"
#include "storage/store.hpp"

namespace kith::core {

std::size_t store::count(const id_record& record) const {
  std::size_t n = record.pool.size();
  for (const table* t : record.tables) n += t->size();
  return n;
}

bool store::is_used(const id_record& record) const {
  const auto has_rows = [](const table* t) { return t->size() != 0; };
  return record.pool.size() != 0 || std::ranges::any_of(record.tables, has_rows);
}

// Takes ids away from all entities: moves the rows of their tables and ends their values.
class store::purge_run {
 public:
  purge_run(store& s, std::span<id_record* const> records) : s_(s), records_(records) {}

  // Finds out where rows go, and makes room for them.
  void prepare();
  void commit() noexcept;
  // Erases the tables and the records. Requires: commit().
  void forget() noexcept;
  std::size_t rows_to_root() const {
    std::size_t rows = 0;
    for (const journey& j : journeys_)
      if (j.to->ids().empty()) rows += j.from->size();
    return rows;
  }

 private:
  struct journey {
    table* from;
    table* to;
    std::uint32_t rows = 0;
  };
  bool goes(id_t id) const { return std::ranges::binary_search(ids_, id); }

  store& s_;
  std::span<id_record* const> records_;
  std::vector<id_t> ids_;
  std::vector<journey> journeys_;
};

void store::purge_run::prepare() {
  for (const id_record* record : records_) ids_.push_back(record->id);
  std::ranges::sort(ids_);
  hash_map<table*, std::size_t> coming;
  for (const id_record* record : records_) {
    for (table* from : record->tables) {
      // A table that has several of the ids is listed for each of them.
      const auto first = std::ranges::find_if(from->ids(), [&](id_t id) { return goes(id); });
      if (*first != record->id || !from->size()) continue;
      std::vector<id_t> left;
      std::ranges::copy_if(from->ids(), std::back_inserter(left),
                           [&](id_t id) { return !goes(id); });
      table& to = s_.tables_.find_or_create(std::move(left));
      const row_index row{to.size() + coming[&to]};
      to.begin_rows(coming[&to] += from->size());
      to.reserve_toggles(row, *from, row_index{std::size_t{0}}, from->size());
      journeys_.push_back({from, &to});
    }
  }
}

void store::purge_run::commit() noexcept {
  ++s_.version_;
  for (journey& j : journeys_) {
    if (s_.toggles_used_)
      for (entity_t e : j.from->entities())
        for (id_t id : j.from->ids())
          if (goes(id)) s_.forget_off(e, id);
    j.rows = j.from->size();
    s_.carry_rows(*j.from, *j.to);
    j.from->forget_rows();
    for (id_t id : j.from->ids())
      if (goes(id)) s_.tell_lost(j.to->entities().last(j.rows), id);
  }
  // No entity has the values that are left any more, so they end where they are.
  for (const journey& j : journeys_)
    for (const column& c : j.from->columns())
      if (goes(c.id)) core::destroy(*c.type, c.slot(row_index{std::size_t{0}}), j.rows);
  for (id_record* record : records_) s_.empty_pool(*record);
}

void store::purge_run::forget() noexcept {
  for (id_record* record : records_) {
    while (!record->tables.empty()) s_.tables_.erase(*record->tables.back());
    s_.ids_.erase(*record);
  }
}

// Makes one change of the whole deletion, so that sinks see one list of deltas.
void store::delete_listed(std::span<const entity_t> doomed, std::span<id_record* const> uses,
                          const std::function<void()>& finish) {
  std::vector<entity_t> order(doomed.rbegin(), doomed.rend());
  hash_map<entity_t, std::vector<id_t>> lost;
  for (entity_t e : order) lost[e] = owned_ids(*entities_.find(e));
  for (const id_record* record : uses)
    each(*record, [&](entity_t e) {
      auto [known, is_new] = lost.try_emplace(e);
      if (is_new) order.push_back(e);
      known.value().push_back(record->id);
    });
  for (entity_t e : order) {
    std::vector<id_t>& ids = lost[e];
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  std::vector<entity_change> changes;
  for (std::size_t i = 0; i < order.size(); ++i)
    changes.push_back({.entity = order[i], .lost = lost[order[i]], .ends = i < doomed.size()});
  carry_out(changes, finish);
}

bool store::any_seen(std::span<id_record* const> records) const {
  return std::ranges::any_of(records,
                             [&](const id_record* r) { return sinks_.seeing(r->id) != 0; });
}

void store::delete_all(std::span<const entity_t> doomed, std::span<id_record* const> uses,
                       const std::function<void()>& finish) {
  user_code running(*this);
  // Tables and records that are known here stay, also while the deltas are carried out.
  scope_exit release(
      [this, before = std::exchange(keeps_tables_, true)] { keeps_tables_ = before; });
  purge_run ids(*this, uses);
  ids.prepare();
  if (sees_end(doomed, uses)) {
    delete_listed(doomed, uses, finish);
    ids.commit();
    return ids.forget();
  }
  // One row for an entity that ends, besides those that the ids leave there.
  tables_.root().begin_rows(ids.rows_to_root() + 1);
  if (finish) finish();
  ids.commit();
  ids.forget();
  for (std::size_t i = doomed.size(); i-- > 0;) destroy(doomed[i]);
}

void store::take_from_all(std::span<id_record* const> records,
                          const std::function<void()>& finish) {
  user_code running(*this);
  if (sinks_.any_sees() && any_seen(records)) return delete_listed({}, records, finish);
  purge_run ids(*this, records);
  ids.prepare();
  finish();
  ids.commit();
}

// Tells listeners that the entities have lost the id.
void store::tell_lost(std::span<const entity_t> entities, id_t id) noexcept {
  const change_sinks::mask to = sinks_.wanting(id);
  if (!to) return;
  if (entities.size() > logs_.max_listed()) return sinks_.hear_many(to, id);
  for (entity_t e : entities) sinks_.hear(to, delta::kind::lost, e, id);
}

void store::empty_pool(id_record& record) {
  for (entity_t e : record.pool.entities()) {
    forget_off(e, record.id);
    loose_.erase(entities_.at_index(index_of(e)).loose, record.id);
  }
  tell_lost(record.pool.entities(), record.id);
  record.group->pool_rows -= record.pool.size();
  ++record.group->version;
  record.pool.destroy_rows();
}

void store::carry_rows(table& from, table& to) {
  const std::size_t count = from.size();
  const row_index first = to.begin_rows(count);
  for (const column& c : from.columns())
    if (const column* target = to.find_column(c.id))
      relocate(*c.type, target->slot(first), c.slot(row_index{std::size_t{0}}), count);
  for (std::size_t i = 0; i < count; ++i) {
    const entity_t e = from.entities()[i];
    entity_record& r = entities_.at_index(index_of(e));
    r.table = to.id();
    r.row = row_index{first.value + i};
    to.copy_toggles(r.row, from, row_index{i});
    to.commit_row(e);
  }
}

void store::reclaim_if_many() {
  if (keeps_tables_ || tables_.size() < reclaim_at_) return;
  std::size_t empty = 0;
  tables_.each([&](const table& t) { empty += t.size() == 0; });
  if (empty > tables_.size() / 2) reclaim();
  reclaim_at_ = std::max(min_reclaim, tables_.size() * 2);
}

void store::destroy_all_values() {
  user_code running(*this);
  // Values leave their entities before they are destroyed: destructors of the user may read the
  // world.
  ids_.each([&](id_record& record) {
    if (record.type() && record.pool.size()) empty_pool(record);
  });
  table& root = tables_.root();
  tables_.each([&](table& t) {
    if (&t == &root || !t.size() || !t.runs_user_code()) return;
    // If there is no memory for rows in the root, the table destroys the values when it ends.
    if (!try_allocate([&] { root.begin_rows(t.size()); })) return;
    const std::size_t rows = t.size();
    carry_rows(t, root);
    t.forget_rows();
    for (const column& c : t.columns())
      core::destroy(*c.type, c.slot(row_index{std::size_t{0}}), rows);
  });
}

std::vector<id_record*> store::records_made_of(entity_t e) const {
  std::vector<id_record*> records;
  ids_.each_made_of(e, [&](id_record& r) { records.push_back(&r); });
  return records;
}

bool store::forget_if_unused(entity_t e) noexcept {
  forget_unused_ids_of(e);
  const std::uint32_t index = index_of(e);
  if (ids_.find(e) || ids_.first_of_relation(index) || ids_.first_of_target(index)) return false;
  forget_groups_of(e);
  return true;
}

void store::forget_groups_of(entity_t e) noexcept {
  ids_.erase_group(e);
  ids_.erase_group(make_pair_of(index_of(e), 0));
  types_.erase(index_of(e));
}

void store::forget_unused_ids_of(entity_t e) noexcept {
  ids_.each_made_of(e, [&](id_record& record) {
    if (is_used(record)) return;
    while (!record.tables.empty()) tables_.erase(*record.tables.back());
    ids_.erase(record);
  });
}

std::size_t store::reclaim() {
  std::vector<table*> empty;
  tables_.each([&](table& t) {
    if (t.size()) return;
    t.release_memory();
    if (&t != &tables_.root()) empty.push_back(&t);
  });
  for (table* t : empty) tables_.erase(*t);
  std::vector<id_record*> unused;
  ids_.each([&](id_record& record) {
    if (record.tables.empty() && record.pool.size() == 0) unused.push_back(&record);
  });
  for (id_record* record : unused) ids_.erase(*record);
  return empty.size();
}

}  // namespace kith::core
