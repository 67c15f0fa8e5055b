// Carries out a change of any size through the funnel: prepare, before, commit, after (change.hpp).
#include <algorithm>

#include "base/scope_exit.hpp"
#include "base/try_allocate.hpp"
#include "storage/store.hpp"

namespace kith::core {

class store::change_run {
 public:
  change_run(store& s, std::span<const entity_change> changes) : s_(s), changes_(changes) {}

  void prepare();
  void commit() noexcept;
  void tell_before() const {
    if (seeing_) s_.sinks_.before(seeing_, deltas_);
  }
  void tell_after() noexcept;
  // Ends the values that left, and then the entities that end.
  void end() noexcept;
  // Moves groups that have grown to tables, if that pays.
  void settle() noexcept;

 private:
  change_sinks::mask find_sinks() const;
  void construct_values();
  void choose_tables();
  void reserve_rows();
  void list_deltas();
  void commit(std::size_t i) noexcept;
  void lose_loose(const entity_change& c, entity_record& r) noexcept;
  void gain_loose(const entity_change& c, entity_record& r) noexcept;
  void move(const entity_change& c, entity_record& r, table& to) noexcept;
  void leave(const type_info& type, void* slot) noexcept;
  table& table_after(const entity_change& c, const entity_record& r);
  entity_record& record(const entity_change& c) const {
    return s_.entities_.at_index(index_of(c.entity));
  }
  static bool is_gained(const entity_change& c, id_t id) {
    return std::ranges::find(c.gained, id, &new_id::id) != c.gained.end();
  }
  static bool contains(std::span<const id_t> ids, id_t id) {
    return std::ranges::find(ids, id) != ids.end();
  }

  store& s_;
  std::span<const entity_change> changes_;
  change_sinks::mask seeing_ = 0;  // the sinks that see the change; if there are any, it is listed
  std::vector<slot_buffer> values_;  // of all ids that are gained, in their order
  std::size_t next_value_ = 0;
  std::vector<table*> to_;  // the table that each entity goes to
  // Values that leave: if the change is listed, in `old_`, in the order of `deltas_`; else in
  // `left_`.
  std::vector<slot_buffer> old_;
  std::vector<delta> deltas_;
  std::size_t next_delta_ = 0;
  leaving_values left_;
};

// The sinks that want some delta.
change_sinks::mask store::change_run::find_sinks() const {
  change_sinks::mask found = 0;
  if (!s_.sinks_.any_sees()) return found;
  for (const entity_change& c : changes_) {
    if (c.begins || c.ends) found |= s_.sinks_.seeing(0);
    for (id_t id : c.lost) found |= s_.sinks_.seeing(id);
    for (const new_id& n : c.gained) found |= s_.sinks_.seeing(n.id);
  }
  return found;
}

void store::change_run::prepare() {
  construct_values();
  seeing_ = find_sinks();
  s_.reclaim_if_many();
  for (const entity_change& c : changes_)
    if (!c.gained.empty()) s_.prefer_pools_for_all(record(c), c.gained);
  choose_tables();
  reserve_rows();
  if (seeing_) list_deltas();
}

// A source may refer to a value in the storage, so all values are constructed before rows move.
void store::change_run::construct_values() {
  std::size_t count = 0;
  for (const entity_change& c : changes_) count += c.gained.size();
  values_.reserve(count);
  for (const entity_change& c : changes_)
    for (const new_id& n : c.gained)
      if (const type_info* type = s_.record_of(n.id).type())
        values_.emplace_back(*type).fill(n.source);
}

void store::change_run::choose_tables() {
  to_.reserve(changes_.size());
  for (const entity_change& c : changes_) to_.push_back(&table_after(c, record(c)));
}

// Follows edges for a few ids, one by one: this makes the edges known for the next entity.
table& store::change_run::table_after(const entity_change& c, const entity_record& r) {
  constexpr std::size_t few = 8;
  table& from = s_.table_of(r);
  if (c.ends) return s_.tables_.root();
  std::vector<id_t> lost;
  if (c.lost.size() == 1 && c.gained.empty())
    return from.has(c.lost[0]) ? s_.tables_.without(from, c.lost[0]) : from;
  for (id_t id : c.lost)
    if (from.has(id)) lost.push_back(id);
  const auto comes = [&](const new_id& n) { return !s_.record_of(n.id).in_pool(); };
  if (lost.size() <= 1 && c.gained.size() <= few) {
    table* to = lost.empty() ? &from : &s_.tables_.without(from, lost.front());
    for (const new_id& n : c.gained)
      if (comes(n)) to = &s_.tables_.with(*to, n.id);
    return *to;
  }
  std::vector<id_t> ids(from.ids().begin(), from.ids().end());
  std::ranges::sort(lost);
  std::erase_if(ids, [&](id_t id) { return std::ranges::binary_search(lost, id); });
  for (const new_id& n : c.gained)
    if (comes(n)) ids.push_back(n.id);
  std::ranges::sort(ids);
  return std::ranges::equal(ids, from.ids()) ? from : s_.tables_.find_or_create(std::move(ids));
}

// Makes room for every row, list and switch that commit() will write.
void store::change_run::reserve_rows() {
  hash_map<void*, std::size_t> coming;  // rows that come, by table and by pool
  loose_ids::new_lists lists;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const entity_change& c = changes_[i];
    entity_record& r = record(c);
    // Rows that leave free places, so the row will be this one or an earlier one.
    row_index row = r.row;
    if (table& to = *to_[i]; &to != &s_.table_of(r)) {
      row = row_index{to.size() + coming[&to]};
      to.begin_rows(++coming[&to]);
      to.reserve_toggles(row, s_.table_of(r), r.row, 1);
    }
    std::uint32_t loose = 0;
    for (const new_id& n : c.gained) {
      id_record& known = s_.record_of(n.id);
      const bool off = contains(c.off, n.id);
      if (!known.in_pool()) {
        if (off) to_[i]->reserve_off(n.id, row);
        continue;
      }
      ++loose;
      const row_index last{known.pool.size() + coming[&known.pool]};
      known.pool.begin_rows(++coming[&known.pool]);
      if (off) known.pool.reserve_off(last);
    }
    s_.loose_.reserve(r.loose, loose, lists);
    if (!c.off.empty()) s_.off_.reserve(index_of(c.entity), c.off.size());
  }
  s_.loose_.reserve(lists);
}

