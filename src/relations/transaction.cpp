#include "relations/transaction.hpp"

#include "base/assert.hpp"

namespace kith::core {

transaction::transaction(graph& g) : g_(g) {
  KITH_ASSERT(!g.undo, "a transaction is open already");
  g.undo = &log_;
  sink_.emplace(g.store, log_);
  g.names.set_undo(&log_);
  g.child_order.set_undo(&log_);
}

void transaction::close() {
  g_.undo = nullptr;
  sink_.reset();
  g_.names.set_undo(nullptr);
  g_.child_order.set_undo(nullptr);
}

void transaction::keep() {
  close();
  store::user_code running(g_.store);
  log_.forget();
}

transaction::~transaction() {
  if (!g_.undo) return;
  close();
  log_.roll_back();
  g_.forget_plain();
  g_.inherit.touch_all();
}

}  // namespace kith::core
