// While one exists, changes of its world wait. Held by everything that visits.
#pragma once

#include <utility>

#include <kith/detail/engine.hpp>

namespace kith::core {

class deferral {
 public:
  explicit deferral(engine& world) : world_(&world) { world_->visit_begin(); }
  deferral(const deferral& other) : world_(other.world_) {
    if (world_) world_->visit_begin();
  }
  deferral(deferral&& other) noexcept : world_(std::exchange(other.world_, nullptr)) {}
  deferral& operator=(deferral other) noexcept {
    std::swap(world_, other.world_);
    return *this;
  }
  // Left by `break` or a throw: what goes wrong now waits in world.deferred_errors().
  ~deferral() {
    if (world_) world_->visit_end_quietly();
  }

  // The normal end: raises the first error of the changes that waited.
  void end() {
    if (world_) std::exchange(world_, nullptr)->visit_end();
  }

 private:
  engine* world_;
};

}  // namespace kith::core
