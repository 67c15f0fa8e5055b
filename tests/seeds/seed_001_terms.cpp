// The queries manual, "Predicate" to "Assigning Identifiers with the API". 001 L579-L827.
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
struct Mass {
  float value;
};
struct Game {
  float speed;
};

struct seed_001_terms : testing::Test {
  flecs::world world;
  flecs::entity Likes = world.entity("Likes");
  flecs::entity Alice = world.entity("Alice");
  flecs::entity Bob =
      world.entity("Bob").set<Position>({1, 2}).set<Velocity>({3, 4}).add(Likes, Alice);
  flecs::entity Carl = world.entity("Carl").set<Position>({5, 6});
};

// Q86 Q87 Q88 Q92
TEST_F(seed_001_terms, a_predicate_is_true_of_its_subject_or_not) {
  auto yes = world.query("Position(Bob) // true if entity Bob has Position");
  auto no = world.query("Position(Alice)");
  EXPECT_TRUE(yes.is_true());
  EXPECT_TRUE(yes.is_question());
  EXPECT_FALSE(no.is_true());
  // As one term of several it is a condition.
  EXPECT_EQ(found(world.query("Velocity, Position(Carl)")), "Bob");
  EXPECT_EQ(found(world.query("Velocity, Position(Alice)")), "");
}

// Q89 C9
TEST_F(seed_001_terms, this_is_the_subject_unless_another_is_written) {
  auto implied = world.query("Position, Velocity");
  auto written = world.query("Position(This), Velocity(This)");
  EXPECT_EQ(found(implied), "Bob");
  EXPECT_EQ(found(written), "Bob");
  EXPECT_EQ(found(world.query("Position($this), Velocity($This)")), "Bob");
}

// Q90 Q91
TEST_F(seed_001_terms, an_object_is_the_second_argument) {
  EXPECT_TRUE(world.query("Likes(Bob, Alice) // True when Bob Likes Alice").is_true());
  EXPECT_FALSE(world.query("Likes(Alice, Bob)").is_true());
  EXPECT_EQ(found(world.query("(Likes, Alice)")), "Bob");
  EXPECT_EQ(found(world.query("Likes(This, Alice)")), "Bob");
}

// Q93 Q94
TEST_F(seed_001_terms, components_are_named_by_type) {
  Bob.set<Mass>({1});
  // Position & Velocity are C++ types
  auto qb = world.query_builder<Position, const Velocity>().term<Mass>();  // Mass is a C++ type
  EXPECT_EQ(found(qb.build()), "Bob");

  auto q =
      world.query({.terms = {{world.id<Position>()}, {world.id<Velocity>()}, {world.id<Mass>()}}});
  EXPECT_EQ(found(q), "Bob");
}

// Q95
TEST_F(seed_001_terms, tags_are_entities) {
  // NPC
  auto NPC = world.entity();
  auto qb = world.query_builder<>().term(NPC);
  Carl.add(NPC);
  EXPECT_EQ(found(qb.build()), "Carl");

  auto q = world.query({.terms = {{NPC}}});
  EXPECT_EQ(found(q), "Carl");
}

struct NPC {};

// Q96
TEST_F(seed_001_terms, empty_types_are_tags) {
  Carl.add<NPC>();
  EXPECT_EQ(found(world.query_builder<>().term<NPC>().build()), "Carl");
  EXPECT_EQ(found(world.query("NPC")), "Carl");
}

namespace types {
struct Likes {
  float how_much;
};
struct Apples {};
}  // namespace types

// Q97 E14: the unused NPC is left out.
TEST_F(seed_001_terms, relations_and_objects_are_entities_or_types) {
  Bob.set<types::Likes, types::Apples>({1});
  {
    using types::Apples;
    using types::Likes;
    // (Likes, Apples)
    auto qb = world.query_builder<>().term<Likes, Apples>();
    EXPECT_EQ(found(qb.build()), "Bob");

    auto q = world.query({.terms = {{world.pair(world.id<Likes>(), world.id<Apples>())}}});
    EXPECT_EQ(found(q), "Bob");
  }
  auto Apples = world.entity("Apples");
  Carl.add(Likes, Apples).set<types::Likes>(Apples, {2});
  {
    auto qb = world.query_builder<>().term(Likes, Apples);
    EXPECT_EQ(found(qb.build()), "Carl");

    auto q = world.query({.terms = {{world.pair(Likes, Apples)}}});
    EXPECT_EQ(found(q), "Carl");
  }
  {
    using types::Likes;
    auto qb = world.query_builder<>().term<Likes>(Apples);
    EXPECT_EQ(found(qb.build()), "Carl");
  }
}

