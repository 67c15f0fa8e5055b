#include "storage/loose_ids.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using kith::id_t;
using kith::test::ids_text;

// One list with the ids 1..n, each with position id * 10.
struct list_of {
  loose_ids all;
  loose_ref list = 0;

  explicit list_of(std::size_t n = 0) {
    for (std::size_t id = 1; id <= n; ++id) insert(id);
  }
  void insert(id_t id) { all.insert(list, id, static_cast<std::uint32_t>(id * 10)); }
  void erase(id_t id) { all.erase(list, id); }
  std::size_t size() const { return all.ids(list).size(); }
};

// What is wrong with a list that should hold exactly `wanted`; empty if nothing is.
std::string difference(const list_of& l, std::vector<id_t> wanted) {
  std::ranges::sort(wanted);
  if (!std::ranges::equal(l.all.ids(l.list), wanted))
    return "has " + ids_text(l.all.ids(l.list)) + " instead of " + ids_text(wanted);
  for (id_t id : wanted) {
    const std::uint32_t* position = l.all.find(l.list, id);
    if (!position) return "lacks " + std::to_string(id);
    if (*position != id * 10) return "wrong position of " + std::to_string(id);
  }
  return "";
}

std::vector<id_t> numbers(id_t first, id_t last) {
  std::vector<id_t> all;
  for (id_t i = first; i <= last; ++i) all.push_back(i);
  return all;
}

TEST(loose_ids, empty_list_is_zero_and_has_nothing) {
  const list_of l;
  EXPECT_EQ(l.list, 0u);
  EXPECT_EQ(l.size(), 0u);
  EXPECT_EQ(l.all.find(l.list, 1), nullptr);
}

// 1, 3, 7, 15, 31, 63 are the capacities of blocks; longer lists have a hash map.
class loose_ids_border : public ::testing::TestWithParam<std::size_t> {};

TEST_P(loose_ids_border, list_of_that_many_ids_has_each_with_its_position) {
  const list_of l(GetParam());
  EXPECT_EQ(difference(l, numbers(1, GetParam())), "");
}

TEST_P(loose_ids_border, list_of_that_many_ids_lacks_all_others) {
  const list_of l(GetParam());
  EXPECT_EQ(l.all.find(l.list, 0), nullptr);
  EXPECT_EQ(l.all.find(l.list, GetParam() + 1), nullptr);
}

TEST_P(loose_ids_border, ids_are_ascending_however_they_came) {
  std::vector<id_t> order = numbers(1, GetParam());
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::ranges::shuffle(order, std::mt19937(seed));
    list_of l;
    for (id_t id : order) l.insert(id);
    EXPECT_EQ(difference(l, order), "");
  }
}

TEST_P(loose_ids_border, ids_leave_one_by_one_until_the_list_is_empty) {
  std::vector<id_t> left = numbers(1, GetParam());
  std::ranges::shuffle(left, std::mt19937(1));
  list_of l(GetParam());
  while (!left.empty()) {
    l.erase(left.back());
    left.pop_back();
    ASSERT_EQ(difference(l, left), "");
  }
  EXPECT_EQ(l.list, 0u);
}

TEST_P(loose_ids_border, going_to_and_fro_at_the_border_keeps_the_rest) {
  const std::size_t n = GetParam();
  list_of l(n);
  for (int i = 0; i < 10; ++i) {
    l.insert(n + 1);
    l.insert(n + 2);
    l.erase(n + 1);
    l.erase(n + 2);
  }
  EXPECT_EQ(difference(l, numbers(1, n)), "");
}

TEST_P(loose_ids_border, released_list_leaves_the_others_alone) {
  list_of l(GetParam());
  loose_ref other = 0;
  for (std::uint32_t i = 1; i <= GetParam(); ++i) l.all.insert(other, i + 1000, i);
  l.all.release(other);
  EXPECT_EQ(other, 0u);
  EXPECT_EQ(difference(l, numbers(1, GetParam())), "");
}

INSTANTIATE_TEST_SUITE_P(sizes, loose_ids_border,
                         ::testing::Values(1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 62, 63, 64, 65,
                                           127, 1000));

