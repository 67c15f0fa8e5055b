// Pairs: edges between entities, with and without values.
#include <memory>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class pairs : public testing::Test {
 protected:
  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity Knows = world.entity("Knows");
  kith::entity apples = world.entity("apples");
  kith::entity pears = world.entity("pears");
  kith::entity alice = world.entity("alice");
  kith::entity bob = world.entity("bob");
};

// --- edges ---

// R1 R11 R12 R14
TEST_F(pairs, an_edge_exists_exactly_while_its_pair_is_on_the_source) {
  EXPECT_FALSE(bob.has(Likes, alice));
  bob.add(Likes, alice);
  EXPECT_TRUE(bob.has(Likes, alice));
  EXPECT_TRUE(bob.owns(Likes, alice));
  bob.remove(Likes, alice);
  EXPECT_FALSE(bob.has(Likes, alice));
  EXPECT_FALSE(bob.owns(Likes, alice));
}

// R7
TEST_F(pairs, an_edge_has_a_direction) {
  bob.add(Likes, alice);
  EXPECT_FALSE(alice.has(Likes, bob));
  EXPECT_FALSE(bob.has(alice, Likes));
}

// R10 R53
TEST_F(pairs, any_two_entities_make_a_pair_without_being_declared) {
  const kith::entity relation = world.entity();
  const kith::entity target = world.entity();
  EXPECT_TRUE(bob.add(relation, target).has(relation, target));
  EXPECT_TRUE(relation.add(target, bob).has(target, bob));
}

// R13
TEST_F(pairs, one_relation_may_have_many_targets_at_once) {
  bob.add(Likes, apples).add(Likes, pears).add(Likes, alice);
  EXPECT_TRUE(bob.has(Likes, apples) && bob.has(Likes, pears) && bob.has(Likes, alice));
  bob.remove(Likes, pears);
  EXPECT_TRUE(bob.has(Likes, apples) && !bob.has(Likes, pears) && bob.has(Likes, alice));
}

TEST_F(pairs, adding_a_pair_twice_is_adding_it_once) {
  bob.add(Likes, apples).add(Likes, apples);
  EXPECT_EQ(bob.type().count(), 1u);
  bob.remove(Likes, apples);
  EXPECT_FALSE(bob.has(Likes, apples));
}

// R2 R5 R98 R101
TEST_F(pairs, a_pair_is_added_like_any_other_id) {
  const kith::id likes_alice = world.pair(Likes, alice);
  EXPECT_TRUE(bob.add(likes_alice).has(Likes, alice));
  EXPECT_TRUE(bob.has(likes_alice));
  EXPECT_TRUE(bob.owns(likes_alice));
  EXPECT_FALSE(bob.remove(likes_alice).has(Likes, alice));
}

TEST_F(pairs, an_entity_may_be_related_to_itself) {
  EXPECT_TRUE(bob.add(Likes, bob).has(Likes, bob));
  EXPECT_TRUE(bob.add(bob, bob).has(bob, bob));
}

// R8 M18
TEST_F(pairs, the_same_feature_serves_hierarchies_inventories_and_trade) {
  struct Price {
    int coins;
  };
  const kith::entity bag = world.entity("bag").child_of(bob);
  bag.set<Eats>(apples, {3});
  bob.set<Price>(pears, {2});
  EXPECT_EQ(state_of(bag), "bob::bag: (ChildOf, bob), (Eats, apples)=03000000");
  EXPECT_EQ(state_of(bob), "bob: (Price, pears)=02000000");
}

TEST_F(pairs, an_exclusive_relation_keeps_its_last_target) {
  Likes.add(kith::Exclusive);
  bob.add(Likes, apples).add(Likes, pears);
  EXPECT_EQ(state_of(bob), "bob: (Likes, pears)");
}

// C44
TEST_F(pairs, an_acyclic_relation_refuses_the_edge_that_closes_a_cycle) {
  Knows.add(kith::Acyclic);
  alice.add(Knows, bob);
  bob.add(Knows, apples);
  EXPECT_EQ(refusal(world, [&] { apples.add(Knows, alice); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.add(Knows, bob); }), "constraint");
  EXPECT_EQ(error_of([&] { alice.add(Knows, apples); }), "none");
}

