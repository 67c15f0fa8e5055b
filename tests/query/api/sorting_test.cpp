// Results in an order that the query asks for.
#include <algorithm>
#include <compare>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "query/api/in_order.hpp"
#include "support/rows.hpp"

namespace {

using kith::entity_t;
using kith::test::code_of;
using kith::test::in_order;

struct Position {
  int x;
  friend auto operator<=>(const Position&, const Position&) = default;
};
struct Velocity {
  int x;
};
struct Mass {
  int kg;
};
struct Npc {};

int compare_x(entity_t, const Position* a, entity_t, const Position* b) {
  return (a->x > b->x) - (a->x < b->x);
}
int compare_any_x(entity_t, const void* a, entity_t, const void* b) {
  return compare_x(0, static_cast<const Position*>(a), 0, static_cast<const Position*>(b));
}
bool less_x(const Position& a, const Position& b) { return a.x < b.x; }

struct sorting : testing::Test {
  kith::entity at(const char* name, int x) { return world.entity(name).set(Position{x}); }
  kith::world world;
};

// --- ways to say it ------------------------------------------------------------------------------

// Q45 Q46 Q55 C8
TEST_F(sorting, compares_entities_and_values) {
  at("c", 3), at("a", 1), at("b", 2);
  auto q = world.query_builder<const Position>().order_by<Position>(compare_x).build();
  EXPECT_EQ(in_order(q), "a b c");
  std::vector<int> values;
  q.each([&](const Position& p) { values.push_back(p.x); });
  EXPECT_EQ(values, (std::vector{1, 2, 3}));
  EXPECT_EQ(in_order(world.query_builder<const Position>()
                         .order_by<Position>([](entity_t, const Position* a, entity_t,
                                                const Position* b) { return b->x - a->x; })
                         .build()),
            "c b a");
}

// C53
TEST_F(sorting, takes_what_says_less_and_what_says_three_ways) {
  at("c", 3), at("a", 1), at("b", 2);
  const auto sorted = [&](auto compare) {
    return in_order(world.query_builder().with<Position>().order_by<Position>(compare).build());
  };
  EXPECT_EQ(sorted(less_x), "a b c");
  EXPECT_EQ(sorted(std::less<Position>()), "a b c");
  EXPECT_EQ(sorted([](const Position& a, const Position& b) { return a.x > b.x; }), "c b a");
  EXPECT_EQ(sorted([](const Position& a, const Position& b) { return a <=> b; }), "a b c");
  EXPECT_EQ(sorted([](const Position& a, const Position& b) {
              return static_cast<double>(a.x) <=> static_cast<double>(b.x);
            }),
            "a b c");
  EXPECT_EQ(sorted([](const Position& a, const Position& b) { return b.x - a.x; }), "c b a");
}

// C8
TEST_F(sorting, by_an_id_that_is_known_at_run_time) {
  at("c", 3), at("a", 1), at("b", 2);
  EXPECT_EQ(in_order(world.query_builder()
                         .with<Position>()
                         .order_by(world.id<Position>(), compare_any_x)
                         .build()),
            "a b c");
  world.entity("apples");
  for (const char* name : {"a", "b", "c"})
    world.lookup(name).set<Velocity>(world.lookup("apples"), {name[0] == 'b' ? 0 : 1});
  const auto compare = [](entity_t, const void* x, entity_t, const void* y) {
    return static_cast<const Velocity*>(x)->x - static_cast<const Velocity*>(y)->x;
  };
  EXPECT_EQ(in_order(world.query_builder()
                         .with<Position>()
                         .order_by(world.pair(world.component<Velocity>(), world.lookup("apples")),
                                   +compare)
                         .build()),
            "b c a");
}

TEST_F(sorting, by_the_value_of_a_pair_of_types) {
  for (int i = 0; i < 3; ++i)
    world.entity(std::string(1, "cab"[i])).set<Npc, Position>({i == 1 ? 7 : i});
  auto q = world.query_builder<kith::pair<Npc, Position>>()
               .order_by<kith::pair<Npc, Position>>(less_x)
               .build();
  EXPECT_EQ(in_order(q), "c b a");
}

// Q62 C8
TEST_F(sorting, by_entity) {
  auto c = at("c", 3), a = at("a", 1);
  at("b", 2);
  a.add<Npc>();
  c.set(Mass{1});
  EXPECT_LT(c.raw_id(), a.raw_id());
  const auto sorted = [&](auto compare) {
    return in_order(world.query_builder().with<Position>().order_by(compare).build());
  };
  EXPECT_EQ(sorted([](entity_t x, const void* p, entity_t y, const void* q) {
              EXPECT_EQ(p, nullptr);
              EXPECT_EQ(q, nullptr);
              return x < y ? -1 : x > y;
            }),
            "c a b");
  EXPECT_EQ(sorted([](entity_t x, entity_t y) { return x > y; }), "b a c");
  EXPECT_EQ(sorted([](entity_t x, entity_t y) { return y <=> x; }), "b a c");
}

TEST_F(sorting, as_a_description) {
  at("c", 3), at("a", 1), at("b", 2);
  const auto less = [](const kith::sort_row& a, const kith::sort_row& b) {
    return compare_any_x(a.entity, a.value, b.entity, b.value) < 0;
  };
  kith::query_desc desc{.terms = {{.id = world.id<Position>()}}};
  desc.order = {world.id<Position>(), less,
                [&](kith::sort_row* first, kith::sort_row* last) { std::sort(first, last, less); }};
  EXPECT_EQ(in_order(world.query(desc)), "a b c");
}

// --- what the order is ---------------------------------------------------------------------------

// Q58
TEST_F(sorting, goes_across_tables) {
  for (int i = 0; i < 12; ++i) {
    auto e = at(("e" + std::to_string(i)).c_str(), i * 7 % 12);
    if (i % 2) e.set(Velocity{0});
    if (i % 3 == 0) e.set(Mass{0});
  }
  auto q = world.query_builder<const Position>().order_by<Position>(less_x).build();
  EXPECT_EQ(in_order(q), "e0 e7 e2 e9 e4 e11 e6 e1 e8 e3 e10 e5");
}

// Q58 Q60 Q61
TEST_F(sorting, arrays_are_the_runs_that_lie_side_by_side) {
  for (int x : {1, 3, 4, 10, 11}) at(("p" + std::to_string(x)).c_str(), x);
  for (int x : {5, 7}) at(("p" + std::to_string(x)).c_str(), x).set(Velocity{});
  at("p8", 8).set(Mass{});
  auto q = world.query_builder<const Position>().order_by<Position>(less_x).build();
  std::string slices;
  q.iter([&](kith::iter& it, const Position* p) {
    for (auto row : it) {
      slices += std::to_string(p[row].x) + (row + 1 < it.count() ? "," : " ");
      EXPECT_EQ(it.entity(row).get<Position>(), &p[row]);
    }
  });
  EXPECT_EQ(slices, "1,3,4 5,7 8 10,11 ");
}

TEST_F(sorting, what_is_alike_comes_in_ascending_order_of_entities) {
  std::vector<kith::entity> made;
  for (int i = 0; i < 200; ++i) made.push_back(world.entity().set(Position{i % 3}));
  for (int i = 0; i < 200; i += 7) made[static_cast<std::size_t>(i)].add<Npc>();
  for (int i = 0; i < 200; i += 5)
    made[static_cast<std::size_t>(i)].remove<Position>().set(Position{i % 3});
  const auto check = [&](const kith::query<>& q) {
    kith::entity before;
    q.each([&](kith::entity e) {
      if (before && before.get<Position>()->x == e.get<Position>()->x) {
        EXPECT_LT(before.raw_id(), e.raw_id());
      } else if (before) {
        EXPECT_LT(before.get<Position>()->x, e.get<Position>()->x);
      }
      before = e;
    });
  };
  check(world.query_builder().with<Position>().order_by<Position>(compare_x).build());
  check(world.query_builder().with<Position>().order_by<Position>(less_x).build());
  check(world.query_builder()
            .with<Position>()
            .order_by<Position>([](const Position& a, const Position& b) { return a <=> b; })
            .build());
}

TEST_F(sorting, who_has_no_value_comes_last) {
  world.entity("x").add<Npc>();
  at("c", 3).add<Npc>();
  world.entity("y").add<Npc>();
  at("a", 1).add<Npc>();
  auto q = world.query_builder().with<Npc>().order_by<Position>(less_x).build();
  EXPECT_EQ(in_order(q), "a c x y");
  world.lookup("a").remove<Position>();
  EXPECT_EQ(in_order(q), "c x y a");
  world.lookup("y").set(Position{-1});
  EXPECT_EQ(in_order(q), "y c x a");
  EXPECT_EQ(
      in_order(world.query_builder<Position*>().with<Npc>().order_by<Position>(less_x).build()),
      "y c x a");
}

TEST_F(sorting, by_a_tag_is_by_entity) {
  world.entity("b").add<Npc>();
  world.entity("a").add<Npc>().set(Mass{1});
  EXPECT_EQ(in_order(world.query_builder()
                         .with<Npc>()
                         .order_by(world.id<Npc>(), [](entity_t, const void*, entity_t,
                                                       const void*) { return std::abs(-1); })
                         .build()),
            "b a");
}

TEST_F(sorting, uses_inherited_values) {
  auto base = world.prefab("base").set(Position{5});
  at("low", 1), at("high", 9);
  world.entity("mid").is_a(base);
  world.entity("own").is_a(base).set(Position{0});
  auto q = world.query_builder<const Position>().order_by<Position>(less_x).build();
  EXPECT_EQ(in_order(q), "own low mid high");
  base.set(Position{10});
  EXPECT_EQ(in_order(q), "own low high mid");
  world.lookup("own").remove<Position>();
  EXPECT_EQ(in_order(q), "low high mid own");
  base.get_mut<Position>()->x = 3;
  EXPECT_EQ(in_order(q), "low mid own high");
  base.remove<Position>();
  EXPECT_EQ(in_order(q), "low high");
}

TEST_F(sorting, follows_a_base_that_is_a_result_too) {
  auto base = at("base", 1).add<Npc>();
  world.entity("kind").is_a(base).add<Npc>();
  at("other", 5).add<Npc>();
  auto shows = world.query_builder<const Position>().order_by<Position>(less_x).build();
  auto asks = world.query_builder().with<Npc>().order_by<Position>(less_x).build();
  EXPECT_EQ(in_order(shows), "base kind other");
  EXPECT_EQ(in_order(asks), "base kind other");
  base.set(Position{9});
  EXPECT_EQ(in_order(shows), "other base kind");
  EXPECT_EQ(in_order(asks), "other base kind");
}

TEST_F(sorting, prefabs_are_sorted_where_they_are_asked_for) {
  world.prefab("b").set(Position{2});
  world.prefab("a").set(Position{1});
  at("c", 0);
  EXPECT_EQ(in_order(world.query_builder<const Position>()
                         .with(kith::Prefab)
                         .order_by<Position>(less_x)
                         .build()),
            "a b");
  EXPECT_EQ(in_order(world.query_builder<const Position>()
                         .with(kith::Prefab)
                         .optional()
                         .order_by<Position>(less_x)
                         .build()),
            "c a b");
}

TEST_F(sorting, a_value_that_is_switched_off_does_not_count) {
  at("a", 1).add<Npc>(), at("b", 2).add<Npc>();
  auto q = world.query_builder().with<Npc>().order_by<Position>(less_x).build();
  EXPECT_EQ(in_order(q), "a b");
  world.lookup("a").disable<Position>();
  EXPECT_EQ(in_order(q), "b a");
  world.lookup("a").enable<Position>();
  EXPECT_EQ(in_order(q), "a b");
}

// --- with everything else ------------------------------------------------------------------------

TEST_F(sorting, results_of_one_entity_stay_together) {
  auto Likes = world.entity("Likes");
  at("b", 2).add(Likes, world.entity("x")).add(Likes, world.entity("y"));
  at("a", 3).add(Likes, world.lookup("y"));
  at("c", 1).add(Likes, world.lookup("x"));
  auto q =
      world.query_builder<const Position>().with(Likes, "$what").order_by<Position>(less_x).build();
  std::string rows;
  const auto read = [&] {
    rows.clear();
    q.each([&](kith::iter& it, std::size_t row, const Position& p) {
      EXPECT_EQ(it.entity(row).get<Position>(), &p);
      rows += std::string(it.entity(row).name()) + it.get_var("what").str() + " ";
    });
    return rows;
  };
  EXPECT_EQ(read(), "cx bx by ay ");
  world.lookup("b").set(Position{0});
  EXPECT_EQ(read(), "bx by cx ay ");
  EXPECT_EQ(in_order(q.set_var("what", world.lookup("y"))), "b a");
  EXPECT_EQ(in_order(q.set_var("what", world.lookup("x"))), "b c");
}

TEST_F(sorting, with_parameters) {
  auto OnTeam = world.entity("OnTeam"), red = world.entity("red"), blue = world.entity("blue");
  at("c", 3).add(OnTeam, red), at("a", 1).add(OnTeam, red), at("b", 2).add(OnTeam, blue);
  auto q = world.query_builder<const Position>()
               .with(OnTeam, kith::param)
               .order_by<Position>(less_x)
               .cached()
               .build();
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(in_order(q.args(red)), "a c");
    EXPECT_EQ(in_order(q.args(blue)), "b");
  }
  world.lookup("a").set(Position{5});
  EXPECT_EQ(in_order(q.args(red)), "c a");
}

