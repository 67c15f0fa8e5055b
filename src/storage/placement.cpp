// Chooses between tables and pools for each group of ids, and moves groups.
//
// Tables pay for ids that many entities of the same kind share: their rows are contiguous, and a
// table answers for all of them. Pools pay for relations with many targets, which would cut the
// rows into slivers, and for ids of few entities that have many ids. A decision follows counts over
// the whole group, so that one unusual entity moves no large group:
//
//   to pools    the tables of the group hold fewer than 16 rows each (checked when their number has
//               doubled), or the wide tables made for its ids cost more than its rows make up for
//   to tables   the tables that the group would need hold at least 256 rows each (checked when as
//               many rows came and went as there are)
//
// The gap between 16 and 256 keeps a group from moving back and forth. An ordinary change of an
// entity pays nothing for all this.
#include <algorithm>

#include "base/assert.hpp"
#include "storage/store.hpp"

namespace kith::core {

namespace {

// A table of this many ids is wide. An entity that passes through ever wider tables costs the
// square of its ids.
constexpr std::size_t max_ids_in_table = 64;
// A row of a group makes up for this many ids of wide tables.
constexpr std::size_t ids_per_row = 16;
// Tables with fewer rows than sliver_rows on average are slivers; with paying_rows or more they
// pay.
constexpr std::size_t sliver_rows = 16;
constexpr std::size_t paying_rows = 256;
// Groups with fewer rows stay in pools.
constexpr std::size_t min_rows = 4096;

}  // namespace

std::vector<id_record*> store::records_of(const id_group& group) const {
  std::vector<id_record*> records;
  if (is_pair(group.key)) {
    ids_.each_of_relation(relation_of(group.key), [&](id_record& r) { records.push_back(&r); });
  } else if (id_record* r = ids_.find(group.key)) {
    records.push_back(r);
  }
  return records;
}

void store::place(id_group& group, id_group::place where) {
  if (group.where == where) return;
  user_code running(*this);
  if (where == id_group::place::pools)
    to_pools(group);
  else
    to_tables(group);
  group.why = id_group::reason::pinned;
}

void store::fix_addresses(id_group& group) {
  user_code running(*this);
  group.fixed = true;
  for (id_record* record : records_of(group)) record->pool.fix_addresses();
  ++version_;
}

void store::note_move(id_group& group, id_group::reason why, std::size_t rows, std::size_t tables) {
  group.why = why;
  ++group.moves;
  group.rows_then = rows;
  group.tables_then = tables;
}

std::size_t store::rows_of(const id_group& group, std::size_t enough) const {
  std::size_t rows = 0;
  if (!is_pair(group.key)) {
    if (const id_record* r = ids_.find(group.key)) rows = count(*r);
  } else {
    const id_record* r = ids_.first_of_relation(relation_of(group.key));
    for (; r && rows < enough; r = r->next_of_relation) rows += count(*r);
  }
  return std::min(rows, enough);
}

// An entity in a table of `ids` ids gets one more, of this group. Do wide tables cost the group
// more than its rows make up for?
bool store::is_too_wide(std::size_t ids, id_group& group, std::size_t coming_rows) const {
  if (ids < max_ids_in_table) return false;
  group.wide_cost += ids;
  const auto enough = static_cast<std::size_t>(group.wide_cost / ids_per_row + 1);
  return coming_rows < enough && rows_of(group, enough - coming_rows) + coming_rows < enough;
}

// Called before `record` is added to an entity in a table of `width` ids, where another table may
// have to be made.
void store::prefer_pools(std::size_t width, id_record& record) {
  id_group& group = *record.group;
  if (group.pinned) return;
  if (is_too_wide(width, group)) return prefer_pools(group, id_group::reason::wide_tables);
  if (!is_pair(record.id) || group.table_uses < group.check_at_uses) return;
  group.check_at_uses = group.table_uses * 2;
  if (rows_of(group) < group.table_uses * sliver_rows)
    prefer_pools(group, id_group::reason::thin_tables);
}

void store::prefer_pools(id_group& group, id_group::reason why) {
  const std::size_t rows = rows_of(group), uses = group.table_uses;
  to_pools(group);
  note_move(group, why, rows, uses);
}

// Called before an entity gets many ids at once.
void store::prefer_pools_for_all(const entity_record& r, std::span<const new_id> ids) {
  std::size_t width = table_of(r).ids().size();
  for (const new_id& n : ids) {
    id_record& record = record_of(n.id);
    if (!record.in_pool()) prefer_pools(width, record);
    width += !record.in_pool();
  }
}

// Called before `count` entities are made that have all of `ids`.
void store::prefer_pools_for_all(std::size_t count, std::span<const bulk_id> ids) {
  std::size_t width = 0;
  for (const bulk_id& b : ids) {
    id_group& group = *record_of(b.id).group;
    if (group.where == id_group::place::pools) continue;
    if (!group.pinned && is_too_wide(width, group, count))
      prefer_pools(group, id_group::reason::wide_tables);
    else
      ++width;
  }
}

// Called when as many rows of a group came and went as it has.
void store::prefer_tables(id_group& group) {
  group.check_at_version = group.version + std::max<std::size_t>(min_rows, group.pool_rows);
  const std::size_t max_tables = group.pool_rows / paying_rows;
  if (group.pinned || group.pool_rows < min_rows) return;

  // Counts the tables that the group would need: one for each combination of a table and ids of the
  // group. A wide table costs more.
  hash_map<std::uint64_t, bool> combinations;
  std::size_t tables = 0;
  for (const id_record* record : records_of(group)) {
    for (entity_t e : record->pool.entities()) {
      const entity_record& r = entities_.at_index(index_of(e));
      std::size_t width = table_of(r).ids().size() + 1;
      std::uint64_t combination = mix(r.table.value + 1);
      if (is_pair(group.key)) {
        const auto pairs = loose_.pairs_of(r.loose, relation_of(group.key));
        width += pairs.size();
        for (id_t id : pairs) combination ^= mix(id);
      }
      if (combinations.try_emplace(combination, true).second)
        tables += 1 + (width / max_ids_in_table) * ids_per_row;
      if (tables > max_tables) return;
    }
  }
  const std::size_t rows = group.pool_rows;
  to_tables(group);
  note_move(group, id_group::reason::full_tables, rows, tables);
}

// Both moves first make room for everything, which may fail. After that they cannot fail.

void store::to_pools(id_group& group) {
  KITH_ASSERT(group.where == id_group::place::tables, "the group is in pools already");
  struct journey {
    table* from;
    table* to;
  };
  std::vector<journey> journeys;
  std::vector<table*> empty;
  hash_map<void*, std::size_t> coming;  // by table and by pool
  loose_ids::new_lists lists;
  for (const id_record* record : records_of(group)) {
    for (table* from : record->tables) {
      std::vector<id_t> left, mine;
      for (id_t id : from->ids()) (group_key(id) == group.key ? mine : left).push_back(id);
      // A table that has several ids of the group is listed for each of them.
      if (mine.front() != record->id) continue;
      if (!from->size()) {
        empty.push_back(from);
        continue;
      }
      table& to = tables_.find_or_create(std::move(left));
      const row_index row{to.size() + coming[&to]};
      to.begin_rows(coming[&to] += from->size());
      to.reserve_toggles(row, *from, row_index{std::size_t{0}}, from->size());
      for (id_t id : mine) {
        pool& p = ids_.find(id)->pool;
        p.begin_rows(coming[&p] += from->size());
        if (group.toggled) p.reserve_off(row_index{p.size() + coming[&p] - 1});
      }
      for (entity_t e : from->entities())
        loose_.reserve(entities_.at_index(index_of(e)).loose,
                       static_cast<std::uint32_t>(mine.size()), lists);
      journeys.push_back({from, &to});
    }
  }
  loose_.reserve(lists);

  group.where = id_group::place::pools;
  ++version_;
  ++placements_;
  for (const journey& j : journeys) {
    for (id_t id : j.from->ids())
      if (group_key(id) == group.key) column_to_pool(*j.from, *ids_.find(id));
    carry_rows(*j.from, *j.to);
    j.from->forget_rows();
    tables_.erase(*j.from);
  }
  for (table* t : empty) tables_.erase(*t);
  ++group.version;
  group.check_at_version = group.version + std::max<std::size_t>(min_rows, group.pool_rows);
}

// Moves the values of one id, with all entities that have it, from a table to the pool of the id.
void store::column_to_pool(table& from, id_record& record) {
  const row_index row = record.pool.begin_rows(from.size());
  if (const column* c = from.find_column(record.id))
    record.pool.take_values(row, c->slot(row_index{std::size_t{0}}), from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const entity_t e = from.entities()[i];
    loose_.insert(entities_.at_index(index_of(e)).loose, record.id, record.pool.size());
    if (from.is_off(record.id, row_index{i})) record.pool.set_off(row_index{row.value + i}, true);
    record.pool.commit_row(e);
  }
  record.group->pool_rows += from.size();
}

void store::to_tables(id_group& group) {
  KITH_ASSERT(group.where == id_group::place::pools, "the group is in tables already");
  struct journey {
    entity_t entity;
    table* to;
  };
  // The ids of the group that an entity has.
  const auto ids_of = [&](const entity_record& r) {
    return is_pair(group.key) ? loose_.pairs_of(r.loose, relation_of(group.key))
                              : std::span<const id_t>(&group.key, 1);
  };
  const std::vector<id_record*> records = records_of(group);
  std::vector<journey> journeys;
  hash_map<table*, std::size_t> coming;
  for (const id_record* record : records) {
    for (entity_t e : record->pool.entities()) {
      const entity_record& r = entities_.at_index(index_of(e));
      const std::span<const id_t> mine = ids_of(r);
      // An entity that is in several pools of the group is listed in each of them.
      if (mine.front() != record->id) continue;
      std::vector<id_t> ids(table_of(r).ids().size() + mine.size());
      std::ranges::merge(table_of(r).ids(), mine, ids.begin());
      table& to = tables_.find_or_create(std::move(ids));
      const row_index row{to.size() + coming[&to]};
      to.begin_rows(++coming[&to]);
      to.reserve_toggles(row, table_of(r), r.row, 1);
      for (id_t id : mine)
        if (is_off(r, id)) to.reserve_off(id, row);
      journeys.push_back({e, &to});
    }
  }

  group.where = id_group::place::tables;
  ++version_;
  ++placements_;
  for (const journey& j : journeys) {
    entity_record& r = entities_.at_index(index_of(j.entity));
    const row_index row = j.to->begin_row();
    for (id_t id : j.to->ids()) {
      if (group_key(id) != group.key) continue;
      const pool& p = ids_.find(id)->pool;
      const row_index from{*loose_.find(r.loose, id)};
      if (const column* c = j.to->find_column(id))
        relocate_one(*c->type, c->slot(row), p.slot(from));
      if (p.is_off(from)) j.to->set_off(id, row, true);
      loose_.erase(r.loose, id);
    }
    move_row(j.entity, r, *j.to, row);
  }
  for (id_record* record : records) record->pool.forget_rows();
  group.pool_rows = 0;
  group.wide_cost = 0;
  while (group.check_at_uses <= group.table_uses) group.check_at_uses *= 2;
}

}  // namespace kith::core
