// The funnel of changes: deltas say what a change does to the facts of a world, and sinks hear
// them.
//
// Every change of what entities have becomes deltas. `store` carries the deltas of a change out in
// four steps:
//
//   prepare   reserves memory and constructs new values; may fail, and then nothing has changed
//   before    sinks see all deltas, and the world as it was; a sink may refuse by an exception
//   commit    rows move; this cannot fail
//   after     sinks see all deltas, and the world as it is now; then the values that left end
//
// A sink names the groups of ids that it wants. A delta that no sink wants costs one look into a
// small array. The store builds lists of deltas only where a sink needs the before point. Elsewhere
// it calls after() for one delta at a time; for values that are written, entities that end and ids
// that vanish it does so just before the change.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

struct delta {
  enum class kind : std::uint8_t { began, gained, written, switched, lost, ended };

  entity_t entity = 0;
  id_t id = 0;  // 0: the entity itself began or ended
  kind what = kind::gained;
  bool off = false;  // switched: the id is off now; lost: it was off
  // At the before point: the value that will be lost or written. At the after point: the value that
  // was gained or written.
  located_value value{};
  // At the after point: the value that was lost or overwritten. It ends after that, unless a sink
  // moves it out.
  slot_buffer* old = nullptr;
};

// A change of one entity: the ids it loses and the ids it gains, each once. An id in both lists
// gets a new value.
struct entity_change {
  entity_t entity = 0;
  std::span<const id_t> lost{};
  std::span<const new_id> gained{};
  std::span<const id_t> off{};  // the ids of `gained` that start switched off
  bool begins = false;          // the entity was created for this change
  bool ends = false;            // the entity loses all its ids and is destroyed
};

class change_sink {
 public:
  // The world is as it was. An exception stops the change, and nothing has happened. Called only
  // for sinks with needs::before.
  virtual void before(std::span<const delta> deltas) = 0;
  // The world has changed.
  virtual void after(std::span<const delta> deltas) noexcept = 0;
  // Many entities lost the id, or their values were written. The store does not list them.
  virtual void after_many(id_t id) noexcept = 0;

 protected:
  ~change_sink() = default;
};

// The sinks of a store, and which groups of ids they want.
class change_sinks {
 public:
  // One bit for each sink.
  using mask = std::uint8_t;

  // What a sink needs besides the deltas of ids that come and go at the after point.
  struct needs {
    bool before = false;
    bool writes = false;
  };
  // Requires: fewer than eight sinks. Returns the bit of the sink.
  mask add(change_sink& sink, needs n);
  void remove(mask bit);
  // The sink wants the deltas of this group; key 0 stands for entities that begin and end. Several
  // threads may call this while they read.
  void want(mask bit, id_t group);
  void want_all(mask bit);
  // The sink no longer wants the groups that share this place in the array; or wants nothing at
  // all.
  void unwant_place(mask bit, std::size_t place);
  void unwant_all(mask bit);
  static std::size_t place_of(id_t group) { return mix(group) % places; }

  // The sinks that may want this id. (Groups that share a place in the array cannot be told apart.)
  mask wanting(id_t id) const { return any() ? at(id) : mask{0}; }
  // The same for a write; sinks without needs::writes do not count.
  mask wanting_write(id_t id) const {
    return any() & need_writes_ ? static_cast<mask>(at(id) & need_writes_) : mask{0};
  }
  bool wanting_any() const { return any() != 0; }
  // Does a sink need to see a delta of this id at the before point?
  bool need_before(id_t id) const { return need_before_ && (wanting(id) & need_before_); }
  bool any_needs_before() const { return need_before_ != 0; }

  void before(std::span<const delta> deltas) const;
  void after(mask to, std::span<const delta> deltas) const noexcept;
  void after_many(mask to, id_t id) const noexcept;

 private:
  static constexpr std::size_t places = 256;
  mask any() const { return any_.load(std::memory_order_relaxed); }
  mask at(id_t id) const {
    return wanted_[place_of(group_key(id))].load(std::memory_order_relaxed);
  }

  std::array<std::atomic<mask>, places> wanted_{};
  std::atomic<mask> any_ = 0;  // the sinks that want some group
  mask need_before_ = 0;
  mask need_writes_ = 0;
  std::array<change_sink*, 8> sinks_{};
};

}  // namespace kith::core