TEST_F(sorting, with_groups_is_within_each_group) {
  auto In = world.entity("In").add(kith::Exclusive);
  auto one = world.entity("one"), two = world.entity("two");
  at("a", 1).add(In, two), at("b", 2).add(In, one), at("c", 3).add(In, two), at("d", 4);
  at("e", 0).add(In, one);
  auto q = world.query_builder<const Position>()
               .group_by(In)
               .order_by<Position>([](const Position& x, const Position& y) { return x.x > y.x; })
               .build();
  EXPECT_EQ(in_order(q), "d b e c a");
  EXPECT_EQ(in_order(q.set_group(two)), "c a");
  world.lookup("a").set(Position{7});
  world.lookup("e").set(Position{7});
  EXPECT_EQ(in_order(q), "d e b a c");
  EXPECT_EQ(in_order(q.set_group(one)), "e b");
}

TEST_F(sorting, with_a_cascade_is_within_each_depth) {
  auto root = at("root", 0), other = at("other", -1);
  at("b", 2).child_of(root), at("a", 1).child_of(other);
  auto q = world.query_builder<const Position>()
               .expr("?Position(cascade)")
               .order_by<Position>(less_x)
               .build();
  EXPECT_EQ(in_order(q), "other root a b");
  other.set(Position{1});
  world.lookup("other::a").set(Position{3});
  EXPECT_EQ(in_order(q), "root other b a");
}

