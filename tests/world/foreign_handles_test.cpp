// Handles of another world, wherever one can be given: a not_alive error, and nothing has changed.
#include <vector>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

struct foreign_handles : testing::Test, protected bob_likes_fruit {
  kith::world other;
  // As many entities as in `world`, so that the number of the foreign one is alive here.
  kith::entity foreign = [this] {
    kith::entity last;
    while (other.entity_count() < world.entity_count()) last = other.entity();
    return last;
  }();

  template <class Action>
  void expect_refused(Action action, int line = __builtin_LINE()) {
    EXPECT_EQ(error_of(action), "not_alive") << "in line " << line;
  }
};

TEST_F(foreign_handles, are_refused_in_descriptors) {
  using kith::query_desc;
  ASSERT_TRUE(world.entity(foreign.id()).is_alive());
  expect_refused([&] { world.query(query_desc{.terms = {{.id = foreign}}}); });
  expect_refused([&] { world.query(query_desc{.terms = {{.id = other.pair(foreign, foreign)}}}); });
  expect_refused([&] { world.query(query_desc{.terms = {{.first = foreign}}}); });
  expect_refused([&] { world.query(query_desc{.terms = {{.first = Likes, .second = foreign}}}); });
  expect_refused([&] { world.query(query_desc{.terms = {{.id = Likes, .src = foreign}}}); });
  expect_refused([&] {
    world.query(query_desc{
        .terms = {
            {.id = Likes, .src = {kith::This, {.mask = kith::SuperSet, .relation = foreign}}}}});
  });
  expect_refused(
      [&] { world.query(query_desc{.terms = {{.id = Likes}}, .group = {.relation = foreign}}); });
  expect_refused([&] {
    query_desc desc{.terms = {{.id = Likes}}};
    desc.order.id = foreign;
    desc.order.less = [](const kith::sort_row&, const kith::sort_row&) { return false; };
    desc.order.sort = [](kith::sort_row*, kith::sort_row*) {};
    world.query(desc);
  });
}

TEST_F(foreign_handles, are_refused_by_builders) {
  expect_refused([&] { world.query_builder().with(foreign); });
  expect_refused([&] { world.query_builder().with(Likes, foreign).build(); });
  expect_refused([&] { world.query_builder().with<Npc>(foreign).build(); });
  expect_refused([&] { world.query_builder().with(Likes).src(foreign).build(); });
  expect_refused([&] { world.query_builder().with(Likes).second(foreign).build(); });
  expect_refused([&] { world.query_builder().with(Likes).up(foreign); });
  expect_refused([&] { world.query_builder().with(Likes).cascade(foreign); });
  expect_refused([&] { world.query_builder().with(Likes).group_by(foreign); });
  expect_refused([&] {
    world.query_builder().with(Likes).order_by(
        foreign, [](kith::entity_t, const void*, kith::entity_t, const void*) { return 0; });
  });
}

TEST_F(foreign_handles, are_refused_as_values_of_variables) {
  auto q = world.query("(Likes, $x)");
  auto given = world.query("(Likes, @x)");
  auto grouped = world.query_builder().with(Likes, "$x").group_by(Likes).build();
  expect_refused([&] { q.set_var("x", foreign); });
  expect_refused([&] { q.set_var(q.find_var("x"), foreign); });
  expect_refused([&] { given.args(foreign); });
  expect_refused([&] { given.each(foreign, [](kith::entity) {}); });
  expect_refused([&] { grouped.set_group(foreign); });
}

TEST_F(foreign_handles, are_refused_by_worlds) {
  expect_refused([&] { world.pair(Likes, foreign); });
  expect_refused([&] { world.pair(foreign, bob); });
  expect_refused([&] { world.pair<Npc>(foreign); });
  expect_refused([&] { world.id(foreign); });
  expect_refused([&] { world.entity(foreign); });
  expect_refused([&] { world.count(foreign); });
  expect_refused([&] { world.count(Likes, foreign); });
  expect_refused([&] { world.each(foreign, [](kith::entity) {}); });
  expect_refused([&] { world.remove_all(foreign); });
  expect_refused([&] { world.delete_with(Likes, foreign); });
  expect_refused([&] { world.set_scope(foreign); });
  expect_refused([&] { world.scope(foreign, [] {}); });
  expect_refused([&] { world.members(foreign); });
  EXPECT_FALSE(world.is_alive(foreign));
}

TEST_F(foreign_handles, are_refused_by_entities) {
  expect_refused([&] { bob.add(foreign); });
  expect_refused([&] { bob.add(Likes, foreign); });
  expect_refused([&] { bob.add<Npc>(foreign); });
  expect_refused([&] { bob.set<Eats>(foreign, {1}); });
  expect_refused([&] { bob.has(Likes, foreign); });
  expect_refused([&] { bob.get(foreign); });
  expect_refused([&] { bob.target(foreign); });
  expect_refused([&] { bob.targets(foreign); });
  expect_refused([&] { bob.child_of(foreign); });
  expect_refused([&] { bob.clone(true, foreign); });
  expect_refused([&] { bob.set_child_order(std::vector{foreign}); });
  expect_refused([&] { bob.match(foreign, [](kith::id) {}); });
  EXPECT_EQ(state_of(bob), "bob: (Likes, apples), (Likes, pears)");
}

}  // namespace
