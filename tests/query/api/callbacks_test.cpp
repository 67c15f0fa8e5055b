// What a callback of each can look like.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Npc {};
struct Eats {
  int amount;
};
struct Apples {};
struct Begin {};

struct query_callbacks : testing::Test {
  kith::world world;
  kith::entity a = world.entity("a").set(Position{1, 2}).set(Velocity{10, 20}).add<Npc>();
  kith::entity b = world.entity("b").set(Position{3, 4}).set(Velocity{30, 40});
  kith::entity still = world.entity("still").set(Position{5, 6}).add<Npc>();
  kith::test::words seen;
};

// Q29 C15
TEST_F(query_callbacks, values_alone) {
  world.query<Position, const Velocity>().each([](Position& p, const Velocity& v) { p.x += v.x; });
  EXPECT_EQ(a.get<Position>()->x, 11);
  EXPECT_EQ(b.get<Position>()->x, 33);
  EXPECT_EQ(still.get<Position>()->x, 5);
}

// Q29
TEST_F(query_callbacks, the_entity_first) {
  world.query<Position>().each([&](kith::entity e, Position& p) {
    seen += std::string(e.name()) + "=" + std::to_string(static_cast<int>(p.x));
  });
  EXPECT_EQ(seen.str(), "a=1 b=3 still=5");
}

// C15 R32
TEST_F(query_callbacks, an_optional_tag_is_null_where_it_is_missing) {
  for (kith::entity Likes : {world.entity("Likes"), kith::entity()}) {
    auto builder = world.query_builder<const Position, const Npc*>();
    // With a variable the results are kept as rows.
    if (Likes) builder.with(Likes, "$x");
    if (Likes)
      for (kith::entity e : {a, b, still}) e.add(Likes, a);
    const auto q = builder.build();
    for (int times = 0; times < 3; ++times) {
      kith::test::words npcs;
      q.each([&](kith::entity e, const Position&, const Npc* npc) {
        if (npc) npcs += std::string(e.name());
      });
      EXPECT_EQ(npcs.str(), "a still");
    }
  }
}

TEST_F(query_callbacks, an_entity_alone_visits_everybody) {
  const kith::entity plan = world.prefab("plan"), off = world.entity("off").add(kith::Disabled);
  std::vector<kith::entity> all;
  world.each([&](kith::entity e) { all.push_back(e); });
  for (kith::entity e : {plan, off, world.entity<Position>()})
    EXPECT_EQ(std::count(all.begin(), all.end(), e), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), world.entity(kith::Prefab)), 0);
}

TEST_F(query_callbacks, the_iterator_and_the_row_first) {
  world.query<Position, Velocity>().each(
      [&](kith::iter& it, std::size_t row, Position& p, Velocity& v) {
        EXPECT_EQ(it.field<Position>(0)[row].x, p.x);
        EXPECT_EQ(&it.field_at<Velocity>(1, row), &v);
        seen += it.entity(row).name();
      });
  EXPECT_EQ(seen.str(), "a b");
}

TEST_F(query_callbacks, only_who_it_is) {
  world.query<Position, Velocity>().each([&](kith::entity e) { seen += e.name(); });
  world.query<Position, Velocity>().each(
      [&](kith::iter& it, std::size_t row) { seen += it.entity(row).name(); });
  EXPECT_EQ(seen.str(), "a a b b");
}

TEST_F(query_callbacks, nothing_at_all) {
  int times = 0;
  world.query("Position").each([&] { ++times; });
  EXPECT_EQ(times, 3);
}

TEST_F(query_callbacks, values_by_value_and_generic_callbacks) {
  float sum = 0;
  world.query<Position>().each([&](Position p) { sum += p.x; });
  world.query<Position>().each([&](auto& p) { sum += p.x; });
  world.query<Position>().each([&](kith::entity, const auto& p) { sum += p.x; });
  EXPECT_EQ(sum, 3 * (1 + 3 + 5));
}

TEST_F(query_callbacks, a_callback_with_state_is_called_as_it_is) {
  struct counter {
    int* calls;
    void operator()(Position&) { ++*calls; }
  };
  int calls = 0;
  world.query<Position>().each(counter{&calls});
  EXPECT_EQ(calls, 3);
}

// Q72
TEST_F(query_callbacks, a_pointer_type_is_an_optional_term) {
  auto q = world.query<Position, Velocity*>();
  EXPECT_EQ(q.str(), "Position, ?Velocity");
  q.each([&](kith::entity e, Position&, Velocity* v) {
    seen += std::string(e.name()) + (v ? "+" : "-");
    if (v) v->x = 0;
  });
  EXPECT_EQ(seen.str(), "a+ b+ still-");
  EXPECT_EQ(a.get<Velocity>()->x, 0);
}

// Q72
TEST_F(query_callbacks, a_term_made_optional_later_is_taken_as_a_pointer) {
  auto q = world.query_builder<Position, const Velocity>().term_at(1).optional().build();
  q.each([&](Position&, const Velocity* v) { seen += v ? "+" : "-"; });
  q.each([&](kith::entity, Position&, const Velocity* v) { seen += v ? "+" : "-"; });
  q.each([&](kith::iter&, std::size_t, Position&, const Velocity* v) { seen += v ? "+" : "-"; });
  EXPECT_EQ(seen.str(), "+ + + + + + - - -");
}

