// What a system has done, by seconds of the clock: for statistics that are asked for.
//
// A second that is over is one entry; a minute has sixty. Adding a run takes O(1).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

#include <kith/detail/system_desc.hpp>

namespace kith::core {

class run_record {
 public:
  using clock = std::chrono::steady_clock;

  void add(clock::time_point end, double seconds, std::uint64_t rows) {
    ++runs_;
    rows_ += rows;
    seconds_ += seconds;
    const std::int64_t second = second_of(end);
    entry& now = entries_[static_cast<std::size_t>(second) % entries_.size()];
    if (now.second != second) now = {.second = second};
    now.min = now.runs && now.min < seconds ? now.min : seconds;
    now.max = now.max > seconds ? now.max : seconds;
    now.sum += seconds;
    ++now.runs;
  }

  run_statistics at(clock::time_point now) const {
    return {runs_, rows_, seconds_, times_since(second_of(now) - 1, second_of(now)),
            times_since(second_of(now) - 60, second_of(now))};
  }

 private:
  struct entry {
    std::int64_t second = -1;
    std::uint64_t runs = 0;
    double min = 0, max = 0, sum = 0;
  };

  static std::int64_t second_of(clock::time_point t) {
    return std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch()).count();
  }
  run_times times_since(std::int64_t first, std::int64_t last) const {
    run_times t;
    double sum = 0;
    for (const entry& e : entries_) {
      if (e.second < first || e.second > last || !e.runs) continue;
      t.min = t.runs && t.min < e.min ? t.min : e.min;
      t.max = t.max > e.max ? t.max : e.max;
      t.runs += e.runs;
      sum += e.sum;
    }
    if (t.runs) t.mean = sum / static_cast<double>(t.runs);
    return t;
  }

  std::array<entry, 64> entries_{};
  std::uint64_t runs_ = 0, rows_ = 0;
  double seconds_ = 0;
};

}  // namespace kith::core
