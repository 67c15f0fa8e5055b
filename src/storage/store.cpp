#include "storage/store.hpp"

#include <algorithm>
#include <optional>

#include "base/scope_exit.hpp"
#include "storage/leaving_values.hpp"

namespace kith::core {

// --- entities ------------------------------------------------------------------------------------

entity_t store::create() {
  ++version_;
  table& root = tables_.root();
  const row_index row = root.begin_row();
  const entity_t e = entities_.create(root.id(), row);
  root.commit_row(e);
  logs_.note_life(e);
  note_created(e);
  return e;
}

entity_t store::create_in_place(std::span<const new_id> ids) {
  table* to = undo_ ? nullptr : follow_edges(tables_.root(), ids);
  if (!to) return 0;
  ++version_;
  user_code running(*this);
  const row_index row = to->begin_row();
  fill_row(*to, row, ids);
  scope_exit undo([&] { to->destroy_row(row); });
  const entity_t e = entities_.create(to->id(), row);
  undo.dismiss();
  to->commit_row(e);
  logs_.note_life(e);
  if (logs_.any() || values_.any())
    for (const new_id& n : ids) note_gain(e, n.id);
  return e;
}

bool store::make_alive(entity_t e) {
  if (entities_.is_alive(e)) return true;
  table& root = tables_.root();
  const row_index row = root.begin_row();
  if (!entities_.make_alive(e)) return false;
  ++version_;
  entity_record& r = entities_.at_index(index_of(e));
  r.table = root.id();
  r.row = row;
  root.commit_row(e);
  logs_.note_life(e);
  note_created(e);
  return true;
}

void store::destroy(entity_t e) {
  ++version_;
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  log_all_ids(e, r);
  logs_.note_life(e);
  if (!leave_pools(r))
    while (r.loose) remove_from_pool(r, *ids_.find(loose_.ids(r.loose).back()));
  if (toggles_used_) off_.forget(index_of(e));
  // A destructor of the user still finds the entity, without its values.
  if (table_of(r).runs_user_code()) move_row(e, r, tables_.root(), tables_.root().begin_row());
  table& from = table_of(r);
  from.destroy_row(r.row);
  if (entity_t moved = from.close_hole(r.row)) entities_.at_index(index_of(moved)).row = r.row;
  entities_.destroy(e);
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

// --- one id in a pool; what is done most is put into give and take -----------------------------------

inline void store::add_to_pool(entity_t e, entity_record& r, id_record& record,
                               const value_source& source) {
  pool& p = record.pool;
  const row_index row = p.begin_row();
  if (record.type()) construct(*record.type(), p.slot(row), source);
  loose_.insert(r.loose, record.id, row.value);
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

inline void store::remove_from_pool(entity_record& r, id_record& record, row_index row) {
  if (undo_ || toggles_used_ || (record.type() && !record.type()->ends_silently))
    return remove_told(r, record, row);
  loose_.erase(r.loose, record.id);
  close_pool_hole(record, row);
}

inline bool store::give_to_pool(entity_t e, entity_record& r, id_record& record,
                                const value_source& source) {
  if (loose_.find(r.loose, record.id)) return false;
  if (undo_ || !has_quiet_room(record)) {
    add(e, record.id, source);
    return true;
  }
  note_gain(e, record.id);
  user_code running(*this);
  add_to_pool(e, r, record, source);
  return true;
}

inline bool store::take_from_pool(entity_t e, entity_record& r, id_record& record) {
  const std::uint32_t* position = loose_.find(r.loose, record.id);
  if (!position) return false;
  note_loss(e, record.id);
  user_code running(*this);
  remove_from_pool(r, record, row_index{*position});
  return true;
}

void* store::add(entity_t e, id_t id, const value_source& source) {
  void* slot = insert(e, id, source);
  note_added(e, id);
  return slot;
}

// The value may be given by a reference into the storage itself, so nothing may move before it is
// constructed: it waits in a buffer whenever something will.
void* store::insert(entity_t e, id_t id, const value_source& source) {
  note_gain(e, id);
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  id_record& known = record_of(id);
  table* to = known.in_pool() ? nullptr : table_of(r).edges().find(id);
  if (to && to->has_room()) return add_to_table(e, r, *to, id, source);

  if (known.in_pool() && has_quiet_room(known)) {
    add_to_pool(e, r, known, source);
    return known.pool.slot(row_index{std::size_t{known.pool.size()} - 1});
  }

  std::optional<slot_buffer> value;
  if (known.type() && source.construct) value.emplace(*known.type()).fill(source);
  const value_source ready = value ? value->source() : source;

  if (!to) {
    reclaim_if_many();
    id_record& record = record_of(id);
    if (!record.in_pool()) prefer_pools(table_of(r), record);
    if (record.in_pool()) {
      add_to_pool(e, r, record, ready);
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
  move_row(e, r, to, row);
  return c ? c->slot(row) : nullptr;
}

bool store::give(entity_t e, entity_record& r, id_t id, const value_source& source) {
  if (id_record* last = ids_.last_pool(id)) return give_to_pool(e, r, *last, source);
  table& from = table_of(r);
  table* to = from.edges().find_last(id);
  if (to) {
    if (to->ids().size() < from.ids().size()) return false;
    if (!undo_ && to->has_room()) {
      note_gain(e, id);
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
  note_loss(e, id);
  user_code running(*this);
  move_row(e, r, *to, to->begin_row());
  return true;
}

void* store::exchange(entity_t e, id_t old, id_t id, const value_source& source) {
  ++version_;
  logs_.note(id_index::group_key(id), e);
  values_.note(id, e);
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  std::optional<slot_buffer> value;
  const type_info* type = record_of(id).type();
  if (type && source.construct) value.emplace(*type).fill(source);
  const value_source ready = value ? value->source() : source;

  reclaim_if_many();
  id_record& record = record_of(id);
  table* between = table_of(r).edges().find(old);
  const bool known = between && between->edges().find(id);
  if (!known && !record.in_pool()) prefer_pools(table_of(r), record);
  if (record.in_pool()) {
    add_to_pool(e, r, record, ready);
    note_added(e, id);
    remove_from_pool(r, *ids_.find(old));
    prefer_tables_if_grown(*record.group);
    return find_value(r, id).slot;
  }
  void* slot = add_to_table(e, r, tables_.with(tables_.without(table_of(r), old), id), id, ready);
  note_added(e, id);
  return slot;
}

void store::assign(const located_value& now, entity_t e, id_t id, const value_source& source) {
  user_code running(*this);
  note_write(now, e, id);
  if (!undo_) return source.assign(now.slot, source.context);
  slot_buffer fresh(*now.type);
  fresh.fill(source);
  slot_buffer old(*now.type);
  old.take(now.slot);
  fresh.move_to(now.slot);
  undo_->push([this, e, id, value = std::move(old)]() mutable {
    const value_source back = value.source();
    const located_value there = find_value(*entities_.find(e), id);
    note_write(there, e, id);
    back.assign(there.slot, back.context);
  });
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
  if (undo_ || toggles_used_ || !from.ends_silently()) return move_told(e, r, to, row);
  const row_index old = r.row;
  // Both lists of columns are ascending.
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

// The same when something has to be told of it: a log, a switch, or the values that end.
void store::move_told(entity_t e, entity_record& r, table& to, row_index row) {
  table& from = table_of(r);
  const row_index old = r.row;

  leaving_values leaving;
  auto target = to.columns().begin();
  const auto end = to.columns().end();
  for (const column& c : from.columns()) {
    while (target != end && target->id < c.id) ++target;
    if (target != end && target->id == c.id)
      relocate_one(*c.type, target->slot(row), c.slot(old));
    else if (!undo_ && !c.type->ends_silently)
      leaving.take(*c.type, c.slot(old));
  }
  to.copy_toggles(row, from, old);
  to.commit_row(e);
  r.table = to.id();
  r.row = row;
  if (toggles_used_) forget_off(e, from, to);

  if (undo_) note_lost_ids(e, from, old, to);
  if (entity_t moved = from.close_hole(old)) entities_.at_index(index_of(moved)).row = old;
}

// The same when something has to be told of it: a log, a switch, or the value that ends.
void store::remove_told(entity_record& r, id_record& record, row_index row) {
  leaving_values leaving;
  if (undo_)
    note_removed(record.pool.entities()[row.value], record.id, record.type(), record.pool.slot(row),
                 record.pool.is_off(row));
  else if (record.type())
    leaving.take(*record.type(), record.pool.slot(row));
  forget_off(record.pool.entities()[row.value], record.id);
  loose_.erase(r.loose, record.id);
  close_pool_hole(record, row);
}

// Takes an entity that goes out of all its pools at once. False, and nothing is done, if it is in many, or if
// somebody must be told of each id that goes: a log, or values whose end runs code.
bool store::leave_pools(entity_record& r) {
  if (undo_ || toggles_used_) return false;
  if (loose_ids::is_one_at_most(r.loose)) {
    if (!r.loose) return true;
    // Those that go together are mostly in the same pool.
    id_record& record = *ids_.recall(loose_.only(r.loose));
    if (record.type() && !record.type()->ends_silently) return false;
    const row_index row{*loose_.find(r.loose, record.id)};
    loose_.erase(r.loose, record.id);
    close_pool_hole(record, row);
    return true;
  }
  const std::span<const id_t> ids = loose_.ids(r.loose);
  constexpr std::size_t few = 16;
  if (ids.size() > few) return false;
  id_record* records[few];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    records[i] = ids_.find(ids[i]);
    if (records[i]->type() && !records[i]->type()->ends_silently) return false;
  }
  for (std::size_t i = 0; i < ids.size(); ++i)
    close_pool_hole(*records[i], row_index{*loose_.find(r.loose, ids[i])});
  loose_.release(r.loose);
  return true;
}

void store::forget_off(entity_t e, const table& from, const table& to) {
  std::vector<id_t> gone;
  for (id_t id : off_.of(index_of(e)))
    if (from.has(id) && !to.has(id)) gone.push_back(id);
  for (id_t id : gone) off_.set(index_of(e), id, false);
}

bool store::is_toggled_off(const entity_record& r, id_t id) const {
  if (const std::uint32_t* position = loose_.find(r.loose, id))
    return ids_.find(id)->pool.is_off(row_index{*position});
  return table_of(r).is_off(id, r.row);
}

void store::set_off(const entity_record& r, id_t id, bool off) {
  if (undo_ && is_off(r, id) != off)
    undo_->push([this, e = entity_of(r), id, off] { set_off(*entities_.find(e), id, !off); });
  toggles_used_ |= off;
  id_group& group = *record_of(id).group;
  placements_ += off && !group.toggled;
  group.toggled |= off;
  off_.set(index_of(entity_of(r)), id, off);
  ++version_;
  logs_.note(id_index::group_key(id), entity_of(r));
  if (const std::uint32_t* position = loose_.find(r.loose, id)) {
    id_record& record = *ids_.find(id);
    record.pool.set_off(row_index{*position}, off);
    ++record.group->version;
  } else {
    table_of(r).set_off(id, r.row, off);
  }
}

// --- many ids at once ----------------------------------------------------------------------------

void store::add_all(entity_t e, std::span<const new_id> ids) {
  ++version_;
  for (const new_id& n : ids) {
    logs_.note(id_index::group_key(n.id), e);
    values_.note(n.id, e);
  }
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  if (!undo_ && add_along_edges(e, r, ids)) return;

  // As in add: first all values, then everything that may move others.
  std::vector<slot_buffer> values;
  values.reserve(ids.size());
  for (const new_id& n : ids)
    if (const type_info* type = record_of(n.id).type()) values.emplace_back(*type).fill(n.source);

  prefer_pools_for_all(r, ids);
  table& to = table_with_all(table_of(r), ids);
  const bool moves = &to != &table_of(r);
  const row_index row = moves ? to.begin_row() : r.row;

  auto value = values.begin();
  for (const new_id& n : ids) {
    id_record& record = record_of(n.id);
    if (record.in_pool())
      add_to_pool(e, r, record, record.type() ? (value++)->source() : value_source{});
    else if (record.type())
      (value++)->move_to(to.find_column(n.id)->slot(row));
  }
  if (moves) move_row(e, r, to, row);
  for (const new_id& n : ids) note_added(e, n.id);
  for (const new_id& n : ids) prefer_tables_if_grown(*record_of(n.id).group);
}

// The way to the table is known, and nothing has to move to make room: values begin where they stay.
bool store::add_along_edges(entity_t e, entity_record& r, std::span<const new_id> ids) {
  table* to = follow_edges(table_of(r), ids);
  if (!to) return false;
  const row_index row = to->begin_row();
  fill_row(*to, row, ids);
  move_row(e, r, *to, row);
  return true;
}

table* store::follow_edges(table& from, std::span<const new_id> ids) {
  table* to = &from;
  for (const new_id& n : ids) {
    to = to->edges().find(n.id);
    if (!to) return nullptr;
  }
  // An id that is there, or comes twice, leads back.
  const bool is_way = !ids.empty() && to->ids().size() == from.ids().size() + ids.size();
  return is_way && to->has_room() ? to : nullptr;
}

void store::fill_row(table& to, row_index row, std::span<const new_id> ids) {
  std::size_t made = 0;
  scope_exit undo([&] {
    for (const new_id& n : ids.first(made))
      if (const column* c = to.find_column(n.id)) core::destroy(*c->type, c->slot(row), 1);
  });
  for (; made < ids.size(); ++made)
    if (const column* c = to.find_column(ids[made].id))
      construct(*c->type, c->slot(row), ids[made].source);
  undo.dismiss();
}

// Few ids are followed one by one, which leaves a way that is found at once the next time.
table& store::table_with_all(table& from, std::span<const new_id> ids) {
  constexpr std::size_t few = 8;
  if (ids.size() <= few) {
    table* to = &from;
    for (const new_id& n : ids)
      if (!record_of(n.id).in_pool()) to = &tables_.with(*to, n.id);
    return *to;
  }
  std::vector<id_t> all(from.ids().begin(), from.ids().end());
  const std::size_t before = all.size();
  for (const new_id& n : ids)
    if (!record_of(n.id).in_pool()) all.insert(std::ranges::lower_bound(all, n.id), n.id);
  return all.size() == before ? from : tables_.find_or_create(std::move(all));
}

void store::remove_all(entity_t e, std::span<const id_t> ids) {
  ++version_;
  for (id_t id : ids) logs_.note(id_index::group_key(id), e);
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  std::vector<id_t> left(table_of(r).ids().begin(), table_of(r).ids().end());
  for (id_t id : ids) {
    if (auto found = std::ranges::find(left, id); found != left.end())
      left.erase(found);
    else
      remove_from_pool(r, *ids_.find(id));
  }
  if (left.size() == table_of(r).ids().size()) return;
  table& to = tables_.find_or_create(std::move(left));
  move_row(e, r, to, to.begin_row());
}

void store::clear(entity_t e) {
  ++version_;
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  log_all_ids(e, r);
  while (r.loose) remove_from_pool(r, *ids_.find(loose_.ids(r.loose).back()));
  table& root = tables_.root();
  if (r.table != root.id()) move_row(e, r, root, root.begin_row());
}

void store::create_many(std::size_t count, std::span<const bulk_id> ids,
                        std::vector<entity_t>& created) {
  user_code running(*this);
  ++version_;
  prefer_pools_for_all(count, ids);
  std::vector<id_t> table_ids;
  for (const bulk_id& b : ids)
    if (!record_of(b.id).in_pool()) table_ids.push_back(b.id);
  std::ranges::sort(table_ids);
  table& to = tables_.find_or_create(std::move(table_ids));

  // Values that are read from rows about to move are copied out first.
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
    const type_info* type;
    void* slots;
    std::size_t done;
  };
  std::vector<filled> made;
  made.reserve(ids.size());
  scope_exit undo([&] {
    for (const filled& f : made) core::destroy(*f.type, f.slots, f.done);
  });
  for (const bulk_id& b : sources) {
    id_record& record = record_of(b.id);
    const row_index row = record.in_pool() ? record.pool.begin_rows(count) : first_row;
    if (!record.type()) continue;
    void* slots = record.in_pool() ? record.pool.slot(row) : to.find_column(b.id)->slot(row);
    filled& f = made.emplace_back(filled{record.type(), slots, 0});
    if (b.construct) {
      b.construct(slots, 0, count, f.done, b.context);
    } else {
      auto* slot = static_cast<std::byte*>(slots);
      for (; f.done < count; ++f.done, slot += record.type()->slot_size())
        construct_default(*record.type(), slot);
    }
  }
  created.reserve(created.size() + count);
  undo.dismiss();

  // A constructor may have created entities, which are in the root.
  to.begin_rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const entity_t e = entities_.create(to.id(), row_index{to.size()});
    to.commit_row(e);
    created.push_back(e);
    logs_.note_life(e);
    for (const bulk_id& b : ids) logs_.note(id_index::group_key(b.id), e);
    note_created(e);
  }
  for (const bulk_id& b : ids) {
    id_record& record = record_of(b.id);
    if (!record.in_pool()) continue;
    for (std::size_t i = created.size() - count; i < created.size(); ++i) {
      loose_.insert(entities_.at_index(index_of(created[i])).loose, b.id, record.pool.size());
      record.pool.commit_row(created[i]);
    }
    record.group->pool_rows += static_cast<std::uint32_t>(count);
    ++record.group->version;
  }
  for (const bulk_id& b : ids) prefer_tables_if_grown(*record_of(b.id).group);
}

void store::log_each_id(entity_t e, const entity_record& r) {
  for (id_t id : table_of(r).ids()) logs_.note(id_index::group_key(id), e);
  for (id_t id : loose_.ids(r.loose)) logs_.note(id_index::group_key(id), e);
}

std::vector<id_t> store::owned_ids(const entity_record& r) const {
  const std::span<const id_t> in_table = table_of(r).ids();
  const std::span<const id_t> loose = loose_.ids(r.loose);
  std::vector<id_t> ids(in_table.size() + loose.size());
  std::ranges::merge(in_table, loose, ids.begin());
  return ids;
}

}  // namespace kith::core
