// The storage of a world: entities, tables and pools, and the changes that keep them consistent.
//
// An id of an entity is either in the entity's table or in the id's pool. Which one is a matter of
// speed alone: every call below gives the same answer for both. The store moves groups of ids from
// one to the other when that pays (placement.cpp).
//
// Every change goes through the funnel of change.hpp: the calls below report to the sinks, and no
// other code writes to tables and pools. A call that throws, also because memory ended, has changed
// nothing.
//
// The store knows ids and values, not what they mean: no traits, no names. It does not check what a
// user could get wrong; the layers above do.
//
// Code of the user runs inside calls (constructors, destructors, copies). While it does, busy() is
// true and the store must not be changed, except that create() is allowed. A destructor of a value
// that leaves may read anything: it finds the store consistent. Moves, and destructors of
// moved-from values, run while rows move and must not look at values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/scope_exit.hpp"
#include "base/try_allocate.hpp"
#include "ids/entity_index.hpp"
#include "storage/change.hpp"
#include "storage/change_log.hpp"
#include "storage/component_types.hpp"
#include "storage/id_record.hpp"
#include "storage/leaving_values.hpp"
#include "storage/loose_ids.hpp"
#include "storage/off_ids.hpp"
#include "storage/table_graph.hpp"

namespace kith::core {

class store {
 public:
  // Marks the time in which code of the user may run.
  class user_code {
   public:
    explicit user_code(store& s) : store_(s) { ++store_.busy_; }
    user_code(const user_code&) = delete;
    user_code& operator=(const user_code&) = delete;
    ~user_code() { --store_.busy_; }

   private:
    store& store_;
  };

  // --- entities ---
  entity_t create();
  // Creates an entity with `ids`, each once, directly in its table. Returns 0 and does nothing
  // unless the edges to that table are known, the table has room, and there is no sink.
  entity_t create_in_place(std::span<const new_id> ids);
  // Creates entities that have all of `ids`, each once. If a constructor throws, nothing was
  // created.
  void create_many(std::size_t count, std::span<const bulk_id> ids, std::vector<entity_t>& created);
  // Returns false if the id is impossible or another generation lives at its index.
  bool make_alive(entity_t e);
  // Removes all ids of `e` and ends its life. Requires: `e` is alive; no id is made of `e`.
  void destroy(entity_t e);
  // Does a sink want to see a change of one of the ids, or that entities begin?
  template <class New>
  bool sees_new(std::span<const New> ids) {
    if (knows_first_)
      for (const New& n : ids) know(n.id);
    return sinks_.any_sees() && (sinks_.seeing(0) || std::ranges::any_of(ids, [&](const New& n) {
                                   return sinks_.seeing(n.id) != 0;
                                 }));
  }
  // The sink wants the deltas of all ids whose values have this type, also of those to come.
  void want_type(change_sinks::mask bit, const type_info& type);
  // Does a sink want to see what the end of the entity takes?
  bool sees_end(const entity_record& r) const { return sinks_.any_sees() && any_seen(r); }
  // The same for many entities, and all ids of these records.
  bool sees_end(std::span<const entity_t> doomed, std::span<id_record* const> uses) const {
    return sinks_.any_sees() && (any_seen(uses) || std::ranges::any_of(doomed, [&](entity_t e) {
                                   return any_seen(entities_.at_index(index_of(e)));
                                 }));
  }
  // After this, the entity gains or loses the id without taking memory, but for its value.
  void reserve_change(entity_record& r, id_t id, bool comes);
  // After this, destroy() cannot fail, unless a sink sees it.
  void reserve_end(const entity_record& r) {
    if (r.loose || table_of(r).runs_user_code()) tables_.root().begin_row();
  }

