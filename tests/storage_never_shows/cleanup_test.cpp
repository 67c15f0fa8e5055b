// What is deleted or removed together with an entity that is in use.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class cleanup_in_any_storage : public any_storage {
 protected:
  const thing likes = relation("Likes"), hates = relation("Hates"), npc = tag("Npc");
  const thing number = component<Number>();
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd"), dan = entity("dan");
};
INSTANTIATE_TEST_SUITE_P(, cleanup_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// --- by default ----------------------------------------------------------------------------------

// R110 R112 M1
TEST_P(cleanup_in_any_storage, deleted_target_takes_its_pairs) {
  ann->add(likes, bob).add(hates, bob).add(likes, cyd);
  cyd->add(likes, bob);
  bob->destruct();
  EXPECT_EQ(line_of(ann), "ann: (Likes, cyd)");
  EXPECT_EQ(line_of(cyd), "cyd:");
  EXPECT_EQ(world->count(likes, kith::Wildcard), 1u);
}

TEST_P(cleanup_in_any_storage, deleted_relation_takes_its_pairs) {
  ann->add(likes, bob).add(likes, cyd).add(hates, bob).add(likes);
  likes->destruct();
  EXPECT_EQ(line_of(ann), "ann: (Hates, bob)");
  EXPECT_TRUE(bob.is_alive());
}

TEST_P(cleanup_in_any_storage, deleted_tag_leaves_all_who_had_it) {
  for (const thing& each : {ann, bob, cyd}) each->add(npc).set(Number{1});
  npc->destruct();
  for (const thing& each : {ann, bob, cyd}) EXPECT_EQ(each->type().str(), "Number");
}

// R111
TEST_P(cleanup_in_any_storage, deleted_component_takes_its_values_and_pairs) {
  ann->set(Number{1}).add(npc);
  bob->set<Number>(cyd, {2});
  cyd->add(likes, number);
  number->destruct();
  EXPECT_EQ(line_of(ann), "ann: Npc");
  EXPECT_EQ(line_of(bob), "bob:");
  EXPECT_EQ(line_of(cyd), "cyd:");
  ann->set(Number{4});
  EXPECT_EQ(ann->get<Number>()->n, 4);
}

TEST_P(cleanup_in_any_storage, entity_that_is_tag_relation_and_target_is_forgotten_everywhere) {
  ann->add(npc).add(npc, bob).add(likes, npc);
  npc->add(npc, npc);
  npc->destruct();
  EXPECT_EQ(line_of(ann), "ann:");
}

// --- OnDeleteTarget ------------------------------------------------------------------------------

// R82 M1
TEST_P(cleanup_in_any_storage, target_takes_its_sources_along) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  ann->add(likes, bob);
  cyd->add(likes, bob).add(hates, bob);
  dan->add(hates, bob);
  bob->destruct();
  EXPECT_FALSE(ann.is_alive());
  EXPECT_FALSE(cyd.is_alive());
  EXPECT_EQ(line_of(dan), "dan:");
}

TEST_P(cleanup_in_any_storage, deletion_goes_on_across_relations) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  hates->add(kith::OnDeleteTarget, kith::Delete);
  const thing child = entity("ann::child");
  ann->add(likes, bob);
  cyd->add(hates, child);
  dan->add(npc).add(npc, cyd);
  bob->destruct();
  for (const thing& each : {ann, bob, cyd, child}) EXPECT_FALSE(each.is_alive());
  EXPECT_EQ(line_of(dan), "dan: Npc");
}

TEST_P(cleanup_in_any_storage, circle_of_deletion_ends) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  ann->add(likes, bob);
  bob->add(likes, cyd);
  cyd->add(likes, ann);
  cyd->add(likes, cyd);
  dan->add(hates, cyd);
  bob->destruct();
  for (const thing& each : {ann, bob, cyd}) EXPECT_FALSE(each.is_alive());
  EXPECT_EQ(line_of(dan), "dan:");
}

