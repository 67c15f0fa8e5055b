// Takes changes back. For each change the log has a step, a function that undoes it.
//
// Code that changes something while a log is open pushes a step. The steps run in the reverse order
// of the changes, so each finds the state that its change left behind. A step owns what it needs,
// such as a value that was replaced. When the changes are kept, the log destroys the steps.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace kith::core {

class undo_log {
 public:
  undo_log() = default;
  undo_log(const undo_log&) = delete;
  undo_log& operator=(const undo_log&) = delete;
  ~undo_log() { forget(); }

  // Requires: calling `step` takes one change back, does not throw and does not push.
  template <class Step>
  void push(Step step) {
    static_assert(alignof(Step) <= alignof(std::max_align_t));
    steps_.emplace_back();
    void* place = allocate(sizeof(Step));
    ::new (place) Step(std::move(step));
    steps_.back() = {place, [](void* object, bool undo) {
                       Step& s = *static_cast<Step*>(object);
                       if (undo) s();
                       s.~Step();
                     }};
  }

  std::size_t size() const { return steps_.size(); }
  // Runs all steps, newest first, and destroys them.
  void roll_back() { finish(true); }
  // Destroys all steps without running them: the changes stay.
  void forget() { finish(false); }

 private:
  static constexpr std::size_t chunk_size = std::size_t{1} << 16;

  void* allocate(std::size_t size) {
    constexpr std::size_t grain = alignof(std::max_align_t);
    size = (size + grain - 1) / grain * grain;
    if (chunks_.empty() || used_ + size > chunk_size) {
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(
          size > chunk_size ? size : std::size_t{chunk_size}));
      used_ = 0;
    }
    void* place = chunks_.back().get() + used_;
    used_ += size;
    return place;
  }

  void finish(bool undo) {
    while (!steps_.empty()) {
      const entry last = steps_.back();
      steps_.pop_back();
      if (last.run) last.run(last.object, undo);
    }
    chunks_.clear();
    used_ = 0;
  }

  struct entry {
    void* object = nullptr;
    void (*run)(void* object, bool undo) = nullptr;
  };
  std::vector<entry> steps_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t used_ = 0;  // of the last chunk
};

}  // namespace kith::core
