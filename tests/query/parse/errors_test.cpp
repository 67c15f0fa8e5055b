#include <gtest/gtest.h>

#include "query/parse/parse.hpp"
#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::error_of_query;
using kith::test::printed;

// --- how an error looks --------------------------------------------------------------------------

// U1
TEST(parse_errors, error_shows_the_line_and_the_place) {
  EXPECT_EQ(error_of_query("Position,\n  Velocity Mass, B"),
            "2:12: expected ',', '||' or the end of the text, found 'Mass'\n"
            "    Velocity Mass, B\n"
            "             ^^^^");
}

TEST(parse_errors, error_is_a_parse_error_with_a_position) {
  const auto e = parse_query("A,\n B(");
  ASSERT_FALSE(e);
  EXPECT_EQ(e.error().code(), kith::errc::parse);
  EXPECT_EQ(e.error().position(), (kith::text_position{2, 4}));
}

TEST(parse_errors, columns_count_characters) {
  EXPECT_EQ(
      error_of_query("größe 位置"),
      "1:7: expected ',', '||' or the end of the text, found '位置'\n  größe 位置\n        ^^");
}

TEST(parse_errors, end_of_the_text_is_one_past_it) {
  EXPECT_EQ(printed("(Likes,"), "1:8: expected a name, found the end of the text");
  EXPECT_EQ(printed("A,  "), "1:5: expected a term, found the end of the text");
  EXPECT_EQ(printed("A,\n"), "2:1: expected a term, found the end of the text");
  EXPECT_EQ(printed("A, // so"), "1:9: expected a term, found the end of the text");
  EXPECT_EQ(printed("ä,"), "1:3: expected a term, found the end of the text");
}

TEST(parse_errors, hint_stands_beside_the_caret) {
  const kith::error e = error_at(kith::errc::unresolved, "Positon, (ChildOf, $p)", {1, 1, 7},
                                 "unknown name 'Positon'", "did you mean 'Position'?");
  EXPECT_STREQ(e.what(),
               "1:1: unknown name 'Positon'\n"
               "  Positon, (ChildOf, $p)\n"
               "  ^^^^^^^ did you mean 'Position'?");
  EXPECT_EQ(e.code(), kith::errc::unresolved);
}

TEST(parse_errors, without_a_place_there_is_no_line) {
  EXPECT_STREQ(error_at(kith::errc::type, "", {}, "no").what(), "no");
  EXPECT_STREQ(error_at(kith::errc::type, "", {}, "no", "so").what(), "no; so");
  EXPECT_EQ(error_at(kith::errc::type, "", {}, "no").position(), kith::text_position{});
}

TEST(parse_errors, carets_stay_on_the_line) {
  EXPECT_STREQ(error_at(kith::errc::parse, "ab\ncd", {1, 2, 100}, "x").what(),
               "1:2: x\n  ab\n   ^");
  EXPECT_STREQ(error_at(kith::errc::parse, "ab", {1, 3, 0}, "x").what(), "1:3: x\n  ab\n    ^");
  EXPECT_STREQ(error_at(kith::errc::parse, "ab\r\n", {1, 1, 2}, "x").what(), "1:1: x\n  ab\n  ^^");
  EXPECT_STREQ(error_at(kith::errc::parse, "ab", {7, 9, 1}, "x").what(), "7:9: x\n  \n          ^");
}

TEST(parse_errors, tabs_and_odd_characters_take_one_column) {
  EXPECT_EQ(error_of_query("\tA\t\x01"),
            "1:4: unexpected control character U+0001\n   A \xef\xbf\xbd\n     ^");
}

TEST(parse_errors, long_lines_are_cut_around_the_place) {
  const std::string a(200, 'a');
  EXPECT_EQ(error_of_query(a + " = " + a),
            "1:202: unexpected '='; equality is written '=='\n  ..." + std::string(59, 'a') +
                " = " + std::string(58, 'a') + "...\n  " + std::string(63, ' ') + "^");
  EXPECT_EQ(printed("A " + a), "1:3: expected ',', '||' or the end of the text, found '" +
                                   std::string(40, 'a') + "...'");
}

