// The relationships manual, from its definitions to the first queries: 000 L1-L253.
//
// Each test is one snippet, or one claim of the text around it, in the manual's own spelling. The
// comment at its end tells the line of the seed and the features.

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

struct Position {
  float x, y;
};

// R3 (000 L12)
TEST(seed_000_definitions, an_id_is_what_can_be_added_and_removed) {
  flecs::world world;
  auto e = world.entity();
  auto Npc = world.entity();
  auto Likes = world.entity();
  for (flecs::id id : {flecs::id(Npc), world.id<Position>(), world.pair(Likes, Npc)}) {
    EXPECT_TRUE(e.add(id).has(id));
    EXPECT_FALSE(e.remove(id).has(id));
  }
}

// R4 (000 L13)
TEST(seed_000_definitions, a_component_is_an_id_with_one_element_the_same_as_an_entity_id) {
  flecs::world world;
  const flecs::id id = world.id<Position>();
  EXPECT_FALSE(id.is_pair());
  EXPECT_EQ(id.entity(), world.entity<Position>());
  EXPECT_EQ(id.raw_id(), world.entity<Position>().id());
}

// R5 (000 L14)
TEST(seed_000_definitions, a_pair_is_an_id_with_two_elements) {
  flecs::world world;
  auto Likes = world.entity();
  auto Alice = world.entity();
  const flecs::id id = world.pair(Likes, Alice);
  EXPECT_TRUE(id.is_pair());
  EXPECT_EQ(id.first(), Likes);
  EXPECT_EQ(id.second(), Alice);
}

// R6 (000 L15)
TEST(seed_000_definitions, a_tag_is_a_component_or_pair_without_data) {
  flecs::world world;
  auto Npc = world.entity();
  auto Likes = world.entity();
  EXPECT_FALSE(flecs::id(Npc).type_id());
  EXPECT_FALSE(world.pair(Likes, Npc).type_id());
  EXPECT_TRUE(world.id<Position>().type_id());
}

// R1 R2 R9 R10 R11 R12 (000 L49)
TEST(seed_000_introduction, bob_likes_alice_while_the_pair_is_on_bob) {
  flecs::world world;
  auto Likes = world.entity();
  auto Bob = world.entity();
  auto Alice = world.entity();

  // Bob Likes Alice
  Bob.add(Likes, Alice);
  EXPECT_TRUE(Bob.has(Likes, Alice));

  // Bob Likes Alice no more
  Bob.remove(Likes, Alice);
  EXPECT_FALSE(Bob.has(Likes, Alice));
}

// R7 (000 L95)
TEST(seed_000_introduction, the_relationship_is_on_the_source_and_not_on_the_target) {
  flecs::world world;
  auto Likes = world.entity();
  auto Bob = world.entity();
  auto Alice = world.entity();
  Bob.add(Likes, Alice);
  EXPECT_FALSE(Alice.has(Likes, Bob));
  EXPECT_FALSE(Alice.has(Likes, flecs::Wildcard));
}

// R13 R14 (000 L119)
TEST(seed_000_introduction, a_relationship_can_be_added_many_times_with_different_targets) {
  flecs::world world;
  auto Bob = world.entity();
  auto Eats = world.entity();
  auto Apples = world.entity();
  auto Pears = world.entity();

  Bob.add(Eats, Apples);
  Bob.add(Eats, Pears);

  EXPECT_TRUE(Bob.has(Eats, Apples));  // true
  EXPECT_TRUE(Bob.has(Eats, Pears));   // true
}

// R13 (000 L97)
TEST(seed_000_introduction, the_same_pair_is_there_once) {
  flecs::world world;
  auto Bob = world.entity();
  auto Eats = world.entity();
  auto Apples = world.entity();
  Bob.add(Eats, Apples).add(Eats, Apples);
  EXPECT_EQ(Bob.type().count(), 1u);
  Bob.remove(Eats, Apples);
  EXPECT_FALSE(Bob.has(Eats, Apples));
}

}  // namespace
