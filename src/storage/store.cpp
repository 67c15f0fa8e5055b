#include "storage/store.hpp"

#include <algorithm>
#include <optional>

#include "base/scope_exit.hpp"
#include "storage/leaving_values.hpp"

namespace kith::core {

// --- entities ------------------------------------------------------------------------------------

entity_t store::create() {
  if (sinks_.need_before(0)) {
    // Sinks at the before point do not learn the id, because it is not known yet.
    const delta coming{.what = delta::kind::began};
    sinks_.before({&coming, 1});
  }
  table& root = tables_.root();
  const row_index row = root.begin_row();
  const entity_t e = entities_.create(root.id(), row);
  root.commit_row(e);
  ++version_;
  tell(e, 0, delta::kind::began);
  return e;
}

entity_t store::create_in_place(std::span<const new_id> ids) {
  table* to = sinks_.any_needs_before() ? nullptr : follow_edges(tables_.root(), ids);
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
  if (sinks_.need_before(0)) {
    const delta coming{.entity = e, .what = delta::kind::began};
    sinks_.before({&coming, 1});
  }
  table& root = tables_.root();
  const row_index row = root.begin_row();
  if (!entities_.make_alive(e)) return false;
  entity_record& r = entities_.at_index(index_of(e));
  r.table = root.id();
  r.row = row;
  root.commit_row(e);
  ++version_;
  tell(e, 0, delta::kind::began);
  return true;
}

void store::destroy(entity_t e) {
  entity_record& r = *entities_.find(e);
  if (sinks_.any_needs_before() && any_needs_before(r)) {
    const std::vector<id_t> all = owned_ids(r);
    const entity_change end{.entity = e, .lost = all, .ends = true};
    return carry_out({&end, 1});
  }
  user_code running(*this);
  const bool runs_code = table_of(r).runs_user_code();
  if (runs_code) tables_.root().begin_row();
  ++version_;
  if (sinks_.wanting_any()) tell_end(e, r);
  leave_pools(r);
  if (toggles_used_) off_.forget(index_of(e));
  // A destructor of the user still finds the entity, without its values.
  if (runs_code) move_row(e, r, tables_.root(), tables_.root().begin_row());
  end_row(e, r);
}

void store::end_row(entity_t e, entity_record& r) {
  table& from = table_of(r);
  from.destroy_row(r.row);
  if (entity_t moved = from.close_hole(r.row)) entities_.at_index(index_of(moved)).row = r.row;
  entities_.destroy(e);
}

void store::tell_end(entity_t e, const entity_record& r) {
  for (id_t id : table_of(r).ids()) tell(e, id, delta::kind::lost);
  for (id_t id : loose_.ids(r.loose)) tell(e, id, delta::kind::lost);
  tell(e, 0, delta::kind::ended);
}

bool store::any_needs_before(const entity_record& r) const {
  const auto needs = [&](id_t id) { return sinks_.need_before(id); };
  return needs(0) || std::ranges::any_of(table_of(r).ids(), needs) ||
         std::ranges::any_of(loose_.ids(r.loose), needs);
}

// --- one id of one entity ------------------------------------------------------------------------

located_value store::find_loose_value(const entity_record& r, id_t id) const {
  const std::uint32_t* position = loose_.find(r.loose, id);
  if (!position) return {};
  const pool& p = ids_.find(id)->pool;
  return {p.type(), p.slot(row_index{*position}), &p.writes()};
}

void store::construct(const type_info& type, void* slot, const value_source& source) {
  if (source.construct)
    source.construct(slot, source.context);
  else
    construct_default(type, slot);
}

// --- one id in a pool; give and take inline these ------------------------------------------------

inline void store::remove_from_pool(entity_record& r, id_record& record, row_index row) {
  if (toggles_used_ || (record.type() && !record.type()->ends_silently))
    return remove_told(r, record, row);
  loose_.erase(r.loose, record.id);
  close_pool_hole(record, row);
}

// The same if an id was ever off, or if destroying the value takes work.
void store::remove_told(entity_record& r, id_record& record, row_index row) {
  leaving_values left;
  forget_off(record.pool.entities()[row.value], record.id);
  if (record.type()) left.take(*record.type(), record.pool.slot(row));
  loose_.erase(r.loose, record.id);
  close_pool_hole(record, row);
}

inline bool store::give_to_pool(entity_t e, entity_record& r, id_record& record,
                                const value_source& source) {
  if (loose_.find(r.loose, record.id)) return false;
  if (sinks_.need_before(record.id) || !has_quiet_room(record)) {
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
  if (sinks_.need_before(record.id)) return take_listed(e, record.id);
  user_code running(*this);
  remove_from_pool(r, record, row_index{*position});
  note_loss(e, record.id);
  return true;
}

// --- one id of one entity, wherever it is --------------------------------------------------------

void* store::add(entity_t e, id_t id, const value_source& source) {
  if (!sinks_.need_before(id)) return insert(e, id, source);
  const new_id coming{id, source};
  const entity_change c{.entity = e, .gained = {&coming, 1}};
  carry_out({&c, 1});
  return find_value(*entities_.find(e), id).slot;
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
  if (to && to->has_room()) return add_to_table(e, r, *to, id, source);

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
  return add_to_table(e, r, *to, id, ready);
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
  note_gain(e, id);
  return c ? c->slot(row) : nullptr;
}

bool store::give(entity_t e, entity_record& r, id_t id, const value_source& source) {
  if (id_record* last = ids_.last_pool(id)) return give_to_pool(e, r, *last, source);
  table& from = table_of(r);
  table* to = from.edges().find_last(id);
  if (to) {
    if (to->ids().size() < from.ids().size()) return false;
    if (to->has_room() && !sinks_.need_before(id)) {
      user_code running(*this);
      add_to_table(e, r, *to, id, source);
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
  if (sinks_.need_before(id)) return take_listed(e, id);
  user_code running(*this);
  move_row(e, r, *to, to->begin_row());
  note_loss(e, id);
  return true;
}

void store::exchange(entity_t e, id_t old, id_t id, const value_source& source) {
  entity_record& r = *entities_.find(e);
  if (!sinks_.need_before(id)) {
    user_code running(*this);
    if (id_record* const record = ids_.find(id); record && record->in_pool()) {
      if (has_quiet_room(*record)) {
        id_record& left = *ids_.find(old);
        add_to_pool(e, r, *record, source);
        remove_from_pool(r, left, row_index{*loose_.find(r.loose, old)});
        note_loss(e, old);
        note_gain(e, id);
        return;
      }
    } else if (table* const between = record ? table_of(r).edges().find(old) : nullptr) {
      if (table* const to = between->edges().find(id); to && to->has_room()) {
        add_to_table(e, r, *to, id, source);
        note_loss(e, old);
        return;
      }
    }
  }
  const new_id coming{id, source};
  const entity_change c{.entity = e, .lost = {&old, 1}, .gained = {&coming, 1}};
  carry_out({&c, 1});
}

void store::assign(const located_value& now, entity_t e, id_t id, const value_source& source) {
  user_code running(*this);
  if (!sinks_.need_before(id)) {
    note_write(now, e, id);
    return source.assign(now.slot, source.context);
  }
  slot_buffer fresh(*now.type);
  fresh.fill(source);
  slot_buffer old(*now.type);
  delta d{.entity = e, .id = id, .what = delta::kind::written, .value = now};
  sinks_.before({&d, 1});
  old.take(now.slot);
  fresh.move_to(now.slot);
  ++writes_;
  ++*now.writes;
  d.old = &old;
  sinks_.after(sinks_.wanting(id), {&d, 1});
}

id_record& store::record_of(id_t id) {
  if (id_record* known = ids_.recall(id)) return *known;
  if (is_pair(id)) {
    entities_.at_index(relation_of(id)).referenced = true;
    entities_.at_index(target_of(id)).referenced = true;
  } else {
    entities_.at_index(index_of(id)).referenced = true;
  }
  return ids_.insert(id, types_.type_of(id));
}

void store::move_row(entity_t e, entity_record& r, table& to, row_index row) {
  table& from = table_of(r);
  if (toggles_used_ || !from.ends_silently()) return move_told(e, r, to, row);
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

// The same if an id was ever off, or if destroying values of `from` takes work.
void store::move_told(entity_t e, entity_record& r, table& to, row_index row) {
  table& from = table_of(r);
  const row_index old = r.row;
  to.reserve_toggles(row, from, old, 1);

  leaving_values left;
  auto target = to.columns().begin();
  const auto end = to.columns().end();
  for (const column& c : from.columns()) {
    while (target != end && target->id < c.id) ++target;
    if (target != end && target->id == c.id)
      relocate_one(*c.type, target->slot(row), c.slot(old));
    else if (!c.type->ends_silently)
      left.take(*c.type, c.slot(old));
  }
  to.copy_toggles(row, from, old);
  to.commit_row(e);
  r.table = to.id();
  r.row = row;
  if (toggles_used_) forget_off(e, from, to);
  if (entity_t moved = from.close_hole(old)) entities_.at_index(index_of(moved)).row = old;
}

void store::leave_pools(entity_record& r) {
  if (!r.loose) return;
  if (loose_ids::is_one_at_most(r.loose)) {
    // Entities that end together are mostly in the same pool, so recall() finds the record at once.
    id_record& record = *ids_.recall(loose_.only(r.loose));
    return remove_from_pool(r, record, row_index{*loose_.find(r.loose, record.id)});
  }
  leaving_values left;
  for (id_t id : loose_.ids(r.loose)) {
    id_record& record = *ids_.find(id);
    const row_index row{*loose_.find(r.loose, id)};
    if (record.type() && !record.type()->ends_silently)
      left.take(*record.type(), record.pool.slot(row));
    close_pool_hole(record, row);
  }
  loose_.release(r.loose);
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
  delta d{.entity = e, .id = id, .what = delta::kind::switched, .off = off};
  id_record& record = *ids_.find(id);
  reserve_off(r, record);
  if (sinks_.need_before(id)) sinks_.before({&d, 1});
  switch_off(r, record, off);
  ++version_;
  if (const change_sinks::mask to = sinks_.wanting(id)) sinks_.after(to, {&d, 1});
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
  table* const to = sinks_.any_needs_before() ? nullptr : follow_edges(table_of(r), ids);
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
  if (sinks_.any_needs_before() || ids.size() > loose_ids::max_new)
    return create_many_listed(count, ids, created);
  user_code running(*this);
  prefer_pools_for_all(count, ids);
  std::vector<id_t> table_ids;
  for (const bulk_id& b : ids)
    if (!record_of(b.id).in_pool()) table_ids.push_back(b.id);
  const std::size_t loose_count = ids.size() - table_ids.size();
  std::ranges::sort(table_ids);
  table& to = tables_.find_or_create(std::move(table_ids));

  // Values that are read from rows which may move are copied out first.
  std::vector<staged_values> staged;
  std::vector<bulk_id> sources(ids.begin(), ids.end());
  staged.reserve(sources.size());
  for (bulk_id& b : sources) {
    const auto holds = [&](const bulk_id& other) {
      return record_of(other.id).pool.holds(b.values);
    };
    if (b.values && b.construct && (to.holds(b.values) || std::ranges::any_of(ids, holds)))
      b = staged.emplace_back(*record_of(b.id).type(), count).fill(b);
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
  for (const bulk_id& b : sources) {
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
