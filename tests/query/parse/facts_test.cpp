#include <gtest/gtest.h>

#include "query/parse/parse.hpp"
#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::error_of_facts;
using kith::test::place;
using kith::test::read_facts;

// --- facts ---------------------------------------------------------------------------------------

TEST(parse_facts, statement_is_a_fact_about_an_entity) {
  EXPECT_EQ(read_facts("Position(MyEntity)"), "Position(MyEntity)");
  EXPECT_EQ(read_facts("Likes(Bob, Apples)"), "Likes(Bob, Apples)");
  EXPECT_EQ(read_facts("Likes (bike.wheel,::\"a b\")"), "Likes(bike.wheel, ::\"a b\")");
  EXPECT_EQ(read_facts("Round(#12)"), "Round(#12)");
}

TEST(parse_facts, name_alone_says_that_there_is_an_entity) {
  const auto parsed = parse_facts("bike.wheel");
  ASSERT_TRUE(parsed);
  const fact& f = std::get<fact>(parsed.value().at(0));
  EXPECT_EQ(f.predicate.is, ref::kind::none);
  EXPECT_EQ(f.source.is, ref::kind::entity);
  EXPECT_EQ(f.source.name.path, "bike.wheel");
}

TEST(parse_facts, singleton_is_about_itself) {
  EXPECT_EQ(read_facts("Game($)"), "Game($)");
  EXPECT_EQ(read_facts("Likes($, Bob)"), "Likes($, Bob)");
}

TEST(parse_facts, exclamation_mark_removes) {
  EXPECT_EQ(read_facts("!Likes(Bob, Apples), ! Round(wheel)"),
            "!Likes(Bob, Apples) ; !Round(wheel)");
}

TEST(parse_facts, keywords_are_names_where_none_is_expected) {
  EXPECT_EQ(read_facts("self(Bob, up)\nand(x)\nstruct(x)\nstruct\nnot"),
            "self(Bob, up) ; and(x) ; struct(x) ; struct ; not");
}

TEST(parse_facts, quotes_make_a_flag_word_an_entity) {
  EXPECT_EQ(read_facts("P(\"self\"), P(\"This\"), P(\"_\")"), "P(self) ; P(This) ; P(_)");
}

// --- lines ---------------------------------------------------------------------------------------

TEST(parse_facts, lines_commas_and_semicolons_separate_statements) {
  EXPECT_EQ(read_facts("A(x)\nB(x), C(x); D(x);\n"), "A(x) ; B(x) ; C(x) ; D(x)");
  EXPECT_EQ(read_facts("A(x),\n\n B(x)"), "A(x) ; B(x)");
  EXPECT_EQ(read_facts("A(x);\nB(x)"), "A(x) ; B(x)");
}

TEST(parse_facts, text_without_statements_is_fine) {
  EXPECT_EQ(read_facts(""), "");
  EXPECT_EQ(read_facts("\n // nothing\r\n\n"), "");
}

TEST(parse_facts, comments_end_with_the_line_and_separate) {
  EXPECT_EQ(read_facts("A(x) // one\nB(x) // two"), "A(x) ; B(x)");
}

TEST(parse_facts, statement_goes_on_inside_parentheses_and_braces) {
  EXPECT_EQ(
      read_facts("Likes(\n Bob, // him\n Apples\n)\nP(x) {\n1,\n{\n}\n}\nstruct S {\nf32\nx\n}"),
      "Likes(Bob, Apples) ; P(x) {1, {}} ; struct S {f32 x}");
}

// --- values --------------------------------------------------------------------------------------

TEST(parse_facts, value_is_a_list_with_or_without_names) {
  EXPECT_EQ(read_facts("Position(e) {10, 20}"), "Position(e) {10, 20}");
  EXPECT_EQ(read_facts("Position(e) {y: 20}"), "Position(e) {y: 20}");
  EXPECT_EQ(read_facts("Position(e) {10, \"odd name\" : 20}"), "Position(e) {10, odd name: 20}");
  EXPECT_EQ(read_facts("Eats(Bob, Apples) {amount: 2}"), "Eats(Bob, Apples) {amount: 2}");
  EXPECT_EQ(read_facts("Tag(e) {}"), "Tag(e) {}");
}

TEST(parse_facts, lists_nest) {
  EXPECT_EQ(read_facts("Line(e) {{1, 2}, to: {x: 3, y: {}}, {{4}}}"),
            "Line(e) {{1, 2}, to: {x: 3, y: {}}, {{4}}}");
}

