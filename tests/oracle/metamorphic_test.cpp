// Changes of a query or a world that must not change the answer. No test needs the right answer.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "oracle/comparison.hpp"
#include "oracle/query_writer.hpp"
#include "oracle/rows_text.hpp"

namespace kith_oracle {

namespace model = kith::core;

namespace {

constexpr std::uint64_t worlds = 150;
constexpr std::size_t queries_per_world = 20;

// A query about a world, with its arguments.
struct asked {
  model::expression text;
  arguments bound;
};

asked random_question(scripted_world& world, dice& random) {
  const random_query q = random_query_about(world, random);
  asked a{with_paths(q.text, world), {}};
  for (const auto& [name, value] : q.with) a.bound[name] = world.entity(value);
  return a;
}

// Prints rows so that the order of columns and chains does not matter. `order[i]` is the former
// position of chain i.
std::string normal_text(const snapshot& world, const answer& a,
                        const std::vector<std::size_t>& order) {
  if (!a.error.empty()) return "error";
  if (a.is_yes_no) return a.is_true ? "yes" : "no";
  std::vector<std::string> lines;
  for (const row& r : a.rows) {
    std::vector<std::string> words{world.text_of(r.values[0])};
    for (std::size_t i = 0; i < a.columns.size(); ++i)
      words.push_back(a.columns[i] + "=" + world.text_of(r.values[i + 1]));
    std::sort(words.begin() + 1, words.end());
    std::vector<std::string> fields(r.fields.size());
    for (std::size_t i = 0; i < r.fields.size(); ++i) {
      const field& f = r.fields[i];
      fields[order[i]] = f.id ? world.text_of(f.id) + "@" + world.text_of(f.source) : "-";
    }
    words.insert(words.end(), fields.begin(), fields.end());
    std::string line;
    for (const std::string& w : words) line += w + " ";
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  return text;
}

std::string normal_text(const snapshot& world, const answer& a) {
  std::vector<std::size_t> order(a.rows.empty() ? 0 : a.rows.front().fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return normal_text(world, a, order);
}

// "A variable whose first written use is in an optional term": there the order of terms matters.
bool order_matters(facts& world, const asked& a) {
  std::set<std::string> given;
  for (const auto& [name, value] : a.bound) given.insert(name);
  return !ask(world, a.text, given).conditional.empty();
}

template <class Check>
void in_many_worlds(std::uint64_t first_seed, Check check) {
  for (std::uint64_t seed = first_seed; seed < first_seed + worlds; ++seed) {
    dice random(seed);
    const script made = random_script(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_text(made));
    check(made, random);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace

// Terms shuffled; asked of the library and of the oracle itself.
TEST(metamorphic, the_order_of_terms_does_not_matter) {
  in_many_worlds(1000, [](const script& made, dice& random) {
    scripted_world world(made);
    facts known(world.facts());
    for (std::size_t i = 0; i < queries_per_world; ++i) {
      const asked before = random_question(world, random);
      std::vector<std::size_t> order(before.text.chains.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      random.shuffle(order);
      asked after = before;
      for (std::size_t c = 0; c < order.size(); ++c)
        after.text.chains[c] = before.text.chains[order[c]];
      if (order_matters(known, before) || order_matters(known, after)) continue;
      const std::string first = written(before.text), second = written(after.text);
      ASSERT_EQ(normal_text(world.facts(), evaluate(known, before.text, before.bound)),
                normal_text(world.facts(), evaluate(known, after.text, after.bound), order))
          << "oracle\n"
          << first << "\n"
          << second;
      ASSERT_EQ(
          normal_text(world.facts(), engine_answer(world.world(), first, before.bound)),
          normal_text(world.facts(), engine_answer(world.world(), second, after.bound), order))
          << "engine\n"
          << first << "\n"
          << second;
    }
  });
}

TEST(metamorphic, where_ids_are_kept_does_not_matter) {
  in_many_worlds(2000, [](const script& made, dice& random) {
    scripted_world world(made);
    script moved = made;
    for (const auto* names : {&world.tags, &world.relations})
      for (const std::string& n : *names)
        moved.push_back({random.chance(50) ? step::kind::pools : step::kind::tables, n, "", ""});
    scripted_world other(moved);
    for (std::size_t i = 0; i < queries_per_world; ++i) {
      const asked q = random_question(world, random);
      const std::string text = written(q.text);
      ASSERT_EQ(normal_text(world.facts(), engine_answer(world.world(), text, q.bound)),
                normal_text(other.facts(), engine_answer(other.world(), text, q.bound)))
          << text << "\n"
          << to_text(moved);
    }
  });
}

TEST(metamorphic, the_order_of_facts_does_not_matter) {
  std::size_t compared = 0;
  in_many_worlds(3000, [&](const script& made, dice& random) {
    // The entities come in the same order, so they have the same ids.
    script facts_only, shuffled;
    for (const step& s : made) {
      if (s.is == step::kind::component || s.is == step::kind::make) shuffled.push_back(s);
      if (s.is == step::kind::add) facts_only.push_back(s);
      if (s.is == step::kind::destroy) return;
    }
    script ordered = shuffled;
    ordered.insert(ordered.end(), facts_only.begin(), facts_only.end());
    random.shuffle(facts_only);
    shuffled.insert(shuffled.end(), facts_only.begin(), facts_only.end());

    scripted_world world(ordered), other(shuffled);
    const auto everything = [](const scripted_world& w) {
      std::string text;
      for (const auto& [e, ids] : w.facts().owned) {
        text += w.facts().text_of(e) + ":";
        for (const owned_id& o : ids) text += " " + w.facts().text_of(o.id);
        text += "\n";
      }
      return text;
    };
    // Exclusive pairs, refused pairs and instances may depend on the order of the steps.
    if (everything(world) != everything(other)) return;
    ++compared;
    for (std::size_t i = 0; i < queries_per_world; ++i) {
      const asked q = random_question(world, random);
      const std::string text = written(q.text);
      ASSERT_EQ(normal_text(world.facts(), engine_answer(world.world(), text, q.bound)),
                normal_text(other.facts(), engine_answer(other.world(), text, q.bound)))
          << text << "\n"
          << to_text(shuffled);
    }
  });
  EXPECT_GT(compared, worlds / 10);
}

// A query printed with `str()` is explicit and parses back to an equal query.
TEST(metamorphic, a_printed_query_answers_the_same) {
  in_many_worlds(4000, [](const script& made, dice& random) {
    scripted_world world(made);
    for (std::size_t i = 0; i < queries_per_world; ++i) {
      const asked q = random_question(world, random);
      const std::string text = written(q.text);
      const std::string printed = engine_text(world.world(), text);
      ASSERT_EQ(printed, engine_text(world.world(), printed)) << text;
      ASSERT_EQ(normal_text(world.facts(), engine_answer(world.world(), text, q.bound)),
                normal_text(world.facts(), engine_answer(world.world(), printed, q.bound)))
          << text << "\n"
          << printed;
    }
  });
}

}  // namespace kith_oracle
