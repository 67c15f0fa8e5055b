// Entities as handles: life, numbers, comparing, printing.
#include <memory>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// R9
TEST(entities, a_new_entity_is_alive_and_has_nothing) {
  kith::world world;
  const kith::entity e = world.entity();
  EXPECT_TRUE(e);
  EXPECT_TRUE(e.is_alive());
  EXPECT_TRUE(world.is_alive(e));
  EXPECT_EQ(e.type().count(), 0u);
  EXPECT_EQ(e.name(), "");
  EXPECT_FALSE(e.parent());
}

// R9
TEST(entities, every_new_entity_is_another_one) {
  kith::world world;
  std::unordered_set<kith::entity> seen;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(world.entity()).second);
}

TEST(entities, an_empty_world_has_no_entities_but_the_built_in_ones) {
  kith::world world;
  EXPECT_EQ(world.entity_count(), 0u);
  EXPECT_TRUE(world.is_alive(kith::ChildOf));
  world.entity();
  world.entity();
  EXPECT_EQ(world.entity_count(), 2u);
}

// R103
TEST(entities, low_numbers_are_kept_for_built_in_entities) {
  kith::world world;
  EXPECT_EQ(world.entity().id(), kith::entity_t{kith::core::first_user_index});
  for (kith::entity_t e : {kith::Wildcard, kith::ChildOf, kith::Disabled, kith::Exclusive})
    EXPECT_LT(e, kith::core::first_user_index);
}

TEST(entities, a_handle_is_small_and_trivially_copyable) {
  static_assert(std::is_trivially_copyable_v<kith::entity>);
  static_assert(std::is_trivially_copyable_v<kith::id>);
  static_assert(sizeof(kith::entity) <= 2 * sizeof(void*));
}

TEST(entities, a_null_handle_is_false_and_not_alive) {
  const kith::entity none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.is_alive());
  EXPECT_EQ(none.id(), 0u);
  EXPECT_EQ(none, kith::entity());
}

TEST(entities, all_null_handles_are_equal_wherever_they_come_from) {
  kith::world world;
  const kith::entity e = world.entity();
  EXPECT_EQ(e.parent(), kith::entity());
  EXPECT_EQ(e.target(kith::ChildOf), world.lookup("nobody"));
}

// R89
TEST(entities, handles_are_equal_when_they_denote_the_same_entity) {
  kith::world world;
  const kith::entity bob = world.entity("bob");
  const kith::entity alice = world.entity("alice");
  EXPECT_EQ(bob, world.lookup("bob"));
  EXPECT_EQ(bob, world.entity(bob.id()));
  EXPECT_NE(bob, alice);
}

TEST(entities, a_handle_compares_with_a_number) {
  kith::world world;
  EXPECT_TRUE(world.lookup("ChildOf") == kith::ChildOf);
  EXPECT_FALSE(world.entity() == kith::ChildOf);
}

TEST(entities, a_handle_leads_to_its_world) {
  kith::world world;
  const kith::entity bob = world.entity("bob");
  const kith::entity alice = bob.world().entity("alice");
  EXPECT_EQ(world.lookup("alice"), alice);
  EXPECT_TRUE(bob.is_alive()) << "the world of the handle does not own it";
  EXPECT_EQ(error_of([] { kith::entity().world(); }), "not_alive");
}

TEST(entities, handles_are_ordered_by_their_number) {
  kith::world world;
  const kith::entity first = world.entity();
  const kith::entity second = world.entity();
  EXPECT_LT(first, second);
  EXPECT_EQ(first < second, first.id() < second.id());
}

TEST(entities, equal_handles_have_equal_hashes) {
  kith::world world;
  const kith::entity bob = world.entity("bob");
  EXPECT_EQ(std::hash<kith::entity>{}(bob), std::hash<kith::entity>{}(world.lookup("bob")));
  EXPECT_EQ(std::hash<kith::id>{}(world.id(bob)), std::hash<kith::id>{}(world.id(bob)));
}