  // --- one id of one entity ---
  bool owns(const entity_record& r, id_t id) const {
    // Pairs are mostly loose, so the list of loose ids comes first.
    if (is_pair(id) && loose_.find(r.loose, id)) return true;
    return table_of(r).has(id) || (!is_pair(id) && loose_.find(r.loose, id));
  }
  // The place of the value; null if the entity does not own the id or the id has no data.
  located_value find_value(const entity_record& r, id_t id) const {
    if (const column* c = table_of(r).find_column(id)) return {c->type, c->slot(r.row), &c->writes};
    return r.loose ? find_loose_value(r, id) : located_value();
  }
  // Fast answers. They are `unknown` (or empty) if the entity has more than one loose id or many
  // table ids, or if any id in the store is, or was, off. These inline to leaf code. Call them
  // first and keep the slow path out of line, so that the fast path spills no registers.
  enum class answer : std::uint8_t { no, yes, unknown };
  answer owns_at_once(const entity_record& r, id_t id) const {
    if (toggles_used_ || !loose_ids::is_one_at_most(r.loose)) return answer::unknown;
    if (r.loose) {
      const id_t only = loose_.only(r.loose);
      if (only == id) return answer::yes;
      // All pairs of a relation are kept in the same place.
      if (is_pair(id) && only >> 32 == id >> 32) return answer::no;
    }
    const table& t = table_of(r);
    if (!t.is_narrow()) return answer::unknown;
    return t.has(id) ? answer::yes : answer::no;
  }
  std::optional<std::span<const id_t>> pairs_at_once(const entity_record& r,
                                                     std::uint32_t relation) const {
    if (toggles_used_ || !loose_ids::is_one_at_most(r.loose)) return std::nullopt;
    if (r.loose)
      if (auto pairs = loose_.pairs_of(r.loose, relation); !pairs.empty()) return pairs;
    const table& t = table_of(r);
    if (!t.is_narrow()) return std::nullopt;
    return t.ids_in(t.pairs_of(relation));
  }
  // Null also if the value is in a pool, or the table has many columns.
  const column* find_column_at_once(const entity_record& r, id_t id) const {
    return toggles_used_ ? nullptr : table_of(r).find_among_few(id);
  }
  // Adds an id that the entity does not own. If this throws, nothing has changed. Returns the slot
  // of the value, or null if the id has no data.
  void* add(entity_t e, id_t id, const value_source& source = {});
  // Requires: the entity owns the id.
  void remove(entity_t e, id_t id) { take(e, *entities_.find(e), id); }
  // give() adds the id unless the entity owns it; take() removes it if the entity owns it. Both
  // return whether they changed something.
  bool give(entity_t e, entity_record& r, id_t id, const value_source& source);
  bool take(entity_t e, entity_record& r, id_t id);
  // Adds `id` in place of `old`, which is of the same group.
  void exchange(entity_t e, id_t old, id_t id, const value_source& source = {});
  // Writes the value of an id that the entity owns; `now` is its place. Requires: source.assign.
  void assign(const located_value& now, entity_t e, id_t id, const value_source& source);
  // The same as through a reference: no sink sees it.
  void write(const located_value& now, entity_t e, id_t id, const value_source& source);
  // The same for a value in a table.
  void assign(const column& c, row_index row, entity_t e, const value_source& source) {
    assign({c.type, c.slot(row), &c.writes}, e, c.id, source);
  }
  bool is_off(const entity_record& r, id_t id) const {
    return toggles_used_ && is_toggled_off(r, id);
  }
  // Is a pair of this relation, or was one, off on some entity?
  bool was_toggled(std::uint32_t relation) const {
    if (!toggles_used_) return false;
    const id_group* group = ids_.find_group(make_pair_of(relation, 0));
    return group && group->toggled;
  }
  // Is any id, or was one, off on some entity?
  bool toggles_used() const { return toggles_used_; }
  void set_off(const entity_record& r, id_t id, bool off);
  // The ids of an entity that are off; the pairs of a relation among them. Both ascending.
  // Invalidated by any change.
  std::span<const id_t> off_ids_of(const entity_record& r) const {
    return may_be_off(r) ? off_.of(index_of(entity_of(r))) : std::span<const id_t>();
  }
  std::span<const id_t> off_pairs_of(const entity_record& r, std::uint32_t relation) const {
    return may_be_off(r) && was_toggled(relation) ? off_.pairs_of(index_of(entity_of(r)), relation)
                                                  : std::span<const id_t>();
  }

