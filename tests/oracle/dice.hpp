// Random choices that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace kith_oracle {

class dice {
 public:
  explicit dice(std::uint64_t seed) : numbers_(seed) {}

  // 0 to limit - 1. Requires: limit > 0.
  std::size_t below(std::size_t limit) { return numbers_() % limit; }
  // True with this probability.
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  // One of them. Requires: not empty.
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::mt19937_64 numbers_;
};

}  // namespace kith_oracle
