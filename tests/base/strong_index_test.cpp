#include "base/strong_index.hpp"

#include <type_traits>

#include <gtest/gtest.h>

namespace {

using row = kith::core::strong_index<struct rows>;
using column = kith::core::strong_index<struct columns>;

static_assert(!std::is_convertible_v<row, column>, "a row is no column");
static_assert(!std::is_convertible_v<int, row>, "a number is no row");

TEST(strong_index, is_none_unless_given) {
  EXPECT_EQ(row(), row::none());
  EXPECT_FALSE(row());
}

TEST(strong_index, zero_is_an_index) { EXPECT_TRUE(row(0u)); }

TEST(strong_index, compares_by_value) {
  EXPECT_EQ(row(3u), row(3u));
  EXPECT_LT(row(3u), row(4u));
}

}  // namespace
