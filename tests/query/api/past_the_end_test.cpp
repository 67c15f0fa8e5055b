// Iterators and batches that are used before their first result or after their last.
#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Position {
  float x, y;
};

template <class Action>
void expect_out_of_range(Action action) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), kith::errc::out_of_range) << e.what();
  }
}

struct past_the_end : testing::Test {
  kith::world world;
  kith::entity Likes = world.entity("Likes"), apples = world.entity("apples");
  kith::entity bob = world.entity("bob").add(Likes, apples).set(Position{1, 2});
  kith::entity child = world.entity("bob::child");
};

TEST_F(past_the_end, of_a_query_is_an_error) {
  auto q = world.query("Position, (Likes, $x)");
  auto at = q.begin();
  auto copy = at;
  kith::iter& batch = *at;
  EXPECT_EQ(batch.entity(0), bob);
  ++at;
  EXPECT_TRUE(at == q.end());
  EXPECT_TRUE(copy == q.end()) << "copies share one iteration";
  EXPECT_FALSE(world.is_deferred());
  for (auto* i : {&at, &copy}) {
    expect_out_of_range([&] { **i; });
    expect_out_of_range([&] { (*i)->count(); });
    expect_out_of_range([&] { ++*i; });
  }
  EXPECT_FALSE(batch.next());
  EXPECT_EQ(batch.count(), 0u);
  expect_out_of_range([&] { batch.entity(0); });
  expect_out_of_range([&] { batch.field<Position>(0); });
  decltype(at) none;
  EXPECT_TRUE(none == q.end());
  expect_out_of_range([&] { *none; });
}

TEST_F(past_the_end, of_a_run_is_an_error) {
  auto q = world.query_builder().expr("Position, (Likes, $x)").detect_changes().build();
  const auto expect_no_batch = [&](kith::iter& it) {
    EXPECT_EQ(it.count(), 0u);
    expect_out_of_range([&] { it.entity(0); });
    expect_out_of_range([&] { it.field<Position>(0); });
    expect_out_of_range([&] { it.field(0); });
    expect_out_of_range([&] { it.field_at<Position>(0, 0); });
    expect_out_of_range([&] { it.id(0); });
    expect_out_of_range([&] { it.pair(1); });
    expect_out_of_range([&] { it.src(0); });
    expect_out_of_range([&] { it.is_set(0); });
    expect_out_of_range([&] { it.is_self(0); });
    expect_out_of_range([&] { it.get_var("x"); });
    expect_out_of_range([&] { it.group_id(); });
    expect_out_of_range([&] { it.changed(0); });
    expect_out_of_range([&] { it.skip(); });
    expect_out_of_range([&] { it.term_id(1); });
  };
  for (int times = 0; times < 4; ++times)
    q.run([&](kith::iter& it) {
      expect_no_batch(it);
      EXPECT_TRUE(it.next());
      EXPECT_EQ(it.get_var("x"), apples);
      EXPECT_FALSE(it.next());
      expect_no_batch(it);
      EXPECT_FALSE(it.next());
    });
}

TEST_F(past_the_end, of_targets_and_children_is_an_error) {
  const auto expect_end = [&](auto range, kith::entity only) {
    auto at = range.begin();
    auto before = at;
    EXPECT_EQ(*at, only);
    ++at;
    EXPECT_TRUE(at == range.end());
    expect_out_of_range([&] { *at; });
    expect_out_of_range([&] { ++at; });
    expect_out_of_range([&] { at++; });
    EXPECT_EQ(*before, only);
  };
  expect_end(bob.targets(Likes), apples);
  expect_end(bob.children(), child);
  EXPECT_FALSE(world.is_deferred());
  const auto none = child.children();
  expect_out_of_range([&] { *none.begin(); });
}

TEST_F(past_the_end, of_a_type_is_an_error) {
  const kith::type ids = bob.type();
  expect_out_of_range([&] { *ids.end(); });
}

}  // namespace
