// The queries manual, "Expression" to "Read/write access". 001 L384-L577.
#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

namespace {

using kith::test::found;
using kith::test::matched;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Mass {
  float value;
};
struct Speed {
  float value;
};
struct NPC {};
struct Enemy {};

struct seed_001_operators : testing::Test {
  seed_001_operators() {
    world.component<Mass>();
    world.component<Speed>();
  }
  flecs::entity moving(const char* name) {
    return world.entity(name).set<Position>({1, 2}).set<Velocity>({3, 4});
  }

  flecs::world world;
};

// Q64 Q65 Q66 Q67 Q69 Q70 C35
TEST_F(seed_001_operators, and_is_the_default) {
  moving("both");
  world.entity("still").set<Position>({1, 2});
  EXPECT_EQ(found(world.query("Position, Velocity // Position And Velocity")), "both");
  EXPECT_EQ(found(world.query_builder().term<Position>().term<Velocity>().build()), "both");
  EXPECT_EQ(found(world.query({.terms = {{world.id<Position>()}, {world.id<Velocity>()}}})),
            "both");
}

// Q67 Q68 C11
TEST_F(seed_001_operators, identifiers_can_be_hierarchical) {
  auto Position = world.entity("flecs::components::transform::Position");
  world.entity("a").add(Position);
  world.entity("b");
  EXPECT_EQ(found(world.query("flecs.components.transform.Position")), "a");
  EXPECT_EQ(found(world.query("flecs::components::transform::Position")), "a");
}

// Q71
TEST_F(seed_001_operators, not_reverses_a_term) {
  moving("a");
  moving("npc").add<NPC>();
  world.entity("still").set<Position>({1, 2});
  EXPECT_EQ(found(world.query("Position, !Velocity // Position And Not Velocity")), "still");

  auto qb = world.query_builder<Position, const Velocity>().term<NPC>().oper(flecs::Not);
  EXPECT_EQ(found(qb.build()), "a");

  auto q =
      world.query({.terms = {{world.id<Position>()}, {.id = world.id<NPC>(), .oper = flecs::Not}}});
  EXPECT_EQ(found(q), "a still");
}

// Q72 Q73
TEST_F(seed_001_operators, an_optional_term_is_true_even_if_it_did_not_match) {
  moving("a");
  moving("npc").add<NPC>();
  world.entity("still").set<Position>({1, 2});
  auto text = world.query("Position, ?Velocity // Position And Optionally Velocity");
  EXPECT_EQ(found(text), "a npc still");
  text.each([](flecs::iter& it, size_t i) {
    EXPECT_EQ(it.is_set(1), it.entity(i).name() != "still");
    // The whole archetype has it or none of its entities do.
    if (auto v = it.field<Velocity>(1)) {
      EXPECT_EQ(v[i].x, 3);
    }
  });

  auto qb = world.query_builder<Position, const Velocity>().term<NPC>().oper(flecs::Optional);
  EXPECT_EQ(found(qb.build()), "a npc");
  qb.build().each([](flecs::iter& it, size_t i, Position&, const Velocity&) {
    EXPECT_EQ(it.is_set(2), it.entity(i).name() == "npc");
  });

  auto q = world.query(
      {.terms = {{world.id<Position>()}, {.id = world.id<NPC>(), .oper = flecs::Optional}}});
  EXPECT_EQ(found(q), "a npc still");
}

// Q74 Q76 C18
TEST_F(seed_001_operators, or_matches_at_least_one_term_of_a_chain) {
  moving("plain");
  moving("npc").add<NPC>();
  moving("enemy").add<Enemy>();
  moving("both").add<NPC>().add<Enemy>();
  world.entity("still").set<Position>({1, 2}).add<NPC>();
  EXPECT_EQ(found(world.query("Position || Velocity // Position Or Velocity")),
            "both enemy npc plain still");

  auto qb = world.query_builder<Position, const Velocity>()
                .term<NPC>()
                .oper(flecs::Or)
                .term<Enemy>()
                .oper(flecs::Or);
  EXPECT_EQ(matched(qb.build(), 2), "both:NPC enemy:Enemy npc:NPC");

  auto q = world.query({.terms = {{world.id<Position>()},
                                  {.id = world.id<NPC>(), .oper = flecs::Or},
                                  {.id = world.id<Enemy>(), .oper = flecs::Or}}});
  EXPECT_EQ(found(q), "both enemy npc still");
}

// Q75
TEST_F(seed_001_operators, each_of_several_chains_needs_a_match) {
  world.entity("a").set<Position>({1, 2}).set<Speed>({1});
  world.entity("b").set<Mass>({1}).set<Velocity>({1, 2});
  world.entity("c").set<Position>({1, 2}).set<Mass>({1});
  world.entity("d").set<Speed>({1}).set<Velocity>({1, 2});
  EXPECT_EQ(found(world.query("// (Position Or Mass) And (Speed Or Velocity)\n"
                              "Position || Mass, Speed || Velocity")),
            "a b");
}

// Q77 Q78 Q79 Q80 Q81 C10 C21
TEST_F(seed_001_operators, from_operators_match_a_list_of_ids) {
  auto Bacon = world.entity("Bacon");
  auto Eggs = world.entity("Eggs");
  auto Tomato = world.entity("Tomato");
  auto Lettuce = world.entity("Lettuce");

  auto Ingredients = world.type("Ingredients").add(Bacon).add(Eggs).add(Tomato).add(Lettuce);

  moving("empty");
  moving("toast").add(Bacon);
  moving("sandwich").add(Bacon).add(Eggs).add(Tomato).add(Lettuce);
  world.entity("still").set<Position>({1, 2}).add(Eggs);

  EXPECT_EQ(found(world.query("OR | Ingredients // Match with at least one of Ingredients")),
            "sandwich still toast");
  EXPECT_EQ(found(world.query("AND | Ingredients")), "sandwich");
  EXPECT_EQ(found(world.query("Position, NOT | Ingredients")), "empty");
  // The list itself is not found.
  EXPECT_EQ(found(world.query("Bacon")), "sandwich toast");

  auto qb = world.query_builder<Position, const Velocity>().term(Ingredients).oper(flecs::AndFrom);
  EXPECT_EQ(found(qb.build()), "sandwich");

  auto q =
      world.query({.terms = {{world.id<Position>()}, {.id = Ingredients, .oper = flecs::AndFrom}}});
  EXPECT_EQ(found(q), "sandwich");

  EXPECT_EQ(found(world.query_builder<Position>().term(Ingredients).oper(flecs::OrFrom).build()),
            "sandwich still toast");
  EXPECT_EQ(found(world.query_builder<Position>().term(Ingredients).oper(flecs::NotFrom).build()),
            "empty");
}

// Q82 Q85
TEST_F(seed_001_operators, a_term_can_say_how_it_is_accessed) {
  moving("a");
  EXPECT_EQ(found(world.query("Position, [in] Velocity")), "a");
  EXPECT_EQ(world.query("Position, [in] Velocity").str(), "Position, [in] Velocity");
  EXPECT_EQ(found(world.query("[out] Position")), "a");

  auto qb = world.query_builder<Position>().term<Velocity>().inout(flecs::In);
  EXPECT_EQ(found(qb.build()), "a");
  EXPECT_EQ(qb.build().str(), "Position, [in] Velocity");

  // E13: the seed repeats Position where Velocity is meant.
  auto q = world.query(
      {.terms = {{world.id<Position>()}, {.id = world.id<Velocity>(), .inout = flecs::In}}});
  EXPECT_EQ(q.str(), "Position, [in] Velocity");
}

// Q83
TEST_F(seed_001_operators, const_is_readonly_access_and_reaches_the_callbacks) {
  auto a = moving("a");
  auto q = world.query<Position, const Velocity>();
  EXPECT_EQ(q.str(), "Position, [in] Velocity");

  q.each([](flecs::entity, Position& p, const Velocity& v) {
    p.x += v.x;
    p.y += v.y;
  });
  EXPECT_EQ(a.get<Position>()->x, 4);
  EXPECT_EQ(a.get<Position>()->y, 6);

  const auto writes = [](Position&, Velocity&) {};
  static_assert(!std::is_invocable_v<decltype(writes), Position&, const Velocity&>);
  static_assert(!flecs::core::takes_rows<decltype(writes), Position, const Velocity>);
}

}  // namespace
