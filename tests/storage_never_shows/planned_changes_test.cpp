// One change with many consequences has the same result as the single changes one by one.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class planned_changes_in_any_storage : public any_storage {
 protected:
  const thing likes = relation("Likes"), on = relation("On"), npc = tag("Npc");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd"), dan = entity("dan");
};
INSTANTIATE_TEST_SUITE_P(, planned_changes_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// --- pairs that come together --------------------------------------------------------------------

TEST_P(planned_changes_in_any_storage, pairs_that_close_a_cycle_together_are_refused) {
  likes->add(kith::Symmetric).add(kith::With, on);
  on->add(kith::Acyclic);
  expect_refused(kith::errc::constraint, {"On"}, [&] { ann->add(likes, bob); });
  on->remove(kith::Acyclic);
  ann->add(likes, bob);
  EXPECT_TRUE(ann->reaches(on, ann));
}

TEST_P(planned_changes_in_any_storage, two_entities_cannot_become_each_others_parent) {
  likes->add(kith::Symmetric).add(kith::With, kith::ChildOf);
  expect_refused(kith::errc::constraint, {"ChildOf"}, [&] { ann->add(likes, bob); });
}

TEST_P(planned_changes_in_any_storage, long_cycle_of_pairs_that_come_together_is_refused) {
  const thing eve = entity("eve");
  ann->add(likes, bob);
  bob->add(likes, cyd);
  cyd->add(on, dan);
  dan->add(on, eve);
  eve->add(on, ann);
  likes->add(kith::With, on);
  on->add(kith::Acyclic);
  // cyd -> bob -> ann would be sound; the facts lead from cyd to ann already.
  likes->add(kith::Symmetric);
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann), (Likes, cyd), (On, ann)");
  expect_refused(kith::errc::constraint, {"On"}, [&] { ann->add(likes, dan); });
}

TEST_P(planned_changes_in_any_storage, pair_that_goes_in_the_same_change_closes_no_cycle) {
  const thing at = exclusive("At");
  at->add(kith::Acyclic);
  cyd->add(likes, ann);
  ann->add(likes, bob).add(at, bob);
  likes->add(kith::With, at);
  likes->add(kith::Symmetric);
  EXPECT_EQ(ann->target(at), cyd);
  EXPECT_EQ(bob->target(at), ann);
}

TEST_P(planned_changes_in_any_storage, children_that_come_together_cannot_have_one_name) {
  const thing in_ann = entity("ann::part"), in_bob = entity("bob::part");
  cyd->add(likes, in_ann).add(likes, in_bob);
  likes->add(kith::With, kith::ChildOf);
  expect_refused(kith::errc::constraint, {"part", "cyd"}, [&] { likes->add(kith::Symmetric); });
}

TEST_P(planned_changes_in_any_storage, late_symmetric_brings_with_along) {
  ann->add(likes, bob);
  likes->add(kith::With, on);
  likes->add(kith::Symmetric);
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann), (On, ann)");
  EXPECT_EQ(line_of(ann), "ann: (Likes, bob)");
}

TEST_P(planned_changes_in_any_storage, exclusive_target_goes_on_both_sides_of_a_with) {
  const thing weds = exclusive("Weds");
  weds->add(kith::Symmetric);
  likes->add(kith::With, weds);
  ann->add(weds, bob);
  cyd->add(weds, dan);
  ann->add(likes, cyd);
  EXPECT_EQ(line_of(bob), "bob:");
  EXPECT_EQ(line_of(dan), "dan:");
  EXPECT_EQ(cyd->target(weds), ann);
}

TEST_P(planned_changes_in_any_storage, restriction_on_the_mirrored_side_refuses_both) {
  const thing food = entity("food"), pie = entity("food::pie");
  likes->add(kith::OneOf, food).add(kith::Symmetric);
  expect_refused(kith::errc::constraint, {"food"}, [&] { ann->add(likes, pie); });
  ann->child_of(food);
  ann->add(likes, pie);
  EXPECT_TRUE(pie->has(likes, ann));
}

// --- traits that come together -------------------------------------------------------------------

TEST_P(planned_changes_in_any_storage, bundle_of_traits_gives_all_of_them) {
  const thing bundle = entity("Bundle");
  bundle->add(kith::With, kith::Symmetric).add(kith::With, kith::Exclusive);
  likes->add(bundle);
  ann->add(likes, bob);
  bob->add(likes, cyd);
  EXPECT_EQ(line_of(ann), "ann:");
  EXPECT_EQ(cyd->target(likes), bob);
}

TEST_P(planned_changes_in_any_storage, traits_that_exclude_each_other_cannot_come_together) {
  const thing bundle = entity("Bundle");
  bundle->add(kith::With, kith::Symmetric).add(kith::With, kith::Acyclic);
  expect_refused(kith::errc::constraint, {"Likes"}, [&] { likes->add(bundle); });
}

TEST_P(planned_changes_in_any_storage, traits_that_the_data_contradicts_together_are_refused) {
  const thing bundle = entity("Bundle");
  bundle->add(kith::With, kith::Symmetric).add(kith::With, kith::Exclusive);
  ann->add(likes, bob);
  cyd->add(likes, bob);
  expect_refused(kith::errc::constraint, {"Likes", "bob"}, [&] { likes->add(bundle); });
  cyd->remove(likes, bob);
  likes->add(bundle);
  EXPECT_EQ(bob->target(likes), ann);
}

TEST_P(planned_changes_in_any_storage, two_pins_cannot_come_together) {
  const thing bundle = entity("Bundle"), free = entity("Free");
  bundle->add(kith::With, kith::Fragment).add(kith::With, kith::DontFragment);
  expect_refused(kith::errc::constraint, {"Free"}, [&] { free->add(bundle); });
}

