#include "storage/pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/lifecycle.hpp"
#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using namespace kith::test;
using kith::entity_t;

const type_info int_type(describe_type<int>(), 300);
const type_info boxed_type(describe_type<boxed_int>(), 302);
const type_info tracked_type(describe_type<tracked>(), 303);

void append(pool& p, entity_t e, int number) {
  ::new (p.slot(p.begin_row())) int(number);
  p.commit_row(e);
}

// Entities e1..en with the values 1..n.
struct pool_with_rows {
  pool p{&int_type};
  explicit pool_with_rows(int n) {
    for (int i = 1; i <= n; ++i) append(p, static_cast<entity_t>(i), i);
  }
};

TEST(pool, keeps_values_while_it_grows) {
  const pool_with_rows rows(100);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(*static_cast<int*>(rows.p.slot(row_index{i})), static_cast<int>(i + 1));
}

TEST(pool, row_that_is_not_committed_does_not_exist) {
  pool_with_rows rows(1);
  ::new (rows.p.slot(rows.p.begin_row())) int(9);
  EXPECT_EQ(to_text(rows.p), "e1=1");
}

TEST(pool, close_hole_fills_it_with_the_last_row) {
  pool_with_rows rows(3);
  EXPECT_EQ(rows.p.close_hole(row_index{0u}), 3u);
  EXPECT_EQ(to_text(rows.p), "e3=3; e2=2");
}

TEST(pool, close_hole_at_the_last_row_moves_nobody) {
  pool_with_rows rows(3);
  EXPECT_EQ(rows.p.close_hole(row_index{2u}), 0u);
  EXPECT_EQ(to_text(rows.p), "e1=1; e2=2");
}

TEST(pool, close_hole_carries_over_what_is_off) {
  pool_with_rows rows(3);
  rows.p.set_off(row_index{2u}, true);
  rows.p.close_hole(row_index{0u});
  EXPECT_EQ(to_text(rows.p), "e3=3 off; e2=2");
}

TEST(pool, new_row_in_an_old_place_is_on) {
  pool_with_rows rows(2);
  rows.p.set_off(row_index{1u}, true);
  rows.p.close_hole(row_index{1u});
  append(rows.p, 9, 9);
  EXPECT_EQ(to_text(rows.p), "e1=1; e9=9");
}

TEST(pool, row_can_be_switched_on_again) {
  pool_with_rows rows(2);
  rows.p.set_off(row_index{0u}, true);
  rows.p.set_off(row_index{0u}, false);
  EXPECT_EQ(to_text(rows.p), "e1=1; e2=2");
}

TEST(pool, of_an_id_without_data_has_entities_and_no_slots) {
  pool p(nullptr);
  p.begin_row();
  p.commit_row(5);
  EXPECT_EQ(to_text(p), "e5");
  EXPECT_EQ(p.slot(row_index{0u}), nullptr);
}

TEST(pool, is_empty_and_usable_after_forget_rows) {
  pool_with_rows rows(5);
  rows.p.set_off(row_index{0u}, true);
  rows.p.forget_rows();
  EXPECT_EQ(to_text(rows.p), "");
  append(rows.p, 8, 8);
  EXPECT_EQ(to_text(rows.p), "e8=8");
}

TEST(pool, boxed_values_stay_where_they_are_while_it_grows) {
  pool p(&boxed_type);
  construct_default(boxed_type, p.slot(p.begin_row()));
  p.commit_row(1);
  const void* value = boxed_type.value(p.slot(row_index{0u}));
  p.begin_rows(1000);
  EXPECT_EQ(boxed_type.value(p.slot(row_index{0u})), value);
}

TEST(pool, destroys_the_values_it_still_has) {
  ledger::clear();
  {
    pool p(&tracked_type);
    for (entity_t e = 1; e <= 9; ++e) {
      construct_default(tracked_type, p.slot(p.begin_row()));
      p.commit_row(e);
    }
    EXPECT_EQ(ledger::living(), 9u);
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

struct alignas(128) wide {
  char bytes[128];
};

TEST(pool, over_aligned_values_are_aligned_at_every_size) {
  const type_info type(describe_type<wide>(), 1);
  pool p(&type);
  for (entity_t e = 1; e <= 200; ++e) {
    const row_index row = p.begin_row();
    p.commit_row(e);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p.slot(row)) % 128, 0u) << e;
  }
}

// --- fixed addresses -----------------------------------------------------------------------------

std::vector<void*> addresses(const pool& p) {
  std::vector<void*> found;
  for (std::size_t i = 0; i < p.size(); ++i) found.push_back(p.slot(row_index{i}));
  return found;
}

TEST(pool, values_with_fixed_addresses_stay_where_they_are_while_it_grows) {
  pool p(&int_type);
  p.fix_addresses();
  append(p, 1, 1);
  append(p, 2, 2);
  const std::vector<void*> before = addresses(p);
  for (int i = 3; i <= 1000; ++i) append(p, static_cast<entity_t>(i), i);
  EXPECT_EQ(p.slot(row_index{0u}), before[0]);
  EXPECT_EQ(p.slot(row_index{1u}), before[1]);
  EXPECT_EQ(*static_cast<int*>(p.slot(row_index{999u})), 1000);
}

TEST(pool, a_hole_moves_the_row_and_not_its_value_if_addresses_are_fixed) {
  pool p(&int_type);
  p.fix_addresses();
  for (int i = 1; i <= 3; ++i) append(p, static_cast<entity_t>(i), i);
  void* const last = p.slot(row_index{2u});
  void* const first = p.slot(row_index{0u});
  EXPECT_EQ(p.close_hole(row_index{0u}), 3u);
  EXPECT_EQ(p.slot(row_index{0u}), last);
  EXPECT_EQ(to_text(p), "e3=3; e2=2");
  // The next value has the place that became free.
  append(p, 4, 4);
  EXPECT_EQ(p.slot(row_index{2u}), first);
  EXPECT_EQ(to_text(p), "e3=3; e2=2; e4=4");
}

TEST(pool, values_that_are_there_survive_that_addresses_are_fixed) {
  pool_with_rows rows(100);
  rows.p.set_off(row_index{7u}, true);
  rows.p.fix_addresses();
  EXPECT_FALSE(rows.p.is_dense());
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(*static_cast<int*>(rows.p.slot(row_index{i})), static_cast<int>(i + 1));
  EXPECT_TRUE(rows.p.is_off(row_index{7u}));
}

TEST(pool, values_with_fixed_addresses_live_once) {
  ledger::clear();
  {
    pool p(&tracked_type);
    p.fix_addresses();
    for (int i = 1; i <= 20; ++i) {
      ::new (p.slot(p.begin_row())) tracked(i);
      p.commit_row(static_cast<entity_t>(i));
    }
    destroy(tracked_type, p.slot(row_index{3u}), 1);
    p.close_hole(row_index{3u});
    EXPECT_EQ(ledger::living(), 19u);
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST(pool, values_without_addresses_of_their_own_are_dense) {
  pool tag(nullptr), boxed(&boxed_type);
  tag.fix_addresses();
  boxed.fix_addresses();
  EXPECT_TRUE(tag.is_dense());
  EXPECT_TRUE(boxed.is_dense());
}

}  // namespace
