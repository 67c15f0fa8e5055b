// What questions about walks cost: the steps that are looked at grow with the graph, not with the
// graph times the questions.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/checked.hpp"
#include "support/timing.hpp"

namespace {

using kith::test::seconds_of;

// A graph of relation R on entities n0, n1, ... of which every second one has P, and one has T.
struct graph_of_R {
  explicit graph_of_R(int size, const std::function<void(graph_of_R&, int)>& connect) {
    R = world.entity("R");
    T = world.entity("T");
    P = world.entity("P");
    world.entity("D");
    for (int i = 0; i < size; ++i) nodes.push_back(world.entity("n" + std::to_string(i)));
    connect(*this, size);
    for (int i = 0; i < size; i += 2) node(i).add(P);
  }
  kith::entity& node(int i) { return nodes[static_cast<std::size_t>(i)]; }
  const kith::core::reach& reach() { return world.engine().state().stages.main.reach; }
  // The steps that a question takes, with the ids and sources of all results.
  std::uint64_t cost_of(const std::string& query) {
    const std::uint64_t before = reach().steps_taken();
    std::size_t found = 0;
    world.query(query).each([&](kith::iter& it, std::size_t) {
      for (std::size_t f = 0; f < it.field_count(); ++f) found += it.id(f) && !it.src(f);
    });
    return reach().steps_taken() - before;
  }

