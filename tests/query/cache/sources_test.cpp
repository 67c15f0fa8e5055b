// Whichever source results come from, they are the same.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/checked.hpp"
#include "support/rows.hpp"

namespace {

using kith::core::shortcuts;

struct Position {
  int x;
};

struct sources : testing::Test {
  sources() {
    for (int i = 0; i < 40; ++i) {
      kith::entity e = world.entity(("e" + std::to_string(i)).c_str()).set(Position{i});
      if (i % 2) e.add(world.entity("Odd"));
      e.add(world.entity("Likes"), world.entity(i % 3 ? "x" : "y"));
    }
    world.lookup("x").add(world.entity("Big"));
  }

  shortcuts& open() { return world.engine().state().shortcuts; }

  // All there is to see of a query, batches aside: rows with variables, ids, sources and values.
  static std::string all_of(const kith::query_view<const Position>& q) {
    std::vector<std::string> rows;
    q.run([&](kith::iter& it) {
      while (it.next()) {
        const auto field = it.field<const Position>(0);
        for (auto row : it)
          rows.push_back(std::string(it.entity(row).name()) + "/" + it.id(1).str() + "/" +
                         std::to_string(field[row].x));
      }
    });
    return kith::test::joined(std::move(rows));
  }
  kith::query<const Position> query(const char* text) {
    return world.query_builder<const Position>().expr(text).build();
  }

  kith::world world;
};

TEST_F(sources, give_the_same_rows_whichever_is_chosen) {
  for (const char* text : {"Odd", "(Likes, x)", "(Likes, $t)", "(Likes, $t), Big($t)"}) {
    SCOPED_TRACE(text);
    open() = {};
    const std::string expected = all_of(query(text));
    EXPECT_FALSE(expected.empty());
    for (bool shortcuts::*closed : {&shortcuts::tables, &shortcuts::rows, &shortcuts::batches,
                                    &shortcuts::scans, &shortcuts::lists}) {
      open() = {};
      open().*closed = false;
      const auto q = query(text);
      for (int times = 0; times < 4; ++times) EXPECT_EQ(all_of(q), expected);
    }
  }
}

TEST_F(sources, look_given_values_up_as_a_plan_finds_them) {
  const auto q = query("(Likes, $t), Odd || !Big");
  const kith::entity x = world.lookup("x"), y = world.lookup("y");
  for (kith::entity t : {x, y}) {
    open().index = false;
    const std::string expected = all_of(q.set_var("t", t));
    open().index = true;
    for (int times = 0; times < 4; ++times) EXPECT_EQ(all_of(q.set_var("t", t)), expected);
  }
}

TEST_F(sources, sort_and_group_what_a_plan_finds) {
  auto order = [](const Position& a, const Position& b) { return a.x > b.x; };
  const auto q = world.query_builder<const Position>()
                     .expr("(Likes, $t), Big($t)")
                     .order_by<Position>(order)
                     .build();
  for (int times = 0; times < 3; ++times) {
    int last = 1000;
    std::size_t rows = 0;
    q.each([&](const Position& p) {
      EXPECT_LT(p.x, last);
      last = p.x;
      ++rows;
    });
    EXPECT_EQ(rows, 26u);
  }
}

// --- results that are recorded -------------------------------------------------------------------

struct recording : sources {
  // How many results the steps of a plan have let through so far.
  static std::size_t results_of(const kith::query<>& q) {
    const std::string plan = q.plan();
    const std::size_t at = plan.find("result  // ");
    return static_cast<std::size_t>(std::stoul(plan.substr(at + 11)));
  }
  static bool is_kept(const kith::query<>& q) {
    return q.plan().find("kept  // ") != std::string::npos;
  }
  kith::query<> joined = world.query("(Likes, $t), Big($t), Position");
};

TEST_F(recording, does_not_make_the_first_row_wait_for_the_last) {
  const std::size_t all = joined.count();
  ASSERT_EQ(results_of(joined), all);
  std::size_t rows = 0;
  joined.run([&](kith::iter& it) {
    while (it.next()) {
      rows += it.count();
      EXPECT_EQ(results_of(joined), all + rows);
    }
  });
  EXPECT_EQ(rows, all);
  EXPECT_TRUE(is_kept(joined));
  EXPECT_EQ(joined.count(), all);
  EXPECT_EQ(results_of(joined), 2 * all) << "the third run passes no step";
}

TEST_F(recording, keeps_nothing_of_a_run_that_ends_early) {
  joined.count();
  joined.run([](kith::iter& it) { it.next(); });
  EXPECT_FALSE(is_kept(joined));
  EXPECT_EQ(joined.count(), 26u);
  EXPECT_TRUE(is_kept(joined));
}

TEST_F(recording, sees_entities_that_are_made_meanwhile) {
  const kith::query<> q = world.query("!Odd, !Big, !Likes(_, $this)");
  const std::size_t before = q.count();
  bool made = false;
  q.run([&](kith::iter& it) {
    while (it.next())
      if (!std::exchange(made, true)) world.entity("late");
  });
  for (int times = 0; times < 3; ++times) EXPECT_EQ(q.count(), before + 1);
}

TEST_F(recording, is_right_after_every_change_with_upkeep_and_without) {
  for (const bool upkeep : {true, false}) {
    open().upkeep = open().repair = upkeep;
    const kith::query<> q = world.query_builder<>().expr("(Likes, $t), $t != y").cached().build();
    q.count();
    ASSERT_TRUE(is_kept(q));
    const std::size_t rows = q.count(), steps = results_of(q);
    world.lookup("e0").add(world.lookup("Likes"), world.lookup("x"));
    EXPECT_EQ(q.count(), rows + 1);
    // Entity by entity a plan for one of them is run; otherwise the plan of the query is run again.
    EXPECT_EQ(results_of(q), upkeep ? steps : steps + rows + 1);
    world.lookup("e0").remove(world.lookup("Likes"), world.lookup("x"));
    EXPECT_EQ(q.count(), rows);
  }
}

}  // namespace
