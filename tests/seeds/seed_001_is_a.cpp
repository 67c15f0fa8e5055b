// The queries manual, "The IsA relation". 001 L1163-L1291.
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
struct Attack {
  float value;
};
struct Defense {
  float value;
};
struct MaxSpeed {
  float value;
};

// Q145
TEST(seed_001_is_a, is_a_is_short_for_adding_the_relation) {
  flecs::world world;
  {
    auto Artwork = world.entity();
    auto Painting = world.entity().add(flecs::IsA, Artwork);
    auto Portrait = world.entity().add(flecs::IsA, Painting);
    auto SelfPortrait = world.entity().add(flecs::IsA, Portrait);
    EXPECT_TRUE(SelfPortrait.related(flecs::IsA, Artwork));
  }
  {
    auto Artwork = world.entity();
    auto Painting = world.entity().is_a(Artwork);
    auto Portrait = world.entity().is_a(Painting);
    auto SelfPortrait = world.entity().is_a(Portrait);
    EXPECT_TRUE(SelfPortrait.related(flecs::IsA, Artwork));
    EXPECT_TRUE(Painting.has(flecs::IsA, Artwork));
  }
}

struct seed_001_artworks : testing::Test {
  flecs::world world;
  flecs::entity Artwork = world.entity("Artwork");
  flecs::entity Painting = world.entity("Painting").is_a(Artwork);
  flecs::entity Portrait = world.entity("Portrait").is_a(Painting);
  flecs::entity SelfPortrait = world.entity("SelfPortrait").is_a(Portrait);

  flecs::entity MonaLisa = world.entity("MonaLisa").add(Portrait);
};

// Q146 Q147 Q148 Q149 Q150 Q160
TEST_F(seed_001_artworks, the_predicate_is_substituted) {
  auto q = world.query("Artwork");
  EXPECT_EQ(matched(q), "MonaLisa:Portrait");
  EXPECT_EQ(found(world.query("Painting")), "MonaLisa");
  EXPECT_EQ(found(world.query("SelfPortrait")), "");
  EXPECT_EQ(matched(world.query("Artwork[self|all|sub(IsA)]")), "MonaLisa:Portrait");
  EXPECT_EQ(matched(world.query("Artwork[self|all|subset]")), "MonaLisa:Portrait");
  EXPECT_EQ(found(world.query("Artwork[self]")), "");

  world.entity("NightWatch").add(Painting);
  world.entity("Fountain").add(Artwork);
  world.entity("VanGogh").add(SelfPortrait);
  EXPECT_EQ(matched(q),
            "Fountain:Artwork MonaLisa:Portrait NightWatch:Painting VanGogh:SelfPortrait");
}

// Q151 C38
TEST_F(seed_001_artworks, the_object_is_substituted) {
  const auto kinds =
      "Painting:(IsA, Artwork) Portrait:(IsA, Painting) SelfPortrait:(IsA, Portrait)";
  EXPECT_EQ(matched(world.query("(IsA, Artwork)")), kinds);
  EXPECT_EQ(matched(world.query("(IsA, Artwork[self|all|subset])")), kinds);
}

struct seed_001_prefabs : testing::Test {
  flecs::world world;
  flecs::entity SpaceShip =
      world.prefab().set<Attack>({100}).set<Defense>({50}).set<MaxSpeed>({75});

  // E17: a stray semicolon cuts the chain in the seed.
  flecs::entity my_spaceship =
      world.entity("my_spaceship").is_a(SpaceShip).set<Position>({10, 20}).set<Velocity>({5, 5});
};

// Q152 Q153 Q154 Q155 M5 C59
TEST_F(seed_001_prefabs, the_subject_is_substituted) {
  EXPECT_EQ(found(world.query("MaxSpeed, Velocity")), "my_spaceship");
  EXPECT_EQ(found(world.query("MaxSpeed(self|superset), Velocity(self|superset)")), "my_spaceship");
  EXPECT_EQ(found(world.query("MaxSpeed[self|all|subset] (self|superset)")), "my_spaceship");
  // The prefab itself is no result.
  EXPECT_EQ(found(world.query("MaxSpeed")), "my_spaceship");
}

// Q152
TEST_F(seed_001_prefabs, what_is_shared_can_be_read) {
  bool visited = false;
  world.query<const MaxSpeed, Velocity>().each(
      [&](flecs::entity e, const MaxSpeed& m, Velocity& v) {
        visited = true;
        EXPECT_EQ(e, my_spaceship);
        EXPECT_EQ(m.value, 75);
        EXPECT_EQ(v.x, 5);
      });
  EXPECT_TRUE(visited);
}

// Q156 Q157 U6 U7 U8: the seed's cached queries do not; here they do.
TEST_F(seed_001_artworks, cached_queries_substitute_everywhere) {
  auto predicate = world.query_builder().expr("Artwork").cached().build();
  auto object = world.query_builder().expr("(IsA, Artwork)").cached().build();
  Artwork.set<MaxSpeed>({0});
  auto subject = world.query_builder<MaxSpeed>().cached().build();
  EXPECT_EQ(found(predicate), "MonaLisa");
  EXPECT_EQ(found(object), "Painting Portrait SelfPortrait");
  EXPECT_EQ(found(subject), "Artwork Painting Portrait SelfPortrait");
  auto Print = world.entity("Print").is_a(Artwork);
  world.entity("Hare").add(Print);
  EXPECT_EQ(found(predicate), "Hare MonaLisa");
  EXPECT_EQ(found(object), "Painting Portrait Print SelfPortrait");
  EXPECT_EQ(found(subject), "Artwork Painting Portrait Print SelfPortrait");
}

// Q159 Q160
TEST(seed_001_final, a_final_entity_has_no_kinds) {
  flecs::world world;
  // Don't try to substitute "Likes" in queries
  auto Likes = world.entity().add(flecs::Final);
  try {
    world.entity().is_a(Likes);
    FAIL();
  } catch (const flecs::error& e) {
    EXPECT_EQ(e.code(), flecs::errc::constraint);
  }
}

// Q161 C39
TEST(seed_001_final, components_are_final_when_registered) {
  flecs::world world;
  EXPECT_TRUE(world.component<Position>().has(flecs::Final));
  EXPECT_FALSE(world.entity().has(flecs::Final));
  EXPECT_THROW(world.entity().is_a(world.component<Position>()), flecs::error);
}

}  // namespace