// Q98 Q99 Q100 Q101 Q102 C20 E14 U16
TEST_F(seed_001_terms, a_singleton_is_a_component_added_to_itself) {
  world.component<Game>();
  auto text = world.query("Position, Velocity, Game($)");
  auto itself = world.query("Position, Velocity, Game(Game)");

  // Game($)
  auto qb = world.query_builder<Position, const Velocity>().term<Game>().singleton();
  auto built = qb.build();

  // Game(Game)
  auto desc = world.query({.terms = {{world.id<Position>()},
                                     {world.id<Velocity>()},
                                     {.id = world.id<Game>(), .src = world.id<Game>()}}});

  EXPECT_FALSE(world.query("Game($)").is_true());
  EXPECT_EQ(found(text) + found(itself) + found(built) + found(desc), "");

  world.set<Game>({2});
  EXPECT_TRUE(world.query("Game($)").is_true());
  EXPECT_EQ(found(text), "Bob");
  EXPECT_EQ(found(itself), "Bob");
  EXPECT_EQ(found(built), "Bob");
  EXPECT_EQ(found(desc), "Bob");
  built.each([&](flecs::iter& it, size_t i, Position&, const Velocity&) {
    EXPECT_EQ(it.field_at<Game>(2, i).speed, 2);
    EXPECT_EQ(it.src(2), world.entity<Game>());
  });
}

// Q103 C4
TEST_F(seed_001_terms, the_builder_sets_subject_and_object) {
  // Position(This), (Likes, Alice)
  auto qb = world.query_builder<>().term<Position>().subj(flecs::This).term(Likes).object(Alice);
  EXPECT_EQ(found(qb.build()), "Bob");
  EXPECT_EQ(world.query(qb.build().str()).str(),
            world.query("Position(This), (Likes, Alice)").str());

  // Every place has its older and its newer name.
  EXPECT_EQ(found(world.query_builder().term(Likes).obj(Alice).build()), "Bob");
  EXPECT_EQ(found(world.query_builder().with(Likes).second(Alice).build()), "Bob");
  EXPECT_EQ(found(world.query_builder().term<Position>().pred(Likes).target(Alice).build()), "Bob");
  EXPECT_TRUE(world.query_builder().term(Likes).subj(Bob).obj(Alice).build().is_true());
  EXPECT_TRUE(world.query_builder().with(Likes).src(Bob).second(Alice).build().is_true());
}

// Q104
TEST_F(seed_001_terms, the_descriptor_sets_predicate_subject_and_object) {
  // Position(This), (Likes, Alice)
  auto q = world.query({.terms = {{.first = world.id<Position>(), .src = flecs::This},
                                  {.first = Likes, .second = Alice}}});
  EXPECT_EQ(found(q), "Bob");
}

// Q105
TEST_F(seed_001_terms, an_id_is_a_predicate_on_this) {
  auto brief = world.query({.terms = {{world.id<Position>()}}});
  auto full = world.query({.terms = {{.first = world.id<Position>(), .src = flecs::This}}});
  EXPECT_EQ(found(brief), "Bob Carl");
  EXPECT_EQ(found(full), "Bob Carl");
}

// Q106
TEST_F(seed_001_terms, a_pair_is_a_predicate_and_an_object) {
  auto brief = world.query({.terms = {{world.pair(Likes, Alice)}}});
  auto full = world.query({.terms = {{.first = Likes, .src = flecs::This, .second = Alice}}});
  EXPECT_EQ(found(brief), "Bob");
  EXPECT_EQ(found(full), "Bob");
  EXPECT_EQ(brief.str(), full.str());
}

}  // namespace
