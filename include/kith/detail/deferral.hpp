// While one exists, changes of its world wait. Everything that visits holds one.
#pragma once

#include <utility>

#include <kith/detail/engine.hpp>

namespace kith::core {

class deferral {
 public:
  explicit deferral(const engine& world) : deferral(world.state()) {}
  explicit deferral(engine_state& state) : state_(&state) { visit_begin(state); }
  deferral(const deferral& other) : state_(other.state_) {
    if (state_) visit_begin(*state_);
  }
  deferral(deferral&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  deferral& operator=(deferral other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  // The visit was left by `break` or a throw: errors wait in world.deferred_errors().
  ~deferral() {
    if (state_) visit_end_quietly(*state_);
  }

  // The normal end: raises the first error of the changes that waited.
  void end() {
    if (state_) visit_end(*std::exchange(state_, nullptr));
  }

 private:
  engine_state* state_;  // null: the visit has ended
};

}  // namespace kith::core
