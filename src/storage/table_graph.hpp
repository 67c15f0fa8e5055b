// All tables of a world, found by their ids or along edges: an edge leads from a table to the table
// that has one id more, or one id less.
//
//   [] --Position--> [Position] --Npc--> [Position, Npc]
//
// Invariants
//  (1) no two tables have the same ids;
//  (2) an edge exists in both directions or not at all;
//  (3) every table is listed in the record of each of its ids.
#pragma once

#include <span>
#include <vector>

#include "base/hash_map.hpp"
#include "base/object_pool.hpp"
#include "storage/id_record.hpp"
#include "storage/table.hpp"

namespace kith::core {

class table_graph {
 public:
  explicit table_graph(id_index& ids);
  table_graph(const table_graph&) = delete;
  table_graph& operator=(const table_graph&) = delete;
  ~table_graph();

  // The table without ids. It lives as long as the graph.
  table& root() { return *tables_[0]; }
  table& at(table_id id) { return *tables_[id.value]; }
  const table& at(table_id id) const { return *tables_[id.value]; }

  // The table with this number, or null. Numbers are less than limit().
  const table* find_at(std::size_t number) const {
    return number < tables_.size() ? tables_[number] : nullptr;
  }
  std::size_t limit() const { return tables_.size(); }

  // Makes the table if it does not exist; if memory ends, no list has it. Requires: `ids` is
  // ascending without repeats, and each id has a record.
  table& find_or_create(std::vector<id_t> ids);
  // Null if there is no such table.
  table* find(std::span<const id_t> ids) const;

  // Requires: with(): `from` lacks the id; without(): `from` has it.
  table& with(table& from, id_t id);
  table& without(table& from, id_t id);

  // Requires: `t` has no rows and is not the root. Takes no memory.
  void erase(table& t);

  std::size_t size() const { return by_ids_.size(); }
  // How many tables were erased so far. After an erasure a table_id may name another table.
  std::uint64_t erasures() const { return erasures_; }
  // The tables that were made since the last erasure, in that order.
  std::span<table* const> made_since_erasure() const { return made_; }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (const table* later = find_at(i + table::fetch_table)) later->prefetch();
      if (const table* soon = find_at(i + table::fetch_ids)) {
        soon->prefetch_ids();
        soon->prefetch_entities();
      }
      if (tables_[i]) visit(*tables_[i]);
    }
  }

 private:
  static std::uint64_t hash_of(std::span<const id_t> ids);
  table& create(std::vector<id_t> ids, std::uint64_t hash);
  void connect(table& smaller, table& larger, id_t id);

  id_index& ids_;
  object_pool<table> memory_;
  std::vector<table*> tables_;       // by table_id; null where a table was erased
  std::vector<std::uint32_t> free_;  // erased numbers; has room for all, so that erase cannot fail
  std::uint64_t erasures_ = 0;
  std::vector<table*> made_;  // since the last erasure
  // Tables by the hash of their ids; tables with equal hashes share an entry.
  hash_map<std::uint64_t, std::vector<table*>> by_ids_;
};

}  // namespace kith::core
