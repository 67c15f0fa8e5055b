// Symmetric adds the reverse of a pair; Acyclic forbids cycles.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class symmetric_in_any_storage : public any_storage {
 protected:
  const thing knows = relation("Knows");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd"), dan = entity("dan");
};
INSTANTIATE_TEST_SUITE_P(, symmetric_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(symmetric_in_any_storage, pair_comes_and_goes_on_both_sides) {
  knows->add(kith::Symmetric);
  ann->add(knows, bob);
  EXPECT_TRUE(bob->has(knows, ann));
  cyd->add(knows, ann);
  EXPECT_EQ(names(ann->targets(knows)), "bob, cyd");
  bob->remove(knows, ann);
  EXPECT_FALSE(ann->has(knows, bob));
  EXPECT_EQ(line_of(ann), "ann: (Knows, cyd)");
}

TEST_P(symmetric_in_any_storage, wildcard_removes_both_sides) {
  knows->add(kith::Symmetric);
  for (const thing& whom : {bob, cyd, dan}) ann->add(knows, whom);
  cyd->add(knows, dan);
  ann->remove(knows, kith::Wildcard);
  EXPECT_EQ(line_of(ann), "ann:");
  EXPECT_EQ(line_of(bob), "bob:");
  EXPECT_EQ(line_of(cyd), "cyd: (Knows, dan)");
  world->remove_all(world->pair(knows, cyd));
  EXPECT_EQ(world->count(knows, kith::Wildcard), 0u);
}

TEST_P(symmetric_in_any_storage, clear_removes_the_other_side) {
  knows->add(kith::Symmetric);
  ann->add(knows, bob);
  ann->clear();
  EXPECT_EQ(line_of(bob), "bob:");
}

TEST_P(symmetric_in_any_storage, late_trait_adds_what_is_missing) {
  ann->add(knows, bob);
  bob->add(knows, cyd);
  cyd->add(knows, bob);
  dan->add(knows, dan);
  knows->add(kith::Symmetric);
  EXPECT_EQ(line_of(ann), "ann: (Knows, bob)");
  EXPECT_EQ(line_of(bob), "bob: (Knows, ann), (Knows, cyd)");
  EXPECT_EQ(line_of(cyd), "cyd: (Knows, bob)");
  EXPECT_EQ(line_of(dan), "dan: (Knows, dan)");
}

TEST_P(symmetric_in_any_storage, many_pairs_are_mirrored_late) {
  std::vector<thing> crowd;
  for (int i = 0; i < 100; ++i) {
    crowd.push_back(entity());
    ann->add(knows, crowd.back());
  }
  knows->add(kith::Symmetric);
  for (const thing& each : crowd) ASSERT_EQ(each->target(knows), ann);
}

TEST_P(symmetric_in_any_storage, trait_that_is_taken_leaves_the_pairs_and_mirrors_no_more) {
  knows->add(kith::Symmetric);
  ann->add(knows, bob);
  knows->remove(kith::Symmetric);
  ann->remove(knows, bob);
  EXPECT_TRUE(bob->has(knows, ann));
  ann->add(knows, cyd);
  EXPECT_FALSE(cyd->has(knows, ann));
}

TEST_P(symmetric_in_any_storage, mirrored_value_is_one_of_its_own) {
  component<Eats>()->add(kith::Symmetric);
  ann->set<Eats>(bob, {4});
  ASSERT_TRUE(bob->has<Eats>(ann));
  bob->get_mut<Eats>(ann)->n = 9;
  EXPECT_EQ(ann->get<Eats>(bob)->n, 4);
  ann->set<Eats>(bob, {5});
  EXPECT_EQ(bob->get<Eats>(ann)->n, 9);
}

TEST_P(symmetric_in_any_storage, deleted_entity_leaves_nobody_knowing_it) {
  knows->add(kith::Symmetric);
  for (const thing& whom : {bob, cyd}) ann->add(knows, whom);
  ann->destruct();
  EXPECT_EQ(line_of(bob), "bob:");
  EXPECT_EQ(line_of(cyd), "cyd:");
}

// --- Acyclic -------------------------------------------------------------------------------------

class acyclic_in_any_storage : public symmetric_in_any_storage {
 protected:
  void chain() {
    ann->add(knows, bob);
    bob->add(knows, cyd);
    cyd->add(knows, dan);
  }
};
INSTANTIATE_TEST_SUITE_P(, acyclic_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// C44
TEST_P(acyclic_in_any_storage, closing_pair_is_refused) {
  knows->add(kith::Acyclic);
  chain();
  expect_refused(kith::errc::constraint, {"dan", "ann", "Knows"}, [&] { dan->add(knows, ann); });
  expect_refused(kith::errc::constraint, {"cyd", "bob"}, [&] { cyd->add(knows, bob); });
  expect_refused(kith::errc::constraint, {"bob"}, [&] { bob->add(knows, bob); });
  ann->add(knows, cyd);
  ann->add(knows, dan);
  EXPECT_EQ(names(ann->targets(knows)), "bob, cyd, dan");
}

TEST_P(acyclic_in_any_storage, pair_that_closed_a_way_may_come_when_the_way_is_gone) {
  knows->add(kith::Acyclic);
  chain();
  bob->remove(knows, cyd);
  dan->add(knows, ann);
  expect_refused(kith::errc::constraint, {}, [&] { bob->add(knows, cyd); });
  EXPECT_EQ(names(dan->targets(knows)), "ann");
}

TEST_P(acyclic_in_any_storage, late_trait_is_refused_where_a_way_leads_back) {
  chain();
  dan->add(knows, bob);
  expect_refused(kith::errc::constraint, {"Knows"}, [&] { knows->add(kith::Acyclic); });
  ann->add(knows, ann);
  dan->remove(knows, bob);
  expect_refused(kith::errc::constraint, {"Knows", "ann"}, [&] { knows->add(kith::Acyclic); });
  ann->remove(knows, ann);
  knows->add(kith::Acyclic);
  expect_refused(kith::errc::constraint, {}, [&] { dan->add(knows, bob); });
}

TEST_P(acyclic_in_any_storage, trait_that_is_taken_allows_cycles_at_once) {
  knows->add(kith::Acyclic);
  chain();
  knows->remove(kith::Acyclic);
  dan->add(knows, ann);
  EXPECT_TRUE(ann->reaches(knows, ann));
}

TEST_P(acyclic_in_any_storage, acyclic_and_symmetric_exclude_each_other) {
  knows->add(kith::Acyclic);
  expect_refused(kith::errc::constraint, {"Knows"}, [&] { knows->add(kith::Symmetric); });
  knows->remove(kith::Acyclic);
  knows->add(kith::Symmetric);
  expect_refused(kith::errc::constraint, {"Knows"}, [&] { knows->add(kith::Acyclic); });
}

TEST_P(acyclic_in_any_storage, replaced_target_is_no_way_any_more) {
  const thing on = exclusive("On");
  on->add(kith::Acyclic);
  ann->add(on, bob);
  bob->add(on, cyd);
  expect_refused(kith::errc::constraint, {}, [&] { cyd->add(on, ann); });
  bob->add(on, dan);
  cyd->add(on, ann);
  EXPECT_EQ(names(cyd->reached(on)), "ann, bob, dan");
  expect_refused(kith::errc::constraint, {}, [&] { bob->add(on, cyd); });
  EXPECT_EQ(bob->target(on), dan);
}

TEST_P(acyclic_in_any_storage, error_while_deferred_comes_at_the_end_and_the_rest_is_done) {
  knows->add(kith::Acyclic);
  world->defer_begin();
  chain();
  dan->add(knows, ann);
  dan->add(kith::Disabled);
  EXPECT_THROW(world->defer_end(), kith::error);
  EXPECT_EQ(line_of(dan), "dan: Disabled");
  EXPECT_EQ(line_of(cyd), "cyd: (Knows, dan)");
}

}  // namespace