  kith::world world;
  kith::entity R, T, P;
  std::vector<kith::entity> nodes;
};

void make_chain(graph_of_R& g, int size) {
  for (int i = 1; i < size; ++i) g.node(i).add(g.R, g.node(i - 1));
  g.node(size - 1).add(g.T);
}
void make_chain_with_T_above(graph_of_R& g, int size) {
  for (int i = 1; i < size; ++i) g.node(i).add(g.R, g.node(i - 1));
  g.node(0).add(g.T);
}
void make_cycle(graph_of_R& g, int size) {
  make_chain(g, size);
  g.node(0).add(g.R, g.node(size - 1));
}
void make_ladder(graph_of_R& g, int size) {
  for (int i = 2; i < size; ++i)
    for (int side : {0, 1}) g.node(i).add(g.R, g.node((i / 2 - 1) * 2 + side));
  g.node(size - 1).add(g.T);
}
void make_star(graph_of_R& g, int size) {
  for (int i = 1; i < size; ++i) g.node(0).add(g.R, g.node(i));
  g.node(size - 1).add(g.T);
}
void make_transitive(graph_of_R& g, int) { g.R.add(kith::Transitive); }

struct walk_costs : testing::TestWithParam<const char*> {};

// Four times the graph may cost six times the steps, so that sizes that are not quite in proportion
// do not matter; the square would be sixteen times.
void expect_in_proportion(const std::string& query,
                          const std::function<void(graph_of_R&, int)>& connect, const char* shape) {
  graph_of_R small(500, connect), large(2000, connect);
  const std::uint64_t few = small.cost_of(query), many = large.cost_of(query);
  EXPECT_LE(many, 6 * few + 100) << query << " on a " << shape << ": " << few << " to " << many;
}

TEST_P(walk_costs, grow_with_the_graph) {
  expect_in_proportion(GetParam(), make_chain, "chain");
  expect_in_proportion(GetParam(), make_chain_with_T_above, "chain with T above");
  expect_in_proportion(GetParam(), make_cycle, "cycle");
  expect_in_proportion(GetParam(), make_ladder, "ladder");
  expect_in_proportion(GetParam(), make_star, "star");
}

INSTANTIATE_TEST_SUITE_P(of, walk_costs,
                         testing::Values("T(down(R))", "T(up(R))", "T(self|down(R))",
                                         "T(down(R, 1, 3))", "T(up(R, 2, 40))", "T(down(R, 3))",
                                         "T(cascade(R))", "P, !T(down(R))", "P, ?T(up(R))",
                                         "P, T(down(R)) || P", "P($x), T($x[down(R)])",
                                         "T(up(R)|down(R))", "P, {T(down(R)) || T(up(R))}",
                                         "R($this, n0[down(R)])", "$x == n0[down(R)], P($x)",
                                         "n0[down(R)]", "P, !R($this, n0[up(R)])"));

struct closure_costs : testing::TestWithParam<const char*> {};

TEST_P(closure_costs, grow_with_the_graph) {
  const auto transitive = [](const std::function<void(graph_of_R&, int)>& connect) {
    return [=](graph_of_R& g, int size) {
      make_transitive(g, size);
      connect(g, size);
    };
  };
  const auto symmetric = [](graph_of_R& g, int size) {
    g.R.add(kith::Transitive).add(kith::Symmetric);
    make_star(g, size);
  };
  const auto exclusive = [](graph_of_R& g, int size) {
    g.R.add(kith::Transitive).add(kith::Exclusive);
    make_chain(g, size);
  };
  const auto reflexive = [](graph_of_R& g, int size) {
    g.R.add(kith::Transitive).add(kith::Reflexive);
    make_chain(g, size);
  };
  expect_in_proportion(GetParam(), transitive(make_chain), "transitive chain");
  expect_in_proportion(GetParam(), transitive(make_cycle), "transitive cycle");
  expect_in_proportion(GetParam(), transitive(make_ladder), "transitive ladder");
  expect_in_proportion(GetParam(), transitive(make_star), "transitive star");
  expect_in_proportion(GetParam(), symmetric, "symmetric star");
  expect_in_proportion(GetParam(), exclusive, "transitive forest");
  expect_in_proportion(GetParam(), reflexive, "reflexive chain");
}

INSTANTIATE_TEST_SUITE_P(of, closure_costs,
                         testing::Values("R(n0, $x)", "R($x, n0)", "R(n0, $x), P($x)",
                                         "R(n499, $x), P($x)", "R(n499, $x), !P($x)",
                                         "R(n499, $x), ?P($x)", "R($x, n0), P($x)",
                                         "P, !R($this, n0)", "P, !R(n499, $this)",
                                         "P, ?R($this, n0)", "P($x), R(n499, $x), R($x, n0)"));

// A set that is known is not found again, whatever else changes.
TEST(walks, are_remembered_until_a_step_comes_or_goes) {
  graph_of_R g(400, [](graph_of_R& of, int size) {
    make_transitive(of, size);
    make_chain(of, size);
  });
  const std::string query = "P, !R(n399, $this), !R($this, n5)";
  g.cost_of(query);
  g.world.entity("new").add(g.P);
  g.node(1).add(g.P);
  EXPECT_LT(g.cost_of(query), 30u);
  g.node(10).remove(g.R, g.node(9));
  EXPECT_GT(g.cost_of(query), 300u);
  EXPECT_EQ(g.world.query("R(n399, $x)").count(), 389u);
}

TEST(walks, are_forgotten_when_a_text_is_taken_back) {
  kith::world world;
  world.define("Transitive(R), R(a, b), R(b, c)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 2u);
  EXPECT_THROW(world.define("R(c, d), R(d, e), !Nonsense("), kith::error);
  EXPECT_EQ(world.query("R(a, $x)").count(), 2u);
  world.define("R(c, d)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 3u);
}

TEST(walks, follow_the_kinds_of_a_relation) {
  kith::world world;
  world.define("Transitive(R), R(a, b), R(b, c), S(c, d)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 2u);
  world.define("IsA(S, R)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 3u);
  world.define("S(d, e)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 4u);
  world.define("!IsA(S, R)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 2u);
}

TEST(walks, follow_what_is_inherited) {
  kith::world world;
  world.define("Transitive(R), R(a, b), R(base, c), IsA(b, x)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 1u);
  world.define("IsA(b, base)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 2u);
  world.define("!R(base, c), R(base, d), R(base, e)");
  EXPECT_EQ(world.query("R(a, $x)").count(), 3u);
}

// Of all pairs of a long chain no more is remembered than there are facts.
TEST(walks, are_remembered_in_proportion_to_the_entities) {
  graph_of_R g(1500, [](graph_of_R& of, int size) {
    make_transitive(of, size);
    make_chain(of, size);
  });
  EXPECT_EQ(g.world.query("R($x, $y)").count(), 1500u * 1499 / 2);
  EXPECT_LE(g.reach().members_held(), std::size_t{1} << 17);
}

TEST(walks, of_a_size_are_guessed_from_few_steps) {
  graph_of_R g(2000, [](graph_of_R& of, int size) {
    make_transitive(of, size);
    make_chain(of, size);
  });
  const kith::core::reach& reach = g.reach();
  const std::uint64_t before = reach.steps_taken();
  const double guess = reach.size_from(g.node(1999).id(), g.R.id());
  EXPECT_LE(reach.steps_taken() - before, 200u);
  EXPECT_GE(guess, 64);
  EXPECT_LE(guess, 2000);
  EXPECT_EQ(reach.set_from(g.node(1999).id(), g.R.id())->list().size(), 1999u);
  EXPECT_EQ(reach.size_from(g.node(1999).id(), g.R.id()), 1999);
  EXPECT_EQ(reach.size_to(g.node(1990).id(), g.R.id()), 9);
}

// The square of this many kinds would take minutes.
TEST(kinds, of_kinds_cost_what_there_is_to_look_at) {
  constexpr int size = static_cast<int>(kith::test::many) / 5;
  kith::world world;
  const kith::entity first = world.entity("n0"), P = world.entity("P");
  kith::entity last = first;
  for (int i = 1; i < size; ++i) {
    const kith::entity kind = world.entity().is_a(last);
    world.entity().add(kind).add(P);
    world.entity().is_a(world.entity().add(kind));
    last = kind;
  }
  const auto count = [&](const char* query, std::size_t results) {
    EXPECT_LT(seconds_of([&] { EXPECT_EQ(world.query(query).count(), results) << query; }), 5)
        << query;
  };
  count("n0", 3 * (static_cast<std::size_t>(size) - 1));
  count("n0, P", static_cast<std::size_t>(size) - 1);
  count("P, !n0", 0);
  count("P($x), n0($x)", static_cast<std::size_t>(size) - 1);
}

}  // namespace
