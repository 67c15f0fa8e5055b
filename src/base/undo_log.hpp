// A list of steps, each of which takes one change back and carries it out again.
//
// Code that changes something while a log is open pushes a step. Steps go back in the reverse order
// of the changes and forward again in their order, so each step finds everything as its change left
// it, or as it was before the change. A step owns what it needs: after its change a value that was
// replaced, on the way back a value that was new. When the changes are kept, the log destroys the
// steps with all they own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/make_room.hpp"
#include "base/scope_exit.hpp"

namespace kith::core {

// What a step is asked to do: take its change back, or carry it out again. On the way back for good
// a step may destroy what it would need to carry its change out again.
enum class undo_way : std::uint8_t { back, again, back_for_good };

class undo_log {
 public:
  undo_log() = default;
  undo_log(const undo_log&) = delete;
  undo_log& operator=(const undo_log&) = delete;
  ~undo_log() { forget(); }

  // A step has at most this size; reserve() counts on it.
  static constexpr std::size_t usual_step = 64;
  // After this, `count` steps can be pushed without taking memory.
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

  // Calls step(way) whenever the change of the step is taken back or carried out again, in turn.
  // The call may not push. It does all of its work, or throws and does nothing. If memory ends,
  // push() throws and the log is unchanged. Returns the step, which stays where it is.
  template <class Step>
  Step& push(Step step) {
    static_assert(alignof(Step) <= grain && sizeof(Step) <= usual_step);
    KITH_ASSERT(!taken_back_, "nothing changes while changes are taken back");
    make_room(steps_);
    constexpr std::size_t size = (sizeof(Step) + grain - 1) / grain * grain;
    reserve_bytes(size);
    void* const place = free_;
    free_ += size;
    Step& pushed = *::new (place) Step(std::move(step));
    steps_.push_back({place, [](void* object, const undo_way* way) {
                        Step& s = *static_cast<Step*>(object);
                        if (way)
                          s(*way);
                        else
                          s.~Step();
                      }});
    return pushed;
  }

  std::size_t size() const { return steps_.size(); }
  bool is_taken_back() const { return taken_back_; }

  // Takes all changes back, the newest first; the steps stay. If a step throws, carries out again
  // what was taken back so far.
  void take_back() {
    std::size_t at = steps_.size();
    scope_exit forward([&] {
      for (; at < steps_.size(); ++at) run(steps_[at], undo_way::again);
    });
    for (; at > 0; --at) run(steps_[at - 1], undo_way::back);
    forward.dismiss();
    taken_back_ = true;
  }
  // Requires: is_taken_back(). The same in the other direction.
  void carry_out_again() {
    std::size_t at = 0;
    scope_exit backward([&] {
      while (at > 0) run(steps_[--at], undo_way::back);
    });
    for (; at < steps_.size(); ++at) run(steps_[at], undo_way::again);
    backward.dismiss();
    taken_back_ = false;
  }
  // Takes all changes back for good, unless they are taken back already. Destroys each step as soon
  // as its change is taken back.
  void roll_back() {
    roll_back_to(0);
    forget();
  }
  // The same until `count` steps are left, if the log is not taken back.
  void roll_back_to(std::size_t count) {
    while (!taken_back_ && steps_.size() > count) {
      const entry last = steps_.back();
      steps_.pop_back();
      run(last, undo_way::back_for_good);
      last.run(last.object, nullptr);
    }
  }
  // Destroys the steps, the oldest first; the world stays as it is.
  void forget() {
    const std::vector<entry> steps = std::exchange(steps_, {});
    const auto chunks = std::exchange(chunks_, {});
    free_ = end_ = nullptr;
    taken_back_ = false;
    for (const entry& e : steps) e.run(e.object, nullptr);
  }

 private:
  std::size_t held_ = 0;
  static constexpr std::size_t grain = alignof(void*);
  static constexpr std::size_t chunk_size = std::size_t{1} << 16;

  struct entry {
    void* object = nullptr;
    void (*run)(void* object, const undo_way* way) = nullptr;  // `way`: null destroys the step
  };
  static void run(const entry& e, undo_way way) { e.run(e.object, &way); }

  void reserve_bytes(std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - free_)) return;
    const std::size_t size = std::max(bytes, chunk_size);
    make_room(chunks_);
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    free_ = chunks_.back().get();
    end_ = free_ + size;
  }

  std::vector<entry> steps_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* free_ = nullptr;  // the free part of the last chunk begins here
  std::byte* end_ = nullptr;   // and ends here
  bool taken_back_ = false;
};

}  // namespace kith::core
