// Changes that stay all together or not at all.
//
//     transaction all(graph);
//     add_id(graph, alice, likes_bob);
//     add_id(graph, bob, likes_bob);     // raises an error: alice does not like bob any more
//     all.keep();
//
// While one is open, whatever changes what entities have, their names, traits, types or the order of
// children notes how to take it back (base/undo_log.hpp). Entities may be created but not deleted. What is
// derived from all this (flags of traits, what is remembered of bases) is brought up to date when the
// changes were taken back. Where ids are kept and in which order rows stand is no part of it.
#pragma once

#include <optional>

#include "relations/graph.hpp"
#include "storage/undo_sink.hpp"

namespace kith::core {

class transaction {
 public:
  // Requires: no other is open.
  explicit transaction(graph& g);
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  // Takes all changes back unless they are to stay.
  ~transaction();

  // Values that were replaced or removed are destroyed now.
  void keep();

 private:
  void close();

  graph& g_;
  undo_log log_;
  std::optional<undo_sink> sink_;
};

}  // namespace kith::core
