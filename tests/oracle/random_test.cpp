// Compares the oracle with the library on random worlds and random queries.
//
//   KITH_ORACLE_QUERIES=100000   the number of queries (20,000, or 1,000 under a sanitizer)
//   KITH_ORACLE_SEED=7           another seed
//   KITH_ORACLE_FAILURES=20      the number of disagreements after which to stop (1)
#include <iostream>

#include <gtest/gtest.h>

#include "oracle/closed_shortcuts.hpp"
#include "oracle/comparison.hpp"
#include "oracle/query_writer.hpp"
#include "oracle/rows_text.hpp"
#include "oracle/wanted.hpp"
#include "query/parse/parse.hpp"

namespace kith_oracle {

namespace {

#ifdef KITH_SANITIZED
constexpr std::size_t default_queries = 1'000;  // sanitized code is ten times slower
#else
constexpr std::size_t default_queries = 20'000;
#endif
constexpr std::size_t queries_per_world = 20;
constexpr std::uint64_t default_seed = 20'240'229;

std::uint64_t first_seed() { return wanted("KITH_ORACLE_SEED", default_seed); }
std::size_t world_count() {
  return wanted("KITH_ORACLE_QUERIES", default_queries) / queries_per_world;
}

}  // namespace

TEST(random_queries, read_back_as_they_were_written) {
  for (std::size_t i = 0; i < world_count() / 10; ++i) {
    dice random(first_seed() + i);
    scripted_world world(random_script(random));
    for (std::size_t q = 0; q < queries_per_world; ++q) {
      const auto e = with_paths(random_query_about(world, random).text, world);
      for (const std::string& text : {written(e), written(e, random)}) {
        auto parsed = kith::core::parse_query(text);
        ASSERT_TRUE(parsed) << text << "\n" << parsed.error().what();
        ASSERT_EQ(written(*parsed), written(e)) << text;
        ASSERT_TRUE(*parsed == e) << text;
      }
    }
  }
}

// Tests the generator: enough of its queries have results.
TEST(random_queries, have_results_often_enough) {
  std::size_t asked = 0, answered = 0, rows = 0, errors = 0;
  for (std::size_t i = 0; i < world_count() / 10; ++i) {
    dice random(first_seed() + i);
    scripted_world world(random_script(random));
    facts known(world.facts());
    for (std::size_t q = 0; q < queries_per_world; ++q) {
      const random_query query = random_query_about(world, random);
      arguments bound;
      for (const auto& [name, value] : query.with) bound[name] = world.entity(value);
      const answer a = evaluate(known, with_paths(query.text, world), bound);
      ++asked;
      answered += a.is_true ? 1 : 0;
      rows += a.rows.size();
      errors += a.error.empty() ? 0 : 1;
      if (!a.error.empty()) std::cout << a.error << "\n";
    }
  }
  RecordProperty("answered", static_cast<int>(100 * answered / asked));
  std::cout << asked << " queries, " << answered << " with results, " << rows << " rows, " << errors
            << " errors\n";
  EXPECT_GT(answered * 100, asked * 40);
  EXPECT_EQ(errors, 0u);
}

// Tests the generator: it uses the rare forms too.
TEST(random_queries, use_every_form_of_the_language) {
  std::map<std::string, int> met;
  const std::vector<std::string> forms{
      "!{",      "?{",     "|| {",     "{{",       "||",      "all|",       "desc|",
      "cascade", "_",      "(*",       "*)",       "$x.",     "\"!",        "~=",
      "==",      "!=",     "AND | $",  "OR | $",   "NOT | $", "OR | ",      "@p",
      "@q",      "($x, ",  "$x(",      "$this ==", "up(IsA",  "up(ChildOf", "down(ChildOf",
      "[in]",    "($)",    "[self]",   ", 2)",     ")|down(", ")|up(",      "!$x",
      "?$x",     "Prefab", "Disabled", "(_, ",     "*(",      "$this["};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    dice random(seed);
    scripted_world world(random_script(random));
    for (std::size_t q = 0; q < queries_per_world; ++q) {
      const std::string text = written(random_query_about(world, random).text);
      for (const std::string& form : forms) met[form] += text.find(form) != text.npos ? 1 : 0;
    }
  }
  for (const std::string& form : forms) EXPECT_GE(met[form], 5) << form;
}

TEST(random_queries, have_the_same_rows_in_the_engine_as_in_the_oracle) {
  std::size_t failures = 0;
  const auto fail = [&](std::uint64_t seed, const trial& t) {
    ADD_FAILURE() << "seed " << seed << "\n" << report(shrunk(t));
    return ++failures >= wanted("KITH_ORACLE_FAILURES", 1);
  };
  for (std::size_t i = 0; i < world_count(); ++i) {
    const std::uint64_t seed = first_seed() + i;
    const closed_shortcuts without(seed);
    SCOPED_TRACE(without.text());
    dice random(seed);
    const script made = random_script(random);
    scripted_world world(made, without.open());
    std::vector<trial> trials;
    std::vector<live_trial> alive;
    for (std::size_t q = 0; q < queries_per_world; ++q) {
      trials.push_back({made,
                        random_query_about(world, random),
                        1 + random.below(1000),
                        random.chance(50)   ? run_mode::cached
                        : random.chance(50) ? run_mode::automatic
                                            : run_mode::uncached,
                        {},
                        without.open()});
      alive.emplace_back(trials.back(), world);
      if (!alive.back().compare().agrees && fail(seed, trials.back())) return;
    }
    // Asks the same queries twice more: a query may keep results, and must drop them after a
    // change.
    const script changes = random_changes(world, random);
    for (bool changed : {false, true}) {
      if (changed) world.play(changes);
      for (std::size_t q = 0; q < queries_per_world; ++q) {
        if (changed) trials[q].changes = changes;
        if (!alive[q].compare().agrees && fail(seed, trials[q])) return;
      }
    }
  }
}

}  // namespace kith_oracle