// --- terms ---------------------------------------------------------------------------------------

TEST(parse_errors, empty_text_is_no_query) {
  EXPECT_EQ(printed(""), "1:1: expected a term, found the end of the text");
  EXPECT_EQ(printed(" // nothing"), "1:12: expected a term, found the end of the text");
}

TEST(parse_errors, term_is_missing) {
  EXPECT_EQ(printed(", A"), "1:1: expected a term, found ','");
  EXPECT_EQ(printed("A,, B"), "1:3: expected a term, found ','");
  EXPECT_EQ(printed("A ||"), "1:5: expected a term, found the end of the text");
  EXPECT_EQ(printed("A || , B"), "1:6: expected a term, found ','");
  EXPECT_EQ(printed("!"), "1:2: expected a term, found the end of the text");
  EXPECT_EQ(printed("AND |"), "1:6: expected a term, found the end of the text");
  EXPECT_EQ(printed("[in]"), "1:5: expected a term, found the end of the text");
  EXPECT_EQ(printed(")"), "1:1: expected a term, found ')'");
  EXPECT_EQ(printed("== A"), "1:1: expected a term, found '=='");
}

TEST(parse_errors, something_is_left_over) {
  EXPECT_EQ(printed("A B"), "1:3: expected ',', '||' or the end of the text, found 'B'");
  EXPECT_EQ(printed("A)"), "1:2: expected ',', '||' or the end of the text, found ')'");
  EXPECT_EQ(printed("A}"), "1:2: expected ',', '||' or the end of the text, found '}'");
  EXPECT_EQ(printed("A;"), "1:2: expected ',', '||' or the end of the text, found ';'");
  EXPECT_EQ(printed("A(B)(C)"), "1:5: expected ',', '||' or the end of the text, found '('");
  EXPECT_EQ(printed("(A, B)[self]"), "1:7: expected ',', '||' or the end of the text, found '['");
  EXPECT_EQ(printed("A[self]|up"), "1:8: expected ',', '||' or the end of the text, found '|'");
  EXPECT_EQ(printed("(A, B) == C"), "1:8: expected ',', '||' or the end of the text, found '=='");
  EXPECT_EQ(printed("A {1}"), "1:3: expected ',', '||' or the end of the text, found '{'");
}

TEST(parse_errors, arguments_are_not_complete) {
  EXPECT_EQ(printed("P()"), "1:3: expected a name or a flag, found ')'");
  EXPECT_EQ(printed("P(,A)"), "1:3: expected a name or a flag, found ','");
  EXPECT_EQ(printed("P(A"), "1:4: expected ',' or ')', found the end of the text");
  EXPECT_EQ(printed("P(A B)"), "1:5: expected ',' or ')', found 'B'");
  EXPECT_EQ(printed("P(A,)"), "1:5: expected a name, found ')'");
  EXPECT_EQ(printed("P(A, B"), "1:7: expected ')', found the end of the text");
  EXPECT_EQ(printed("P(A, B, C)"), "1:7: expected ')', found ','");
}

TEST(parse_errors, pairs_are_not_complete) {
  EXPECT_EQ(printed("("), "1:2: expected a name, found the end of the text");
  EXPECT_EQ(printed("()"), "1:2: expected a name, found ')'");
  EXPECT_EQ(printed("(R)"), "1:3: expected ',', found ')'");
  EXPECT_EQ(printed("(R,)"), "1:4: expected a name, found ')'");
  EXPECT_EQ(printed("(R, T"), "1:6: expected ')', found the end of the text");
  EXPECT_EQ(printed("(R, T, U)"), "1:6: expected ')', found ','");
}

