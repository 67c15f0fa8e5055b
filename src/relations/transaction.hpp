// Changes that stay all together or not at all.
//
//     transaction all(graph);
//     add_id(graph, alice, likes_bob);
//     add_id(graph, bob, likes_bob);     // raises an error: alice does not like bob any more
//     all.keep();
//
// While a transaction is open, every change of ids, values, names, types and orders of children
// adds a step to an undo log (base/undo_log.hpp). Entities may be created but not deleted.
// Derived data (flags of traits, answers that `inherit` remembers) is brought up to date when the
// changes are taken back. Taking back does not restore where ids are kept, nor the order of rows.
#pragma once

#include <optional>

#include "relations/graph.hpp"
#include "storage/undo_sink.hpp"

namespace kith::core {

class transaction {
 public:
  // Requires: no other transaction is open.
  explicit transaction(graph& g);
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  // Takes all changes back unless keep() was called.
  ~transaction();

  // The changes stay. Destroys the values that were replaced or removed.
  void keep();

 private:
  void close();

  graph& g_;
  undo_log log_;
  std::optional<undo_sink> sink_;
};

}  // namespace kith::core