TEST_F(sorting, a_query_without_this_is_as_it_was) {
  auto Likes = world.entity("Likes");
  auto bob = at("bob", 1), x = at("x", 1), y = at("y", 2);
  bob.add(Likes, x).add(Likes, y);
  auto q = world.query_builder().expr("Likes(bob, $x)").order_by<Position>(less_x).cached().build();
  EXPECT_EQ(q.count(), 2u);
  x.set(Position{9});
  EXPECT_EQ(q.count(), 2u);
  EXPECT_EQ(q.count(), 2u);
  auto question = world.query_builder().expr("Likes(bob, x)").order_by<Position>(less_x).build();
  EXPECT_TRUE(question.is_true());
  x.set(Position{3});
  EXPECT_EQ(question.count(), 1u);
}

TEST_F(sorting, shows_ids_sources_and_values_of_each_row) {
  auto Pet = world.entity("Pet"), Cat = world.entity("Cat").is_a(Pet),
       Dog = world.entity("Dog").is_a(Pet);
  at("d", 4).add(Cat), at("c", 3).add(Dog), at("b", 2).add(Cat), at("a", 1).add(Dog);
  auto q = world.query_builder<const Position>().with(Pet).order_by<Position>(less_x).build();
  std::string rows;
  q.each([&](kith::iter& it, std::size_t row, const Position& p) {
    rows += std::to_string(p.x) + it.id(1).str() + " ";
    EXPECT_EQ((it.field_at<const Position>(0, row).x), p.x);
    EXPECT_FALSE(it.src(1));
  });
  EXPECT_EQ(rows, "1Dog 2Cat 3Dog 4Cat ");
}

