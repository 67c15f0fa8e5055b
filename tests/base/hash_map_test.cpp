#include "base/hash_map.hpp"

#include <set>

#include <gtest/gtest.h>

namespace {

using namespace kith::core;

TEST(mix, gives_different_results_for_ids_that_differ_in_few_bits) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t target = 0; target < 1000; ++target)
    for (std::uint64_t relation = 0; relation < 100; ++relation)
      seen.insert(mix(std::uint64_t{1} << 63 | relation << 32 | target));
  EXPECT_EQ(seen.size(), 100'000u);
}

TEST(mix, spreads_neighbouring_ids_over_the_low_bits) {
  std::set<std::uint64_t> buckets;
  for (std::uint64_t x = 0; x < 1024; ++x) buckets.insert(mix(x << 32) & 1023);
  EXPECT_GT(buckets.size(), 500u);
}

TEST(hash_map, keeps_what_was_put_in) {
  hash_map<std::uint64_t, int> map;
  for (int i = 0; i < 1000; ++i) map[static_cast<std::uint64_t>(i) << 32] = i;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(map.at(static_cast<std::uint64_t>(i) << 32), i);
}

}  // namespace
