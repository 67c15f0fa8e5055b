#include "plans/regret.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "plans/shaped_query.hpp"

namespace kith_plans {
namespace {

// bench/regret asks the same about as many queries as wanted.
TEST(regret, of_random_queries_about_skewed_worlds_is_small) {
  constexpr std::size_t worlds = 8, queries = 30;
  std::vector<double> ratios;
  for (std::uint64_t w = 1; w <= worlds; ++w) {
    skewed_world world(w, 1500);
    for (std::uint64_t n = 0; n < queries; ++n) {
      kith_oracle::dice random(1000 * w + n);
      const std::string query = shaped_query(world, random, 2 + random.below(5));
      const regret r = measure(world, query, n, 24, 100'000);
      EXPECT_TRUE(r.agree) << query << "\nhas other results in another order";
      if (!r.measured) continue;
      ratios.push_back(r.ratio());
      EXPECT_LE(r.ratio(), 10) << query << "\n" << r.plan << "the best order:\n" << r.best_plan;
    }
  }
  ASSERT_GE(ratios.size(), worlds * queries / 2);
  std::ranges::sort(ratios);
  EXPECT_LE(ratios[ratios.size() / 2], 1.01);
  EXPECT_LE(ratios[ratios.size() * 97 / 100], 2);
}

}  // namespace
}  // namespace kith_plans
