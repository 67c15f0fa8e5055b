#include <gtest/gtest.h>

#include "query/model/print.hpp"
#include "query/model/random_expression.hpp"
#include "query/parse/parse.hpp"
#include "support/query_text.hpp"

namespace {

using namespace kith::core;
using kith::test::numbers_as_names;
using kith::test::random_expressions;

TEST(round_trip, random_expressions_are_read_back_as_they_were) {
  random_expressions random(1);
  for (int i = 0; i < 5000; ++i) {
    const expression e = random.next();
    const std::string text = to_text(e, numbers_as_names());
    const auto back = parse_query(text);
    ASSERT_TRUE(back) << back.error().what();
    ASSERT_TRUE(back.value() == e) << text << "\n" << to_text(back.value(), numbers_as_names());
    ASSERT_EQ(to_text(back.value(), numbers_as_names()), text);
  }
}

TEST(round_trip, copies_of_random_expressions_are_equal) {
  random_expressions random(2);
  for (int i = 0; i < 1000; ++i) {
    const expression e = random.next();
    expression copy = e;
    ASSERT_TRUE(copy == e);
    const expression moved = std::move(copy);
    ASSERT_TRUE(moved == e);
  }
}

TEST(round_trip, no_change_to_a_text_makes_the_parser_fail_badly) {
  random_expressions random(3);
  std::mt19937 chance(4);
  constexpr std::string_view signs = "(){}[]|,:;!?*_$@#.\"\\=~/ \nAx1\x80\xff";
  int good = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = to_text(random.next(), numbers_as_names());
    for (std::size_t changes = 1 + chance() % 3; changes > 0; --changes) {
      const std::size_t at = chance() % (text.size() + 1);
      const char sign = signs[chance() % signs.size()];
      if (chance() % 2 && at < text.size())
        text.erase(at, 1);
      else
        text.insert(at, 1, sign);
    }
    if (auto e = parse_query(text)) {
      ++good;
      const auto back = parse_query(to_text(e.value(), numbers_as_names()));
      ASSERT_TRUE(back && back.value() == e.value()) << text;
    } else {
      ASSERT_EQ(e.error().code(), kith::errc::parse);
      ASSERT_GT(e.error().position().line, 0u);
      ASSERT_GT(e.error().position().column, 0u);
    }
    static_cast<void>(parse_facts(text));
  }
  EXPECT_GT(good, 100) << "the changes should leave some texts in the language";
}

}  // namespace
