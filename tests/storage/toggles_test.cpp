#include "storage/toggles.hpp"

#include <string>

#include <gtest/gtest.h>

namespace {

using kith::core::toggles;

// The rows that are off, of the first 200.
std::string to_text(const toggles& t) {
  std::string text;
  for (std::size_t row = 0; row < 200; ++row)
    if (t.is_off(row)) text += (text.empty() ? "" : " ") + std::to_string(row);
  return text;
}

toggles with_off(std::initializer_list<std::size_t> rows) {
  toggles t;
  for (std::size_t row : rows) t.set(row, true);
  return t;
}

TEST(toggles, all_rows_are_on_at_first) { EXPECT_EQ(to_text(toggles()), ""); }

TEST(toggles, switches_rows_on_both_sides_of_a_word) {
  EXPECT_EQ(to_text(with_off({0, 63, 64, 127, 128})), "0 63 64 127 128");
}

TEST(toggles, row_can_be_switched_on_again) {
  toggles t = with_off({5, 70});
  t.set(70, false);
  EXPECT_EQ(to_text(t), "5");
}

TEST(toggles, switching_on_a_row_that_was_never_off_does_nothing) {
  toggles t;
  t.set(1'000'000, false);
  EXPECT_FALSE(t.is_off(1'000'000));
}

TEST(toggles, swap_remove_carries_the_state_of_the_last_row) {
  toggles t = with_off({99});
  t.swap_remove(3, 99);
  EXPECT_EQ(to_text(t), "3");
}

TEST(toggles, swap_remove_of_a_row_that_is_off_leaves_the_last_rows_state) {
  toggles t = with_off({3});
  t.swap_remove(3, 99);
  EXPECT_EQ(to_text(t), "");
}

TEST(toggles, swap_remove_of_the_last_row_leaves_no_trace) {
  toggles t = with_off({4, 99});
  t.swap_remove(99, 99);
  EXPECT_EQ(to_text(t), "4");
}

}  // namespace
