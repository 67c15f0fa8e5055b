// Mistakes among changes that wait.
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class deferred_errors : public testing::Test, protected bob_likes_fruit {};

TEST_F(deferred_errors, a_change_that_fails_is_skipped_and_the_rest_happens) {
  world.entity("taken");
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                bob.add<Npc>();
                bob.set_name("taken");
                bob.child_of(bob);
                bob.add(apples);
              });
            }),
            "constraint");
  EXPECT_TRUE(bob.has<Npc>() && bob.has(apples));
  EXPECT_EQ(bob.name(), "bob");
  EXPECT_FALSE(bob.parent());
}

TEST_F(deferred_errors, the_first_error_is_thrown_at_the_end) {
  world.entity("taken");
  const auto fail = [&] {
    bob.set_name("taken");
    bob.child_of(bob);
  };
  const std::string first = "the name 'taken' is taken at the root";
  EXPECT_EQ(message_of([&] { world.defer(fail); }), first);
  EXPECT_TRUE(world.deferred_errors().empty());
  world.defer_begin();
  fail();
  EXPECT_EQ(message_of([&] { world.defer_end(); }), first);
  EXPECT_FALSE(world.is_deferred());
  EXPECT_EQ(message_of([&] {
              for (kith::entity food : bob.targets(Likes))
                if (food == apples) fail();
            }),
            first);
  EXPECT_FALSE(world.is_deferred());
}

TEST_F(deferred_errors, errors_of_a_visit_left_by_break_or_throw_wait_in_deferred_errors) {
  for (kith::entity food : bob.targets(Likes)) {
    food.child_of(food);
    bob.child_of(bob);
    break;
  }
  const std::vector<kith::error> errors = world.deferred_errors();
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].code(), kith::errc::constraint);
  EXPECT_NE(std::string(errors[0].what()).find("apples"), std::string::npos);
  EXPECT_TRUE(world.deferred_errors().empty()) << "asking empties the list";
  EXPECT_THROW(world.defer([&] {
    bob.child_of(bob);
    throw std::runtime_error("left");
  }),
               std::runtime_error);
  EXPECT_EQ(world.deferred_errors().size(), 1u);
}

TEST_F(deferred_errors, what_can_be_seen_at_once_is_refused_at_once) {
  const kith::entity dead = world.entity();
  dead.destruct();
  world.defer([&] {
    EXPECT_EQ(error_of([&] { dead.add<Npc>(); }), "not_alive");
    EXPECT_EQ(error_of([&] { dead.set(Position{1, 2}); }), "not_alive");
    EXPECT_EQ(error_of([&] { dead.destruct(); }), "not_alive");
    EXPECT_EQ(error_of([&] { bob.add(dead); }), "not_alive");
    EXPECT_EQ(error_of([&] { bob.add(Likes, dead); }), "not_alive");
    EXPECT_EQ(error_of([&] { bob.add(Likes, kith::Wildcard); }), "constraint");
    EXPECT_EQ(error_of([&] { bob.set_second<Health>(world.id<Eats>(), {}); }), "type");
  });
}

TEST_F(deferred_errors, changes_of_an_entity_that_dies_before_their_turn_are_dropped) {
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                apples.destruct();
                apples.destruct();
                apples.set(Position{1, 2}).set_name("fruit").clear();
                bob.add(apples).add<Npc>();
              });
            }),
            "none");
  EXPECT_EQ(state_of(bob), "bob: Npc, (Likes, pears)");
  EXPECT_TRUE(world.deferred_errors().empty());
}

struct Unlucky {
  Unlucky() { throw 42; }
  int x;
};

TEST_F(deferred_errors, an_id_that_dies_before_its_turn_drops_whatever_was_to_be_done) {
  using kith::entity, kith::world;
  const auto error_after_death = [&](auto change) {
    world fresh;
    const entity food = fresh.entity(), eater = fresh.entity().add(food).add(food, food);
    const entity clone = fresh.entity();
    fresh.component<Eats>();
    return error_of([&] {
      fresh.defer([&] {
        food.destruct();
        change(fresh, eater, food, clone);
      });
    });
  };
  const auto expect_dropped = [&](auto change) { EXPECT_EQ(error_after_death(change), "none"); };
  expect_dropped([](world&, entity eater, entity food, entity) { eater.remove(food); });
  expect_dropped([](world&, entity eater, entity food, entity) { eater.disable(food); });
  expect_dropped([](world&, entity eater, entity food, entity) { eater.enable(food, food); });
  expect_dropped([](world& w, entity, entity food, entity) { w.remove_all(food); });
  expect_dropped([](world& w, entity, entity food, entity) { w.delete_with(food); });
  expect_dropped(
      [](world& w, entity, entity food, entity) { w.delete_with(kith::Wildcard, food); });
  expect_dropped([](world&, entity eater, entity food, entity) { eater.set<Eats>(food, {1}); });
  expect_dropped([](world&, entity eater, entity food, entity) { eater.ensure<Eats>(food); });
  expect_dropped([](world&, entity eater, entity food, entity) { eater.add(food, eater); });
  expect_dropped([](world&, entity eater, entity food, entity) { eater.add(eater, food); });
  expect_dropped([](world&, entity, entity food, entity clone) { food.clone(true, clone); });
  expect_dropped([](world&, entity, entity food, entity) { food.clone(); });
}

