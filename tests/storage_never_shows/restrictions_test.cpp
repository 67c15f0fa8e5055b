// Traits that restrict the use of an id, and With, which adds to it.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class restrictions_in_any_storage : public any_storage {
 protected:
  const thing likes = relation("Likes"), hates = relation("Hates"), npc = tag("Npc");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd");
};
INSTANTIATE_TEST_SUITE_P(, restrictions_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// --- With ----------------------------------------------------------------------------------------

TEST_P(restrictions_in_any_storage, with_adds_the_other_tag_too) {
  const thing strong = tag("Strong"), proud = tag("Proud");
  npc->add(kith::With, strong);
  strong->add(kith::With, proud);
  bob->add(npc);
  EXPECT_EQ(line_of(bob), "bob: Npc, Strong, Proud");
  bob->remove(npc);
  EXPECT_EQ(line_of(bob), "bob: Strong, Proud");
}

TEST_P(restrictions_in_any_storage,
       with_adds_a_component_with_its_default_value_and_keeps_another) {
  const thing other = component<Other>();
  npc->add(kith::With, other);
  bob->add(npc);
  EXPECT_EQ(line_of(bob), "bob: Npc, Other=7");
  ann->set(Other{1});
  ann->add(npc);
  EXPECT_EQ(ann->get<Other>()->n, 1);
}

TEST_P(restrictions_in_any_storage, with_holds_for_values_that_are_set) {
  component<Number>()->add(kith::With, npc);
  bob->set(Number{3});
  EXPECT_TRUE(bob->has(npc));
  EXPECT_EQ(bob->get<Number>()->n, 3);
  ann->ensure<Number>().n = 4;
  EXPECT_TRUE(ann->has(npc));
}

TEST_P(restrictions_in_any_storage, with_of_a_relation_adds_a_pair_with_the_same_target) {
  likes->add(kith::With, hates);
  bob->add(likes, ann);
  bob->add(likes, cyd);
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann), (Likes, cyd), (Hates, ann), (Hates, cyd)");
  bob->remove(likes, ann);
  EXPECT_TRUE(bob->has(hates, ann));
}

TEST_P(restrictions_in_any_storage, with_meets_the_traits_of_the_other_relation) {
  const thing at = exclusive("At");
  likes->add(kith::With, at);
  bob->add(likes, ann);
  bob->add(likes, cyd);
  EXPECT_EQ(names(bob->targets(likes)), "ann, cyd");
  EXPECT_EQ(names(bob->targets(at)), "cyd");
  hates->add(kith::Symmetric);
  npc->add(kith::With, hates);
  bob->add(npc, ann);
  EXPECT_TRUE(ann->has(hates, bob));
}

TEST_P(restrictions_in_any_storage, with_can_go_around_in_a_circle) {
  likes->add(kith::With, hates);
  hates->add(kith::With, likes);
  bob->add(hates, ann);
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann), (Hates, ann)");
  npc->add(kith::With, npc);
  bob->add(npc);
  EXPECT_TRUE(bob->has(npc));
}

TEST_P(restrictions_in_any_storage, with_affects_later_changes_only) {
  ann->add(likes, cyd);
  likes->add(kith::With, hates);
  EXPECT_FALSE(ann->has(hates, cyd));
  bob->add(likes, cyd);
  EXPECT_TRUE(bob->has(hates, cyd));
  likes->remove(kith::With, hates);
  EXPECT_TRUE(bob->has(hates, cyd));
  bob->add(likes, ann);
  EXPECT_FALSE(bob->has(hates, ann));
}

TEST_P(restrictions_in_any_storage, with_that_cannot_be_refuses_the_whole) {
  const thing at = relation("At");
  at->add(kith::Acyclic);
  likes->add(kith::With, at);
  bob->add(likes, ann);
  expect_refused(kith::errc::constraint, {"At", "ann", "bob"}, [&] { ann->add(likes, bob); });
}

TEST_P(restrictions_in_any_storage, with_ends_when_the_other_is_deleted) {
  likes->add(kith::With, hates);
  hates->destruct();
  bob->add(likes, ann);
  EXPECT_EQ(line_of(bob), "bob: (Likes, ann)");
  EXPECT_FALSE(likes->has(kith::With, kith::Wildcard));
}

// --- OneOf ---------------------------------------------------------------------------------------

