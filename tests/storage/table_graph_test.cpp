#include "storage/table_graph.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using kith::id_t;
using kith::test::ids_text;

// A graph in which the ids 300 to 399 have records.
struct graph_of_ids {
  id_index ids;
  table_graph graph{ids};
  graph_of_ids() {
    for (id_t id = 300; id < 400; ++id) ids.insert(id, nullptr);
  }
};

// What is wrong with the graph by its own invariants; empty if nothing is.
std::string broken_invariant(const graph_of_ids& g) {
  std::vector<std::string> seen;
  std::string wrong;
  g.graph.each([&](const table& t) {
    seen.push_back(ids_text(t.ids()));
    t.edges().each([&](id_t id, table* to) {
      if (to->edges().find(id) != &t) wrong += "an edge leads only one way; ";
      const std::size_t difference =
          std::max(to->ids().size(), t.ids().size()) - std::min(to->ids().size(), t.ids().size());
      if (difference != 1 || to->has(id) == t.has(id)) wrong += "an edge leads to a stranger; ";
    });
    for (std::size_t i = 0; i < t.ids().size(); ++i)
      if (g.ids.find(t.ids()[i])->tables.at(t.positions()[i]) != &t)
        wrong += "a table is not where it says in the list of its id; ";
  });
  std::size_t listed = 0;
  g.ids.each([&](const id_record& record) { listed += record.tables.size(); });
  std::size_t held = 0;
  g.graph.each([&](const table& t) { held += t.ids().size(); });
  if (listed != held) wrong += "the lists of ids have other tables; ";
  std::ranges::sort(seen);
  if (std::ranges::adjacent_find(seen) != seen.end()) wrong += "two tables have the same ids; ";
  if (seen.size() != g.graph.size()) wrong += "the size is wrong; ";
  return wrong;
}

TEST(table_graph, begins_with_the_table_without_ids) {
  graph_of_ids g;
  EXPECT_EQ(g.graph.root().ids().size(), 0u);
  EXPECT_EQ(g.graph.size(), 1u);
}

// R104 R105
TEST(table_graph, one_id_more_leads_to_the_table_that_has_it) {
  graph_of_ids g;
  table& t = g.graph.with(g.graph.with(g.graph.root(), 310), 305);
  EXPECT_EQ(ids_text(t.ids()), "305 310");
}

TEST(table_graph, order_in_which_ids_come_does_not_matter) {
  graph_of_ids g;
  table& one = g.graph.with(g.graph.with(g.graph.root(), 310), 305);
  table& other = g.graph.with(g.graph.with(g.graph.root(), 305), 310);
  EXPECT_EQ(&one, &other);
  EXPECT_EQ(g.graph.size(), 4u);
}

TEST(table_graph, one_id_less_leads_back) {
  graph_of_ids g;
  table& one = g.graph.with(g.graph.root(), 310);
  table& two = g.graph.with(one, 305);
  EXPECT_EQ(&g.graph.without(two, 305), &one);
  EXPECT_EQ(&g.graph.without(one, 310), &g.graph.root());
}

TEST(table_graph, finds_a_table_by_its_ids_and_makes_it_once) {
  graph_of_ids g;
  EXPECT_EQ(g.graph.find(std::vector<id_t>{300, 301}), nullptr);
  table& t = g.graph.find_or_create({300, 301});
  EXPECT_EQ(g.graph.find(std::vector<id_t>{300, 301}), &t);
  EXPECT_EQ(&g.graph.find_or_create({300, 301}), &t);
}

TEST(table_graph, table_knows_its_number) {
  graph_of_ids g;
  table& t = g.graph.find_or_create({300});
  EXPECT_EQ(&g.graph.at(t.id()), &t);
}

TEST(table_graph, erased_table_is_in_no_list_and_on_no_edge) {
  graph_of_ids g;
  table& middle = g.graph.with(g.graph.root(), 300);
  g.graph.with(middle, 301);
  g.graph.erase(middle);
  EXPECT_EQ(broken_invariant(g), "");
  EXPECT_EQ(g.graph.root().edges().find(300), nullptr);
  EXPECT_EQ(g.ids.find(300)->tables.size(), 1u);
}

TEST(table_graph, number_of_an_erased_table_is_used_again) {
  graph_of_ids g;
  table& t = g.graph.find_or_create({300});
  const table_id number = t.id();
  g.graph.erase(t);
  EXPECT_EQ(g.graph.find_or_create({301}).id(), number);
}

TEST(table_graph, groups_count_how_often_tables_use_them) {
  graph_of_ids g;
  for (std::uint32_t target = 1; target <= 3; ++target)
    g.ids.insert(make_pair_of(350, target), nullptr);
  table& t = g.graph.find_or_create({make_pair_of(350, 1), make_pair_of(350, 2)});
  g.graph.find_or_create({make_pair_of(350, 3)});
  EXPECT_EQ(g.ids.group_of(make_pair_of(350, 1)).table_uses, 3u);
  g.graph.erase(t);
  EXPECT_EQ(g.ids.group_of(make_pair_of(350, 1)).table_uses, 1u);
}

// Adds, removes and erases without a plan; the invariants hold all the time.
TEST(table_graph, invariants_hold_whatever_comes_and_goes) {
  graph_of_ids g;
  std::uint64_t state = 1;
  const auto random = [&](std::uint64_t below) {
    state = mix(state + 0x9e37'79b9'7f4a'7c15);
    return (state >> 20) % below;
  };
  table* here = &g.graph.root();
  for (int step = 0; step < 3000; ++step) {
    const id_t id = 300 + random(8);
    table* before = here;
    here = here->has(id) ? &g.graph.without(*here, id) : &g.graph.with(*here, id);
    if (random(4) == 0 && before != &g.graph.root()) g.graph.erase(*before);
    if (step % 100 == 0) {
      ASSERT_EQ(broken_invariant(g), "") << "step " << step;
    }
  }
}

}  // namespace
