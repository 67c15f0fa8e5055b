#include "support/harness.hpp"

#include <deque>

#include <benchmark/benchmark.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_STOP_INSTRUMENTATION static_cast<void>(0)
#endif

namespace bench {
namespace {

struct figure {
  std::string name;
  std::function<double()> measure;
};

std::deque<row> rows;
std::deque<figure> figures;
bool failed = false;

void fail(benchmark::State& state) {
  failed = true;
  state.SkipWithError("the result is wrong");
}

// Google Benchmark calls this several times, with growing numbers of repetitions.
void run_row(benchmark::State& state, const row& r) {
  static const row* prepared = nullptr;
  static body run;
  if (prepared != &r) {
    run = nullptr;
    run = r.prepare();
    prepared = &r;
  }
  for (auto _ : state) {
    stopwatch clock(stopwatch::use::measurement);
    if (!run(clock)) return fail(state);
    state.SetIterationTime(clock.seconds());
  }
  using benchmark::Counter;
  const auto repetitions = static_cast<double>(state.iterations());
  state.counters["per_op"] =
      Counter(repetitions * r.operations, Counter::kIsRate | Counter::kInvert);
  state.counters["operations"] = r.operations;
  if (r.bytes > 0)
    state.counters["GB/s"] = Counter(repetitions * r.operations * r.bytes * 1e-9, Counter::kIsRate);
}

void run_figure(benchmark::State& state, const figure& f) {
  double value = 0;
  for (auto _ : state) value = f.measure();
  if (value < 0) return fail(state);
  state.counters["figure"] = value;
}

}  // namespace

void count_instructions(bool on) {
  if (on)
    CALLGRIND_START_INSTRUMENTATION;
  else
    CALLGRIND_STOP_INSTRUMENTATION;
}

row& add_row(row r) { return rows.emplace_back(std::move(r)); }

void add_figure(std::string name, std::function<double()> measure) {
  figures.push_back({std::move(name), std::move(measure)});
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::register_rows();
  for (const bench::row& r : bench::rows) {
    auto* registered = benchmark::RegisterBenchmark(
        r.name.c_str(), [&r](benchmark::State& state) { bench::run_row(state, r); });
    registered->UseManualTime();
    if (r.repetitions) registered->Iterations(r.repetitions);
  }
  for (const bench::figure& f : bench::figures)
    benchmark::RegisterBenchmark(f.name.c_str(), [&f](benchmark::State& state) {
      bench::run_figure(state, f);
    })->Iterations(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  return bench::failed ? 1 : 0;
}
