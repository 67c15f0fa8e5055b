// The relationships manual, "Relationship performance": what it says of the storage as far as it
// can be seen from outside. 000 L1821-L1907.
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

struct Position {
  float x, y;
};

// R95 R97 (000 L1830)
TEST(seed_000_storage, a_component_is_an_entity_with_the_builtin_component_component) {
  flecs::world world;
  auto position = world.entity<Position>();
  ASSERT_TRUE(position.has(flecs::Component));
  const auto* info = static_cast<const flecs::component_info*>(position.get(flecs::Component));
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->size, sizeof(Position));
  EXPECT_EQ(info->alignment, alignof(Position));
}

// R96 R97 (000 L1830)
TEST(seed_000_storage, an_entity_without_the_component_component_is_a_tag) {
  flecs::world world;
  auto Npc = world.entity();
  EXPECT_FALSE(Npc.has(flecs::Component));
  EXPECT_FALSE(flecs::id(Npc).type_id());
  EXPECT_EQ(world.entity().add(Npc).get(Npc), nullptr);
}

// R98 (000 L1833)
TEST(seed_000_storage, a_pair_is_two_elements_in_one_64_bit_id) {
  flecs::world world;
  auto Likes = world.entity();
  auto Apples = world.entity();
  const flecs::id pair = world.pair(Likes, Apples);
  static_assert(sizeof(pair.raw_id()) == 8);
  const flecs::id again = world.id(pair.raw_id());
  EXPECT_EQ(again.first(), Likes);
  EXPECT_EQ(again.second(), Apples);
}

// R99 R101 R102 (000 L1837, C: "also applies to C++")
TEST(seed_000_storage, adding_a_component_or_a_pair_is_adding_an_id) {
  flecs::world world;
  // Tags
  auto Likes = world.entity();
  auto Apples = world.entity();
  auto Npc = world.entity();

  // One id can be added to another
  auto e = world.entity().add(Npc);
  EXPECT_TRUE(e.has(Npc));

  // Adding a component and adding a pair are the same with their ids
  auto typed = world.entity().add<Position>().add(Likes, Apples);
  auto by_id = world.entity().add(world.id<Position>()).add(world.pair(Likes, Apples));
  EXPECT_EQ(typed.type(), by_id.type());
  EXPECT_EQ(typed.table(), by_id.table());
}

// R107 R109 M4 C7 (000 L1879)
TEST(seed_000_storage, fragmentation_can_be_reduced_by_union_relationships) {
  flecs::world world;
  auto State = world.entity().add(flecs::Union);
  std::vector<flecs::entity> states;
  for (int i = 0; i < 5; ++i) states.push_back(world.entity());
  const std::size_t tables = world.table_count();
  for (flecs::entity state : states) {
    auto e = world.entity().add(State, state);
    EXPECT_EQ(e.target(State), state);
  }
  EXPECT_EQ(world.table_count(), tables);
}

// M4 (000 L1879)
TEST(seed_000_storage, a_union_relationship_has_one_target) {
  flecs::world world;
  auto State = world.entity().add(flecs::Union);
  auto Walking = world.entity();
  auto Running = world.entity();
  auto e = world.entity().add(State, Walking).add(State, Running);
  EXPECT_FALSE(e.has(State, Walking));
  EXPECT_TRUE(e.has(State, Running));
}

// R110 R111 C50 (000 L1882)
TEST(seed_000_storage, when_a_component_is_deleted_it_is_removed_from_all_entities) {
  flecs::world world;
  auto Npc = world.entity();
  auto a = world.entity().set<Position>({1, 2}).add(Npc);
  auto b = world.entity().set<Position>({3, 4});
  world.entity<Position>().destruct();
  EXPECT_EQ(a.type().count(), 1u);
  EXPECT_TRUE(a.has(Npc));
  EXPECT_EQ(b.type().count(), 0u);
}

// R111 (000 L1882)
TEST(seed_000_storage, when_a_component_is_deleted_all_tables_with_it_are_deleted) {
  flecs::world world;
  auto component = world.entity<Position>();
  auto e = world.entity();
  const std::size_t tables = world.table_count();
  e.set<Position>({1, 2});
  EXPECT_EQ(world.table_count(), tables + 1);
  component.destruct();
  EXPECT_EQ(world.table_count(), tables);
}

// R110 R112 (000 L1882)
TEST(seed_000_storage, when_a_regular_entity_is_deleted_the_pairs_that_contain_it_go) {
  flecs::world world;
  auto Likes = world.entity();
  auto Eats = world.entity();
  auto Apples = world.entity();
  auto Pears = world.entity();
  auto Bob = world.entity().add(Likes, Apples).add(Eats, Apples).add(Eats, Pears);
  Apples.destruct();
  ASSERT_EQ(Bob.type().count(), 1u);
  EXPECT_TRUE(Bob.has(Eats, Pears));
  Eats.destruct();
  EXPECT_EQ(Bob.type().count(), 0u);
}

// R114 R115 (000 L1889)
TEST(seed_000_storage, an_entity_with_a_pair_is_found_by_the_pair_and_by_its_three_wildcards) {
  flecs::world world;
  auto Likes = world.entity();
  auto Apples = world.entity();
  auto Bob = world.entity().add(Likes, Apples);
  const flecs::entity_t any = flecs::Wildcard;
  for (flecs::id index : {world.pair(Likes, Apples), world.pair(Likes, any),
                          world.pair(any, Apples), world.pair(any, any)}) {
    bool found = false;
    world.each(index, [&](flecs::entity e) { found |= e == Bob; });
    EXPECT_TRUE(found) << index.str();
  }
}

// Npc, (Likes, Apples), (Likes, Pears), (Likes, Bananas), (Eats, Apples), (Eats, Pears)
struct seed_000_type : testing::Test {
  flecs::world world;
  flecs::entity Npc = world.entity("Npc");
  flecs::entity Likes = world.entity("Likes");
  flecs::entity Eats = world.entity("Eats");
  flecs::entity Apples = world.entity("Apples");
  flecs::entity Pears = world.entity("Pears");
  flecs::entity Bananas = world.entity("Bananas");
  flecs::entity e = world.entity()
                        .add(Eats, Pears)
                        .add(Likes, Bananas)
                        .add(Eats, Apples)
                        .add(Npc)
                        .add(Likes, Pears)
                        .add(Likes, Apples);

  // Where in the type the ids are that match.
  std::vector<std::size_t> places(flecs::id pattern) const {
    std::vector<std::size_t> found;
    e.match(pattern, [&](flecs::id id) {
      for (std::size_t i = 0; i < e.type().count(); ++i)
        if (e.type().get(i) == id) found.push_back(i);
    });
    return found;
  }
};

// R120 (000 L1904)
TEST_F(seed_000_type, relationships_are_ordered_behind_plain_ids_with_equal_ones_adjacent) {
  EXPECT_EQ(
      e.type().str(),
      "Npc, (Likes, Apples), (Likes, Pears), (Likes, Bananas), (Eats, Apples), (Eats, Pears)");
}

// R116 R118 R121 (000 L1907)
TEST_F(seed_000_type, instances_of_a_relationship_are_contiguous) {
  EXPECT_EQ(places(world.pair(Likes, flecs::Wildcard)), (std::vector<std::size_t>{1, 2, 3}));
}

// R116 R119 R121 (000 L1907)
TEST_F(seed_000_type, instances_of_a_target_are_not) {
  EXPECT_EQ(places(world.pair(flecs::Wildcard, Pears)), (std::vector<std::size_t>{2, 5}));
}

}  // namespace
