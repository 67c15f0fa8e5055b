// Marks say what walks of their own say, also which entity comes first, in whatever order is asked.
#include "query/exec/walk_marks.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace {

using kith::entity_t;
using kith::core::walk_marks;

constexpr std::uint32_t no_limit = ~std::uint32_t{0};

struct random_graph {
  random_graph(std::mt19937& random, std::size_t size, unsigned edges) : steps(size), good(size) {
    // 0 is no entity.
    const auto any = [&] { return static_cast<entity_t>(1 + random() % (size - 1)); };
    std::vector<std::vector<bool>> there(size, std::vector<bool>(size));
    for (unsigned i = 0; i < edges; ++i) there[any()][any()] = true;
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (there[from][to]) steps[from].push_back(static_cast<entity_t>(to));
    for (unsigned i = 0; i < 1 + size / 8; ++i) good[any()] = true;
  }

  // Depth first, ascending, each entity once; the one where the walk began like any other.
  entity_t first_of_all(entity_t start) const {
    std::vector<bool> seen(steps.size());
    return search(start, seen);
  }
  entity_t search(entity_t at, std::vector<bool>& seen) const {
    for (entity_t to : steps[at]) {
      if (seen[to]) continue;
      seen[to] = true;
      if (good[to]) return to;
      if (const entity_t found = search(to, seen); found != none) return found;
    }
    return none;
  }
  // Depth first within `most` steps.
  entity_t first_within(entity_t at, std::uint32_t most) const {
    for (entity_t to : steps[at]) {
      if (good[to]) return to;
      if (most > 1)
        if (const entity_t found = first_within(to, most - 1); found != none) return found;
    }
    return none;
  }
  // Does a walk of min to max steps lead to a good one?
  bool leads(entity_t start, std::uint32_t min, std::uint32_t max) const {
    std::vector<bool> here(steps.size());
    here[start] = true;
    for (std::uint32_t n = 1; n <= max; ++n) {
      std::vector<bool> next(steps.size());
      for (std::size_t e = 0; e < steps.size(); ++e)
        if (here[e])
          for (entity_t to : steps[e]) next[to] = true;
      here = next;
      for (std::size_t e = 0; n >= min && e < steps.size(); ++e)
        if (here[e] && good[e]) return true;
    }
    return false;
  }

  static constexpr entity_t none = ~entity_t{0};
  std::vector<std::vector<entity_t>> steps;
  std::vector<bool> good;
};

// Grows until the region is settled and gives the number of an entity in it.
walk_marks::node settled(walk_marks& marks, const random_graph& g, entity_t e) {
  marks.add(e);
  while (marks.grow([&](entity_t at) { return g.steps[at]; },
                    [&](entity_t at) { return bool{g.good[at]}; })) {
  }
  return *marks.find(e);
}

TEST(walk_marks, say_what_walks_of_their_own_say) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t size = 3 + random() % 10;
    const random_graph g(random, size, static_cast<unsigned>(size + random() % (2 * size)));
    const bool endless = random() % 2;
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    const std::uint32_t min = 1 + below(3) * below(2);
    const std::uint32_t max = endless ? no_limit : min + below(4);
    // Longer walks go around, so they lead nowhere else.
    const auto reach = endless ? min + static_cast<std::uint32_t>(size) + 1 : max;
    walk_marks marks(min, max, endless);
    for (std::size_t i = 0; i < 2 * size; ++i) {
      const entity_t start = 1 + random() % (size - 1);
      const walk_marks::node n = settled(marks, g, start);
      ASSERT_EQ(marks.is_marked(n), g.leads(start, min, reach)) << round;
      if (!marks.is_marked(n) || !marks.can_find_first()) continue;
      ASSERT_EQ(marks.first_from(n), endless ? g.first_of_all(start) : g.first_within(start, max))
          << round << " from " << start;
    }
  }
}

TEST(walk_marks, know_nothing_before_the_region_is_settled) {
  walk_marks marks(1, no_limit, true);
  marks.add(1);
  EXPECT_FALSE(marks.find(1));
  const auto steps = [](entity_t e) {
    return e < 3 ? std::vector<entity_t>{e + 1} : std::vector<entity_t>{};
  };
  const auto passes = [](entity_t e) { return e == 3; };
  EXPECT_TRUE(marks.grow(steps, passes));
  EXPECT_FALSE(marks.find(1));
  while (marks.grow(steps, passes)) {
  }
  EXPECT_TRUE(marks.is_marked(*marks.find(1)));
  EXPECT_FALSE(marks.is_marked(*marks.find(3)));
}

}  // namespace