// R56 M15
TEST(entities, an_entity_prints_as_its_path) {
  kith::world world;
  std::ostringstream out;
  out << world.entity("ship::cockpit");
  EXPECT_EQ(out.str(), "ship::cockpit");
}

// R56
TEST(entities, a_nameless_entity_prints_as_its_number) {
  kith::world world;
  const kith::entity e = world.entity();
  std::ostringstream out;
  out << e;
  EXPECT_EQ(out.str(), "#" + std::to_string(e.id()));
}

TEST(entities, a_deleted_entity_prints_as_its_number_and_a_null_one_as_nothing) {
  kith::world world;
  const kith::entity e = world.entity("bob");
  e.destruct();
  EXPECT_EQ(e.str(), "#" + std::to_string(e.id()));
  EXPECT_EQ(kith::entity().str(), "nothing");
}

TEST(entities, a_deleted_entity_is_not_alive_and_does_not_count) {
  kith::world world;
  const kith::entity e = world.entity();
  e.destruct();
  EXPECT_FALSE(e.is_alive());
  EXPECT_FALSE(world.is_alive(e));
  EXPECT_TRUE(e);  // still a number
  EXPECT_EQ(world.entity_count(), 0u);
}

TEST(entities, an_old_handle_stays_dead_when_its_index_is_used_again) {
  kith::world world;
  const kith::entity old = world.entity();
  old.destruct();
  const kith::entity young = world.entity();
  EXPECT_EQ(kith::core::index_of(old.id()), kith::core::index_of(young.id()));
  EXPECT_NE(old, young);
  EXPECT_FALSE(old.is_alive());
  EXPECT_TRUE(young.is_alive());
}

TEST(entities, a_thousand_lives_of_one_index_are_all_different) {
  kith::world world;
  std::vector<kith::entity> lives;
  for (int i = 0; i < 1000; ++i) {
    lives.push_back(world.entity());
    lives.back().destruct();
  }
  const kith::entity last = world.entity();
  for (kith::entity e : lives) {
    EXPECT_NE(e, last);
    EXPECT_FALSE(e.is_alive());
  }
}

TEST(entities, a_new_life_has_nothing_of_the_old_one) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity old = world.entity("bob").set(Position{1, 2}).add(Likes, Likes).add<Npc>();
  old.disable<Position>();
  old.destruct();
  const kith::entity young = world.entity();
  EXPECT_EQ(young.type().count(), 0u);
  EXPECT_EQ(young.name(), "");
  EXPECT_FALSE(world.lookup("bob"));
  EXPECT_TRUE(young.set(Position{3, 4}).enabled<Position>());
}

TEST(entities, entity_of_values_makes_an_entity_that_has_them) {
  kith::world world;
  const Position where{1, 2};
  const kith::entity e = world.entity(where, Health{5}, Npc{});
  EXPECT_EQ(*e.get<Position>(), (Position{1, 2}));
  EXPECT_EQ(e.get<Health>()->points, 5);
  EXPECT_TRUE(e.has<Npc>());
  EXPECT_EQ(e.type().count(), 3u);
}

// R90
TEST(entities, entity_of_values_is_a_child_of_the_scope) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  ship.scope([&] { EXPECT_EQ(world.entity(Position{1, 2}).parent(), ship); });
}

// R4 R51
TEST(entities, entity_of_a_type_is_the_entity_that_stands_for_it) {
  kith::world world;
  EXPECT_EQ(world.entity<Position>(), world.component<Position>());
  EXPECT_EQ(world.entity<Position>().id(), world.id<Position>().raw_id());
}

TEST(entities, entity_of_a_number_is_a_handle_that_may_be_dead) {
  kith::world world;
  const kith::entity e = world.entity();
  EXPECT_EQ(world.entity(e.id()), e);
  e.destruct();
  EXPECT_FALSE(world.entity(e.id()).is_alive());
  EXPECT_FALSE(world.entity(kith::entity_t{123456}).is_alive());
}