  // --- many ids at once ---
  // Carries out one change: all of it, or nothing if this throws. Each entity occurs once. Calls
  // `finish` after rows have moved and before sinks hear of the change and values end: the caller
  // makes the rest of its change there, which may not fail.
  void carry_out(std::span<const entity_change> changes, const std::function<void()>& finish = {});
  // Adds ids that the entity does not own, each once, without passing through tables between.
  void add_all(entity_t e, std::span<const new_id> ids);

  // All ids that an entity owns, ascending.
  std::vector<id_t> owned_ids(const entity_record& r) const;
  // Calls visit(id) for each of them, in no order. Takes no memory. The store may not change
  // meanwhile.
  template <class Visit>
  void each_owned(const entity_record& r, Visit visit) const {
    for (id_t id : table_of(r).ids()) visit(id);
    for (id_t id : loose_.ids(r.loose)) visit(id);
  }
  // The pairs of a relation that an entity owns, ascending. Invalidated by any change.
  std::span<const id_t> pairs_of(const entity_record& r, std::uint32_t relation) const {
    // All pairs of a relation are kept in the same place.
    if (r.loose)
      if (auto pairs = loose_.pairs_of(r.loose, relation); !pairs.empty()) return pairs;
    const table& t = table_of(r);
    return t.ids_in(t.pairs_of(relation));
  }

  // For loops that ask entities for their ids: call this for each entity, with the entities that
  // are left. It prefetches the tables and lists of entities that are a few places ahead, which may
  // be far apart in memory.
  [[gnu::always_inline]] void expect(std::span<const entity_t> next) const {
    if (next.size() > table::fetch_table) {
      const entity_record& r = entities_.at_index(index_of(next[table::fetch_table]));
      if (r.alive()) table_of(r).prefetch();
      loose_.prefetch(r.loose);
    }
    if (next.size() > table::fetch_ids) {
      const entity_record& r = entities_.at_index(index_of(next[table::fetch_ids]));
      if (r.alive()) table_of(r).prefetch_ids();
    }
  }

  // --- one id of all entities ---
  std::size_t count(const id_record& record) const;
  // Does an entity have the id?
  bool is_used(const id_record& record) const;
  // Calls visit(entity) for each entity that has the id. The store may not change meanwhile.
  template <class Visit>
  void each(const id_record& record, Visit visit) const {
    for (const table* t : record.tables)
      for (entity_t e : t->entities()) visit(e);
    for (entity_t e : record.pool.entities()) visit(e);
  }

  // Takes ids away from all entities. All or nothing. Calls `finish` when nothing can fail any more
  // and no value has ended.
  void take_from_all(std::span<id_record* const> records, const std::function<void()>& finish);

  // --- where ids are kept ---
  // The number of rows that all ids of a group have, but at most `enough`.
  std::size_t rows_of(const id_group& group, std::size_t enough = ~std::size_t{0}) const;
  // Moves a group of ids, with the values, to tables or to pools. All or nothing.
  void place(id_group& group, id_group::place where);
  // The values of the group that are in pools keep their addresses from now on. If this throws,
  // some pools do that already.
  void fix_addresses(id_group& group);

  // Destroys all values whose destructors are code of the user, before the world ends. The store
  // may not be used afterwards.
  void destroy_all_values();

  // The sinks of the funnel (change.hpp).
  change_sinks& sinks() const { return sinks_; }

  // Ends the entities of `doomed`, the last one first, takes the ids of `uses` away from all
  // entities, and forgets them: these are the ids made of `doomed`. All or nothing. Calls `finish`
  // when nothing can fail any more.
  void delete_all(std::span<const entity_t> doomed, std::span<id_record* const> uses,
                  const std::function<void()>& finish = {});
  // The records of all ids made of `e`, each once.
  std::vector<id_record*> records_made_of(entity_t e) const;
  // --- taking changes back and carrying them out again (store_undo.cpp) ---
  // For undo logs. Sinks do not see these changes, listeners hear of them. Each call happens
  // completely or, if memory ends, not at all. If the store was in the state that a call leads to,
  // the call takes memory only for tables, records and long lists of ids that were erased since.
  // Values move; none is constructed or destroyed.