// M1 C50
TEST_P(cleanup_in_any_storage, target_that_panics_stays_with_all) {
  likes->add(kith::OnDeleteTarget, kith::Panic);
  ann->add(likes, bob);
  cyd->add(hates, bob).child_of(bob);
  expect_refused(kith::errc::constraint, {"bob", "ann", "(Likes, bob)"}, [&] { bob->destruct(); });
  ann->remove(likes, bob);
  bob->destruct();
  EXPECT_FALSE(cyd.is_alive());
}

TEST_P(cleanup_in_any_storage, panic_deep_in_a_cascade_stops_all_of_it) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  hates->add(kith::OnDeleteTarget, kith::Panic);
  ann->add(likes, bob);
  const thing child = entity("ann::child");
  dan->add(hates, child);
  expect_refused(kith::errc::constraint, {"dan", "ann::child"}, [&] { bob->destruct(); });
  dan->destruct();
  bob->destruct();
  EXPECT_FALSE(child.is_alive());
}

TEST_P(cleanup_in_any_storage, panicking_user_that_goes_too_does_not_panic) {
  likes->add(kith::OnDeleteTarget, kith::Panic);
  hates->add(kith::OnDeleteTarget, kith::Delete);
  ann->add(likes, bob).add(hates, bob);
  bob->add(likes, bob);
  bob->destruct();
  EXPECT_FALSE(ann.is_alive());
  EXPECT_FALSE(bob.is_alive());
}

TEST_P(cleanup_in_any_storage, order_of_discovery_does_not_matter_for_panic) {
  likes->add(kith::OnDeleteTarget, kith::Panic);
  const thing root = entity("root");
  ann->child_of(root);
  bob->child_of(root);
  ann->add(likes, bob);
  bob->add(likes, ann);
  cyd->child_of(ann);
  cyd->add(likes, root);
  root->destruct();
  for (const thing& each : {root, ann, bob, cyd}) EXPECT_FALSE(each.is_alive());
}

// --- OnDelete ------------------------------------------------------------------------------------

TEST_P(cleanup_in_any_storage, tag_takes_those_who_have_it_along) {
  npc->add(kith::OnDelete, kith::Delete);
  ann->add(npc);
  bob->add(npc, cyd);
  cyd->add(likes, npc);
  npc->destruct();
  EXPECT_FALSE(ann.is_alive());
  EXPECT_FALSE(bob.is_alive());
  EXPECT_EQ(line_of(cyd), "cyd:");
}

TEST_P(cleanup_in_any_storage, component_takes_those_who_have_it_along) {
  number->add(kith::OnDelete, kith::Delete);
  ann->set(Number{1});
  bob->set<Number>(cyd, {1});
  number->destruct();
  EXPECT_FALSE(ann.is_alive());
  EXPECT_FALSE(bob.is_alive());
  EXPECT_TRUE(cyd.is_alive());
}

TEST_P(cleanup_in_any_storage, tag_relation_or_component_that_panics_stays) {
  npc->add(kith::OnDelete, kith::Panic);
  likes->add(kith::OnDelete, kith::Panic);
  number->add(kith::OnDelete, kith::Panic);
  ann->add(npc);
  bob->add(likes, cyd);
  dan->set(Number{1});
  expect_refused(kith::errc::constraint, {"Npc", "ann"}, [&] { npc->destruct(); });
  expect_refused(kith::errc::constraint, {"Likes", "bob"}, [&] { likes->destruct(); });
  expect_refused(kith::errc::constraint, {"Number", "dan"}, [&] { number->destruct(); });
  cyd->destruct();
  EXPECT_EQ(line_of(bob), "bob:");
  likes->destruct();
  EXPECT_FALSE(likes.is_alive());
}

