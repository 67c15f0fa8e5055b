// The relationships manual, "The ChildOf relationship": 000 L1552-L1819.
#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

// R79 (000 L1569)
TEST(seed_000_child_of, it_creates_hierarchies) {
  flecs::world world;
  auto Spaceship = world.entity();
  auto Cockpit = world.entity();

  Cockpit.add(flecs::ChildOf, Spaceship);
  EXPECT_EQ(Cockpit.parent(), Spaceship);
}

// R80 (000 L1605)
TEST(seed_000_child_of, it_has_a_shortcut) {
  flecs::world world;
  auto Spaceship = world.entity();
  auto Cockpit = world.entity();
  Cockpit.child_of(Spaceship);
  EXPECT_TRUE(Cockpit.has(flecs::ChildOf, Spaceship));
}

// R81 (000 L1627)
TEST(seed_000_child_of, when_a_parent_is_deleted_its_children_are_also_deleted) {
  flecs::world world;
  auto Spaceship = world.entity();
  auto Cockpit = world.entity().child_of(Spaceship);
  auto Seat = world.entity().child_of(Cockpit);
  auto other = world.entity();
  Spaceship.destruct();
  EXPECT_FALSE(Cockpit.is_alive());
  EXPECT_FALSE(Seat.is_alive());
  EXPECT_TRUE(other.is_alive());
}

// R82 M1 (000 L1627)
TEST(seed_000_child_of, cleanup_behavior_can_be_specified_for_any_relationship) {
  flecs::world world;
  auto DockedTo = world.entity();
  auto PartOf = world.entity().add(flecs::OnDeleteTarget, flecs::Delete);
  auto Station = world.entity();
  auto ship = world.entity().add(DockedTo, Station);
  auto hatch = world.entity().add(PartOf, Station);
  Station.destruct();
  EXPECT_TRUE(ship.is_alive());
  EXPECT_FALSE(ship.has(DockedTo, flecs::Wildcard));
  EXPECT_FALSE(hatch.is_alive());
}

// R83 (000 L1629)
TEST(seed_000_child_of, it_is_a_regular_relationship) {
  flecs::world world;
  auto Spaceship = world.entity();
  auto Cockpit = world.entity().child_of(Spaceship);
  EXPECT_EQ(Cockpit.target(flecs::ChildOf), Spaceship);
  EXPECT_TRUE(Cockpit.has(flecs::ChildOf, flecs::Wildcard));
  EXPECT_EQ(Cockpit.type().count(), 1u);
  Cockpit.remove(flecs::ChildOf, Spaceship);
  EXPECT_FALSE(Cockpit.parent());
}

// R84 R85 R86 R88 R89 (000 L1658)
TEST(seed_000_namespacing, name_lookups_can_be_relative_to_a_parent) {
  flecs::world world;
  auto parent = world.entity("Parent");
  auto child = world
                   .entity("Child")  //
                   .child_of(parent);

  EXPECT_TRUE(child == world.lookup("Parent::Child"));  // true
  EXPECT_TRUE(child == parent.lookup("Child"));         // true
}

// R87 (000 L1632)
TEST(seed_000_namespacing, equal_names_of_children_of_different_parents_do_not_clash) {
  flecs::world world;
  auto a = world.entity("A");
  auto b = world.entity("B");
  auto in_a = world.entity("Child").child_of(a);
  auto in_b = world.entity("Child").child_of(b);
  EXPECT_NE(in_a, in_b);
  EXPECT_EQ(world.lookup("A::Child"), in_a);
  EXPECT_EQ(world.lookup("B::Child"), in_b);
}

// R87 R88 (000 L1632)
TEST(seed_000_namespacing, a_child_is_not_found_by_its_name_alone) {
  flecs::world world;
  auto parent = world.entity("Parent");
  world.entity("Child").child_of(parent);
  EXPECT_FALSE(world.lookup("Child"));
}

// R90 R91 C49 (000 L1720)
TEST(seed_000_scoping, all_entities_created_in_a_scope_are_its_children) {
  flecs::world world;
  auto parent = world.entity();
  auto prev = world.set_scope(parent);

  auto child_a = world.entity();
  auto child_b = world.entity();

  // Restore the previous scope
  world.set_scope(prev);

  EXPECT_TRUE(child_a.has(flecs::ChildOf, parent));  // true
  EXPECT_TRUE(child_b.has(flecs::ChildOf, parent));  // true
}

// R91 (000 L1727)
TEST(seed_000_scoping, what_is_created_after_the_scope_was_restored_has_no_parent) {
  flecs::world world;
  auto parent = world.entity();
  auto prev = world.set_scope(parent);
  world.set_scope(prev);
  EXPECT_FALSE(world.entity().parent());
}

// R93 E8 (000 L1705)
TEST(seed_000_scoping, a_new_id_is_only_an_id_and_does_not_get_the_scope) {
  flecs::world world;
  auto prev = world.set_scope(world.entity());
  auto id = world.new_id();
  world.set_scope(prev);
  EXPECT_FALSE(id.parent());
}

// R92 C27 (000 L1779)
TEST(seed_000_scoping, a_scope_can_be_a_function_on_an_entity) {
  flecs::world world;
  flecs::entity in_scope;
  // E7: the seed's function uses the variable that it initialises; here it is given the entity.
  auto parent = world.entity().scope([&](flecs::entity scope) {
    auto child_a = world.entity();
    auto child_b = world.entity();

    EXPECT_TRUE(child_a.has(flecs::ChildOf, scope));  // true
    EXPECT_TRUE(child_b.has(flecs::ChildOf, scope));  // true
    in_scope = scope;
  });
  EXPECT_EQ(parent, in_scope);
  EXPECT_FALSE(world.entity().parent());
}

// R92 (000 L1779)
TEST(seed_000_scoping, the_function_of_a_scope_may_take_nothing) {
  flecs::world world;
  flecs::entity child;
  auto parent = world.entity().scope([&] { child = world.entity(); });
  EXPECT_EQ(child.parent(), parent);
}

// R94 (000 L1819)
TEST(seed_000_scoping, named_contents_of_a_scope_are_named_within_it) {
  flecs::world world;
  flecs::entity part;
  auto module = world.entity("my_module").scope([&] { part = world.entity("Part"); });
  EXPECT_EQ(world.lookup("my_module::Part"), part);
  EXPECT_EQ(part.parent(), module);
}

}  // namespace
