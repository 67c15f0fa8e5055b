#include "query/model/print.hpp"

#include <gtest/gtest.h>

#include "query/model/words.hpp"
#include "query/parse/parse.hpp"
#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::expression_of;
using kith::test::numbers_as_names;
using kith::test::printed;
using kith::test::term_of;

// Says the names that a program gave to entities 1, 2, ...
class fixed_names : public entity_namer {
 public:
  explicit fixed_names(std::vector<std::string> names) : names_(std::move(names)) {}
  std::string name_of(kith::entity_t e) const override { return names_.at(e - 1); }

 private:
  std::vector<std::string> names_;
};

ref entity(kith::entity_t e) {
  ref r;
  r.is = ref::kind::entity;
  r.name.entity = e;
  return r;
}

TEST(print_query, relations_of_flags_are_written_out) {
  EXPECT_EQ(printed("P(up), P(super), P(sub), P(down), P(parent), P(cascade)"),
            "P(up(ChildOf)), P(up(IsA)), P(down(IsA)), P(down(ChildOf)), P(up(ChildOf)), "
            "P(cascade(ChildOf))");
}

TEST(print_query, depths_are_written_only_if_there_are_limits) {
  EXPECT_EQ(printed("P(up(R, 1, 3)), P(up(R, 2, 3)), P(up(R, 2, 4294967295))"),
            "P(up(R, 3)), P(up(R, 2, 3)), P(up(R, 2, 4294967295))");
}

TEST(print_query, flags_have_one_order) {
  EXPECT_EQ(printed("P(desc|cascade|all|self)"), "P(self|all|cascade(ChildOf)|desc)");
}

TEST(print_query, this_is_written_only_where_it_says_something) {
  EXPECT_EQ(printed("Likes($this, Bob)"), "(Likes, Bob)");
  EXPECT_EQ(printed("P($this)"), "P($this)");
  EXPECT_EQ(printed("P($this[self])"), "P(self)");
  EXPECT_EQ(printed("R($this[self], T)"), "R(self, T)");
  EXPECT_EQ(printed("P($this.a[self]), R(@this, T)"), "P($this.a[self]), R(@this, T)");
}

TEST(print_query, names_with_another_meaning_get_quotes) {
  EXPECT_EQ(printed("P(\"This\"), P(\"up\"), \"_\", \"AND\"|self, \"*\", \"$x\", \"a b\""),
            "P(\"This\"), P(\"up\"), \"_\", \"AND\"[self], \"*\", \"$x\", \"a b\"");
  EXPECT_EQ(printed("\"This\".x, a.This, ::This"), "\"This\".x, a.This, ::This");
}

TEST(print_query, entities_are_named_by_the_namer) {
  term t = term_of("Likes(Bob, Alice)");
  t.first = entity(1);
  t.source = entity(2);
  t.second = entity(3);
  EXPECT_EQ(to_text(t, fixed_names({"game::Likes", "#77", "odd name::self"})),
            "game.Likes(#77, \"odd name\".self)");
  EXPECT_EQ(to_text(t, fixed_names({"self", "This", "\"a::b\""})), "\"self\"(\"This\", \"a::b\")");
}

TEST(print_query, path_that_is_none_is_written_as_a_name) {
  EXPECT_EQ(to_text(entity(1), fixed_names({"a..b"})), "\"a..b\"");
}

TEST(print_query, right_of_an_equality_no_entity_looks_like_a_text) {
  term t = term_of("$x == Bob");
  t.second = entity(1);
  EXPECT_EQ(to_text(t, fixed_names({"self"})), "$x == self");
  EXPECT_EQ(to_text(t, fixed_names({"odd name"})), "$x == ::\"odd name\"");
  EXPECT_EQ(to_text(t, fixed_names({"This"})), "$x == ::This");
  EXPECT_EQ(to_text(t, fixed_names({"_"})), "$x == ::_");
  EXPECT_EQ(to_text(t, fixed_names({"odd name::a"})), "$x == \"odd name\".a");
  EXPECT_EQ(to_text(t, fixed_names({"This::a"})), "$x == \"This\".a");
}

TEST(print_query, target_without_a_source_is_a_pair) {
  term t = term_of("(R, T)");
  t.source = ref{};
  EXPECT_EQ(to_text(t, numbers_as_names()), "(R, T)");
}

TEST(print_query, terms_and_refs_print_alone) {
  EXPECT_EQ(to_text(term_of("!{A, {B}}"), numbers_as_names()), "!{A, {B}}");
  EXPECT_EQ(to_text(term_of("P(@x.y[up])").source, numbers_as_names()), "@x.y[up(ChildOf)]");
  EXPECT_EQ(to_text(term_of("P").source, numbers_as_names()), "");
}

TEST(words, quoted_text_is_read_back) {
  EXPECT_EQ(quoted_text("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quoted_text("\n\r\t\x01\x7f"), R"("\n\r\t\x01\x7f")");
  EXPECT_EQ(quoted_text("ä\xff\xc2\x80"), "\"ä\\xff\\xc2\\x80\"");
  EXPECT_EQ(quoted_text(std::string_view("\0", 1)), "\"\\x00\"");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(term_of("$x == " + quoted_text(all)).second.text, all);
}

TEST(words, name_is_written_bare_only_if_it_reads_back_as_one) {
  EXPECT_EQ(written_name("größe"), "größe");
  for (std::string_view name : {"", "a b", "a.b", "a:b", "#1", "$x", "@x", "*", "_", "This", "Up",
                                "not", "//", "a\xc2\xa0", "\xff"})
    EXPECT_EQ(written_name(name), quoted_text(name));
}

TEST(words, path_is_written_so_that_the_language_reads_it) {
  EXPECT_EQ(written_path("a::b c::d"), "a.\"b c\".d");
  EXPECT_EQ(written_path("::self"), "::self");
  EXPECT_EQ(written_path("#5::x y"), "#5.\"x y\"");
}

}  // namespace