TEST_P(cleanup_in_any_storage, both_policies_hold_each_for_its_place) {
  likes->add(kith::OnDelete, kith::Panic);
  likes->add(kith::OnDeleteTarget, kith::Delete);
  ann->add(likes, bob);
  expect_refused(kith::errc::constraint, {"Likes", "ann"}, [&] { likes->destruct(); });
  bob->destruct();
  EXPECT_FALSE(ann.is_alive());
  likes->destruct();
}

// --- policies that change ------------------------------------------------------------------------

TEST_P(cleanup_in_any_storage, new_policy_takes_the_place_of_the_old_one_at_once) {
  ann->add(likes, bob);
  likes->add(kith::OnDeleteTarget, kith::Panic);
  expect_refused(kith::errc::constraint, {}, [&] { bob->destruct(); });
  likes->add(kith::OnDeleteTarget, kith::Delete);
  EXPECT_EQ(likes->target(kith::OnDeleteTarget), world->entity(kith::Delete));
  cyd->add(likes, dan);
  bob->destruct();
  EXPECT_FALSE(ann.is_alive());
  likes->add(kith::OnDeleteTarget, kith::Remove);
  dan->destruct();
  EXPECT_EQ(line_of(cyd), "cyd:");
}

TEST_P(cleanup_in_any_storage, policy_that_is_taken_leaves_the_default) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  likes->remove(kith::OnDeleteTarget, kith::Delete);
  ann->add(likes, bob);
  bob->destruct();
  EXPECT_TRUE(ann.is_alive());
  EXPECT_THROW(likes->add(kith::OnDelete, kith::Exclusive), kith::error);
}

TEST_P(cleanup_in_any_storage, policy_of_a_deleted_relation_is_not_handed_on_to_its_successor) {
  likes->add(kith::OnDeleteTarget, kith::Delete).add(kith::Exclusive).add(kith::Symmetric);
  likes->destruct();
  const thing next = relation("next");
  ASSERT_EQ(kith::core::index_of(next.id()), kith::core::index_of(likes.id()));
  ann->add(next, bob);
  ann->add(next, cyd);
  EXPECT_FALSE(bob->has(next, ann));
  EXPECT_EQ(names(ann->targets(next)), "bob, cyd");
  bob->destruct();
  EXPECT_EQ(line_of(ann), "ann: (next, cyd)");
}

// --- other ways to delete ------------------------------------------------------------------------

TEST_P(cleanup_in_any_storage, deleting_all_with_an_id_follows_the_policies) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  hates->add(kith::OnDeleteTarget, kith::Panic);
  ann->add(npc);
  bob->add(npc);
  cyd->add(likes, ann);
  dan->add(hates, bob);
  expect_refused(kith::errc::constraint, {"bob", "dan"}, [&] { world->delete_with(npc); });
  dan->add(npc);
  world->delete_with(npc);
  for (const thing& each : {ann, bob, cyd, dan}) EXPECT_FALSE(each.is_alive());
}

TEST_P(cleanup_in_any_storage, deferred_deletion_follows_the_policies_at_the_end) {
  likes->add(kith::OnDeleteTarget, kith::Delete);
  hates->add(kith::OnDeleteTarget, kith::Panic);
  world->defer_begin();
  ann->add(likes, bob);
  bob->destruct();
  cyd->add(hates, dan);
  dan->destruct();
  EXPECT_TRUE(bob.is_alive());
  EXPECT_THROW(world->defer_end(), kith::error);
  EXPECT_FALSE(ann.is_alive());
  EXPECT_FALSE(bob.is_alive());
  EXPECT_EQ(line_of(cyd), "cyd: (Hates, dan)");
}

TEST_P(cleanup_in_any_storage, built_in_entities_stay) {
  for (kith::entity_t e : {kith::ChildOf, kith::IsA, kith::Exclusive, kith::Wildcard})
    EXPECT_THROW(world->entity(e).destruct(), kith::error);
}

}  // namespace
