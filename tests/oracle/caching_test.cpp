// Many cached queries live in a world that changes step by step. In half of the worlds all of them
// are asked after each step, in the others after a few steps.
//
//   KITH_ORACLE_STEPS=100000   how many steps (4,000 if not given, 400 under a sanitizer)
//   KITH_ORACLE_SEED=7         another seed
#include <gtest/gtest.h>

#include "oracle/closed_shortcuts.hpp"
#include "oracle/comparison.hpp"
#include "oracle/query_writer.hpp"
#include "oracle/wanted.hpp"

namespace kith_oracle {

namespace {

#ifdef KITH_SANITIZED
constexpr std::size_t default_steps = 400;
#else
constexpr std::size_t default_steps = 4'000;
#endif
constexpr std::size_t steps_per_world = 100;
constexpr std::size_t queries_per_world = 40;

// One query with each kind of cache.
struct asked_query {
  std::string text;
  engine_query uncached, automatic, cached;

  asked_query(scripted_world& world, std::string written)
      : text(std::move(written)),
        uncached(world.world(), text, {}, run_mode::uncached),
        automatic(world.world(), text, {}, run_mode::automatic),
        cached(world.world(), text, {}, run_mode::cached) {}
};

// Empty if all kinds give the same rows.
std::string disagreement(const snapshot& world, const asked_query& q) {
  const answer expected = q.uncached.ask();
  for (const engine_query* way : {&q.automatic, &q.cached}) {
    const std::string problem = difference(world, expected, way->ask());
    if (!problem.empty()) return problem;
  }
  return {};
}

// Steps between two questions.
std::size_t steps_between(std::uint64_t seed) { return seed % 2 ? 1 : 2 + seed / 2 % 4; }

// How a world is made, and how its queries are asked.
struct setting {
  kith::core::shortcuts open;
  std::size_t between;
};

// Plays the steps one by one. Returns the number of the first step after which a query is wrong, or
// npos.
std::size_t first_failure(const script& made, const std::vector<std::string>& texts,
                          const script& steps, const setting& how, std::string& problem) {
  scripted_world world(made, how.open);
  std::vector<asked_query> queries;
  for (const std::string& text : texts) queries.emplace_back(world, text);
  for (std::size_t step = 0; step <= steps.size(); ++step) {
    const bool asks = step % how.between == 0 || step == steps.size();
    for (const asked_query& q : queries) {
      if (asks) problem = disagreement(world.facts(), q);
      if (!problem.empty()) {
        problem = q.text + "\ndiffer in " + problem;
        return step;
      }
    }
    if (step < steps.size()) world.play({steps[step]});
  }
  return script::size_type(-1);
}

bool fails(const script& made, const std::string& text, const script& steps, const setting& how) {
  std::string problem;
  return first_failure(made, {text}, steps, how, problem) != std::size_t(-1);
}

// Removes steps as long as the test still fails.
void shrink(script& made, const std::string& text, script& steps, const setting& how) {
  for (script* list : {&steps, &made})
    for (std::size_t i = list->size(); i-- > 0;) {
      const step taken = (*list)[i];
      list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
      if (!fails(made, text, steps, how))
        list->insert(list->begin() + static_cast<std::ptrdiff_t>(i), taken);
    }
}

}  // namespace

TEST(cached_queries, are_right_after_every_change_and_after_several) {
  const std::size_t worlds = wanted("KITH_ORACLE_STEPS", default_steps) / steps_per_world;
  for (std::size_t i = 0; i < worlds; ++i) {
    const std::uint64_t seed = wanted("KITH_ORACLE_SEED", 77'000) + i;
    const closed_shortcuts without(seed);
    SCOPED_TRACE(without.text());
    dice random(seed);
    script made = random_script(random);
    std::vector<std::string> texts;
    script steps;
    {
      scripted_world world(made);
      for (std::size_t q = 0; q < queries_per_world; ++q) {
        random_query asked = random_query_about(world, random);
        if (asked.with.empty()) texts.push_back(written(with_paths(asked.text, world)));
      }
      while (steps.size() < steps_per_world) {
        const script more = random_changes(world, random);
        steps.insert(steps.end(), more.begin(), more.end());
      }
    }
    const setting how{without.open(), steps_between(seed)};
    std::string problem;
    if (first_failure(made, texts, steps, how, problem) == std::size_t(-1)) continue;
    const std::string text = problem.substr(0, problem.find("\ndiffer in "));
    shrink(made, text, steps, how);
    FAIL() << "seed " << seed << "\n"
           << to_text(made) << "\n-- then --\n"
           << to_text(steps) << "\n"
           << problem;
  }
}

}  // namespace kith_oracle
