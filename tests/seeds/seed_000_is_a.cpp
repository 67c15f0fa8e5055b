// The relationships manual, "The IsA relationship": 000 L1207-L1550.
#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

struct MaxSpeed {
  float value;
};

struct Defense {
  float value;
};

// R66 R67 (000 L1226)
TEST(seed_000_is_a, it_is_added_like_any_other_relationship) {
  flecs::world world;
  auto Apple = world.entity();
  auto Fruit = world.entity();
  Apple.add(flecs::IsA, Fruit);
  EXPECT_TRUE(Apple.has(flecs::IsA, Fruit));
  EXPECT_EQ(Apple.target(flecs::IsA), Fruit);
  Apple.remove(flecs::IsA, Fruit);
  EXPECT_FALSE(Apple.has(flecs::IsA, Fruit));
}

// R68 (000 L1261)
TEST(seed_000_is_a, it_has_a_shortcut) {
  flecs::world world;
  auto Apple = world.entity();
  auto Fruit = world.entity();
  Apple.is_a(Fruit);
  EXPECT_TRUE(Apple.has(flecs::IsA, Fruit));
}

// R69 (000 L1283)
TEST(seed_000_is_a, the_equivalence_is_one_way) {
  flecs::world world;
  auto Apple = world.entity();
  auto Fruit = world.entity();
  Apple.is_a(Fruit);
  EXPECT_TRUE(Apple.related(flecs::IsA, Fruit));
  EXPECT_FALSE(Fruit.related(flecs::IsA, Apple));
  auto Sweet = world.entity();
  Apple.add(Sweet);
  EXPECT_FALSE(Fruit.has(Sweet));
}

// R70 (000 L1299)
TEST(seed_000_is_a, a_subset_of_a_subset_is_a_subset) {
  flecs::world world;
  auto Apple = world.entity();
  auto Fruit = world.entity();
  Apple.is_a(Fruit);

  auto GrannySmith = world.entity();
  GrannySmith.add(flecs::IsA, Apple);

  EXPECT_TRUE(Apple.related(flecs::IsA, Fruit));
  EXPECT_TRUE(GrannySmith.related(flecs::IsA, Fruit));
  EXPECT_FALSE(GrannySmith.has(flecs::IsA, Fruit));  // C46: has asks for the pair itself
}

// R71 M3 (000 L1324)
TEST(seed_000_is_a, transitivity_can_be_applied_to_any_relationship) {
  flecs::world world;
  auto LocatedIn = world.entity().add(flecs::Transitive);
  auto Country = world.entity();
  auto City = world.entity().add(LocatedIn, Country);
  auto Street = world.entity().add(LocatedIn, City);
  EXPECT_TRUE(Street.related(LocatedIn, Country));
}

// R72 C37 (000 L1327)
TEST(seed_000_is_a, everything_the_superset_contains_is_found_on_the_subsets) {
  flecs::world world;
  auto Fast = world.entity();
  auto BuiltBy = world.entity();
  auto Shipyard = world.entity();
  auto Spaceship = world.entity().set<MaxSpeed>({100}).add(Fast).add(BuiltBy, Shipyard);
  auto Frigate = world.entity().is_a(Spaceship);
  EXPECT_TRUE(Frigate.has<MaxSpeed>());         // its components,
  EXPECT_TRUE(Frigate.has(Fast));               // tags,
  EXPECT_TRUE(Frigate.has(BuiltBy, Shipyard));  // relationships
  EXPECT_EQ(Frigate.target(BuiltBy), Shipyard);
}

struct seed_000_sharing : testing::Test {
  flecs::world world;

  flecs::entity Spaceship = world
                                .entity()  //
                                .set<MaxSpeed>({100})
                                .set<Defense>({50});

  // E3: SpaceShip for Spaceship.
  flecs::entity Frigate = world
                              .entity()         //
                              .is_a(Spaceship)  // shorthand for .add(flecs::IsA, Spaceship)
                              .set<Defense>({75});
};

// R73 R74 R77 (000 L1346, L1403)
TEST_F(seed_000_sharing, a_component_that_was_never_added_directly_is_obtained_from_the_superset) {
  // Obtain the inherited component from Spaceship
  const MaxSpeed* v = Frigate.get<MaxSpeed>();
  ASSERT_NE(v, nullptr);
  EXPECT_TRUE(v->value == 100);  // true
  EXPECT_FALSE(Frigate.owns<MaxSpeed>());
  EXPECT_EQ(v, Spaceship.get<MaxSpeed>());
}

// R75 (000 L1447)
TEST_F(seed_000_sharing, an_inherited_component_is_overridden_with_a_value_of_its_own) {
  // Obtain the overridden component from Frigate
  const Defense* v = Frigate.get<Defense>();
  ASSERT_NE(v, nullptr);
  EXPECT_TRUE(v->value == 75);  // true
}

// R75 (000 L1432)
TEST_F(seed_000_sharing, overriding_leaves_the_superset_as_it_was) {
  EXPECT_EQ(Spaceship.get<Defense>()->value, 50);
  EXPECT_EQ(world.entity().is_a(Spaceship).get<Defense>()->value, 50);
}

// R76 (000 L1498)
TEST_F(seed_000_sharing, sharing_is_applied_transitively) {
  auto FastFrigate = world
                         .entity()  //
                         .is_a(Frigate)
                         .set<MaxSpeed>({200});

  // Obtain the overridden component from FastFrigate. E1: the seed reads it from Frigate.
  const MaxSpeed* s = FastFrigate.get<MaxSpeed>();
  ASSERT_NE(s, nullptr);
  EXPECT_TRUE(s->value == 200);  // true

  // Obtain the inherited component from Frigate. E1 again.
  const Defense* d = FastFrigate.get<Defense>();
  ASSERT_NE(d, nullptr);
  EXPECT_TRUE(d->value == 75);  // true
  EXPECT_EQ(d, Frigate.get<Defense>());
}

// R78 M5 (000 L1550)
TEST_F(seed_000_sharing, prefabs_are_built_on_inheriting_and_overriding) {
  auto Model = world.prefab().set<MaxSpeed>({100}).set<Defense>({50});
  auto ship = world.entity().is_a(Model).set<Defense>({75});
  EXPECT_EQ(ship.get<MaxSpeed>()->value, 100);
  EXPECT_EQ(ship.get<Defense>()->value, 75);
  EXPECT_FALSE(ship.has(flecs::Prefab));
}

}  // namespace
