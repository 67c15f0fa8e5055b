// Measures times, and says how much work a test does in a build with sanitizers.
#pragma once

#include <chrono>
#include <cstddef>

namespace kith::test {

#ifdef KITH_SANITIZED
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

// With sanitizers a test needs about ten times the memory and time.
inline constexpr std::size_t many = is_sanitized ? 10'000 : 100'000;

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace kith::test
