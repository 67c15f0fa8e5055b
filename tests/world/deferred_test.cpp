// Changes that wait: in defer, between defer_begin and defer_end, and while something is visited.
#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class deferred : public testing::Test, protected bob_likes_fruit {};

// --- waiting ---

// C62
TEST_F(deferred, changes_wait_for_the_end_of_defer) {
  world.defer([&] {
    bob.add<Npc>().set(Position{1, 2}).remove(Likes, apples);
    EXPECT_TRUE(world.is_deferred());
    EXPECT_FALSE(bob.has<Npc>());
    EXPECT_EQ(bob.get<Position>(), nullptr);
    EXPECT_TRUE(bob.has(Likes, apples));
  });
  EXPECT_FALSE(world.is_deferred());
  EXPECT_EQ(state_of(bob), "bob: Npc, Position=0000803f00000040, (Likes, pears)");
}

TEST_F(deferred, begin_and_end_nest_and_the_outermost_end_counts) {
  world.defer_begin();
  world.defer_begin();
  bob.add<Npc>();
  world.defer_end();
  EXPECT_TRUE(world.is_deferred());
  EXPECT_FALSE(bob.has<Npc>());
  world.defer([&] { bob.add(apples); });
  EXPECT_FALSE(bob.has(apples));
  world.defer_end();
  EXPECT_TRUE(bob.has<Npc>() && bob.has(apples));
}

TEST_F(deferred, changes_happen_in_the_order_they_were_asked_for) {
  world.defer([&] {
    bob.set(Health{1}).set(Health{2}).remove<Health>().set(Health{3});
    bob.add<Npc>().remove<Npc>();
  });
  EXPECT_EQ(bob.get<Health>()->points, 3);
  EXPECT_FALSE(bob.has<Npc>());
}

TEST_F(deferred, a_new_entity_is_alive_at_once_and_gets_its_ids_later) {
  kith::entity child, valued;
  std::vector<kith::entity> many;
  bob.scope([&] {
    world.defer([&] {
      child = world.entity().add<Npc>();
      valued = world.entity(Position{1, 2}, Npc{});
      many = world.bulk(3, Health{7});
      EXPECT_TRUE(child.is_alive() && valued.is_alive() && many[2].is_alive());
      EXPECT_EQ(child.type().count() + valued.type().count() + many[2].type().count(), 0u);
    });
  });
  EXPECT_EQ(child.parent(), bob);
  EXPECT_TRUE(child.has<Npc>());
  EXPECT_EQ(*valued.get<Position>(), (Position{1, 2}));
  EXPECT_EQ(valued.parent(), bob);
  EXPECT_EQ(many[2].get<Health>()->points, 7);
}

TEST_F(deferred, a_new_name_is_there_at_once) {
  world.defer([&] {
    const kith::entity seat = world.entity("ship::seat");
    EXPECT_EQ(world.entity("ship::seat"), seat);
    EXPECT_EQ(world.lookup("ship::seat"), seat);
    EXPECT_EQ(seat.name(), "seat");
  });
  EXPECT_EQ(world.lookup("ship::seat").path(), "ship::seat");
}

TEST_F(deferred, a_path_leads_back_to_its_entity_while_changes_wait) {
  world.defer([&] {
    const kith::entity seat = world.entity("ship::seat");
    EXPECT_EQ(world.lookup(seat.path()), seat) << seat.path();
    const kith::entity named = world.entity().set_name("later");
    EXPECT_EQ(world.lookup(named.path()), named) << named.path();
  });
}

TEST_F(deferred, ensure_gives_a_value_that_will_be_there) {
  world.defer([&] {
    bob.ensure<Health>().points = 5;
    EXPECT_EQ(bob.ensure<Health>().points, 5);
    EXPECT_EQ(bob.get<Health>(), nullptr);
    bob.ensure<Eats>(apples).amount = 6;
  });
  EXPECT_EQ(bob.get<Health>()->points, 5);
  EXPECT_EQ(bob.get<Eats>(apples)->amount, 6);
}

TEST_F(deferred, ensure_and_get_mut_of_what_is_there_write_at_once) {
  bob.set(Health{5});
  world.defer([&] {
    bob.get_mut<Health>()->points = 6;
    EXPECT_EQ(bob.get<Health>()->points, 6);
    bob.ensure<Health>().points = 7;
    EXPECT_EQ(bob.get<Health>()->points, 7);
  });
}

TEST_F(deferred, a_deleted_entity_lives_until_the_end) {
  world.defer([&] {
    bob.destruct();
    EXPECT_TRUE(bob.is_alive());
    EXPECT_TRUE(bob.has(Likes, apples));
  });
  EXPECT_FALSE(bob.is_alive());
}

