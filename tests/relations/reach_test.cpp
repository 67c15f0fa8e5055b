// The numbering of the trees of a relation, and the changes that invalidate it.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

// Trees of a relation beside a list of parents that is walked by hand.
struct trees {
  trees(kith::world& w, kith::entity r) : relation(r), world(w), nodes(w.bulk(40)) {
    parents.resize(nodes.size(), -1);
  }

  bool leads(int from, int to) const {
    for (int at = parents[at_index(from)]; at >= 0; at = parents[at_index(at)])
      if (at == to) return true;
    return false;
  }
  void move(int node, int parent) {
    if (parent >= 0)
      nodes[at_index(node)].add(relation, nodes[at_index(parent)]);
    else
      nodes[at_index(node)].remove(relation, kith::Wildcard);
    parents[at_index(node)] = parent;
  }
  void replace(int node) {
    for (int& p : parents)
      if (p == node) p = -1;
    parents[at_index(node)] = -1;
    nodes[at_index(node)].destruct();
    nodes[at_index(node)] = world.entity();
  }
  // Asks everything; the first difference as text.
  std::string difference() const {
    for (int from = 0; from < static_cast<int>(nodes.size()); ++from)
      for (int to = 0; to < static_cast<int>(nodes.size()); ++to)
        if (nodes[at_index(from)].reaches(relation, nodes[at_index(to)]) != leads(from, to))
          return std::to_string(from) + " to " + std::to_string(to);
    return {};
  }
  static std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

  kith::entity relation;
  kith::world& world;
  std::vector<kith::entity> nodes;
  std::vector<int> parents;
};

void change_at_random(trees& t, std::mt19937& random) {
  const int count = static_cast<int>(t.nodes.size());
  const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const int node = any(), parent = any();
  if (random() % 16 == 0)
    t.replace(node);
  else if (random() % 4 == 0)
    t.move(node, -1);
  else if (node != parent && !t.leads(parent, node))
    t.move(node, parent);
}

TEST(reach, follows_every_change_of_a_forest) {
  for (const bool in_pools : {false, true}) {
    kith::world world;
    const kith::entity relation = world.entity().add(kith::Exclusive);
    if (in_pools) relation.add(kith::DontFragment);
    trees t(world, relation);
    std::mt19937 random(7);
    for (int step = 0; step < 300; ++step) {
      for (unsigned n = random() % 4; n > 0; --n) change_at_random(t, random);
      ASSERT_EQ(t.difference(), "") << "after step " << step;
    }
  }
}

TEST(reach, is_that_of_a_forest_until_a_pair_is_inherited) {
  kith::world world;
  const kith::entity relation = world.entity().add(kith::Exclusive);
  trees t(world, relation);
  for (int i = 1; i < 40; ++i) t.move(i, i - 1);
  world.entity().is_a(world.entity());
  EXPECT_EQ(t.difference(), "");
  const kith::entity kind = world.entity().is_a(t.nodes[20]);
  EXPECT_TRUE(kind.reaches(relation, t.nodes[0]));
  EXPECT_FALSE(kind.reaches(relation, t.nodes[20]));
  EXPECT_EQ(t.difference(), "");
  kind.destruct();
  EXPECT_EQ(t.difference(), "");
}

TEST(reach, sees_pairs_of_a_kind_of_the_relation_as_soon_as_there_are_any) {
  kith::world world;
  const kith::entity relation = world.entity().add(kith::Exclusive);
  const kith::entity kind = world.entity().is_a(relation);
  trees t(world, relation);
  for (int i = 1; i < 40; ++i) t.move(i, i - 1);
  EXPECT_EQ(t.difference(), "");
  EXPECT_FALSE(t.nodes[0].reaches(relation, relation));
  t.nodes[0].add(kind, relation);
  EXPECT_TRUE(t.nodes[39].reaches(relation, relation));
  EXPECT_TRUE(t.nodes[0].related(relation, relation));
  t.nodes[0].remove(kind, relation);
  EXPECT_FALSE(t.nodes[39].reaches(relation, relation));
}

TEST(reach, target_for_sees_every_change_that_matters) {
  kith::world world;
  const kith::entity tag = world.entity(), other = world.entity();
  const kith::entity top = world.entity().add(tag), middle = world.entity().child_of(top);
  const kith::entity leaf = world.entity().child_of(middle);
  EXPECT_EQ(leaf.target_for(kith::ChildOf, tag), top);
  other.add(tag);
  middle.add(other);
  EXPECT_EQ(leaf.target_for(kith::ChildOf, tag), top);
  leaf.child_of(other);
  EXPECT_EQ(leaf.target_for(kith::ChildOf, tag), other);
  leaf.child_of(middle);
  top.disable(tag);
  EXPECT_FALSE(leaf.target_for(kith::ChildOf, tag));
  const kith::entity base = world.entity();
  middle.is_a(base);
  EXPECT_FALSE(leaf.target_for(kith::ChildOf, tag));
  base.add(tag);
  EXPECT_EQ(leaf.target_for(kith::ChildOf, tag), middle);
  middle.destruct();
  EXPECT_FALSE(world.is_alive(leaf));
}

TEST(reach, target_for_along_any_relation_sees_pairs_of_each) {
  kith::world world;
  const kith::entity likes = world.entity(), knows = world.entity(), tag = world.entity();
  const kith::entity a = world.entity(), b = world.entity().add(tag);
  EXPECT_FALSE(a.target_for(kith::Wildcard, tag));
  a.add(likes, world.entity());
  EXPECT_FALSE(a.target_for(kith::Wildcard, tag));
  a.add(knows, b);
  EXPECT_EQ(a.target_for(kith::Wildcard, tag), b);
}

}  // namespace
