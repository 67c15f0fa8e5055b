// Many worlds in one process.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

void set_other_twin(kith::entity e);  // other_twin.cpp

namespace {

using namespace world_tests;

struct Twin {
  int a;
};

TEST(worlds, worlds_know_nothing_of_each_other) {
  kith::world one, two;
  one.entity("bob").set(Position{1, 2});
  EXPECT_FALSE(two.lookup("bob"));
  EXPECT_EQ(two.entity_count(), 0u);
  EXPECT_EQ(two.count<Position>(), 0u);
}

TEST(worlds, a_type_may_have_another_number_in_each_world) {
  kith::world one, two;
  one.component<Position>();
  two.component<Velocity>();
  two.component<Position>();
  EXPECT_NE(one.entity<Position>().id(), two.entity<Position>().id());
  EXPECT_EQ(*one.entity().set(Position{1, 2}).get<Position>(), (Position{1, 2}));
  EXPECT_EQ(*two.entity().set(Position{3, 4}).get<Position>(), (Position{3, 4}));
}

TEST(worlds, handles_of_two_worlds_differ_even_with_the_same_number) {
  kith::world one, two;
  const kith::entity a = one.entity();
  const kith::entity b = two.entity();
  ASSERT_EQ(a.id(), b.id());
  EXPECT_NE(a, b);
  EXPECT_FALSE(one.is_alive(b));
  EXPECT_EQ((std::set<kith::entity>{a, b}.size()), 2u) << "the order agrees with ==";
}

TEST(worlds, built_in_entities_have_the_same_numbers_everywhere) {
  kith::world one, two;
  EXPECT_EQ(one.lookup("ChildOf").id(), two.lookup("ChildOf").id());
  const kith::entity parent = one.entity();
  EXPECT_TRUE(one.entity().add(kith::ChildOf, parent).has(kith::ChildOf, parent));
}

TEST(worlds, a_foreign_entity_is_refused_wherever_it_is_given) {
  kith::world world, other;
  const kith::entity foreign = other.entity("foreign");
  const kith::entity bob = world.entity("bob");
  const std::string there = state_of(other);
  EXPECT_EQ(refusal(world, [&] { bob.add(foreign); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.child_of(foreign); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.add(other.entity(kith::ChildOf), bob); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { foreign.add(bob); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { foreign.child_of(bob); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.add(other.pair(foreign, foreign)); }), "not_alive");
  EXPECT_EQ(message_of([&] { bob.add(foreign); }), "foreign is of another world");
  EXPECT_EQ(state_of(other), there);
}

TEST(worlds, deferring_one_world_does_not_defer_another) {
  kith::world one, two;
  const kith::entity a = one.entity();
  const kith::entity b = two.entity();
  one.defer([&] {
    a.add<Npc>();
    b.add<Npc>();
    EXPECT_FALSE(a.has<Npc>());
    EXPECT_TRUE(b.has<Npc>());
  });
}

TEST(worlds, a_world_can_be_moved_and_its_handles_stay_good) {
  kith::world one;
  const kith::entity bob = one.entity("bob").set(Position{1, 2});
  kith::world two = std::move(one);
  EXPECT_EQ(two.lookup("bob"), bob);
  EXPECT_EQ(*bob.get<Position>(), (Position{1, 2}));
  kith::world three;
  three = std::move(two);
  EXPECT_TRUE(bob.add<Npc>().has<Npc>());
}

TEST(worlds, two_types_of_one_name_and_different_sizes_are_not_mixed_up) {
  kith::world one, two;
  const kith::entity e = one.entity().set(Twin{1});
  EXPECT_EQ(refusal(one, [&] { set_other_twin(e); }), "type");
  EXPECT_EQ(error_of([&] { set_other_twin(two.entity()); }), "none")
      << "another world, another type";
}

TEST(worlds, values_are_destroyed_with_their_world_also_when_changes_wait) {
  static int left = 0;
  struct Lasting {
    Lasting() { ++left; }
    Lasting(const Lasting&) { ++left; }
    Lasting(Lasting&&) noexcept { ++left; }
    Lasting& operator=(const Lasting&) = default;
    ~Lasting() { --left; }
    int x = 0;
  };
  {
    kith::world world;
    const kith::entity e = world.entity().add<Lasting>();
    world.defer_begin();
    e.set(Lasting());
    world.entity().set(Lasting());
    EXPECT_EQ(left, 3);
  }
  EXPECT_EQ(left, 0);
}

}  // namespace
