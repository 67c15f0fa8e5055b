// What a question with given values costs after changes: what changed, not all that is filed.
#include <algorithm>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/timing.hpp"

namespace {

using kith::test::seconds_of;

// Asks about entities that begin and end, beside `others` that stay.
struct short_lives {
  explicit short_lives(int others) {
    base.add(R, T);
    for (int i = 0; i < others; ++i) world.entity().add(R, T);
    world.entity().is_a(base);
    for (int i = 0; i < 3; ++i) ask(T);
  }
  std::size_t ask(kith::entity e) const {
    std::size_t found = 0;
    asked.each(e, [&](kith::entity) { ++found; });
    return found;
  }

  kith::world world;
  kith::entity R = world.entity("R"), T = world.entity("T"), base = world.entity("base");
  kith::query<> asked = world.query("R($this, @p)");
};

void ask_about_targets_that_die(short_lives& of) {
  for (int i = 0; i < 200; ++i) {
    const kith::entity e = of.world.entity(), f = of.world.entity().add(of.R, e);
    ASSERT_EQ(of.ask(e), 1u);
    e.destruct();
    f.destruct();
    ASSERT_EQ(of.ask(of.base), 0u);
  }
}

void ask_about_bases_that_die(short_lives& of) {
  for (int i = 0; i < 200; ++i) {
    const kith::entity e = of.world.entity(), f = of.world.entity().add(of.R, e);
    const kith::entity heir = of.world.entity().is_a(f);
    ASSERT_EQ(of.ask(e), 2u);
    f.remove(of.R, e);
    ASSERT_EQ(of.ask(e), 0u);
    heir.destruct();
    f.destruct();
    e.destruct();
  }
}

// Sixty-four times as many others; filing them again would cost as many times as much.
void expect_independent_of_others(void (*ask)(short_lives&)) {
  short_lives few(500), many(32'000);
  ask(few);
  ask(many);
  double least = 1e9, most = 1e9;
  for (int i = 0; i < 5; ++i) {
    least = std::min(least, seconds_of([&] { ask(few); }));
    most = std::min(most, seconds_of([&] { ask(many); }));
  }
  EXPECT_LT(most, 12 * least);
}

TEST(argument_index, costs_the_same_beside_any_number_when_a_target_dies) {
  expect_independent_of_others(ask_about_targets_that_die);
}

TEST(argument_index, costs_the_same_beside_any_number_when_a_base_dies) {
  expect_independent_of_others(ask_about_bases_that_die);
}

TEST(argument_index, follows_what_kinds_inherit_from_a_base_that_changes) {
  kith::world world;
  world.define("R(a, t), IsA(b, a), IsA(c, b), R(d, u)");
  const auto asked = world.query("R($this, @p)");
  const auto count = [&](const char* name) {
    std::size_t found = 0;
    asked.each(world.lookup(name), [&](kith::entity) { ++found; });
    return found;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(count("t"), 3u);
  world.define("!R(a, t), R(a, u)");
  EXPECT_EQ(count("t"), 0u);
  EXPECT_EQ(count("u"), 4u);
  world.define("!IsA(b, a)");
  EXPECT_EQ(count("u"), 2u);
  world.define("IsA(c, d)");
  EXPECT_EQ(count("u"), 3u);
  world.lookup("d").destruct();
  EXPECT_EQ(count("u"), 1u);
}

}  // namespace
