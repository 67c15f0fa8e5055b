// The queries manual, "Set Substitution" and "Transitivity". 001 L945-L1161.
#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

namespace {

using kith::test::found;
using kith::test::matched;

struct Position {
  float x, y;
};
struct Transform {
  float value;
};

// root ─ mid ─ leaf ─ tip, and Bob with his child Tim. The roots have a Position.
struct seed_001_substitution : testing::Test {
  flecs::world world;
  flecs::entity root = world.entity("root").set<Position>({1, 2});
  flecs::entity mid = world.entity("mid").child_of(root);
  flecs::entity leaf = world.entity("leaf").child_of(mid);
  flecs::entity tip = world.entity("tip").child_of(leaf);
  flecs::entity Bob = world.entity("Bob").set<Position>({3, 4});
  flecs::entity Tim = world.entity("Tim").child_of(Bob);
};

// Q120 Q121 Q122 Q123 Q124
TEST_F(seed_001_substitution, super_finds_a_component_on_a_parent) {
  EXPECT_EQ(found(world.query("Position(super(ChildOf))")), "Tim leaf mid tip");
  EXPECT_EQ(found(world.query("Position(parent)")), "Tim leaf mid tip");

  // Position(super(ChildOf))
  auto qb = world.query_builder<>().term<Position>().super(flecs::ChildOf);
  EXPECT_EQ(found(qb.build()), "Tim leaf mid tip");

  // Position(super(ChildOf))
  auto q = world.query(
      {.terms = {{.id = world.id<Position>(),
                  .src = {flecs::This, {.mask = flecs::SuperSet, .relation = flecs::ChildOf}}}}});
  EXPECT_EQ(found(q), "Tim leaf mid tip");
}

// Q122: the search stops at the first that has it.
TEST_F(seed_001_substitution, the_nearest_parent_is_taken) {
  mid.set<Position>({5, 6});
  world.query("Position(super(ChildOf))").each([&](flecs::iter& it, size_t i) {
    const flecs::entity e = it.entity(i);
    EXPECT_EQ(it.src(0), e == Tim ? Bob : e == mid ? root : mid) << e;
    EXPECT_EQ(it.field_at<Position>(0, i).x, e == Tim ? 3 : e == mid ? 1 : 5) << e;
  });
}

// Q125 Q126 Q135 C40
TEST_F(seed_001_substitution, an_inclusive_search_starts_with_this_itself) {
  EXPECT_EQ(found(world.query("Position(self|super(ChildOf))")), "Bob Tim leaf mid root tip");

  // Position(self|super(ChildOf, 3))
  auto qb = world.query_builder<>()
                .term<Position>()
                .set(flecs::Self | flecs::SuperSet, flecs::ChildOf)
                .max_depth(3);
  EXPECT_EQ(found(qb.build()), "Bob Tim leaf mid root tip");

  // Position(self|super(ChildOf, 3))
  auto q = world.query({.terms = {{.id = world.id<Position>(),
                                   .src = {flecs::This,
                                           {.mask = flecs::Self | flecs::SuperSet,
                                            .relation = flecs::ChildOf,
                                            .max_depth = 3}}}}});
  EXPECT_EQ(found(q), "Bob Tim leaf mid root tip");

  world.entity("deep").child_of(tip);
  EXPECT_EQ(found(qb.build()), "Bob Tim leaf mid root tip");
  EXPECT_EQ(found(q), "Bob Tim leaf mid root tip");
  // What is found on this itself is not looked for further up.
  leaf.set<Position>({7, 8});
  world.query("Position(self|super(ChildOf))").each([&](flecs::iter& it, size_t i) {
    if (it.entity(i) != leaf) return;
    EXPECT_EQ(it.field_at<Position>(0, i).x, 7);
  });
}

// Q127 Q128
TEST_F(seed_001_substitution, the_depth_of_the_search_can_be_limited) {
  EXPECT_EQ(found(world.query("Position(super(ChildOf, 3))")), "Tim leaf mid tip");
  EXPECT_EQ(found(world.query("Position(super(ChildOf, 2))")), "Tim leaf mid");
  EXPECT_EQ(found(world.query("// Start at depth 2, search until at most depth 4\n"
                              "Position(super(ChildOf, 2, 4))")),
            "leaf tip");
  EXPECT_EQ(found(world.query_builder()
                      .term<Position>()
                      .super(flecs::ChildOf)
                      .min_depth(2)
                      .max_depth(4)
                      .build()),
            "leaf tip");
}

struct seed_001_cascade : seed_001_substitution {
  seed_001_cascade() {
    // Not in the order of the tree.
    for (flecs::entity e : {tip, leaf, root, mid}) e.set<Transform>({1});
  }
  std::string in_order(const flecs::query<>& q) {
    std::string names;
    q.each([&](flecs::entity e) { names.append(e.name()).append(" "); });
    return names;
  }
};

// Q129
TEST_F(seed_001_cascade, results_come_breadth_first) {
  EXPECT_EQ(in_order(world.query("Transform, Transform(cascade|super(ChildOf))")), "mid leaf tip ");
  EXPECT_EQ(in_order(world.query_builder()
                         .term<Transform>()
                         .term<Transform>()
                         .super(flecs::ChildOf)
                         .cascade()
                         .build()),
            "mid leaf tip ");
}

// Q130
TEST_F(seed_001_cascade, an_optional_cascade_matches_the_root_too) {
  EXPECT_EQ(in_order(world.query("Transform, ?Transform(cascade|super(ChildOf))")),
            "root mid leaf tip ");
}

// Q129 Q130: what the seed says it is for.
TEST_F(seed_001_cascade, parents_are_transformed_before_their_children) {
  world.query("Transform, ?Transform(cascade|super(ChildOf))").run([](flecs::iter& it) {
    while (it.next()) {
      auto own = it.field<Transform>(0);
      auto parent = it.field<Transform>(1);
      for (auto i : it)
        if (parent) own[i].value += parent[i].value;
    }
  });
  EXPECT_EQ(root.get<Transform>()->value, 1);
  EXPECT_EQ(mid.get<Transform>()->value, 2);
  EXPECT_EQ(leaf.get<Transform>()->value, 3);
  EXPECT_EQ(tip.get<Transform>()->value, 4);
}

// Q131 Q138 U5
TEST_F(seed_001_cascade, all_returns_the_whole_tree) {
  for (bool cached : {false, true}) {
    auto qb = world.query_builder().expr("Transform(all|super(ChildOf))");
    if (cached) qb.cached();
    auto q = qb.build();
    EXPECT_EQ(found(q), "leaf leaf mid tip tip tip");
    std::string above;
    q.each([&](flecs::iter& it, size_t i) {
      if (it.entity(i) == tip) above.append(it.src(0).name()).append(" ");
    });
    EXPECT_EQ(above, "leaf mid root ");
  }
}

// Q132
TEST_F(seed_001_substitution, a_named_subject_can_be_substituted) {
  EXPECT_FALSE(
      world.query("// Get Position for a parent of Bob\nPosition(Bob[super(ChildOf)])").is_true());
  Bob.child_of(world.entity("Home").set<Position>({1, 2}));
  EXPECT_TRUE(world.query("Position(Home.Bob[super(ChildOf)])").is_true());
}

// Q133
TEST_F(seed_001_substitution, the_object_can_be_substituted) {
  auto Likes = world.entity("Likes");
  auto Mum = world.entity("Mum");
  auto Alice = world.entity("Alice").child_of(Mum);
  world.entity("a").add(Likes, Mum);
  world.entity("b").add(Likes, Alice);
  auto q = world.query(
      "// Does the entity like any of the parents of Alice?\n"
      "(Likes, Mum.Alice[super(ChildOf)])");
  EXPECT_EQ(matched(q), "a:(Likes, Mum)");
}

// Q134 Q137 U4
TEST_F(seed_001_substitution, a_search_can_go_downwards_also_in_a_cached_query) {
  Tim.set<Transform>({1});
  for (const char* text : {"Transform(sub(ChildOf))", "Transform(down)"}) {
    EXPECT_EQ(found(world.query(text)), "Bob");
    auto q = world.query_builder().expr(text).cached().build();
    EXPECT_EQ(found(q), "Bob");
    tip.set<Transform>({2});
    EXPECT_EQ(found(q), "Bob leaf mid root");
    tip.remove<Transform>();
    EXPECT_EQ(found(q), "Bob");
  }
}

// U17: a cached query stays right when something changes behind the edge it follows.
TEST_F(seed_001_substitution, a_cached_query_notices_what_an_ancestor_gains_and_loses) {
  auto q = world.query_builder().term<Position>().super(flecs::ChildOf).cached().build();
  EXPECT_EQ(found(q), "Tim leaf mid tip");
  root.remove<Position>();
  EXPECT_EQ(found(q), "Tim");
  leaf.set<Position>({1, 2});
  EXPECT_EQ(found(q), "Tim tip");
  tip.child_of(Tim);
  EXPECT_EQ(found(q), "Tim tip");
  Bob.remove<Position>();
  EXPECT_EQ(found(q), "");
}

struct seed_001_transitivity : testing::Test {
  flecs::world world;
  // Create the LocatedIn relation
  flecs::entity LocatedIn = world.entity("LocatedIn");

