// Queries that are large, deep or empty.
#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/timing.hpp"

namespace {

using kith::test::many;

std::string nested(std::size_t depth, const std::string& open) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += "Tag";
  return text.append(depth, '}');
}

struct query_limits : testing::Test {
  kith::world world;
  kith::entity Tag = world.entity("Tag");
  kith::entity bob = world.entity("bob").add(Tag);

  kith::errc error_of(const std::string& text) {
    auto made = world.try_query(text);
    EXPECT_FALSE(made) << text.substr(0, 20);
    return made ? kith::errc::unsupported : made.error().code();
  }
};

TEST_F(query_limits, text_without_a_term_is_an_error) {
  EXPECT_EQ(error_of(""), kith::errc::parse);
  EXPECT_EQ(error_of("  // nothing"), kith::errc::parse);
  EXPECT_EQ(world.try_query("").error().position(), (kith::text_position{1, 1}));
}

TEST_F(query_limits, plain_scopes_nest_as_deep_as_memory_allows) {
  EXPECT_EQ(world.query(nested(many, "{")).first(), bob);
}

TEST_F(query_limits, scopes_with_operators_and_other_terms_nest_as_deep_as_memory_allows) {
  EXPECT_EQ(world.query(nested(200, "!{Tag, ")).count(), 2u);
  EXPECT_EQ(world.query(nested(199, "!{Tag, ")).count(), 1u);
  for (int uses = 0; uses < 3; ++uses) {
    const auto deep =
        world.query_builder<>().expr(nested(many / 5 + 1, "!{Tag, ")).cached().build();
    EXPECT_EQ(deep.first(), Tag);
    EXPECT_EQ(deep.first(), Tag);
    EXPECT_EQ(deep.count(), 1u);
  }
  EXPECT_EQ(world.query("Tag, " + nested(2'000, "?{Tag, ")).first(), bob);
  EXPECT_EQ(world.query("Tag, " + nested(2'000, "?{Tag, (Tag, $x), ")).first(), bob);
  EXPECT_EQ(world.query(nested(2'000, "{Tag, Tag || ")).first(), bob);
  EXPECT_EQ(world.query(nested(500, "{Tag($x), Tag || ")).set_var("x", bob).first(), bob);
  EXPECT_FALSE(world.query(nested(1'000, "!{Tag, ")).plan().empty());
}

TEST_F(query_limits, many_optional_terms_are_planned_in_little_memory) {
  std::string text = "Tag";
  for (int i = 0; i < 20'000; ++i) text += ", ?Tag";
  EXPECT_EQ(world.query(text).first(), bob);
}

TEST_F(query_limits, scopes_that_repeat_each_other_nest_as_deep_as_memory_allows) {
  kith::entity Other = world.entity("Other");
  EXPECT_EQ(world.query(nested(many, "!{")).first(), bob);
  EXPECT_FALSE(world.query("Other, " + nested(many + 1, "!{")).is_true());
  Other.add(Other);
  EXPECT_EQ(world.query("Other, " + nested(many + 1, "!{")).first(), Other);
  EXPECT_EQ(world.query("Other, " + nested(many, "?{")).first(), Other);
  EXPECT_EQ(world.query(nested(many, "{Other || ")).count(), 2u);
}

TEST_F(query_limits, walks_around_a_cycle_end_however_long_they_are) {
  world.define("R(a, b), R(b, c), R(c, a), R(tail, a), R(x, y), Tag(a), Only(y)");
  world.lookup("bob").remove(Tag);
  const auto names = [&](const char* text) {
    std::string all;
    for (kith::entity e : world.query(text).page(0, 100)) all += e.name();
    return all;
  };
  // 3,999,999,999 is a multiple of 3.
  EXPECT_EQ(names("Tag(up(R, 3999999999, 3999999999))"), "a");
  EXPECT_EQ(names("Tag(up(R, 4000000000, 4000000000))"), "ctail");
  EXPECT_EQ(names("Tag(up(R, 3999999999, 4000000000))"), "actail");
  EXPECT_EQ(names("Tag(up(R, 4000000000))"), "abctail");
  EXPECT_EQ(names("Tag(up(R, 4000000000, 4294967295))"), "abctail");
  EXPECT_EQ(names("Only(up(R, 4000000000, 4294967295))"), "");
  EXPECT_EQ(names("Tag(down(R, 4000000000, 4000000000))"), "b");
}

// Each would be a walk to the top, and a list of all that is above.
TEST_F(query_limits, long_lines_are_gone_through_once) {
  constexpr std::size_t depth = many / 2;
  for (const char* relation : {"ChildOf", "In"}) {
    const kith::entity R =
        relation == std::string("In") ? world.entity("In") : world.entity(kith::ChildOf);
    kith::entity above = world.entity().add(Tag);
    for (std::size_t i = 1; i < depth; ++i) above = world.entity().add(R, above);
    const auto in_line = [&](const std::string& text) {
      return world.query("(" + std::string(relation) + ", *), " + text).count();
    };
    EXPECT_EQ(in_line("Tag(up(" + std::string(relation) + "))"), depth - 1);
    EXPECT_EQ(in_line("Tag(self|up(" + std::string(relation) + "))"), depth - 1);
    EXPECT_EQ(in_line("?Tag(cascade(" + std::string(relation) + "))"), depth - 1);
    EXPECT_EQ(in_line("!Tag(up(" + std::string(relation) + "))"), 0u);
  }
}

TEST_F(query_limits, many_children_are_looked_through_once) {
  constexpr std::size_t children = many / 2;
  kith::entity ship = world.entity("ship");
  for (std::size_t i = 0; i < children; ++i) world.entity().child_of(ship);
  world.entity("ship::last").add(Tag);
  const auto below = world.query("Tag(ship[down(ChildOf)])");
  const auto target = world.query("(ChildOf, ship[self|down(ChildOf)])");
  EXPECT_LT(kith::test::seconds_of([&] { EXPECT_TRUE(below.is_true()); }), 2);
  EXPECT_LT(kith::test::seconds_of([&] { EXPECT_EQ(target.first().parent(), ship); }), 2);
}

}  // namespace
