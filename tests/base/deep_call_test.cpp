#include "base/deep_call.hpp"

#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace {

using kith::core::deep_call;

// Uses its frame, so that the calls cannot become a loop.
long sum_to(long n) {
  if (n == 0) return 0;
  volatile long here = n;
  const long below = deep_call([&] { return sum_to(here - 1); });
  return below + here;
}

void visit(long n, long& visited) {
  ++visited;
  if (n > 0) deep_call([&] { visit(n - 1, visited); });
}

constexpr long deep = 300'000;

TEST(deep_call, goes_deeper_than_a_stack) {
  EXPECT_EQ(sum_to(deep), deep * (deep + 1) / 2);
  long visited = 0;
  visit(deep, visited);
  EXPECT_EQ(visited, deep + 1);
}

TEST(deep_call, can_be_made_again_and_by_any_thread) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sum_to(1'000), 500'500);
  long sum = 0;
  std::thread([&] { sum = sum_to(deep); }).join();
  EXPECT_EQ(sum, deep * (deep + 1) / 2);
}

TEST(deep_call, returns_what_cannot_be_copied) {
  const auto made = deep_call([] { return std::make_unique<int>(7); });
  EXPECT_EQ(*made, 7);
}

}  // namespace
