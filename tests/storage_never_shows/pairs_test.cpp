// Adding, removing and finding pairs.
#include <algorithm>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class pairs_in_any_storage : public any_storage {
 protected:
  const thing likes = relation("Likes"), hates = relation("Hates");
  const thing alice = entity("alice"), bob = entity("bob"), cyd = entity("cyd"),
              dan = entity("dan");
};
INSTANTIATE_TEST_SUITE_P(, pairs_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(pairs_in_any_storage, added_pair_is_there_and_no_other) {
  bob->add(likes, alice);
  EXPECT_TRUE(bob->has(likes, alice));
  EXPECT_TRUE(bob->owns(likes, alice));
  EXPECT_FALSE(bob->has(likes, cyd));
  EXPECT_FALSE(bob->has(hates, alice));
  EXPECT_FALSE(bob->has(alice, likes));
  EXPECT_FALSE(alice->has(likes, bob));
  EXPECT_FALSE(bob->has(likes));
}

TEST_P(pairs_in_any_storage, adding_twice_is_adding_once) {
  bob->add(likes, alice);
  bob->add(likes, alice);
  EXPECT_EQ(line_of(bob), "bob: (Likes, alice)");
  bob->remove(likes, alice);
  EXPECT_EQ(line_of(bob), "bob:");
}

TEST_P(pairs_in_any_storage, removed_pair_is_gone_and_others_stay) {
  bob->add(likes, alice);
  bob->add(likes, cyd);
  bob->add(hates, alice);
  bob->remove(likes, alice);
  EXPECT_FALSE(bob->has(likes, alice));
  EXPECT_EQ(line_of(bob), "bob: (Likes, cyd), (Hates, alice)");
}

TEST_P(pairs_in_any_storage, removing_what_is_not_there_does_nothing) {
  bob->add(likes, alice);
  bob->remove(likes, cyd);
  bob->remove(hates, alice);
  bob->remove(hates, kith::Wildcard);
  EXPECT_EQ(line_of(bob), "bob: (Likes, alice)");
}

TEST_P(pairs_in_any_storage, entity_can_be_related_to_itself) {
  bob->add(likes, bob);
  EXPECT_TRUE(bob->has(likes, bob));
  EXPECT_EQ(bob->target(likes), bob);
  EXPECT_EQ(world->count(likes, bob), 1u);
}

TEST_P(pairs_in_any_storage, relation_can_be_its_own_target) {
  bob->add(likes, likes);
  EXPECT_TRUE(bob->has(likes, likes));
  EXPECT_EQ(names(bob->targets(likes)), "Likes");
}

TEST_P(pairs_in_any_storage, targets_come_in_ascending_order_however_they_were_added) {
  bob->add(likes, dan);
  bob->add(likes, alice);
  bob->add(likes, cyd);
  EXPECT_EQ(names(bob->targets(likes)), "alice, cyd, dan");
  bob->remove(likes, alice);
  bob->add(likes, bob);
  EXPECT_EQ(names(bob->targets(likes)), "bob, cyd, dan");
  EXPECT_EQ(bob->targets(likes).count(), 3u);
  EXPECT_TRUE(bob->targets(hates).empty());
}

// R26 R27
TEST_P(pairs_in_any_storage, nth_target_is_that_of_the_range_and_null_past_the_end) {
  for (const thing& whom : {dan, alice, cyd}) bob->add(likes, whom);
  EXPECT_EQ(bob->target(likes), alice);
  EXPECT_EQ(bob->target(likes, 1), cyd);
  EXPECT_EQ(bob->target(likes, 2), dan);
  EXPECT_FALSE(bob->target(likes, 3));
  EXPECT_FALSE(bob->target(hates));
}

TEST_P(pairs_in_any_storage, hundreds_of_targets_are_all_there) {
  std::vector<kith::entity> whom;
  for (int i = 0; i < 300; ++i) whom.push_back(entity());
  for (int i = 299; i >= 0; i -= 2) bob->add(likes, whom[static_cast<std::size_t>(i)]);
  for (int i = 0; i < 300; i += 2) bob->add(likes, whom[static_cast<std::size_t>(i)]);
  EXPECT_EQ(names(bob->targets(likes)), names(whom));
  for (std::size_t i = 0; i < 300; i += 3) bob->remove(likes, whom[i]);
  for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(bob->has(likes, whom[i]), i % 3 != 0) << i;
  EXPECT_EQ(bob->targets(likes).count(), 200u);
}

// R23
TEST_P(pairs_in_any_storage, wildcard_asks_whether_there_is_one) {
  EXPECT_FALSE(bob->has(likes, kith::Wildcard));
  bob->add(likes, alice);
  EXPECT_TRUE(bob->has(likes, kith::Wildcard));
  EXPECT_TRUE(bob->has(likes, kith::Any));
  EXPECT_TRUE(bob->has(kith::Wildcard, alice));
  EXPECT_TRUE(bob->has(kith::Wildcard, kith::Wildcard));
  EXPECT_TRUE(bob->owns(likes, kith::Wildcard));
  EXPECT_FALSE(bob->has(hates, kith::Wildcard));
  EXPECT_FALSE(bob->has(kith::Wildcard, cyd));
  EXPECT_FALSE(bob->has(kith::Wildcard));
  bob->remove(likes, alice);
  EXPECT_FALSE(bob->has(likes, kith::Wildcard));
  EXPECT_FALSE(bob->has(kith::Wildcard, alice));
}

TEST_P(pairs_in_any_storage, wildcard_removes_all_that_match) {
  for (const thing& whom : {alice, cyd, dan}) bob->add(likes, whom).add(hates, whom);
  bob->remove(likes, kith::Wildcard);
  EXPECT_EQ(line_of(bob), "bob: (Hates, alice), (Hates, cyd), (Hates, dan)");
  bob->remove(kith::Wildcard, cyd);
  EXPECT_EQ(line_of(bob), "bob: (Hates, alice), (Hates, dan)");
  bob->remove(kith::Wildcard, kith::Wildcard);
  EXPECT_EQ(line_of(bob), "bob:");
}

// R62
TEST_P(pairs_in_any_storage, each_visits_every_target_once) {
  for (const thing& whom : {dan, alice}) bob->add(likes, whom);
  std::string seen;
  bob->each(likes, [&](kith::entity whom) { seen += whom.str() + " "; });
  EXPECT_EQ(seen, "alice dan ");
}

// R61
TEST_P(pairs_in_any_storage, match_visits_the_ids_that_fit) {
  const thing npc = tag("Npc");
  bob->add(npc);
  bob->add(likes, alice);
  bob->add(hates, alice);
  bob->add(hates, cyd);
  const auto matches = [&](kith::id pattern) {
    std::string seen;
    bob->match(pattern, [&](kith::id i) { seen += i.str() + " "; });
    return seen;
  };
  EXPECT_EQ(matches(world->pair(hates, kith::Wildcard)), "(Hates, alice) (Hates, cyd) ");
  EXPECT_EQ(matches(world->pair(kith::Wildcard, alice)), "(Likes, alice) (Hates, alice) ");
  EXPECT_EQ(matches(world->pair(kith::Wildcard, kith::Wildcard)),
            "(Likes, alice) (Hates, alice) (Hates, cyd) ");
  EXPECT_EQ(matches(world->id(kith::Wildcard)), "Npc ");
  EXPECT_EQ(matches(world->pair(likes, alice)), "(Likes, alice) ");
  EXPECT_EQ(matches(world->pair(likes, cyd)), "");
}

// R120
TEST_P(pairs_in_any_storage, type_lists_all_ids_with_pairs_of_a_relation_side_by_side) {
  const thing npc = tag("Npc");
  bob->add(hates, alice);
  bob->add(likes, dan);
  bob->add(npc);
  bob->add(likes, alice);
  bob->add(hates, cyd);
  EXPECT_EQ(bob->type().str(), "Npc, (Likes, alice), (Likes, dan), (Hates, alice), (Hates, cyd)");
  EXPECT_EQ(bob->type().count(), 5u);
  EXPECT_EQ(bob->type().get(1), world->pair(likes, alice));
  std::string seen;
  bob->each([&](kith::id i) { seen += (seen.empty() ? "" : ", ") + i.str(); });
  EXPECT_EQ(seen, bob->type().str());
}

TEST_P(pairs_in_any_storage, count_is_the_number_of_entities) {
  EXPECT_EQ(world->count(likes, alice), 0u);
  bob->add(likes, alice);
  cyd->add(likes, alice);
  bob->add(likes, cyd);
  EXPECT_EQ(world->count(likes, alice), 2u);
  EXPECT_EQ(world->count(likes, kith::Wildcard), 2u);
  EXPECT_EQ(world->count(kith::Wildcard, cyd), 1u);
  cyd->remove(likes, alice);
  EXPECT_EQ(world->count(likes, alice), 1u);
  EXPECT_EQ(world->count(likes, kith::Wildcard), 1u);
}

TEST_P(pairs_in_any_storage, world_visits_each_owner_once) {
  const auto owners = [&](kith::id pattern) {
    std::vector<kith::entity> found;
    world->each(pattern, [&](kith::entity e) { found.push_back(e); });
    std::sort(found.begin(), found.end());
    return names(found);
  };
  for (const thing& who : {cyd, bob}) who->add(likes, alice);
  bob->add(likes, dan);
  bob->add(hates, dan);
  EXPECT_EQ(owners(world->pair(likes, alice)), "bob, cyd");
  EXPECT_EQ(owners(world->pair(likes, kith::Wildcard)), "bob, cyd");
  EXPECT_EQ(owners(world->pair(kith::Wildcard, dan)), "bob");
  EXPECT_EQ(owners(world->pair(hates, alice)), "");
}

TEST_P(pairs_in_any_storage, removal_from_all_leaves_other_ids) {
  for (const thing& who : {alice, bob, cyd}) who->add(likes, dan).add(likes, alice).add(hates, dan);
  world->remove_all(world->pair(likes, dan));
  for (const thing& who : {alice, bob, cyd})
    EXPECT_EQ(who->type().str(), "(Likes, alice), (Hates, dan)");
  world->remove_all(world->pair(kith::Wildcard, kith::Wildcard));
  EXPECT_EQ(world->count(likes, kith::Wildcard), 0u);
}

TEST_P(pairs_in_any_storage, all_entities_with_a_pair_can_be_deleted) {
  for (const thing& who : {alice, bob}) who->add(likes, dan);
  cyd->add(hates, dan);
  world->delete_with(likes, dan);
  EXPECT_FALSE(alice.is_alive());
  EXPECT_FALSE(bob.is_alive());
  EXPECT_TRUE(cyd->has(hates, dan));
  EXPECT_TRUE(dan.is_alive());
}

TEST_P(pairs_in_any_storage, tags_come_and_go_like_pairs) {
  const thing npc = tag("Npc"), pc = tag("Pc");
  for (const thing& who : {alice, bob, cyd}) who->add(npc);
  bob->add(pc);
  EXPECT_TRUE(bob->has(npc));
  EXPECT_EQ(world->count(npc), 3u);
  bob->remove(npc);
  EXPECT_FALSE(bob->has(npc));
  EXPECT_TRUE(bob->has(pc));
  EXPECT_EQ(world->count(npc), 2u);
  EXPECT_EQ(line_of(bob), "bob: Pc");
}

TEST_P(pairs_in_any_storage, changes_while_visiting_wait_for_the_end) {
  for (const thing& whom : {alice, cyd, dan}) bob->add(likes, whom);
  for (kith::entity whom : bob->targets(likes)) {
    bob.remove(likes, whom);
    bob.add(hates, whom);
    EXPECT_TRUE(bob.has(likes, whom));
  }
  EXPECT_EQ(line_of(bob), "bob: (Hates, alice), (Hates, cyd), (Hates, dan)");
  world->each(world->pair(hates, dan), [&](kith::entity e) { e.remove(hates, dan); });
  EXPECT_EQ(line_of(bob), "bob: (Hates, alice), (Hates, cyd)");
}

TEST_P(pairs_in_any_storage, patterns_cannot_be_added) {
  expect_refused(kith::errc::constraint, {"Likes"}, [&] { bob->add(likes, kith::Wildcard); });
  expect_refused(kith::errc::constraint, {"alice"}, [&] { bob->add(kith::Any, alice); });
}

TEST_P(pairs_in_any_storage, pair_does_not_survive_into_the_next_life_of_its_target) {
  bob->add(likes, dan);
  dan->destruct();
  EXPECT_EQ(line_of(bob), "bob:");
  const thing next = entity("next");
  EXPECT_EQ(kith::core::index_of(next.id()), kith::core::index_of(dan.id()));
  EXPECT_FALSE(bob->has(likes, next));
  EXPECT_EQ(world->count(likes, next), 0u);
  EXPECT_THROW(bob->has(likes, dan), kith::error);
}

}  // namespace
