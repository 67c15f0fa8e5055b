#include "storage/id_record.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using kith::id_t;
using kith::test::ids_text;

constexpr std::uint32_t likes = 300, eats = 301, bob = 310, tom = 311;

std::string pairs_of_relation(const id_index& index, std::uint32_t relation) {
  std::vector<id_t> ids;
  for (auto* r = index.first_of_relation(relation); r; r = r->next_of_relation)
    ids.push_back(r->id);
  std::ranges::sort(ids);
  return ids_text(ids);
}

std::string pairs_of_target(const id_index& index, std::uint32_t target) {
  std::vector<id_t> ids;
  for (auto* r = index.first_of_target(target); r; r = r->next_of_target) ids.push_back(r->id);
  std::ranges::sort(ids);
  return ids_text(ids);
}

void insert_all(id_index& index) {
  for (std::uint32_t relation : {likes, eats})
    for (std::uint32_t target : {bob, tom}) index.insert(make_pair_of(relation, target), nullptr);
  index.insert(bob, nullptr);
}

void erase(id_index& index, id_t id) { index.erase(*index.find(id)); }

TEST(id_index, finds_what_was_inserted_and_nothing_else) {
  id_index index;
  insert_all(index);
  EXPECT_EQ(index.find(bob)->id, bob);
  EXPECT_EQ(index.find(make_pair_of(likes, tom))->id, make_pair_of(likes, tom));
  EXPECT_EQ(index.find(tom), nullptr);
  EXPECT_EQ(index.find(make_pair_of(tom, likes)), nullptr);
}

TEST(id_index, recalls_what_is_there_now) {
  id_index index;
  insert_all(index);
  const id_t pair = make_pair_of(likes, bob);
  for (int times = 0; times < 2; ++times) EXPECT_EQ(index.recall(pair), index.find(pair));
  EXPECT_EQ(index.recall(tom), nullptr);
  erase(index, make_pair_of(eats, tom));
  EXPECT_EQ(index.recall(pair), index.find(pair));
  erase(index, pair);
  EXPECT_EQ(index.recall(pair), nullptr);
  const id_record& again = index.insert(pair, nullptr);
  EXPECT_EQ(index.recall(pair), &again);
}

// R114 R115 R118
TEST(id_index, lists_all_pairs_of_a_relation) {
  id_index index;
  insert_all(index);
  EXPECT_EQ(pairs_of_relation(index, likes), "(300, 310) (300, 311)");
  EXPECT_EQ(pairs_of_relation(index, bob), "");
}

// R115 U13
TEST(id_index, lists_all_pairs_that_point_at_a_target) {
  id_index index;
  insert_all(index);
  EXPECT_EQ(pairs_of_target(index, bob), "(300, 310) (301, 310)");
}

TEST(id_index, pair_can_leave_from_any_place_of_its_lists) {
  for (std::uint32_t leaving : {0u, 1u, 2u}) {
    id_index index;
    for (std::uint32_t target : {0u, 1u, 2u}) index.insert(make_pair_of(likes, target), nullptr);
    erase(index, make_pair_of(likes, leaving));
    std::vector<id_t> left;
    for (std::uint32_t target : {0u, 1u, 2u})
      if (target != leaving) left.push_back(make_pair_of(likes, target));
    EXPECT_EQ(pairs_of_relation(index, likes), ids_text(left));
  }
}

TEST(id_index, lists_are_empty_when_the_last_pair_left) {
  id_index index;
  insert_all(index);
  erase(index, make_pair_of(likes, bob));
  erase(index, make_pair_of(eats, bob));
  EXPECT_EQ(index.first_of_target(bob), nullptr);
  EXPECT_EQ(pairs_of_target(index, tom), "(300, 311) (301, 311)");
}

TEST(id_index, pair_with_itself_is_in_both_lists) {
  id_index index;
  index.insert(make_pair_of(likes, likes), nullptr);
  EXPECT_EQ(pairs_of_relation(index, likes), "(300, 300)");
  EXPECT_EQ(pairs_of_target(index, likes), "(300, 300)");
}

TEST(id_index, records_stay_where_they_are) {
  id_index index;
  const id_record* record = &index.insert(bob, nullptr);
  for (std::uint32_t i = 0; i < 5000; ++i) index.insert(make_pair_of(likes, i), nullptr);
  EXPECT_EQ(index.find(bob), record);
}

TEST(id_index, pairs_of_a_relation_share_a_group_and_plain_ids_have_their_own) {
  id_index index;
  EXPECT_EQ(&index.group_of(make_pair_of(likes, bob)), &index.group_of(make_pair_of(likes, tom)));
  EXPECT_NE(&index.group_of(make_pair_of(likes, bob)), &index.group_of(make_pair_of(eats, bob)));
  EXPECT_NE(&index.group_of(likes), &index.group_of(make_pair_of(likes, bob)));
}

TEST(id_index, group_counts_the_ids_that_have_a_record) {
  id_index index;
  insert_all(index);
  EXPECT_EQ(index.find_group(make_pair_of(likes, bob))->ids, 2u);
  erase(index, make_pair_of(likes, bob));
  EXPECT_EQ(index.find_group(make_pair_of(likes, bob))->ids, 1u);
}

TEST(id_index, unknown_group_is_not_made_by_looking) {
  const id_index index;
  EXPECT_EQ(index.find_group(likes), nullptr);
}

}  // namespace