TEST_F(deferred, every_kind_of_change_waits) {
  const kith::entity copy = world.entity("copy");
  const int five = 5;
  const kith::entity number = world.component({.name = "number", .size = 4, .alignment = 4});
  apples.add<Npc>();
  pears.set(Health{5});
  world.component<Position>();
  const std::string before = state_of(world);
  world.defer([&] {
    bob.set_ptr(number, &five).disable(Likes, pears).emplace<Position>(1.f, 2.f);
    bob.clone(true, copy);
    bob.clear().set_name("rob");
    world.remove_all<Npc>();
    world.delete_with<Health>();
    EXPECT_EQ(state_of(world), before);
  });
  EXPECT_EQ(state_of(bob), "rob:");
  EXPECT_EQ(state_of(copy), "copy: number=05000000, Position=0000803f00000040, (Likes, apples)");
  EXPECT_FALSE(apples.has<Npc>());
  EXPECT_FALSE(pears.is_alive());
}

TEST_F(deferred, a_constructor_that_throws_does_so_at_the_call) {
  struct Refusing {
    explicit Refusing(int) { throw std::runtime_error("no"); }
    int x = 0;
  };
  world.defer([&] { EXPECT_THROW(bob.emplace<Refusing>(1), std::runtime_error); });
  EXPECT_FALSE(bob.has<Refusing>());
}

// --- visits ---

TEST_F(deferred, targets_can_be_changed_while_they_are_visited) {
  for (kith::entity food : bob.targets(Likes)) {
    bob.remove(Likes, food).add(Likes, bob);
    EXPECT_TRUE(bob.has(Likes, food));
  }
  EXPECT_EQ(state_of(bob), "bob: (Likes, bob)");
}

TEST_F(deferred, children_can_be_changed_while_they_are_visited) {
  for (const char* name : {"bob::a", "bob::b", "bob::c"}) world.entity(name);
  int visits = 0;
  bob.children([&](kith::entity child) {
    ++visits;
    child.destruct();
    world.entity().child_of(bob);
  });
  EXPECT_EQ(visits, 3);
  EXPECT_EQ(list(bob.children()).size(), 3u);
  EXPECT_FALSE(world.lookup("bob::a"));
}

TEST_F(deferred, ids_can_be_changed_while_they_are_visited) {
  bob.each([&](kith::id id) { bob.remove(id); });
  EXPECT_EQ(bob.type().count(), 0u);
  bob.add(Likes, apples).add(Likes, pears);
  bob.match(world.pair(Likes, kith::Wildcard), [&](kith::id id) { bob.remove(id).add<Npc>(); });
  EXPECT_EQ(state_of(bob), "bob: Npc");
  bob.add(Likes, apples).each(Likes, [&](kith::entity food) { bob.add(Likes, bob).add(food); });
  EXPECT_EQ(bob.targets(Likes).count(), 2u);
}

TEST_F(deferred, entities_can_be_deleted_and_made_while_the_world_is_visited) {
  for (int i = 0; i < 100; ++i) world.entity().set(Health{i});
  world.each<Health>([&](kith::entity e) {
    if (e.get<Health>()->points % 2)
      e.destruct();
    else
      world.entity().set(Health{1000});
  });
  EXPECT_EQ(world.count<Health>(), 100u);
}

TEST_F(deferred, an_iterator_by_hand_defers_as_long_as_it_lives) {
  const kith::target_range range = bob.targets(Likes);
  int steps = 0;
  for (auto i = range.begin(); i != range.end(); i++) {
    bob.add<Npc>();
    steps += !bob.has<Npc>();
  }
  EXPECT_EQ(steps, 2);
  EXPECT_TRUE(bob.has<Npc>() && !world.is_deferred());
}

// C62
TEST_F(deferred, the_outermost_visit_counts) {
  for (kith::entity food : bob.targets(Likes)) {
    bob.each([&](kith::id id) { bob.remove(id); });
    EXPECT_TRUE(bob.has(Likes, food)) << "the inner visit ended, the outer one did not";
  }
  EXPECT_EQ(bob.type().count(), 0u);
}

TEST_F(deferred, changes_happen_when_a_visit_is_left_by_break) {
  for (kith::entity food : bob.targets(Likes)) {
    bob.remove(Likes, food);
    break;
  }
  EXPECT_FALSE(world.is_deferred());
  EXPECT_EQ(state_of(bob), "bob: (Likes, pears)");
  world.entity("bob::child");
  for (kith::entity child : bob.children()) {
    child.destruct();
    break;
  }
  EXPECT_TRUE(list(bob.children()).empty());
}

TEST_F(deferred, changes_happen_when_a_visit_is_left_by_a_throw) {
  const auto leave = [&](auto visit) {
    EXPECT_THROW(visit(), std::runtime_error);
    EXPECT_FALSE(world.is_deferred());
    EXPECT_TRUE(bob.has<Npc>());
    bob.remove<Npc>();
  };
  const auto body = [&](auto) {
    bob.add<Npc>();
    throw std::runtime_error("left");
  };
  world.entity("bob::child");
  leave([&] { bob.each(body); });
  leave([&] { bob.each(Likes, body); });
  leave([&] { bob.match(world.pair(Likes, kith::Wildcard), body); });
  leave([&] { bob.children(body); });
  leave([&] { world.each(world.pair(Likes, apples), body); });
  leave([&] { world.defer([&] { body(0); }); });
  leave([&] {
    for (kith::entity food : bob.targets(Likes)) body(food);
  });
}

}  // namespace
