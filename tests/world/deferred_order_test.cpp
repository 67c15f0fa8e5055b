// A script of changes gives the same world whether they happen at once, in one deferral, or each in
// a visit.
#include <functional>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// The things a script works with. All have names, so that worlds can be compared as text.
struct stage {
  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity One = world.entity("One").add(kith::Exclusive);
  kith::entity ship = world.entity("ship");
  kith::entity seat = world.entity("ship::seat").set(Health{1});
  kith::entity alice = world.entity("alice").set(Position{1, 2}).add(Likes, ship);
  kith::entity bob = world.entity("bob").set<Eats>(alice, {3}).add<Npc>();
};

struct script {
  const char* name;
  std::vector<std::function<void(stage&)>> steps;
};

const script scripts[] = {
    {"values",
     {[](stage& s) {
        s.bob.set(Position{3, 4});
      },
      [](stage& s) {
        s.bob.set(Position{5, 6});
      },
      [](stage& s) { s.alice.remove<Position>(); }, [](stage& s) { s.alice.add<Position>(); },
      [](stage& s) { s.bob.ensure<Health>().points = 9; },
      [](stage& s) { s.bob.set<Eats>(s.alice, {4}).set<Eats>(s.ship, {5}); },
      [](stage& s) { s.bob.emplace<Velocity>(1.f, 2.f); }}},
    {"pairs",
     {[](stage& s) { s.bob.add(s.Likes, s.alice).add(s.Likes, s.bob); },
      [](stage& s) { s.bob.add(s.One, s.alice).add(s.One, s.ship); },
      [](stage& s) { s.alice.remove(s.Likes, kith::Wildcard); },
      [](stage& s) {
        s.bob.set<Begin, Position>({1, 2}).remove<Npc>();
      },
      [](stage& s) {
        s.bob.set_second<Position>(s.Likes, {7, 8});
      }}},
    {"the ends of lives",
     {[](stage& s) { s.ship.destruct(); }, [](stage& s) { s.alice.add<Npc>(); },
      [](stage& s) { s.bob.clear(); },
      [](stage& s) {
        s.bob.set(Position{1, 1});
      }}},
    {"names and parents",
     {[](stage& s) { s.bob.child_of(s.ship); }, [](stage& s) { s.bob.set_name("rob"); },
      [](stage& s) { s.seat.child_of(s.bob); }, [](stage& s) { s.alice.child_of(s.seat); },
      [](stage& s) { s.seat.remove(kith::ChildOf, kith::Wildcard); },
      [](stage& s) { s.world.entity("seat2::x").add<Npc>(); }}},
    {"switches and copies",
     {[](stage& s) { s.alice.disable<Position>(); },
      [](stage& s) { s.alice.clone(true, s.world.entity("copy")); },
      [](stage& s) { s.alice.enable<Position>().disable(s.Likes, s.ship); },
      [](stage& s) { s.alice.clone(false, s.world.entity("copy2")); },
      [](stage& s) { s.bob.disable(); }}},
    {"many at once",
     {[](stage& s) { s.world.remove_all<Npc>(); }, [](stage& s) { s.alice.add<Npc>(); },
      [](stage& s) { s.world.delete_with(s.Likes, s.ship); },
      [](stage& s) { s.bob.set(Health{3}); }, [](stage& s) { s.world.delete_with<Health>(); }}},
    {"mistakes among the changes",
     {[](stage& s) { s.bob.set_name("alice"); }, [](stage& s) { s.ship.child_of(s.seat); },
      [](stage& s) { s.alice.destruct(); }, [](stage& s) { s.bob.set_name("alice"); },
      [](stage& s) { s.bob.disable<Position>(); }, [](stage& s) { s.bob.add(s.seat); }}},
    {"creation",
     {[](stage& s) {
        s.world.entity(Position{1, 2}, Npc{}).set_name("new");
      },
      [](stage& s) { s.ship.scope([&] { s.world.entity("part").set(Health{2}); }); },
      [](stage& s) { s.world.entity("a::b::c").add(s.world.entity("a")); },
      [](stage& s) { s.world.bulk(1, Health{4}, Npc{})[0].set_name("bulk"); },
      [](stage& s) { s.world.entity("ship::part").set(Health{5}); }}},
};

class deferred_order : public testing::TestWithParam<script> {};

std::string at_once() {
  stage s;
  for (const auto& step : deferred_order::GetParam().steps) error_of([&] { step(s); });
  return state_of(s.world);
}

TEST_P(deferred_order, one_deferral_gives_the_same_world_as_no_deferral) {
  stage s;
  error_of([&] {
    s.world.defer([&] {
      for (const auto& step : GetParam().steps) error_of([&] { step(s); });
    });
  });
  EXPECT_EQ(state_of(s.world), at_once());
}

TEST_P(deferred_order, a_deferral_for_each_step_gives_the_same_world_as_no_deferral) {
  stage s;
  for (const auto& step : GetParam().steps) error_of([&] { s.world.defer([&] { step(s); }); });
  EXPECT_EQ(state_of(s.world), at_once());
}

TEST_P(deferred_order, a_visit_that_is_left_early_gives_the_same_world_as_no_deferral) {
  stage s;
  s.world.each(s.world.id<kith::component_info>(), [](kith::entity) {});
  for (kith::entity target : s.alice.targets(s.Likes)) {
    EXPECT_EQ(target, s.ship);
    for (const auto& step : GetParam().steps) error_of([&] { step(s); });
    break;
  }
  EXPECT_EQ(state_of(s.world), at_once());
}

INSTANTIATE_TEST_SUITE_P(scripts, deferred_order, testing::ValuesIn(scripts),
                         [](const auto& tested) {
                           std::string name = tested.param.name;
                           for (char& c : name)
                             if (c == ' ') c = '_';
                           return name;
                         });

}  // namespace
