// The funnel of changes: deltas say what a change does to the facts of a world, and sinks and
// listeners hear them.
//
// Every change of what entities have becomes deltas. `store` carries the deltas of a change out in
// four steps:
//
//   prepare   reserves memory and constructs new values; may fail, and then nothing has changed
//   before    sinks see all deltas, and the world as it was; a sink may refuse by an exception
//   commit    rows move; this cannot fail
//   after     sinks see all deltas, and the world as it is now; then the values that left end
//
// An entity that ends is alive until its values have ended, so that their destructors find it. It
// has no ids at the after point.
//
// A listener hears of one delta after the other, by name: what happened to which id of which
// entity. It hears of it after rows have moved and before values that left end; that an entity
// ended it hears when the entity is gone. So what it keeps is up to date when code of the user
// runs.
//
// Sinks and listeners name the groups of ids that they want. A delta that none of them wants costs
// one look into a small array. The store builds lists of deltas only where a sink wants one.
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
  bool off = false;    // switched: the id is off now; lost: it was off
  bool given = false;  // gained: with a value that is not the default one
  // At the before point: the value that will be lost or written. At the after point: the value that
  // was gained or written.
  located_value value{};
  // At the before point: the value that will be gained or written, if it was given.
  slot_buffer* next = nullptr;
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

// Sees all deltas of each change of which it wants one. It does not see writes that the store was
// only told of (store::note_write).
class change_sink {
 public:
  // The world is as it was, but that entities of the change that begin are alive, without ids. An
  // exception stops the change, and nothing has happened.
  virtual void before(std::span<const delta> deltas) = 0;
  // The world has changed.
  virtual void after(std::span<const delta> deltas) noexcept = 0;

 protected:
  ~change_sink() = default;
};

class change_listener {
 public:
  virtual void hear(delta::kind what, entity_t e, id_t id) noexcept = 0;
  // Many entities lost the id, or their values were written. The store does not list them.
  virtual void hear_many(id_t id) noexcept = 0;

 protected:
  ~change_listener() = default;
};

// The sinks and listeners of a store, and which groups of ids they want.
class change_sinks {
 public:
  // One bit for each sink and each listener.
  using mask = std::uint8_t;

  // Requires: fewer than eight sinks and listeners. Returns the bit of the new one. `writes`: the
  // listener wants to hear of written values.
  mask add(change_sink& sink);
  mask add(change_listener& listener, bool writes);
  void remove(mask bit);
  // The deltas of this group are wanted; key 0 stands for entities that begin and end. Several
  // threads may call this while they read.
  void want(mask bit, id_t group);
  void want_all(mask bit);
  // The groups that share this place in the array are no longer wanted; or nothing at all is.
  void unwant_place(mask bit, std::size_t place);
  void unwant_all(mask bit);
  static std::size_t place_of(id_t group) { return mix(group) % places; }

  // The sinks and listeners that may want this id. (Groups that share a place in the array cannot
  // be told apart.)
  mask wanting(id_t id) const { return any() ? at(id) : mask{0}; }
  // The listeners that may want to hear that a value was written.
  mask wanting_write(id_t id) const {
    return any() & writes_ ? static_cast<mask>(at(id) & writes_) : mask{0};
  }
  bool wanting_any() const { return any() != 0; }
  // While it is muted, a sink sees nothing.
  void mute(mask bit, bool on) { seeing_ = static_cast<mask>(on ? seeing_ & ~bit : seeing_ | bit); }
  // The sinks that may want to see a change of this id.
  mask seeing(id_t id) const { return seeing_ ? static_cast<mask>(wanting(id) & seeing_) : 0; }
  bool any_sees() const { return seeing_ != 0; }

  // Tell those in `to`; before() and after() tell sinks, the others tell listeners.
  void before(mask to, std::span<const delta> deltas) const;
  void after(mask to, std::span<const delta> deltas) const noexcept;
  void hear(mask to, delta::kind what, entity_t e, id_t id) const noexcept;
  void hear_many(mask to, id_t id) const noexcept;

 private:
  static constexpr std::size_t places = 256;
  struct member {
    change_sink* sink = nullptr;
    change_listener* listener = nullptr;
  };
  mask add(member m);
  mask any() const { return any_.load(std::memory_order_relaxed); }
  mask at(id_t id) const {
    return wanted_[place_of(group_key(id))].load(std::memory_order_relaxed);
  }

  std::array<std::atomic<mask>, places> wanted_{};
  std::atomic<mask> any_ = 0;  // those that want some group
  mask seeing_ = 0;            // the sinks
  mask writes_ = 0;            // the listeners that want writes
  std::array<member, 8> members_{};
};

}  // namespace kith::core
