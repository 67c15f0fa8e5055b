#include <gtest/gtest.h>

#include <kith/detail/builtins.hpp>

namespace {

using namespace kith::core;

TEST(id, entity_keeps_index_and_generation) {
  const kith::entity_t e = make_entity(0x105, 2);
  EXPECT_EQ(e, 0x2'0000'0105u);
  EXPECT_EQ(index_of(e), 0x105u);
  EXPECT_EQ(generation_of(e), 2u);
}

TEST(id, pair_keeps_relation_and_target) {
  const kith::id_t likes_bob = make_pair_of(300, 301);
  EXPECT_TRUE(is_pair(likes_bob));
  EXPECT_EQ(relation_of(likes_bob), 300u);
  EXPECT_EQ(target_of(likes_bob), 301u);
}

TEST(id, pair_of_the_largest_indices_keeps_both) {
  const kith::id_t p = make_pair_of(max_index, 0xffff'ffff);
  EXPECT_EQ(relation_of(p), max_index);
  EXPECT_EQ(target_of(p), 0xffff'ffffu);
}

TEST(id, pair_forgets_generations) {
  EXPECT_EQ(make_pair(make_entity(300, 5), make_entity(301, 6)), make_pair_of(300, 301));
}

TEST(id, entity_of_the_last_generation_is_no_pair) {
  EXPECT_FALSE(is_pair(make_entity(0xffff'ffff, max_generation)));
}

// Plain ids come first, and the pairs of one relation are neighbours whatever their targets.
TEST(id, order_puts_entities_before_pairs_and_groups_pairs_by_relation) {
  EXPECT_LT(make_entity(0xffff'ffff, max_generation), make_pair_of(1, 1));
  EXPECT_LT(make_pair_of(1, 0xffff'ffff), make_pair_of(2, 0));
}

TEST(id, builtin_entities_are_below_the_first_user_index) {
  EXPECT_TRUE(is_builtin(kith::ChildOf));
  EXPECT_TRUE(is_builtin(kith::BuiltinScope));
  EXPECT_TRUE(is_builtin(first_user_index - 1));
  EXPECT_FALSE(is_builtin(first_user_index));
}

}  // namespace
