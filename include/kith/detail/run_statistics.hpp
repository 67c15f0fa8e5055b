// How often systems and queries run, and how long.
#pragma once

#include <cstdint>

namespace kith {

// Of the last second or minute, as time passes outside. Times are in seconds.
struct run_times {
  std::uint64_t runs = 0;
  double min = 0;
  double mean = 0;
  double max = 0;
};

// What a system or a query has done since the world began to measure (world::measure).
struct run_statistics {
  std::uint64_t runs = 0;
  std::uint64_t rows = 0;  // that it visited
  double seconds = 0;      // that it took, of all threads together
  run_times last_second;
  run_times last_minute;
};

}  // namespace kith
