// The queries manual, "Query kinds" and "Query creation". 001 L9-L150.
#include <type_traits>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

namespace {

using kith::test::found;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct NPC {};

// `full` fits all that is asked for; each of the others lacks one thing.
struct seed_001_creation : testing::Test {
  seed_001_creation() {
    world.entity("no_fruit").set<Position>({1, 2}).set<Velocity>({3, 4}).add<NPC>();
    world.entity("no_npc").set<Position>({1, 2}).set<Velocity>({3, 4}).add(Likes, Apples);
    world.entity("no_velocity").set<Position>({1, 2}).add<NPC>().add(Likes, Apples);
    world.entity("full").set<Position>({1, 2}).set<Velocity>({3, 4}).add<NPC>().add(Likes, Apples);
  }

  flecs::world world;
  flecs::entity Likes = world.entity("Likes");
  flecs::entity Apples = world.entity("Apples");
};

// Q4 Q5 Q8 Q9 C16 C17 M16
TEST_F(seed_001_creation, filters_and_queries_find_the_same) {
  flecs::filter<Position, const Velocity> f = world.filter<Position, const Velocity>();
  auto q = world.query<Position, const Velocity>();
  auto cached = world.query_builder<Position, const Velocity>().cached().build();
  auto uncached = world.filter_builder<Position, const Velocity>().build();
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(found(f), "full no_fruit no_npc");
    EXPECT_EQ(found(q), "full no_fruit no_npc");
    EXPECT_EQ(found(cached), "full no_fruit no_npc");
    EXPECT_EQ(found(uncached), "full no_fruit no_npc");
  }
  // A new archetype is found by a query that has been iterated before.
  world.entity("late").set<Position>({1, 2}).set<Velocity>({3, 4}).add(world.entity("New"));
  EXPECT_EQ(found(cached), "full late no_fruit no_npc");
  EXPECT_EQ(found(f), "full late no_fruit no_npc");
}

// Q10 U10: the seed's queries cannot be created ad hoc; here they can, also while iterating.
TEST_F(seed_001_creation, a_cached_query_can_be_created_anywhere) {
  std::size_t rows = 0;
  world.query<NPC>().each(
      [&](flecs::entity) { rows += world.query_builder<Position>().cached().build().count(); });
  EXPECT_EQ(rows, 3u * 4u);
}

// Q1 Q15 Q16 Q17 Q66 C60 U12
TEST_F(seed_001_creation, a_query_is_parsed_at_runtime) {
  auto q = world.query("Position, Velocity, NPC, (Likes, Apples)");
  EXPECT_EQ(found(q), "full");
}

// Q17 C33
TEST_F(seed_001_creation, an_identifier_must_be_a_named_entity) {
  auto q = world.try_query("Position, Speed");
  ASSERT_FALSE(q);
  EXPECT_EQ(q.error().code(), flecs::errc::unresolved);
  EXPECT_EQ(q.error().position(), (flecs::text_position{1, 11}));
}

// Q18
TEST_F(seed_001_creation, the_language_defines_entities_when_used_in_reverse) {
  world.define("Position(MyEntity)\nVelocity(MyEntity)");
  auto MyEntity = world.lookup("MyEntity");
  ASSERT_TRUE(MyEntity);
  EXPECT_TRUE(MyEntity.has<Position>());
  EXPECT_TRUE(MyEntity.has<Velocity>());
  EXPECT_EQ(found(world.query("Position, Velocity, !NPC, !(Likes, *)")), "MyEntity");
}

// Q20 Q83
TEST_F(seed_001_creation, simple_queries_are_lists_of_types) {
  // q will be of type flecs::query<Position, const Velocity>
  auto q = world.query<Position, const Velocity>();

  static_assert(std::is_same_v<decltype(q), flecs::query<Position, const Velocity>>);
  EXPECT_EQ(found(q), "full no_fruit no_npc");
}

// Q21 Q24 C2
TEST_F(seed_001_creation, the_query_builder_adds_terms) {
  // q will be of type flecs::query<Position, const Velocity>
  auto q = world.query_builder<Position, const Velocity>().term<NPC>().term(Likes, Apples).build();

  static_assert(std::is_same_v<decltype(q), flecs::query<Position, const Velocity>>);
  EXPECT_EQ(found(q), "full");
  EXPECT_EQ(q.field_count(), 4u);
}

// Q22
TEST_F(seed_001_creation, queries_can_be_constructed_partially) {
  for (bool add_fruit : {false, true}) {
    auto qb = world.query_builder<Position, const Velocity>().term<NPC>();

    if (add_fruit) {
      qb.term(Likes, Apples);
    }

    auto q = qb.build();
    EXPECT_EQ(found(q), add_fruit ? "full" : "full no_fruit");
  }
}

// Q23 Q82 C3
TEST_F(seed_001_creation, the_builder_accepts_terms_in_the_language) {
  auto q = world.query_builder()
               .expr("Position, [in] Velocity")
               .term("NPC")
               .term("(Likes, Apples)")
               .build();

  EXPECT_EQ(found(q), "full");
}

// Q25 Q64 Q65
TEST_F(seed_001_creation, a_descriptor_lists_terms) {
  auto f = world.query({.terms = {{world.id<Position>()},
                                  {world.id<Velocity>()},
                                  {world.id<NPC>()},
                                  {world.pair(Likes, Apples)}}});
  EXPECT_EQ(found(f), "full");
}

// Q26
TEST_F(seed_001_creation, a_descriptor_may_have_terms_and_an_expression) {
  auto f = world.query(
      {.terms = {{world.id<Position>()}, {world.id<Velocity>()}}, .expr = "NPC, (Likes, Apples)"});
  EXPECT_EQ(found(f), "full");
}

// Q27 Q28: in C++ a descriptor has no `.filter`; filters and queries share it.
TEST_F(seed_001_creation, filters_and_queries_share_the_descriptor) {
  flecs::query_desc desc{.terms = {{world.id<Position>()}, {world.id<Velocity>()}}};
  desc.terms.push_back({world.id<NPC>()});
  desc.terms.push_back({world.pair(Likes, Apples)});
  for (auto cache : {flecs::cache_kind::never, flecs::cache_kind::always}) {
    desc.cache = cache;
    EXPECT_EQ(found(world.query(desc)), "full");
  }
}

}  // namespace