TEST_F(sorting, can_be_asked_in_every_way) {
  at("c", 3), at("a", 1), at("b", 2);
  auto q = world.query_builder<const Position>().order_by<Position>(less_x).build();
  EXPECT_EQ(q.first().name(), "a");
  EXPECT_EQ(q.find([](const Position& p) { return p.x > 1; }).name(), "b");
  EXPECT_EQ(q.count(), 3u);
  EXPECT_TRUE(q.is_true());
  EXPECT_EQ(q.page(0, 1).at(0).name(), "c");  // a page is in the order of entities
  world.lookup("c").set(Position{0});
  EXPECT_EQ(q.first().name(), "c");
}

TEST_F(sorting, works_whether_it_is_cached_or_not) {
  for (auto kind :
       {kith::cache_kind::automatic, kith::cache_kind::always, kith::cache_kind::never}) {
    kith::world w;
    w.entity("c").set(Position{3});
    w.entity("a").set(Position{1});
    auto q = w.query_builder<const Position>().order_by<Position>(less_x).cache_kind(kind).build();
    for (int times = 0; times < 3; ++times) EXPECT_EQ(in_order(q), "a c");
    w.lookup("a").set(Position{4});
    EXPECT_EQ(in_order(q), "c a");
  }
}

// Q57 C51
TEST_F(sorting, leaves_the_order_of_other_queries_alone) {
  for (int i = 0; i < 9; ++i) at(("e" + std::to_string(i)).c_str(), i * 4 % 9);
  auto plain = world.query<Position>();
  const std::string before = in_order(plain);
  auto up = world.query_builder<Position>().order_by<Position>(less_x).build();
  auto down =
      world.query_builder<Position>()
          .order_by<Position>([](const Position& a, const Position& b) { return a.x > b.x; })
          .build();
  EXPECT_EQ(in_order(up), "e0 e7 e5 e3 e1 e8 e6 e4 e2");
  EXPECT_EQ(in_order(down), "e2 e4 e6 e8 e1 e3 e5 e7 e0");
  EXPECT_EQ(in_order(up), "e0 e7 e5 e3 e1 e8 e6 e4 e2");
  EXPECT_EQ(in_order(plain), before);
}

