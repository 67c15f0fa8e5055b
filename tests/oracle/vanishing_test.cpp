// A variable that stays unset removes terms, and these may leave other variables unset. The test
// combines all forms of three parts of a query; random queries rarely contain all three.
#include <gtest/gtest.h>

#include "oracle/case_file.hpp"
#include "oracle/engine_rows.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/rows_text.hpp"
#include "oracle/script.hpp"
#include "query/parse/parse.hpp"

namespace kith_oracle {

namespace {

const char* const worlds[] = {
    "R, ChildOf(e, c), U(e)",
    "R, S, V, ChildOf(e, c), T(e), T(e, T), U(e)",
    "R, S, V, ChildOf(e, c), ChildOf(f, c), U(f), T(e, U), V(f, e), S(f, U)",
    "R, S, U, V, T, ChildOf(e, c), R(e, T), T(e), T(e, T)",
    "R, S, V(c), T, ChildOf(e, c), ChildOf(f, c), R(e, U), U(T), U(f), U(f, f), S(e, f), S(U)",
};
// $x may stay unset.
const char* const first_parts[] = {
    "(R, $x) || (ChildOf, c)",
    "?(R, $x), (ChildOf, c)",
    "?{(R, $x), U}, (ChildOf, c)",
};
// The first use of $y, which goes away with $x.
const char* const second_parts[] = {
    "$x($y)", "($y, $x)", "U($x), ($x, $y)", "?$x($y)", "U($x), $y",
};
// Other uses of $y, some of them with another variable that may stay unset.
const char* const third_parts[] = {
    "?{$z, ($y, $z)}",
    "(ChildOf, c) || {$z, ($y, $z)}",
    "?{(S, $z), $z($y)}",
    "(S, $z) || (ChildOf, c), $z($y)",
    "?(S, $z), $y($z)",
    "?{$z, $y($z)}, ($y, $z)",
    "?{(S, $z), ?($y, $z)}",
    "{(S, $z), $y} || {$z, ($y, $z)}",
    "?{$z, ($y, $z)}, ?{$w, ($y, $w)}",
    "!{$z, ($y, $z)}",
    "?{$z, ($y, $z)}, T($z)",
    "?{$z, ($y, $z), $z != $y}",
    "(S, $z) || {T, ($y, $z)} || (ChildOf, c)",
    "?{(S, $z) || T($z), ($y, $z)}",
    "?{$z, ($y, $z)}, !{$y($q)}",
    "?{$z, !($y, $z)}",
};

}  // namespace

TEST(vanishing, variables_leave_the_same_rows_in_the_engine_as_in_the_oracle) {
  std::size_t answered = 0;
  for (const char* text : worlds) {
    kith::world world;
    world_builder builder(world);
    for (const step& s : read_script(text)) ASSERT_TRUE(builder.play(s)) << text;
    const snapshot taken = snapshot_of(world);
    facts known(taken);
    for (const std::string first : first_parts)
      for (const std::string second : second_parts)
        for (const std::string third : third_parts) {
          const std::string query = first + ", " + second + ", " + third;
          auto parsed = kith::core::parse_query(query);
          ASSERT_TRUE(parsed) << query;
          const answer expected = evaluate(known, *parsed, {});
          for (const run_mode mode : {run_mode::uncached, run_mode::cached}) {
            const answer found = engine_answer(world, query, {}, mode);
            EXPECT_EQ(found.error.empty(), expected.error.empty()) << query;
            if (!expected.error.empty()) continue;
            EXPECT_EQ(rows_text(taken, found, true), rows_text(taken, expected, true))
                << text << "\n"
                << query;
          }
          answered += expected.rows.empty() ? 0 : 1;
        }
  }
  EXPECT_GT(answered, 500u);
}

}  // namespace kith_oracle
