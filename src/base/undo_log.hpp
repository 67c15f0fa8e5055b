// A list of steps, each of which takes one change back.
//
// Code that changes something while a log is open pushes a step. Steps run in the reverse order of
// the changes, so each step finds everything as its change left it. A step owns what it needs, such
// as a value that was replaced. When the changes are kept, the log destroys the steps with all they
// own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/make_room.hpp"

namespace kith::core {

class undo_log {
 public:
  undo_log() = default;
  undo_log(const undo_log&) = delete;
  undo_log& operator=(const undo_log&) = delete;
  ~undo_log() { forget(); }

  // reserve() counts on steps of at most this size.
  static constexpr std::size_t usual_step = 256;
  // After this, `count` steps of at most `usual_step` bytes can be pushed without taking memory.
  void reserve(std::size_t count) {
    make_room(steps_, count);
    reserve_bytes(count * usual_step);
  }
  // The same for a change with two parts: one holds room for its steps, the other reserves beside
  // that. The room lasts until the next hold(). Parts may reserve a few steps in between.
  void hold(std::size_t count) {
    held_ = count;
    reserve_beside(0);
  }
  void reserve_beside(std::size_t count) {
    constexpr std::size_t few = 4;
    reserve(held_ + count + few);
  }

  // Calling `step` takes one change back; it may neither fail nor push. If memory ends, push()
  // throws and the log is unchanged.
  template <class Step>
  void push(Step step) {
    static_assert(alignof(Step) <= grain);
    make_room(steps_);
    constexpr std::size_t size = (sizeof(Step) + grain - 1) / grain * grain;
    reserve_bytes(size);
    void* const place = free_;
    free_ += size;
    ::new (place) Step(std::move(step));
    steps_.push_back({place, [](void* object, bool undo) {
                        Step& s = *static_cast<Step*>(object);
                        if (undo) s();
                        s.~Step();
                      }});
  }

  std::size_t size() const { return steps_.size(); }
  // Runs all steps, newest first.
  void roll_back() { finish(true); }
  // Destroys the steps; the changes stay.
  void forget() { finish(false); }

 private:
  std::size_t held_ = 0;
  static constexpr std::size_t grain = alignof(std::max_align_t);
  static constexpr std::size_t chunk_size = std::size_t{1} << 16;

  void reserve_bytes(std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - free_)) return;
    const std::size_t size = std::max(bytes, chunk_size);
    make_room(chunks_);
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    free_ = chunks_.back().get();
    end_ = free_ + size;
  }

  void finish(bool undo) {
    while (!steps_.empty()) {
      const entry last = steps_.back();
      steps_.pop_back();
      last.run(last.object, undo);
    }
    chunks_.clear();
    free_ = end_ = nullptr;
  }

  struct entry {
    void* object = nullptr;
    void (*run)(void* object, bool undo) = nullptr;
  };
  std::vector<entry> steps_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* free_ = nullptr;  // the free part of the last chunk begins here
  std::byte* end_ = nullptr;   // and ends here
};

}  // namespace kith::core
