#include "storage/table.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <kith/detail/error.hpp>

#include "support/lifecycle.hpp"
#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using namespace kith::test;
using kith::entity_t;
using kith::id_t;

const type_info int_type(describe_type<int>(), 300);
const type_info text_type(describe_type<std::string>(), 301);
const type_info boxed_type(describe_type<boxed_int>(), 302);
const type_info tracked_type(describe_type<tracked>(), 303);

// Ids 300 (int), 301 (text), 310 (a tag).
std::unique_ptr<table> empty_table() {
  return std::make_unique<table>(table_id{1u}, std::vector<id_t>{300, 301, 310},
                                 std::vector<const type_info*>{&int_type, &text_type, nullptr});
}

void append(table& t, entity_t e, int number) {
  const row_index row = t.begin_row();
  ::new (t.find_column(300)->slot(row)) int(number);
  if (const column* c = t.find_column(301))
    ::new (c->slot(row)) std::string("text number " + std::to_string(number) + ", long enough");
  t.commit_row(e);
}

// Entities e1..en with the numbers 1..n.
std::unique_ptr<table> table_with_rows(int n) {
  auto t = empty_table();
  for (int i = 1; i <= n; ++i) append(*t, static_cast<entity_t>(i), i);
  return t;
}

// Only the numbers: "e1=1 e2=2".
std::string numbers_in(const table& t) {
  std::string text;
  for (std::size_t i = 0; i < t.size(); ++i)
    text += concat(i ? " e" : "e", std::to_string(t.entities()[i]), "=",
                   std::to_string(*static_cast<int*>(t.find_column(300)->slot(row_index{i}))));
  return text;
}

std::unique_ptr<table> table_of_ids(std::vector<id_t> ids) {
  const std::vector<const type_info*> types(ids.size());
  return std::make_unique<table>(table_id{1u}, std::move(ids), types);
}

// --- ids -----------------------------------------------------------------------------------------

// R121: Npc, (Likes, Apples), (Likes, Pears), (Likes, Bananas), (Eats, Apples), (Eats, Pears)
constexpr std::uint32_t apples = 300, pears = 301, bananas = 302, npc = 310, likes = 320,
                        eats = 330;

std::unique_ptr<table> fruit_table() {
  return table_of_ids({npc, make_pair_of(likes, apples), make_pair_of(likes, pears),
                       make_pair_of(likes, bananas), make_pair_of(eats, apples),
                       make_pair_of(eats, pears)});
}

TEST(table, pairs_of_a_relation_start_at_its_first_pair_and_count_all) {
  const id_range likes_any = fruit_table()->pairs_of(likes);
  EXPECT_EQ(likes_any.first, 1u);
  EXPECT_EQ(likes_any.count, 3u);
}

TEST(table, pairs_of_the_last_relation_reach_the_end) {
  const id_range eats_any = fruit_table()->pairs_of(eats);
  EXPECT_EQ(eats_any.first, 4u);
  EXPECT_EQ(eats_any.count, 2u);
}

TEST(table, pairs_of_a_relation_it_lacks_are_none) {
  EXPECT_EQ(fruit_table()->pairs_of(likes + 1).count, 0u);
  EXPECT_EQ(fruit_table()->pairs_of(npc).count, 0u);
  EXPECT_EQ(table_of_ids({})->pairs_of(likes).count, 0u);
}

TEST(table, has_its_ids_and_no_others_however_many_they_are) {
  for (id_t n : {0, 1, 15, 16, 17, 18, 100}) {
    std::vector<id_t> ids;
    for (id_t i = 1; i <= n; ++i) ids.push_back(i * 2);
    const auto t = table_of_ids(ids);
    for (id_t i = 0; i <= 2 * n + 1; ++i)
      EXPECT_EQ(t->has(i), i > 0 && i % 2 == 0 && i <= 2 * n) << i << " of " << n;
  }
}

TEST(table, finds_the_columns_of_ids_with_data_however_many_they_are) {
  for (id_t n : {1, 15, 16, 17, 18, 100}) {
    std::vector<id_t> ids;
    std::vector<const type_info*> types;
    for (id_t i = 1; i <= n; ++i) {
      ids.push_back(i * 2);
      types.push_back(i % 3 ? &int_type : nullptr);
    }
    const table t(table_id{1u}, ids, types);
    for (id_t i = 0; i <= 2 * n + 1; ++i) {
      const bool has_data = i > 0 && i % 2 == 0 && i <= 2 * n && i / 2 % 3;
      EXPECT_EQ(t.find_column(i) != nullptr, has_data) << i << " of " << n;
    }
  }
}

// --- rows ----------------------------------------------------------------------------------------

TEST(table, row_that_is_not_committed_does_not_exist) {
  auto t = table_with_rows(1);
  ::new (t->find_column(300)->slot(t->begin_row())) int(9);
  EXPECT_EQ(numbers_in(*t), "e1=1");
}

TEST(table, rows_keep_their_values_while_the_table_grows) {
  auto t = table_with_rows(100);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(*static_cast<std::string*>(t->find_column(301)->slot(row_index{i})),
              "text number " + std::to_string(i + 1) + ", long enough");
}

TEST(table, begin_rows_makes_room_for_all) {
  auto t = table_with_rows(3);
  const row_index first = t->begin_rows(1000);
  EXPECT_EQ(first, row_index{3u});
  const void* slot = t->find_column(300)->slot(first);
  for (int i = 4; i <= 1003; ++i) append(*t, static_cast<entity_t>(i), i);
  EXPECT_EQ(t->find_column(300)->slot(first), slot);
}

