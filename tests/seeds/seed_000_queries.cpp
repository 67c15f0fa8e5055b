// The relationships manual: queries for pairs, also with wildcards. 000 L185-L253, L545-L660,
// L972-L1102.
#include <sstream>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

namespace {

using kith::test::found;
using kith::test::matched;

struct seed_000_queries : testing::Test {
  flecs::world world;
  flecs::entity Eats = world.entity("Eats");
  flecs::entity Apples = world.entity("Apples");
  flecs::entity Pears = world.entity("Pears");
  flecs::entity Bob = world.entity("Bob").add(Eats, Apples).add(Eats, Pears);
  flecs::entity Alice = world.entity("Alice").add(Eats, Pears);
  flecs::entity Cat = world.entity("Cat");
};

// R15 R16 R19 000 L191
TEST_F(seed_000_queries, a_query_is_written_as_an_expression) {
  {
    // Find all entities that eat apples
    auto q = world.query_builder<>().expr("(Eats, Apples)").build();
    EXPECT_EQ(found(q), "Bob");
  }
  {
    // Find all entities that eat anything
    auto q = world.query_builder<>().expr("(Eats, *)").build();
    EXPECT_EQ(found(q), "Alice Bob Bob");
  }
}

namespace types {
struct Eats {
  float amount;
};
struct Apples {};
}  // namespace types

// R17 R18 R19
TEST_F(seed_000_queries, a_pair_is_given_as_entities_or_as_types) {
  {
    // With the query builder
    auto q = world.query_builder<>().with(Eats, Apples).build();
    EXPECT_EQ(found(q), "Bob");
  }
  {
    // Or when using pair types, when both relationship & target are compile time types
    auto q = world.query<flecs::pair<types::Eats, types::Apples>>();
    Cat.set<types::Eats, types::Apples>({3});
    EXPECT_EQ(found(q), "Cat");
    q.each([](types::Eats& eats) { EXPECT_EQ(eats.amount, 3); });
  }
}

// R31 R37 000 L571
TEST_F(seed_000_queries, find_all_entities_with_a_pair) {
  std::string eaters;
  world.query_builder().with(Eats, Apples).build().each([&](flecs::entity e) {
    // Iterate as usual
    eaters += e.name();
  });
  EXPECT_EQ(eaters, "Bob");
}

// R32 R34 R35 000 L635
TEST_F(seed_000_queries, find_all_entities_with_a_pair_wildcard) {
  kith::test::words eaters;
  world.query_builder().with(Eats, flecs::Wildcard).build().each([&](flecs::iter& it, size_t i) {
    flecs::entity food = it.pair(0).second();  // Apples, ...
    flecs::entity e = it.entity(i);
    // Iterate as usual
    eaters += std::string(e.name()) + ":" + std::string(food.name());
  });
  EXPECT_EQ(eaters.str(), "Alice:Pears Bob:Apples Bob:Pears");
}

// R36
TEST_F(seed_000_queries, a_descriptor_may_be_filled_by_element) {
  flecs::query_desc desc;
  desc.terms.emplace_back().id = world.pair(Eats, Apples);
  EXPECT_EQ(found(world.query(desc)), "Bob");
}

// R54 R55 R56 000 L1007
TEST_F(seed_000_queries, a_result_tells_the_pair_that_matched) {
  auto Likes = world.entity("Likes");
  Bob.add(Likes, Alice);
  std::ostringstream cout;
  using std::endl;

  auto q = world.query_builder().with(Likes, flecs::Wildcard).build();

  q.each([&](flecs::iter& it, size_t i) {
    cout << "entity " << it.entity(i) << " has relationship " << it.pair(0).first().name() << ", "
         << it.pair(0).second().name() << endl;
  });
  EXPECT_EQ(cout.str(), "entity Bob has relationship Likes, Alice\n");
}

// R57 000 L1074
TEST_F(seed_000_queries, wildcards_may_appear_in_expressions) {
  Bob.add(world.entity("Likes"), Alice);
  auto q = world.query_builder<>().expr("(Likes, *)").build();
  EXPECT_EQ(found(q), "Bob");
}

// R20 R58 R59 R60 000 L1098
TEST_F(seed_000_queries, wildcards_may_stand_for_relationship_and_target) {
  auto Likes = world.entity("Likes");
  auto Knows = world.entity("Knows");
  Bob.add(Likes, Alice).remove(Eats, flecs::Wildcard);
  Alice.add(Likes, Bob).remove(Eats, flecs::Wildcard);
  Cat.add(Knows, Alice);
  EXPECT_EQ(matched(world.query("(Likes, *)")), "Alice:(Likes, Bob) Bob:(Likes, Alice)");
  EXPECT_EQ(matched(world.query("(*, Alice)")), "Bob:(Likes, Alice) Cat:(Knows, Alice)");
  EXPECT_EQ(matched(world.query("(*, *)")),
            "Alice:(Likes, Bob) Bob:(Likes, Alice) Cat:(Knows, Alice)");
}

}  // namespace
