// The beginning and the end of a world (docs/adr/0006-life-of-a-world.md).
//
//   handles ──▶ engine ──▶ engine_state       while the world lives
//   handles ──▶ engine ──▶ ended state        afterwards: it has no entities and is in mode `ended`
//
// An engine is never freed, so that a handle may outlive its world. It is 32 bytes.
#include <atomic>
#include <memory>
#include <utility>

#include <kith/detail/engine.hpp>

#include "world/systems.hpp"

namespace kith::core {

namespace {

// Never destroyed: worlds in static memory end late.
engine_state& ended_state() {
  static engine_state& ended = [&]() -> engine_state& {
    auto* state = new engine_state;
    state->stages.set_mode(stages::mode::ended);
    state->scope = max_index;  // not 0, so that `create` asks about it
    return *state;
  }();
  return ended;
}

// The list keeps the engines reachable for tools that look for leaks.
std::atomic<engine*> last_engine = nullptr;

}  // namespace

std::size_t engine::made_so_far() {
  std::size_t count = 0;
  for (const engine* e = last_engine; e; e = e->earlier_) ++count;
  return count;
}

// The worlds that ended on this thread while they were in use.
struct ended_worlds {
  static inline thread_local engine_state* first = nullptr;
  static inline std::atomic<int> count = 0;  // on all threads

  static void insert(engine_state& s) {
    struct at_exit {
      ~at_exit() { bury_unused(); }
    };
    static thread_local at_exit last;
    s.next_ended_ = std::exchange(first, &s);
    ++count;
  }
  static void erase(engine_state& s) {
    engine_state** at = &first;
    while (*at && *at != &s) at = &(*at)->next_ended_;
    if (!*at) return;
    *at = s.next_ended_;
    --count;
  }
  static void bury_unused() {
    for (engine_state* s = first; s;) {
      engine_state* const next = s->next_ended_;
      if (!s->stages.in_use()) s->bury();
      s = next;
    }
  }
};

engine_state::engine_state() = default;
engine_state::~engine_state() = default;

engine& engine::begin(entity_t instantiate, unsigned max_reactions) {
  if (instantiate != Inherit && instantiate != Override && instantiate != DontInherit)
    raise(errc::constraint, "instantiate is one of Inherit, Override and DontInherit");
  if (ended_worlds::count) ended_worlds::bury_unused();
  auto state = std::make_unique<engine_state>();
  bootstrap(*state);
  state->graph_.instantiate = instantiate;
  state->max_reactions = max_reactions;
  state->graph_.inherit.set_default(instantiate != DontInherit);

  auto* made = new engine;
  made->earlier_ = last_engine;
  while (!last_engine.compare_exchange_weak(made->earlier_, made)) {
  }
  made->refer_to(*state);
  state.release()->shell = made;
  return *made;
}

engine::engine() : state_(&ended_state()) {}

engine& engine::ended() {
  static engine none;
  return none;
}

void engine::refer_to(engine_state& s) {
  state_ = &s;
  components_ = s.components.by_slot();
}

void engine::end() noexcept { state_->end(); }

bool engine::has_ended() const { return state_->stages.has_ended(); }

engine_state& engine::state() const {
  state_->stages.check_not_ended();
  return *state_;
}

void engine_state::end() noexcept {
  if (!stages.in_use()) return bury();
  // Frames on the stack still use this state. It is buried when the last visit ends, at the latest
  // when the thread does. The queue is not empty, so that the end of a visit looks (visit_end).
  stages.main.queue.swap(mark_of_end_);
  stages.set_mode(stages::mode::ended);
  shell->refer_to(ended_state());
  ended_worlds::insert(*this);
}

void engine_state::bury() noexcept {
  if (stages.has_ended()) ended_worlds::erase(*this);
  end_reactions();
  // Destructors of values may ask for changes through their handles: nothing comes of them.
  stages.set_mode(stages::mode::ending);
  shell->refer_to(*this);
  stages.forget_waiting();
  frames.reset();
  mark_of_end_.clear();
  store().destroy_all_values();
  stages.forget_waiting();
  stages.set_mode(stages::mode::ended);
  shell->refer_to(ended_state());
  release();
}

command_queue engine_state::queue_of_one() {
  command_queue queue;
  queue.push({.what = command::kind::clear});
  return queue;
}

}  // namespace kith::core
