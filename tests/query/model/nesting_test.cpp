// Deeply nested texts. Recursion over them would overflow the stack of the program.
#include <gtest/gtest.h>

#include "query/model/print.hpp"
#include "query/parse/parse.hpp"
#include "support/query_text.hpp"
#include "support/timing.hpp"

namespace {

using namespace kith::core;
using kith::test::expression_of;
using kith::test::numbers_as_names;
using kith::test::printed;

constexpr std::size_t deep = kith::test::many, very_deep = 10 * deep;

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

std::string nested_scopes(std::size_t depth, std::string_view inside = "A") {
  return repeated("{", depth) + std::string(inside) + repeated("}", depth);
}

std::string nested_lists(std::size_t depth, std::string_view inside = "1",
                         std::string_view open = "{") {
  return "P(e) " + repeated(open, depth) + std::string(inside) + repeated("}", depth);
}

value_text value_of(std::string_view facts) {
  auto parsed = parse_facts(facts);
  if (!parsed) ADD_FAILURE() << parsed.error().what();
  return parsed ? *std::get<fact>(parsed.value().at(0)).value : value_text();
}

TEST(nesting, very_deep_scopes_are_read_printed_and_destroyed) {
  const std::string text = nested_scopes(very_deep);
  EXPECT_TRUE(printed(text) == text);
}

TEST(nesting, very_deep_lists_are_read_and_destroyed) {
  EXPECT_TRUE(parse_facts(nested_lists(very_deep)));
}

TEST(nesting, deep_scopes_are_compared) {
  EXPECT_TRUE(expression_of(nested_scopes(deep)) == expression_of(nested_scopes(deep)));
  EXPECT_FALSE(expression_of(nested_scopes(deep)) == expression_of(nested_scopes(deep, "B")));
  EXPECT_FALSE(expression_of(nested_scopes(deep)) == expression_of(nested_scopes(deep + 1)));
}

TEST(nesting, deep_scopes_are_copied_and_assigned) {
  const expression e = expression_of(nested_scopes(deep, "A, {B} || C"));
  expression copy = e;
  EXPECT_TRUE(copy == e);
  copy = expression_of("A");
  EXPECT_TRUE(copy == expression_of("A"));
  copy = e;
  EXPECT_TRUE(copy == e);
  chain c = copy.chains[0];
  EXPECT_TRUE(c == e.chains[0]);
}

TEST(nesting, part_of_an_expression_can_take_its_place) {
  expression e = expression_of("A, {B, {C}}");
  e = std::move(e.chains[1].alternatives[0].scope);
  EXPECT_EQ(e, expression_of("B, {C}"));
  const expression part = e.chains[1].alternatives[0].scope;
  e = part;
  EXPECT_EQ(e, expression_of("C"));
  expression& same = e;
  e = same;
  EXPECT_EQ(e, expression_of("C"));
}

TEST(nesting, deep_scopes_that_do_not_end_are_an_error) {
  EXPECT_EQ(printed(repeated("!{", deep) + "A"),
            "1:" + std::to_string(2 * deep + 2) +
                ": expected ',', '||' or '}', found the end of the text");
}

TEST(nesting, deep_lists_are_compared) {
  EXPECT_TRUE(value_of(nested_lists(deep)) == value_of(nested_lists(deep)));
  EXPECT_FALSE(value_of(nested_lists(deep)) == value_of(nested_lists(deep, "2")));
  EXPECT_FALSE(value_of(nested_lists(deep)) == value_of(nested_lists(deep + 1)));
}

TEST(nesting, deep_lists_are_copied_and_assigned) {
  const value_text v = value_of(nested_lists(deep, "1", "{1, x: "));
  value_text copy = v;
  EXPECT_TRUE(copy == v);
  copy = value_of("P(e) {1}");
  EXPECT_EQ(kith::test::to_text(copy), "{1}");
  copy = v;
  EXPECT_TRUE(copy == v);
}

TEST(nesting, part_of_a_value_can_take_its_place) {
  value_text v = value_of("P(e) {1, {2, {3}}}");
  v = std::move(v.members[1].value);
  EXPECT_EQ(kith::test::to_text(v), "{2, {3}}");
}

TEST(nesting, deep_lists_that_do_not_end_are_an_error) {
  EXPECT_EQ(kith::test::read_facts("P(e) " + repeated("{", deep)),
            "1:" + std::to_string(deep + 6) + ": expected a value, found the end of the text");
}

TEST(nesting, long_chains_paths_and_flags_are_read) {
  EXPECT_TRUE(parse_query("A" + repeated(" || A", deep)));
  EXPECT_TRUE(parse_query("A" + repeated(".b", deep)));
  EXPECT_TRUE(parse_query("A" + repeated("|up(R)", deep)));
}

}  // namespace