TEST(parse_facts, numbers_stay_as_written) {
  EXPECT_EQ(read_facts("P(e) {0, -1, 007, 2.50, -2.5e3, 1E+9, 2e-3, -inf, -nan}"),
            "P(e) {0, -1, 007, 2.50, -2.5e3, 1E+9, 2e-3, -inf, -nan}");
}

TEST(parse_facts, texts_lose_their_quotes_and_escapes) {
  EXPECT_EQ(read_facts(R"(P(e) {"a b", "", "\"\\\n\x41"})"), "P(e) {\"a b\", \"\", \"\"\\\nA\"}");
}

TEST(parse_facts, names_are_values) {
  EXPECT_EQ(read_facts("P(e) {true, car.wheel, ::a, #12, inf, \"a b\".c, self}"),
            "P(e) {<true>, <car.wheel>, <::a>, <#12>, <inf>, <\"a b\".c>, <self>}");
  EXPECT_EQ(read_facts("P(e) {2nd, 0x1f, 1.5.6, 1e, 1.x, y: ::a}"),
            "P(e) {<2nd>, <0x1f>, <1.5.6>, <1e>, <1.x>, y: <::a>}");
}

// --- structs -------------------------------------------------------------------------------------

TEST(parse_facts, struct_has_members_with_types) {
  EXPECT_EQ(read_facts("struct Position {f32 x, f32 y}"), "struct Position {f32 x, f32 y}");
  EXPECT_EQ(read_facts("STRUCT geo.Line {geo.Point from, \"odd type\" \"to where\"}"),
            "struct geo.Line {geo.Point from, \"odd type\" to where}");
  EXPECT_EQ(read_facts("struct Tag {}"), "struct Tag {}");
  EXPECT_EQ(read_facts("struct A {f32 x}, struct B {A a}; B(e) {{1}}"),
            "struct A {f32 x} ; struct B {A a} ; B(e) {{1}}");
}

// --- where things stand --------------------------------------------------------------------------

TEST(parse_facts, statements_and_values_know_their_places) {
  const auto parsed = parse_facts("\n !A(x)\nP(e, f) {1, ä: {2}}");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(place(std::get<fact>(parsed.value()[0]).at), "2:2+5");
  const fact& f = std::get<fact>(parsed.value()[1]);
  EXPECT_EQ(place(f.at), "3:1+19");
  EXPECT_EQ(place(f.predicate.at), "3:1+1");
  EXPECT_EQ(place(f.source.at), "3:3+1");
  EXPECT_EQ(place(f.target.at), "3:6+1");
  EXPECT_EQ(place(f.value->at), "3:9+11");
  EXPECT_EQ(place(f.value->members[0].at), "3:10+1");
  EXPECT_EQ(place(f.value->members[1].at), "3:13+6");
  EXPECT_EQ(place(f.value->members[1].value.at), "3:16+3");
  EXPECT_EQ(place(f.value->members[1].value.members[0].value.at), "3:17+1");
}

TEST(parse_facts, members_of_structs_know_their_places) {
  const auto parsed = parse_facts("struct P {f32 x,\n  f32 y}");
  ASSERT_TRUE(parsed);
  const auto& definition = std::get<struct_definition>(parsed.value()[0]);
  EXPECT_EQ(place(definition.name.at), "1:8+1");
  EXPECT_EQ(place(definition.members[1].at), "2:3+5");
}

// --- errors --------------------------------------------------------------------------------------

// U1
TEST(parse_facts, error_shows_the_line_and_the_place) {
  EXPECT_EQ(error_of_facts("A(x)\nPosition($x)"),
            "2:10: a fact has no variables\n  Position($x)\n           ^^");
  const auto parsed = parse_facts("A(");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), kith::errc::parse);
  EXPECT_EQ(parsed.error().position(), (kith::text_position{1, 3}));
}

TEST(parse_facts, variables_are_refused) {
  EXPECT_EQ(read_facts("$P(x)"), "1:1: a fact has no variables");
  EXPECT_EQ(read_facts("P(This)"), "1:3: a fact has no variables");
  EXPECT_EQ(read_facts("P(x, @p)"), "1:6: a fact has no variables");
  EXPECT_EQ(read_facts("$"), "1:1: '$' can stand only for a source, as in Game($)");
  EXPECT_EQ(read_facts("P(x, $)"), "1:6: '$' can stand only for a source, as in Game($)");
  EXPECT_EQ(read_facts("P(x) {$y}"), "1:7: expected a value, found '$y'");
}