  // Takes an id from an entity. The value goes into `value`; null: it ends, once all is done.
  void take_out(entity_t e, id_t id, slot_buffer* value);
  // Gives an id to an entity. `value` has the value; null: the id has none.
  void put_back(entity_t e, id_t id, slot_buffer* value, bool off);
  // Exchanges the value of an id with the one in `other`. `empty` has a slot for that type, and has
  // the old value afterwards.
  void exchange_value(entity_t e, id_t id, slot_buffer& other, slot_buffer& empty) noexcept;
  void switch_back(entity_t e, id_t id, bool off);
  // Entities, as in entity_index. Requires: the entity that goes has no ids.
  void take_back_begin(entity_t e, const entity_index::revival* how) noexcept;
  void begin_again(entity_t e, const entity_index::revival* how);
  void take_back_end(entity_t e);
  void end_again(entity_t e) noexcept;
  // What forget_groups_of() would forget of an entity.
  struct groups_of_one {
    std::unique_ptr<id_group> plain, pairs;
    const type_info* type = nullptr;
    bool pair_is_tag = false;
  };
  // Puts it aside, or back. Requires: no entity has an id made of `e`.
  void put_groups_aside(entity_t e, groups_of_one& aside) noexcept;
  void put_groups_back(entity_t e, groups_of_one& aside) noexcept;

  // Forgets all that is known of ids made of `e`. Returns false if an entity still has one.
  bool forget_if_unused(entity_t e) noexcept;
  // Forgets where ids made of `e` were kept, and its type. Requires: no id is made of `e`.
  void forget_groups_of(entity_t e) noexcept;
  // Forgets the ids made of `e` that no entity has. (The record of an id remembers its type.)
  void forget_unused_ids_of(entity_t e) noexcept;

  // Erases empty tables and forgets ids that no entity has. Returns how many tables were erased.
  std::size_t reclaim();

  // Changes whenever an entity gains, loses or switches an id, and whenever rows move.
  std::uint64_t version() const { return version_; }
  // To be called when the value of `id` of `e` was written through a reference, or is about to be.
  void note_write(const located_value& value, entity_t e, id_t id) {
    ++writes_;
    ++*value.writes;
    if (const change_sinks::mask to = sinks_.wanting_write(id))
      sinks_.hear(to, delta::kind::written, e, id);
  }
  // The same for many values that share one counter.
  void note_writes(std::uint64_t& counter, id_t id) {
    ++writes_;
    ++counter;
    if (const change_sinks::mask to = sinks_.wanting_write(id)) sinks_.hear_many(to, id);
  }
  // Changes whenever a value is written.
  std::uint64_t writes() const { return writes_; }
  // A writer reports its writes when it finishes, or earlier when a reader calls note_look().
  class writer {
   public:
    virtual void say_writes() = 0;

   protected:
    ~writer() = default;
  };
  void begin_writing(writer& w) { writers_.push_back(&w); }
  void end_writing(writer& w) { std::erase(writers_, &w); }
  // Makes all writers but one report their writes, because a reader is about to look at values.
  void note_look(const writer* but = nullptr) const {
    for (writer* w : writers_)
      if (w != but) w->say_writes();
  }
  // Logs of entities whose value of an id was gained or written.
  change_logs& value_logs() const { return values_; }
  // Logs of entities that gained, lost or switched ids of a group.
  change_logs& logs() const { return logs_; }
  // Changes whenever a group moves between tables and pools, or an id of it is off for the first
  // time.
  std::uint64_t placements() const { return placements_; }
  bool busy() const { return busy_ != 0; }

  entity_index& entities() { return entities_; }
  const entity_index& entities() const { return entities_; }
  component_types& types() { return types_; }
  const component_types& types() const { return types_; }
  id_index& ids() { return ids_; }
  const id_index& ids() const { return ids_; }
  table_graph& tables() { return tables_; }
  const table_graph& tables() const { return tables_; }
  loose_ids& loose() { return loose_; }
  const loose_ids& loose() const { return loose_; }

