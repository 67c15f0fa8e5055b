// Entities that use an index again show nothing of the earlier entity.
#include <string>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class recycling : public testing::Test {
 protected:
  // A new entity with the index of `e`, which is deleted.
  kith::entity replace(kith::entity e) {
    e.destruct();
    const kith::entity young = world.entity();
    EXPECT_EQ(kith::core::index_of(young.id()), kith::core::index_of(e.id()));
    return young;
  }

  kith::world world;
  kith::entity a = world.entity("a");
  kith::entity b = world.entity("b");
  kith::entity bob = world.entity("bob");
};

TEST_F(recycling, a_trait_goes_with_its_relation) {
  const kith::entity relation = world.entity("R").add(kith::Exclusive).add(kith::Acyclic);
  bob.add(relation, a);
  const kith::entity young = replace(relation);
  bob.add(young, a).add(young, b).add(young, bob);
  EXPECT_EQ(bob.targets(young).count(), 3u);
}

TEST_F(recycling, a_trait_goes_with_a_relation_that_has_a_trait_about_itself) {
  const kith::entity relation = world.entity("R").add(kith::Exclusive);
  relation.add(kith::With, relation);
  const kith::entity young = replace(relation);
  bob.add(young, a).add(young, b);
  EXPECT_EQ(bob.targets(young).count(), 2u);
}

TEST_F(recycling, the_tag_trait_goes_with_its_relation) {
  const kith::entity relation = world.entity("R").add(kith::Tag);
  bob.add(relation, world.id<Health>());
  const kith::entity young = replace(relation);
  EXPECT_EQ(bob.set_second<Health>(young, {5}).get_second<Health>(young)->points, 5);
}

// R111
TEST_F(recycling, a_type_goes_with_its_component) {
  bob.set(Position{1, 2}).set<Position>(a, {3, 4});
  const kith::entity young = replace(world.entity<Position>());
  EXPECT_EQ(state_of(bob), "bob:");
  bob.add(young).add(young, a);
  EXPECT_EQ(bob.get(young), nullptr);
  EXPECT_EQ(bob.get(young, a), nullptr);
  EXPECT_FALSE(bob.has<Position>());
}

// R111
TEST_F(recycling, a_deleted_type_is_registered_again_with_nothing_of_the_old_one) {
  bob.set(Health{5});
  world.set(Health{6});
  world.entity<Health>().add(kith::Tag).destruct();
  EXPECT_FALSE(world.has<Health>());
  EXPECT_EQ(bob.set<Health>(a, {7}).get<Health>(a)->points, 7);
}

TEST_F(recycling, children_go_with_their_parent_and_not_to_the_next) {
  world.entity("a::child");
  const kith::entity young = replace(a);
  EXPECT_TRUE(list(young.children()).empty());
  EXPECT_FALSE(young.lookup("child"));
  world.entity("child").child_of(young);
  EXPECT_EQ(list(young.children()).size(), 1u);
}

// R110 R112
TEST_F(recycling, pairs_as_relation_target_and_source_go_with_an_entity) {
  bob.add(a, b).add(b, a).add(a);
  a.add(b, bob).add(bob, b);
  const kith::entity young = replace(a);
  EXPECT_EQ(state_of(bob), "bob:");
  EXPECT_EQ(young.type().count(), 0u);
  for (kith::id id : {world.pair(young, b), world.pair(b, young), world.id(young)})
    EXPECT_EQ(world.count(id), 0u) << id;
}

TEST_F(recycling, a_switch_goes_with_its_pair) {
  bob.add(b, a).disable(b, a);
  const kith::entity young = replace(a);
  EXPECT_TRUE(bob.add(b, young).has(b, young));
}

TEST_F(recycling, a_name_asked_for_under_a_parent_deleted_before_it_is_not_left_behind) {
  kith::entity child;
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                a.destruct();
                child = world.entity("a::child");
              });
            }),
            "none");
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(world.entity().lookup("child"));
  if (child.is_alive()) {
    EXPECT_EQ(world.lookup(child.path()), child) << child.path();
  }
}

TEST_F(recycling, an_old_handle_is_refused_as_receiver_and_as_argument) {
  const kith::entity young = replace(a);
  young.add<Npc>();
  EXPECT_EQ(refusal(world, [&] { a.add<Npc>(); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { a.destruct(); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.add(a); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.add(b, a); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.child_of(a); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.set_scope(a); }), "not_alive");
}

TEST_F(recycling, a_waiting_change_does_not_reach_a_later_life) {
  kith::entity young;
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                a.destruct();
                a.add<Npc>().set(Position{1, 2});
                bob.add(b, a);
              });
            }),
            "none");
  young = world.entity();
  EXPECT_EQ(young.type().count(), 0u);
  EXPECT_EQ(bob.type().count(), 0u);
}

TEST_F(recycling, a_waiting_pair_does_not_reach_what_an_earlier_change_makes) {
  const kith::entity ship = world.prefab("ship");
  world.entity("ship::deck");
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                a.destruct();
                b.is_a(ship);  // makes b::deck
                bob.add(a, b);
              });
            }),
            "none");
  EXPECT_TRUE(b.lookup("deck"));
  EXPECT_EQ(state_of(bob), "bob:");
  EXPECT_EQ(kith::core::index_of(world.entity().id()), kith::core::index_of(a.id()));
}

TEST_F(recycling, a_world_can_live_for_many_generations) {
  const kith::entity Likes = world.entity("Likes");
  for (int life = 0; life < 3000; ++life) {
    const kith::entity parent = world.entity("parent").set(Position{1, 2}).add(Likes, bob);
    const kith::entity child = world.entity("parent::child").set<Eats>(parent, {life});
    bob.add(Likes, child).add(parent);
    parent.destruct();
    ASSERT_EQ(bob.type().count(), 0u);
    ASSERT_EQ(world.count(Likes, kith::Wildcard), 0u);
  }
  EXPECT_LT(kith::core::index_of(world.entity().id()), 300u) << "numbers are used again";
  EXPECT_LT(world.table_count(), 3000u) << "and so are tables";
}

}  // namespace
