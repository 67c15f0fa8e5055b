#include <gtest/gtest.h>

#include "query/parse/parse.hpp"
#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::printed;

expression parsed(std::string_view text) {
  auto e = parse_query(text);
  if (!e) ADD_FAILURE() << e.error().what();
  return e ? std::move(*e) : expression{};
}

term only_term(std::string_view text) {
  const expression e = parsed(text);
  if (e.chains.size() == 1 && e.chains[0].alternatives.size() == 1)
    return e.chains[0].alternatives[0];
  ADD_FAILURE() << text << " is not one term";
  return {};
}

TEST(parse_terms, bare_predicate_has_no_source) {
  const term t = only_term("Position");
  EXPECT_EQ(t.is, term::kind::predicate);
  EXPECT_EQ(t.op, term::oper::and_);
  EXPECT_EQ(t.rights, term::access::normal);
  EXPECT_EQ(t.first.is, ref::kind::entity);
  EXPECT_EQ(t.first.name.path, "Position");
  EXPECT_EQ(t.source.is, ref::kind::none);
  EXPECT_EQ(t.second.is, ref::kind::none);
}

TEST(parse_terms, pair_is_about_this) {
  const term t = only_term("(Likes, Alice)");
  EXPECT_EQ(t.source.is, ref::kind::variable);
  EXPECT_EQ(t.source.text, "this");
  EXPECT_EQ(t.second.name.path, "Alice");
  EXPECT_EQ(t, only_term("Likes(This, Alice)"));
  EXPECT_EQ(t, only_term("Likes($this, Alice)"));
  EXPECT_EQ(t, only_term("Likes($This, Alice)"));
}

TEST(parse_terms, source_and_target_stand_in_parentheses) {
  const term t = only_term("Likes(Bob, Alice)");
  EXPECT_EQ(t.first.name.path, "Likes");
  EXPECT_EQ(t.source.name.path, "Bob");
  EXPECT_EQ(t.second.name.path, "Alice");
}

TEST(parse_terms, commas_separate_chains_and_bars_alternatives) {
  const expression e = parsed("Position || Mass, Speed || Velocity || Drag");
  ASSERT_EQ(e.chains.size(), 2u);
  EXPECT_EQ(e.chains[0].alternatives.size(), 2u);
  EXPECT_EQ(e.chains[1].alternatives.size(), 3u);
}

TEST(parse_terms, text_is_read_back_as_it_prints) {
  EXPECT_EQ(printed("A,!B,?C||D,{E,{F}}"), "A, !B, ?C || D, {E, {F}}");
}

}  // namespace