TEST_F(query_callbacks, a_missing_value_is_never_a_reference) {
  auto q = world.query_builder<Position, Velocity>().term_at(1).optional().build();
  EXPECT_EQ(kith::test::code_of([&] { q.each([](Position&, Velocity&) {}); }), kith::errc::type);
  auto no = world.query_builder<Position, Velocity>().term_at(1).not_().build();
  EXPECT_EQ(kith::test::code_of([&] { no.each([](Position&, Velocity&) {}); }), kith::errc::type);
  EXPECT_EQ(kith::test::code_of([&] { no.each([](Position*, Velocity&) {}); }), kith::errc::type);
  no.each([&](Position& p, Velocity* v) {
    EXPECT_EQ(p.x, 5);
    EXPECT_EQ(v, nullptr);
  });
}

TEST_F(query_callbacks, pointers_are_fine_where_a_value_is_always_there) {
  world.query<Position>().each([&](Position* p) { p->x = 7; });
  EXPECT_EQ(still.get<Position>()->x, 7);
}

// Q83
TEST_F(query_callbacks, const_types_reach_the_callback_as_const) {
  world.query<const Position>().each(
      [](auto& p) { static_assert(std::is_const_v<std::remove_reference_t<decltype(p)>>); });
  world.query<const Position*>().each(
      [](auto* p) { static_assert(std::is_const_v<std::remove_pointer_t<decltype(p)>>); });
  using to_write = decltype([](Position&) {});
  static_assert(kith::core::takes_rows<to_write, Position>);
  static_assert(!kith::core::takes_rows<to_write, const Position>);
}

// tests/no_compile/callback_of_query.cpp shows what happens where this is false.
template <class Query, class Function>
inline constexpr bool can_visit = false;
template <class... Ts, class Function>
inline constexpr bool can_visit<kith::query<Ts...>, Function> =
    kith::core::takes_what_the_query_yields<Function, Ts...>();

TEST_F(query_callbacks, others_do_not_compile) {
  using q = kith::query<Position, const Velocity>;
  static_assert(can_visit<q, decltype([](Position&, const Velocity&) {})>);
  static_assert(!can_visit<q, decltype([](Position&) {})>);
  static_assert(!can_visit<q, decltype([](Velocity&, Position&) {})>);
  static_assert(!can_visit<q, decltype([](Position&, Velocity&) {})>);
  static_assert(!can_visit<q, decltype([](Position&, const Velocity&, Npc&) {})>);
  static_assert(!can_visit<q, decltype([](Position*, Velocity*) {})>);
  static_assert(!can_visit<q, int>);
  static_assert(can_visit<kith::query<>, decltype([](kith::entity) {})>);
  static_assert(!can_visit<kith::query<>, decltype([](Position&) {})>);
}

// Q96
TEST_F(query_callbacks, tags_may_be_in_the_list_of_types) {
  world.query<Position, Npc>().each([&](kith::entity e, Position&, Npc&) { seen += e.name(); });
  world.query<Npc>().each([&](kith::entity e, Npc) { seen += e.name(); });
  world.query<const Npc>().each([&](kith::entity e, const Npc&) { seen += e.name(); });
  EXPECT_EQ(seen.str(), "a a a still still still");
}

// R18 R44
TEST_F(query_callbacks, pairs_of_types_come_with_the_value_they_have) {
  a.set<Eats, Apples>({3});
  b.set<Begin, Position>({7, 8});
  world.query<kith::pair<Eats, Apples>>().each([&](Eats& e) { EXPECT_EQ(e.amount, 3); });
  world.query<kith::pair<Begin, Position>>().each(
      [&](kith::iter& it, std::size_t row, Position& p) {
        EXPECT_EQ(p.x, 7);
        EXPECT_EQ((it.field<kith::pair<Begin, Position>>(0)[row].y), 8);
        EXPECT_EQ(it.pair(0), (world.pair<Begin, Position>()));
      });
  still.add<Begin, Apples>();
  world.query<kith::pair<Begin, Apples>>().each([&](kith::entity e) { seen += e.name(); });
  EXPECT_EQ(seen.str(), "still");
}

TEST_F(query_callbacks, a_pair_that_lost_its_value_to_a_trait_is_a_type_error) {
  world.entity<Eats>().add(kith::PairIsTag);
  a.add<Eats, Apples>();
  auto q = world.query<kith::pair<Eats, Apples>>();
  EXPECT_EQ(kith::test::code_of([&] { q.each([](Eats&) {}); }), kith::errc::type);
  EXPECT_EQ(q.count(), 1u);
}

// Q30 Q24
TEST_F(query_callbacks, terms_of_the_builder_are_no_arguments) {
  world.query_builder<Position>().with<Velocity>().with<Npc>().build().each(
      [&](kith::entity e, Position&) { seen += e.name(); });
  EXPECT_EQ(seen.str(), "a");
}

TEST_F(query_callbacks, a_world_visits_what_the_callback_asks_for) {
  world.each([&](kith::entity e, Position& p, const Velocity& v) {
    p.x += v.x;
    seen += e.name();
  });
  world.each([&](Velocity& v) { v.y = 0; });
  world.each([&](kith::iter& it, std::size_t row, const Position&, Velocity* v) {
    seen += std::string(it.entity(row).name()) + (v ? "+" : "-");
  });
  world.each([&](kith::entity e, Npc) { seen += e.name(); });
  EXPECT_EQ(seen.str(), "a a a+ b b+ still still-");
  EXPECT_EQ(a.get<Position>()->x, 11);
  EXPECT_EQ(b.get<Velocity>()->y, 0);
}

}  // namespace