void store::change_run::list_deltas() {
  for (const entity_change& c : changes_) {
    const entity_record& r = record(c);
    if (c.begins) deltas_.push_back({.entity = c.entity, .what = delta::kind::began});
    for (id_t id : c.lost) {
      const located_value value = s_.find_value(r, id);
      if (value) old_.emplace_back(*value.type);
      deltas_.push_back({.entity = c.entity,
                         .id = id,
                         .what = delta::kind::lost,
                         .off = s_.is_off(r, id),
                         .value = value});
    }
    for (const new_id& n : c.gained)
      deltas_.push_back({c.entity, n.id, delta::kind::gained, contains(c.off, n.id),
                         n.source.construct && !n.source.is_default});
  }
  // Other entities of the change may lose ids made of those that end.
  for (const entity_change& c : changes_)
    if (c.ends) deltas_.push_back({.entity = c.entity, .what = delta::kind::ended});
  auto next = values_.begin();
  for (delta& d : deltas_)
    if (d.what == delta::kind::gained && s_.ids_.find(d.id)->type()) {
      if (d.given) d.next = &*next;
      ++next;
    }
  // `old_` does not grow any more, so its elements keep their addresses.
  auto buffer = old_.begin();
  for (delta& d : deltas_)
    if (d.what == delta::kind::lost && d.value) d.old = &*buffer++;
}

void store::change_run::commit() noexcept {
  ++s_.version_;
  for (std::size_t i = 0; i < changes_.size(); ++i) commit(i);
}

void store::change_run::commit(std::size_t i) noexcept {
  const entity_change& c = changes_[i];
  entity_record& r = record(c);
  // Moves the values that sinks will see into buffers, before rows of this entity move. Rows of
  // later entities may have moved by now, so each value is looked up.
  for (; next_delta_ < deltas_.size() && deltas_[next_delta_].entity == c.entity; ++next_delta_)
    if (const delta& d = deltas_[next_delta_]; d.old) d.old->take(s_.find_value(r, d.id).slot);
  // Erasing gives memory of the list back, so ids come first.
  gain_loose(c, r);
  lose_loose(c, r);
  move(c, r, *to_[i]);
  for (id_t id : c.off) s_.switch_off(r, *s_.ids_.find(id), true);
  for (id_t id : c.lost)
    if (!contains(c.off, id)) s_.forget_off(c.entity, id);
  if (c.ends && s_.toggles_used_) s_.off_.forget(index_of(c.entity));
}

void store::change_run::leave(const type_info& type, void* slot) noexcept {
  if (!seeing_) left_.take(type, slot);
}

void store::change_run::lose_loose(const entity_change& c, entity_record& r) noexcept {
  for (id_t id : c.lost) {
    const std::uint32_t* position = s_.loose_.find(r.loose, id);
    if (!position || is_gained(c, id)) continue;
    id_record& known = *s_.ids_.find(id);
    const row_index row{*position};
    if (known.type()) leave(*known.type(), known.pool.slot(row));
    s_.loose_.erase(r.loose, id);
    s_.close_pool_hole(known, row);
  }
}