TEST(table, close_hole_fills_it_with_the_last_row) {
  auto t = table_with_rows(3);
  t->destroy_row(row_index{0u});
  EXPECT_EQ(t->close_hole(row_index{0u}), 3u);
  EXPECT_EQ(to_text(*t),
            "e3 300=3 301=text number 3, long enough; e2 300=2 301=text number 2, long enough");
}

TEST(table, close_hole_at_the_last_row_moves_nobody) {
  auto t = table_with_rows(3);
  t->destroy_row(row_index{2u});
  EXPECT_EQ(t->close_hole(row_index{2u}), 0u);
  EXPECT_EQ(numbers_in(*t), "e1=1 e2=2");
}

TEST(table, close_hole_of_the_only_row_leaves_an_empty_table) {
  auto t = table_with_rows(1);
  t->destroy_row(row_index{0u});
  EXPECT_EQ(t->close_hole(row_index{0u}), 0u);
  EXPECT_EQ(t->size(), 0u);
}

TEST(table, empty_table_gives_its_memory_back_and_can_be_filled_again) {
  auto t = table_with_rows(1);
  t->destroy_row(row_index{0u});
  t->close_hole(row_index{0u});
  t->release_memory();
  append(*t, 7, 7);
  EXPECT_EQ(numbers_in(*t), "e7=7");
}

TEST(table, boxed_values_stay_where_they_are_while_the_table_grows) {
  table t(table_id{1u}, {302}, {&boxed_type});
  construct_default(boxed_type, t.columns()[0].slot(t.begin_row()));
  t.commit_row(1);
  const void* value = boxed_type.value(t.columns()[0].slot(row_index{0u}));
  t.begin_rows(1000);
  EXPECT_EQ(boxed_type.value(t.columns()[0].slot(row_index{0u})), value);
}

TEST(table, destroys_the_values_it_still_has) {
  ledger::clear();
  {
    table t(table_id{1u}, {303}, {&tracked_type});
    for (entity_t e = 1; e <= 9; ++e) {
      construct_default(tracked_type, t.columns()[0].slot(t.begin_row()));
      t.commit_row(e);
    }
    EXPECT_EQ(ledger::living(), 9u);
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST(table, runs_user_code_only_if_a_column_does) {
  EXPECT_FALSE(table(table_id{1u}, {300, 310}, {&int_type, nullptr}).runs_user_code());
  EXPECT_TRUE(table(table_id{1u}, {300, 303}, {&int_type, &tracked_type}).runs_user_code());
}

// --- alignment -----------------------------------------------------------------------------------

template <std::size_t Alignment>
struct alignas(Alignment) block {
  char bytes[Alignment];
};

bool is_aligned(const void* p, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(p) % alignment == 0;
}

TEST(table, over_aligned_columns_are_aligned_at_every_size) {
  const type_info by_1(describe_type<char>(), 1), by_64(describe_type<block<64>>(), 2),
      by_128(describe_type<block<128>>(), 3);
  table t(table_id{1u}, {1, 2, 3, 4}, {&by_1, &by_64, &by_1, &by_128});
  for (entity_t e = 1; e <= 200; ++e) {
    const row_index row = t.begin_row();
    t.commit_row(e);
    ASSERT_TRUE(is_aligned(t.find_column(2)->slot(row), 64)) << e;
    ASSERT_TRUE(is_aligned(t.find_column(4)->slot(row), 128)) << e;
    ASSERT_TRUE(is_aligned(t.entities().data(), alignof(entity_t)));
  }
}

TEST(table, columns_do_not_overlap) {
  const type_info by_1(describe_type<char>(), 1), by_64(describe_type<block<64>>(), 2);
  for (std::size_t rows : {1, 4, 5, 63, 64, 65}) {
    table t(table_id{1u}, {1, 2, 3}, {&by_1, &by_64, &by_1});
    t.begin_rows(rows);
    const auto begin = [&](std::size_t i) { return t.columns()[i].data; };
    const auto end = [&](std::size_t i) {
      return begin(i) + rows * t.columns()[i].type->slot_size();
    };
    EXPECT_LE(end(0), begin(1)) << rows;
    EXPECT_LE(end(1), begin(2)) << rows;
  }
}

// --- toggles -------------------------------------------------------------------------------------

TEST(table, ids_of_a_row_can_be_off_one_by_one) {
  auto t = table_with_rows(2);
  t->set_off(310, row_index{1u}, true);
  EXPECT_FALSE(t->is_off(310, row_index{0u}));
  EXPECT_TRUE(t->is_off(310, row_index{1u}));
  EXPECT_FALSE(t->is_off(300, row_index{1u}));
}

TEST(table, close_hole_carries_over_what_is_off) {
  auto t = table_with_rows(3);
  t->set_off(300, row_index{2u}, true);
  t->set_off(310, row_index{0u}, true);
  t->destroy_row(row_index{0u});
  t->close_hole(row_index{0u});
  EXPECT_TRUE(t->is_off(300, row_index{0u}));
  EXPECT_FALSE(t->is_off(310, row_index{0u}));
}

TEST(table, new_row_in_an_old_place_is_on) {
  auto t = table_with_rows(2);
  t->set_off(300, row_index{1u}, true);
  t->destroy_row(row_index{1u});
  t->close_hole(row_index{1u});
  append(*t, 9, 9);
  EXPECT_FALSE(t->is_off(300, row_index{1u}));
}

TEST(table, copy_toggles_takes_only_ids_it_has) {
  auto from = table_with_rows(1);
  from->set_off(300, row_index{0u}, true);
  from->set_off(310, row_index{0u}, true);
  table to(table_id{2u}, {310, 311}, {nullptr, nullptr});
  to.copy_toggles(row_index{0u}, *from, row_index{0u});
  EXPECT_TRUE(to.is_off(310, row_index{0u}));
  EXPECT_FALSE(to.is_off(300, row_index{0u}));
}

}  // namespace
