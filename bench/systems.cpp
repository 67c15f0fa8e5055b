// Frames of systems: many that find nothing, and one that computes much on two threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace bench {
namespace {

struct Absent {
  float value;
};

// Systems whose queries have no rows, in a world with some entities.
template <class L>
struct idle_systems {
  typename L::world w;
  typename L::entity some;

  explicit idle_systems(int count) : some(w.entity()) {
    for (int i = 0; i < 1000; ++i) w.entity().set(Position{0, 0, 0});
    for (int i = 0; i < count; ++i)
      w.template system<Absent>().each([](Absent& a) { a.value += 1; });
    w.progress(1);
  }
};

constexpr int frames = 100;

template <class L>
void idle() {
  for (const int count : {100, 1000}) {
    const std::string systems = std::to_string(count) + "_systems";
    add<idle_systems<L>>(
        "row36_frame_of_" + systems + "_that_match_nothing/" + L::name(), frames,
        [](auto& f, stopwatch& clock) {
          clock.time([&] {
            for (int i = 0; i < frames; ++i) f.w.progress(1);
          });
          return true;
        },
        count);
    // Between two frames an entity gains a component and loses it again.
    add<idle_systems<L>>(
        "row36_frame_of_" + systems + "_in_a_world_that_changes/" + L::name(), frames,
        [](auto& f, stopwatch& clock) {
          clock.time([&] {
            for (int i = 0; i < frames; ++i) {
              f.some.template add<Force>();
              f.some.template remove<Force>();
              f.w.progress(1);
            }
          });
          return true;
        },
        count);
  }
}

// The best time of a frame by the clock on the wall, in milliseconds: one system that computes.
template <class L>
double time_of_frame(int threads) {
  typename L::world w;
  w.set_threads(threads);
  for (int i = 0; i < 200'000; ++i) w.entity().set(Position{1, 0, 0}).set(Velocity{1, 1, 1});
  w.template system<Position, const Velocity>().multi_threaded().each(
      [](Position& p, const Velocity& v) {
        for (int i = 0; i < 50; ++i) p.x = std::sqrt(p.x * p.x + v.x);
      });
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 12; ++i) {
    const auto start = std::chrono::steady_clock::now();
    w.progress(1);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

}  // namespace
}  // namespace bench

void bench::register_rows() {
  for_each_library([]<class L>() {
    idle<L>();
    add_figure("row36_times_faster_on_two_threads/" + L::name(),
               [] { return time_of_frame<L>(1) / time_of_frame<L>(2); });
  });
}