// C45
TEST_F(pairs, a_trait_that_the_data_contradicts_is_refused) {
  bob.add(Likes, apples).add(Likes, pears);
  EXPECT_EQ(refusal(world, [&] { Likes.add(kith::Exclusive); }), "constraint");
  alice.add(Knows, bob);
  bob.add(Knows, alice);
  EXPECT_EQ(refusal(world, [&] { Knows.add(kith::Acyclic); }), "constraint");
  bob.set<Eats>(apples, {3});
  EXPECT_EQ(refusal(world, [&] { world.entity<Eats>().add(kith::Tag); }), "constraint");
}

// --- which type a pair has ---

// R6 R40 R41 R99
TEST_F(pairs, a_pair_of_plain_entities_is_a_tag) {
  bob.add(Likes, apples);
  EXPECT_FALSE(world.pair(Likes, apples).type_id());
  EXPECT_EQ(bob.get(Likes, apples), nullptr);
}

// R42
TEST_F(pairs, a_pair_whose_relation_has_the_tag_trait_is_a_tag_whatever_the_target) {
  Likes.add(kith::Tag);
  EXPECT_EQ(kith::Tag, kith::PairIsTag);
  bob.add(Likes, world.id<Position>());
  EXPECT_EQ(bob.get(Likes, world.id<Position>()), nullptr);
  EXPECT_FALSE(world.pair(Likes, world.id<Position>()).type_id());
}

// R39 R43
TEST_F(pairs, a_pair_takes_the_type_of_its_relation_before_that_of_its_target) {
  EXPECT_EQ((world.pair<Eats, Position>().type_id()), world.entity<Eats>());
  bob.set<Eats, Position>({5});
  EXPECT_EQ((bob.get<Eats, Position>()->amount), 5);
  EXPECT_EQ(bob.get(world.id<Eats>(), world.id<Position>()), (bob.get<Eats, Position>()));
}

// R38 R44
TEST_F(pairs, a_pair_takes_the_type_of_its_target_if_its_relation_is_no_type) {
  bob.set_second<Position>(Likes, {1, 2});
  EXPECT_EQ(*bob.get_second<Position>(Likes), (Position{1, 2}));
  EXPECT_EQ(world.pair(Likes, world.id<Position>()).type_id(), world.entity<Position>());
}

// R45 R47
TEST_F(pairs, a_type_without_members_never_decides_the_type) {
  bob.set<Begin, Position>({1, 2});
  EXPECT_EQ((*bob.get<Begin, Position>()), (Position{1, 2}));
  EXPECT_EQ((world.pair<Begin, Position>().type_id()), world.entity<Position>());
  EXPECT_FALSE((world.pair<Begin, End>().type_id()));
}

TEST_F(pairs, the_pair_type_spells_the_same_pair) {
  bob.set<kith::pair<Begin, Position>>({1, 2});
  EXPECT_EQ((bob.get<kith::pair<Begin, Position>>()), (bob.get<Begin, Position>()));
  EXPECT_EQ((world.id<kith::pair<Begin, Position>>()), (world.pair<Begin, Position>()));
  EXPECT_TRUE((bob.has<kith::pair<Begin, Position>>()));
  EXPECT_FALSE((bob.remove<kith::pair<Begin, Position>>().has<Begin, Position>()));
}

// R48
TEST_F(pairs, two_relations_to_one_type_are_two_values) {
  bob.set<Begin, Position>({0, 0}).set<End, Position>({10, 20});
  EXPECT_EQ((*bob.get<Begin, Position>()), (Position{0, 0}));
  EXPECT_EQ((*bob.get<End, Position>()), (Position{10, 20}));
}

// R49
TEST_F(pairs, a_child_of_a_type_has_no_value) {
  bob.add(kith::ChildOf, world.id<Position>());
  EXPECT_EQ(bob.get(kith::ChildOf, world.id<Position>()), nullptr);
  EXPECT_EQ(bob.parent(), world.entity<Position>());
}

// R52
TEST_F(pairs, a_component_can_be_there_many_times_through_pairs) {
  bob.set(Position{0, 0});
  bob.set<Position>(apples, {1, 2}).set<Position>(pears, {3, 4}).set<Position>(alice, {5, 6});
  EXPECT_EQ(*bob.get<Position>(), (Position{0, 0}));
  EXPECT_EQ(*bob.get<Position>(apples), (Position{1, 2}));
  EXPECT_EQ(*bob.get<Position>(pears), (Position{3, 4}));
  EXPECT_EQ(*bob.get<Position>(alice), (Position{5, 6}));
}