TEST(loose_ids, list_may_shrink_from_long_to_short_and_grow_long_again) {
  list_of l(200);
  for (id_t id = 1; id <= 195; ++id) l.erase(id);
  EXPECT_EQ(difference(l, numbers(196, 200)), "");
  for (id_t id = 1; id <= 195; ++id) l.insert(id);
  EXPECT_EQ(difference(l, numbers(1, 200)), "");
}

TEST(loose_ids, what_went_may_come_again_before_somebody_looks) {
  for (std::size_t size : {100, 1000}) {
    list_of l(size);
    for (int times = 0; times < 3; ++times)
      for (id_t id : {7, 90, 7, 50}) {
        l.erase(id);
        l.insert(id);
      }
    l.erase(20);
    std::vector<id_t> wanted = numbers(1, size);
    std::erase(wanted, 20);
    EXPECT_EQ(difference(l, wanted), "") << size;
    std::minstd_rand random(5);
    for (int step = 0; step < 5000; ++step) {
      const id_t id = 1 + random() % size;
      if (std::erase(wanted, id)) {
        l.erase(id);
      } else {
        wanted.push_back(id);
        l.insert(id);
      }
      if (step % 100) continue;
      ASSERT_EQ(difference(l, wanted), "") << step;
    }
  }
}

TEST(loose_ids, position_can_be_changed_through_find) {
  for (std::size_t n : {1, 20, 100}) {
    list_of l(n);
    *l.all.find(l.list, 1) = 77;
    EXPECT_EQ(*l.all.find(l.list, 1), 77u) << n;
  }
}

TEST(loose_ids, many_lists_do_not_mix) {
  loose_ids all;
  std::vector<loose_ref> lists(2000);
  for (std::uint32_t round = 0; round < 70; ++round)
    for (std::uint32_t i = 0; i < lists.size(); i += 1 + round)
      all.insert(lists[i], round + 1, i + round);
  for (std::uint32_t i = 0; i < lists.size(); ++i)
    for (std::uint32_t round = 0; round < 70; ++round) {
      const std::uint32_t* position = all.find(lists[i], round + 1);
      ASSERT_EQ(position != nullptr, i % (1 + round) == 0);
      if (!position) continue;
      ASSERT_EQ(*position, i + round);
    }
}

TEST(loose_ids, freed_blocks_are_used_again) {
  loose_ids all;
  loose_ref first = 0;
  all.insert(first, 5, 0);
  const loose_ref was = first;
  all.release(first);
  loose_ref second = 0;
  all.insert(second, 6, 0);
  EXPECT_EQ(second, was);
}

// --- pairs of one relation -----------------------------------------------------------------------

class loose_pairs : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(loose_pairs, are_those_of_the_relation_and_no_others) {
  const std::uint32_t n = GetParam();
  loose_ids all;
  loose_ref list = 0;
  std::vector<id_t> of_8;
  all.insert(list, 300, 0);
  for (std::uint32_t target = n; target > 0; --target) {
    for (std::uint32_t relation : {9u, 7u, 8u})
      all.insert(list, make_pair_of(relation, target), target);
    of_8.insert(of_8.begin(), make_pair_of(8, target));
  }
  EXPECT_EQ(ids_text(all.pairs_of(list, 8)), ids_text(of_8));
  EXPECT_TRUE(all.pairs_of(list, 6).empty());
  EXPECT_TRUE(all.pairs_of(list, 10).empty());
}

INSTANTIATE_TEST_SUITE_P(sizes, loose_pairs, ::testing::Values(1, 2, 4, 5, 6, 20, 21, 22, 100));

TEST(loose_ids, pairs_of_finds_targets_zero_and_the_largest) {
  loose_ids all;
  loose_ref list = 0;
  all.insert(list, make_pair_of(8, 0), 1);
  all.insert(list, make_pair_of(8, 0xffff'ffff), 2);
  EXPECT_EQ(all.pairs_of(list, 8).size(), 2u);
}

TEST(loose_ids, settled_lists_are_read_without_a_change) {
  list_of l;
  for (id_t id = 500; id > 0; --id) l.insert(id);
  l.all.settle();
  const id_t* before = l.all.ids(l.list).data();
  EXPECT_EQ(difference(l, numbers(1, 500)), "");
  EXPECT_EQ(l.all.ids(l.list).data(), before);
}

}  // namespace
