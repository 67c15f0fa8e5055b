// A sink that pushes a step to an undo log for each delta.
#pragma once

#include <memory>
#include <vector>

#include "base/undo_log.hpp"
#include "storage/store.hpp"

namespace kith::core {

class undo_sink final : public change_sink {
 public:
  // A value that was written, or that came.
  struct write {
    entity_t e;
    id_t id;
    slot_buffer* value;                                    // of the step
    const std::unique_ptr<slot_buffer>* gained = nullptr;  // the same for a value that came
  };

  // It outlives the steps that it puts into the log.
  undo_sink(store& s, undo_log& log) : store_(s), log_(log), bit_(s.sinks().add(*this)) {
    listen(true);
  }
  undo_sink(const undo_sink&) = delete;
  undo_sink& operator=(const undo_sink&) = delete;
  ~undo_sink() { store_.sinks().remove(bit_); }
  // Ceases to listen for a while, or goes on.
  void listen(bool on) { on ? store_.sinks().want_all(bit_) : store_.sinks().unwant_all(bit_); }
  // While the changes are taken back: the last value that they give; null if they give none.
  void* coming_value(entity_t e, id_t id);
  // How many entities began with ids that the store chose.
  std::size_t begun() const { return begun_; }
  // Only the first `count` of them did.
  void forget_begun(std::size_t count) { begun_ = count; }

 private:
  // Makes room in the log, so that `after` cannot fail.
  void before(std::span<const delta> deltas) override;
  void after(std::span<const delta> deltas) noexcept override;
  void push(const delta& d) noexcept;
  void note(const write& w) noexcept;

  store& store_;
  undo_log& log_;
  change_sinks::mask bit_;
  std::size_t begun_ = 0;
  std::vector<write> writes_;
  bool sorted_ = true;
};

}  // namespace kith::core
