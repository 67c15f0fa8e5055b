// The relationships manual, "Relationship queries": what one entity is asked. 000 L255-L729.
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

struct Position {
  float x, y;
};

// Bob eats apples and pears.
struct seed_000_lookups : testing::Test {
  flecs::world world;
  flecs::entity Eats = world.entity("Eats");
  flecs::entity Apples = world.entity("Apples");
  flecs::entity Pears = world.entity("Pears");
  flecs::entity Bob = world.entity("Bob").add(Eats, Apples).add(Eats, Pears);
  flecs::entity Alice = world.entity("Alice");
};

// R22 (000 L271)
TEST_F(seed_000_lookups, test_if_entity_has_a_relationship_pair) {
  EXPECT_TRUE(Bob.has(Eats, Apples));
  EXPECT_FALSE(Bob.has(Eats, Alice));
  EXPECT_FALSE(Alice.has(Eats, Apples));
}

// R23 (000 L306)
TEST_F(seed_000_lookups, test_if_entity_has_a_relationship_wildcard) {
  EXPECT_TRUE(Bob.has(Eats, flecs::Wildcard));
  EXPECT_FALSE(Alice.has(Eats, flecs::Wildcard));
}

// R24 (000 L341)
TEST_F(seed_000_lookups, get_parent_for_entity) {
  auto House = world.entity("House");
  Bob.child_of(House);
  flecs::entity parent = Bob.parent();
  EXPECT_EQ(parent, House);
}

// R24 (000 L341)
TEST_F(seed_000_lookups, an_entity_without_a_parent_gives_a_null_entity) {
  flecs::entity parent = Bob.parent();
  EXPECT_FALSE(parent);
}

// R25 (000 L383)
TEST_F(seed_000_lookups, find_first_target_of_a_relationship_for_entity) {
  flecs::entity food = Bob.target(Eats);
  EXPECT_EQ(food, Apples);
}

// R26 R27 (000 L421)
TEST_F(seed_000_lookups, find_all_targets_of_a_relationship_for_entity) {
  std::vector<flecs::entity> foods;
  flecs::entity food;
  int32_t index = 0;
  while ((food = Bob.target(Eats, index++))) {
    foods.push_back(food);
  }
  EXPECT_EQ(foods, (std::vector{Apples, Pears}));
}

// R28 (000 L466)
TEST_F(seed_000_lookups, find_target_of_a_relationship_with_component) {
  auto Street = world.entity("Street").set<Position>({1, 2});
  auto House = world.entity("House").child_of(Street);
  Bob.child_of(House);
  flecs::entity parent = Bob.target_for<Position>(flecs::ChildOf);
  EXPECT_EQ(parent, Street);
}

// R28 C47 (000 L466)
TEST_F(seed_000_lookups, an_entity_that_has_the_component_is_itself_the_answer) {
  Bob.set<Position>({1, 2}).child_of(world.entity("House").set<Position>({3, 4}));
  EXPECT_EQ(Bob.target_for<Position>(flecs::ChildOf), Bob);
}

// R28 (000 L466)
TEST_F(seed_000_lookups, where_no_target_has_the_component_there_is_a_null_entity) {
  Bob.child_of(world.entity("House"));
  EXPECT_FALSE(Bob.target_for<Position>(flecs::ChildOf));
}

// R29 R30 (000 L508)
TEST_F(seed_000_lookups, iterate_all_pairs_for_entity) {
  Bob.set<Position>({1, 2});
  std::vector<std::pair<flecs::entity, flecs::entity>> pairs;
  Bob.each([&](flecs::id id) {
    if (id.is_pair()) {
      flecs::entity first = id.first();
      flecs::entity second = id.second();
      pairs.emplace_back(first, second);
    }
  });
  EXPECT_EQ(pairs, (std::vector{std::pair(Eats, Apples), std::pair(Eats, Pears)}));
}

// R33 (000 L700)
TEST_F(seed_000_lookups, iterate_all_children_for_a_parent) {
  auto parent = world.entity("House");
  Bob.child_of(parent);
  Alice.child_of(parent);
  std::vector<flecs::entity> children;
  parent.children([&](flecs::entity child) { children.push_back(child); });
  EXPECT_EQ(children, (std::vector{Bob, Alice}));
}

// R33 (000 L700)
TEST_F(seed_000_lookups, a_parent_without_children_visits_nothing) {
  int visits = 0;
  Bob.children([&](flecs::entity) { ++visits; });
  EXPECT_EQ(visits, 0);
}

}  // namespace
