// Scopes: new entities become children of the current scope.
#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// R90 C49
TEST(scopes, what_is_created_in_a_scope_is_its_child) {
  kith::world world;
  const kith::entity parent = world.entity();
  const kith::entity previous = world.set_scope(parent);
  const kith::entity a = world.entity();
  const kith::entity b = world.entity("b");
  const kith::entity c = world.entity(Position{1, 2});
  const kith::entity d = world.bulk(1).front();
  world.set_scope(previous);
  for (kith::entity e : {a, b, c, d}) EXPECT_TRUE(e.has(kith::ChildOf, parent)) << e;
}

// R90 R91
TEST(scopes, set_scope_returns_the_previous_scope) {
  kith::world world;
  const kith::entity a = world.entity("a");
  const kith::entity b = world.entity("b");
  EXPECT_FALSE(world.get_scope());
  EXPECT_FALSE(world.set_scope(a));
  EXPECT_EQ(world.get_scope(), a);
  EXPECT_EQ(world.set_scope(b), a);
  EXPECT_EQ(world.set_scope(kith::entity()), b);
  EXPECT_FALSE(world.get_scope());
}

// R91
TEST(scopes, after_the_scope_new_entities_have_no_parent) {
  kith::world world;
  const kith::entity previous = world.set_scope(world.entity("a"));
  world.set_scope(previous);
  EXPECT_FALSE(world.entity().parent());
  world.set_scope(world.lookup("a"));
  world.set_scope(0);
  EXPECT_FALSE(world.entity().parent());
}

// R92
TEST(scopes, scope_with_a_function_returns_the_entity) {
  kith::world world;
  kith::entity child;
  const kith::entity parent = world.entity().scope([&] { child = world.entity(); });
  EXPECT_EQ(child.parent(), parent);
  EXPECT_FALSE(world.get_scope());
}

// R92 C27
TEST(scopes, the_function_may_take_the_entity) {
  kith::world world;
  const kith::entity ship = world.entity("ship").scope([&](kith::entity parent) {
    EXPECT_TRUE(world.entity().has(kith::ChildOf, parent));
    EXPECT_EQ(world.get_scope(), parent);
  });
  EXPECT_EQ(ship.path(), "ship");
}

TEST(scopes, the_world_can_be_told_the_scope) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  world.scope(ship, [&] { EXPECT_EQ(world.entity().parent(), ship); });
  EXPECT_FALSE(world.get_scope());
}

TEST(scopes, scopes_nest) {
  kith::world world;
  world.entity("a").scope([&] {
    world.entity("b").scope([&] { world.entity("c"); });
    world.entity("d");
  });
  EXPECT_TRUE(world.lookup("a::b::c"));
  EXPECT_TRUE(world.lookup("a::d"));
}

TEST(scopes, a_scope_that_is_left_by_a_throw_is_restored) {
  kith::world world;
  const kith::entity outer = world.entity("outer");
  world.set_scope(outer);
  EXPECT_THROW(world.entity("inner").scope([] { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(world.get_scope(), outer);
}

// R93
TEST(scopes, new_id_ignores_the_scope) {
  kith::world world;
  world.entity("a").scope([&] { EXPECT_FALSE(world.new_id().parent()); });
}

// R94
TEST(scopes, entity_of_a_path_counts_from_the_scope_or_from_the_root) {
  kith::world world;
  world.entity("module").scope([&] {
    EXPECT_EQ(world.entity("x::y").path(), "module::x::y");
    EXPECT_EQ(world.entity("::x").path(), "x");
    EXPECT_EQ(world.entity("x").path(), "module::x");
  });
}

TEST(scopes, lookup_goes_from_the_scope_outwards) {
  kith::world world;
  const kith::entity deep = world.entity("a::b::x");
  const kith::entity outer = world.entity("x");
  const kith::entity only_outside = world.entity("y");
  world.lookup("a").scope([&] {
    EXPECT_EQ(world.lookup("b::x"), deep);
    EXPECT_EQ(world.lookup("x"), outer);
    EXPECT_EQ(world.lookup("y"), only_outside);
    EXPECT_EQ(world.lookup("a::b"), deep.parent());
    world.lookup("b").scope([&] {
      EXPECT_EQ(world.lookup("x"), deep);
      EXPECT_EQ(world.lookup("::x"), outer);
    });
  });
}

TEST(scopes, lookup_sees_built_in_names_from_every_scope) {
  kith::world world;
  world.entity("a").scope([&] { EXPECT_EQ(world.lookup("ChildOf").id(), kith::ChildOf); });
}

// R94
TEST(scopes, types_are_registered_in_the_scope_if_they_are_asked_for) {
  kith::world world;
  const kith::entity module = world.entity("module").scope([&] { world.component<Position>(); });
  EXPECT_EQ(world.lookup("module::Position"), world.entity<Position>());
  EXPECT_EQ(world.entity<Position>().parent(), module);
}

TEST(scopes, types_are_registered_at_the_root_by_their_first_use) {
  kith::world world;
  world.entity("module").scope([&] { world.entity().add<Position>(); });
  EXPECT_EQ(world.lookup("Position"), world.entity<Position>());
  EXPECT_FALSE(world.entity<Position>().parent());
}

// R87
TEST(scopes, names_in_a_scope_need_to_be_free_in_it_alone) {
  kith::world world;
  const kith::entity x = world.entity("x");
  world.entity("module").scope([&] {
    const kith::entity inner = world.entity().set_name("x");
    EXPECT_NE(inner, x);
    EXPECT_EQ(inner.path(), "module::x");
  });
}

TEST(scopes, creating_in_a_deleted_scope_is_an_error_that_creates_nothing) {
  kith::world world;
  const kith::entity scope = world.entity("scope");
  world.component<Position>();
  world.set_scope(scope);
  scope.destruct();
  EXPECT_EQ(refusal(world, [&] { world.entity(); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.entity("x"); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.entity(Position{}); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.bulk(2); }), "not_alive");
  EXPECT_EQ(error_of([&] { world.set_scope(0); }), "none");
  EXPECT_EQ(error_of([&] { world.entity(); }), "none");
}

TEST(scopes, deleting_the_scope_inside_of_it_does_no_harm) {
  kith::world world;
  const kith::entity a = world.entity("a");
  a.scope([&] { a.destruct(); });
  EXPECT_FALSE(world.get_scope());
  EXPECT_FALSE(a.is_alive());
}

TEST(scopes, a_scope_must_be_a_living_entity_of_this_world_that_can_be_a_parent) {
  kith::world world;
  kith::world other;
  const kith::entity dead = world.entity();
  dead.destruct();
  const kith::entity Likes = world.entity("Likes");
  EXPECT_EQ(refusal(world, [&] { world.set_scope(dead); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.set_scope(other.entity()); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.set_scope(world.pair(Likes, Likes)); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { dead.scope([] {}); }), "not_alive");
  EXPECT_FALSE(world.get_scope());
}

TEST(scopes, nothing_is_created_in_a_scope_that_cannot_be_a_parent) {
  kith::world world;
  const auto create = [&](auto make) {
    const std::string kind = refusal(world, [&] {
      world.set_scope(kith::Wildcard);
      make();
    });
    world.set_scope(0);
    return kind;
  };
  EXPECT_EQ(create([&] { world.entity(); }), "constraint");
  EXPECT_EQ(create([&] { world.entity("x"); }), "constraint");
  EXPECT_EQ(create([&] { world.bulk(3); }), "constraint");
}

}  // namespace
