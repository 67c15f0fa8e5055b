// Queries that are made, nested and dropped anywhere, and what they leave behind.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

#include "support/rows.hpp"

namespace {

using kith::test::found;

struct Position {
  int x;
};
struct Npc {};

struct caching_lifetime : testing::Test {
  caching_lifetime() {
    for (int i = 0; i < 4; ++i) {
      auto e = world.entity(std::string(1, static_cast<char>('a' + i))).set(Position{i});
      if (i % 2) e.add<Npc>();
    }
  }
  // One of each kind: tables, kept rows, sorted, grouped, found by values.
  std::vector<kith::query<const Position>> every_kind() {
    const auto builder = [&] { return world.query_builder<const Position>(); };
    return {builder().build(), builder().cached().build(),
            builder().expr("?Position(up)").cached().build(),
            builder()
                .order_by<Position>([](const Position& a, const Position& b) { return a.x > b.x; })
                .build(),
            builder().group_by(kith::ChildOf).build()};
  }
  kith::world world;
};

TEST_F(caching_lifetime, a_query_may_be_dropped_while_it_is_iterated) {
  for (auto& made : every_kind()) {
    auto q = std::make_optional(std::move(made));
    made = {};
    for (int times = 0; times < 2; ++times) q->count();
    int rows = 0;
    const auto view = [&] {
      const auto& which = *q;
      which.each([&](kith::entity e, const Position& p) {
        q.reset();
        EXPECT_EQ(e.get<Position>(), &p);
        ++rows;
      });
    };
    view();
    EXPECT_EQ(rows, 4);
  }
}

TEST_F(caching_lifetime, a_query_nests_in_itself) {
  for (const auto& q : every_kind()) {
    for (int times = 0; times < 3; ++times) {
      int rows = 0;
      q.each([&](kith::entity outer, const Position& p) {
        world.entity();  // is there at once
        q.each([&](kith::entity, const Position& inner) { rows += inner.x >= 0; });
        EXPECT_EQ(q.count(), 4u);
        EXPECT_EQ(outer.get<Position>(), &p);
      });
      EXPECT_EQ(rows, 16);
    }
  }
}

TEST_F(caching_lifetime, a_nested_iteration_sees_the_world_as_it_was) {
  for (const auto& q : every_kind()) {
    const std::size_t before = q.count();
    q.each([&](kith::entity e, const Position&) {
      e.add<Npc>();
      world.entity().set(Position{7});
      EXPECT_EQ(q.count(), before);
    });
    EXPECT_EQ(q.count(), 2 * before);
  }
}

TEST_F(caching_lifetime, queries_may_be_made_in_callbacks) {
  std::vector<kith::query<const Position>> made;
  world.query<Position>().each([&](Position&) {
    for (auto& q : every_kind()) {
      EXPECT_EQ(q.count(), 4u);
      EXPECT_EQ(q.count(), 4u);
      made.push_back(q);
    }
  });
  world.lookup("a").destruct();
  for (const auto& q : made) EXPECT_EQ(found(q), "b c d");
}

TEST_F(caching_lifetime, an_iteration_may_be_left_by_break_or_a_throw) {
  for (const auto& q : every_kind()) {
    for (int times = 0; times < 3; ++times) {
      for (kith::iter& it : q) {
        EXPECT_GT(it.count(), 0u);
        break;
      }
      EXPECT_THROW(q.each([](const Position&) { throw 1; }), int);
      EXPECT_FALSE(world.is_deferred());
      EXPECT_EQ(q.count(), 4u);
    }
  }
}

TEST_F(caching_lifetime, handles_share_one_query) {
  auto q = world.query<const Position>();
  auto copy = q;
  q = {};
  EXPECT_EQ(copy.count(), 4u);
  EXPECT_EQ(q ? 1 : 0, 0);
}

// --- while values are made and unmade ------------------------------------------------------------

// Asks a query whenever one of its values is made, moved or ends.
struct Curious {
  Curious() { ask(); }
  explicit Curious(int) { ask(); }
  Curious(const Curious&) { ask(); }
  Curious(Curious&&) noexcept { ask(); }
  Curious& operator=(const Curious&) = default;
  Curious& operator=(Curious&&) = default;
  ~Curious() { ask(); }
  int value = 0;
  static void ask() {
    if (!asks) return;
    for (const auto& q : *asks) q.each([](kith::entity e) { seen += e.is_alive(); });
    ++asked;
  }
  inline static const std::vector<kith::query<const Position>>* asks = nullptr;
  inline static int asked = 0;
  inline static int seen = 0;
};

TEST_F(caching_lifetime, constructors_and_destructors_may_ask) {
  const auto queries = every_kind();
  for (const auto& q : queries) q.count();
  Curious::asks = &queries;
  Curious::asked = 0;
  auto e = world.entity("e").set(Position{5}).add<Curious>();
  world.lookup("a").emplace<Curious>(1);
  e.add<Npc>();
  e.clone();
  e.remove<Curious>();
  world.lookup("a").destruct();
  EXPECT_GT(Curious::asked, 5);
  EXPECT_GT(Curious::seen, 5);
  Curious::asks = nullptr;
  for (const auto& q : queries) EXPECT_EQ(q.count(), 5u);
}

// --- memory --------------------------------------------------------------------------------------

#ifndef KITH_SANITIZED
std::size_t in_use() {
  const auto all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

TEST_F(caching_lifetime, rounds_of_the_same_work_need_no_more_memory) {
  auto OnTeam = world.entity("OnTeam");
  const auto queries = every_kind();
  auto by_team = world.query_builder<const Position>().with(OnTeam, kith::param).cached().build();
  auto join = world.query("(OnTeam, $t), Npc($t)");
  const auto round = [&] {
    std::vector<kith::entity> made;
    for (int i = 0; i < 2000; ++i) {
      auto team = world.entity().add<Npc>();
      auto e = world.entity().set(Position{i}).add(OnTeam, team);
      if (i % 10 == 0) e.add(team);
      made.insert(made.end(), {team, e});
      if (i % 100) continue;
      for (const auto& q : queries) q.count();
      by_team.args(team).count();
      join.count();
    }
    for (const kith::entity& e : made) e.destruct();
    for (const auto& q : queries) EXPECT_EQ(q.count(), 4u);
    EXPECT_EQ(join.count(), 0u);
    by_team.args(world.lookup("a")).count();
  };
  round();
  round();
  const std::size_t before = in_use();
  for (int times = 0; times < 4; ++times) round();
  EXPECT_LT(in_use(), before + before / 10);
}

TEST_F(caching_lifetime, a_query_that_is_dropped_takes_its_memory_along) {
  for (int i = 0; i < 5000; ++i) world.entity().set(Position{i});
  const auto use_all = [&] {
    for (const auto& q : every_kind())
      for (int times = 0; times < 3; ++times) q.each([](const Position&) {});
  };
  use_all();
  const std::size_t before = in_use();
  for (int times = 0; times < 20; ++times) use_all();
  EXPECT_LT(in_use(), before + 100'000);
}
#endif

}  // namespace
