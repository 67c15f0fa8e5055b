#include "base/spelling.hpp"

#include <array>

#include <gtest/gtest.h>

namespace {

using kith::core::letters_apart;
using kith::core::nearest_word;

constexpr std::array<std::string_view, 4> words = {"up", "down", "super", "cascade"};

TEST(spelling, letters_are_wrong_missing_or_too_many) {
  EXPECT_EQ(letters_apart("cascade", "cascade", 3), 0u);
  EXPECT_EQ(letters_apart("cascede", "cascade", 3), 1u);
  EXPECT_EQ(letters_apart("casade", "cascade", 3), 1u);
  EXPECT_EQ(letters_apart("casscaade", "cascade", 3), 2u);
}

TEST(spelling, two_letters_that_changed_places_are_one_mistake) {
  EXPECT_EQ(letters_apart("pu", "up", 3), 1u);
}

TEST(spelling, what_is_far_apart_is_not_counted) {
  EXPECT_EQ(letters_apart("up", "cascade", 3), 3u);
  EXPECT_EQ(letters_apart("abcdef", "uvwxyz", 3), 3u);
  EXPECT_EQ(letters_apart("", "up", 3), 2u);
}

TEST(spelling, the_nearest_word_is_found_in_any_case) {
  EXPECT_EQ(nearest_word("upp", words), "up");
  EXPECT_EQ(nearest_word("Supper", words), "super");
  EXPECT_EQ(nearest_word("CASADE", words), "cascade");
}

TEST(spelling, a_short_word_is_like_few_others) {
  EXPECT_EQ(nearest_word("x", words), "");
  EXPECT_EQ(nearest_word("ab", words), "");
  EXPECT_EQ(nearest_word("", words), "");
}

}  // namespace
