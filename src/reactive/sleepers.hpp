// Systems that nothing wakes but the first entity with some id: until then their queries have no
// rows, and a frame does not look at them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash_map.hpp"
#include "storage/store.hpp"

namespace kith::core {

class sleepers final : change_listener {
 public:
  explicit sleepers(store& s) : store_(s), bit_(s.sinks().add(*this, false)) {}
  sleepers(const sleepers&) = delete;
  sleepers& operator=(const sleepers&) = delete;
  ~sleepers() { store_.sinks().remove(bit_); }

  // `who` sleeps until an entity gains an id of the group.
  void sleep(entity_t who, id_t group);
  bool any_woke() const { return !woken_.empty(); }
  // Those that woke, in the order in which they fell asleep by group. All others sleep on.
  std::vector<entity_t> take_woken();

 private:
  void hear(delta::kind what, entity_t e, id_t id) noexcept override;
  void hear_many(id_t) noexcept override {}

  store& store_;
  change_sinks::mask bit_;
  hash_map<id_t, std::vector<entity_t>> waiting_;  // by group
  std::size_t count_ = 0;                          // all who sleep or have woken
  std::vector<entity_t> woken_;                    // has room for all
};

}  // namespace kith::core
