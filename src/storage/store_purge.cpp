// What happens to an id of all entities at once, and what is given back.
#include <algorithm>

#include "base/assert.hpp"
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

void store::purge(id_record& record) {
  KITH_ASSERT(!undo_ || count(record) == 0, "who loses a purged id is not noted");
  ++version_;
  if (logs_.any()) log_all_owners(record);
  user_code running(*this);
  while (!record.tables.empty()) {
    table& from = *record.tables.back();
    for (entity_t e : from.entities()) forget_off(e, record.id);
    if (from.size()) move_all_rows(from, tables_.without(from, record.id));
    tables_.erase(from);
  }
  empty_pool(record);
  ids_.erase(record);
}

void store::log_all_owners(const id_record& record) {
  if (count(record) > logs_.max_listed()) return logs_.note_many(record.group->key);
  each(record, [&](entity_t e) { logs_.note(record.group->key, e); });
}

void store::empty_pool(id_record& record) {
  for (entity_t e : record.pool.entities()) {
    forget_off(e, record.id);
    loose_.erase(entities_.at_index(index_of(e)).loose, record.id);
  }
  record.group->pool_rows -= record.pool.size();
  ++record.group->version;
  record.pool.destroy_rows();
}

void store::move_all_rows(table& from, table& to) {
  carry_rows(from, to);
  // Nobody finds the values that are left any more, so they can go where they are.
  const std::size_t count = from.size();
  from.forget_rows();
  for (const column& c : from.columns())
    if (!to.find_column(c.id)) core::destroy(*c.type, c.slot(row_index{std::size_t{0}}), count);
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
  if (tables_.size() < reclaim_at_) return;
  std::size_t empty = 0;
  tables_.each([&](const table& t) { empty += t.size() == 0; });
  if (empty > tables_.size() / 2) reclaim();
  reclaim_at_ = std::max(min_reclaim, tables_.size() * 2);
}

void store::destroy_all_values() {
  user_code running(*this);
  // Destructors of the user may look at what is still there.
  ids_.each([&](id_record& record) {
    if (record.type() && record.pool.size()) empty_pool(record);
  });
  table& root = tables_.root();
  tables_.each([&](table& t) {
    if (&t != &root && t.size() && t.runs_user_code()) move_all_rows(t, root);
  });
}

void store::forget_ids_of(entity_t e) {
  const std::uint32_t index = index_of(e);
  if (id_record* record = ids_.find(e)) purge(*record);
  while (id_record* record = ids_.first_of_relation(index)) purge(*record);
  while (id_record* record = ids_.first_of_target(index)) purge(*record);
  ids_.erase_group(e);
  ids_.erase_group(make_pair_of(index, 0));
  types_.erase(index);
}

void store::forget_unused_ids_of(entity_t e) {
  std::vector<id_record*> unused;
  const auto look_at = [&](id_record* record) {
    if (count(*record) == 0) unused.push_back(record);
  };
  if (id_record* record = ids_.find(e)) look_at(record);
  for (id_record* r = ids_.first_of_relation(index_of(e)); r; r = r->next_of_relation) look_at(r);
  for (id_record* r = ids_.first_of_target(index_of(e)); r; r = r->next_of_target)
    if (relation_of(r->id) != index_of(e)) look_at(r);
  for (id_record* record : unused) purge(*record);
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
