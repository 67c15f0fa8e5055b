// Relations of which an entity has at most one target, alone and together with Symmetric.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class exclusive_in_any_storage : public any_storage {
 protected:
  const thing at = exclusive("At");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd"), dan = entity("dan");
  const thing home = entity("home"), work = entity("work"), shop = entity("shop");
};
INSTANTIATE_TEST_SUITE_P(, exclusive_in_any_storage, ::testing::ValuesIn(every_storage_and_union),
                         storage_name());

// C7
TEST_P(exclusive_in_any_storage, new_target_takes_the_place_of_the_old_one) {
  bob->add(at, work);
  bob->add(at, home);
  EXPECT_EQ(line_of(bob), "bob: (At, home)");
  EXPECT_EQ(bob->target(at), home);
  EXPECT_FALSE(bob->target(at, 1));
  EXPECT_FALSE(bob->has(at, work));
  EXPECT_EQ(world->count(at, work), 0u);
  EXPECT_EQ(world->count(at, home), 1u);
}

TEST_P(exclusive_in_any_storage, entities_keep_their_own_targets) {
  std::vector<thing> crowd;
  for (int i = 0; i < 30; ++i) {
    crowd.push_back(entity());
    crowd.back()->add(at, i % 2 ? home : work);
  }
  for (std::size_t i = 0; i < 30; i += 3) crowd[i]->add(at, shop);
  for (std::size_t i = 0; i < 30; ++i)
    ASSERT_EQ(crowd[i]->target(at), i % 3 == 0 ? shop : i % 2 ? home : work) << i;
  EXPECT_EQ(world->count(at, shop), 10u);
  EXPECT_EQ(world->count(at, kith::Wildcard), 30u);
}

TEST_P(exclusive_in_any_storage, same_target_again_changes_nothing) {
  bob->add(at, work);
  bob->add(at, work);
  EXPECT_EQ(line_of(bob), "bob: (At, work)");
  bob->remove(at, home);
  EXPECT_EQ(line_of(bob), "bob: (At, work)");
  bob->remove(at, work);
  EXPECT_EQ(line_of(bob), "bob:");
}

TEST_P(exclusive_in_any_storage, value_of_the_new_target_is_a_new_one) {
  const thing eats = as_thing(world->component<Eats>());
  if (GetParam() == storage::union_)
    eats->add(kith::Union);
  else
    keep(eats)->add(kith::Exclusive);
  bob->set<Eats>(home, {5});
  bob->add<Eats>(work);
  EXPECT_EQ(bob->get<Eats>(work)->n, 0);
  EXPECT_EQ(bob->get<Eats>(home), nullptr);
  bob->set<Eats>(shop, {6});
  bob->ensure<Eats>(shop).n += 1;
  EXPECT_EQ(line_of(bob), "bob: (Eats, shop)=7");
}

TEST_P(exclusive_in_any_storage, trait_goes_and_many_targets_are_possible_at_once) {
  bob->add(at, home);
  at->remove(kith::Exclusive);
  at->remove(kith::Union);
  bob->add(at, work);
  EXPECT_EQ(names(bob->targets(at)), "home, work");
}

TEST_P(exclusive_in_any_storage, late_trait_is_refused_where_someone_has_two_targets) {
  const thing owns = relation("Owns");
  const kith::entity_t trait = GetParam() == storage::union_ ? kith::Union : kith::Exclusive;
  ann->add(owns, home);
  bob->add(owns, home);
  bob->add(owns, work);
  expect_refused(kith::errc::constraint, {"Owns", "bob"}, [&] { owns->add(trait); });
  bob->add(owns, shop);
  EXPECT_EQ(names(bob->targets(owns)), "home, work, shop");
  bob->remove(owns, work);
  bob->remove(owns, shop);
  owns->add(trait);
  bob->add(owns, work);
  EXPECT_EQ(names(bob->targets(owns)), "work");
}

TEST_P(exclusive_in_any_storage, target_that_is_deleted_leaves_none) {
  bob->add(at, work);
  work->destruct();
  EXPECT_EQ(line_of(bob), "bob:");
  bob->add(at, home);
  EXPECT_EQ(bob->target(at), home);
}

// M4 C7
TEST_P(exclusive_in_any_storage, relation_owns_union_alone) {
  const thing in = entity("In");
  in->add(kith::Union);
  EXPECT_EQ(line_of(in), "In: Union");
  bob->add(in, home);
  bob->add(in, work);
  EXPECT_EQ(line_of(bob), "bob: (In, work)");
  EXPECT_FALSE(in->has(kith::Exclusive));
  EXPECT_FALSE(in->has(kith::DontFragment));
}