TEST(parse_facts, wildcards_are_refused) {
  EXPECT_EQ(read_facts("*(x)"), "1:1: a fact has no wildcards");
  EXPECT_EQ(read_facts("P(_)"), "1:3: a fact has no wildcards");
  EXPECT_EQ(read_facts("P(x, *)"), "1:6: a fact has no wildcards");
  EXPECT_EQ(read_facts("P(x) {_}"), "1:7: expected a value, found '_'");
}

TEST(parse_facts, flags_are_refused) {
  EXPECT_EQ(error_of_facts("Position(self)"),
            "1:10: a fact has no flags, and here 'self' is one\n"
            "  Position(self)\n"
            "           ^^^^ put quotes around an entity of that name");
  EXPECT_EQ(read_facts("P[self](x)"), "1:2: a fact has no flags");
  EXPECT_EQ(read_facts("P(x|up)"), "1:4: a fact has no flags");
  EXPECT_EQ(read_facts("P(x, y:up)"), "1:7: a fact has no flags");
  EXPECT_EQ(read_facts("[in] P(x)"), "1:1: a fact has no flags");
}

TEST(parse_facts, other_operators_are_refused) {
  EXPECT_EQ(read_facts("?P(x)"), "1:1: a fact has no operator but '!'");
  EXPECT_EQ(read_facts("P(x) || Q(x)"), "1:6: a fact has no operator but '!'");
  EXPECT_EQ(read_facts("a == b"), "1:3: a fact has no operator but '!'");
  EXPECT_EQ(read_facts("AND | a"), "1:5: a fact has no flags");
  EXPECT_EQ(read_facts("!?P(x)"), "1:2: a fact has no operator but '!'");
  EXPECT_EQ(read_facts("!!P(x)"), "1:2: expected a fact, found '!'");
}

TEST(parse_facts, fact_is_about_an_entity) {
  EXPECT_EQ(error_of_facts("(Likes, Bob)"),
            "1:1: a fact is about an entity\n  (Likes, Bob)\n  ^ write R(s, t)");
  EXPECT_EQ(read_facts("P()"), "1:3: expected a name, found ')'");
  EXPECT_EQ(read_facts("P(,x)"), "1:3: expected a name, found ','");
  EXPECT_EQ(read_facts("P(x,)"), "1:5: expected a name, found ')'");
  EXPECT_EQ(read_facts("P(x y)"), "1:5: expected ',' or ')', found 'y'");
  EXPECT_EQ(read_facts("P(x, y, z)"), "1:7: expected ')', found ','");
  EXPECT_EQ(error_of_facts("P(x,\ny\n"),
            "3:1: expected ')', found the end of the text\n"
            "  \n"
            "  ^ the '(' at 1:2 is not closed");
  EXPECT_EQ(read_facts("P(\"\")"), "1:3: a name is never empty");
}

TEST(parse_facts, statements_are_separated) {
  EXPECT_EQ(read_facts("A(x) B(x)"), "1:6: expected ',', ';' or the end of the line, found 'B'");
  EXPECT_EQ(read_facts("a b"), "1:3: expected ',', ';' or the end of the line, found 'b'");
  EXPECT_EQ(read_facts("A(x)}"), "1:5: expected ',', ';' or the end of the line, found '}'");
  EXPECT_EQ(read_facts("A(x) {1} {2}"),
            "1:10: expected ',', ';' or the end of the line, found '{'");
}

TEST(parse_facts, statement_is_missing) {
  EXPECT_EQ(read_facts(","), "1:1: expected a statement, found ','");
  EXPECT_EQ(read_facts(";"), "1:1: expected a statement, found ';'");
  EXPECT_EQ(read_facts("A(x);;"), "1:6: expected a statement, found ';'");
  EXPECT_EQ(read_facts("A(x),"), "1:6: expected a statement, found the end of the text");
  EXPECT_EQ(read_facts("A(x)\n, B(x)"), "2:1: expected a statement, found ','");
  EXPECT_EQ(read_facts("{1}"), "1:1: expected a statement, found '{'");
  EXPECT_EQ(read_facts("A(x)\n{1}"), "2:1: expected a statement, found '{'");
}

