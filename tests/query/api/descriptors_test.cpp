// Queries from descriptors.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::code_of;

struct Position {
  float x, y;
};

struct query_descriptors : testing::Test {
  query_descriptors() { world.component<Position>(); }
  void is(const kith::query_desc& desc, const char* text) {
    const std::string made = world.query(desc).str();
    EXPECT_EQ(made, world.query(text).str());
    EXPECT_EQ(made, world.query(made).str());
  }

  kith::world world;
  kith::entity Knows = world.entity("Knows");
  kith::entity bob = world.entity("bob");
  kith::entity Tag = world.entity("Tag");
  kith::entity Other = world.entity("Other");
};

// Q25 Q104 Q105 Q106
TEST_F(query_descriptors, terms) {
  is({.terms = {{Tag}}}, "Tag");
  is({.terms = {{Tag}, {world.id<Position>()}, {world.pair(Knows, bob)}}},
     "Tag, Position, (Knows, bob)");
  is({.terms = {{.first = Knows, .second = bob}}}, "(Knows, bob)");
  is({.terms = {{.first = Knows, .src = bob, .second = "$x"}}}, "Knows(bob, $x)");
  is({.terms = {{.first = "$p", .src = "bob"}}}, "$p(bob)");
  is({.terms = {{.id = Tag, .src = kith::This}}}, "Tag($this)");
  is({.terms = {{.id = Tag, .singleton = true}}}, "Tag($)");
  is({.terms = {{.expr = "(Knows, $x)"}, {.expr = "!Tag($x)"}}}, "(Knows, $x), !Tag($x)");
  is({.terms = {{.first = Knows, .second = kith::Wildcard}}}, "(Knows, *)");
  is({.terms = {{.first = Knows, .second = "*"}}}, "(Knows, *)");
}

// Q71 Q72 Q74 Q80 C18
TEST_F(query_descriptors, operators_and_access) {
  is({.terms = {{Tag}, {.id = Other, .oper = kith::Not}}}, "Tag, !Other");
  is({.terms = {{Tag}, {.id = Other, .oper = kith::Optional}}}, "Tag, ?Other");
  is({.terms = {{.id = Tag, .oper = kith::Or}, {.id = Other, .oper = kith::Or}}}, "Tag || Other");
  is({.terms = {{.id = Tag, .or_next = true}, {Other}}}, "Tag || Other");
  is({.terms = {{.id = Tag, .oper = kith::AndFrom}}}, "AND | Tag");
  is({.terms = {{.id = world.id<Position>(), .inout = kith::In}}}, "[in] Position");
}

// Q135
TEST_F(query_descriptors, sets) {
  is({.terms = {{.id = Tag, .src = {kith::This, {.mask = kith::Self}}}}}, "Tag(self)");
  is({.terms = {{.id = Tag,
                 .src = {kith::This,
                         {.mask = kith::Self | kith::SuperSet,
                          .relation = kith::ChildOf,
                          .min_depth = 2,
                          .max_depth = 3}}}}},
     "Tag(self|super(ChildOf, 2, 3))");
  is({.terms = {{.id = Tag, .src = {bob, {.mask = kith::Up, .relation = Knows}}}}},
     "Tag(bob[up(Knows)])");
  is({.terms = {{.first = Knows, .second = {"bob", {.mask = kith::SubSet}}}}}, "(Knows, bob[sub])");
  is({.terms = {{.id = Tag, .src = "bob[up]"}}}, "Tag(bob[up])");
}

// Q26
TEST_F(query_descriptors, terms_and_text) {
  is({.terms = {{Tag}}, .expr = "Other, (Knows, $x)"}, "Tag, Other, (Knows, $x)");
  is({.expr = "Tag"}, "Tag");
}

TEST_F(query_descriptors, what_makes_no_sense_is_an_error) {
  const auto code = [&](const kith::query_desc& desc) {
    return code_of([&] { world.query(desc); });
  };
  kith::world other;
  auto gone = world.entity();
  const auto pair = world.pair(Knows, gone);
  gone.destruct();
  EXPECT_EQ(code({.terms = {{}}}), kith::errc::parse);
  EXPECT_EQ(code({.terms = {{.expr = "Tag, Other"}}}), kith::errc::parse);
  EXPECT_EQ(code({.terms = {{.expr = "Nobody"}}}), kith::errc::unresolved);
  EXPECT_EQ(code({.expr = "Nobody"}), kith::errc::unresolved);
  EXPECT_EQ(code({.terms = {{gone}}}), kith::errc::not_alive);
  EXPECT_EQ(code({.terms = {{pair}}}), kith::errc::not_alive);
  EXPECT_EQ(code({.terms = {{.id = Tag, .src = gone}}}), kith::errc::not_alive);
  EXPECT_EQ(code({.terms = {{other.entity()}}}), kith::errc::not_alive);
  EXPECT_EQ(code({.terms = {{.first = Knows, .second = other.entity()}}}), kith::errc::not_alive);
  EXPECT_EQ(code({.terms = {{kith::entity_t{987654}}}}), kith::errc::not_alive);
  EXPECT_EQ(code({.terms = {{.id = Tag, .src = "a, b"}}}), kith::errc::parse);
  EXPECT_EQ(code({.terms = {{.first = Knows, .second = {"*", {.mask = kith::Up}}}}}),
            kith::errc::parse);
  EXPECT_EQ(code({.terms = {{.id = Tag, .src = {kith::This, {.mask = kith::All}}}}}),
            kith::errc::parse);
  EXPECT_EQ(code({.terms = {{.id = Tag, .src = {kith::This, {.mask = kith::Desc}}}}}),
            kith::errc::parse);
  EXPECT_EQ(
      code({.terms = {{.id = Tag,
                       .src = {kith::This, {.mask = kith::Up, .min_depth = 3, .max_depth = 2}}}}}),
      kith::errc::parse);
}

TEST_F(query_descriptors, try_query_returns_the_error) {
  auto good = world.try_query({.terms = {{Tag}}});
  ASSERT_TRUE(good);
  EXPECT_EQ(good->count(), 0u);
  auto bad = world.try_query(kith::query_desc{.expr = "Tag,"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), kith::errc::parse);
}

}  // namespace