TEST_P(exclusive_in_any_storage, union_contradicts_fragment) {
  const thing in = entity("In");
  in->add(kith::Fragment);
  expect_refused(kith::errc::constraint, {"In"}, [&] { in->add(kith::Union); });
  expect_refused(kith::errc::constraint, {"In"}, [&] { in->add(kith::DontFragment); });
  expect_refused(kith::errc::constraint, {"In"}, [&] { in->add(kith::Sparse); });
  in->remove(kith::Fragment);
  in->add(kith::Union);
  expect_refused(kith::errc::constraint, {"In"}, [&] { in->add(kith::Fragment); });
}

// --- with Symmetric ------------------------------------------------------------------------------

TEST_P(exclusive_in_any_storage, couples_are_couples) {
  at->add(kith::Symmetric);
  ann->add(at, bob);
  EXPECT_EQ(bob->target(at), ann);
  cyd->add(at, dan);
  ann->add(at, cyd);
  EXPECT_EQ(line_of(ann), "ann: (At, cyd)");
  EXPECT_EQ(line_of(cyd), "cyd: (At, ann)");
  EXPECT_EQ(line_of(bob), "bob:");
  EXPECT_EQ(line_of(dan), "dan:");
  cyd->remove(at, ann);
  EXPECT_EQ(world->count(at, kith::Wildcard), 0u);
}

TEST_P(exclusive_in_any_storage, one_can_be_a_couple_of_its_own) {
  at->add(kith::Symmetric);
  ann->add(at, bob);
  ann->add(at, ann);
  EXPECT_EQ(line_of(ann), "ann: (At, ann)");
  EXPECT_EQ(line_of(bob), "bob:");
  bob->add(at, ann);
  EXPECT_EQ(line_of(ann), "ann: (At, bob)");
  EXPECT_EQ(line_of(bob), "bob: (At, ann)");
}

TEST_P(exclusive_in_any_storage, late_symmetric_is_refused_where_it_would_add_a_second_target) {
  ann->add(at, bob);
  cyd->add(at, bob);
  expect_refused(kith::errc::constraint, {"At", "bob"}, [&] { at->add(kith::Symmetric); });
  cyd->remove(at, bob);
  bob->add(at, cyd);
  expect_refused(kith::errc::constraint, {"At", "bob"}, [&] { at->add(kith::Symmetric); });
  bob->remove(at, cyd);
  at->add(kith::Symmetric);
  EXPECT_EQ(bob->target(at), ann);
}

TEST_P(exclusive_in_any_storage, late_exclusive_counts_what_symmetric_added) {
  const thing weds = relation("Weds");
  const kith::entity_t trait = GetParam() == storage::union_ ? kith::Union : kith::Exclusive;
  weds->add(kith::Symmetric);
  ann->add(weds, bob);
  cyd->add(weds, bob);
  expect_refused(kith::errc::constraint, {"Weds", "bob"}, [&] { weds->add(trait); });
  bob->remove(weds, cyd);
  EXPECT_EQ(line_of(cyd), "cyd:");
  weds->add(trait);
  cyd->add(weds, ann);
  EXPECT_EQ(line_of(bob), "bob:");
}

TEST_P(exclusive_in_any_storage, deleted_half_of_a_couple_leaves_the_other_alone) {
  at->add(kith::Symmetric);
  ann->add(at, bob);
  bob->destruct();
  EXPECT_EQ(line_of(ann), "ann:");
  ann->add(at, cyd);
  EXPECT_EQ(cyd->target(at), ann);
}

// --- on and off ----------------------------------------------------------------------------------

TEST_P(exclusive_in_any_storage, new_target_is_on_whatever_the_old_one_was) {
  bob->add(at, home);
  bob->disable(at, home);
  EXPECT_FALSE(bob->target(at));
  bob->add(at, work);
  EXPECT_TRUE(bob->enabled(at, work));
  EXPECT_EQ(bob->target(at), work);
  bob->add(at, home);
  EXPECT_EQ(bob->target(at), home);
}

TEST_P(exclusive_in_any_storage, deferred_changes_end_with_the_last_target) {
  world->defer_begin();
  bob->add(at, home);
  bob->add(at, work);
  EXPECT_FALSE(bob->has(at, kith::Wildcard));
  bob->add(at, shop);
  world->defer_end();
  EXPECT_EQ(line_of(bob), "bob: (At, shop)");
}

}  // namespace