TEST(parse_errors, scopes_are_not_complete) {
  EXPECT_EQ(printed("{"), "1:2: expected a term, found the end of the text");
  EXPECT_EQ(printed("{}"), "1:2: expected a term, found '}'");
  EXPECT_EQ(printed("{A,}"), "1:4: expected a term, found '}'");
  EXPECT_EQ(error_of_query("B, {A, {B}"),
            "1:11: expected ',', '||' or '}', found the end of the text\n"
            "  B, {A, {B}\n"
            "            ^ the '{' at 1:4 is not closed");
  EXPECT_EQ(printed("{A}}"), "1:4: expected ',', '||' or the end of the text, found '}'");
  EXPECT_EQ(printed("{A)"), "1:3: expected ',', '||' or '}', found ')'");
}

TEST(parse_errors, access_is_unknown_or_not_complete) {
  EXPECT_EQ(error_of_query("[foo] A"),
            "1:2: unknown access 'foo'\n  [foo] A\n   ^^^ access: in out inout none filter");
  EXPECT_EQ(printed("[\"in\"] A"), "1:2: unknown access '\"in\"'");
  EXPECT_EQ(printed("[] A"), "1:2: expected an access, found ']'");
  EXPECT_EQ(printed("[in A"), "1:5: expected ']', found 'A'");
  EXPECT_EQ(printed("[in|out] A"), "1:4: expected ']', found '|'");
  EXPECT_EQ(printed("[in] [out] A"), "1:6: expected a term, found '['");
  EXPECT_EQ(printed("! [in] A"), "1:3: expected a term, found '['");
}

TEST(parse_errors, second_operator_is_refused) {
  EXPECT_EQ(error_of_query("!!A"),
            "1:2: a term has only one operator\n"
            "  !!A\n"
            "   ^ a scope can have another: !{!A}");
  EXPECT_EQ(printed("?!A"), "1:2: a term has only one operator");
  EXPECT_EQ(printed("AND | ?A"), "1:7: a term has only one operator");
  EXPECT_EQ(printed("! OR | A"), "1:8: unknown flag 'A'");
}

TEST(parse_errors, equalities_are_not_complete) {
  EXPECT_EQ(printed("$x =="),
            "1:6: expected a name or a text in quotes, found the end of the text");
  EXPECT_EQ(printed("$x == (A, B)"), "1:7: expected a name or a text in quotes, found '('");
  EXPECT_EQ(printed("$x ~= Bob"), "1:7: expected a text in quotes, found 'Bob'");
  EXPECT_EQ(printed("$x ~= \"a\".b"), "1:7: expected a text in quotes, found '\"a\".b'");
  EXPECT_EQ(printed("$x = Bob"), "1:4: unexpected '='; equality is written '=='");
  EXPECT_EQ(printed("$x === Bob"), "1:6: unexpected '='; equality is written '=='");
  EXPECT_EQ(printed("$x ~ \"a\""), "1:4: unexpected character '~'");
  EXPECT_EQ(printed("$x == A == B"), "1:9: expected ',', '||' or the end of the text, found '=='");
  EXPECT_EQ(printed("$x == \"a\"[self]"), "1:10: a text takes no flags");
  EXPECT_EQ(printed("$x == \"a\"|up"), "1:10: a text takes no flags");
}

// --- names ---------------------------------------------------------------------------------------

TEST(parse_errors, singleton_is_no_name_elsewhere) {
  EXPECT_EQ(printed("$"), "1:1: '$' can stand only for a source, as in Game($)");
  EXPECT_EQ(printed("(R, $)"), "1:5: '$' can stand only for a source, as in Game($)");
  EXPECT_EQ(printed("P(A, $)"), "1:6: '$' can stand only for a source, as in Game($)");
  EXPECT_EQ(printed("$x == $"), "1:7: '$' can stand only for a source, as in Game($)");
  EXPECT_EQ(printed("$(A)"), "1:1: '$' can stand only for a source, as in Game($)");
}

