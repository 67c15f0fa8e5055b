// The one access to storage for readers: which entities have an id, and which rows of a table have
// it.
//
// An id is kept in tables or in a pool (store.hpp). Callers of this file do not ask which. The
// entities that have an id come as runs; a run is a number of rows that lie side by side:
//
//   Position     [e1 e2 e3] in a table     [e5 e6] in another table     [e7 e8 e9] in no table
//
// If a third kind of storage is added, this file and the store change, and no reader.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/store.hpp"

namespace kith::core {

struct run {
  std::span<const entity_t> entities;
  // The table that has the entities in its rows from `first` on; null if they may be in several
  // tables.
  const table* in = nullptr;
  // The pool that has the entities in its rows from `first` on; null if it is not a run of a pool.
  const pool* of = nullptr;
  row_index first{std::size_t{0}};
};

// The runs of one id, or of all entities.
class runs {
 public:
  runs() = default;
  explicit runs(const id_record& record) : record_(&record) {}
  explicit runs(const store& all) : tables_(&all.tables()) {}

  // Returns false if there are no more runs. A run may be empty. Prefetches the tables of later
  // runs.
  bool next(run& r) {
    if (!record_) return tables_ && next_table(r);
    if (at_ < record_->tables.size()) {
      expect(record_->tables);
      const table& t = *record_->tables[at_++];
      r = {t.entities(), &t};
      return true;
    }
    if (at_++ > record_->tables.size() || !record_->pool.size()) return false;
    r = {record_->pool.entities(), nullptr, &record_->pool};
    return true;
  }

 private:
  // The first call prefetches the first few tables at once.
  void expect(const std::vector<table*>& tables) const {
    const std::size_t later = at_ + table::fetch_table, soon = at_ + table::fetch_ids;
    for (std::size_t i = at_ ? later : 0; i <= later && i < tables.size(); ++i)
      tables[i]->prefetch();
    for (std::size_t i = at_ ? soon : 0; i <= soon && i < tables.size(); ++i)
      tables[i]->prefetch_entities();
  }
  bool next_table(run& r) {
    for (; at_ < tables_->limit(); ++at_)
      if (const table* t = tables_->find_at(at_)) {
        r = {t->entities(), t};
        ++at_;
        return true;
      }
    return false;
  }

  const id_record* record_ = nullptr;
  const table_graph* tables_ = nullptr;
  std::size_t at_ = 0;
};

// Which rows of a table own an id and have it on.
enum class presence : std::uint8_t { none, all, some };

inline presence presence_in(const table& t, const id_record& record) {
  if (record.in_pool()) return record.pool.size() ? presence::some : presence::none;
  if (!t.has(record.id)) return presence::none;
  return record.group->toggled ? presence::some : presence::all;
}

// May rows of one table differ in the ids of this group that they own?
inline bool differs_within_tables(const id_group& group) {
  return group.where == id_group::place::pools;
}
// Do rows of one table always agree on the ids of this group that they own and have on?
inline bool is_decided_by_tables(const id_group& group) {
  return !group.toggled && !differs_within_tables(group);
}

// Can an entity have the id? Does not look at rows, so it may say yes where no entity has it.
inline bool may_have_owners(const id_record& record) {
  return !record.tables.empty() || record.pool.size();
}

// An entity that has the id, or 0.
entity_t first_owner(const id_record& record);

// The place of the value of the first row, if the values of all rows of the run lie side by side;
// else null.
located_value values_of(const store& s, const run& r, id_t id);

// Roughly how many entities have an id, or a pair of the relation of (R, Wildcard). Looks at a
// sample.
double count_roughly(const store& s, id_t pattern);

// Appends the entities that have a pair of the relation, each once, by a pass through all tables.
// Returns false, and appends nothing, where a pass through the tables of each pair is shorter.
bool list_owners_of_any(const store& s, std::uint32_t relation, std::vector<entity_t>& out);

}  // namespace kith::core
