#include <gtest/gtest.h>

#include "query/parse/parse.hpp"
#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::expression_of;
using kith::test::place;
using kith::test::printed;
using kith::test::term_of;

// --- predicates ----------------------------------------------------------------------------------

TEST(parse_terms, bare_predicate_has_no_source) {
  const term t = term_of("Position");
  EXPECT_EQ(t.is, term::kind::predicate);
  EXPECT_EQ(t.op, term::oper::and_);
  EXPECT_EQ(t.rights, term::access::normal);
  EXPECT_EQ(t.first.is, ref::kind::entity);
  EXPECT_EQ(t.first.name.path, "Position");
  EXPECT_EQ(t.source.is, ref::kind::none);
  EXPECT_EQ(t.second.is, ref::kind::none);
}

TEST(parse_terms, written_out_this_is_not_the_same_as_no_source) {
  const term t = term_of("Position($this)");
  EXPECT_EQ(t.source.is, ref::kind::variable);
  EXPECT_EQ(t.source.text, "this");
  EXPECT_FALSE(t == term_of("Position"));
}

TEST(parse_terms, pair_is_about_this) {
  const term t = term_of("(Likes, Alice)");
  EXPECT_EQ(t.source.is, ref::kind::variable);
  EXPECT_EQ(t.source.text, "this");
  EXPECT_EQ(t.second.name.path, "Alice");
  EXPECT_EQ(t, term_of("Likes(This, Alice)"));
  EXPECT_EQ(t, term_of("Likes($this, Alice)"));
  EXPECT_EQ(t, term_of("Likes($This, Alice)"));
}

TEST(parse_terms, source_and_target_stand_in_parentheses) {
  const term t = term_of("Likes(Bob, Alice)");
  EXPECT_EQ(t.first.name.path, "Likes");
  EXPECT_EQ(t.source.name.path, "Bob");
  EXPECT_EQ(t.second.name.path, "Alice");
}

// Q153
TEST(parse_terms, blank_may_stand_before_the_arguments) {
  EXPECT_EQ(term_of("Position (Bob)"), term_of("Position(Bob)"));
  EXPECT_EQ(term_of("Component[self|all|subset] (self|superset)"),
            term_of("Component[self|all|subset](self|superset)"));
}

TEST(parse_terms, every_place_takes_variables_and_wildcards) {
  EXPECT_EQ(printed("$C, $C($s), $R($s, $t), ($R, $t)"), "$C, $C($s), $R($s, $t), ($R, $t)");
  EXPECT_EQ(printed("*, _, (*, *), (_, _), *(*, _)"), "*, _, (*, *), (_, _), *(*, _)");
  EXPECT_EQ(printed("@p(@q, @r)"), "@p(@q, @r)");
}

TEST(parse_terms, singleton_is_a_source) {
  EXPECT_EQ(term_of("Game($)").source.is, ref::kind::singleton);
  EXPECT_EQ(printed("Game($), Likes($, Bob), Game($[up]), Game($|self)"),
            "Game($), Likes($, Bob), Game($[up(ChildOf)]), Game($[self])");
}

// --- variables -----------------------------------------------------------------------------------

TEST(parse_terms, parameter_is_a_variable_that_says_so) {
  const term t = term_of("(OnTeam, @team)");
  EXPECT_EQ(t.second.is, ref::kind::variable);
  EXPECT_EQ(t.second.text, "team");
  EXPECT_TRUE(t.second.parameter);
  EXPECT_FALSE(term_of("(OnTeam, $team)").second.parameter);
}

TEST(parse_terms, lookup_names_children_outer_first) {
  const term t = term_of("Powered($ship.cockpit::\"left seat\")");
  EXPECT_EQ(t.source.text, "ship");
  EXPECT_EQ(t.source.lookup, (std::vector<std::string>{"cockpit", "left seat"}));
  EXPECT_EQ(term_of("This.cockpit"), term_of("$this.cockpit"));
  EXPECT_EQ(printed("A(@p.x), $x.\"a.b\""), "A(@p.x), $x.\"a.b\"");
}

// C9
TEST(parse_terms, only_three_spellings_mean_this) {
  EXPECT_EQ(printed("P(this), P(THIS), P($THIS), P(\"This\"), P(::This), P(a.This)"),
            "P(this), P(THIS), P($THIS), P(\"This\"), P(::This), P(a.This)");
}

// --- operators, access ---------------------------------------------------------------------------

TEST(parse_terms, operators_stand_before_a_term) {
  EXPECT_EQ(term_of("!A").op, term::oper::not_);
  EXPECT_EQ(term_of("?A").op, term::oper::optional);
  EXPECT_EQ(term_of("AND | A").op, term::oper::and_from);
  EXPECT_EQ(term_of("OR | A").op, term::oper::or_from);
  EXPECT_EQ(term_of("NOT | A").op, term::oper::not_from);
}

// C10
TEST(parse_terms, keywords_ignore_case) {
  EXPECT_EQ(printed("And|A, oR |B, [InOut] C, D(SELF|Up ChildOf)"),
            "AND | A, OR | B, [inout] C, D(self|up(ChildOf))");
}

TEST(parse_terms, keywords_are_names_where_none_is_expected) {
  EXPECT_EQ(printed("and, or || not, in, self, up(Bob), (parent, all), P(Bob, self)"),
            "\"and\", \"or\" || \"not\", in, \"self\", \"up\"(Bob), (\"parent\", \"all\"), "
            "P(Bob, \"self\")");
  EXPECT_EQ(term_of("self").first.name.path, "self");
  EXPECT_EQ(term_of("and").op, term::oper::and_);
}

