#include "entity/path.hpp"

#include <string>

#include <gtest/gtest.h>

namespace {

using namespace kith::core;

// `root|` if it starts there, `#5|` for a number, then the names between bars; or `column:
// message`.
std::string parsed(std::string_view text) {
  const auto path = parse_path(text);
  if (!path) return std::to_string(path.error().position().column) + ": " + path.error().what();
  std::string shown = path.value().from_root ? "root|" : "";
  if (path.value().number) shown += "#" + std::to_string(path.value().number) + "|";
  for (const std::string& name : path.value().names) shown += name + "|";
  return shown;
}

TEST(path, single_name_is_a_path) { EXPECT_EQ(parsed("ship"), "ship|"); }

TEST(path, names_are_joined_by_colons_or_dots) {
  EXPECT_EQ(parsed("game::units::Tank"), "game|units|Tank|");
  EXPECT_EQ(parsed("game.units.Tank"), "game|units|Tank|");
  EXPECT_EQ(parsed("game::units.Tank"), "game|units|Tank|");
}

TEST(path, leading_colons_start_at_the_root) { EXPECT_EQ(parsed("::game::a"), "root|game|a|"); }

// C36
TEST(path, number_names_an_entity) {
  EXPECT_EQ(parsed("#1234"), "#1234|");
  EXPECT_EQ(parsed("#1234::wheel"), "#1234|wheel|");
  EXPECT_EQ(parsed("#1234.wheel"), "#1234|wheel|");
}

TEST(path, digits_without_the_sign_are_a_name) { EXPECT_EQ(parsed("1234"), "1234|"); }

TEST(path, quotes_hold_separators_together) {
  EXPECT_EQ(parsed("\"odd.name\"::wheel"), "odd.name|wheel|");
  EXPECT_EQ(parsed("a.\"b::c\".d"), "a|b::c|d|");
}

TEST(path, backslash_in_quotes_keeps_the_next_character) {
  EXPECT_EQ(parsed(R"("a\"b\\c")"), R"(a"b\c|)");
}

TEST(path, single_colon_and_spaces_belong_to_a_name) { EXPECT_EQ(parsed("a:b c"), "a:b c|"); }

// --- what is no path -----------------------------------------------------------------------------

TEST(path, empty_name_is_an_error_where_it_is_missing) {
  EXPECT_EQ(parsed(""), "1: '' is not a path: expected a name");
  EXPECT_EQ(parsed("a::"), "4: 'a::' is not a path: expected a name");
  EXPECT_EQ(parsed("a..b"), "3: 'a..b' is not a path: expected a name");
  EXPECT_EQ(parsed("::"), "3: '::' is not a path: expected a name");
  EXPECT_EQ(parsed(".a"), "1: '.a' is not a path: expected a name");
}

TEST(path, quote_that_does_not_end_is_an_error_where_it_opens) {
  EXPECT_EQ(parsed("a.\"b"), "3: 'a.\"b' is not a path: the quote does not end");
  EXPECT_EQ(parsed("\"a\\\""), "1: '\"a\\\"' is not a path: the quote does not end");
}

TEST(path, quotes_know_the_escapes_of_the_query_language) {
  EXPECT_EQ(parsed(R"("a\tb\n\r\x07\x41")"), "a\tb\n\r\aA|");
  EXPECT_EQ(parsed("\"a\\"), "3: '\"a\\' is not a path: expected one of \" \\ n r t x after '\\'");
  EXPECT_EQ(parsed(R"("a\q")"),
            R"(3: '"a\q"' is not a path: expected one of " \ n r t x after '\')");
  EXPECT_EQ(parsed(R"("\x4")"),
            R"(2: '"\x4"' is not a path: expected two hexadecimal digits after '\x')");
}

TEST(path, quote_around_half_a_name_is_an_error) {
  EXPECT_EQ(parsed("a\"b\""),
            "2: 'a\"b\"' is not a path: a quote may only stand around a whole name");
  EXPECT_EQ(parsed("\"a\"b"), "4: '\"a\"b' is not a path: expected '::' or '.' after the quote");
}

TEST(path, number_that_is_none_is_an_error) {
  EXPECT_EQ(parsed("#"), "2: '#' is not a path: expected the number of an entity after '#'");
  EXPECT_EQ(parsed("#0"), "2: '#0' is not a path: expected the number of an entity after '#'");
  EXPECT_EQ(parsed("#x"), "2: '#x' is not a path: expected the number of an entity after '#'");
  EXPECT_EQ(parsed("#-1"), "2: '#-1' is not a path: expected the number of an entity after '#'");
  EXPECT_EQ(parsed("#99999999999999999999"),
            "2: '#99999999999999999999' is not a path: expected the number of an entity after '#'");
  EXPECT_EQ(parsed("#5x"), "3: '#5x' is not a path: expected '::' or '.' after the number");
}

TEST(path, number_sign_inside_needs_quotes_only_at_the_start_of_a_name) {
  EXPECT_EQ(parsed("a::#5"), "4: 'a::#5' is not a path: a name that starts with '#' needs quotes");
  EXPECT_EQ(parsed("a#5"), "a#5|");
  EXPECT_EQ(parsed("a::\"#5\""), "a|#5|");
}

TEST(path, errors_are_parse_errors_on_line_one) {
  const auto path = parse_path("a::");
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().code(), kith::errc::parse);
  EXPECT_EQ(path.error().position().line, 1u);
}

TEST(path, columns_count_characters_not_bytes) {
  EXPECT_EQ(parsed("größe::"), "8: 'größe::' is not a path: expected a name");
}

// --- names as parts of a path --------------------------------------------------------------------

TEST(path_part, plain_name_stands_as_it_is) {
  EXPECT_EQ(path_part("ship"), "ship");
  EXPECT_EQ(path_part("a:b c"), "a:b c");
  EXPECT_EQ(path_part("back\\slash"), "back\\slash");
}

TEST(path_part, name_that_would_be_read_otherwise_is_quoted) {
  EXPECT_EQ(path_part("a.b"), "\"a.b\"");
  EXPECT_EQ(path_part("a::b"), "\"a::b\"");
  EXPECT_EQ(path_part("#5"), "\"#5\"");
  EXPECT_EQ(path_part("say \"hi\""), R"("say \"hi\"")");
  EXPECT_EQ(path_part("end:"), "\"end:\"");
}

// Every name of up to four characters of those that mean something, alone and between others.
TEST(path_part, every_name_is_read_back_as_it_was) {
  const std::string_view signs = "a:.\"\\# ";
  std::vector<std::string> names{""};
  for (std::size_t begin = 0, length = 1; length <= 4; ++length) {
    const std::size_t end = names.size();
    for (; begin < end; ++begin)
      for (char c : signs) names.push_back(names[begin] + c);
  }
  names.erase(names.begin());
  for (const std::string& name : names) {
    const std::string part = path_part(name);
    ASSERT_EQ(parsed(part), name + "|");
    ASSERT_EQ(parsed(part + "::" + part), name + "|" + name + "|");
    ASSERT_EQ(parsed("x." + part + ".x"), "x|" + name + "|x|");
  }
}

}  // namespace
