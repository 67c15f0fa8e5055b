// enable() and disable() of ids, clone() and clear().
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class toggles_in_any_storage : public any_storage {
 protected:
  const thing number = component<Number>(), eats = component<Eats>(), likes = relation("Likes"),
              npc = tag("Npc");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd"), dan = entity("dan");
};
INSTANTIATE_TEST_SUITE_P(, toggles_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(toggles_in_any_storage, what_is_off_is_owned_and_not_seen) {
  bob->set(Number{1}).add(npc).add(likes, ann).set<Eats>(ann, {2});
  bob->disable<Number>();
  bob->disable(npc);
  bob->disable(likes, ann);
  bob->disable(eats, ann);
  EXPECT_FALSE(bob->has<Number>());
  EXPECT_FALSE(bob->has(npc));
  EXPECT_FALSE(bob->has(likes, ann));
  EXPECT_FALSE(bob->has(likes, kith::Wildcard));
  EXPECT_FALSE(bob->has(kith::Wildcard, ann));
  EXPECT_EQ(bob->get<Number>(), nullptr);
  EXPECT_EQ(bob->get<Eats>(ann), nullptr);
  EXPECT_FALSE(bob->target(likes));
  EXPECT_TRUE(bob->owns<Number>());
  EXPECT_TRUE(bob->owns(likes, ann));
  EXPECT_EQ(line_of(bob), "bob: -Number=1, -Npc, -(Eats, ann)=2, -(Likes, ann)");
  EXPECT_EQ(world->count(likes, ann), 1u);
}

TEST_P(toggles_in_any_storage, what_is_on_again_has_its_value) {
  bob->set(Number{1}).set<Eats>(ann, {2});
  bob->disable<Number>();
  bob->disable(eats, ann);
  bob->enable<Number>();
  bob->enable(eats, ann);
  EXPECT_TRUE(bob->enabled<Number>());
  EXPECT_EQ(bob->get<Number>()->n, 1);
  EXPECT_EQ(bob->get<Eats>(ann)->n, 2);
}

TEST_P(toggles_in_any_storage, targets_that_are_off_are_passed_by) {
  for (const thing& whom : {ann, bob, cyd, dan}) bob->add(likes, whom);
  bob->disable(likes, ann);
  bob->disable(likes, cyd);
  EXPECT_EQ(names(bob->targets(likes)), "bob, dan");
  EXPECT_EQ(bob->target(likes), bob);
  EXPECT_EQ(bob->target(likes, 1), dan);
  EXPECT_FALSE(bob->target(likes, 2));
  EXPECT_EQ(bob->targets(likes).count(), 2u);
  EXPECT_EQ(bob->type().count(), 4u);
}

TEST_P(toggles_in_any_storage, others_are_not_affected_by_moves_of_rows) {
  std::vector<thing> crowd;
  for (int i = 0; i < 70; ++i) {
    crowd.push_back(entity());
    crowd.back()->set(Number{i}).add(likes, ann);
    if (i % 3 == 0) crowd.back()->disable<Number>();
    if (i % 4 == 0) crowd.back()->disable(likes, ann);
  }
  for (std::size_t i = 0; i < 70; i += 5) crowd[i]->destruct();
  for (std::size_t i = 0; i < 70; i += 7)
    if (i % 5) crowd[i]->add(npc);
  for (std::size_t i = 0; i < 70; ++i) {
    if (i % 5 == 0) continue;
    ASSERT_EQ(crowd[i]->has<Number>(), i % 3 != 0) << i;
    ASSERT_EQ(crowd[i]->has(likes, ann), i % 4 != 0) << i;
    ASSERT_EQ(crowd[i]->get_mut<Number>()->n, static_cast<int>(i));
  }
}

TEST_P(toggles_in_any_storage, id_that_left_comes_back_on) {
  bob->add(likes, ann).set(Number{1});
  bob->disable(likes, ann);
  bob->disable<Number>();
  bob->remove(likes, ann);
  bob->remove<Number>();
  bob->add(likes, ann).set(Number{2});
  EXPECT_TRUE(bob->has(likes, ann));
  EXPECT_TRUE(bob->has<Number>());
}

TEST_P(toggles_in_any_storage, value_can_be_set_while_off_and_stays_off) {
  bob->set(Number{1});
  bob->disable<Number>();
  bob->set(Number{2});
  bob->ensure<Number>().n += 1;
  bob->add<Number>();
  EXPECT_FALSE(bob->has<Number>());
  EXPECT_EQ(bob->get_mut<Number>()->n, 3);
}

TEST_P(toggles_in_any_storage, what_is_not_owned_cannot_be_switched) {
  const thing kind = entity("kind");
  bob->add(likes, ann);
  kind->is_a(bob);
  expect_refused(kith::errc::constraint, {"kind", "(Likes, ann)"},
                 [&] { kind->disable(likes, ann); });
  expect_refused(kith::errc::constraint, {"ann"}, [&] { ann->enable<Number>(); });
  EXPECT_FALSE(ann->enabled<Number>());
}

TEST_P(toggles_in_any_storage, symmetric_pair_that_is_off_still_goes_on_both_sides) {
  likes->add(kith::Symmetric);
  ann->add(likes, bob);
  ann->disable(likes, bob);
  EXPECT_TRUE(bob->has(likes, ann));
  bob->remove(likes, ann);
  EXPECT_FALSE(ann->owns(likes, bob));
}

TEST_P(toggles_in_any_storage, switches_survive_a_change_of_the_pin) {
  bob->set(Number{1}).add(likes, ann).add(likes, cyd);
  bob->disable(likes, ann);
  bob->disable<Number>();
  for (const thing& id : {likes, number}) {
    for (kith::entity_t pin : {kith::Fragment, kith::DontFragment, kith::Sparse, kith::Fragment}) {
      for (kith::entity_t old : {kith::Fragment, kith::DontFragment, kith::Sparse}) id->remove(old);
      id->add(pin);
      EXPECT_FALSE(bob->has(likes, ann));
      EXPECT_TRUE(bob->has(likes, cyd));
      EXPECT_EQ(line_of(bob), "bob: -Number=1, -(Likes, ann), (Likes, cyd)");
    }
  }
}

// --- clone ---------------------------------------------------------------------------------------

TEST_P(toggles_in_any_storage, clone_has_the_same_ids_and_values) {
  bob->set(Number{1}).add(npc).add(likes, ann).set<Eats>(ann, {2}).child_of(dan).is_a(cyd);
  bob->disable(likes, ann);
  const thing copy = as_thing(bob->clone());
  EXPECT_EQ(copy->type(), bob->type());
  EXPECT_EQ(copy->get<Number>()->n, 1);
  EXPECT_EQ(copy->get<Eats>(ann)->n, 2);
  EXPECT_FALSE(copy->has(likes, ann));
  EXPECT_TRUE(copy->name().empty());
  copy->set(Number{5});
  EXPECT_EQ(bob->get<Number>()->n, 1);
}

TEST_P(toggles_in_any_storage, clone_without_values_has_default_ones) {
  component<Other>();
  bob->set(Number{1}).set(Other{2}).set<Eats>(ann, {3});
  const thing copy = as_thing(bob->clone(false));
  EXPECT_EQ(copy->get<Number>()->n, 0);
  EXPECT_EQ(copy->get<Other>()->n, 7);
  EXPECT_EQ(copy->get<Eats>(ann)->n, 0);
}

TEST_P(toggles_in_any_storage, clone_without_values_does_not_copy_inherited_ones) {
  cyd->set(Number{4});
  bob->is_a(cyd);
  bob->set(Number{1});
  const thing copy = as_thing(bob->clone(false));
  EXPECT_EQ(copy->get_mut<Number>()->n, 0);
}

TEST_P(toggles_in_any_storage, clone_of_an_instance_makes_no_parts) {
  const thing model = prefab("model");
  entity("model::part");
  bob->is_a(model);
  const thing copy = as_thing(bob->clone());
  EXPECT_TRUE(copy->has(kith::IsA, model));
  for (kith::entity child : copy->children()) ADD_FAILURE() << child;
}

TEST_P(toggles_in_any_storage, clone_follows_symmetric) {
  likes->add(kith::Symmetric);
  bob->add(likes, ann);
  const thing copy = as_thing(bob->clone());
  EXPECT_EQ(ann->targets(likes).count(), 2u);
  EXPECT_TRUE(ann->has(likes, copy));
}

TEST_P(toggles_in_any_storage, clone_into_an_entity_that_has_ids_is_refused) {
  bob->add(likes, ann);
  cyd->add(npc);
  expect_refused(kith::errc::constraint, {"cyd"}, [&] { bob->clone(true, cyd); });
  bob->clone(true, dan);
  EXPECT_EQ(line_of(dan), "dan: (Likes, ann)");
}

TEST_P(toggles_in_any_storage, clone_that_is_against_a_trait_leaves_nothing) {
  world->set(Number{1});
  number->add(kith::Singleton);
  const std::size_t before = world->entity_count();
  EXPECT_THROW(number->clone(), kith::error);
  EXPECT_EQ(world->entity_count(), before);
}

// --- clear ---------------------------------------------------------------------------------------

TEST_P(toggles_in_any_storage, cleared_entity_has_its_name_and_nothing_else) {
  bob->set(Number{1}).add(npc).add(likes, ann).set<Eats>(ann, {2}).child_of(dan).is_a(cyd);
  ann->add(likes, bob);
  bob->disable(npc);
  bob->clear();
  EXPECT_EQ(line_of(bob), "bob:");
  EXPECT_EQ(bob->path(), "bob");
  EXPECT_TRUE(ann->has(likes, bob));
  EXPECT_EQ(world->count<Number>(), 0u);
  bob->add(npc);
  EXPECT_TRUE(bob->has(npc));
}

TEST_P(toggles_in_any_storage, cleared_relation_loses_its_traits) {
  likes->add(kith::Symmetric).add(kith::Transitive).add(kith::Reflexive);
  ann->add(likes, bob);
  likes->clear();
  EXPECT_FALSE(ann->related(likes, ann));
  ann->remove(likes, bob);
  EXPECT_TRUE(bob->has(likes, ann));
  cyd->add(likes, dan);
  EXPECT_FALSE(dan->has(likes, cyd));
}

TEST_P(toggles_in_any_storage, cleared_component_is_still_one) {
  bob->set(Number{1});
  number->clear();
  EXPECT_EQ(bob->get<Number>()->n, 1);
  EXPECT_TRUE(number->has(kith::Component));
  ann->set(Number{2});
  EXPECT_EQ(ann->get<Number>()->n, 2);
}

}  // namespace
