// The progress listener of `define`: it may ask the world, and may not change it.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

struct define_progress : testing::Test {
  std::optional<kith::world> world{std::in_place};
  kith::entity bob = world->entity("bob").set(Position{1, 2});
  std::string text;
  std::size_t before = 0;
  int heard = 0;

  define_progress() {
    for (int i = 0; i < 10'000; ++i) text += "R(a" + std::to_string(i) + ", bob)\n";
    before = world->entity_count();
  }

  // The changes that a listener tries are refused, and the text is applied.
  template <class Action>
  void expect_refused(Action action, int line = __builtin_LINE()) {
    std::string found;
    const auto done = world->try_define(
        "x(y)\n" + text, [&](const kith::define_progress&) { found = error_of(action); });
    EXPECT_EQ(found, "constraint") << "in line " << line;
    ASSERT_TRUE(done) << done.error().what();
    EXPECT_TRUE(world->lookup("a9999").has(world->lookup("R"), bob));
    EXPECT_FALSE(world->is_deferred());
  }
};

TEST_F(define_progress, refuses_changes_and_goes_on) {
  expect_refused([&] { world->define("Q(z)"); });
  expect_refused([&] { world->try_define("Q(z)").value(); });
  expect_refused([&] { world->entity(); });
  expect_refused([&] { world->entity("new"); });
  expect_refused([&] { world->entity(Position{1, 2}); });
  expect_refused([&] { world->new_id(); });
  expect_refused([&] { world->bulk(2, Position{}); });
  expect_refused([&] { world->make_alive(70'000); });
  expect_refused([&] { world->component<Velocity>(); });
  expect_refused([&] { world->set_scope(bob); });
  expect_refused([&] { world->readonly_begin(); });
  expect_refused([&] { world->remove_all(bob); });
  expect_refused([&] { world->delete_with(bob); });
  expect_refused([&] { bob.add(bob); });
  expect_refused([&] { bob.remove<Position>(); });
  expect_refused([&] { bob.set(Position{3, 4}); });
  expect_refused([&] { bob.set_name("carol"); });
  expect_refused([&] { bob.disable<Position>(); });
  expect_refused([&] { bob.clear(); });
  expect_refused([&] { bob.clone(); });
  expect_refused([&] { bob.destruct(); });
  expect_refused([&] { world->defer([&] { bob.add(bob); }); });
  expect_refused([&] { world->query<Position>().each([&](kith::entity e) { e.destruct(); }); });
  EXPECT_EQ(bob.get<Position>()->x, 1);
  EXPECT_FALSE(world->lookup("z") || world->lookup("new"));
  EXPECT_EQ(bob.name(), "bob");
}

TEST_F(define_progress, of_a_change_that_is_not_caught_takes_the_text_back) {
  const auto done =
      world->try_define(text, [&](const kith::define_progress&) { world->define("Q(z)"); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), kith::errc::constraint);
  EXPECT_EQ(world->entity_count(), before);
  EXPECT_FALSE(world->is_deferred());
  EXPECT_EQ(world->define("Q(z)"), 1u);
}

TEST_F(define_progress, answers_questions) {
  auto all = world->query<const Position>();
  const auto done = world->try_define(text, [&](const kith::define_progress& p) {
    ++heard;
    EXPECT_EQ(all.count(), 1u);
    EXPECT_TRUE(world->lookup("a" + std::to_string(p.statements - 1)).is_alive());
    EXPECT_EQ(bob.get<Position>()->x, 1);
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(heard, 2);
}

TEST_F(define_progress, of_a_listener_that_ends_the_world_is_an_error) {
  kith::world handle = bob.world();
  const auto done = handle.try_define(text, [&](const kith::define_progress&) { world.reset(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), kith::errc::not_alive);
  EXPECT_FALSE(bob.is_alive());
}

}  // namespace
