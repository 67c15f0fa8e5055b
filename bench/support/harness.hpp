// Benchmarks that check their results, on top of Google Benchmark.
//
//     void bench::register_rows() {
//       bench::add<movers>("row11_iterate/kith", 1e6, [](movers& m, bench::stopwatch& clock) {
//         clock.time([&] { m.step(); });
//         return m.is_right();
//       });
//     }
//
// A program defines `register_rows`; the harness defines `main`. It builds the fixture once for
// each benchmark and runs the body once before it measures, so that queries have their caches.
// After a wrong result the program exits with 1.
//
// Each benchmark has the counters `per_op`, in seconds, and `operations` per repetition; those of
// `add_figure` have `figure` instead. Under callgrind (--instr-atstart=no) the instructions of the
// timed code are counted.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace bench {

// Does nothing unless the program runs under callgrind.
void count_instructions(bool on);

// Measures the processor time of this thread, so that other threads on the same core do not count.
class stopwatch {
 public:
  // A trial measures nothing.
  enum class use { trial, measurement };
  explicit stopwatch(use what) : is_counted_(what == use::measurement) {}

  template <class Function>
  void time(Function&& body) {
    if (is_counted_) count_instructions(true);
    const double started = now();
    body();
    seconds_ += now() - started;
    if (is_counted_) count_instructions(false);
  }
  double seconds() const { return seconds_; }

 private:
  static double now() {
    std::timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  }
  bool is_counted_;
  double seconds_ = 0;
};

// One repetition; returns whether the result was right.
using body = std::function<bool(stopwatch&)>;

struct row {
  std::string name;
  double operations = 1;  // per repetition
  std::function<body()> prepare;
  double bytes = 0;     // bytes moved per operation, to print GB/s; 0 prints nothing
  int repetitions = 0;  // 0 means as many as the time allows
};

// The caller may change the returned row until `register_rows` returns.
row& add_row(row r);

template <class Fixture, class Run, class... Arguments>
row& add(std::string name, double operations, Run run, Arguments... arguments) {
  return add_row({std::move(name), operations, [=]() -> body {
                    auto fixture = std::make_shared<Fixture>(arguments...);
                    stopwatch unused(stopwatch::use::trial);
                    run(*fixture, unused);
                    return [=](stopwatch& clock) { return run(*fixture, clock); };
                  }});
}

// The same without a fixture.
template <class Run>
row& add(std::string name, double operations, Run run) {
  return add_row({std::move(name), operations, [=]() -> body { return run; }});
}

// Adds a figure that is no time, such as bytes. `measure` runs once per process and returns a
// negative number after an error.
void add_figure(std::string name, std::function<double()> measure);

// Defined by each program.
void register_rows();

}  // namespace bench
