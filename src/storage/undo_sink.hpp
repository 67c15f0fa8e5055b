// A sink that pushes, for each delta, a step to an undo log that takes the delta back.
#pragma once

#include "base/undo_log.hpp"
#include "storage/store.hpp"

namespace kith::core {

class undo_sink final : change_sink {
 public:
  // Listens until it is destroyed.
  undo_sink(store& s, undo_log& log) : store_(s), log_(log), bit_(s.sinks().add(*this)) {
    s.sinks().want_all(bit_);
  }
  undo_sink(const undo_sink&) = delete;
  undo_sink& operator=(const undo_sink&) = delete;
  ~undo_sink() { store_.sinks().remove(bit_); }

 private:
  // Makes room in the log, so that `after` cannot fail.
  void before(std::span<const delta> deltas) override;
  void after(std::span<const delta> deltas) noexcept override;

  store& store_;
  undo_log& log_;
  change_sinks::mask bit_;
};

}  // namespace kith::core
