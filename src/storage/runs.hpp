// The one access to storage: which entities have an id, and whether the rows of a table have it.
//
// An id is kept in tables or in a pool (store.hpp). Callers of this file do not ask which. The entities
// that have an id come as runs, each a number of rows that lie side by side:
//
//   Position     [e1 e2 e3] in a table     [e5 e6] in another table     [e7 e8 e9] in no table
//
// A storage that is added later changes this file and the store, and nothing else that reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/store.hpp"

namespace kith::core {

struct run {
  std::span<const entity_t> entities;
  // The table whose rows they are, from `first` on; null: the entities may be in different tables.
  const table* in = nullptr;
  // The pool whose rows they are, from `first` on.
  const pool* of = nullptr;
  row_index first{std::size_t{0}};
};

// The runs of one id, or of all entities.
class runs {
 public:
  runs() = default;
  explicit runs(const id_record& record) : record_(&record) {}
  explicit runs(const store& all) : tables_(&all.tables()) {}

  // False: there are no more. A run may be empty. Fetches ahead what comes a little later.
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
  // At the beginning the first few tables are fetched at once.
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

// Which rows of a table own an id that is on.
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
// The same, or in which of them are on?
inline bool is_decided_by_tables(const id_group& group) {
  return !group.toggled && !differs_within_tables(group);
}

// Does the id have places where entities with it could be? Finding out costs no look at them.
inline bool may_have_owners(const id_record& record) {
  return !record.tables.empty() || record.pool.size();
}

// An entity that has the id, or 0.
entity_t first_owner(const id_record& record);

// Where the values of an id are for all rows of a run, if they are side by side: the place of the first.
located_value values_of(const store& s, const run& r, id_t id);

// About how many entities have an id, or a pair of the relation of (R, Wildcard). Looks at a few places.
double count_roughly(const store& s, id_t pattern);

// Appends the entities that have some pair of a relation, each once, by one way through all tables.
// False, and nothing was appended, where that is not the shorter way.
bool list_owners_of_any(const store& s, std::uint32_t relation, std::vector<entity_t>& out);

}  // namespace kith::core
