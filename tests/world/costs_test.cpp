// Operations that are promised to take constant time. A linear search would be slower by the ratio
// of the sizes, 5,000; the tests allow 50, so that a busy machine does not matter.
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

// All ways to ask for targets, without going through all of them.
class costs_of_targets : public costs {
 protected:
  void expect_no_growth(kith::entity few_targets, kith::entity many_targets) {
    const auto growth = [&](auto call) {
      return cost_of([&] { call(many_targets); }) / cost_of([&] { call(few_targets); });
    };
    EXPECT_LT(growth([&](kith::entity e) { sink = static_cast<bool>(e.target(Likes)); }), allowed);
    EXPECT_LT(growth([&](kith::entity e) { sink = static_cast<bool>(e.target(Likes, few - 2)); }),
              allowed);
    EXPECT_LT(growth([&](kith::entity e) { sink = e.has(Likes, kith::Wildcard); }), allowed);
    EXPECT_LT(growth([&](kith::entity e) { sink = e.targets(Likes).count() != 0; }), allowed);
  }
  void expect_no_wait_for_the_first(kith::entity few_targets, kith::entity many_targets) {
    const auto first = [&](kith::entity e) {
      for (kith::entity target : e.targets(Likes)) {
        sink = target.is_alive();
        break;
      }
    };
    EXPECT_LT(cost_of([&] { first(many_targets); }) / cost_of([&] { first(few_targets); }),
              allowed);
  }
};

// R21 R22 R25
TEST_F(costs_of_targets, do_not_grow_when_a_pair_is_switched_off_elsewhere) {
  other.add(Likes, small).disable(Likes, small);
  expect_no_growth(small, big);
  expect_no_wait_for_the_first(small, big);
}

// R21 R22 R25
TEST_F(costs_of_targets, do_not_grow_when_one_is_switched_off) {
  for (kith::entity e : {small, big}) e.disable(Likes, e.target(Likes));
  EXPECT_EQ(big.targets(Likes).count(), static_cast<std::size_t>(many - 1));
  expect_no_growth(small, big);
}

// R21 R66
TEST_F(costs_of_targets, do_not_grow_when_they_are_inherited) {
  const kith::entity few_targets = world.entity().is_a(small),
                     many_targets = world.entity().is_a(big);
  expect_no_growth(few_targets, many_targets);
  expect_no_wait_for_the_first(few_targets, many_targets);
}

// R21 R66
TEST_F(costs_of_targets, first_does_not_wait_when_some_are_inherited_and_some_owned) {
  const kith::entity few_targets = world.entity().is_a(small).add(Likes, other);
  const kith::entity many_targets = world.entity().is_a(big).add(Likes, other);
  const auto first = [&](kith::entity e) { sink = static_cast<bool>(e.target(Likes)); };
  EXPECT_LT(cost_of([&] { first(many_targets); }) / cost_of([&] { first(few_targets); }), allowed);
  const auto any = [&](kith::entity e) { sink = e.has(Likes, kith::Wildcard); };
  EXPECT_LT(cost_of([&] { any(many_targets); }) / cost_of([&] { any(few_targets); }), allowed);
}

// What is asked a second time of an entity with bases at any depth.
class costs_of_inheritance : public costs {
 protected:
  static constexpr int depth = 5000;
  kith::entity kind_at_depth(int n) {
    kith::entity e = world.entity().add(Tag);
    for (int i = 0; i < n; ++i) e = world.entity().is_a(e);
    return e;
  }
  void expect_no_growth(kith::entity shallow, kith::entity deep) {
    EXPECT_TRUE(deep.has(Tag));
    for (kith::entity id : {Tag, Other}) {
      const auto has = [&](kith::entity e) { sink = e.has(id); };
      EXPECT_LT(cost_of([&] { has(deep); }) / cost_of([&] { has(shallow); }), allowed);
    }
  }
  kith::entity Tag = world.entity(), Other = world.entity();
};

// R66 R69
TEST_F(costs_of_inheritance, do_not_grow_with_the_depth) {
  expect_no_growth(kind_at_depth(2), kind_at_depth(depth));
}

// R66 R69
TEST_F(costs_of_inheritance, do_not_grow_with_the_depth_when_bases_are_kept_apart) {
  world.entity(kith::IsA).add(kith::DontFragment);
  expect_no_growth(kind_at_depth(2), kind_at_depth(depth));
}

