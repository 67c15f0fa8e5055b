// Where a group of ids is better off, and how it gets there.
//
// Tables pay for ids that many entities of the same kind share: their rows are contiguous and a table
// answers for all of them. Pools pay for relations with many targets, which would cut the rows into
// slivers. The store looks only when a table is about to be made or when a group has doubled, so the
// ordinary change of an entity pays nothing for it.
#include <algorithm>

#include "base/assert.hpp"
#include "storage/store.hpp"

namespace kith::core {

namespace {

// A table holds at most this many targets of one unpinned relation, and this many ids, before more
// of them go to pools: each further one would make a table that few entities ever share.
constexpr std::size_t max_targets_in_table = 8;
constexpr std::size_t max_ids_in_table = 64;
// A group with this many rows for each id of a wide table stays in tables. So the work of passing
// through ever wider tables is never more than a part of the work of adding what is in them.
constexpr std::size_t rows_per_id = 16;
// Tables with fewer rows than this on average are slivers; with more than that they pay. The gap
// between the two keeps a group from going to and fro.
constexpr std::size_t sliver_rows = 16;
constexpr std::size_t paying_rows = 256;

}  // namespace

std::vector<id_record*> store::records_of(const id_group& group) const {
  std::vector<id_record*> records;
  if (is_pair(group.key)) {
    for (id_record* r = ids_.first_of_relation(relation_of(group.key)); r; r = r->next_of_relation)
      records.push_back(r);
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
}

// Is a table of so many ids too wide to get one more of a group that has few rows?
bool store::is_too_wide(std::size_t ids, const id_group& group, std::size_t coming_rows) const {
  if (ids < max_ids_in_table) return false;
  const std::size_t enough = ids * rows_per_id;
  std::size_t rows = coming_rows;
  if (!is_pair(group.key)) {
    if (const id_record* r = ids_.find(group.key)) rows += count(*r);
    return rows < enough;
  }
  const id_record* r = ids_.first_of_relation(relation_of(group.key));
  for (; r && rows < enough; r = r->next_of_relation) rows += count(*r);
  return rows < enough;
}

// Called before `record` is added to an entity of `from`, which would need another table.
void store::prefer_pools(const table& from, id_record& record) {
  if (record.group->pinned) return;
  const bool pair = is_pair(record.id);
  prefer_pools({from.ids().size(), pair ? from.pairs_of(relation_of(record.id)).count : 0}, record);
}

void store::prefer_pools(const table_shape& from, id_record& record) {
  id_group& group = *record.group;
  if (group.pinned) return;
  if (from.targets >= max_targets_in_table || is_too_wide(from.ids, group)) return to_pools(group);
  if (!is_pair(record.id) || group.table_uses < group.check_at_uses) return;

  std::size_t rows = 0;
  for (const id_record* r : records_of(group)) rows += count(*r);
  group.check_at_uses = group.table_uses * 2;
  if (rows < group.table_uses * sliver_rows) to_pools(group);
}

// Called before an entity gets many ids at once.
void store::prefer_pools_for_all(const entity_record& r, std::span<const new_id> ids) {
  // How many pairs of each relation come. A few more in one table hardly matter.
  hash_map<std::uint32_t, std::size_t> coming;
  const bool many = ids.size() > max_targets_in_table;
  std::size_t width = table_of(r).ids().size();
  for (const new_id& n : ids) {
    id_record& record = record_of(n.id);
    if (record.in_pool()) continue;
    table_shape shape{width, 0};
    if (is_pair(n.id)) {
      const std::uint32_t relation = relation_of(n.id);
      shape.targets = table_of(r).pairs_of(relation).count;
      if (many) shape.targets += coming[relation]++;
    }
    prefer_pools(shape, record);
    if (!record.in_pool()) ++width;
  }
}

// Called before `count` entities are made that have all of `ids`.
void store::prefer_pools_for_all(std::size_t count, std::span<const bulk_id> ids) {
  std::size_t width = 0;
  for (const bulk_id& b : ids) {
    id_group& group = *record_of(b.id).group;
    if (group.where == id_group::place::pools) continue;
    if (!group.pinned && is_too_wide(width, group, count))
      to_pools(group);
    else
      ++width;
  }
}

// Called when the pools of a group have doubled.
void store::prefer_tables(id_group& group) {
  group.check_at_rows = group.pool_rows * 2;
  const std::size_t max_tables = group.pool_rows / paying_rows;
  if (group.pinned || group.ids > max_tables) return;

  // The tables it would take: one for each combination of a table and the ids of the group.
  hash_map<std::uint64_t, bool> combinations;
  for (const id_record* record : records_of(group)) {
    for (entity_t e : record->pool.entities()) {
      const entity_record& r = entities_.at_index(index_of(e));
      if (table_of(r).ids().size() >= max_ids_in_table) return;
      std::uint64_t combination = mix(r.table.value + 1);
      if (is_pair(group.key)) {
        const auto pairs = loose_.pairs_of(r.loose, relation_of(group.key));
        if (pairs.size() > max_targets_in_table) return;
        for (id_t id : pairs) combination ^= mix(id);
      }
      combinations[combination] = true;
      if (combinations.size() > max_tables) return;
    }
  }
  to_tables(group);
}

void store::to_pools(id_group& group) {
  KITH_ASSERT(group.where == id_group::place::tables, "the group is in pools already");
  group.where = id_group::place::pools;
  ++version_;
  ++placements_;
  const std::vector<id_record*> records = records_of(group);
  std::vector<id_t> left;
  for (id_record* first : records) {
    while (!first->tables.empty()) {
      table& from = *first->tables.back();
      left.clear();
      for (id_t id : from.ids()) {
        if (id_index::group_key(id) != group.key) {
          left.push_back(id);
          continue;
        }
        // Carries one column over to the pool of its id.
        if (!from.size()) continue;
        id_record& record = *ids_.find(id);
        const row_index row = record.pool.begin_rows(from.size());
        if (const column* c = from.find_column(id))
          relocate(*c->type, record.pool.slot(row), c->slot(row_index{std::size_t{0}}),
                   from.size());
        for (std::size_t i = 0; i < from.size(); ++i) {
          const entity_t e = from.entities()[i];
          loose_.insert(entities_.at_index(index_of(e)).loose, id, record.pool.size());
          if (from.is_off(id, row_index{i})) record.pool.set_off(row_index{row.value + i}, true);
          record.pool.commit_row(e);
        }
        group.pool_rows += from.size();
      }
      if (from.size()) carry_rows(from, tables_.find_or_create(left));
      from.forget_rows();
      tables_.erase(from);
    }
  }
  ++group.version;
  while (group.check_at_rows <= group.pool_rows) group.check_at_rows *= 2;
}

void store::to_tables(id_group& group) {
  KITH_ASSERT(group.where == id_group::place::pools, "the group is in tables already");
  group.where = id_group::place::tables;
  ++version_;
  ++placements_;
  const std::vector<id_record*> records = records_of(group);
  std::vector<id_t> mine;
  for (id_record* first : records) {
    for (std::size_t i = 0; i < first->pool.size(); ++i) {
      const entity_t e = first->pool.entities()[i];
      entity_record& r = entities_.at_index(index_of(e));
      // An entity that is in several pools went with the first one.
      if (!loose_.find(r.loose, first->id)) continue;
      mine.assign(1, first->id);
      if (is_pair(group.key)) {
        const auto pairs = loose_.pairs_of(r.loose, relation_of(group.key));
        mine.assign(pairs.begin(), pairs.end());
      }
      std::vector<id_t> ids(table_of(r).ids().size() + mine.size());
      std::ranges::merge(table_of(r).ids(), mine, ids.begin());
      table& to = tables_.find_or_create(std::move(ids));
      const row_index row = to.begin_row();
      for (id_t id : mine) {
        id_record& record = *ids_.find(id);
        const row_index from{*loose_.find(r.loose, id)};
        if (const column* c = to.find_column(id))
          relocate(*c->type, c->slot(row), record.pool.slot(from), 1);
        if (record.pool.is_off(from)) to.set_off(id, row, true);
        loose_.erase(r.loose, id);
      }
      move_row(e, r, to, row);
    }
  }
  for (id_record* record : records) record->pool.forget_rows();
  group.pool_rows = 0;
  while (group.check_at_uses <= group.table_uses) group.check_at_uses *= 2;
}

}  // namespace kith::core