TEST_F(deferred_errors, an_order_of_children_one_of_which_dies_before_its_turn_is_dropped) {
  const kith::entity parent = world.entity("parent").add(kith::OrderedChildren);
  const kith::entity a = world.entity("parent::a"), b = world.entity("parent::b"),
                     c = world.entity("parent::c");
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                b.destruct();
                parent.set_child_order(std::vector{c, b, a});
              });
            }),
            "none");
  EXPECT_EQ(parent.children().count(), 2u);
  EXPECT_EQ(*parent.children().begin(), a);
}

TEST_F(deferred_errors, what_fails_for_another_reason_than_a_death_is_still_an_error) {
  world.component<Eats>();
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                bob.disable<Npc>();
                pears.destruct();
                bob.add(Likes, pears);
              });
            }),
            "constraint");
}

// The prefab has children, so that entities begin while the queue is carried out.
TEST_F(deferred_errors, a_pair_whose_target_died_does_not_hit_an_entity_that_begins_meanwhile) {
  const kith::entity model = world.prefab("model");
  for (const char* part : {"model::a", "model::b", "model::c"}) world.prefab(part);
  const kith::entity car = world.entity("car"), carol = world.entity("carol");
  world.defer([&] {
    pears.destruct();
    apples.destruct();
    car.is_a(model);
    carol.add(Likes, pears).add(Likes, apples);
  });
  EXPECT_EQ(car.children().count(), 3u);
  EXPECT_FALSE(carol.has(Likes, kith::Wildcard));
}

struct Wish {
  std::function<void()> act;
  Wish() = default;
  Wish(Wish&&) = default;
  Wish& operator=(Wish&&) = default;
  ~Wish() {
    if (act) act();
  }
};

// The change is queued by a destructor while the target, a sibling, goes with the same parent.
TEST_F(deferred_errors, a_pair_whose_target_goes_with_what_queued_it_hits_no_new_entity) {
  const kith::entity model = world.prefab("model");
  for (const char* part : {"model::a", "model::b", "model::c"}) world.prefab(part);
  const kith::entity parent = world.entity("parent"), car = world.entity("car"),
                     carol = world.entity("carol");
  std::vector<kith::entity> children;
  for (int i = 0; i < 3; ++i) children.push_back(world.entity().child_of(parent));
  for (kith::entity child : children) {
    Wish wish;
    wish.act = [=, &children] {
      if (!car.has(kith::IsA, model)) car.is_a(model);
      for (kith::entity other : children)
        if (other.is_alive()) carol.add(carol, other);
    };
    child.set(std::move(wish));
  }
  parent.destruct();
  EXPECT_EQ(car.children().count(), 3u);
  EXPECT_FALSE(carol.has(carol, kith::Wildcard));
}

// The values that were never given are destroyed.
TEST_F(deferred_errors, a_dropped_value_is_destroyed) {
  const auto value = std::make_shared<int>(1);
  world.defer([&] {
    apples.destruct();
    apples.set(value);
    EXPECT_EQ(value.use_count(), 2);
  });
  EXPECT_EQ(value.use_count(), 1);
}

TEST_F(deferred_errors, whatever_a_constructor_throws_does_not_stop_the_rest) {
  EXPECT_ANY_THROW(world.defer([&] { bob.add<Unlucky>().add<Npc>(); }));
  EXPECT_TRUE(bob.has<Npc>());
  for (kith::entity food : bob.targets(Likes)) {
    food.add<Unlucky>().add<Npc>();
    break;
  }
  EXPECT_TRUE(apples.has<Npc>());
  EXPECT_EQ(world.deferred_errors().size(), 1u);
}

}  // namespace
