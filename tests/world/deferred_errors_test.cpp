// Mistakes among changes that wait.
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

TEST_F(deferred_errors, changes_of_an_entity_deleted_before_them_fail) {
  EXPECT_EQ(error_of([&] {
              world.defer([&] {
                apples.destruct();
                apples.set(Position{1, 2});
                bob.add(apples).add<Npc>();
              });
            }),
            "not_alive");
  EXPECT_EQ(state_of(bob), "bob: Npc, (Likes, pears)");
}

struct Unlucky {
  Unlucky() { throw 42; }
  int x;
};

TEST_F(deferred_errors, an_id_that_dies_before_its_turn_is_not_alive_whatever_was_to_be_done) {
  const auto after_the_death_of_food = [&](auto change) {
    kith::world fresh;
    const kith::entity food = fresh.entity(), eater = fresh.entity().add(food);
    return error_of([&] {
      fresh.defer([&] {
        food.destruct();
        change(fresh, eater, food);
      });
    });
  };
  using kith::entity, kith::world;
  const auto remove = [](world&, entity eater, entity food) { eater.remove(food); };
  const auto disable = [](world&, entity eater, entity food) { eater.disable(food); };
  const auto remove_all = [](world& w, entity, entity food) { w.remove_all(food); };
  const auto delete_with = [](world& w, entity, entity food) { w.delete_with(food); };
  EXPECT_EQ(after_the_death_of_food(remove), "not_alive");
  EXPECT_EQ(after_the_death_of_food(disable), "not_alive");
  EXPECT_EQ(after_the_death_of_food(remove_all), "not_alive");
  EXPECT_EQ(after_the_death_of_food(delete_with), "not_alive");
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
