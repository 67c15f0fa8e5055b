// The queries manual, "Wildcard" and "Variables". 001 L829-L943.
#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

namespace {

using kith::test::bound;
using kith::test::found;
using kith::test::matched;

struct seed_001_wildcards : testing::Test {
  flecs::world world;
  flecs::entity Likes = world.entity("Likes");
  flecs::entity Alice = world.entity("Alice");
  flecs::entity Bob = world.entity("Bob");
};

// Q107
TEST_F(seed_001_wildcards, an_object_wildcard_returns_an_entity_once_per_object) {
  Bob.add(Likes, Alice).add(Likes, world.entity("Pears"));
  EXPECT_EQ(matched(world.query("(Likes, *)")), "Bob:(Likes, Alice) Bob:(Likes, Pears)");

  // (Likes, *)
  auto qb = world.query_builder<>().term(Likes, flecs::Wildcard);
  EXPECT_EQ(matched(qb.build()), "Bob:(Likes, Alice) Bob:(Likes, Pears)");

  auto q = world.query({.terms = {{world.pair(Likes, flecs::Wildcard)}}});
  EXPECT_EQ(matched(q), "Bob:(Likes, Alice) Bob:(Likes, Pears)");
}

// Q108
TEST_F(seed_001_wildcards,
       a_predicate_wildcard_returns_all_that_have_a_relationship_with_an_object) {
  Bob.add(Likes, Alice);
  world.entity("Carl").add(world.entity("Owes"), Alice).add(Likes, Bob);
  EXPECT_EQ(matched(world.query("(*, Alice)")), "Bob:(Likes, Alice) Carl:(Owes, Alice)");
}

// Q109 Q110 Q111 C57
TEST_F(seed_001_wildcards, a_pair_of_wildcards_matches_relations_and_a_bare_one_components) {
  Bob.add(Likes, Alice).add(world.entity("Happy"));
  Alice.add(world.entity("Sad"));
  EXPECT_EQ(matched(world.query("(*, *)")), "Bob:(Likes, Alice)");
  EXPECT_EQ(matched(world.query("*")), "Alice:Sad Bob:Happy");
  EXPECT_EQ(matched(world.query("(*, *) || *")), "Alice:Sad Bob:(Likes, Alice) Bob:Happy");
}

struct seed_001_variables : testing::Test {
  seed_001_variables() {
    Bob.add(Likes, Alice).add(Likes, Carl).add(Colleague, Carl).add(Colleague, Dora);
  }

  flecs::world world;
  flecs::entity Likes = world.entity("Likes");
  flecs::entity Colleague = world.entity("Colleague");
  flecs::entity Alice = world.entity("Alice");
  flecs::entity Bob = world.entity("Bob");
  flecs::entity Carl = world.entity("Carl");
  flecs::entity Dora = world.entity("Dora");
};

// Q113
TEST_F(seed_001_variables, two_wildcards_multiply) {
  EXPECT_EQ(world.query("(Likes, *), (Colleague, *)").count(), 4u);
}

// Q112 Q114 Q115
TEST_F(seed_001_variables, a_variable_matches_the_same_entity_across_terms) {
  EXPECT_EQ(bound(world.query("(Likes, $X), (Colleague, $X)")), "Bob X=Carl;");

  // (Likes, X), (Colleague, X)
  auto qb = world.query_builder<>().term(Likes).obj().var("X").term(Colleague).obj().var("X");
  EXPECT_EQ(bound(qb.build()), "Bob X=Carl;");

  // E13: the missing comma.
  auto q = world.query(
      {.terms = {{.first = Likes, .second = "$X"}, {.first = Colleague, .second = "$X"}}});
  EXPECT_EQ(bound(q), "Bob X=Carl;");
}

// Q116
TEST_F(seed_001_variables, a_variable_can_be_the_relation) {
  Bob.add(world.entity("Owes"), Carl);
  EXPECT_EQ(bound(world.query("(Likes, $X), ($R, $X)")),
            "Bob X=Alice R=Likes; Bob X=Carl R=Colleague; Bob X=Carl R=Likes; Bob X=Carl R=Owes;");
}

// Q117 C34
TEST_F(seed_001_variables, a_variable_can_be_a_component_that_must_be_there) {
  auto ExpiryTimer = world.entity("ExpiryTimer");
  auto Burning = world.entity("Burning");
  world.entity("a").add(ExpiryTimer, Burning).add(Burning);
  world.entity("b").add(ExpiryTimer, Burning);
  EXPECT_EQ(bound(world.query("(ExpiryTimer, $C), $C")), "a C=Burning;");
}

// Q118
TEST_F(seed_001_variables, variables_traverse_the_graph) {
  Alice.add(Likes, Dora);
  Carl.add(Likes, Bob);
  Bob.add(world.entity("Enemy"), Dora);
  EXPECT_EQ(bound(world.query("(Likes, $Friend), Likes($Friend, $Enemy), (Enemy, $Enemy)")),
            "Bob Friend=Alice Enemy=Dora;");
}

// Q119 U2 U3: the seed does not support it; here any expression can be cached.
TEST_F(seed_001_variables, a_cached_query_can_have_variables_anywhere) {
  auto q = world.query_builder().expr("(Likes, $x), Likes($x, $y)").cached().build();
  EXPECT_EQ(bound(q), "");
  Carl.add(Likes, Dora);
  EXPECT_EQ(bound(q), "Bob x=Carl y=Dora;");
  Carl.add(Likes, Alice);
  EXPECT_EQ(bound(q), "Bob x=Carl y=Alice; Bob x=Carl y=Dora;");
  Bob.remove(Likes, Carl);
  EXPECT_EQ(bound(q), "");
}

}  // namespace
