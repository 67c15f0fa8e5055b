// Queries of a world that limits their results and their time.
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Rank {
  int value;
};

struct limited_queries : testing::Test {
  kith::world world;
  kith::entity A = world.entity("A");

  limited_queries() {
    for (int i = 0; i < 100; ++i) world.entity().add(A).set(Rank{i % 7});
  }

  // How many results are seen, and whether an error ends the iteration.
  template <class Query>
  std::string seen(const Query& q) {
    std::size_t rows = 0;
    try {
      q.each([&](kith::iter&, std::size_t) { ++rows; });
    } catch (const kith::error& e) {
      EXPECT_EQ(e.code(), kith::errc::budget) << e.what();
      return std::to_string(rows) + " and more";
    }
    return std::to_string(rows);
  }
};

TEST_F(limited_queries, have_as_many_results_as_is_said) {
  world.limit_queries({.rows = 100});
  EXPECT_EQ(seen(world.query("A")), "100");
  EXPECT_EQ(seen(world.query("A($x)")), "100");
  EXPECT_EQ(world.query("A").count(), 100u);
}

TEST_F(limited_queries, end_after_so_many_results) {
  world.limit_queries({.rows = 30});
  for (const char* text : {"A", "A($x)", "A, !Prefab", "A || Rank", "A, A($x)", "A, ?(IsA, $b)"}) {
    EXPECT_EQ(seen(world.query(text)), "30 and more") << text;
    const auto q = world.query(text);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(seen(q), "30 and more") << text;
    EXPECT_THROW(q.count(), kith::error) << text;
    EXPECT_TRUE(q.is_true()) << text;
  }
}

TEST_F(limited_queries, tell_how_far_they_have_come) {
  for (int i = 0; i < 400; ++i) world.entity().add(A);
  auto q = world.filter("A($x), A($y)");
  std::vector<std::string> plans;
  std::size_t asked = 0;
  world.watch_queries(
      [&] {
        plans.push_back(q.plan());
        // What is asked here is not told of.
        asked = world.filter("A($x), A($y)").count();
      },
      std::chrono::milliseconds(0));
  EXPECT_EQ(q.count(), 250'000u);
  ASSERT_GE(plans.size(), 2u);
  EXPECT_NE(plans.front(), plans.back());
  EXPECT_EQ(asked, 250'000u);
  world.watch_queries({});
  const std::size_t calls = plans.size();
  EXPECT_EQ(q.count(), 250'000u);
  EXPECT_EQ(plans.size(), calls);
}

TEST_F(limited_queries, end_with_the_error_of_a_watcher) {
  for (int i = 0; i < 400; ++i) world.entity().add(A);
  world.watch_queries([] { throw std::runtime_error("enough"); }, std::chrono::milliseconds(0));
  EXPECT_THROW(world.filter("A($x), A($y)").count(), std::runtime_error);
  world.watch_queries({});
  EXPECT_EQ(world.filter("A($x), A($y)").count(), 250'000u);
}

TEST_F(limited_queries, say_which_limit_it_is) {
  world.limit_queries({.rows = 1'000});
  try {
    world.query("A($x), A($y)").count();
    FAIL();
  } catch (const kith::error& e) {
    EXPECT_STREQ(e.what(),
                 "the query has more than 1000 results, the limit that budget::rows sets");
  }
}

TEST_F(limited_queries, may_keep_what_they_are_allowed) {
  const auto kept = world.query_builder<>().expr("A, $this != $x, A($x)").cached().build();
  const auto few = world.query_builder<>().expr("A($x), $x == $y").cached().build();
  EXPECT_EQ(kept.count(), 9'900u);
  EXPECT_EQ(few.count(), 100u);
  world.limit_queries({.rows = 500});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(seen(kept), "500 and more");
    EXPECT_EQ(seen(few), std::to_string(100 + i));
    world.entity().add(A);
  }
  world.limit_queries({});
  EXPECT_EQ(kept.count(), 103u * 102);
}

TEST_F(limited_queries, end_before_they_sort_too_much) {
  const auto sorted =
      world.query_builder<const Rank>()
          .order_by<Rank>([](const Rank& a, const Rank& b) { return a.value < b.value; })
          .build();
  world.limit_queries({.rows = 99});
  EXPECT_EQ(seen(sorted), "0 and more");
  world.limit_queries({.rows = 100});
  EXPECT_EQ(seen(sorted), "100");
}

TEST_F(limited_queries, count_for_themselves_inside_others) {
  world.limit_queries({.rows = 150, .seconds = 100});
  std::size_t rows = 0;
  world.query("A").each([&](kith::entity) { rows += world.query("A($x)").count(); });
  EXPECT_EQ(rows, 10'000u);
}

TEST_F(limited_queries, end_when_their_time_is_up) {
  world.limit_queries({.seconds = 0.01});
  EXPECT_EQ(seen(world.query("A")), "100");
  // All combinations take seconds.
  try {
    world.query("A($a), A($b), A($c), A($d)").count();
    FAIL();
  } catch (const kith::error& e) {
    EXPECT_STREQ(e.what(),
                 "the query takes more than 0.01 seconds, the limit that budget::seconds sets");
  }
}

TEST_F(limited_queries, are_those_of_threads_that_read_too) {
  world.limit_queries({.rows = 10});
  const auto q = world.query("A");
  world.readonly_begin();
  std::string found;
  std::thread reader([&] { found = seen(q); });
  reader.join();
  world.readonly_end();
  EXPECT_EQ(found, "10 and more");
}

TEST_F(limited_queries, are_unlimited_again) {
  world.limit_queries({.rows = 1, .seconds = 1e-9});
  EXPECT_THROW(world.query("A").count(), kith::error);
  world.limit_queries({});
  EXPECT_EQ(world.query("A").count(), 100u);
}

}  // namespace
