// Components, random data and expected sums that all programs share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

struct Position {
  float x, y, z;
};
struct Velocity {
  float x, y, z;
};
struct Force {
  float x, y, z;
};
struct Mass {
  float m;
};
struct Marked {};

inline constexpr std::size_t million = 1'000'000, hundred_thousand = 100'000;

// Small numbers, so that sums of floats are exact.
inline float small(std::size_t i) { return static_cast<float>(i & 7); }
inline std::uint64_t sum_of_small(std::size_t n) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += i & 7;
  return sum;
}

// The same numbers with every compiler and library, unlike those of <random>.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed * 0x9e37'79b9'7f4a'7c15 + 1) {}
  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>(((state_ >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

template <class T>
void shuffle(std::vector<T>& list) {
  random_numbers random(7);
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
}

// A random number below `targets` for each of n entities.
inline std::vector<std::size_t> one_each(std::size_t n, std::size_t targets, std::uint64_t seed) {
  random_numbers random(seed);
  std::vector<std::size_t> list(n);
  for (std::size_t& x : list) x = random.below(targets);
  return list;
}

// For each of n entities `from` to `to` different numbers below `targets`.
using adjacency = std::vector<std::vector<std::size_t>>;
inline adjacency several_each(std::size_t n, std::size_t targets, std::size_t from, std::size_t to,
                              std::uint64_t seed) {
  random_numbers random(seed);
  adjacency lists(n);
  for (auto& list : lists)
    for (std::size_t wanted = from + random.below(to - from + 1); list.size() < wanted;) {
      const std::size_t x = random.below(targets);
      if (std::find(list.begin(), list.end(), x) == list.end()) list.push_back(x);
    }
  return lists;
}

// A directed graph without loops.
inline adjacency random_graph(std::size_t nodes, std::size_t edges, std::uint64_t seed) {
  random_numbers random(seed);
  adjacency lists(nodes);
  for (std::size_t made = 0; made < edges;) {
    const std::size_t a = random.below(nodes), b = random.below(nodes);
    if (a == b || std::find(lists[a].begin(), lists[a].end(), b) != lists[a].end()) continue;
    lists[a].push_back(b);
    ++made;
  }
  return lists;
}

inline std::size_t edges_of(const adjacency& lists) {
  std::size_t n = 0;
  for (const auto& list : lists) n += list.size();
  return n;
}

}  // namespace bench
