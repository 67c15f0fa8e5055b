#include "storage/store.hpp"

#include <algorithm>
#include <optional>

#include "base/scope_exit.hpp"
#include "storage/leaving_values.hpp"

namespace kith::core {

// --- entities ------------------------------------------------------------------------------------

entity_t store::create() {
  table& root = tables_.root();
  const row_index row = root.begin_row();
  const entity_t e = entities_.create(root.id(), row);
  root.commit_row(e);
  begin(e);
  return e;
}

// Tells that an entity, which has its row already, begins. If a sink refuses, the entity is gone.
inline void store::begin(entity_t e) {
  if (sinks_.seeing(0)) begin_seen(e);
  ++version_;
  tell(e, 0, delta::kind::began);
}

void store::begin_seen(entity_t e) {
  scope_exit undo([&] { end_row(e, *entities_.find(e)); });
  const delta d{.entity = e, .what = delta::kind::began};
  // A sink may add another one, which then does not see this change.
  const change_sinks::mask to = sinks_.seeing(0);
  sinks_.before(to, {&d, 1});
  undo.dismiss();
  sinks_.after(to, {&d, 1});
}

entity_t store::create_in_place(std::span<const new_id> ids) {
  table* to = sees_new(ids) ? nullptr : follow_edges(tables_.root(), ids);
  if (!to) return 0;
  user_code running(*this);
  const row_index row = to->begin_row();
  fill_row(*to, row, ids);
  scope_exit undo([&] { to->destroy_row(row); });
  const entity_t e = entities_.create(to->id(), row);
  undo.dismiss();
  to->commit_row(e);
  ++version_;
  tell(e, 0, delta::kind::began);
  for (const new_id& n : ids) tell(e, n.id, delta::kind::gained);
  return e;
}

bool store::make_alive(entity_t e) {
  if (entities_.is_alive(e)) return true;
  table& root = tables_.root();
  const row_index row = root.begin_row();
  if (!entities_.make_alive(e)) return false;
  entity_record& r = entities_.at_index(index_of(e));
  r.table = root.id();
  r.row = row;
  root.commit_row(e);
  begin(e);
  return true;
}

void store::destroy(entity_t e) {
  entity_record& r = *entities_.find(e);
  if (sees_end(r)) {
    const std::vector<id_t> all = owned_ids(r);
    const entity_change end{.entity = e, .lost = all, .ends = true};
    return carry_out({&end, 1});
  }
  user_code running(*this);
  ++version_;
  const table& from = table_of(r);
  const bool is_short = loose_ids::is_one_at_most(r.loose) && !from.runs_user_code();
  // Entities that end together are mostly in the same pool, so recall() finds the record at once.
  id_record* const only = is_short && r.loose ? ids_.recall(loose_.only(r.loose)) : nullptr;
  if (!is_short || (only && !ends_silently(*only))) return destroy_told(e, r);
  if (only) remove_silently(r, *only, row_index{*loose_.find(r.loose, only->id)});
  if (toggles_used_) off_.forget(index_of(e));
  end_row(e, r);
  if (!sinks_.wanting_any()) return;
  for (id_t id : from.ids()) tell(e, id, delta::kind::lost);
  if (only) tell(e, only->id, delta::kind::lost);
  tell(e, 0, delta::kind::ended);
}

// The same for an entity in several pools, or with values whose destructors are code of the user. A
// destructor still finds the entity, without its ids.
void store::destroy_told(entity_t e, entity_record& r) {
  reserve_end(r);
  const table& from = table_of(r);
  leaving_values left;
  for (id_t id : loose_.ids(r.loose))
    leave_pool(*ids_.find(id), row_index{*loose_.find(r.loose, id)}, left);
  loose_ref loose = std::exchange(r.loose, loose_ref{});
  if (toggles_used_) off_.forget(index_of(e));
  if (from.runs_user_code() || left.any())
    move_row(e, r, tables_.root(), tables_.root().begin_row(), &left);
  if (sinks_.wanting_any()) {
    for (id_t id : from.ids()) tell(e, id, delta::kind::lost);
    for (id_t id : loose_.ids(loose)) tell(e, id, delta::kind::lost);
  }
  loose_.release(loose);
  left.end();
  end_row(e, r);
  tell(e, 0, delta::kind::ended);
}

void store::end_row(entity_t e, entity_record& r) {
  table& from = table_of(r);
  from.destroy_row(r.row);
  if (entity_t moved = from.close_hole(r.row)) entities_.at_index(index_of(moved)).row = r.row;
  entities_.destroy(e);
}

bool store::any_seen(const entity_record& r) const {
  const auto seen = [&](id_t id) { return sinks_.seeing(id) != 0; };
  return seen(0) || std::ranges::any_of(table_of(r).ids(), seen) ||
         std::ranges::any_of(loose_.ids(r.loose), seen);
}

// --- one id of one entity ------------------------------------------------------------------------

located_value store::find_loose_value(const entity_record& r, id_t id) const {
  const std::uint32_t* position = loose_.find(r.loose, id);
  if (!position) return {};
  const pool& p = ids_.find(id)->pool;
  return {p.type(), p.slot(row_index{*position}), &p.writes()};
}

void store::want_type(change_sinks::mask bit, const type_info& type) {
  type.wanted_by |= bit;
  knows_first_ = true;
  ids_.each([&](const id_record& r) {
    if (r.type() == &type) sinks_.want(bit, group_key(r.id));
  });
}

void store::construct(const type_info& type, void* slot, const value_source& source) {
  if (source.construct)
    source.construct(slot, source.context);
  else
    construct_default(type, slot);
}

// --- one id in a pool; give and take inline these ------------------------------------------------

// Takes a row out of a pool, and its value.
inline void store::leave_pool(id_record& record, row_index row, leaving_values& left) {
  if (!ends_silently(record)) left.take(*record.type(), record.pool.slot(row));
  close_pool_hole(record, row);
}

inline void store::remove_silently(entity_record& r, id_record& record, row_index row) {
  loose_.erase(r.loose, record.id);
  close_pool_hole(record, row);
}

inline void store::remove_from_pool(entity_t e, entity_record& r, id_record& record,
                                    row_index row) {
  if (toggles_used_ || !ends_silently(record)) return remove_told(e, r, record, row);
  remove_silently(r, record, row);
  note_loss(e, record.id);
}

// The same if an id was ever off, or if destroying the value takes work.
void store::remove_told(entity_t e, entity_record& r, id_record& record, row_index row) {
  leaving_values left;
  forget_off(e, record.id);
  loose_.erase(r.loose, record.id);
  leave_pool(record, row, left);
  note_loss(e, record.id);
}

inline bool store::give_to_pool(entity_t e, entity_record& r, id_record& record,
                                const value_source& source) {
  if (loose_.find(r.loose, record.id)) return false;
  if (sinks_.seeing(record.id) || !has_quiet_room(record)) {
    add(e, record.id, source);
    return true;
  }
  user_code running(*this);
  add_to_pool(e, r, record, source);
  note_gain(e, record.id);
  return true;
}

inline bool store::take_from_pool(entity_t e, entity_record& r, id_record& record) {
  const std::uint32_t* position = loose_.find(r.loose, record.id);
  if (!position) return false;
  if (sinks_.seeing(record.id)) return take_listed(e, record.id);
  user_code running(*this);
  remove_from_pool(e, r, record, row_index{*position});
  return true;
}

// --- one id of one entity, wherever it is --------------------------------------------------------

void* store::add(entity_t e, id_t id, const value_source& source) {
  know(id);
  if (!sinks_.seeing(id)) return insert(e, id, source);
  const new_id coming{id, source};
  const entity_change c{.entity = e, .gained = {&coming, 1}};
  carry_out({&c, 1});
  return find_value(*entities_.find(e), id).slot;
}

void store::reserve_change(entity_record& r, id_t id, bool comes) {
  id_record& record = record_of(id);
  if (record.in_pool()) {
    if (!comes) return;
    record.pool.begin_row();
    return loose_.reserve(r.loose, 1);
  }
  table& from = table_of(r);
  table& to = comes ? tables_.with(from, id) : tables_.without(from, id);
  to.reserve_toggles(to.begin_row(), from, r.row, 1);
}

bool store::take_listed(entity_t e, id_t id) {
  const entity_change c{.entity = e, .lost = {&id, 1}};
  carry_out({&c, 1});
  return true;
}

// `source` may refer to a value in the storage, so nothing may move before the new value is
// constructed. If rows must move to make room, the new value is constructed in a buffer first.
void* store::insert(entity_t e, id_t id, const value_source& source) {
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  id_record& known = record_of(id);
  table* to = known.in_pool() ? nullptr : table_of(r).edges().find(id);
  if (to && to->has_room()) {
    void* const slot = add_to_table(e, r, *to, id, source);
    note_gain(e, id);
    return slot;
  }

  if (known.in_pool() && has_quiet_room(known)) {
    add_to_pool(e, r, known, source);
    note_gain(e, id);
    return known.pool.slot(row_index{std::size_t{known.pool.size()} - 1});
  }

  std::optional<slot_buffer> value;
  if (known.type() && source.construct) value.emplace(*known.type()).fill(source);
  const value_source ready = value ? value->source() : source;

  if (!to) {
    reclaim_if_many();
    id_record& record = record_of(id);
    if (!record.in_pool()) prefer_pools(table_of(r).ids().size(), record);
    if (record.in_pool()) {
      add_to_pool(e, r, record, ready);
      note_gain(e, id);
      prefer_tables_if_grown(*record.group);
      return find_value(r, id).slot;
    }
    to = &tables_.with(table_of(r), id);
  }
  void* const slot = add_to_table(e, r, *to, id, ready);
  note_gain(e, id);
  return slot;
}

void* store::add_to_table(entity_t e, entity_record& r, table& to, id_t id,
                          const value_source& source) {
  const row_index row = to.begin_row();
  const column* c = to.find_column(id);
  if (c) construct(*c->type, c->slot(row), source);
  scope_exit undo([&] {
    if (c) core::destroy(*c->type, c->slot(row), 1);
  });
  move_row(e, r, to, row);
  undo.dismiss();
  return c ? c->slot(row) : nullptr;
}

bool store::give(entity_t e, entity_record& r, id_t id, const value_source& source) {
  if (id_record* last = ids_.last_pool(id)) return give_to_pool(e, r, *last, source);
  table& from = table_of(r);
  table* to = from.edges().find_last(id);
  if (to) {
    if (to->ids().size() < from.ids().size()) return false;
    if (to->has_room() && !sinks_.seeing(id)) {
      user_code running(*this);
      add_to_table(e, r, *to, id, source);
      note_gain(e, id);
      return true;
    }
  } else if (id_record* record = ids_.recall(id); record && record->in_pool()) {
    return give_to_pool(e, r, *record, source);
  } else if (from.has(id)) {
    return false;
  }
  add(e, id, source);
  return true;
}

bool store::take(entity_t e, entity_record& r, id_t id) {
  if (id_record* last = ids_.last_pool(id)) return take_from_pool(e, r, *last);
  table& from = table_of(r);
  table* to = from.edges().find_last(id);
  if (to) {
    if (to->ids().size() > from.ids().size()) return false;
  } else if (id_record* record = ids_.recall(id); record && record->in_pool()) {
    return take_from_pool(e, r, *record);
  } else {
    if (!from.has(id)) return false;
    to = &tables_.without(from, id);
  }
  if (sinks_.seeing(id)) return take_listed(e, id);
  user_code running(*this);
  if (!from.ends_silently()) return take_told(e, r, *to, id);
  move_row(e, r, *to, to->begin_row());
  note_loss(e, id);
  return true;
}

bool store::take_told(entity_t e, entity_record& r, table& to, id_t id) {
  leaving_values left;
  move_row(e, r, to, to.begin_row(), &left);
  note_loss(e, id);
  return true;
}

void store::exchange(entity_t e, id_t old, id_t id, const value_source& source) {
  entity_record& r = *entities_.find(e);
  if (!sinks_.seeing(id)) {
    user_code running(*this);
    if (id_record* const record = ids_.find(id); record && record->in_pool()) {
      if (has_quiet_room(*record)) {
        add_to_pool(e, r, *record, source);
        remove_from_pool(e, r, *ids_.find(old), row_index{*loose_.find(r.loose, old)});
        return note_gain(e, id);
      }
    } else if (table* const between = record && table_of(r).ends_silently()
                                          ? table_of(r).edges().find(old)
                                          : nullptr) {
      if (table* const to = between->edges().find(id); to && to->has_room()) {
        add_to_table(e, r, *to, id, source);
        note_loss(e, old);
        return note_gain(e, id);
      }
    }
  }
  const new_id coming{id, source};
  const entity_change c{.entity = e, .lost = {&old, 1}, .gained = {&coming, 1}};
  carry_out({&c, 1});
}

void store::assign(const located_value& now, entity_t e, id_t id, const value_source& source) {
  const change_sinks::mask seeing = sinks_.seeing(id);
  if (!seeing) return write(now, e, id, source);
  user_code running(*this);
  assign_seen(seeing, now, e, id, source);
}

void store::write(const located_value& now, entity_t e, id_t id, const value_source& source) {
  user_code running(*this);
  // An assignment that throws may have written something.
  scope_exit note([&] { note_write(now, e, id); });
  source.assign(now.slot, source.context);
}

void store::assign_seen(change_sinks::mask to, const located_value& now, entity_t e, id_t id,
                        const value_source& source) {
  slot_buffer fresh(*now.type);
  fresh.fill(source);
  slot_buffer old(*now.type);
  delta d{.entity = e, .id = id, .what = delta::kind::written, .value = now, .next = &fresh};
  sinks_.before(to, {&d, 1});
  d.next = nullptr;
  old.take(now.slot);
  fresh.move_to(now.slot);
  d.old = &old;
  sinks_.after(to, {&d, 1});
  note_write(now, e, id);
}

id_record& store::record_of(id_t id) {
  if (id_record* known = ids_.recall(id)) return *known;
  if (is_pair(id)) {
    entities_.at_index(relation_of(id)).referenced = true;
    entities_.at_index(target_of(id)).referenced = true;
  } else {
    entities_.at_index(index_of(id)).referenced = true;
  }
  const type_info* const type = types_.type_of(id);
  if (type && type->wanted_by) sinks_.want(type->wanted_by, group_key(id));
  return ids_.insert(id, type);
}

void store::move_row(entity_t e, entity_record& r, table& to, row_index row, leaving_values* left) {
  table& from = table_of(r);
  if (toggles_used_ || left) return move_told(e, r, to, row, left);
  const row_index old = r.row;
  // The columns of both tables are ascending.
  auto target = to.columns().begin();
  const auto end = to.columns().end();
  for (const column& c : from.columns()) {
    while (target != end && target->id < c.id) ++target;
    if (target == end) break;
    if (target->id == c.id) relocate_one(*c.type, target->slot(row), c.slot(old));
  }
  to.commit_row(e);
  r.table = to.id();
  r.row = row;
  if (entity_t moved = from.close_hole(old)) entities_.at_index(index_of(moved)).row = old;
}

// The same if an id was ever off, or if values leave.
void store::move_told(entity_t e, entity_record& r, table& to, row_index row,
                      leaving_values* left) {
  table& from = table_of(r);
  const row_index old = r.row;
  to.reserve_toggles(row, from, old, 1);

  auto target = to.columns().begin();
  const auto end = to.columns().end();
  for (const column& c : from.columns()) {
    while (target != end && target->id < c.id) ++target;
    if (target != end && target->id == c.id)
      relocate_one(*c.type, target->slot(row), c.slot(old));
    else if (left)
      left->take(*c.type, c.slot(old));
  }
  to.copy_toggles(row, from, old);
  to.commit_row(e);
  r.table = to.id();
  r.row = row;
  if (toggles_used_) forget_off(e, from, to);
  if (entity_t moved = from.close_hole(old)) entities_.at_index(index_of(moved)).row = old;
}

void store::forget_off(entity_t e, const table& from, const table& to) {
  const std::span<const id_t> off = off_.of(index_of(e));
  for (std::size_t i = off.size(); i-- > 0;) {
    const id_t id = off_.of(index_of(e))[i];
    if (from.has(id) && !to.has(id)) off_.set(index_of(e), id, false);
  }
}

bool store::is_toggled_off(const entity_record& r, id_t id) const {
  if (const std::uint32_t* position = loose_.find(r.loose, id))
    return ids_.find(id)->pool.is_off(row_index{*position});
  return table_of(r).is_off(id, r.row);
}

void store::set_off(const entity_record& r, id_t id, bool off) {
  if (is_off(r, id) == off) return;
  const entity_t e = entity_of(r);
  const delta d{.entity = e, .id = id, .what = delta::kind::switched, .off = off};
  id_record& record = *ids_.find(id);
  reserve_off(r, record);
  const change_sinks::mask to = sinks_.seeing(id);
  if (to) sinks_.before(to, {&d, 1});
  switch_off(r, record, off);
  ++version_;
  if (to) sinks_.after(to, {&d, 1});
  tell(e, id, delta::kind::switched);
}

// After this, switch_off() of the id cannot fail.
void store::reserve_off(const entity_record& r, id_record& record) {
  off_.reserve(index_of(entity_of(r)), 1);
  if (const std::uint32_t* position = loose_.find(r.loose, record.id))
    record.pool.reserve_off(row_index{*position});
  else
    table_of(r).reserve_off(record.id, r.row);
}

void store::switch_off(const entity_record& r, id_record& record, bool off) {
  toggles_used_ |= off;
  placements_ += off && !record.group->toggled;
  record.group->toggled |= off;
  off_.set(index_of(entity_of(r)), record.id, off);
  if (const std::uint32_t* position = loose_.find(r.loose, record.id)) {
    record.pool.set_off(row_index{*position}, off);
    ++record.group->version;
  } else {
    table_of(r).set_off(record.id, r.row, off);
  }
}

// --- many ids at once ----------------------------------------------------------------------------

void store::add_all(entity_t e, std::span<const new_id> ids) {
  entity_record& r = *entities_.find(e);
  table* const to = sees_new(ids) ? nullptr : follow_edges(table_of(r), ids);
  if (!to) {
    const entity_change c{.entity = e, .gained = ids};
    return carry_out({&c, 1});
  }
  // No row has to move to make room, so values are constructed in their final place.
  user_code running(*this);
  const row_index row = to->begin_row();
  fill_row(*to, row, ids);
  scope_exit undo([&] { destroy_filled(*to, row, ids); });
  move_row(e, r, *to, row);
  undo.dismiss();
  ++version_;
  for (const new_id& n : ids) tell(e, n.id, delta::kind::gained);
}

table* store::follow_edges(table& from, std::span<const new_id> ids) {
  table* to = &from;
  for (const new_id& n : ids) {
    to = to->edges().find(n.id);
    if (!to) return nullptr;
  }
  // If an id is in the table already, or comes twice, its edge leads to a smaller table.
  const bool is_way = !ids.empty() && to->ids().size() == from.ids().size() + ids.size();
  return is_way && to->has_room() ? to : nullptr;
}

void store::fill_row(table& to, row_index row, std::span<const new_id> ids) {
  std::size_t made = 0;
  scope_exit undo([&] { destroy_filled(to, row, ids.first(made)); });
  for (; made < ids.size(); ++made)
    if (const column* c = to.find_column(ids[made].id))
      construct(*c->type, c->slot(row), ids[made].source);
  undo.dismiss();
}

void store::destroy_filled(table& to, row_index row, std::span<const new_id> ids) {
  for (const new_id& n : ids)
    if (const column* c = to.find_column(n.id)) core::destroy(*c->type, c->slot(row), 1);
}

void store::create_many(std::size_t count, std::span<const bulk_id> ids,
                        std::vector<entity_t>& created) {
  // Only create_many_listed() reserves room for long lists of loose ids.
  if (sees_new(ids) || ids.size() > loose_ids::max_new)
    return create_many_listed(count, ids, created);
  user_code running(*this);
  prefer_pools_for_all(count, ids);
  std::vector<id_t> table_ids;
  for (const bulk_id& b : ids)
    if (!record_of(b.id).in_pool()) table_ids.push_back(b.id);
  const std::size_t loose_count = ids.size() - table_ids.size();
  std::ranges::sort(table_ids);
  table& to = tables_.find_or_create(std::move(table_ids));

  // Values that are read from rows which may move must be copied out first.
  for (const bulk_id& b : ids) {
    const auto holds = [&](const bulk_id& other) {
      return record_of(other.id).pool.holds(b.values);
    };
    if (b.values && (to.holds(b.values) || std::ranges::any_of(ids, holds)))
      return create_many_listed(count, ids, created);
  }
  const row_index first_row = to.begin_rows(count);

  struct filled {
    const id_record* record;
    row_index first;
    void* slots;  // null: pool.slot() has the slot of each row
    std::size_t done = 0;
    void* slot(std::size_t i) const {
      return slots ? static_cast<std::byte*>(slots) + i * record->type()->slot_size()
                   : record->pool.slot(row_index{first.value + i});
    }
  };
  std::vector<filled> made;
  made.reserve(ids.size());
  const std::size_t before = created.size();
  scope_exit undo([&] {
    for (const filled& f : made)
      for (std::size_t i = 0; i < f.done; ++i) core::destroy(*f.record->type(), f.slot(i), 1);
    for (std::size_t i = created.size(); i-- > before;) entities_.destroy(created[i]);
    created.resize(before);
  });
  for (const bulk_id& b : ids) {
    id_record& record = record_of(b.id);
    const row_index row = record.in_pool() ? record.pool.begin_rows(count) : first_row;
    if (!record.type()) continue;
    void* slots = !record.in_pool()        ? to.find_column(b.id)->slot(row)
                  : record.pool.is_dense() ? record.pool.slot(row)
                                           : nullptr;
    filled& f = made.emplace_back(filled{&record, row, slots});
    if (b.construct && slots) {
      b.construct(slots, 0, count, f.done, b.context);
    } else {
      for (std::size_t one = 0; f.done < count; f.done += one, one = 0) {
        if (b.construct)
          b.construct(f.slot(f.done), f.done, 1, one, b.context);
        else
          construct_default(*record.type(), f.slot(f.done));
        one = 1;
      }
    }
  }
  // A constructor may have created entities, whose rows are in the root.
  const std::size_t row = to.begin_rows(count).value;
  if (loose_count) loose_.reserve_new(count, static_cast<std::uint32_t>(loose_count));
  created.reserve(before + count);
  for (std::size_t i = 0; i < count; ++i)
    created.push_back(entities_.create(to.id(), row_index{row + i}));
  undo.dismiss();

  ++version_;
  const std::span<const entity_t> fresh = std::span(created).subspan(before);
  for (entity_t e : fresh) to.commit_row(e);
  for (const bulk_id& b : ids) {
    id_record& record = record_of(b.id);
    if (!record.in_pool()) continue;
    for (entity_t e : fresh) {
      loose_.insert(entities_.at_index(index_of(e)).loose, b.id, record.pool.size());
      record.pool.commit_row(e);
    }
    record.group->pool_rows += static_cast<std::uint32_t>(count);
    ++record.group->version;
  }
  if (sinks_.wanting_any())
    for (entity_t e : fresh) {
      tell(e, 0, delta::kind::began);
      for (const bulk_id& b : ids) tell(e, b.id, delta::kind::gained);
    }
  for (const bulk_id& b : ids) prefer_tables_if_grown(*record_of(b.id).group);
}

std::vector<id_t> store::owned_ids(const entity_record& r) const {
  const std::span<const id_t> in_table = table_of(r).ids();
  const std::span<const id_t> loose = loose_.ids(r.loose);
  std::vector<id_t> ids(in_table.size() + loose.size());
  std::ranges::merge(in_table, loose, ids.begin());
  return ids;
}

}  // namespace kith::core
