#include "ids/entity_index.hpp"

#include <fstream>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace kith::core;
using kith::entity_t;

constexpr std::uint32_t far_index = std::uint32_t{1} << 30;

TEST(entity_index, first_entity_has_the_first_user_index_and_generation_zero) {
  entity_index index;
  EXPECT_EQ(index.create(), make_entity(first_user_index, 0));
}

TEST(entity_index, null_is_never_alive) {
  entity_index index;
  index.create();
  EXPECT_FALSE(index.is_alive(0));
  EXPECT_FALSE(index.make_alive(0));
}

TEST(entity_index, created_entities_differ_and_are_alive) {
  entity_index index;
  std::vector<entity_t> all;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    all.push_back(index.create());
    ASSERT_EQ(index_of(all.back()), first_user_index + i);
  }
  for (entity_t e : all) EXPECT_TRUE(index.is_alive(e));
  EXPECT_EQ(index.size(), 3000u);
}

TEST(entity_index, what_has_more_bits_than_an_entity_is_not_alive) {
  entity_index index;
  const entity_t living = index.create(), gone = index.create();
  index.destroy(gone);
  for (unsigned bit = 32 + generation_bits; bit < 64; ++bit) {
    const entity_t more = entity_t{1} << bit;
    EXPECT_FALSE(index.is_alive(living | more)) << bit;
    EXPECT_FALSE(index.is_alive(gone | more)) << bit;
    EXPECT_FALSE(index.is_alive((gone | more) + (entity_t{1} << 32))) << bit;
    EXPECT_FALSE(index.is_alive(living - more)) << bit;
    EXPECT_FALSE(index.make_alive(make_entity(9000, 0) | more)) << bit;
  }
}

TEST(entity_index, deleted_entity_is_not_alive) {
  entity_index index;
  const entity_t e = index.create();
  index.destroy(e);
  EXPECT_FALSE(index.is_alive(e));
  EXPECT_EQ(index.find(e), nullptr);
  EXPECT_EQ(index.size(), 0u);
}

TEST(entity_index, deleted_index_comes_back_with_the_next_generation) {
  entity_index index;
  const entity_t old = index.create();
  index.destroy(old);
  const entity_t fresh = index.create();
  EXPECT_EQ(fresh, make_entity(index_of(old), 1));
  EXPECT_FALSE(index.is_alive(old));
}

TEST(entity_index, index_deleted_last_comes_back_first) {
  entity_index index;
  const entity_t a = index.create(), b = index.create();
  index.destroy(a);
  index.destroy(b);
  EXPECT_EQ(index_of(index.create()), index_of(b));
  EXPECT_EQ(index_of(index.create()), index_of(a));
}

TEST(entity_index, new_life_of_an_index_has_no_flags_of_the_old_one) {
  entity_index index;
  const entity_t old = index.create();
  entity_record& r = *index.find(old);
  r.referenced = true;
  r.named = true;
  r.loose = 9;
  index.destroy(old);
  const entity_record& again = *index.find(index.create());
  EXPECT_FALSE(again.referenced);
  EXPECT_FALSE(again.named);
  EXPECT_EQ(again.loose, 0u);
}

