// What is known of an id that an entity has, or had: its type and where it is kept.
//
// The id index is the inverted index of the storage: from an id to the tables or the pool that hold
// it, from a relation to all its pairs, and from a target to all pairs that point at it.
//
//   (Likes, bob)  --relation Likes-->  (Likes, tom)     both lists link the records themselves
//        |
//        target bob
//        v
//   (ChildOf, bob)
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/make_room.hpp"
#include "base/object_pool.hpp"
#include "storage/pool.hpp"

namespace kith::core {

class table;

// Where the ids of one group are kept. A group is one plain id, or all pairs of one relation: its
// ids move between tables and pools together.
struct id_group {
  enum class place : std::uint8_t { tables, pools };

  id_t key = 0;  // the plain id, or the pair of the relation with index 0
  place where = place::tables;
  bool pinned = false;           // the store may not move the group
  bool fixed = false;            // values in pools keep their addresses
  bool toggled = false;          // an id of the group is, or was, off on some entity
  std::uint32_t ids = 0;         // how many ids of the group have a record
  std::uint32_t table_uses = 0;  // the sum, over all tables, of the ids of the group they have
  std::uint32_t pool_rows = 0;   // rows in all pools of the group
  std::uint64_t version = 1;     // grows when rows come, go or are switched, while in pools
  // The store checks whether the group is in the right place when table_uses, or version, reaches
  // this.
  std::uint32_t check_at_uses = 64;
  std::uint64_t check_at_version = 4096;
  // The sum of the widths of all wide tables that were made to give an entity an id of the group.
  std::uint64_t wide_cost = 0;

  // Why the group is where it is, and what the store had counted when it decided that.
  enum class reason : std::uint8_t { start, pinned, thin_tables, wide_tables, full_tables };
  reason why = reason::start;
  std::uint32_t moves = 0;  // how often the store has moved the group
  std::uint64_t rows_then = 0;
  std::uint64_t tables_then = 0;
};

struct id_record {
  id_t id;
  id_group* group;
  std::vector<table*> tables;  // that have the id; table::positions() has the positions in here
  class pool pool;

  // For pairs: the neighbours in the list of the relation and in the list of the target.
  id_record* next_of_relation = nullptr;
  id_record* previous_of_relation = nullptr;
  id_record* next_of_target = nullptr;
  id_record* previous_of_target = nullptr;

  id_record(id_t i, const type_info* type, id_group* g) : id(i), group(g), pool(type) {}

  // Null if the id has no data.
  const type_info* type() const { return pool.type(); }

  bool in_pool() const { return group->where == id_group::place::pools; }
};

// A set of records: by their ids, or the heads of lists by the relation or target of their ids.
// There can be one record per target, so the set is kept small: a pointer and a hash for each
// record, and little room to spare.
template <class Key, Key (*key_of)(id_t)>
class record_set {
 public:
  record_set() { records_.max_load_factor(0.8f); }
  id_record* find(Key key) const {
    const auto found = records_.find(key);
    return found == records_.end() ? nullptr : *found;
  }
  // After this, put() of a record with a new key takes no memory.
  void make_room() { core::make_room(records_); }
  // Inserts `record`. If there is a record with the same key, replaces and returns it; this takes
  // no memory.
  id_record* put(id_record& record) {
    const auto [there, is_new] = records_.insert(&record);
    return is_new ? nullptr : std::exchange(const_cast<id_record*&>(*there), &record);
  }
  void erase(Key key) { records_.erase(key); }
  auto begin() const { return records_.begin(); }
  auto end() const { return records_.end(); }
  std::size_t size() const { return records_.size(); }

 private:
  struct hash {
    std::size_t operator()(Key key) const { return mix(key); }
    std::size_t operator()(const id_record* r) const { return mix(key_of(r->id)); }
  };
  struct equal {
    using is_transparent = void;
    bool operator()(const id_record* a, const id_record* b) const {
      return key_of(a->id) == key_of(b->id);
    }
    bool operator()(const id_record* r, Key key) const { return key_of(r->id) == key; }
    bool operator()(Key key, const id_record* r) const { return key_of(r->id) == key; }
  };
  hash_set<id_record*, hash, equal, true> records_;
};

class id_index {
 public:
  id_index() = default;
  id_index(const id_index&) = delete;
  id_index& operator=(const id_index&) = delete;
  ~id_index();

  id_record* find(id_t id) const { return records_.find(id); }
  // The same for code that changes the world: remembers the record that was asked for last.
  id_record* recall(id_t id) {
    if (last_ && last_->id == id) return last_;
    id_record* const found = find(id);
    if (found) last_ = found;
    return found;
  }
  // The record, if it was asked for last and its id is kept in its pool; else null.
  id_record* last_pool(id_t id) {
    return last_ && last_->id == id && last_->in_pool() ? last_ : nullptr;
  }
  // Requires: `id` has no record. If memory ends, no list has the record.
  id_record& insert(id_t id, const type_info* type);
  // Requires: no table and no row of the pool has the id. Takes no memory.
  void erase(id_record& record);

  // The first pair of a relation, or with a target; next_of_* lead to the others. Null if there is
  // none.
  id_record* first_of_relation(std::uint32_t relation) const { return relations_.find(relation); }
  id_record* first_of_target(std::uint32_t target) const { return targets_.find(target); }

  // Visit the pairs of a relation, or those with a target. The visitor may erase what it visits.
  template <class Visit>
  void each_of_relation(std::uint32_t relation, Visit visit) const {
    each_of(first_of_relation(relation), &id_record::next_of_relation, visit);
  }
  template <class Visit>
  void each_of_target(std::uint32_t target, Visit visit) const {
    each_of(first_of_target(target), &id_record::next_of_target, visit);
  }
  // Visits all ids made of an entity, each once.
  template <class Visit>
  void each_made_of(entity_t e, Visit visit) const {
    const std::uint32_t index = index_of(e);
    if (id_record* const record = find(e)) visit(*record);
    each_of_relation(index, visit);
    each_of_target(index, [&](id_record& r) {
      if (relation_of(r.id) != index) visit(r);
    });
  }

  // Changes whenever a relation gets its first pair or loses its last one.
  std::uint64_t relations_version() const { return relations_version_; }

  // Makes the group if it does not exist.
  id_group& group_of(id_t id);
  // Null if there is no such group.
  id_group* find_group(id_t id) const;
  void erase_group(id_t key) { groups_.erase(key); }
  // Takes a group, whose ids have no records, out of the index; null if there is none. The second
  // call, which takes no memory, puts it back where there is no group.
  std::unique_ptr<id_group> take_group(id_t key);
  void put_group(std::unique_ptr<id_group> group);

  // Visits all records. The visitor may not insert or erase.
  template <class Visit>
  void each(Visit visit) const {
    for (id_record* record : records_) visit(*record);
  }
  std::size_t size() const { return records_.size(); }

 private:
  template <class Visit>
  static void each_of(id_record* r, id_record* id_record::*next, Visit& visit) {
    while (r) visit(*std::exchange(r, r->*next));
  }

  object_pool<id_record> memory_;
  static constexpr id_t id_itself(id_t id) { return id; }
  record_set<id_t, id_itself> records_;
  id_record* last_ = nullptr;
  hash_map<id_t, std::unique_ptr<id_group>> groups_;
  record_set<std::uint32_t, relation_of> relations_;
  std::uint64_t relations_version_ = 1;
  record_set<std::uint32_t, target_of> targets_;
};

}  // namespace kith::core