TEST_F(sorting, gives_values_of_all_fields_that_can_be_written) {
  at("c", 3).set(Velocity{30}), at("a", 1).set(Velocity{10}).add<Npc>(),
      at("b", 2).set(Velocity{20});
  auto q = world.query_builder<const Position, Velocity>().order_by<Position>(less_x).build();
  int next = 1;
  q.each([&](const Position& p, Velocity& v) {
    EXPECT_EQ(p.x, next++);
    EXPECT_EQ(v.x, p.x * 10);
    v.x = -p.x;
  });
  EXPECT_EQ(world.lookup("b").get<Velocity>()->x, -2);
}

// --- comparisons that go wrong -------------------------------------------------------------------

// C52
TEST_F(sorting, ends_well_with_comparisons_that_contradict_themselves) {
  constexpr int entities = 300;
  for (int i = 0; i < entities; ++i) {
    auto e = world.entity().set(Position{i});
    if (i % 3) e.add<Npc>();
  }
  std::minstd_rand random(1);
  const auto all_once = [&](auto compare) {
    auto q = world.query_builder<const Position>().order_by<Position>(compare).build();
    for (int times = 0; times < 20; ++times) {
      std::vector<int> seen(entities);
      q.each([&](const Position& p) { ++seen[static_cast<std::size_t>(p.x)]; });
      EXPECT_EQ(seen, std::vector(entities, 1));
      world.query<Position>().first().modified<Position>();
      if (times % 2) world.query<Position>().each([](Position&) {});
    }
  };
  all_once([](const Position&, const Position&) { return true; });
  all_once([](const Position&, const Position&) { return -1; });
  all_once([](const Position& a, const Position& b) { return (a.x * 7 + b.x) % 3 - 1; });
  all_once([&](const Position&, const Position&) { return random() % 2 == 0; });
  all_once([&](const Position&, const Position&) { return static_cast<int>(random() % 3) - 1; });
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  all_once([=](const Position& a, const Position& b) {
    const auto value = [&](int x) { return x % 5 ? x : not_a_number; };
    return value(a.x) <=> value(b.x);
  });
}