// R66 R69
TEST_F(costs_of_inheritance, do_not_grow_with_the_depth_when_a_base_is_switched_off) {
  other.is_a(big).disable(kith::IsA, big);
  kith::entity shallow = kind_at_depth(2), deep = kind_at_depth(depth);
  expect_no_growth(shallow, deep);
  for (kith::entity e : {shallow, deep}) e.is_a(big).disable(kith::IsA, big);
  expect_no_growth(shallow, deep);
}

// R66 R70
TEST_F(costs_of_inheritance, do_not_grow_with_the_number_of_bases) {
  world.entity(kith::IsA).add(kith::DontFragment);
  const auto with_bases = [&](int n) {
    const kith::entity e = world.entity();
    for (int i = 0; i < n; ++i) e.is_a(world.entity());
    return e.is_a(world.entity().add(Tag));
  };
  expect_no_growth(with_bases(2), with_bases(depth));
}

// Questions about long chains.
class costs_of_reach : public costs {
 protected:
  static constexpr int depth = 5000;
  // The bottom and the top.
  std::pair<kith::entity, kith::entity> chain(kith::entity relation, int n) {
    const kith::entity top = world.entity();
    kith::entity bottom = top;
    for (int i = 0; i < n; ++i) bottom = world.entity().add(relation, bottom);
    return {bottom, top};
  }
  void ask_until_labelled(kith::entity relation) {
    const kith::entity bottom = world.entity().add(relation, world.entity());
    for (int i = 0; i < 4 * (many + 2 * depth); ++i) sink = bottom.reaches(relation, Likes);
  }
  // How much dearer `call` is for a long chain.
  template <class Call>
  double growth(kith::entity relation, Call call) {
    const auto shallow = chain(relation, 2), deep = chain(relation, depth);
    ask_until_labelled(relation);
    return cost_of([&] { call(deep.first, deep.second); }) /
           cost_of([&] { call(shallow.first, shallow.second); });
  }
  kith::entity Tag = world.entity();
};

TEST_F(costs_of_reach, do_not_grow_with_the_depth_because_others_have_bases) {
  const kith::entity Follows = world.entity().add(kith::Exclusive);
  other.is_a(small);
  EXPECT_LT(growth(Follows,
                   [&](kith::entity from, kith::entity to) { sink = from.reaches(Follows, to); }),
            allowed);
}

TEST_F(costs_of_reach, do_not_grow_with_the_depth_because_others_change_parents) {
  int changes = 0;
  EXPECT_LT(growth(world.entity(kith::ChildOf),
                   [&](kith::entity from, kith::entity to) {
                     if (++changes % 100 == 0) world.entity().child_of(other);
                     sink = from.reaches(kith::ChildOf, to);
                   }),
            allowed);
}

TEST_F(costs_of_reach, target_for_does_not_look_again_because_others_change) {
  EXPECT_LT(growth(world.entity(kith::ChildOf),
                   [&](kith::entity from, kith::entity to) {
                     other.add(Tag).remove(Tag);
                     sink = static_cast<bool>(from.target_for(kith::ChildOf, Knows));
                     sink = to.is_alive();
                   }),
            allowed);
}

TEST_F(costs_of_reach, related_does_not_grow_with_the_number_of_kinds_that_are_not_used) {
  const kith::entity used = world.entity(), base = world.entity();
  for (int i = 0; i < many; ++i) world.entity().is_a(base);
  for (kith::entity r : {used, base}) small.add(r, big);
  const auto ask = [&](kith::entity r) {
    sink = small.related(r, other);
    sink = small.reaches(r, other);
  };
  EXPECT_LT(cost_of([&] { ask(base); }) / cost_of([&] { ask(used); }), allowed);
}

// R100 R105 R106 U15
TEST_F(costs, adding_and_removing_a_pair_costs_about_as_much_as_a_component) {
  const kith::entity e = world.entity().set(Position{1, 2});
  const double pair = cost_of([&] { e.add(Knows, other).remove(Knows, other); });
  const double component = cost_of([&] { e.set(Velocity{1, 2}).remove<Velocity>(); });
  EXPECT_LT(pair / component, 10);
}

}  // namespace
