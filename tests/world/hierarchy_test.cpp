// ChildOf: parents, children, and deleting them.
#include <chrono>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// R79 R80
TEST(hierarchy, child_of_is_adding_a_child_of_pair) {
  kith::world world;
  const kith::entity ship = world.entity();
  const kith::entity cockpit = world.entity().add(kith::ChildOf, ship);
  const kith::entity engine = world.entity().child_of(ship);
  EXPECT_TRUE(cockpit.has(kith::ChildOf, ship));
  EXPECT_TRUE(engine.has(kith::ChildOf, ship));
  EXPECT_EQ(cockpit.parent(), ship);
}

// R83 R66
TEST(hierarchy, child_of_is_a_regular_relation) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  const kith::entity cockpit = world.entity("cockpit").child_of(ship);
  EXPECT_EQ(cockpit.type().get(0), world.pair(kith::ChildOf, ship));
  EXPECT_EQ(cockpit.target(kith::ChildOf), ship);
  EXPECT_EQ(world.count(kith::ChildOf, ship), 1u);
  EXPECT_TRUE(cockpit.has(kith::Wildcard, ship));
  EXPECT_FALSE(cockpit.remove(kith::ChildOf, ship).parent());
}

TEST(hierarchy, a_new_parent_takes_the_place_of_the_old_one) {
  kith::world world;
  const kith::entity a = world.entity("a");
  const kith::entity b = world.entity("b");
  const kith::entity child = world.entity("child").child_of(a).child_of(b);
  EXPECT_EQ(state_of(child), "b::child: (ChildOf, b)");
  EXPECT_TRUE(list(a.children()).empty());
}

// R81
TEST(hierarchy, deleting_a_parent_deletes_all_below_it) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  const kith::entity seat = world.entity("ship::cockpit::seat");
  const kith::entity other = world.entity("other");
  ship.destruct();
  EXPECT_FALSE(seat.is_alive());
  EXPECT_EQ(state_of(world), "other:\n");
  EXPECT_TRUE(other.is_alive());
}

TEST(hierarchy, deleting_a_child_leaves_its_parent_and_its_siblings) {
  kith::world world;
  world.entity("ship::a");
  world.entity("ship::b");
  world.lookup("ship::a").destruct();
  EXPECT_EQ(state_of(world), "ship:\nship::b: (ChildOf, ship)\n");
}

// R110
TEST(hierarchy, deleting_a_parent_removes_pairs_with_its_children_too) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity seat = world.entity("ship::seat");
  const kith::entity bob = world.entity("bob").add(Likes, seat);
  world.lookup("ship").destruct();
  EXPECT_EQ(state_of(bob), "bob:");
}

TEST(hierarchy, other_relations_do_not_delete_their_sources) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity alice = world.entity("alice");
  const kith::entity bob = world.entity("bob").add(Likes, alice);
  alice.destruct();
  EXPECT_TRUE(bob.is_alive());
}

TEST(hierarchy, a_cycle_of_parents_is_refused) {
  kith::world world;
  const kith::entity a = world.entity("a");
  const kith::entity c = world.entity("a::b::c");
  EXPECT_EQ(refusal(world, [&] { a.child_of(a); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { a.child_of(c); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { a.add(kith::ChildOf, c); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.defer([&] { a.child_of(c); }); }), "constraint");
  EXPECT_EQ(message_of([&] { a.child_of(a); }),
            "adding (ChildOf, a) to a would close a cycle, and ChildOf is Acyclic");
}

TEST(hierarchy, turning_a_hierarchy_around_works_in_the_right_order) {
  kith::world world;
  const kith::entity a = world.entity("a");
  const kith::entity b = world.entity("a::b");
  b.remove(kith::ChildOf, a);
  a.child_of(b);
  EXPECT_EQ(a.path(), "b::a");
}

TEST(hierarchy, children_of_children_are_not_children) {
  kith::world world;
  const kith::entity a = world.entity("a");
  const kith::entity b = world.entity("a::b");
  world.entity("a::b::c");
  EXPECT_EQ(list(a.children()), std::vector{b});
}

TEST(hierarchy, components_and_types_can_have_children_and_parents) {
  kith::world world;
  const kith::entity part = world.entity("part").child_of(world.entity<Position>());
  EXPECT_EQ(part.path(), "Position::part");
  const kith::entity module = world.entity("module");
  world.component<Velocity>().child_of(module);
  EXPECT_EQ(world.lookup("module::Velocity"), world.entity<Velocity>());
  module.destruct();
  EXPECT_FALSE(world.lookup("Velocity"));
  EXPECT_TRUE(world.entity().set(Velocity{1, 2}).has<Velocity>()) << "it is registered again";
}

// 100,000 deep: no step may use the stack for each level.
// R81
TEST(hierarchy, a_very_deep_chain_is_made_walked_and_deleted) {
  constexpr int depth = 100000;
  kith::world world;
  const auto start = std::chrono::steady_clock::now();
  const kith::entity root = world.entity("root").set(Position{1, 2});
  kith::entity leaf = root;
  for (int i = 0; i < depth; ++i) leaf = world.entity().child_of(leaf);
  EXPECT_EQ(leaf.target_for<Position>(kith::ChildOf), root);
  EXPECT_EQ(error_of([&] { root.child_of(leaf); }), "constraint");
  root.destruct();
  EXPECT_EQ(world.entity_count(), 1u) << "the component Position";
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(hierarchy, a_very_deep_chain_can_be_built_from_below_and_has_a_path) {
  constexpr int depth = 20000;
  kith::world world;
  const kith::entity leaf = world.entity("n");
  kith::entity top = leaf;
  for (int i = 0; i < depth; ++i) {
    const kith::entity next = world.entity();
    top.child_of(next);
    next.set_name("n");
    top = next;
  }
  EXPECT_EQ(leaf.path().size(), 3u * depth + 1);
  EXPECT_EQ(world.lookup(leaf.path()), leaf);
  world.defer([&] { top.destruct(); });
  EXPECT_EQ(world.entity_count(), 0u);
}

}  // namespace
