// Deferred changes of the graph while ids move between storages.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class deferred_in_any_storage : public any_storage {
 protected:
  const thing number = component<Number>(), eats = component<Eats>(), likes = relation("Likes"),
              hates = relation("Hates"), npc = tag("Npc");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd"), dan = entity("dan");
};
INSTANTIATE_TEST_SUITE_P(, deferred_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(deferred_in_any_storage, nothing_changes_before_the_end) {
  bob->add(likes, ann);
  world->defer_begin();
  bob->add(likes, cyd);
  bob->remove(likes, ann);
  bob->set(Number{1});
  cyd->destruct();
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann)");
  EXPECT_TRUE(cyd.is_alive());
  EXPECT_EQ(bob->get<Number>(), nullptr);
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: Number=1");
}

TEST_P(deferred_in_any_storage, changes_are_made_in_order) {
  world->defer_begin();
  bob->add(likes, ann);
  bob->remove(likes, kith::Wildcard);
  bob->add(likes, cyd);
  bob->set(Number{1});
  bob->clear();
  bob->set(Number{2});
  bob->add(likes, dan);
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: Number=2, (Likes, dan)");
}

TEST_P(deferred_in_any_storage, values_that_wait_can_be_written_to) {
  bob->set<Eats>(ann, {5});
  world->defer_begin();
  bob->ensure<Number>().n = 3;
  bob->ensure<Number>().n += 1;
  bob->ensure<Eats>(cyd).n = 6;
  EXPECT_EQ(bob->ensure<Eats>(ann).n, 5);
  bob->remove<Eats>(ann);
  EXPECT_EQ(bob->ensure<Eats>(ann).n, 0);
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: Number=4, (Eats, ann)=0, (Eats, cyd)=6");
}

TEST_P(deferred_in_any_storage, value_of_a_new_target_is_not_that_of_the_old_one) {
  eats->add(kith::Exclusive);
  bob->set<Eats>(ann, {5});
  world->defer_begin();
  bob->ensure<Eats>(cyd).n += 1;
  bob->ensure<Eats>(ann).n += 1;
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: (Eats, ann)=1");
}

TEST_P(deferred_in_any_storage, ensure_copies_what_is_inherited) {
  ann->set(Number{4}).set<Eats>(cyd, {5});
  bob->is_a(ann);
  world->defer_begin();
  bob->ensure<Number>().n += 1;
  bob->add<Eats>(cyd);
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: Number=5, (IsA, ann), (Eats, cyd)=5");
  EXPECT_EQ(ann->get<Number>()->n, 4);
}

TEST_P(deferred_in_any_storage, traits_given_while_deferred_hold_for_what_comes_after) {
  world->defer_begin();
  bob->add(likes, ann);
  likes->add(kith::Symmetric);
  cyd->add(likes, dan);
  npc->add(kith::With, likes);
  ann->add(npc, dan);
  hates->add(kith::Exclusive);
  bob->add(hates, ann);
  bob->add(hates, cyd);
  world->defer_end();
  EXPECT_TRUE(ann->has(likes, bob));
  EXPECT_TRUE(dan->has(likes, cyd));
  EXPECT_TRUE(dan->has(likes, ann));
  EXPECT_EQ(names(bob->targets(hates)), "cyd");
}

TEST_P(deferred_in_any_storage, failing_changes_are_skipped_and_the_first_error_is_raised) {
  likes->add(kith::Acyclic);
  hates->add(kith::OneOf);
  world->defer_begin();
  ann->add(likes, bob);
  bob->add(likes, ann);
  cyd->add(hates, dan);
  cyd->add(npc);
  likes->add(kith::Symmetric);
  bob->is_a(kith::Prefab);
  bob->add(likes, cyd);
  EXPECT_NE(message_of([&] { world->defer_end(); }).find("cycle"), std::string::npos);
  EXPECT_EQ(line_of(ann), "ann: (Likes, bob)");
  EXPECT_EQ(line_of(bob), "bob: (Likes, cyd)");
  EXPECT_EQ(line_of(cyd), "cyd: Npc");
}

TEST_P(deferred_in_any_storage, deletion_that_comes_first_skips_the_rest) {
  world->defer_begin();
  cyd->destruct();
  bob->add(likes, ann);
  cyd->add(npc);
  bob->add(likes, cyd);
  EXPECT_NO_THROW(world->defer_end());
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann)");
}

TEST_P(deferred_in_any_storage, pair_with_a_deleted_target_does_not_come_with_its_successor) {
  world->defer_begin();
  cyd->destruct();
  const thing next = as_thing(world->entity("next"));
  bob->add(likes, next);
  world->defer_end();
  EXPECT_TRUE(bob->has(likes, next));
  EXPECT_FALSE(cyd.is_alive());
}

TEST_P(deferred_in_any_storage, switches_wait_too) {
  bob->add(likes, ann).set(Number{1});
  world->defer_begin();
  bob->disable(likes, ann);
  bob->disable<Number>();
  bob->add(likes, cyd);
  bob->disable(likes, cyd);
  EXPECT_TRUE(bob->has(likes, ann));
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: -Number=1, -(Likes, ann), -(Likes, cyd)");
}

TEST_P(deferred_in_any_storage, clone_and_clear_wait_too) {
  bob->add(likes, ann).set(Number{1});
  world->defer_begin();
  const thing copy = as_thing(bob->clone());
  bob->clear();
  EXPECT_EQ(copy->type().count(), 0u);
  world->defer_end();
  EXPECT_EQ(copy->get<Number>()->n, 1);
  EXPECT_TRUE(copy->has(likes, ann));
  EXPECT_EQ(line_of(bob), "bob:");
}

TEST_P(deferred_in_any_storage, removal_from_all_and_deletion_of_all_wait_too) {
  for (const thing& each : {ann, bob}) each->add(likes, cyd);
  dan->add(npc);
  world->defer_begin();
  world->remove_all(world->pair(likes, cyd));
  world->delete_with(npc);
  bob->add(npc);
  EXPECT_TRUE(ann->has(likes, cyd));
  world->defer_end();
  EXPECT_EQ(line_of(ann), "ann:");
  EXPECT_FALSE(dan.is_alive());
  EXPECT_EQ(line_of(bob), "bob: Npc");
}

TEST_P(deferred_in_any_storage, visits_of_all_kinds_defer) {
  for (const thing& each : {ann, bob, cyd}) each->add(likes, dan).child_of(dan);
  world->each(world->pair(likes, kith::Wildcard), [&](kith::entity e) {
    e.remove(likes, dan);
    e.add(hates, dan);
    EXPECT_TRUE(e.has(likes, dan));
  });
  EXPECT_EQ(world->count(likes, dan), 0u);
  EXPECT_EQ(world->count(hates, dan), 3u);
  dan->children([&](kith::entity child) { child.destruct(); });
  EXPECT_FALSE(ann.is_alive());
  dan->add(likes, npc).add(hates, npc);
  dan->each([&](kith::id i) { dan.remove(i); });
  EXPECT_EQ(line_of(dan), "dan:");
}

TEST_P(deferred_in_any_storage, visit_left_by_break_makes_its_changes_and_keeps_the_errors) {
  likes->add(kith::Acyclic);
  bob->add(likes, ann).add(likes, cyd);
  for (kith::entity whom : bob->targets(likes)) {
    whom.add(likes, bob);
    whom.add(npc);
    break;
  }
  EXPECT_EQ(line_of(ann), "ann: Npc");
  EXPECT_EQ(world->deferred_errors().size(), 1u);
  EXPECT_TRUE(world->deferred_errors().empty());
}

}  // namespace