// R46
TEST_F(pairs, setting_a_pair_again_changes_its_value_alone) {
  bob.set<Eats>(apples, {1}).set<Eats>(pears, {2}).set<Eats>(apples, {3});
  EXPECT_EQ(bob.get<Eats>(apples)->amount, 3);
  EXPECT_EQ(bob.get<Eats>(pears)->amount, 2);
}

TEST_F(pairs, adding_a_pair_with_a_type_gives_the_default_value) {
  EXPECT_EQ(bob.add<Health>(apples).get<Health>(apples)->points, 100);
  EXPECT_EQ((bob.add<Begin, Health>().get<Begin, Health>()->points), 100);
  EXPECT_EQ((bob.add(Likes, world.id<Health>()).get_second<Health>(Likes)->points), 100);
}

// --- every form of every call ---

TEST_F(pairs, calls_with_a_type_and_an_entity) {
  bob.add<Eats>(apples);
  EXPECT_TRUE(bob.has<Eats>(apples));
  EXPECT_TRUE(bob.owns<Eats>(apples));
  EXPECT_EQ(bob.try_get<Eats>(apples), bob.get<Eats>(apples));
  EXPECT_EQ(&bob.at<Eats>(apples), bob.get<Eats>(apples));
  bob.get_mut<Eats>(apples)->amount = 4;
  EXPECT_EQ(bob.ensure<Eats>(apples).amount, 4);
  EXPECT_EQ(bob.ensure<Eats>(pears).amount, 0);
  EXPECT_FALSE(bob.remove<Eats>(apples).has<Eats>(apples));
  EXPECT_EQ(message_of([&] { bob.at<Eats>(apples); }), "bob has no (Eats, apples)");
}

TEST_F(pairs, calls_with_two_types) {
  bob.add<Begin, Health>();
  EXPECT_TRUE((bob.has<Begin, Health>()));
  EXPECT_TRUE((bob.owns<Begin, Health>()));
  EXPECT_EQ((&bob.at<Begin, Health>()), (bob.get<Begin, Health>()));
  (bob.get_mut<Begin, Health>()->points) = 4;
  EXPECT_EQ((bob.ensure<Begin, Health>().points), 4);
  EXPECT_EQ((bob.emplace<kith::pair<Begin, Health>>(9).get<Begin, Health>()->points), 9);
  EXPECT_FALSE((bob.remove<Begin, Health>().has<Begin, Health>()));
}

TEST_F(pairs, calls_with_two_entities) {
  bob.add(world.id<Eats>(), apples);
  static_cast<Eats*>(bob.get_mut(world.id<Eats>(), apples))->amount = 4;
  EXPECT_EQ(static_cast<const Eats*>(bob.get(world.id<Eats>(), apples))->amount, 4);
  EXPECT_EQ(bob.ensure(world.pair<Eats>(apples)), bob.get<Eats>(apples));
  const Eats five{5};
  bob.set_ptr(world.pair<Eats>(pears), &five);
  EXPECT_EQ(bob.get<Eats>(pears)->amount, 5);
}

TEST_F(pairs, calls_with_two_entities_and_a_value) {
  const kith::id eats = world.id<Eats>();
  static_cast<Eats*>(bob.ensure(eats, apples))->amount = 4;
  EXPECT_EQ(static_cast<const Eats*>(bob.try_get(eats, apples))->amount, 4);
  EXPECT_EQ(bob.try_get(world.pair<Eats>(apples)), bob.get<Eats>(apples));
  const Eats five{5};
  EXPECT_EQ(bob.set_ptr(eats, pears, &five).get<Eats>(pears)->amount, 5);
}

TEST_F(pairs, calls_with_an_entity_and_a_type) {
  EXPECT_TRUE(bob.add_second<Health>(Likes).has_second<Health>(Likes));
  EXPECT_TRUE(bob.owns_second<Health>(Likes));
  bob.get_mut_second<Health>(Likes)->points = 4;
  EXPECT_EQ(bob.ensure_second<Health>(Likes).points, 4);
  EXPECT_EQ(bob.emplace_second<Health>(Likes, 5).get_second<Health>(Likes)->points, 5);
  EXPECT_FALSE(bob.remove_second<Health>(Likes).has_second<Health>(Likes));
  EXPECT_EQ(bob.get_mut_second<Health>(Likes), nullptr);
}

