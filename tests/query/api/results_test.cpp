// The ways to go through results: batches, the first, a count, a page.
#include <algorithm>
#include <ranges>

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::code_of;
using kith::test::found;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};

struct query_results : testing::Test {
  query_results() {
    for (int i = 0; i < 3; ++i) world.entity().set(Position{static_cast<float>(i), 0});
    for (int i = 3; i < 5; ++i)
      world.entity().set(Position{static_cast<float>(i), 0}).set(Velocity{1, 1});
  }
  static std::string text(float x) { return std::to_string(static_cast<int>(x)); }

  kith::world world;
  kith::test::words seen;
};

TEST_F(query_results, run_calls_once_and_steps_with_next) {
  int calls = 0;
  world.query<Position>().run([&](kith::iter& it) {
    ++calls;
    while (it.next()) {
      auto p = it.field<Position>(0);
      EXPECT_EQ(p.size(), it.count());
      for (auto i : it) seen += text(p[i].x);
    }
    EXPECT_FALSE(it.next());
    EXPECT_EQ(it.count(), 0u);
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(seen.str(), "0 1 2 3 4");
}

TEST_F(query_results, run_may_end_early) {
  world.query<Position>().run([&](kith::iter& it) { EXPECT_TRUE(it.next()); });
  EXPECT_FALSE(world.is_deferred());
}

TEST_F(query_results, iter_calls_per_batch_with_arrays) {
  world.query<Position>().iter([&](kith::iter& it, Position* p) {
    for (auto i : it) p[i].x += 1;
  });
  world.query<const Position, Velocity*>().iter(
      [&](kith::iter& it, const Position* p, const Velocity* v) {
        for (auto i : it) seen += text(p[i].x) + (v ? "v" : "");
      });
  EXPECT_EQ(seen.str(), "1 2 3 4v 5v");
}

TEST_F(query_results, batches_are_a_range) {
  std::size_t rows = 0;
  for (kith::iter& batch : world.query<Position>()) {
    auto p = batch.field<Position>(0);
    for (auto i : batch) seen += text(p[i].x);
    rows += batch.count();
  }
  EXPECT_EQ(seen.str(), "0 1 2 3 4");
  EXPECT_EQ(rows, 5u);
}

TEST_F(query_results, a_query_is_a_range_of_the_standard_library) {
  static_assert(std::ranges::input_range<kith::query<Position>>);
  static_assert(std::ranges::input_range<kith::query_view<>>);
  auto q = world.query<Position>();
  EXPECT_TRUE(std::ranges::any_of(q, [](kith::iter& batch) { return batch.count() > 0; }));
}

TEST_F(query_results, all_ways_agree) {
  auto q = world.query<Position>();
  std::size_t each = 0, run = 0, iter = 0, range = 0;
  q.each([&](Position&) { ++each; });
  q.run([&](kith::iter& it) {
    while (it.next()) run += it.count();
  });
  q.iter([&](kith::iter& it) { iter += it.count(); });
  for (auto& batch : q) range += batch.count();
  EXPECT_EQ(each, 5u);
  EXPECT_EQ(run, 5u);
  EXPECT_EQ(iter, 5u);
  EXPECT_EQ(range, 5u);
  EXPECT_EQ(q.count(), 5u);
}

TEST_F(query_results, a_query_without_results_calls_nothing) {
  auto q = world.query_builder<Position>().with(world.entity("Nobody")).build();
  q.each([](Position&) { FAIL(); });
  q.iter([](kith::iter&) { FAIL(); });
  for ([[maybe_unused]] auto& batch : q) FAIL();
  EXPECT_EQ(q.count(), 0u);
  EXPECT_FALSE(q.is_true());
  EXPECT_FALSE(q.first());
  EXPECT_TRUE(q.page(0, 10).empty());
}

TEST_F(query_results, first_is_the_entity_of_the_first_result) {
  auto q = world.query<Position>();
  kith::entity expected;
  q.each([&](kith::entity e) { expected = expected ? expected : e; });
  EXPECT_EQ(q.first(), expected);
}

TEST_F(query_results, find_takes_the_shapes_of_each) {
  auto q = world.query<Position>();
  const kith::entity third = q.find([](Position& p) { return p.x == 2; });
  ASSERT_TRUE(third);
  EXPECT_EQ(third.get<Position>()->x, 2);
  EXPECT_EQ(q.find([&](kith::entity e, Position&) { return e == third; }), third);
  EXPECT_EQ(
      q.find([&](kith::iter& it, std::size_t row, Position&) { return it.entity(row) == third; }),
      third);
  EXPECT_FALSE(q.find([](Position& p) { return p.x == 99; }));
  EXPECT_EQ(world.query("Position").find([&](kith::entity e) { return e == third; }), third);
}

TEST_F(query_results, find_stops_at_the_first) {
  int calls = 0;
  world.query<Position>().find([&](Position&) { return ++calls == 2; });
  EXPECT_EQ(calls, 2);
}

TEST_F(query_results, a_page_is_in_ascending_order_and_names_an_entity_once) {
  auto Likes = world.entity("Likes");
  std::vector<kith::entity> people;
  for (int i = 0; i < 6; ++i) people.push_back(world.entity());
  // Tables in another order than the entities.
  for (int i : {5, 1, 3, 0}) people[static_cast<std::size_t>(i)].add(Likes, people[2]);
  people[3].add(Likes, people[4]);
  auto q = world.query("(Likes, *)");
  EXPECT_EQ(q.count(), 5u);
  EXPECT_EQ(q.page(0, 10), (std::vector{people[0], people[1], people[3], people[5]}));
  EXPECT_EQ(q.page(1, 2), (std::vector{people[1], people[3]}));
  EXPECT_EQ(q.page(3, 2), (std::vector{people[5]}));
  EXPECT_TRUE(q.page(4, 2).empty());
  EXPECT_TRUE(q.page(0, 0).empty());
  EXPECT_EQ(q.page(1, static_cast<std::size_t>(-1)).size(), 3u);
}

// Q92
TEST_F(query_results, a_question_has_one_result_without_an_entity) {
  world.entity("bob").set(Position{1, 2});
  auto q = world.query("Position(bob)");
  EXPECT_TRUE(q.is_question());
  EXPECT_FALSE(q.has_this());
  EXPECT_EQ(q.count(), 1u);
  EXPECT_TRUE(q.is_true());
  EXPECT_FALSE(q.first());
  EXPECT_TRUE(q.page(0, 10).empty());
  q.each([](kith::entity e) { EXPECT_FALSE(e); });
  q.run([&](kith::iter& it) {
    ASSERT_TRUE(it.next());
    EXPECT_EQ(it.src(0), world.lookup("bob"));
    EXPECT_EQ(it.field_at<Position>(0, 0).x, 1);
  });
  EXPECT_EQ(world.query("Position(bob), Velocity(bob)").count(), 0u);
}

TEST_F(query_results, the_world_of_an_iterator_is_the_world) {
  world.entity("marker");
  world.query<Position>().run([&](kith::iter& it) {
    ASSERT_TRUE(it.next());
    EXPECT_EQ(it.world().lookup("marker"), world.lookup("marker"));
  });
}

TEST_F(query_results, a_handle_is_copied_and_outlives_the_original) {
  kith::query<Position> copy;
  EXPECT_FALSE(copy);
  {
    auto q = world.query<Position>();
    copy = q;
  }
  EXPECT_TRUE(copy);
  EXPECT_EQ(copy.count(), 5u);
  kith::query<> none;
  EXPECT_EQ(code_of([&] { none.count(); }), kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { none.each([](kith::entity) {}); }), kith::errc::not_alive);
}

TEST_F(query_results, results_follow_what_changes_between_iterations) {
  for (bool cached : {false, true}) {
    auto qb = world.filter_builder<Position>().with<Velocity>();
    if (cached) qb.cached();
    auto q = qb.build();
    EXPECT_EQ(q.count(), 2u);
    auto e = world.entity("new").set(Position{0, 0}).set(Velocity{0, 0});
    EXPECT_EQ(q.count(), 3u);
    e.remove<Velocity>();
    EXPECT_EQ(q.count(), 2u);
    e.destruct();
    EXPECT_EQ(q.count(), 2u);
  }
}

}  // namespace