TEST_F(sorting, a_comparison_may_throw) {
  at("c", 3), at("a", 1), at("b", 2), at("d", 4);
  bool fails = true;
  auto q = world.query_builder<const Position>()
               .order_by<Position>([&](const Position& a, const Position& b) {
                 if (fails) throw std::runtime_error("no");
                 return a.x < b.x;
               })
               .build();
  const auto try_it = [&] {
    EXPECT_THROW(q.each([](const Position&) {}), std::runtime_error);
    EXPECT_FALSE(world.is_deferred());
  };
  try_it();
  fails = false;
  EXPECT_EQ(in_order(q), "a b c d");
  world.lookup("a").set(Position{9});
  world.lookup("d").set(Position{0});
  fails = true;
  try_it();
  try_it();
  fails = false;
  EXPECT_EQ(in_order(q), "d b c a");
}

TEST_F(sorting, a_comparison_may_look_at_the_world) {
  at("c", 3).set(Mass{1}), at("a", 1).set(Mass{2}), at("b", 2).set(Mass{3});
  auto q = world.query_builder<const Position>()
               .order_by<Position>([&](entity_t a, const Position*, entity_t b, const Position*) {
                 EXPECT_EQ(world.query<Mass>().count(), 3u);
                 return world.entity(a).get<Mass>()->kg - world.entity(b).get<Mass>()->kg;
               })
               .build();
  EXPECT_EQ(in_order(q), "c a b");
}

TEST_F(sorting, ids_of_other_worlds_are_errors) {
  kith::world other;
  other.component<Position>();
  world.component<Velocity>();
  EXPECT_EQ(code_of([&] {
              world.query_builder<Velocity>().order_by(other.component<Mass>(), compare_any_x);
            }),
            kith::errc::not_alive);
}

TEST_F(sorting, a_component_that_is_deleted_orders_nothing) {
  auto Depth = world.component({.name = "Depth", .size = sizeof(int), .alignment = alignof(int)});
  const int three = 3, one = 1;
  world.entity("c").add<Npc>().set_ptr(Depth, &three);
  world.entity("a").add<Npc>().set_ptr(Depth, &one);
  const auto compare = [](entity_t, const void* x, entity_t, const void* y) {
    return *static_cast<const int*>(x) - *static_cast<const int*>(y);
  };
  auto q = world.query_builder().with<Npc>().order_by(Depth, +compare).build();
  EXPECT_EQ(in_order(q), "a c");
  Depth.destruct();
  EXPECT_EQ(in_order(q), "c a");
  // What has its place now is something else.
  auto again = world.component({.name = "Again", .size = sizeof(int), .alignment = alignof(int)});
  world.lookup("c").set_ptr(again, &three);
  world.lookup("a").set_ptr(again, &one);
  EXPECT_EQ(in_order(q), "c a");
}

}  // namespace
