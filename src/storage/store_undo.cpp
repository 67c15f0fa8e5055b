// How changes are taken back: each notes how, if somebody asked for it.
#include "storage/store.hpp"

namespace kith::core {

void store::log_created(entity_t e) {
  undo_->push([this, e] {
    // A change that failed has taken it back already.
    const entity_record* r = entities_.find(e);
    if (!r) return;
    if (r->referenced) forget_ids_of(e);
    destroy(e);
  });
}

void store::log_added(entity_t e, id_t id) {
  undo_->push([this, e, id] { remove(e, id); });
}

void store::note_removed(entity_t e, id_t id, const type_info* type, void* slot, bool off) {
  const auto restore = [this, e, id, off](const value_source& source) {
    insert(e, id, source);
    if (off) set_off(*entities_.find(e), id, true);
  };
  if (!type) return undo_->push([restore] { restore({}); });
  slot_buffer value(*type);
  value.take(slot);
  undo_->push([restore, kept = std::move(value)]() mutable { restore(kept.source()); });
}

void store::note_lost_ids(entity_t e, const table& from, row_index row, const table& to) {
  auto kept = to.ids().begin();
  const auto end = to.ids().end();
  for (id_t id : from.ids()) {
    while (kept != end && *kept < id) ++kept;
    if (kept != end && *kept == id) continue;
    const column* c = from.find_column(id);
    note_removed(e, id, c ? c->type : nullptr, c ? c->slot(row) : nullptr, from.is_off(id, row));
  }
}

}  // namespace kith::core