TEST_P(planned_changes_in_any_storage, opposites_cannot_come_together) {
  const thing bundle = entity("Bundle"), kind = entity("Kind");
  bundle->add(kith::With, kith::Final).add(kith::With, kith::Inheritable);
  expect_refused(kith::errc::constraint, {"Kind"}, [&] { kind->add(bundle); });
  bundle->remove(kith::With, kith::Final);
  kind->add(kith::Final);
  kind->add(bundle);
  EXPECT_FALSE(kind->has(kith::Final));
}

TEST_P(planned_changes_in_any_storage, copy_of_acyclic_onto_its_own_relation_is_checked) {
  const thing eats = entity("Eats");
  ann->add(eats, eats).add(kith::Acyclic);
  expect_refused(kith::errc::constraint, {"Eats"}, [&] { ann->clone(true, eats); });
}

TEST_P(planned_changes_in_any_storage, copy_of_traits_onto_a_relation_in_use_is_checked) {
  const thing model = entity("Model"), eats = entity("Eats");
  model->add(kith::Exclusive).add(kith::Symmetric);
  ann->add(eats, bob);
  cyd->add(eats, bob);
  expect_refused(kith::errc::constraint, {"Eats", "bob"}, [&] { model->clone(true, eats); });
}

// --- ids that are gone ---------------------------------------------------------------------------

TEST_P(planned_changes_in_any_storage, tag_that_is_gone_cannot_be_added_although_it_was_asked_for) {
  bob->remove(npc);
  EXPECT_FALSE(bob->has(npc));
  npc->destruct();
  expect_refused(kith::errc::not_alive, {}, [&] { bob->add(npc); });
  expect_refused(kith::errc::not_alive, {}, [&] { bob->remove(npc); });
  const thing next = entity("next");
  bob->add(next);
  EXPECT_EQ(line_of(bob), "bob: next");
}

TEST_P(planned_changes_in_any_storage,
       pair_that_is_gone_cannot_be_added_although_it_was_asked_for) {
  const kith::id with_dan = world->pair(likes, dan), with_likes = world->pair(likes, ann);
  bob->remove(with_dan);
  bob->remove(with_likes);
  dan->destruct();
  expect_refused(kith::errc::not_alive, {}, [&] { bob->add(with_dan); });
  likes->destruct();
  expect_refused(kith::errc::not_alive, {}, [&] { bob->add(with_likes); });
}

// --- copies --------------------------------------------------------------------------------------

TEST_P(planned_changes_in_any_storage, copy_of_half_a_couple_takes_the_other_half_over) {
  const thing weds = exclusive("Weds");
  weds->add(kith::Symmetric);
  ann->add(weds, bob);
  const thing copy = as_thing(ann->clone());
  EXPECT_EQ(copy->target(weds), bob);
  EXPECT_EQ(bob->target(weds), copy);
  EXPECT_EQ(line_of(ann), "ann:");
}

TEST_P(planned_changes_in_any_storage, copy_is_switched_off_where_the_original_was) {
  const thing weds = exclusive("Weds");
  weds->add(kith::Symmetric);
  ann->add(weds, bob).add(likes, cyd);
  ann->disable(weds, bob);
  ann->disable(likes, cyd);
  const thing copy = as_thing(ann->clone());
  EXPECT_TRUE(copy->owns(weds, bob));
  EXPECT_FALSE(copy->has(weds, bob));
  EXPECT_FALSE(copy->has(likes, cyd));
}

TEST_P(planned_changes_in_any_storage, copy_of_a_part_that_closes_a_cycle_is_refused) {
  on->add(kith::Acyclic);
  ann->add(on, bob);
  bob->add(on, cyd);
  expect_refused(kith::errc::constraint, {"On"}, [&] { ann->clone(true, cyd); });
  ann->clone(true, dan);
  EXPECT_TRUE(dan->has(on, bob));
}

// --- instances -----------------------------------------------------------------------------------

TEST_P(planned_changes_in_any_storage, overridden_pairs_meet_the_traits_of_their_relation) {
  likes->add(kith::OnInstantiate, kith::Override);
  likes->add(kith::Symmetric);
  const thing model = prefab("model"), part = entity("model::part");
  part->add(likes, ann);
  bob->is_a(model);
  const kith::entity my_part = world->lookup("bob::part");
  EXPECT_EQ(names(ann->targets(likes)), names({part, my_part}));
  on->add(kith::OnInstantiate, kith::Override).add(kith::Exclusive);
  model->add(on, ann);
  cyd->add(on, bob);
  dan->is_a(model);
  EXPECT_EQ(dan->target(on), ann);
  cyd->is_a(model);
  EXPECT_EQ(cyd->target(on), bob);
}

TEST_P(planned_changes_in_any_storage, overridden_pairs_that_close_a_cycle_refuse_the_instance) {
  on->add(kith::OnInstantiate, kith::Override).add(kith::Acyclic);
  const thing model = prefab("model");
  entity("model::part");
  ann->add(on, bob);
  model->add(on, ann);
  expect_refused(kith::errc::constraint, {"On"}, [&] { bob->is_a(model); });
}

TEST_P(planned_changes_in_any_storage, kinds_can_go_with_their_base) {
  world->entity(kith::IsA).add(kith::OnDeleteTarget, kith::Delete);
  bob->is_a(ann);
  cyd->is_a(bob);
  ann->destruct();
  EXPECT_FALSE(bob.is_alive());
  EXPECT_FALSE(cyd.is_alive());
}

}  // namespace