TEST(parse_facts, only_a_fact_is_removed) {
  EXPECT_EQ(error_of_facts("!Bob\n"),
            "1:5: expected '(', found the end of the line\n"
            "  !Bob\n"
            "      ^ only a fact can be removed: !P(s)");
  EXPECT_EQ(read_facts("!P(x) {1}"), "1:7: a fact that is removed has no value");
  EXPECT_EQ(read_facts("!"), "1:2: expected a fact, found the end of the text");
  EXPECT_EQ(read_facts("!struct P {}"), "1:9: expected '(', found 'P'");
}

TEST(parse_facts, value_follows_a_fact) {
  EXPECT_EQ(error_of_facts("Bob {1}"),
            "1:5: expected ',', ';' or the end of the line, found '{'\n"
            "  Bob {1}\n"
            "      ^ a value follows P(s) or R(s, t)");
}

TEST(parse_facts, values_are_not_complete) {
  EXPECT_EQ(error_of_facts("P(e) {1, {2"),
            "1:12: expected ',' or '}', found the end of the text\n"
            "  P(e) {1, {2\n"
            "             ^ the '{' at 1:10 is not closed");
  EXPECT_EQ(read_facts("P(e) {"), "1:7: expected a value, found the end of the text");
  EXPECT_EQ(read_facts("P(e) {1,}"), "1:9: expected a value, found '}'");
  EXPECT_EQ(read_facts("P(e) {,1}"), "1:7: expected a value, found ','");
  EXPECT_EQ(read_facts("P(e) {x:}"), "1:9: expected a value, found '}'");
  EXPECT_EQ(read_facts("P(e) {x: y: 1}"), "1:11: expected ',' or '}', found ':'");
  EXPECT_EQ(read_facts("P(e) {1 2}"), "1:9: expected ',' or '}', found '2'");
  EXPECT_EQ(read_facts("P(e) {a.b: 2}"), "1:10: expected ',' or '}', found ':'");
  EXPECT_EQ(read_facts("P(e) {\"\": 2}"), "1:7: a name is never empty");
  EXPECT_EQ(read_facts("P(e) {(1)}"), "1:7: expected a value, found '('");
}

TEST(parse_facts, numbers_are_not_complete) {
  EXPECT_EQ(read_facts("P(e) {-}"), "1:7: expected a number after '-'");
  EXPECT_EQ(read_facts("P(e) {-x}"), "1:7: expected a number after '-'");
  EXPECT_EQ(read_facts("P(e) {-5x}"), "1:7: expected a number after '-'");
  EXPECT_EQ(read_facts("P(e) {1.}"), "1:9: expected a name after '.'");
  EXPECT_EQ(read_facts("P(e) {.5}"), "1:7: expected a name before '.'");
  EXPECT_EQ(read_facts("P(e) {+5}"), "1:7: unexpected character '+'");
}

TEST(parse_facts, structs_are_not_complete) {
  EXPECT_EQ(read_facts("struct P"), "1:9: expected '{', found the end of the text");
  EXPECT_EQ(read_facts("struct P\n{f32 x}"), "1:9: expected '{', found the end of the line");
  EXPECT_EQ(read_facts("struct P {f32}"), "1:14: expected the name of a member, found '}'");
  EXPECT_EQ(read_facts("struct P {f32 a.b}"), "1:15: expected the name of a member, found 'a.b'");
  EXPECT_EQ(read_facts("struct P {f32 x y}"), "1:17: expected ',' or '}', found 'y'");
  EXPECT_EQ(read_facts("struct P {f32 x,}"), "1:17: expected the type of a member, found '}'");
  EXPECT_EQ(read_facts("struct P {f32 x"), "1:16: expected ',' or '}', found the end of the text");
  EXPECT_EQ(read_facts("struct _ {}"), "1:8: expected a name, found '_'");
  EXPECT_EQ(read_facts("struct P {f32 x; f32 y}"), "1:16: expected ',' or '}', found ';'");
}

TEST(parse_facts, characters_that_are_none) {
  EXPECT_EQ(read_facts("A(x)\n\xff"), "2:1: the text is not valid UTF-8");
  EXPECT_EQ(read_facts("A(x) \x01"), "1:6: unexpected control character U+0001");
  EXPECT_EQ(read_facts("A(x) {\"\x01\"}"), "1:8: unexpected control character U+0001");
}

}  // namespace
