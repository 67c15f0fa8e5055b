// The relationships manual: pairs with data, the same component several times, inspecting
// relationships. 000 L731-L1205.
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

struct Position {
  float x, y;
};

struct Eats {
  float amount;
};

// Empty types (types without members) are automatically interpreted as tags
struct Begin {};
struct End {};

struct seed_000_pairs : testing::Test {
  flecs::world world;
  // Tags
  flecs::entity Likes = world.entity("Likes");
  flecs::entity Apples = world.entity("Apples");

  flecs::entity e = world.entity("e");
};

// R38 R41 (000 L803)
TEST_F(seed_000_pairs, a_pair_of_two_tags_is_a_tag) {
  // Both Likes and Apples are tags, so (Likes, Apples) is a tag
  e.add(Likes, Apples);
  EXPECT_TRUE(e.has(Likes, Apples));
  EXPECT_FALSE(world.pair(Likes, Apples).type_id());
  EXPECT_EQ(e.get(Likes, Apples), nullptr);
}

// R43 R46 (000 L806)
TEST_F(seed_000_pairs, a_pair_whose_first_element_is_a_type_has_that_type) {
  // Eats is a type and Apples is a tag, so (Eats, Apples) has type Eats
  e.set<Eats>(Apples, {1});
  EXPECT_EQ(world.pair<Eats>(Apples).type_id(), world.id<Eats>());
  ASSERT_NE(e.get<Eats>(Apples), nullptr);
  EXPECT_EQ(e.get<Eats>(Apples)->amount, 1);
}

// R44 R45 R47 (000 L809)
TEST_F(seed_000_pairs, a_pair_whose_second_element_alone_is_a_type_has_that_type) {
  // Begin is a tags and Position is a type, so (Begin, Position) has type Position
  e.set<Begin, Position>({0, 0});
  e.set<End, Position>({10, 20});  // Same for End
  const flecs::id begin = world.pair<Begin, Position>();
  const flecs::id end = world.pair<End, Position>();
  EXPECT_EQ(begin.type_id(), world.id<Position>());
  EXPECT_EQ(end.type_id(), world.id<Position>());
}

// R48 (000 L810)
TEST_F(seed_000_pairs, pairs_with_the_same_type_have_values_of_their_own) {
  e.set<Begin, Position>({0, 0});
  e.set<End, Position>({10, 20});
  const Position* begin = e.get<Begin, Position>();
  const Position* end = e.get<End, Position>();
  ASSERT_TRUE(begin && end);
  EXPECT_EQ(begin->x, 0);
  EXPECT_EQ(begin->y, 0);
  EXPECT_EQ(end->x, 10);
  EXPECT_EQ(end->y, 20);
}

// R39 R40 R43 (000 L736)
TEST_F(seed_000_pairs, where_both_elements_are_types_the_first_decides) {
  e.set<Eats, Position>({3});
  const flecs::id pair = world.pair<Eats, Position>();
  EXPECT_EQ(pair.type_id(), world.id<Eats>());
  const Eats* eats = e.get<Eats, Position>();
  ASSERT_NE(eats, nullptr);
  EXPECT_EQ(eats->amount, 3);
}

// R42 R49 R51 (000 L813)
TEST_F(seed_000_pairs, child_of_has_the_tag_property_so_the_pair_is_a_tag_whatever_its_target) {
  // ChildOf has the Tag property, so even though Position is a type, the pair
  // does not assume the Position type
  e.add(flecs::ChildOf, world.id<Position>());
  EXPECT_TRUE(e.has(flecs::ChildOf, world.id<Position>()));
  EXPECT_FALSE(world.pair(flecs::ChildOf, world.id<Position>()).type_id());
  EXPECT_EQ(e.get(flecs::ChildOf, world.id<Position>()), nullptr);
}

// R42 M2 C6 (000 L735)
TEST_F(seed_000_pairs, a_relationship_with_the_tag_property_has_no_data) {
  Likes.add(flecs::Tag);
  e.add(Likes, world.id<Position>());
  EXPECT_FALSE(world.pair(Likes, world.id<Position>()).type_id());
  world.entity<Eats>().add(flecs::Tag);
  e.add<Eats>(Apples);
  EXPECT_FALSE(world.pair<Eats>(Apples).type_id());
}

