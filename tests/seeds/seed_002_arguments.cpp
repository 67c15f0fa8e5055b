// Queries whose relationships are given as arguments. 002.
#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

namespace {

// Two teams, two vehicles; the spy is on both teams.
struct seed_002_arguments : testing::Test {
  flecs::world world;
  flecs::entity OnTeam = world.entity("OnTeam");
  flecs::entity InVehicle = world.entity("InVehicle");
  flecs::entity red = world.entity("red");
  flecs::entity blue = world.entity("blue");
  flecs::entity car = world.entity("car");
  flecs::entity bike = world.entity("bike");
  flecs::entity e1 = world.entity("e1").add(OnTeam, red).add(InVehicle, car);
  flecs::entity e2 = world.entity("e2").add(OnTeam, red).add(InVehicle, bike);
  flecs::entity e3 = world.entity("e3").add(OnTeam, blue).add(InVehicle, car);
  flecs::entity spy = world.entity("spy").add(OnTeam, red).add(OnTeam, blue).add(InVehicle, car);
  flecs::entity walker = world.entity("walker").add(OnTeam, red);

  template <class Query, class... Arguments>
  std::string given(const Query& q, Arguments... arguments) {
    std::vector<std::string> names;
    q.each(arguments..., [&](flecs::entity e) { names.emplace_back(e.name()); });
    return kith::test::joined(names);
  }
};

// P1 P2 P3 P4 P5 P6 P7 C22
TEST_F(seed_002_arguments, each_takes_a_related_entity_per_relation) {
  auto q = world.query_builder().with(OnTeam, flecs::param).with(InVehicle, flecs::param).build();
  EXPECT_EQ(given(q, red, car), "e1 spy");
  EXPECT_EQ(given(q, red, bike), "e2");
  EXPECT_EQ(given(q, blue, car), "e3 spy");

  auto text = world.query("(OnTeam, @t), (InVehicle, @v)");
  EXPECT_EQ(given(text, red, car), "e1 spy");
  EXPECT_EQ(kith::test::found(text.args(blue, car)), "e3 spy");
}

// P9 P17
TEST_F(seed_002_arguments, the_lists_are_live) {
  auto q = world.query("(OnTeam, @t), (InVehicle, @v)");
  EXPECT_EQ(given(q, red, bike), "e2");
  walker.add(InVehicle, bike);
  EXPECT_EQ(given(q, red, bike), "e2 walker");
  e2.destruct();
  walker.remove(InVehicle, bike);
  EXPECT_EQ(given(q, red, bike), "");
}

// P8 P10 P18: relationship_map[98][55], and [98][99][55] and [99][98][55] for a query with two
// teams. The spy is in the list of each of its teams.
TEST_F(seed_002_arguments, lists_are_looked_up_by_their_arguments) {
  auto one = world.query_builder().with(OnTeam, flecs::param).with(InVehicle, flecs::param).build();
  auto two = world.query("(OnTeam, @t1), (OnTeam, @t2), (InVehicle, @v)");
  // The first answers are found by a plan, the later ones in the map.
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(given(one, red, car), "e1 spy");
    EXPECT_EQ(given(one, blue, car), "e3 spy");
    EXPECT_EQ(given(two, red, blue, car), "spy");
    EXPECT_EQ(given(two, blue, red, car), "spy");
  }
  spy.remove(OnTeam, red);
  EXPECT_EQ(given(one, red, car), "e1");
  EXPECT_EQ(given(two, blue, red, car), "");
  spy.destruct();
  EXPECT_EQ(given(one, blue, car), "e3");
}

// P11
TEST_F(seed_002_arguments, who_is_on_several_teams_is_found_under_each) {
  auto q = world.query("(OnTeam, @t)");
  EXPECT_EQ(given(q, red), "e1 e2 spy walker");
  EXPECT_EQ(given(q, blue), "e3 spy");
}

// P12 P13 P14 P15 C24
TEST_F(seed_002_arguments, a_relation_can_be_named_several_times_in_any_order) {
  auto q = world.query_builder()
               .with(OnTeam, flecs::param)
               .with(OnTeam, flecs::param)
               .with(InVehicle, flecs::param)
               .build();
  EXPECT_EQ(given(q, red, blue, car), "spy");
  EXPECT_EQ(given(q, blue, red, car), "spy");
  EXPECT_EQ(given(q, red, red, car), "");
}

// P16
TEST_F(seed_002_arguments, a_combination_that_nobody_has_is_empty_and_no_error) {
  auto q = world.query("(OnTeam, @t), (InVehicle, @v)");
  EXPECT_EQ(given(q, blue, bike), "");
  EXPECT_EQ(given(q, world.entity("green"), car), "");
}

// P6 C22
TEST_F(seed_002_arguments, a_wrong_number_of_arguments_is_an_error) {
  auto q = world.query("(OnTeam, @t), (InVehicle, @v)");
  for (int wrong = 0; wrong < 4; ++wrong) {
    try {
      if (wrong == 0) q.each([](flecs::entity) {});
      if (wrong == 1) q.each(red, [](flecs::entity) {});
      if (wrong == 2) q.each(red, car, bike, [](flecs::entity) {});
      if (wrong == 3) q.args(red);
      ADD_FAILURE() << wrong;
    } catch (const flecs::error& e) {
      EXPECT_EQ(e.code(), flecs::errc::out_of_range) << wrong;
    }
  }
}

}  // namespace
