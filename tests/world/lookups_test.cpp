// Asking one entity, and the world, what is related to what.
#include <algorithm>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class lookups : public testing::Test {
 protected:
  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity Knows = world.entity("Knows");
  kith::entity apples = world.entity("apples");
  kith::entity pears = world.entity("pears");
  kith::entity alice = world.entity("alice");
  kith::entity bob = world.entity("bob");
};

using entities = std::vector<kith::entity>;

// --- has ---

// R23 R58
TEST_F(lookups, has_with_a_wildcard_target_asks_for_any_target) {
  EXPECT_FALSE(bob.has(Likes, kith::Wildcard));
  bob.add(Likes, apples);
  EXPECT_TRUE(bob.has(Likes, kith::Wildcard));
  EXPECT_TRUE(bob.has(Likes, kith::Any));
  EXPECT_TRUE(bob.owns(Likes, kith::Wildcard));
  EXPECT_FALSE(bob.has(Knows, kith::Wildcard));
  bob.remove(Likes, apples);
  EXPECT_FALSE(bob.has(Likes, kith::Wildcard));
}

// R59
TEST_F(lookups, has_with_a_wildcard_relation_asks_for_any_relation) {
  bob.add(Likes, apples);
  EXPECT_TRUE(bob.has(kith::Wildcard, apples));
  EXPECT_TRUE(bob.owns(kith::Wildcard, apples));
  EXPECT_FALSE(bob.has(kith::Wildcard, pears));
}

// R60
TEST_F(lookups, has_with_two_wildcards_asks_for_any_pair) {
  bob.add<Npc>();
  EXPECT_FALSE(bob.has(kith::Wildcard, kith::Wildcard));
  EXPECT_TRUE(bob.add(Likes, apples).has(kith::Wildcard, kith::Wildcard));
}

TEST_F(lookups, has_with_a_single_wildcard_asks_for_any_id_that_is_no_pair) {
  bob.add(Likes, apples);
  EXPECT_FALSE(bob.has(kith::Wildcard));
  EXPECT_TRUE(bob.add<Npc>().has(kith::Wildcard));
}

TEST_F(lookups, typed_pairs_take_wildcards_too) {
  bob.set<Eats>(apples, {3});
  EXPECT_TRUE(bob.has<Eats>(kith::Wildcard));
  EXPECT_TRUE(bob.owns<Eats>(kith::Wildcard));
  EXPECT_FALSE(bob.remove<Eats>(kith::Wildcard).has<Eats>(apples));
}

TEST_F(lookups, remove_with_a_wildcard_removes_all_that_match) {
  bob.add(Likes, apples).add(Likes, pears).add(Knows, apples).add<Npc>();
  bob.remove(Likes, kith::Wildcard);
  EXPECT_EQ(state_of(bob), "bob: Npc, (Knows, apples)");
  bob.add(Likes, apples).remove(kith::Wildcard, apples);
  EXPECT_EQ(state_of(bob), "bob: Npc");
  bob.remove(kith::Wildcard);
  EXPECT_EQ(state_of(bob), "bob:");
}

// --- targets ---

// R25
TEST_F(lookups, target_is_the_first_in_ascending_order) {
  bob.add(Likes, pears).add(Likes, apples);
  EXPECT_EQ(bob.target(Likes), apples);
  EXPECT_FALSE(bob.target(Knows));
}

// R26
TEST_F(lookups, target_takes_an_index_from_zero) {
  bob.add(Likes, pears).add(Likes, alice).add(Likes, apples);
  EXPECT_EQ(bob.target(Likes, 0), apples);
  EXPECT_EQ(bob.target(Likes, 1), pears);
  EXPECT_EQ(bob.target(Likes, 2), alice);
}

// R27
TEST_F(lookups, a_while_loop_over_indices_sees_all_targets_and_ends) {
  bob.add(Likes, apples).add(Likes, pears);
  entities seen;
  kith::entity food;
  std::int32_t index = 0;
  while ((food = bob.target(Likes, static_cast<std::size_t>(index++)))) seen.push_back(food);
  EXPECT_EQ(seen, (entities{apples, pears}));
  EXPECT_FALSE(bob.target(Likes, 1000000));
}

// R62
TEST_F(lookups, targets_is_a_range) {
  bob.add(Likes, apples).add(Likes, pears);
  EXPECT_EQ(list(bob.targets(Likes)), (entities{apples, pears}));
  EXPECT_EQ(bob.targets(Likes).count(), 2u);
  EXPECT_FALSE(bob.targets(Likes).empty());
  EXPECT_TRUE(bob.targets(Knows).empty());
  EXPECT_TRUE(list(bob.targets(Knows)).empty());
}

TEST_F(lookups, targets_and_children_work_with_the_algorithms_of_the_standard_library) {
  static_assert(std::ranges::input_range<kith::target_range>);
  static_assert(std::ranges::input_range<kith::child_range>);
  bob.add(Likes, apples).add(Likes, pears);
  const auto range = bob.targets(Likes);
  EXPECT_EQ(std::ranges::count_if(range, [&](kith::entity e) { return e == pears; }), 1);
  EXPECT_FALSE(world.is_deferred());
}