 private:
  // Makes the record if the id has none.
  id_record& record_of(id_t id);
  table& table_of(const entity_record& r) { return tables_.at(r.table); }
  const table& table_of(const entity_record& r) const { return tables_.at(r.table); }
  entity_t entity_of(const entity_record& r) const { return table_of(r).entities()[r.row.value]; }
  // Can an id of the entity be off? An index that is only promised has no row yet.
  bool may_be_off(const entity_record& r) const { return toggles_used_ && r.row; }

  located_value find_loose_value(const entity_record& r, id_t id) const;
  bool is_toggled_off(const entity_record& r, id_t id) const;
  void construct(const type_info& type, void* slot, const value_source& source);

  // One id (store.cpp).
  void* insert(entity_t e, id_t id, const value_source& source);
  bool give_to_pool(entity_t e, entity_record& r, id_record& record, const value_source& source);
  bool take_from_pool(entity_t e, entity_record& r, id_record& record);
  void* add_to_table(entity_t e, entity_record& r, table& to, id_t id, const value_source& source);
  void add_to_pool(entity_t e, entity_record& r, id_record& record, const value_source& source);
  // Takes a row, whose slot is empty, out of a pool.
  void close_pool_hole(id_record& record, row_index row);
  static bool ends_silently(const id_record& record) {
    return !record.type() || record.type()->ends_silently;
  }
  void leave_pool(id_record& record, row_index row, leaving_values& left);
  void remove_silently(entity_record& r, id_record& record, row_index row);
  void remove_from_pool(entity_t e, entity_record& r, id_record& record, row_index row);
  [[gnu::noinline]] void remove_told(entity_t e, entity_record& r, id_record& record,
                                     row_index row);
  bool take_listed(entity_t e, id_t id);
  [[gnu::noinline]] bool take_told(entity_t e, entity_record& r, table& to, id_t id);
  void assign_seen(change_sinks::mask to, const located_value& now, entity_t e, id_t id,
                   const value_source& source);
  // Moves the row of `e` to `row` of `to`, whose new columns are filled already. The values that
  // have no column there leave. Without `left` they must end silently.
  void move_row(entity_t e, entity_record& r, table& to, row_index row,
                leaving_values* left = nullptr);
  [[gnu::noinline]] void move_told(entity_t e, entity_record& r, table& to, row_index row,
                                   leaving_values* left);
  // The table that has all of `ids` more, if the edges to it are known and it has room; else null.
  static table* follow_edges(table& from, std::span<const new_id> ids);
  // Constructs the values of new ids. If one throws, destroys those before it.
  void fill_row(table& to, row_index row, std::span<const new_id> ids);
  static void destroy_filled(table& to, row_index row, std::span<const new_id> ids);
  void reserve_off(const entity_record& r, id_record& record);
  void switch_off(const entity_record& r, id_record& record, bool off);
  [[gnu::noinline]] void destroy_told(entity_t e, entity_record& r);
  void begin(entity_t e);
  void begin_seen(entity_t e);
  // Makes the record of an id before the first change of it, where a sink may want its type.
  void know(id_t id) {
    if (knows_first_) record_of(id);
  }
  // Ends an entity that has no ids any more.
  void end_row(entity_t e, entity_record& r);
  // The row of an entity without ids goes, or comes (store_undo.cpp).
  void leave_root(entity_t e) noexcept;
  void enter_root(entity_t e, row_index row) noexcept;

  // Changes of many entities (store_purge.cpp).
  class purge_run;
  void delete_listed(std::span<const entity_t> doomed, std::span<id_record* const> uses,
                     const std::function<void()>& finish);
  void tell_lost(std::span<const entity_t> entities, id_t id) noexcept;
  // Moves all rows of a table. Leaves the values that have no column in `to`, and the emptied rows,
  // to the caller. Requires: `to` has room.
  void carry_rows(table& from, table& to);
  // Takes the id away from all entities that have it in its pool.
  void empty_pool(id_record& record);
  void reclaim_if_many();