TEST(entities, entity_of_a_handle_is_the_same_handle) {
  kith::world world, other;
  const kith::entity bob = world.entity("bob");
  EXPECT_EQ(world.entity(bob), bob);
  EXPECT_EQ(world.entity_count(), 1u);
  EXPECT_EQ(error_of([&] { other.entity(bob); }), "not_alive");
}

TEST(entities, make_alive_makes_an_entity_with_the_given_number) {
  kith::world world;
  const kith::entity_t number = kith::core::make_entity(5000, 7);
  const kith::entity e = world.make_alive(number);
  EXPECT_EQ(e.id(), number);
  EXPECT_TRUE(e.is_alive());
  EXPECT_EQ(world.entity_count(), 1u);
  EXPECT_TRUE(e.set(Position{1, 2}).has<Position>());
}

TEST(entities, make_alive_of_a_living_entity_changes_nothing) {
  kith::world world;
  const kith::entity e = world.entity("bob").set(Position{1, 2});
  EXPECT_EQ(refusal(world, [&] { EXPECT_EQ(world.make_alive(e.id()), e); }), "none");
}

TEST(entities, new_entities_keep_clear_of_numbers_made_alive) {
  kith::world world;
  const kith::entity_t next = world.entity().id() + 1;
  const kith::entity given = world.make_alive(next);
  EXPECT_NE(world.entity(), given);
}

TEST(entities, an_index_whose_generations_are_used_up_retires) {
  kith::world world;
  const kith::entity_t number = kith::core::make_entity(700, kith::core::max_generation);
  world.make_alive(number).destruct();
  EXPECT_FALSE(world.is_alive(number));
  for (int i = 0; i < 1000; ++i)
    EXPECT_NE(kith::core::index_of(world.entity().id()), 700u) << "entity " << i;
}

TEST(entities, clear_removes_all_ids_and_keeps_the_name) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity bob = world.entity("bob").set(Position{1, 2}).add<Npc>().add(Likes, Likes);
  EXPECT_EQ(bob.clear(), bob);
  EXPECT_EQ(bob.type().count(), 0u);
  EXPECT_EQ(bob.name(), "bob");
  EXPECT_EQ(world.lookup("bob"), bob);
}

TEST(entities, clear_takes_an_entity_from_its_parent) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  const kith::entity cockpit = world.entity("cockpit").child_of(ship);
  cockpit.clear();
  EXPECT_FALSE(cockpit.parent());
  EXPECT_EQ(world.lookup("cockpit"), cockpit);
  EXPECT_TRUE(list(ship.children()).empty());
}

// R73
TEST(entities, changes_return_the_entity_so_that_they_chain) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity e = world.entity();
  EXPECT_EQ(e.add<Npc>(), e);
  EXPECT_EQ(e.set(Position{1, 2}).disable<Position>().enable<Position>(), e);
  EXPECT_EQ(e.add(Likes, e).remove(Likes, e).set_name("e").disable().enable(), e);
  EXPECT_EQ(e.emplace<Health>(7).remove<Health>().child_of(Likes).clear(), e);
}

// --- made with values: from the second on, they begin in the row they stay in ---

struct Breakable {
  bool breaks = false;
  explicit Breakable(bool b) : breaks(b) {}
  Breakable(Breakable&&) noexcept = default;
  Breakable& operator=(Breakable&&) noexcept = default;
  Breakable(const Breakable& other) : breaks(other.breaks) {
    if (breaks) throw std::runtime_error("broken");
  }
  Breakable& operator=(const Breakable&) = default;
};

