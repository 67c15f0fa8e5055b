// While it lives, functions of the user are told of a change: the world is deferred, and what they
// ask for waits as a batch of its own.
#pragma once

#include <array>

#include "world/engine_state.hpp"

namespace kith::core {

class engine_state::reporting {
 public:
  explicit reporting(engine_state& s);
  reporting(const reporting&) = delete;
  reporting& operator=(const reporting&) = delete;
  ~reporting();

  // This observer is told.
  void note(entity_t observer) { told_[count_++ % most_named] = observer; }

 private:
  // As many observers are named by the error about a loop.
  static constexpr std::size_t most_named = 8;
  [[gnu::noinline]] void keep_what_waits();

  engine_state& s_;
  command_queue outer_;
  bool waited_;
  bool was_in_report_;
  std::array<entity_t, most_named> told_;
  std::size_t count_ = 0;
};

}  // namespace kith::core