// R52 R53 (000 L916)
TEST(seed_000_same_component,
     a_component_can_be_added_several_times_as_long_as_the_pair_is_unique) {
  flecs::world world;
  // E4: the seed's struct lacks its semicolon; it is the one above.
  auto e = world.entity();

  auto first = world.entity();
  auto second = world.entity();
  auto third = world.entity();

  // Add component position 3 times, for 3 different objects
  e.set<Position>(first, {1, 2});
  e.set<Position>(second, {3, 4});
  e.set<Position>(third, {5, 6});

  ASSERT_TRUE(e.get<Position>(first) && e.get<Position>(second) && e.get<Position>(third));
  EXPECT_EQ(e.get<Position>(first)->x, 1);
  EXPECT_EQ(e.get<Position>(first)->y, 2);
  EXPECT_EQ(e.get<Position>(second)->x, 3);
  EXPECT_EQ(e.get<Position>(second)->y, 4);
  EXPECT_EQ(e.get<Position>(third)->x, 5);
  EXPECT_EQ(e.get<Position>(third)->y, 6);
}

// R52 (000 L889)
TEST(seed_000_same_component, a_component_alone_is_there_once) {
  flecs::world world;
  auto e = world.entity();
  e.set<Position>({1, 2}).set<Position>({3, 4});
  EXPECT_EQ(e.type().count(), 1u);
  EXPECT_EQ(e.get<Position>()->x, 3);
}

struct seed_000_inspecting : testing::Test {
  flecs::world world;
  std::ostringstream cout;
};

// R61 R63 (000 L1147)
TEST_F(seed_000_inspecting, a_pair_wildcard_finds_all_instances_of_a_relationship) {
  // Bob eats apples and pears. The seed's entities have no names, but their names are printed.
  auto Bob = world.entity();
  auto Eats = world.entity();
  auto Apples = world.entity("Apples");
  auto Pears = world.entity("Pears");

  Bob.add(Eats, Apples);
  Bob.add(Eats, Pears);
  Bob.add(world.entity("Likes"), Apples);

  // Find all (Eats, *) relationships in Bob's type. E6: bob for Bob.
  Bob.match(world.pair(Eats, flecs::Wildcard),
            [&](flecs::id id) { cout << "Bob eats " << id.second().name() << std::endl; });
  EXPECT_EQ(cout.str(), "Bob eats Apples\nBob eats Pears\n");
}

// R62 (000 L1152)
TEST_F(seed_000_inspecting, for_target_wildcards_each_can_be_used) {
  auto Bob = world.entity();
  auto Eats = world.entity();
  auto Apples = world.entity("Apples");
  auto Pears = world.entity("Pears");

  Bob.add(Eats, Apples);
  Bob.add(Eats, Pears);
  Bob.add(world.entity("Likes"), Apples);

  // For target wildcard pairs, each() can be used. E6: bob for Bob, and the semicolon.
  Bob.each(Eats, [&](flecs::entity obj) { cout << "Bob eats " << obj.name() << std::endl; });
  EXPECT_EQ(cout.str(), "Bob eats Apples\nBob eats Pears\n");
}

// R58 R59 R60 on one entity (000 L1096)
TEST_F(seed_000_inspecting, a_wildcard_may_stand_for_the_relationship_the_target_or_both) {
  auto Likes = world.entity("Likes");
  auto Knows = world.entity("Knows");
  auto Alice = world.entity("Alice");
  auto Apples = world.entity("Apples");
  auto Bob = world.entity("Bob").add(Likes, Alice).add(Likes, Apples).add(Knows, Alice);
  const auto matches = [&](flecs::id pattern) {
    std::string found;
    Bob.match(pattern, [&](flecs::id id) { found += id.str() + " "; });
    return found;
  };
  const flecs::entity_t any = flecs::Wildcard;
  EXPECT_EQ(matches(world.pair(Likes, any)), "(Likes, Alice) (Likes, Apples) ");
  EXPECT_EQ(matches(world.pair(any, Alice)), "(Likes, Alice) (Knows, Alice) ");
  EXPECT_EQ(matches(world.pair(any, any)), "(Likes, Alice) (Likes, Apples) (Knows, Alice) ");
}

}  // namespace
