#include "meta/value.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace kith::core {
namespace {

template <class T>
std::string text_of(member_kind kind, T number) {
  std::string text;
  print_number(kind, &number, text);
  return text;
}

// What reading a text gives: the number, printed again, or why it is none.
template <class T>
std::string read_back(member_kind kind, std::string_view text) {
  T number{};
  const std::string why = read_number(kind, text, &number);
  return why.empty() ? text_of(kind, number) : why;
}

TEST(values, whole_numbers_read_to_their_limits) {
  EXPECT_EQ(read_back<std::int8_t>(member_kind::i8, "-128"), "-128");
  EXPECT_EQ(read_back<std::int8_t>(member_kind::i8, "128"), "128 is out of range for i8");
  EXPECT_EQ(read_back<std::uint64_t>(member_kind::u64, "18446744073709551615"),
            "18446744073709551615");
  EXPECT_EQ(read_back<std::uint64_t>(member_kind::u64, "18446744073709551616"),
            "18446744073709551616 is out of range for u64");
  EXPECT_EQ(read_back<std::uint16_t>(member_kind::u16, "-1"), "-1 is out of range for u16");
}

TEST(values, numbers_that_are_too_small_are_0) {
  EXPECT_EQ(read_back<float>(member_kind::f32, "1e-46"), "0");
  EXPECT_EQ(read_back<float>(member_kind::f32, "-1e-46"), "-0");
  EXPECT_EQ(read_back<float>(member_kind::f32, "1e-45"), "1e-45");
  EXPECT_EQ(read_back<double>(member_kind::f64, "1e-400"), "0");
  EXPECT_EQ(read_back<double>(member_kind::f64, "123456e-99999999999999999999"), "0");
  EXPECT_EQ(read_back<double>(member_kind::f64, "0." + std::string(400, '0') + "1"), "0");
  EXPECT_EQ(read_back<double>(member_kind::f64, "1" + std::string(100, '0') + "e-500"), "0");
  EXPECT_EQ(read_back<double>(member_kind::f64, "0." + std::string(400, '0') + "1e800"),
            "0." + std::string(400, '0') + "1e800 is out of range for f64");
  EXPECT_EQ(read_back<double>(member_kind::f64, "1" + std::string(400, '0')),
            "1" + std::string(400, '0') + " is out of range for f64");
}

TEST(values, what_is_no_whole_number_is_not_rounded) {
  EXPECT_EQ(read_back<std::int32_t>(member_kind::i32, "1.0"),
            "expected a number for i32, which holds whole numbers, found '1.0'");
  EXPECT_EQ(read_back<std::int32_t>(member_kind::i32, "1e2"),
            "expected a number for i32, which holds whole numbers, found '1e2'");
}

TEST(values, floating_numbers_read_to_the_nearest) {
  EXPECT_EQ(read_back<float>(member_kind::f32, "0.1"), "0.1");
  EXPECT_EQ(read_back<float>(member_kind::f32, "16777217"), "16777216");
  EXPECT_EQ(read_back<float>(member_kind::f32, "3.5e38"), "3.5e38 is out of range for f32");
  EXPECT_EQ(read_back<double>(member_kind::f64, "-inf"), "-inf");
  EXPECT_EQ(read_back<double>(member_kind::f64, "nan"), "nan");
  EXPECT_EQ(read_back<double>(member_kind::f64, "-0"), "-0");
}

template <class Bits, class Number>
void check_random_bits(member_kind kind) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = static_cast<Bits>(random());
    Number number;
    std::memcpy(&number, &bits, sizeof number);
    if constexpr (std::is_floating_point_v<Number>)
      if (std::isnan(number)) continue;
    Number back{};
    ASSERT_EQ(read_number(kind, text_of(kind, number), &back), "");
    ASSERT_EQ(std::memcmp(&back, &number, sizeof number), 0) << text_of(kind, number);
  }
}

TEST(values, every_number_reads_back_exactly) {
  check_random_bits<std::uint32_t, float>(member_kind::f32);
  check_random_bits<std::uint64_t, double>(member_kind::f64);
  check_random_bits<std::uint64_t, std::int64_t>(member_kind::i64);
  check_random_bits<std::uint64_t, std::uint64_t>(member_kind::u64);
  check_random_bits<std::uint16_t, std::int16_t>(member_kind::i16);
  check_random_bits<std::uint8_t, std::int8_t>(member_kind::i8);
}

}  // namespace
}  // namespace kith::core
