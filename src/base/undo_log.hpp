// Takes changes back. For each change the log has a step, a function that undoes it.
//
// Code that changes something while a log is open pushes a step. The steps run in the reverse order
// of the changes, so each finds the state that its change left behind. A step owns what it needs,
// such as a value that was replaced. When the changes are kept, the log destroys the steps.
#pragma once

#include <algorithm>
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
    static_assert(std::is_nothrow_move_constructible_v<Step>);
    grow_steps(1);
    void* place = allocate(sizeof(Step));
    ::new (place) Step(std::move(step));
    steps_.push_back({place, [](void* object, bool undo) {
                        Step& s = *static_cast<Step*>(object);
                        if (undo) s();
                        s.~Step();
                      }});
  }

  // After this, `count` steps of at most `size` bytes each can be pushed without failing.
  void reserve(std::size_t count, std::size_t size) {
    grow_steps(count);
    const std::size_t bytes = count * round_up(size);
    if (!chunks_.empty() && used_ + bytes <= capacity_) return;
    add_chunk(std::max(bytes, std::size_t{chunk_size}));
  }

  std::size_t size() const { return steps_.size(); }
  // Runs all steps, newest first, and destroys them.
  void roll_back() { finish(true); }
  // Destroys all steps without running them: the changes stay.
  void forget() { finish(false); }

 private:
  static constexpr std::size_t chunk_size = std::size_t{1} << 16;

  static constexpr std::size_t round_up(std::size_t size) {
    constexpr std::size_t grain = alignof(std::max_align_t);
    return (size + grain - 1) / grain * grain;
  }

  void grow_steps(std::size_t count) {
    if (steps_.capacity() < steps_.size() + count)
      steps_.reserve(std::max(steps_.size() + count, steps_.capacity() * 2));
  }

  void add_chunk(std::size_t bytes) {
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    capacity_ = bytes;
    used_ = 0;
  }

  void* allocate(std::size_t size) {
    size = round_up(size);
    if (chunks_.empty() || used_ + size > capacity_)
      add_chunk(std::max(size, std::size_t{chunk_size}));
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
    used_ = capacity_ = 0;
  }

  struct entry {
    void* object = nullptr;
    void (*run)(void* object, bool undo) = nullptr;
  };
  std::vector<entry> steps_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t capacity_ = 0;  // of the last chunk
  std::size_t used_ = 0;      // of it
};

}  // namespace kith::core
