#include "relations/transaction.hpp"

#include "base/assert.hpp"
#include "base/scope_exit.hpp"
#include "base/try_allocate.hpp"

namespace kith::core {

transaction::transaction(graph& g) : g_(g) {
  KITH_ASSERT(!g.undo, "a transaction is open already");
  sink_.emplace(g.store, log_);
  listen(true);
}

void transaction::listen(bool on) {
  undo_log* const log = on ? &log_ : nullptr;
  g_.undo = log;
  g_.open = on ? this : nullptr;
  g_.names.set_undo(log, g_.store.entities());
  g_.child_order.set_undo(log);
  sink_->listen(on);
}

void transaction::join(std::span<const delta> deltas) {
  // Names and orders of children push steps too, at most one of each for a delta.
  log_.reserve(3 * deltas.size());
  change_sink& sink = *sink_;
  sink.before(deltas);
}

void transaction::hear(std::span<const delta> deltas) noexcept {
  change_sink& sink = *sink_;
  sink.after(deltas);
}

// Brings up to date what is remembered.
void transaction::refresh() {
  g_.forget_plain();
  g_.inherit.touch_all();
}

void transaction::take_back() {
  KITH_ASSERT(!is_taken_back(), "the changes are taken back already");
  scope_exit always([&] { refresh(); });
  beyond_ = g_.store.entities().limit();
  log_.take_back();
  listen(false);
}

void transaction::carry_out_again() {
  KITH_ASSERT(is_taken_back(), "the changes are not taken back");
  scope_exit always([&] { refresh(); });
  log_.carry_out_again();
  listen(true);
}

void transaction::keep() {
  KITH_ASSERT(!is_taken_back(), "what is kept is carried out");
  open_ = false;
  listen(false);
  store::user_code running(g_.store);
  log_.forget();
}

transaction::~transaction() {
  if (!open_) return;
  // The caller may know the ids of entities that never began.
  const std::size_t known = is_taken_back() ? 0 : sink_->begun();
  if (!is_taken_back()) listen(false);
  scope_exit forget([&] { g_.names.forget_coming(); });
  // Destructors of values find the world as it was. Where memory ends, they run on the way.
  if (!is_taken_back() && !try_allocate([&] { log_.take_back(); })) log_.roll_back();
  g_.store.entities().skip_ids(known);
  refresh();
  store::user_code running(g_.store);
  log_.forget();
}

savepoint::savepoint(graph& g)
    : whole_(*g.open), steps_(whole_.log_.size()), begun_(whole_.sink_->begun()) {}

savepoint::~savepoint() {
  if (keeps_ || whole_.is_taken_back()) return;
  store::user_code running(whole_.g_.store);
  whole_.listen(false);
  whole_.log_.roll_back_to(steps_);
  whole_.g_.store.entities().skip_ids(whole_.sink_->begun() - begun_);
  whole_.sink_->forget_begun(begun_);
  whole_.refresh();
  whole_.listen(true);
}

}  // namespace kith::core