// move() puts the values of table ids into the row.
void store::change_run::gain_loose(const entity_change& c, entity_record& r) noexcept {
  std::size_t value = next_value_;
  for (const new_id& n : c.gained) {
    id_record& known = *s_.ids_.find(n.id);
    if (!known.in_pool()) {
      value += known.type() != nullptr;
      continue;
    }
    const value_source source = known.type() ? values_[value++].source() : value_source{};
    const std::uint32_t* position = s_.loose_.find(r.loose, n.id);
    if (!position) {
      s_.add_to_pool(c.entity, r, known, source);
      continue;
    }
    // The id is lost too: it keeps its row, and gets another value.
    const row_index row{*position};
    if (known.type()) {
      leave(*known.type(), known.pool.slot(row));
      source.construct(known.pool.slot(row), source.context);
    }
    known.pool.set_off(row, false);
  }
}

void store::change_run::move(const entity_change& c, entity_record& r, table& to) noexcept {
  table& from = s_.table_of(r);
  const row_index old = r.row;
  const bool moves = &to != &from;
  const row_index row = moves ? to.begin_row() : old;
  const bool may_replace = !c.lost.empty() && !c.gained.empty();
  for (const column& column : from.columns()) {
    const core::column* const target = to.find_column(column.id);
    if (!target || (may_replace && contains(c.lost, column.id)))
      leave(*column.type, column.slot(old));
    else if (moves)
      relocate_one(*column.type, target->slot(row), column.slot(old));
  }
  for (const new_id& n : c.gained) {
    const id_record& known = *s_.ids_.find(n.id);
    if (!known.type()) continue;
    slot_buffer& value = values_[next_value_++];
    if (!known.in_pool()) value.move_to(to.find_column(n.id)->slot(row));
  }
  if (moves) {
    to.copy_toggles(row, from, old);
    to.commit_row(c.entity);
    r.table = to.id();
    r.row = row;
    if (entity_t moved = from.close_hole(old)) s_.entities_.at_index(index_of(moved)).row = old;
  }
  // An id that is lost and gained is on again.
  if (may_replace && s_.toggles_used_)
    for (id_t id : c.lost)
      if (to.has(id)) to.set_off(id, row, false);
}

void store::change_run::tell_after() noexcept {
  if (!s_.sinks_.wanting_any()) return;
  for (delta& d : deltas_) {
    d.next = nullptr;
    d.value = d.what == delta::kind::gained
                  ? s_.find_value(s_.entities_.at_index(index_of(d.entity)), d.id)
                  : located_value();
  }
  if (seeing_) s_.sinks_.after(seeing_, deltas_);
  for (const entity_change& c : changes_) {
    if (c.begins) s_.tell(c.entity, 0, delta::kind::began);
    for (id_t id : c.lost) s_.tell(c.entity, id, delta::kind::lost);
    for (const new_id& n : c.gained) s_.tell(c.entity, n.id, delta::kind::gained);
  }
}

void store::change_run::end() noexcept {
  old_.clear();
  left_.end();
  for (const entity_change& c : changes_) {
    if (!c.ends) continue;
    s_.end_row(c.entity, record(c));
    s_.tell(c.entity, 0, delta::kind::ended);
  }
}

void store::change_run::settle() noexcept {
  for (const entity_change& c : changes_)
    for (const new_id& n : c.gained) s_.prefer_tables_if_grown(*s_.ids_.find(n.id)->group);
}

void store::carry_out(std::span<const entity_change> changes, const std::function<void()>& finish) {
  user_code running(*this);
  change_run run(*this, changes);
  run.prepare();
  run.tell_before();
  run.commit();
  if (finish) finish();
  run.tell_after();
  run.end();
  run.settle();
}

// Makes one change of all new entities, so that sinks see one list of deltas.
void store::create_many_listed(std::size_t count, std::span<const bulk_id> ids,
                               std::vector<entity_t>& created) {
  user_code running(*this);
  std::vector<nth_value> values;
  std::vector<new_id> gained;
  std::vector<entity_change> changes;
  values.reserve(count * ids.size());
  gained.reserve(count * ids.size());
  changes.reserve(count);
  const std::size_t before = created.size();
  created.reserve(before + count);
  table& root = tables_.root();
  scope_exit undo([&] {
    for (std::size_t i = created.size(); i-- > before;)
      end_row(created[i], entities_.at_index(index_of(created[i])));
    created.resize(before);
  });
  for (std::size_t i = 0; i < count; ++i) {
    for (const bulk_id& b : ids) {
      new_id& n = gained.emplace_back(new_id{b.id});
      if (b.construct) n.source = values.emplace_back(nth_value{&b, i}).source();
    }
    const row_index row = root.begin_row();
    created.push_back(entities_.create(root.id(), row));
    root.commit_row(created.back());
    changes.push_back(
        {.entity = created.back(), .gained = std::span(gained).last(ids.size()), .begins = true});
  }
  carry_out(changes);
  undo.dismiss();
}

}  // namespace kith::core
