// Changes that stay all together or not at all.
//
//     transaction all(graph);
//     add_id(graph, alice, likes_bob);
//     add_id(graph, bob, likes_bob);     // raises an error: alice does not like bob any more
//     all.keep();
//
// What was changed can be taken back and carried out again, as often as one likes:
//
//     all.take_back();          // the world is as it was
//     all.carry_out_again();    // alice and bob do as they did, with the same ids and values
//
// While a transaction is open, every change of entities, ids, values, names, types, members and
// orders of children adds a step to an undo log (base/undo_log.hpp). Writes through references add
// none. Both ways move values and call no other code of the user. Entities that live again have the
// ids they had, and indices are used again in the order in which they would have been. Derived data
// (flags of traits, answers that `inherit` remembers) is brought up to date, and listeners hear of
// each step. Neither way restores where ids are kept, nor the order of rows.
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
  // Takes all changes back, unless keep() was called or they are taken back already. Then no later
  // entity gets an id that one of these entities had. Destroys the values that came, in the order
  // in which they came.
  ~transaction();

  // A change whose deltas are these is being carried out, and its sinks were found before the
  // transaction was opened. join() is called at its before point, hear() at its after point.
  void join(std::span<const delta> deltas);
  void hear(std::span<const delta> deltas) noexcept;

  // The world is as it was before the changes. Until carry_out_again() nothing else may change it,
  // but entities without ids may begin: at indices that no entity has ever had (store::begin_beyond
  // of beyond()), and with names that are not coming (names::is_coming). No step notes them.
  //
  // If memory ends, both calls throw std::bad_alloc and leave all changes as they were. To do so
  // they go back the way they came. That takes memory only for what the steps give back on their
  // way: tables and records of ids made of an entity that ends, lists of more than 63 loose ids,
  // and texts of C++ types. Where even that memory is missing, the program ends.
  void take_back();
  // Requires: is_taken_back().
  void carry_out_again();
  bool is_taken_back() const { return log_.is_taken_back(); }
  // While the changes are taken back: the last value that they give the id; null if they give none.
  void* coming_value(entity_t e, id_t id) { return sink_->coming_value(e, id); }
  // While the changes are taken back: the first index that no entity has had, also after them.
  std::uint32_t beyond() const { return beyond_; }

  // The changes stay. Requires: they are not taken back. Destroys the values that were replaced or
  // removed, in the order of the changes that removed them. Their entities may have ended by then.
  void keep();

 private:
  friend class savepoint;
  // Begins, or ceases, to listen to changes.
  void listen(bool on);
  void refresh();

  graph& g_;
  undo_log log_;
  std::optional<undo_sink> sink_;
  std::uint32_t beyond_ = 0;
  bool open_ = true;
};

// Takes back what was changed since it was made, while a transaction is open, unless keep() was
// called. The transaction goes on.
class savepoint {
 public:
  // Requires: a transaction is open.
  explicit savepoint(graph& g);
  savepoint(const savepoint&) = delete;
  savepoint& operator=(const savepoint&) = delete;
  ~savepoint();
  void keep() { keeps_ = true; }

 private:
  transaction& whole_;
  std::size_t steps_;
  std::size_t begun_;
  bool keeps_ = false;
};

}  // namespace kith::core