TEST(entity_index, records_never_move) {
  entity_index index;
  const entity_t e = index.create();
  const entity_record* before = index.find(e);
  for (int i = 0; i < 10'000; ++i) index.create();
  EXPECT_EQ(index.find(e), before);
}

TEST(entity_index, alive_at_tells_the_present_generation) {
  entity_index index;
  const entity_t old = index.create();
  index.destroy(old);
  EXPECT_EQ(index.alive_at(index_of(old)), 0u);
  const entity_t fresh = index.create();
  EXPECT_EQ(index.alive_at(index_of(old)), fresh);
}

TEST(entity_index, alive_at_is_null_for_an_index_never_used) {
  entity_index index;
  EXPECT_EQ(index.alive_at(first_user_index), 0u);
  EXPECT_EQ(index.alive_at(0xffff'ffff), 0u);
  index.make_alive(make_entity(far_index, 0));
  EXPECT_EQ(index.alive_at(far_index / 2), 0u);
}

// --- ids given from outside ----------------------------------------------------------------------

TEST(entity_index, make_alive_gives_life_to_that_very_id) {
  entity_index index;
  const entity_t e = make_entity(5000, 7);
  EXPECT_TRUE(index.make_alive(e));
  EXPECT_TRUE(index.is_alive(e));
  EXPECT_FALSE(index.is_alive(make_entity(5000, 6)));
  EXPECT_EQ(index.size(), 1u);
}

TEST(entity_index, make_alive_of_a_living_entity_changes_nothing) {
  entity_index index;
  const entity_t e = index.create();
  EXPECT_TRUE(index.make_alive(e));
  EXPECT_EQ(index.size(), 1u);
}

TEST(entity_index, make_alive_refuses_another_generation_of_a_living_index) {
  entity_index index;
  const entity_t e = index.create();
  EXPECT_FALSE(index.make_alive(make_entity(index_of(e), 1)));
  EXPECT_TRUE(index.is_alive(e));
}

TEST(entity_index, make_alive_refuses_what_is_no_entity) {
  entity_index index;
  EXPECT_FALSE(index.make_alive(make_pair_of(300, 301)));
  EXPECT_FALSE(index.make_alive(make_entity(max_index + 1, 0)));
  EXPECT_FALSE(index.make_alive(entity_t{1} << 62 | 300));
  EXPECT_EQ(index.size(), 0u);
}

TEST(entity_index, create_skips_a_fresh_index_that_was_made_alive) {
  entity_index index;
  index.make_alive(make_entity(first_user_index, 0));
  EXPECT_EQ(index.create(), make_entity(first_user_index + 1, 0));
}

TEST(entity_index, create_skips_a_fresh_index_that_lived_and_was_deleted_with_another_generation) {
  entity_index index;
  const entity_t given = make_entity(first_user_index, 4);
  index.make_alive(given);
  index.destroy(given);
  EXPECT_EQ(index.create(), make_entity(first_user_index, 5));
  EXPECT_EQ(index.create(), make_entity(first_user_index + 1, 0));
}

// The list of dead indices still has an entry for an index that make_alive took.
TEST(entity_index, create_does_not_hand_out_an_index_that_make_alive_took) {
  entity_index index;
  const entity_t old = index.create();
  index.destroy(old);
  const entity_t taken = make_entity(index_of(old), 1);
  index.make_alive(taken);
  EXPECT_NE(index_of(index.create()), index_of(taken));
  EXPECT_TRUE(index.is_alive(taken));
}

TEST(entity_index, stale_entries_never_give_an_id_that_was_alive_before) {
  entity_index index;
  const entity_t old = index.create();
  index.destroy(old);  // waits as generation 1
  const entity_t later = make_entity(index_of(old), 9);
  index.make_alive(later);
  index.destroy(later);  // waits as generation 10
  EXPECT_EQ(index.create(), make_entity(index_of(old), 10));
  EXPECT_EQ(index.create(), make_entity(index_of(old) + 1, 0));
}

TEST(entity_index, index_deleted_twice_in_one_generation_is_handed_out_once) {
  entity_index index;
  const entity_t e = index.create();
  index.destroy(e);
  index.make_alive(e);  // the same life again, from outside
  index.destroy(e);
  const entity_t first = index.create(), second = index.create();
  EXPECT_NE(index_of(first), index_of(second));
}

TEST(entity_index, index_whose_generations_are_used_up_retires) {
  entity_index index;
  const entity_t last = make_entity(first_user_index, max_generation);
  EXPECT_TRUE(index.make_alive(last));
  index.destroy(last);
  for (int i = 0; i < 100; ++i) EXPECT_NE(index_of(index.create()), index_of(last));
}

TEST(entity_index, last_generation_but_one_is_followed_by_the_last) {
  entity_index index;
  const entity_t e = make_entity(first_user_index, max_generation - 1);
  index.make_alive(e);
  index.destroy(e);
  EXPECT_EQ(index.create(), make_entity(first_user_index, max_generation));
}

// The bytes of memory in use; 0 on systems that do not report them.
std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

TEST(entity_index, far_index_does_not_take_memory_for_those_before_it) {
  const std::size_t before = resident_bytes();
  entity_index index;
  EXPECT_TRUE(index.make_alive(make_entity(far_index, 0)));
  EXPECT_LT(resident_bytes(), before + (std::size_t{256} << 20));
}

TEST(entity_index, far_index_leaves_the_next_fresh_index_alone) {
  entity_index index;
  EXPECT_TRUE(index.make_alive(make_entity(far_index, 3)));
  EXPECT_TRUE(index.make_alive(make_entity(max_index, 0)));
  EXPECT_TRUE(index.is_alive(make_entity(far_index, 3)));
  EXPECT_FALSE(index.is_alive(make_entity(far_index - 100'000, 0)));
  EXPECT_EQ(index_of(index.create()), first_user_index);
}

}  // namespace