  // A change as a list of deltas (store_change.cpp).
  class change_run;
  void create_many_listed(std::size_t count, std::span<const bulk_id> ids,
                          std::vector<entity_t>& created);
  // Does a sink see the end of the entity?
  bool any_seen(const entity_record& r) const;
  bool any_seen(std::span<id_record* const> records) const;

  // An id that is lost is off no more.
  void forget_off(entity_t e, id_t id) {
    if (toggles_used_) off_.set(index_of(e), id, false);
  }
  // The same for all ids that a row loses when it moves.
  void forget_off(entity_t e, const table& from, const table& to);

  // Can the pool take one more row without moving values and without a check of its group?
  static bool has_quiet_room(const id_record& record) {
    return (record.pool.has_room() || !record.type()) &&
           record.group->version < record.group->check_at_version;
  }
  // Tells listeners.
  void tell(entity_t e, id_t id, delta::kind what) {
    if (const change_sinks::mask to = sinks_.wanting(id)) sinks_.hear(to, what, e, id);
  }
  void note_gain(entity_t e, id_t id) {
    ++version_;
    tell(e, id, delta::kind::gained);
  }
  void note_loss(entity_t e, id_t id) {
    ++version_;
    tell(e, id, delta::kind::lost);
  }

  void to_pools(id_group& group);
  void column_to_pool(table& from, id_record& record);
  void to_tables(id_group& group);
  bool is_too_wide(std::size_t ids, id_group& group, std::size_t coming_rows = 0) const;
  void prefer_pools(std::size_t width, id_record& record);
  static void note_move(id_group& group, id_group::reason why, std::size_t rows,
                        std::size_t tables);
  void prefer_pools(id_group& group, id_group::reason why);
  void prefer_pools_for_all(const entity_record& r, std::span<const new_id> ids);
  void prefer_pools_for_all(std::size_t count, std::span<const bulk_id> ids);
  void prefer_tables(id_group& group);
  // If memory ends, the group stays where it is.
  void prefer_tables_if_grown(id_group& group) noexcept {
    if (group.version >= group.check_at_version) try_allocate([&] { prefer_tables(group); });
  }
  std::vector<id_record*> records_of(const id_group& group) const;

  entity_index entities_;
  component_types types_;
  id_index ids_;
  table_graph tables_{ids_};
  loose_ids loose_;
  off_ids off_;
  int busy_ = 0;
  std::uint64_t version_ = 1;
  std::uint64_t placements_ = 0;
  std::uint64_t writes_ = 0;
  std::vector<writer*> writers_;
  // Readers of a const store may watch ids: that changes no fact.
  mutable change_sinks sinks_;
  mutable change_logs values_{entities_, sinks_, change_logs::about::values};
  mutable change_logs logs_{entities_, sinks_, change_logs::about::membership};
  bool toggles_used_ = false;  // an id is, or was, off on some entity
  // When there are this many tables, the store checks whether most are empty.
  static constexpr std::size_t min_reclaim = 1024;
  std::size_t reclaim_at_ = min_reclaim;
  bool knows_first_ = false;   // ids get their records before their first change
  bool keeps_tables_ = false;  // none may be reclaimed now
};

inline void store::add_to_pool(entity_t e, entity_record& r, id_record& record,
                               const value_source& source) {
  class pool& p = record.pool;
  const row_index row = p.begin_row();
  if (record.type()) construct(*record.type(), p.slot(row), source);
  scope_exit undo([&] {
    if (record.type()) core::destroy(*record.type(), p.slot(row), 1);
  });
  loose_.insert(r.loose, record.id, row.value);
  undo.dismiss();
  p.commit_row(e);
  ++record.group->pool_rows;
  ++record.group->version;
}

inline void store::close_pool_hole(id_record& record, row_index row) {
  if (entity_t moved = record.pool.close_hole(row))
    *loose_.find(entities_.at_index(index_of(moved)).loose, record.id) = row.value;
  --record.group->pool_rows;
  ++record.group->version;
}

}  // namespace kith::core