TEST_P(restrictions_in_any_storage, one_of_as_a_tag_wants_children_of_the_relation) {
  const thing sweet = entity("Likes::sweet");
  likes->add(kith::OneOf);
  bob->add(likes, sweet);
  expect_refused(kith::errc::constraint, {"Likes", "ann"}, [&] { bob->add(likes, ann); });
  likes->remove(kith::OneOf);
  bob->add(likes, ann);
  EXPECT_EQ(names(bob->targets(likes)), "ann, Likes::sweet");
}

TEST_P(restrictions_in_any_storage, one_of_as_a_pair_wants_children_of_its_target) {
  const thing food = entity("food"), pie = entity("food::pie"), crust = entity("food::pie::crust");
  likes->add(kith::OneOf, food);
  bob->add(likes, pie);
  expect_refused(kith::errc::constraint, {"food", "ann"}, [&] { bob->add(likes, ann); });
  expect_refused(kith::errc::constraint, {"food"}, [&] { bob->add(likes, crust); });
  ann->child_of(food);
  bob->add(likes, ann);
  EXPECT_EQ(names(bob->targets(likes)), "food::ann, food::pie");
}

TEST_P(restrictions_in_any_storage, a_target_of_one_of_does_not_leave_its_parent) {
  const thing food = entity("food"), pears = entity("pears"), nameless = entity();
  pears->child_of(food), nameless->child_of(food);
  likes->add(kith::OneOf, food);
  bob->add(likes, pears).add(likes, nameless);
  expect_refused(kith::errc::constraint, {"pears", "bob", "OneOf"}, [&] { pears->child_of(bob); });
  expect_refused(kith::errc::constraint, {"pears", "bob"},
                 [&] { pears->remove(kith::ChildOf, food); });
  expect_refused(kith::errc::constraint, {"bob"}, [&] { nameless->child_of(bob); });
  bob->remove(likes, pears);
  pears->child_of(bob);
  likes->remove(kith::OneOf, food);
  nameless->child_of(bob);
  EXPECT_EQ(nameless->parent(), bob);
}

TEST_P(restrictions_in_any_storage, a_target_of_one_of_may_get_its_parent_in_the_same_change) {
  const thing food = entity("food"), pie = entity("food::pie"), nameless = entity();
  nameless->child_of(food);
  likes->add(kith::OneOf, food).add(kith::Symmetric);
  nameless->add(likes, pie);
  const kith::entity copy = nameless->clone();
  EXPECT_TRUE(copy.has(likes, pie));
  EXPECT_TRUE(pie->has(likes, copy));
}

TEST_P(restrictions_in_any_storage, late_one_of_is_refused_where_a_target_is_no_child) {
  const thing food = entity("food"), pie = entity("food::pie");
  bob->add(likes, pie);
  cyd->add(likes, ann);
  expect_refused(kith::errc::constraint, {"Likes", "cyd", "ann"},
                 [&] { likes->add(kith::OneOf, food); });
  expect_refused(kith::errc::constraint, {"Likes"}, [&] { likes->add(kith::OneOf); });
  cyd->remove(likes, ann);
  likes->add(kith::OneOf, food);
  expect_refused(kith::errc::constraint, {}, [&] { cyd->add(likes, ann); });
}

// --- Relationship, Target, Trait -----------------------------------------------------------------

TEST_P(restrictions_in_any_storage, relationship_is_used_as_a_relation_only) {
  likes->add(kith::Relationship);
  bob->add(likes, ann);
  expect_refused(kith::errc::constraint, {"Likes"}, [&] { bob->add(likes); });
  expect_refused(kith::errc::constraint, {"Likes"}, [&] { bob->add(hates, likes); });
  likes->remove(kith::Relationship);
  bob->add(likes);
  bob->add(hates, likes);
  EXPECT_EQ(line_of(bob), "bob: Likes, (Likes, ann), (Hates, Likes)");
}

TEST_P(restrictions_in_any_storage, trait_may_be_about_a_relationship) {
  const thing about = relation("About");
  likes->add(kith::Relationship);
  about->add(kith::Trait);
  bob->add(about, likes);
  npc->add(kith::With, likes);
  EXPECT_TRUE(bob->has(about, likes));
  about->remove(kith::Trait);
  expect_refused(kith::errc::constraint, {"Likes"}, [&] { ann->add(about, likes); });
}

