// Switching whole entities, components and pairs off and on.
#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class switching : public testing::Test {
 protected:
  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity apples = world.entity("apples");
  kith::entity pears = world.entity("pears");
  kith::entity bob = world.entity("bob").set(Position{1, 2}).add(Likes, apples).add(Likes, pears);
};

TEST_F(switching, a_disabled_entity_has_the_tag_disabled) {
  EXPECT_TRUE(bob.enabled());
  bob.disable();
  EXPECT_FALSE(bob.enabled());
  EXPECT_TRUE(bob.has(kith::Disabled));
  EXPECT_TRUE(bob.has<Position>()) << "its components are as they were";
  bob.enable();
  EXPECT_TRUE(bob.enabled());
  EXPECT_FALSE(bob.has(kith::Disabled));
}

TEST_F(switching, what_is_off_is_owned_but_not_seen) {
  bob.disable<Position>();
  EXPECT_FALSE(bob.enabled<Position>());
  EXPECT_FALSE(bob.has<Position>());
  EXPECT_EQ(bob.get<Position>(), nullptr);
  EXPECT_EQ(error_of([&] { bob.at<Position>(); }), "out_of_range");
  EXPECT_TRUE(bob.owns<Position>());
  EXPECT_EQ(*bob.get_mut<Position>(), (Position{1, 2}));
  EXPECT_EQ(bob.type().count(), 3u);
}

TEST_F(switching, the_value_is_still_there_when_it_is_on_again) {
  bob.disable<Position>().enable<Position>();
  EXPECT_TRUE(bob.enabled<Position>());
  EXPECT_EQ(*bob.get<Position>(), (Position{1, 2}));
}

TEST_F(switching, one_entity_is_switched_and_not_its_neighbours) {
  const kith::entity alice = world.entity("alice").set(Position{3, 4});
  const kith::entity carol = world.entity("carol").set(Position{5, 6});
  alice.disable<Position>();
  EXPECT_TRUE(bob.has<Position>() && !alice.has<Position>() && carol.has<Position>());
  bob.destruct();
  EXPECT_TRUE(!alice.has<Position>() && carol.has<Position>());
  alice.destruct();
  EXPECT_TRUE(carol.has<Position>());
  EXPECT_TRUE(world.entity().set(Position{7, 8}).has<Position>());
}

TEST_F(switching, a_switch_stays_when_other_ids_come_and_go) {
  bob.disable<Position>();
  bob.add<Npc>().set(Velocity{1, 2}).remove<Npc>().add(Likes, bob).set_name("rob");
  EXPECT_TRUE(!bob.has<Position>() && bob.owns<Position>());
  EXPECT_TRUE(bob.has<Velocity>());
}

TEST_F(switching, what_is_removed_and_added_again_is_on) {
  bob.disable<Position>().remove<Position>().set(Position{3, 4});
  EXPECT_TRUE(bob.has<Position>());
  bob.disable(Likes, apples).remove(Likes, apples).add(Likes, apples);
  EXPECT_TRUE(bob.has(Likes, apples));
}

TEST_F(switching, setting_or_adding_what_is_off_leaves_it_off) {
  bob.disable<Position>().set(Position{3, 4}).add<Position>();
  EXPECT_FALSE(bob.has<Position>());
  EXPECT_EQ(*bob.enable<Position>().get<Position>(), (Position{3, 4}));
}

TEST_F(switching, tags_can_be_switched) {
  bob.add(apples).disable(apples);
  EXPECT_FALSE(bob.has(apples));
  EXPECT_FALSE(bob.enabled(apples));
  EXPECT_TRUE(bob.enable(apples).has(apples));
  EXPECT_TRUE(bob.enabled(apples));
}

TEST_F(switching, pairs_that_are_off_are_passed_by) {
  bob.disable(Likes, apples);
  EXPECT_FALSE(bob.enabled(Likes, apples));
  EXPECT_FALSE(bob.has(Likes, apples));
  EXPECT_TRUE(bob.has(Likes, kith::Wildcard));
  EXPECT_EQ(bob.target(Likes), pears);
  EXPECT_FALSE(bob.target(Likes, 1));
  EXPECT_EQ(bob.targets(Likes).count(), 1u);
  EXPECT_EQ(list(bob.targets(Likes)), std::vector{pears});
  bob.disable(Likes, pears);
  EXPECT_FALSE(bob.has(Likes, kith::Wildcard));
  EXPECT_FALSE(bob.has(kith::Wildcard, pears));
  EXPECT_TRUE(bob.owns(Likes, kith::Wildcard));
  EXPECT_TRUE(bob.targets(Likes).empty());
  EXPECT_EQ(list(bob.enable(Likes, apples).targets(Likes)), std::vector{apples});
}

TEST_F(switching, a_pair_with_a_value_can_be_switched) {
  bob.set<Eats>(apples, {3}).disable(world.pair<Eats>(apples));
  EXPECT_EQ(bob.get<Eats>(apples), nullptr);
  EXPECT_EQ(bob.get_mut<Eats>(apples)->amount, 3);
  EXPECT_EQ(bob.enable(world.id<Eats>(), apples).get<Eats>(apples)->amount, 3);
}

TEST_F(switching, a_pair_of_types_can_be_switched) {
  bob.set<Begin, Position>({3, 4}).disable<kith::pair<Begin, Position>>();
  EXPECT_FALSE((bob.enabled<kith::pair<Begin, Position>>()));
  EXPECT_EQ((bob.get<Begin, Position>()), nullptr);
  EXPECT_TRUE((bob.enable<kith::pair<Begin, Position>>().has<Begin, Position>()));
}

TEST_F(switching, a_parent_that_is_off_is_not_seen_and_a_child_that_is_off_is_passed_by) {
  const kith::entity seat = world.entity("bob::seat");
  const kith::entity door = world.entity("bob::door");
  seat.disable(kith::ChildOf, bob);
  EXPECT_FALSE(seat.parent());
  EXPECT_EQ(list(bob.children()), std::vector{door});
  bob.destruct();
  EXPECT_FALSE(seat.is_alive()) << "it is owned, so it goes with its parent";
}

TEST_F(switching, a_path_leads_to_an_entity_whose_parent_is_off) {
  const kith::entity seat = world.entity("bob::seat").disable(kith::ChildOf, bob);
  EXPECT_EQ(world.lookup(seat.path()), seat) << seat.path();
}

TEST_F(switching, only_what_is_owned_can_be_switched) {
  world.component<Velocity>();
  EXPECT_EQ(refusal(world, [&] { bob.disable<Velocity>(); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.enable<Velocity>(); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.disable(apples); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.disable(Likes, bob); }), "constraint");
  EXPECT_FALSE(bob.enabled<Velocity>());
}

TEST_F(switching, many_switches_of_many_entities_stay_apart) {
  std::vector<kith::entity> all = world.bulk(1000, Position{1, 2}, Health{3});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 2 == 0) all[i].disable<Position>();
    if (i % 3 == 0) all[i].disable<Health>();
    if (i % 5 == 0) all[i].add<Npc>();
  }
  for (std::size_t i = 0; i < all.size(); i += 7) all[i].destruct();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 7 == 0) continue;
    ASSERT_EQ(all[i].has<Position>(), i % 2 != 0) << i;
    ASSERT_EQ(all[i].has<Health>(), i % 3 != 0) << i;
    ASSERT_EQ(all[i].has<Npc>(), i % 5 == 0) << i;
  }
}

}  // namespace