  // Create locations & their relations to each other
  flecs::entity US = world.entity("US");
  flecs::entity SanFrancisco = world.entity("SanFrancisco").add(LocatedIn, US);
  flecs::entity Mission = world.entity("Mission").add(LocatedIn, SanFrancisco);
  flecs::entity SOMA = world.entity("SOMA").add(LocatedIn, SanFrancisco);

  // An entity located in the Mission
  flecs::entity e = world.entity("e").add(LocatedIn, Mission);
};

// Q139 Q140 Q141 C45 M3
TEST_F(seed_001_transitivity, a_transitive_relation_is_followed) {
  auto in_city = world.query("(LocatedIn, SanFrancisco)");
  auto in_country = world.query("(LocatedIn, US)");
  EXPECT_EQ(found(in_city), "Mission SOMA");
  EXPECT_EQ(found(in_country), "SanFrancisco");

  LocatedIn.add(flecs::Transitive);
  EXPECT_EQ(found(in_city), "Mission SOMA e");
  EXPECT_EQ(found(in_country), "Mission SOMA SanFrancisco e");
}

// Q142 Q143
TEST_F(seed_001_transitivity, transitivity_is_a_substitution_of_the_object) {
  auto written = world.query("(LocatedIn, SanFrancisco[self|sub(LocatedIn)])");
  EXPECT_EQ(matched(written),
            "Mission:(LocatedIn, SanFrancisco) SOMA:(LocatedIn, SanFrancisco) "
            "e:(LocatedIn, Mission)");
  LocatedIn.add(flecs::Transitive);
  EXPECT_EQ(matched(world.query("(LocatedIn, SanFrancisco)")), matched(written));
}

// Q144 U11 C44: the seed does not check for cycles; here they are legal and end.
TEST_F(seed_001_transitivity, a_cycle_is_no_endless_recursion) {
  LocatedIn.add(flecs::Transitive);
  US.add(LocatedIn, Mission);
  EXPECT_EQ(found(world.query("(LocatedIn, SanFrancisco)")), "Mission SOMA SanFrancisco US e");
}

}  // namespace
