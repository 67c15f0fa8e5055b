#include "base/bit_set.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace kith::core {

namespace {

bit_set of(std::initializer_list<std::size_t> members) {
  bit_set set;
  for (std::size_t n : members) set.insert(n);
  return set;
}

std::vector<std::size_t> list(const bit_set& set) {
  std::vector<std::size_t> members;
  for (std::size_t n = set.next(); n != bit_set::none; n = set.next(n + 1)) members.push_back(n);
  return members;
}

TEST(bit_set, has_what_was_inserted_and_not_erased) {
  bit_set set = of({0, 63, 64, 200});
  set.erase(63);
  set.erase(1000);
  EXPECT_EQ(list(set), (std::vector<std::size_t>{0, 64, 200}));
  EXPECT_TRUE(set.contains(64));
  EXPECT_FALSE(set.contains(63));
  EXPECT_FALSE(set.contains(100'000));
}

TEST(bit_set, takes_the_members_of_another) {
  bit_set set = of({1, 70});
  set.insert(of({2, 300}));
  EXPECT_EQ(list(set), (std::vector<std::size_t>{1, 2, 70, 300}));
}

TEST(bit_set, finds_what_two_sets_have_and_what_one_lacks) {
  const bit_set a = of({3, 64, 130, 500}), b = of({3, 65, 130});
  EXPECT_EQ(a.next_of_both(b), 3u);
  EXPECT_EQ(a.next_of_both(b, 4), 130u);
  EXPECT_EQ(a.next_of_both(b, 131), bit_set::none);
  EXPECT_EQ(a.next_beyond(b), 64u);
  EXPECT_EQ(a.next_beyond(b, 65), 500u);
  EXPECT_EQ(b.next_beyond(a), 65u);
  EXPECT_EQ(b.next_beyond(a, 66), bit_set::none);
}

TEST(bit_set, is_empty_at_first) {
  EXPECT_EQ(bit_set().next(), bit_set::none);
  EXPECT_EQ(of({5}).next(6), bit_set::none);
  EXPECT_EQ(of({5}).next(1000), bit_set::none);
}

}  // namespace

}  // namespace kith::core
