#include <gtest/gtest.h>

#include <kith/detail/builtins.hpp>

#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::printed;
using kith::test::term_of;

substitution flags_of(std::string_view flags) {
  const term t = term_of("P(" + std::string(flags) + ")");
  if (t.source.flags) return *t.source.flags;
  ADD_FAILURE() << flags << " are no flags";
  return {};
}

// One walk: direction, relation, least and greatest depth, order.
std::string walk_of(std::string_view flags) {
  const substitution s = flags_of(flags);
  if (s.walks.size() != 1) return "not one walk";
  const walk& w = s.walks[0];
  return std::string(w.direction == walk::way::up ? "up " : "down ") + w.relation.path + " " +
         std::to_string(w.min) + ".." + (w.max == walk::no_limit ? "" : std::to_string(w.max)) +
         (w.cascade ? " in order" : "");
}

TEST(parse_flags, flags_alone_are_about_this) {
  const term t = term_of("Position(self)");
  EXPECT_EQ(t.source.is, ref::kind::variable);
  EXPECT_EQ(t.source.text, "this");
  ASSERT_TRUE(t.source.flags);
  EXPECT_TRUE(t.source.flags->self);
  EXPECT_TRUE(t.source.flags->walks.empty());
  EXPECT_EQ(t, term_of("Position($this[self])"));
}

// C28 C30
TEST(parse_flags, bracket_bar_and_colon_are_the_same) {
  EXPECT_EQ(term_of("P[self|up]"), term_of("P|self|up"));
  EXPECT_EQ(term_of("P[self|up]"), term_of("P:self|up"));
  EXPECT_EQ(term_of("P(Bob[up])"), term_of("P(Bob|up)"));
  EXPECT_EQ(term_of("(R, Bob[up])"), term_of("(R, Bob:up)"));
}

// C30
TEST(parse_flags, every_place_takes_them) {
  EXPECT_EQ(printed("A[self](Bob[up], $x[down])"), "A[self](Bob[up(ChildOf)], $x[down(ChildOf)])");
  EXPECT_EQ(printed("(A|sub, B|super)"), "(A[down(IsA)], B[up(IsA)])");
  EXPECT_EQ(printed("Likes(up, Bob)"), "Likes(up(ChildOf), Bob)");
}

// What a flag word implies and what is written may be two relations of one name.
TEST(parse_flags, relations_that_words_imply_are_not_looked_up) {
  EXPECT_EQ(flags_of("up").walks[0].relation.entity, kith::ChildOf);
  EXPECT_EQ(flags_of("sub").walks[0].relation.entity, kith::IsA);
  EXPECT_EQ(flags_of("cascade").walks[0].relation.entity, kith::ChildOf);
  EXPECT_EQ(flags_of("parent").walks[0].relation.entity, kith::ChildOf);
  EXPECT_EQ(flags_of("up(ChildOf)").walks[0].relation.entity, 0u);
  EXPECT_EQ(flags_of("cascade(IsA)").walks[0].relation.entity, 0u);
}

// C29 Q149
TEST(parse_flags, words_of_is_a_follow_it_by_default) {
  EXPECT_EQ(walk_of("super"), "up IsA 1..");
  EXPECT_EQ(walk_of("superset"), "up IsA 1..");
  EXPECT_EQ(walk_of("sub"), "down IsA 1..");
  EXPECT_EQ(walk_of("subset"), "down IsA 1..");
}

// C29
TEST(parse_flags, words_of_hierarchies_follow_child_of_by_default) {
  EXPECT_EQ(walk_of("up"), "up ChildOf 1..");
  EXPECT_EQ(walk_of("parent"), "up ChildOf 1..");
  EXPECT_EQ(walk_of("down"), "down ChildOf 1..");
  EXPECT_EQ(walk_of("cascade"), "up ChildOf 1.. in order");
}

TEST(parse_flags, parent_is_super_child_of) {
  EXPECT_EQ(term_of("Position(parent)"), term_of("Position(super(ChildOf))"));
}

TEST(parse_flags, relation_and_depths_can_be_given) {
  EXPECT_EQ(walk_of("super(R)"), "up R 1..");
  EXPECT_EQ(walk_of("super (R, 3)"), "up R 1..3");
  EXPECT_EQ(walk_of("super(R, 2, 4)"), "up R 2..4");
  EXPECT_EQ(walk_of("sub(a.\"b c\", 2, 2)"), "down a.\"b c\" 2..2");
  EXPECT_EQ(walk_of("up R"), "up R 1..");
  EXPECT_EQ(walk_of("cascade R"), "up R 1.. in order");
  EXPECT_EQ(walk_of("cascade(R, 3)"), "up R 1..3 in order");
  EXPECT_EQ(walk_of("up(R, 4294967295)"), "up R 1..");
  EXPECT_EQ(walk_of("up self"), "up self 1..");
}

TEST(parse_flags, bare_cascade_only_orders_a_walk_that_goes_up) {
  EXPECT_EQ(walk_of("cascade|super(R, 2, 3)"), "up R 2..3 in order");
  EXPECT_EQ(walk_of("up(R)|cascade"), "up R 1.. in order");
  EXPECT_EQ(walk_of("parent|cascade"), "up ChildOf 1.. in order");
  EXPECT_EQ(printed("P(down|cascade|sub)"), "P(down(ChildOf)|cascade(ChildOf)|down(IsA))");
  EXPECT_EQ(printed("P(up(A)|up(B)|cascade)"), "P(cascade(A)|up(B))");
}

TEST(parse_flags, cascade_with_a_relation_is_a_walk_of_its_own) {
  EXPECT_EQ(printed("P(up(A)|cascade(B))"), "P(up(A)|cascade(B))");
}

TEST(parse_flags, single_flags_are_kept) {
  const substitution s = flags_of("desc|all|self|cascade");
  EXPECT_TRUE(s.self);
  EXPECT_TRUE(s.all);
  EXPECT_TRUE(s.descending);
  EXPECT_FALSE(flags_of("up").self || flags_of("up").all || flags_of("up").descending);
}

TEST(parse_flags, flag_words_are_names_in_quotes_and_in_paths) {
  EXPECT_EQ(term_of("P(\"self\")").source.name.path, "self");
  EXPECT_EQ(term_of("P(self.x)").source.name.path, "self.x");
  EXPECT_EQ(term_of("P(::up)").source.name.path, "::up");
}

TEST(parse_flags, double_bar_ends_the_flags) {
  EXPECT_EQ(printed("P|self||Q"), "P[self] || Q");
  EXPECT_EQ(printed("P|up || all"), "P[up(ChildOf)] || \"all\"");
}

TEST(parse_flags, reach_comes_before_arguments) {
  EXPECT_EQ(printed("P|up(R)(Bob)"), "P[up(R)](Bob)");
  EXPECT_EQ(printed("P|self(Bob)"), "P[self](Bob)");
  EXPECT_EQ(printed("P|parent(Bob)"), "P[up(ChildOf)](Bob)");
  EXPECT_EQ(printed("P|up(Bob)"), "P[up(Bob)]");
}

}  // namespace
