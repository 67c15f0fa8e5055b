#include <gtest/gtest.h>

#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::expression_of;
using kith::test::printed;
using kith::test::term_of;

std::string path_of(std::string_view query) { return term_of(query).first.name.path; }

// C11 Q68
TEST(parse_words, path_is_one_name_however_it_is_joined) {
  EXPECT_EQ(path_of("game.units.Tank"), "game.units.Tank");
  EXPECT_EQ(path_of("game::units::Tank"), "game.units.Tank");
  EXPECT_EQ(path_of("game::units.Tank"), "game.units.Tank");
  EXPECT_EQ(path_of("::game::Tank"), "::game.Tank");
}

TEST(parse_words, quotes_stay_only_where_they_are_needed) {
  EXPECT_EQ(path_of("\"Position\""), "Position");
  EXPECT_EQ(path_of("\"odd name\".x.\"y\""), "\"odd name\".x.y");
  EXPECT_EQ(path_of("\"a.b\""), "\"a.b\"");
  EXPECT_EQ(path_of("\"#5\""), "\"#5\"");
  EXPECT_EQ(path_of(R"("a\"b\\c")"), R"("a\"b\\c")");
}

// C36
TEST(parse_words, number_names_an_entity) {
  EXPECT_EQ(path_of("#1234"), "#1234");
  EXPECT_EQ(path_of("#0012"), "#12");
  EXPECT_EQ(path_of("#18446744073709551615::wheel"), "#18446744073709551615.wheel");
}

// C36
TEST(parse_words, digits_alone_are_a_name) { EXPECT_EQ(path_of("1234"), "1234"); }

TEST(parse_words, letters_of_every_script_are_words) {
  EXPECT_EQ(path_of("größe"), "größe");
  EXPECT_EQ(path_of("位置"), "位置");
  EXPECT_EQ(path_of("🚀"), "🚀");
}

TEST(parse_words, underscore_is_a_wildcard_only_alone) {
  EXPECT_EQ(term_of("_").first.is, ref::kind::any);
  EXPECT_EQ(path_of("_x"), "_x");
  EXPECT_EQ(path_of("__"), "__");
  EXPECT_EQ(path_of("\"_\""), "_");
  EXPECT_EQ(printed("\"_\""), "\"_\"");
}

TEST(parse_words, escapes_stand_for_characters_that_cannot_be_written) {
  EXPECT_EQ(path_of(R"("a\nb")"), "\"a\nb\"");
  EXPECT_EQ(path_of(R"("\r\t\x07\xC3\xa4")"), "\"\r\t\x07\xc3\xa4\"");
  EXPECT_EQ(path_of(R"("\x41")"), "A");
  EXPECT_EQ(printed(R"("a\nb", "\x07", "\xff", "\x00", "\xc2\x85")"),
            R"("a\nb", "\x07", "\xff", "\x00", "\xc2\x85")");
}

// C35
TEST(parse_words, comment_reaches_to_the_end_of_its_line) {
  EXPECT_EQ(printed("A, // not this, $ \" or that\nB//"), "A, B");
  EXPECT_EQ(printed("\"//\""), "\"//\"");
}

// C35
TEST(parse_words, line_breaks_and_tabs_are_blanks) {
  EXPECT_EQ(printed("A\r\n,\tB\n(\nBob\n)"), "A, B(Bob)");
}

TEST(parse_words, byte_order_mark_is_no_part_of_the_text) {
  EXPECT_EQ(printed("\xef\xbb\xbf"
                    "A"),
            "A");
  EXPECT_EQ(kith::test::error_of_query("\xef\xbb\xbf"
                                       "A B"),
            "1:3: expected ',', '||' or the end of the text, found 'B'\n  A B\n    ^");
}

}  // namespace