TEST(parse_terms, access_stands_first) {
  EXPECT_EQ(term_of("[in] A").rights, term::access::in);
  EXPECT_EQ(term_of("[out] A").rights, term::access::out);
  EXPECT_EQ(term_of("[inout] A").rights, term::access::inout);
  EXPECT_EQ(term_of("[none] A").rights, term::access::none);
  EXPECT_EQ(term_of("[filter] A").rights, term::access::filter);
  const term t = term_of("[in] ?(Likes, $x)");
  EXPECT_EQ(t.rights, term::access::in);
  EXPECT_EQ(t.op, term::oper::optional);
}

// --- chains and scopes ---------------------------------------------------------------------------

TEST(parse_terms, commas_separate_chains_and_bars_alternatives) {
  const expression e = expression_of("Position || Mass, Speed || Velocity || Drag");
  ASSERT_EQ(e.chains.size(), 2u);
  EXPECT_EQ(e.chains[0].alternatives.size(), 2u);
  EXPECT_EQ(e.chains[1].alternatives.size(), 3u);
}

TEST(parse_terms, scopes_hold_queries_and_take_operators) {
  const term t = term_of("!{A, B || C}");
  EXPECT_EQ(t.is, term::kind::scope);
  EXPECT_EQ(t.op, term::oper::not_);
  EXPECT_EQ(t.scope, expression_of("A, B || C"));
}

TEST(parse_terms, scopes_nest_and_are_alternatives) {
  EXPECT_EQ(printed("{A,{B||!{C}},?{D}}||{E},F"), "{A, {B || !{C}}, ?{D}} || {E}, F");
}

TEST(parse_terms, brackets_of_scopes_do_not_change_what_is_inside) {
  EXPECT_FALSE(expression_of("{A}") == expression_of("A"));
  EXPECT_FALSE(expression_of("{A}") == expression_of("{{A}}"));
  EXPECT_FALSE(expression_of("{A, B}") == expression_of("{A || B}"));
}

TEST(parse_terms, chain_is_read_alone) {
  const auto c = parse_chain("A || {B, C}");
  ASSERT_TRUE(c);
  EXPECT_EQ(c.value().alternatives.size(), 2u);
  EXPECT_EQ(c.value(), expression_of("A || {B, C}").chains[0]);
  const auto two = parse_chain("A, B");
  ASSERT_FALSE(two);
  EXPECT_STREQ(two.error().what(),
               "1:2: expected '||' or the end of the text, found ','\n  A, B\n   ^");
}

// --- equalities ----------------------------------------------------------------------------------

TEST(parse_terms, equality_compares_two_names) {
  const term t = term_of("$x == Bob");
  EXPECT_EQ(t.is, term::kind::equality);
  EXPECT_EQ(t.compare, term::comparison::equal);
  EXPECT_EQ(t.first.text, "x");
  EXPECT_EQ(t.second.name.path, "Bob");
  EXPECT_EQ(t.source.is, ref::kind::none);
  EXPECT_EQ(term_of("$x!=$y").compare, term::comparison::different);
  EXPECT_EQ(term_of("$x ~= \"part\"").compare, term::comparison::contains);
}

TEST(parse_terms, quoted_word_on_the_right_of_an_equality_is_a_text) {
  const term t = term_of(R"($x == "a \"name\"")");
  EXPECT_EQ(t.second.is, ref::kind::text);
  EXPECT_EQ(t.second.text, "a \"name\"");
  EXPECT_EQ(term_of(R"("a b" == $x)").first.name.path, R"("a b")");
  EXPECT_EQ(term_of(R"($x == "a b".c)").second.name.path, R"("a b".c)");
  EXPECT_EQ(term_of(R"($x == ::"a b")").second.name.path, R"(::"a b")");
  EXPECT_EQ(term_of(R"($x ~= "!part")").second.text, "!part");
  EXPECT_EQ(term_of(R"($x == "")").second.text, "");
}

TEST(parse_terms, equality_takes_operators_and_flags) {
  EXPECT_EQ(printed("!$x[up] == Bob|self, ?This.a!=@p.b"),
            "!$x[up(ChildOf)] == Bob[self], ?$this.a != @p.b");
}

// --- where things stand --------------------------------------------------------------------------

TEST(parse_terms, terms_and_names_know_their_places) {
  const expression e = expression_of("A,\n  [in] Größe(Bob[self|up], @täg)");
  const term& t = e.chains[1].alternatives[0];
  EXPECT_EQ(place(t.at), "2:3+30");
  EXPECT_EQ(place(t.first.at), "2:8+5");
  EXPECT_EQ(place(t.first.name.at), "2:8+5");
  EXPECT_EQ(place(t.source.at), "2:14+12");
  EXPECT_EQ(place(t.source.name.at), "2:14+3");
  EXPECT_EQ(place(t.source.flags->at), "2:18+7");
  EXPECT_EQ(place(t.source.flags->walks[0].relation.at), "2:23+2");
  EXPECT_EQ(place(t.second.at), "2:28+4");
}

TEST(parse_terms, scope_reaches_from_its_operator_to_its_brace) {
  EXPECT_EQ(place(term_of(" !{A,\nB} ").at), "1:2+7");
}

TEST(parse_terms, places_do_not_make_things_different) {
  EXPECT_EQ(expression_of("A,B(up)"), expression_of("\n A ,\n B ( up ) // so\n"));
}

}  // namespace