TEST_F(lookups, a_relation_that_is_a_type_can_be_given_as_one) {
  bob.set<Eats>(apples, {1}).set<Eats>(pears, {2});
  EXPECT_EQ(bob.target<Eats>(), apples);
  EXPECT_EQ(bob.target<Eats>(1), pears);
  EXPECT_EQ(list(bob.targets<Eats>()), (entities{apples, pears}));
}

// R62 C14
TEST_F(lookups, each_with_a_relation_visits_its_targets) {
  bob.add(Likes, apples).add(Likes, pears).add(Knows, alice);
  entities seen;
  bob.each(Likes, [&](kith::entity whom) { seen.push_back(whom); });
  EXPECT_EQ(seen, (entities{apples, pears}));
}

// --- ids ---

// R29 R30
TEST_F(lookups, each_visits_every_id) {
  bob.set(Position{1, 2}).add<Npc>().add(Likes, apples);
  std::size_t plain = 0;
  entities halves;
  bob.each([&](kith::id id) {
    if (!id.is_pair()) {
      ++plain;
      return;
    }
    halves.push_back(id.first());
    halves.push_back(id.second());
  });
  EXPECT_EQ(plain, 2u);
  EXPECT_EQ(halves, (entities{Likes, apples}));
}

std::string matches(kith::entity e, kith::id pattern) {
  std::string text;
  e.match(pattern, [&](kith::id id) { text.append(text.empty() ? "" : " ").append(id.str()); });
  return text;
}

// R58 R59 R60 R61 R63 C14
TEST_F(lookups, match_visits_the_ids_that_a_pattern_describes) {
  bob.add(Likes, apples).add(Likes, pears).add(Knows, apples).add<Npc>();
  using kith::Wildcard;
  EXPECT_EQ(matches(bob, world.pair(Likes, Wildcard)), "(Likes, apples) (Likes, pears)");
  EXPECT_EQ(matches(bob, world.pair(Wildcard, apples)), "(Likes, apples) (Knows, apples)");
  EXPECT_EQ(matches(bob, world.pair(Wildcard, Wildcard)),
            "(Likes, apples) (Likes, pears) (Knows, apples)");
  EXPECT_EQ(matches(bob, world.id(Wildcard)), "Npc");
  EXPECT_EQ(matches(bob, world.pair(Likes, pears)), "(Likes, pears)");
  EXPECT_EQ(matches(bob, world.id<Npc>()), "Npc");
  EXPECT_EQ(matches(bob, world.pair(Knows, pears)), "");
}

// C14
TEST_F(lookups, each_takes_a_pattern_in_two_parts) {
  bob.add(Likes, apples).add(Likes, pears).add(Knows, apples);
  std::string text;
  bob.each(kith::Wildcard, apples, [&](kith::id id) { text += id.str(); });
  EXPECT_EQ(text, "(Likes, apples)(Knows, apples)");
}

// C46
TEST_F(lookups, a_plain_relation_holds_exactly_if_its_pair_is_there) {
  bob.add(Likes, apples).set<Eats>(pears, {1});
  EXPECT_TRUE(bob.related(Likes, apples) && bob.related(world.pair(Likes, apples)));
  EXPECT_TRUE(bob.related<Eats>(pears) && !bob.related<Eats>(apples) && !bob.related<Npc>());
  EXPECT_FALSE(bob.related(Likes, pears) || apples.related(Likes, bob));
}

// --- walking up ---

// R24
TEST_F(lookups, parent_is_the_target_of_child_of) {
  EXPECT_FALSE(bob.parent());
  bob.child_of(alice);
  EXPECT_EQ(bob.parent(), alice);
  EXPECT_EQ(bob.target(kith::ChildOf), alice);
}

// R28
TEST_F(lookups, target_for_follows_a_relation_to_the_first_that_has_a_component) {
  const kith::entity root = world.entity("root").set(Position{1, 2});
  const kith::entity middle = world.entity("middle").child_of(root);
  const kith::entity leaf = world.entity("leaf").child_of(middle);
  EXPECT_EQ(leaf.target_for<Position>(kith::ChildOf), root);
  EXPECT_EQ(leaf.target_for(kith::ChildOf, world.id<Position>()), root);
  middle.set(Position{3, 4});
  EXPECT_EQ(leaf.target_for<Position>(kith::ChildOf), middle);
  EXPECT_FALSE(leaf.target_for<Velocity>(kith::ChildOf));
}

// R28 C47
TEST_F(lookups, target_for_begins_with_the_entity_itself) {
  const kith::entity leaf = world.entity("leaf").child_of(bob.set(Position{1, 2}));
  EXPECT_EQ(leaf.set(Position{3, 4}).target_for<Position>(kith::ChildOf), leaf);
}

TEST_F(lookups, target_for_ends_on_a_cycle) {
  bob.add(Knows, alice);
  alice.add(Knows, bob);
  EXPECT_FALSE(bob.target_for<Position>(Knows));
}

