// Single steps of changes that are taken back or carried out again.
#include "storage/leaving_values.hpp"
#include "storage/store.hpp"

namespace kith::core {

void store::take_out(entity_t e, id_t id, slot_buffer* value) {
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  leaving_values left;
  const auto leave = [&](const type_info& type, void* slot) {
    if (value)
      value->take(slot);
    else
      left.take(type, slot);
  };
  if (const std::uint32_t* const position = loose_.find(r.loose, id)) {
    id_record& record = *ids_.find(id);
    const row_index row{*position};
    if (record.type()) leave(*record.type(), record.pool.slot(row));
    forget_off(e, id);
    loose_.erase(r.loose, id);
    close_pool_hole(record, row);
  } else {
    table& from = table_of(r);
    table& to = tables_.without(from, id);
    const row_index row = to.begin_row();
    to.reserve_toggles(row, from, r.row, 1);
    if (const column* c = from.find_column(id)) leave(*c->type, c->slot(r.row));
    move_row(e, r, to, row);
  }
  note_loss(e, id);
}

void store::put_back(entity_t e, id_t id, slot_buffer* value, bool off) {
  user_code running(*this);
  entity_record& r = *entities_.find(e);
  id_record& record = record_of(id);
  if (off) off_.reserve(index_of(e), 1);
  if (record.in_pool()) {
    class pool& p = record.pool;
    const row_index row = p.begin_row();
    if (off) p.reserve_off(row);
    loose_.reserve(r.loose, 1);
    if (record.type()) value->move_to(p.slot(row));
    loose_.insert(r.loose, id, row.value);
    p.commit_row(e);
    ++record.group->pool_rows;
    ++record.group->version;
  } else {
    table& from = table_of(r);
    table& to = tables_.with(from, id);
    const row_index row = to.begin_row();
    to.reserve_toggles(row, from, r.row, 1);
    if (off) to.reserve_off(id, row);
    if (const column* c = to.find_column(id)) value->move_to(c->slot(row));
    move_row(e, r, to, row);
  }
  if (off) switch_off(r, record, true);
  note_gain(e, id);
}

void store::exchange_value(entity_t e, id_t id, slot_buffer& other, slot_buffer& empty) noexcept {
  user_code running(*this);
  const located_value now = find_value(*entities_.find(e), id);
  empty.take(now.slot);
  other.move_to(now.slot);
  note_write(now, e, id);
}

void store::switch_back(entity_t e, id_t id, bool off) {
  const entity_record& r = *entities_.find(e);
  id_record& record = *ids_.find(id);
  reserve_off(r, record);
  switch_off(r, record, off);
  ++version_;
  tell(e, id, delta::kind::switched);
}

// --- entities ------------------------------------------------------------------------------------

void store::take_back_begin(entity_t e, const entity_index::revival* how) noexcept {
  leave_root(e);
  entities_.take_back_begin(e, how);
  tell(e, 0, delta::kind::ended);
}

void store::end_again(entity_t e) noexcept {
  leave_root(e);
  entities_.destroy(e);
  tell(e, 0, delta::kind::ended);
}

void store::leave_root(entity_t e) noexcept {
  entity_record& r = *entities_.find(e);
  table& root = table_of(r);
  KITH_ASSERT(&root == &tables_.root(), "an entity that goes has no ids");
  // A list without ids may have been kept for ids to come.
  loose_.release(r.loose);
  if (toggles_used_) off_.forget(index_of(e));
  if (const entity_t moved = root.close_hole(r.row))
    entities_.at_index(index_of(moved)).row = r.row;
  ++version_;
}

void store::begin_again(entity_t e, const entity_index::revival* how) {
  const row_index row = tables_.root().begin_row();
  entities_.begin_again(e, how);
  enter_root(e, row);
}

void store::take_back_end(entity_t e) {
  const row_index row = tables_.root().begin_row();
  entities_.take_back_end(e);
  enter_root(e, row);
}

void store::enter_root(entity_t e, row_index row) noexcept {
  entity_record& r = *entities_.find(e);
  r.table = tables_.root().id();
  r.row = row;
  tables_.root().commit_row(e);
  ++version_;
  tell(e, 0, delta::kind::began);
}

// --- what is known of ids made of an entity ------------------------------------------------------

void store::put_groups_aside(entity_t e, groups_of_one& aside) noexcept {
  forget_unused_ids_of(e);
  const std::uint32_t index = index_of(e);
  aside.plain = ids_.take_group(e);
  aside.pairs = ids_.take_group(make_pair_of(index, 0));
  aside.type = types_.find(index);
  aside.pair_is_tag = types_.is_pair_tag(index);
  types_.erase(index);
}

void store::put_groups_back(entity_t e, groups_of_one& aside) noexcept {
  ids_.put_group(std::move(aside.plain));
  ids_.put_group(std::move(aside.pairs));
  if (aside.type) types_.restore(aside.type);
  types_.set_pair_is_tag(index_of(e), aside.pair_is_tag);
}

}  // namespace kith::core
