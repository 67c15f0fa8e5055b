// What is promised to cost the same however much there is. A linear search would be slower by the
// ratio of the sizes, 5,000; the tests allow 50, so that a busy machine does not matter.
#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

constexpr int few = 4;
constexpr int many = 20000;
constexpr double allowed = 50;

// Seconds for a call, the best of several rounds.
template <class Call>
double cost_of(Call call) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i) call();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

class costs : public testing::Test {
 protected:
  costs() {
    for (int i = 0; i < many; ++i) {
      const kith::entity target = world.entity();
      if (i < few) small.add(Likes, target);
      big.add(Likes, target);
      world.entity().child_of(i < few ? small : big);
    }
    small.add(Knows, small);
    big.add(Knows, big);
  }

  // How much dearer `call` is for the entity with many pairs and children.
  template <class Call>
  double ratio(Call call) {
    return cost_of([&] { call(big); }) / cost_of([&] { call(small); });
  }

  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity Knows = world.entity("Knows");
  kith::entity other = world.entity("other");
  kith::entity small = world.entity("small").child_of(other);
  kith::entity big = world.entity("big").child_of(other);
  volatile bool sink = false;
};

// R21 R22
TEST_F(costs, has_of_a_pair_does_not_grow_with_the_number_of_pairs) {
  const kith::entity last = big.target(Likes, few - 1);
  EXPECT_LT(ratio([&](kith::entity e) { sink = e.has(Likes, last); }), allowed);
  EXPECT_LT(ratio([&](kith::entity e) { sink = e.has(Likes, other); }), allowed);
}

// R21 R23
TEST_F(costs, has_of_a_wildcard_does_not_grow_with_the_number_of_pairs) {
  EXPECT_LT(ratio([&](kith::entity e) { sink = e.has(Likes, kith::Wildcard); }), allowed);
}

// R21 R24
TEST_F(costs, parent_does_not_grow_with_the_number_of_pairs_or_children) {
  EXPECT_LT(ratio([&](kith::entity e) { sink = static_cast<bool>(e.parent()); }), allowed);
}

// R21 R25 R26
TEST_F(costs, target_does_not_grow_with_the_number_of_targets) {
  EXPECT_LT(ratio([&](kith::entity e) { sink = static_cast<bool>(e.target(Likes)); }), allowed);
  EXPECT_LT(ratio([&](kith::entity e) { sink = static_cast<bool>(e.target(Likes, few - 1)); }),
            allowed);
}

// R21 R33 C48
TEST_F(costs, the_first_target_and_the_first_child_do_not_wait_for_the_rest) {
  EXPECT_LT(ratio([&](kith::entity e) {
              for (kith::entity target : e.targets(Likes)) {
                sink = target.is_alive();
                break;
              }
            }),
            allowed);
  EXPECT_LT(ratio([&](kith::entity e) {
              for (kith::entity child : e.children()) {
                sink = child.is_alive();
                break;
              }
            }),
            allowed);
}

// R100 R105 R106 U15
TEST_F(costs, adding_and_removing_a_pair_costs_about_as_much_as_a_component) {
  const kith::entity e = world.entity().set(Position{1, 2});
  const double pair = cost_of([&] { e.add(Knows, other).remove(Knows, other); });
  const double component = cost_of([&] { e.set(Velocity{1, 2}).remove<Velocity>(); });
  EXPECT_LT(pair / component, 10);
}

}  // namespace
