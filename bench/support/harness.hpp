// Benchmarks that prove their results, on top of Google Benchmark.
//
//     void bench::register_rows() {
//       bench::add<movers>("row11_iterate/kith", 1e6, [](movers& m, bench::stopwatch& clock) {
//         clock.time([&] { m.step(); });
//         return m.is_right();
//       });
//     }
//
// A program has one `register_rows`; `main` is ours. The fixture is built once for each benchmark, however
// often it is repeated, and runs once before the clock does: what a query keeps is there then. A wrong result ends the program with 1.
//
// Each benchmark has the counters `per_op`, in seconds, and `operations`, of one repetition; those of `add_figure` have
// `figure` instead. Under callgrind (--instr-atstart=no) the instructions of what is timed are counted.
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

// Counts the time of this thread, not that of others on the same core.
class stopwatch {
 public:
  // What only prepares something is not counted.
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

// One repetition. Returns whether the result was right.
using body = std::function<bool(stopwatch&)>;

struct row {
  std::string name;
  double operations = 1;  // per repetition
  std::function<body()> prepare;
  double bytes = 0;     // moved per operation, if that is of interest
  int repetitions = 0;  // 0: as many as the time allows
};

// The result may be changed until `register_rows` returns.
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

// The same without anything to prepare.
template <class Run>
row& add(std::string name, double operations, Run run) {
  return add_row({std::move(name), operations, [=]() -> body { return run; }});
}

// Something else than a time, such as bytes; measured once per process. Negative if it went wrong.
void add_figure(std::string name, std::function<double()> measure);

// Defined by each program.
void register_rows();

}  // namespace bench