TEST(parse_errors, names_are_not_complete) {
  EXPECT_EQ(printed("A, @"), "1:5: expected a name after '@'");
  EXPECT_EQ(printed("a."), "1:3: expected a name after '.'");
  EXPECT_EQ(printed("a.*"), "1:3: expected a name after '.'");
  EXPECT_EQ(printed("a:: b"), "1:4: expected a name after '::'");
  EXPECT_EQ(printed("::"), "1:3: expected a name after '::'");
  EXPECT_EQ(printed("$x."), "1:4: expected a name after '.'");
  EXPECT_EQ(printed("a .b"), "1:3: expected a name before '.'");
  EXPECT_EQ(printed("a ::b"), "1:3: expected ',', '||' or the end of the text, found '::b'");
  EXPECT_EQ(printed("A(\"\")"), "1:3: a name is never empty");
  EXPECT_EQ(printed("\"\".a"), "1:1: a name is never empty");
  EXPECT_EQ(printed("a.\"\""), "1:3: a name is never empty");
  EXPECT_EQ(printed("$x.\"\""), "1:4: a name is never empty");
}

TEST(parse_errors, numbers_of_entities_are_not_numbers) {
  EXPECT_EQ(printed("#"), "1:1: expected the number of an entity after '#'");
  EXPECT_EQ(printed("#x"), "1:1: expected the number of an entity after '#'");
  EXPECT_EQ(printed("#0"), "1:1: expected the number of an entity after '#'");
  EXPECT_EQ(printed("#18446744073709551616"), "1:1: expected the number of an entity after '#'");
  EXPECT_EQ(printed("#12x"), "1:4: expected a blank or a sign after the number");
  EXPECT_EQ(printed("#12."), "1:5: expected a name after '.'");
}

TEST(parse_errors, quotes_are_not_complete) {
  EXPECT_EQ(printed("A, \"b"), "1:4: the quote does not end");
  EXPECT_EQ(printed("\"a\nb\""), "1:1: the quote does not end");
  EXPECT_EQ(printed("\"a\\"), "1:3: expected one of \" \\ n r t x after '\\'");
  EXPECT_EQ(printed("\"\\q\""), "1:2: expected one of \" \\ n r t x after '\\'");
  EXPECT_EQ(printed("\"\\x4\""), "1:2: expected two hexadecimal digits after '\\x'");
  EXPECT_EQ(printed("\"\\xg0\""), "1:2: expected two hexadecimal digits after '\\x'");
  EXPECT_EQ(printed("\"a\"b"), "1:4: expected a blank or a sign after the quote");
  EXPECT_EQ(printed("\"a\"\"b\""), "1:4: expected a blank or a sign after the quote");
}

TEST(parse_errors, characters_that_mean_nothing) {
  EXPECT_EQ(printed("A % B"), "1:3: unexpected character '%'");
  EXPECT_EQ(printed("A-B"), "1:2: unexpected character '-'");
  EXPECT_EQ(printed("A / B"), "1:3: unexpected character '/'");
  EXPECT_EQ(printed("A <= B"), "1:3: unexpected character '<'");
}

TEST(parse_errors, control_and_invisible_characters) {
  EXPECT_EQ(printed(std::string("A\0B", 3)), "1:2: unexpected control character U+0000");
  EXPECT_EQ(printed("A\x7f"), "1:2: unexpected control character U+007F");
  EXPECT_EQ(printed("A\xc2\x85"), "1:2: unexpected control character U+0085");
  EXPECT_EQ(printed("\"a\x1b\""), "1:3: unexpected control character U+001B");
  EXPECT_EQ(printed("A // \v"), "1:6: unexpected control character U+000B");
  EXPECT_EQ(printed("A,\xc2\xa0"
                    "B"),
            "1:3: the invisible character U+00A0 can stand only in quotes");
  EXPECT_EQ(printed("A\xe2\x80\xae"),
            "1:2: the invisible character U+202E can stand only in quotes");
  EXPECT_EQ(printed("A\xef\xbb\xbf"),
            "1:2: the invisible character U+FEFF can stand only in quotes");
}