TEST_F(lookups, target_for_takes_the_first_target_before_the_second) {
  bob.add(Knows, apples).add(Knows, pears);
  apples.add(Knows, alice.set(Position{1, 1}));
  pears.set(Position{2, 2});
  EXPECT_EQ(bob.target_for<Position>(Knows), alice);
}

// --- all entities with an id ---

// R33
TEST_F(lookups, children_visits_the_children) {
  const kith::entity a = world.entity("a").child_of(bob);
  const kith::entity b = world.entity("b").child_of(bob);
  world.entity("grandchild").child_of(a);
  entities seen = list(bob.children());
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (entities{a, b}));
  seen.clear();
  bob.children([&](kith::entity child) { seen.push_back(child); });
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (entities{a, b}));
  EXPECT_EQ(bob.children().count(), 2u);
  EXPECT_TRUE(!bob.children().empty() && alice.children().empty());
}

// R114 R115
TEST_F(lookups, each_of_the_world_visits_every_entity_with_an_id_once) {
  bob.add(Likes, apples).add(Likes, pears).set(Position{1, 2});
  alice.add(Likes, apples);
  const auto with = [&](kith::id id) {
    entities seen;
    world.each(id, [&](kith::entity e) { seen.push_back(e); });
    std::ranges::sort(seen);
    return seen;
  };
  using kith::Wildcard;
  EXPECT_EQ(with(world.pair(Likes, apples)), (entities{alice, bob}));
  EXPECT_EQ(with(world.pair(Likes, Wildcard)), (entities{alice, bob}));
  EXPECT_EQ(with(world.pair(Wildcard, pears)), (entities{bob}));
  EXPECT_EQ(with(world.id<Position>()), (entities{bob}));
  entities in_parts;
  world.each(Likes, pears, [&](kith::entity e) { in_parts.push_back(e); });
  EXPECT_EQ(in_parts, (entities{bob}));
  entities typed;
  world.each<Position>([&](kith::entity e) { typed.push_back(e); });
  EXPECT_EQ(typed, (entities{bob}));
}

// R114 R115
TEST_F(lookups, count_tells_how_many_entities_have_an_id) {
  bob.add(Likes, apples).add(Likes, pears).set(Position{1, 2});
  alice.add(Likes, apples);
  EXPECT_EQ(world.count(Likes, apples), 2u);
  EXPECT_EQ(world.count(Likes, kith::Wildcard), 2u);
  EXPECT_EQ(world.count(kith::Wildcard, pears), 1u);
  EXPECT_EQ(world.count(world.pair(Likes, pears)), 1u);
  EXPECT_EQ(world.count<Position>(), 1u);
  EXPECT_EQ(world.count<Velocity>(), 0u);
  bob.set<Eats>(apples, {1}).set<Begin, Position>({1, 2});
  EXPECT_EQ(world.count<Eats>(apples), 1u);
  EXPECT_EQ((world.count<Begin, Position>()), 1u);
}

TEST_F(lookups, built_in_entities_do_not_count) {
  EXPECT_EQ(world.count(kith::ChildOf, kith::Wildcard), 0u);
  bob.child_of(alice);
  EXPECT_EQ(world.count(kith::ChildOf, kith::Wildcard), 1u);
}

TEST_F(lookups, remove_all_takes_an_id_from_everybody) {
  bob.add(Likes, apples).add(Likes, pears).set(Position{1, 2});
  alice.add(Likes, apples).set(Position{3, 4});
  world.remove_all(Likes, pears);
  EXPECT_EQ(world.count(Likes, kith::Wildcard), 2u);
  world.remove_all(world.pair(Likes, kith::Wildcard));
  world.remove_all<Position>();
  EXPECT_EQ(state_of(bob) + state_of(alice), "bob:alice:");
}

TEST_F(lookups, remove_all_takes_nothing_from_built_in_entities) {
  bob.add(apples);
  world.entity(kith::Prefab).add(apples);
  world.remove_all(apples);
  EXPECT_FALSE(bob.has(apples));
  EXPECT_TRUE(world.entity(kith::Prefab).has(apples));
}

TEST_F(lookups, remove_all_of_every_plain_id_leaves_components_what_they_are) {
  bob.set(Position{1, 2}).add(apples).add(Likes, pears);
  EXPECT_EQ(error_of([&] { world.remove_all(kith::Wildcard); }), "none");
  EXPECT_EQ(state_of(bob), "bob: (Likes, pears)");
  EXPECT_TRUE(world.entity<Position>().has(kith::Component));
}

TEST_F(lookups, delete_with_deletes_everybody_that_has_an_id) {
  bob.add(Likes, apples);
  alice.add<Npc>();
  pears.set(Position{1, 2});
  const kith::entity child = world.entity("child").child_of(bob);
  world.delete_with(Likes, apples);
  EXPECT_TRUE(!bob.is_alive() && !child.is_alive());
  world.delete_with<Npc>();
  EXPECT_FALSE(alice.is_alive());
  world.delete_with(world.id<Position>());
  EXPECT_FALSE(pears.is_alive());
  EXPECT_TRUE(apples.is_alive());
}

}  // namespace
