#include "base/scope_exit.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace {

using kith::core::scope_exit;

TEST(scope_exit, runs_at_the_end_of_the_block) {
  int runs = 0;
  {
    scope_exit guard([&] { ++runs; });
    EXPECT_EQ(runs, 0);
  }
  EXPECT_EQ(runs, 1);
}

TEST(scope_exit, runs_when_the_block_is_left_by_a_throw) {
  int runs = 0;
  try {
    scope_exit guard([&] { ++runs; });
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(runs, 1);
}

TEST(scope_exit, does_not_run_when_dismissed) {
  int runs = 0;
  {
    scope_exit guard([&] { ++runs; });
    guard.dismiss();
  }
  EXPECT_EQ(runs, 0);
}

}  // namespace