TEST(parse_errors, bytes_that_are_no_utf8) {
  for (std::string_view bad :
       {"\x80", "\xff", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe4\xbd", "\xe4(", "\xf0\x9f\x9a"}) {
    const std::string b(bad);
    EXPECT_EQ(printed("A, " + b), "1:4: the text is not valid UTF-8");
    EXPECT_EQ(printed("A" + b), "1:2: the text is not valid UTF-8");
    EXPECT_EQ(printed("\"a" + b + "\""), "1:3: the text is not valid UTF-8");
    EXPECT_EQ(printed("A // " + b), "1:6: the text is not valid UTF-8");
  }
}

// --- flags ---------------------------------------------------------------------------------------

// C32
TEST(parse_errors, flags_are_unknown) {
  EXPECT_EQ(error_of_query("P(self|foo)"),
            "1:8: unknown flag 'foo'\n"
            "  P(self|foo)\n"
            "         ^^^ flags: self all desc parent cascade up down super sub");
  EXPECT_EQ(error_of_query("P[in]"),
            "1:3: unknown flag 'in'\n"
            "  P[in]\n"
            "    ^^ access stands before a term: [in] Position");
  EXPECT_EQ(error_of_query("P|Q"),
            "1:3: unknown flag 'Q'\n"
            "  P|Q\n"
            "    ^ alternatives are written A || B");
  EXPECT_EQ(error_of_query("ANDD | Q"),
            "1:8: unknown flag 'Q'\n"
            "  ANDD | Q\n"
            "         ^ lists are written AND | E, OR | E, NOT | E");
  EXPECT_EQ(printed("P:foo"), "1:3: unknown flag 'foo'");
  EXPECT_EQ(printed("P[\"self\"]"), "1:3: expected a flag, found '\"self\"'");
  EXPECT_EQ(printed("P[up.x]"), "1:3: expected a flag, found 'up.x'");
}

// C32
TEST(parse_errors, misspelt_words_of_the_language_are_recognised) {
  EXPECT_EQ(error_of_query("P(self|upp)"),
            "1:8: unknown flag 'upp'\n"
            "  P(self|upp)\n"
            "         ^^^ did you mean 'up'?");
  EXPECT_EQ(error_of_query("P[Casade]"),
            "1:3: unknown flag 'Casade'\n"
            "  P[Casade]\n"
            "    ^^^^^^ did you mean 'cascade'?");
  EXPECT_EQ(error_of_query("P | supper"),
            "1:5: unknown flag 'supper'\n"
            "  P | supper\n"
            "      ^^^^^^ did you mean 'super'?");
  EXPECT_EQ(error_of_query("[inn] P"),
            "1:2: unknown access 'inn'\n"
            "  [inn] P\n"
            "   ^^^ did you mean 'in'?");
  EXPECT_EQ(error_of_query("[read] P"),
            "1:2: unknown access 'read'\n"
            "  [read] P\n"
            "   ^^^^ access: in out inout none filter");
}

TEST(parse_errors, operators_of_other_languages_are_recognised) {
  EXPECT_EQ(error_of_query("A and B"),
            "1:3: expected ',', '||' or the end of the text, found 'and'\n"
            "  A and B\n"
            "    ^^^ terms that must all hold are written A, B");
  EXPECT_EQ(error_of_query("A OR B"),
            "1:3: expected ',', '||' or the end of the text, found 'OR'\n"
            "  A OR B\n"
            "    ^^ alternatives are written A || B");
  EXPECT_EQ(error_of_query("not A"),
            "1:5: expected ',', '||' or the end of the text, found 'A'\n"
            "  not A\n"
            "      ^ what must not hold is written !A");
  EXPECT_EQ(printed("A && B"), "1:3: unexpected '&'; terms that must all hold are written A, B");
}

TEST(parse_errors, flags_are_missing) {
  EXPECT_EQ(printed("P[]"), "1:3: expected a flag, found ']'");
  EXPECT_EQ(printed("P|"), "1:3: expected a flag, found the end of the text");
  EXPECT_EQ(printed("P[self|]"), "1:8: expected a flag, found ']'");
  EXPECT_EQ(printed("P[self"), "1:7: expected '|' or ']', found the end of the text");
  EXPECT_EQ(printed("P[self, up]"), "1:7: expected '|' or ']', found ','");
  EXPECT_EQ(printed("P(self|)"), "1:8: expected a flag, found ')'");
}

TEST(parse_errors, all_needs_a_direction) {
  EXPECT_EQ(error_of_query("P(self|all)"),
            "1:8: 'all' needs a direction\n"
            "  P(self|all)\n"
            "         ^^^ for example all|up(ChildOf)");
  EXPECT_EQ(printed("P[all]"), "1:3: 'all' needs a direction");
}

TEST(parse_errors, desc_needs_cascade) {
  EXPECT_EQ(printed("P(desc)"), "1:3: 'desc' needs 'cascade'");
  EXPECT_EQ(printed("P(up|desc)"), "1:6: 'desc' needs 'cascade'");
}

TEST(parse_errors, wildcards_take_no_flags) {
  EXPECT_EQ(printed("*[self]"), "1:2: '*' takes no flags");
  EXPECT_EQ(printed("_|up"), "1:2: '_' takes no flags");
  EXPECT_EQ(printed("(R, *:up)"), "1:6: '*' takes no flags");
  EXPECT_EQ(printed("P(_[up])"), "1:4: '_' takes no flags");
}

TEST(parse_errors, flags_are_written_twice) {
  EXPECT_EQ(printed("P(self|self)"), "1:8: 'self' is written twice");
  EXPECT_EQ(printed("P(up|all|ALL)"), "1:10: 'ALL' is written twice");
  EXPECT_EQ(printed("P(desc|desc)"), "1:8: 'desc' is written twice");
  EXPECT_EQ(printed("P(cascade|cascade)"), "1:11: 'cascade' is written twice");
  EXPECT_EQ(printed("P(cascade(A)|cascade(B))"), "1:14: 'cascade' is written twice");
}

TEST(parse_errors, depths_are_wrong) {
  EXPECT_EQ(printed("P(up(R, 0))"), "1:9: a depth is at least 1");
  EXPECT_EQ(printed("P(up(R, 0, 2))"), "1:9: a depth is at least 1");
  EXPECT_EQ(printed("P(up(R, 3, 2))"), "1:9: the least depth is larger than the greatest depth");
  EXPECT_EQ(printed("P(up(R, 4294967296))"), "1:9: the depth is too large");
  EXPECT_EQ(printed("P(up(R, x))"), "1:9: expected a depth, found 'x'");
  EXPECT_EQ(printed("P(up(R, \"1\"))"), "1:9: expected a depth, found '\"1\"'");
  EXPECT_EQ(printed("P(up(R, 1.5))"), "1:9: expected a depth, found '1.5'");
  EXPECT_EQ(printed("P(up(R, -1))"), "1:9: unexpected character '-'");
  EXPECT_EQ(printed("P(up(R, ))"), "1:9: expected a depth, found ')'");
}

TEST(parse_errors, reach_is_not_complete) {
  EXPECT_EQ(printed("P(up())"), "1:6: expected a relation, found ')'");
  EXPECT_EQ(printed("P(up(R"), "1:7: expected ',' or ')', found the end of the text");
  EXPECT_EQ(printed("P(up(R, 1"), "1:10: expected ',' or ')', found the end of the text");
  EXPECT_EQ(printed("P(up(R, 1, 2, 3))"), "1:13: expected ')', found ','");
  EXPECT_EQ(printed("P(up R S)"), "1:8: expected ',' or ')', found 'S'");
  EXPECT_EQ(printed("P(up($r))"), "1:6: expected a relation, found '$r'");
  EXPECT_EQ(printed("P(up(*))"), "1:6: expected a relation, found '*'");
  EXPECT_EQ(printed("P(up(_))"), "1:6: expected a relation, found '_'");
  EXPECT_EQ(printed("P(up(This))"), "1:6: expected a relation, found 'This'");
  EXPECT_EQ(printed("P(parent(R))"), "1:9: expected ',' or ')', found '('");
}

}  // namespace