TEST_P(restrictions_in_any_storage, late_relationship_is_refused_where_it_is_something_else) {
  bob->add(likes);
  expect_refused(kith::errc::constraint, {"Likes", "bob"}, [&] { likes->add(kith::Relationship); });
  bob->remove(likes);
  ann->add(hates, likes);
  expect_refused(kith::errc::constraint, {"Likes", "ann", "(Hates, Likes)"},
                 [&] { likes->add(kith::Relationship); });
  ann->remove(hates, likes);
  likes->add(kith::Relationship);
}

TEST_P(restrictions_in_any_storage, target_is_used_as_a_target_only) {
  npc->add(kith::Target);
  bob->add(likes, npc);
  expect_refused(kith::errc::constraint, {"Npc"}, [&] { bob->add(npc); });
  expect_refused(kith::errc::constraint, {"Npc"}, [&] { bob->add(npc, ann); });
  npc->remove(kith::Target);
  bob->add(npc);
}

TEST_P(restrictions_in_any_storage, late_target_is_refused_where_it_is_something_else) {
  bob->add(npc);
  expect_refused(kith::errc::constraint, {"Npc", "bob"}, [&] { npc->add(kith::Target); });
  bob->remove(npc);
  cyd->add(npc, ann);
  expect_refused(kith::errc::constraint, {"Npc", "cyd"}, [&] { npc->add(kith::Target); });
  cyd->remove(npc, ann);
  cyd->add(likes, npc);
  npc->add(kith::Target);
}

// --- Final, Inheritable --------------------------------------------------------------------------

// Q159
TEST_P(restrictions_in_any_storage, final_entity_has_no_kinds) {
  npc->add(kith::Final);
  expect_refused(kith::errc::constraint, {"Npc"}, [&] { bob->is_a(npc); });
  npc->remove(kith::Final);
  bob->is_a(npc);
  expect_refused(kith::errc::constraint, {"Npc", "bob"}, [&] { npc->add(kith::Final); });
  bob->remove(kith::IsA, npc);
  npc->add(kith::Final);
}

// Q161 C39
TEST_P(restrictions_in_any_storage, component_is_final_unless_it_is_inheritable) {
  const thing number = component<Number>();
  EXPECT_TRUE(number->has(kith::Final));
  EXPECT_FALSE(as_thing(world->component<Begin>())->has(kith::Final));
  expect_refused(kith::errc::constraint, {"Number"}, [&] { bob->is_a(number); });
  number->add(kith::Inheritable);
  EXPECT_FALSE(number->has(kith::Final));
  bob->is_a(number);
  expect_refused(kith::errc::constraint, {"Number", "bob"}, [&] { number->add(kith::Final); });
  bob->remove(kith::IsA, number);
  number->add(kith::Final);
  EXPECT_FALSE(number->has(kith::Inheritable));
}

TEST_P(restrictions_in_any_storage, built_in_entities_are_final) {
  EXPECT_THROW(bob->is_a(kith::ChildOf), kith::error);
  EXPECT_THROW(bob->is_a(kith::Prefab), kith::error);
  EXPECT_EQ(line_of(bob), "bob:");
}

// --- Singleton -----------------------------------------------------------------------------------

TEST_P(restrictions_in_any_storage, singleton_is_on_its_own_entity_only) {
  const thing number = component<Number>();
  number->add(kith::Singleton);
  world->set(Number{3});
  EXPECT_EQ(world->get<Number>()->n, 3);
  expect_refused(kith::errc::constraint, {"Number"}, [&] { bob->set(Number{4}); });
  expect_refused(kith::errc::constraint, {"Number"}, [&] { bob->add<Number>(ann); });
  expect_refused(kith::errc::constraint, {"Number"}, [&] { bob->ensure<Number>(); });
  number->remove(kith::Singleton);
  bob->set(Number{4});
  EXPECT_EQ(world->get<Number>()->n, 3);
}

TEST_P(restrictions_in_any_storage, late_singleton_is_refused_where_another_has_it) {
  const thing number = component<Number>();
  world->set(Number{3});
  bob->set(Number{4});
  expect_refused(kith::errc::constraint, {"Number", "bob"}, [&] { number->add(kith::Singleton); });
  bob->remove<Number>();
  number->add(kith::Singleton);
}

}  // namespace