TEST_F(pairs, a_value_that_cannot_move_can_be_made_on_a_pair) {
  struct Immovable {
    explicit Immovable(int v) : value(v), self(this) {}
    Immovable(const Immovable&) = delete;
    int value;
    const Immovable* self;
  };
  bob.emplace_pair<Immovable>(apples, 3).emplace_pair<Immovable>(pears, 4).add<Npc>();
  EXPECT_EQ(bob.get<Immovable>(apples)->value, 3);
  EXPECT_EQ(bob.get<Immovable>(pears)->self, bob.get<Immovable>(pears));
}

TEST_F(pairs, a_move_only_value_can_be_on_a_pair) {
  using Owner = std::unique_ptr<int>;
  bob.set<Owner>(apples, std::make_unique<int>(3));
  EXPECT_EQ(**bob.get<Owner>(apples), 3);
}

// --- what goes when an entity goes ---

// R110 R112
TEST_F(pairs, deleting_a_target_removes_every_pair_that_points_at_it) {
  bob.add(Likes, alice).add(Knows, alice).add(Likes, apples);
  pears.set<Eats>(alice, {3});
  alice.destruct();
  EXPECT_EQ(state_of(bob), "bob: (Likes, apples)");
  EXPECT_EQ(state_of(pears), "pears:");
}

// R110 R112
TEST_F(pairs, deleting_a_relation_removes_all_its_pairs) {
  bob.add(Likes, alice).add(Knows, alice).add(Likes, apples);
  Likes.destruct();
  EXPECT_EQ(state_of(bob), "bob: (Knows, alice)");
}

// R110
TEST_F(pairs, deleting_a_tag_removes_it_from_all_entities) {
  bob.add(apples);
  alice.add(apples).add(Likes, apples);
  apples.destruct();
  EXPECT_EQ(state_of(bob) + state_of(alice), "bob:alice:");
}

// R110
TEST_F(pairs, who_gets_the_number_of_a_deleted_target_gets_none_of_its_pairs) {
  bob.add(Likes, alice);
  alice.destruct();
  const kith::entity carol = world.entity("carol");
  ASSERT_EQ(kith::core::index_of(carol.id()), kith::core::index_of(alice.id()));
  EXPECT_FALSE(bob.has(Likes, carol));
  EXPECT_EQ(world.count(Likes, carol), 0u);
}

// --- that a relation has no rules is remembered ---

TEST_F(pairs, a_relation_that_was_used_still_refuses_what_is_no_target) {
  bob.add(Likes, apples).remove(Likes, apples);
  const kith::id gone = world.pair(Likes, pears);
  pears.destruct();
  EXPECT_EQ(error_of([&] { bob.add(gone); }), "not_alive");
  EXPECT_EQ(error_of([&] { bob.remove(gone); }), "not_alive");
  EXPECT_EQ(error_of([&] { bob.add(Likes, kith::Wildcard); }), "constraint");
  EXPECT_EQ(error_of([&] { bob.add(Likes, kith::This); }),
            error_of([&] { bob.add(Knows, kith::This); }));
  alice.add(kith::Relationship);
  EXPECT_EQ(error_of([&] { bob.add(Likes, alice); }), "constraint");
  alice.remove(kith::Relationship);
  EXPECT_TRUE(bob.add(Likes, alice).has(Likes, alice));
}

TEST_F(pairs, a_relation_that_was_used_can_get_rules_and_lose_them) {
  bob.add(Likes, apples);
  Likes.add(kith::Exclusive);
  bob.add(Likes, pears);
  EXPECT_FALSE(bob.has(Likes, apples));
  Likes.remove(kith::Exclusive);
  bob.add(Likes, apples);
  EXPECT_TRUE(bob.has(Likes, apples) && bob.has(Likes, pears));
  Likes.add(kith::Symmetric);
  bob.remove(Likes, pears);
  EXPECT_FALSE(pears.has(Likes, bob));
  EXPECT_TRUE(apples.has(Likes, bob));
}

// The index of a relation that is gone may be that of another one now.
TEST_F(pairs, a_relation_that_is_gone_is_not_remembered) {
  kith::entity relation = world.entity();
  bob.add(relation, apples);
  const kith::id pair = world.pair(relation, apples);
  relation.destruct();
  EXPECT_EQ(error_of([&] { bob.add(pair); }), "not_alive");
  relation = world.entity().add(kith::Exclusive);
  bob.add(relation, apples).add(relation, pears);
  EXPECT_EQ(bob.targets(relation).count(), 1u);
}

}  // namespace
