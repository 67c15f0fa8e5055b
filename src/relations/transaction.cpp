#include "relations/transaction.hpp"

#include "base/assert.hpp"

namespace kith::core {

transaction::transaction(graph& g) : g_(g) {
  KITH_ASSERT(!g.undo, "a transaction is open already");
  g.undo = &log_;
  g.facts.set_undo(&log_);
  g.known_names.set_undo(&log_);
  g.order.set_undo(&log_);
}

void transaction::close() {
  g_.undo = nullptr;
  g_.facts.set_undo(nullptr);
  g_.known_names.set_undo(nullptr);
  g_.order.set_undo(nullptr);
}

void transaction::keep() {
  close();
  store::user_code running(g_.facts);
  log_.forget();
}

transaction::~transaction() {
  if (!g_.undo) return;
  close();
  log_.roll_back();
  g_.forget_plain();
  g_.bases.touch_all();
}

}  // namespace kith::core