TEST(entities, a_value_that_throws_leaves_no_entity_behind) {
  kith::world world;
  const Breakable whole(false), broken(true);
  const auto owned = std::make_shared<int>(7);
  world.entity(Position{0, 0}, owned, whole);
  for (int times = 0; times < 5; ++times) {
    const std::size_t before = world.entity_count();
    EXPECT_THROW(world.entity(Position{1, 2}, owned, broken), std::runtime_error);
    EXPECT_EQ(world.entity_count(), before);
    EXPECT_EQ(owned.use_count(), 2 + times);
    const kith::entity e = world.entity(Position{3, 4}, owned, whole);
    EXPECT_EQ(*e.get<Position>(), (Position{3, 4}));
    EXPECT_EQ(e.get<std::shared_ptr<int>>()->get(), owned.get());
    EXPECT_FALSE(e.get<Breakable>()->breaks);
  }
  EXPECT_EQ(world.count<Breakable>(), 6u);
}

TEST(entities, the_same_value_twice_is_an_error_each_time) {
  kith::world world;
  world.entity(Health{1}, Npc{});
  for (int times = 0; times < 3; ++times) {
    const std::size_t before = world.entity_count();
    EXPECT_EQ(message_of([&] { world.entity(Health{1}, Npc{}, Health{2}); }),
              "Health is given twice");
    EXPECT_EQ(message_of([&] { world.entity(Health{1}, Health{2}); }), "Health is given twice");
    EXPECT_EQ(world.entity_count(), before);
    EXPECT_EQ(world.entity(Health{1}, Npc{}).get<Health>()->points, 1);
  }
}

TEST(entities, a_value_may_make_entities_while_it_begins) {
  kith::world world;
  struct Maker {
    kith::world* world = nullptr;
    kith::entity_t made = 0;
    explicit Maker(kith::world& w) : world(&w) {}
    Maker(const Maker& other) : world(other.world), made(world->entity(Health{9}).id()) {}
    Maker(Maker&&) noexcept = default;
    Maker& operator=(Maker&&) noexcept = default;
  };
  const Maker model(world);
  for (int times = 0; times < 4; ++times) {
    const kith::entity e = world.entity(Position{1, 2}, model);
    const kith::entity made = world.entity(e.get<Maker>()->made);
    EXPECT_NE(made, e);
    EXPECT_EQ(made.get<Health>()->points, 9);
    EXPECT_FALSE(made.has<Position>());
  }
  EXPECT_EQ(world.count<Position>(), 4u);
  EXPECT_EQ(world.count<Health>(), 4u);
}

TEST(entities, a_value_that_asks_for_what_fails_leaves_no_entity_behind) {
  kith::world world;
  struct Asking {
    kith::entity of;
    bool wrong = false;
    Asking(kith::entity e, bool w) : of(e), wrong(w) {}
    Asking(const Asking& other) : of(other.of), wrong(other.wrong) {
      if (wrong) of.child_of(of);
    }
    Asking(Asking&&) noexcept = default;
    Asking& operator=(Asking&&) noexcept = default;
  };
  const kith::entity other = world.entity();
  const Asking right(other, false), wrong(other, true);
  world.entity(Health{1}, right);
  for (int times = 0; times < 4; ++times) {
    const std::size_t before = world.entity_count();
    EXPECT_EQ(error_of([&] { world.entity(Health{1}, wrong); }), "constraint");
    EXPECT_EQ(world.entity_count(), before);
    world.entity(Health{1}, right);
  }
  EXPECT_EQ(world.count<Health>(), 5u);
}

TEST(entities, a_kept_query_sees_those_that_begin_in_their_table) {
  kith::world world;
  world.entity(Position{1, 2}, Health{1});
  auto found = world.query_builder<const Position>().cached().build();
  auto changed = world.query_builder<const Health>().detect_changes().build();
  EXPECT_EQ(found.count(), 1u);
  changed.each([](const Health&) {});
  EXPECT_FALSE(changed.changed());
  const kith::entity e = world.entity(Position{1, 2}, Health{1});
  EXPECT_EQ(found.count(), 2u);
  EXPECT_TRUE(changed.changed());
  e.remove<Position>();
  EXPECT_EQ(found.count(), 1u);
}

}  // namespace
