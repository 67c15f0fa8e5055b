// Reach on random graphs, compared with a closure that is computed naively here.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class random_graph_in_any_storage : public any_storage {
 protected:
  using edges = std::map<kith::entity, std::set<kith::entity>>;

  // What at least one step leads to.
  static std::set<kith::entity> closure(const edges& steps, kith::entity from) {
    std::set<kith::entity> all;
    std::vector<kith::entity> open{from};
    while (!open.empty()) {
      const kith::entity here = open.back();
      open.pop_back();
      const auto found = steps.find(here);
      if (found == steps.end()) continue;
      for (kith::entity to : found->second)
        if (all.insert(to).second) open.push_back(to);
    }
    return all;
  }
  static std::set<kith::entity> as_set(const std::vector<kith::entity>& list) {
    const std::set<kith::entity> all(list.begin(), list.end());
    EXPECT_EQ(all.size(), list.size()) << "something is there twice";
    return all;
  }
  std::size_t any(std::size_t below) { return random_() % below; }

  void compare(const thing& relation, const edges& steps, const std::vector<thing>& nodes,
               bool transitive) {
    edges closures;
    for (const thing& from : nodes) closures[from] = closure(steps, from);
    for (const thing& from : nodes) {
      const std::set<kith::entity>& expected = closures[from];
      ASSERT_EQ(as_set(from->reached(relation)), expected) << from;
      std::set<kith::entity> back;
      for (const thing& to : nodes) {
        ASSERT_EQ(from.reaches(relation, to), expected.contains(to)) << from << " -> " << to;
        ASSERT_TRUE(!transitive || from.related(relation, to) == expected.contains(to))
            << from << " -> " << to;
        if (closures[to].contains(from)) back.insert(to);
      }
      ASSERT_EQ(as_set(from->reached_by(relation)), back) << from;
    }
  }

  std::mt19937 random_{42};
};
INSTANTIATE_TEST_SUITE_P(, random_graph_in_any_storage,
                         ::testing::ValuesIn(every_storage_and_union), storage_name());

TEST_P(random_graph_in_any_storage, exclusive_relation_leads_where_the_naive_closure_says) {
  const thing on = exclusive("On");
  on->add(kith::Transitive);
  std::vector<thing> nodes;
  for (int i = 0; i < 16; ++i) nodes.push_back(entity());
  edges steps;
  for (int round = 0; round < 60; ++round) {
    for (int change = 0; change < 4; ++change) {
      const thing from = nodes[any(nodes.size())], to = nodes[any(nodes.size())];
      if (any(4)) {
        from->add(on, to);
        steps[from] = {to};
      } else {
        from->remove(on, kith::Wildcard);
        steps.erase(from);
      }
    }
    if (round % 7 == 0) {
      const std::size_t gone = any(nodes.size());
      steps.erase(nodes[gone]);
      for (auto& [from, targets] : steps) targets.erase(nodes[gone]);
      nodes[gone]->destruct();
      nodes[gone] = entity();
    }
    compare(on, steps, nodes, true);
  }
}

// C43
TEST_P(random_graph_in_any_storage, any_relation_leads_where_the_naive_closure_says) {
  const thing road = relation("Road");
  std::vector<thing> nodes;
  for (int i = 0; i < 14; ++i) nodes.push_back(entity());
  edges steps;
  for (int round = 0; round < 40; ++round) {
    for (int change = 0; change < 3; ++change) {
      const thing from = nodes[any(nodes.size())], to = nodes[any(nodes.size())];
      if (any(3)) {
        from->add(road, to);
        steps[from].insert(to);
      } else {
        from->remove(road, to);
        steps[from].erase(to);
      }
    }
    if (round % 10 == 9) {
      nodes[0]->clear();
      steps.erase(nodes[0]);
    }
    compare(road, steps, nodes, false);
  }
}

// Pairs of the relation, of kinds of it, inherited, switched off: all by the definitions.
TEST_P(random_graph_in_any_storage, bases_kinds_and_toggles_lead_where_the_definitions_say) {
  const thing road = relation("Road"), lane = relation("Lane"), path = relation("Path");
  road->add(kith::Transitive);
  lane->is_a(road);
  path->is_a(lane);
  const std::vector<thing> relations{road, lane, path};
  std::vector<thing> nodes;
  for (int i = 0; i < 10; ++i) nodes.push_back(entity());

  struct owned_pairs {
    std::map<std::pair<kith::entity, kith::entity>, bool> on;  // of (relation, target)
    std::set<kith::entity> bases;
  };
  std::map<kith::entity, owned_pairs> facts;
  // visible(e), by the definition: what e owns hides the same of its bases.
  using pairs = std::set<std::pair<kith::entity, kith::entity>>;
  const auto visible = [&](kith::entity e) {
    pairs shown;
    for (const thing& r : relations)
      for (const thing& t : nodes) {
        std::set<kith::entity> seen;
        std::vector<kith::entity> open{e};
        while (!open.empty()) {
          const kith::entity here = open.back();
          open.pop_back();
          if (!seen.insert(here).second) continue;
          const auto owned = facts[here].on.find({r, t});
          if (owned != facts[here].on.end()) {
            if (owned->second) shown.insert({r, t});
            continue;
          }
          open.insert(open.end(), facts[here].bases.begin(), facts[here].bases.end());
        }
      }
    return shown;
  };

  for (int round = 0; round < 50; ++round) {
    const thing from = nodes[any(nodes.size())], to = nodes[any(nodes.size())];
    const thing r = relations[any(3)];
    owned_pairs& of = facts[from];
    switch (any(6)) {
      case 0:
        from->is_a(to);
        of.bases.insert(to);
        break;
      case 1:
        from->remove(kith::IsA, to);
        of.bases.erase(to);
        break;
      case 2:
        if (auto found = of.on.find({r, to}); found != of.on.end()) {
          found->second ? from->disable(r, to) : from->enable(r, to);
          found->second = !found->second;
        }
        break;
      case 3:
        from->remove(r, to);
        of.on.erase({r, to});
        break;
      default:
        from->add(r, to);
        of.on.try_emplace({r, to}, true);
    }
    edges steps;
    for (const thing& each : nodes) {
      const pairs shown = visible(each);
      std::set<kith::entity> direct;
      for (const auto& [relation, target] : shown) {
        steps[each].insert(target);
        if (relation == road) direct.insert(target);
      }
      const auto targets = each->targets(road);
      std::set<kith::entity> seen;
      for (kith::entity target : targets) seen.insert(target);
      ASSERT_EQ(seen, direct) << each;
    }
    compare(road, steps, nodes, true);
  }
}

}  // namespace
