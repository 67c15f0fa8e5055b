// Types as entities, ids as things to take apart, and the type of an entity.
#include <cstring>
#include <ranges>
#include <sstream>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace game {
struct Tank {
  int shells;
};
template <class T>
struct Box {
  T value;
};
}  // namespace game

namespace {

using namespace world_tests;

// --- C++ types ---

// R50
TEST(types, a_type_is_registered_when_it_is_first_used) {
  kith::world world;
  EXPECT_FALSE(world.lookup("Position"));
  world.entity().set(Position{1, 2});
  EXPECT_EQ(world.lookup("Position"), world.entity<Position>());
}

// R51
TEST(types, a_type_has_one_entity_however_it_is_asked_for) {
  kith::world world;
  const kith::component<Position> component = world.component<Position>();
  EXPECT_EQ(component, world.entity<Position>());
  EXPECT_EQ(world.id<Position>().entity(), component);
  EXPECT_EQ(world.component<Position>(), component);
  static_assert(std::is_same_v<decltype(component)::value_type, Position>);
}

// R95 R96 R97
TEST(types, a_component_has_the_component_component) {
  kith::world world;
  const auto* info = world.entity<Position>().get<kith::component_info>();
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->size, sizeof(Position));
  EXPECT_EQ(info->alignment, alignof(Position));
  EXPECT_TRUE(world.entity<Position>().has(kith::Component));
  EXPECT_FALSE(world.entity<Npc>().has(kith::Component)) << "a type without members is a tag";
  EXPECT_FALSE(world.entity().has(kith::Component));
}

// R97
TEST(types, component_is_a_component_too) {
  kith::world world;
  const auto* info = world.entity(kith::Component).get<kith::component_info>();
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->size, sizeof(kith::component_info));
}

TEST(types, a_type_is_named_as_in_cpp) {
  kith::world world;
  EXPECT_EQ(world.component<game::Tank>().path(), "game::Tank");
  EXPECT_EQ(world.lookup("game::Tank"), world.entity<game::Tank>());
  EXPECT_EQ(world.component<game::Box<int>>().path(), "game::Box<int>");
  const auto box_of_tank = world.component<game::Box<game::Tank>>();
  EXPECT_EQ(world.lookup(box_of_tank.path()), box_of_tank) << box_of_tank.path();
}

TEST(types, a_type_can_have_a_name_of_its_own) {
  kith::world world;
  const kith::entity tank = world.component<game::Tank>("vehicles::Panzer");
  EXPECT_EQ(tank.path(), "vehicles::Panzer");
  EXPECT_EQ(world.entity<game::Tank>(), tank);
  EXPECT_EQ(world.component<game::Tank>("vehicles::Panzer"), tank);
  EXPECT_EQ(refusal(world, [&] { world.component<game::Tank>("Other"); }), "constraint");
  world.component<Position>();
  EXPECT_EQ(refusal(world, [&] { world.component<Velocity>("Position"); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.component<Velocity>("a::"); }), "parse");
}

TEST(types, an_entity_with_the_name_of_a_type_becomes_it) {
  kith::world world;
  const kith::entity before = world.entity("Position");
  EXPECT_EQ(world.component<Position>(), before);
  EXPECT_TRUE(before.has(kith::Component));
}

TEST(types, an_entity_in_use_as_a_tag_does_not_become_a_type) {
  kith::world world;
  const kith::entity tag = world.entity("Position");
  const kith::entity bob = world.entity("bob").add(tag);
  EXPECT_EQ(refusal(world, [&] { world.component<Position>(); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.set(Position{1, 2}); }), "type");
  bob.remove(tag);
  EXPECT_EQ(*bob.set(Position{1, 2}).get<Position>(), (Position{1, 2}));
}

kith::entity_t local_int(kith::world& world) {
  struct Local {
    int x;
  };
  return world.component<Local>().id();
}

kith::entity_t local_double(kith::world& world) {
  struct Local {
    double x;
  };
  return world.component<Local>().id();
}

TEST(types, an_entity_that_has_kinds_does_not_become_a_type) {
  kith::world world;
  const kith::entity health = world.entity("Health");
  world.entity("regeneration").is_a(health);
  EXPECT_EQ(message_of([&] { world.component<Health>(); }),
            "Health cannot be Final: regeneration is a kind of it");
  EXPECT_EQ(health.type().count(), 0u);
  EXPECT_EQ(error_of([&] { world.entity().add<Health>(); }), "constraint");
}

TEST(types, types_of_one_name_in_different_functions_are_different) {
  kith::world world;
  EXPECT_NE(local_int(world), local_double(world));
  EXPECT_EQ(local_int(world), local_int(world));
}

TEST(types, types_of_one_name_in_different_lambdas_are_different) {
  kith::world world;
  const auto first = [&] {
    struct Local {
      int x;
    };
    return world.component<Local>().id();
  };
  const auto second = [&] {
    struct Local {
      int y;
    };
    return world.component<Local>().id();
  };
  EXPECT_NE(first(), second());
  EXPECT_EQ(first(), first());
}

// R110 R111 C50
TEST(types, deleting_a_component_removes_it_from_all_entities) {
  kith::world world;
  const kith::entity bob = world.entity("bob").set(Position{1, 2}).set<Begin, Position>({3, 4});
  const kith::entity alice = world.entity("alice").set(Position{1, 2}).add<Npc>();
  const kith::entity old = world.entity<Position>();
  const std::size_t tables = world.table_count();
  old.destruct();
  EXPECT_EQ(state_of(bob) + state_of(alice), "bob:alice: Npc");
  EXPECT_LT(world.table_count(), tables);
  EXPECT_TRUE(bob.set(Position{5, 6}).has<Position>()) << "it is registered again";
  EXPECT_NE(world.entity<Position>(), old);
}

TEST(types, a_component_is_renamed_and_tagged_like_any_entity) {
  kith::world world;
  const kith::entity position = world.component<Position>().add<Npc>().set_name("Place");
  EXPECT_EQ(world.lookup("Place"), position);
  EXPECT_EQ(world.entity<Position>(), position);
}

// --- types known at run time ---

TEST(types, a_runtime_component_holds_bytes_that_are_zero_at_first) {
  kith::world world;
  const kith::entity Number = world.component({.name = "Number", .size = 4, .alignment = 4});
  EXPECT_EQ(Number.get<kith::component_info>()->size, 4u);
  const kith::entity bob = world.entity("bob").add(Number);
  EXPECT_EQ(*static_cast<const int*>(bob.get(Number)), 0);
  const int five = 5;
  bob.set_ptr(Number, &five);
  EXPECT_EQ(*static_cast<const int*>(bob.get(Number)), 5);
  *static_cast<int*>(bob.get_mut(Number)) = 6;
  EXPECT_EQ(*static_cast<int*>(bob.ensure(Number)), 6);
  EXPECT_EQ(*static_cast<const int*>(bob.clone().get(Number)), 6);
  EXPECT_FALSE(bob.remove(Number).has(Number));
}

TEST(types, a_runtime_component_can_be_on_a_pair) {
  kith::world world;
  const kith::entity Number = world.component({.name = "Number", .size = 4, .alignment = 4});
  const kith::entity apples = world.entity("apples");
  const int five = 5;
  const kith::entity bob = world.entity("bob").set_ptr(world.pair(Number, apples), &five);
  EXPECT_EQ(*static_cast<const int*>(bob.get(Number, apples)), 5);
  EXPECT_EQ(world.pair(Number, apples).type_id(), Number);
  EXPECT_EQ(world.pair(apples, Number).type_id(), Number);
}

TEST(types, a_runtime_component_without_a_size_is_a_tag_and_without_a_name_is_nameless) {
  kith::world world;
  const kith::entity tag = world.component({.name = "tag"});
  EXPECT_FALSE(tag.has(kith::Component));
  const kith::entity nameless = world.component({.size = 8, .alignment = 8});
  EXPECT_EQ(nameless.name(), "");
  EXPECT_NE(world.entity().add(nameless).get(nameless), nullptr);
}

TEST(types, a_runtime_component_is_registered_once) {
  kith::world world;
  const kith::entity a = world.component({.name = "a", .size = 4, .alignment = 4});
  EXPECT_EQ(world.component({.name = "a", .size = 4, .alignment = 4}), a);
  EXPECT_EQ(refusal(world, [&] { world.component({.name = "a", .size = 8}); }), "type");
  EXPECT_EQ(refusal(world, [&] { world.component({.name = "b", .size = 4, .alignment = 3}); }),
            "type");
  EXPECT_EQ(refusal(world, [&] { world.component({.name = "b", .size = 6, .alignment = 4}); }),
            "type");
}

TEST(types, a_runtime_component_may_be_called_like_a_number) {
  kith::world world;
  const kith::entity a = world.component({.name = "a", .size = 4, .alignment = 4});
  const std::string number = std::to_string(a.id());
  const kith::entity b = world.component({.name = number, .size = 4, .alignment = 4});
  EXPECT_NE(a, b);
  EXPECT_EQ(b.name(), number);
}

int living = 0;

TEST(types, the_hooks_of_a_runtime_component_are_called) {
  living = 0;
  {
    kith::world world;
    const kith::entity T = world.component(
        {.name = "T",
         .size = 4,
         .alignment = 4,
         .hooks = {.construct = [](void* v) { *static_cast<int*>(v) = 7 + 0 * ++living; },
                   .copy =
                       [](void* v, const void* from) {
                         ++living;
                         std::memcpy(v, from, 4);
                       },
                   .move =
                       [](void* v, void* from) {
                         ++living;
                         std::memcpy(v, from, 4);
                       },
                   .destroy = [](void*) { --living; }}});
    const kith::entity bob = world.entity().add(T);
    EXPECT_EQ(*static_cast<const int*>(bob.get(T)), 7);
    EXPECT_EQ(living, 1);
    const int five = 5;
    bob.add<Npc>().set_ptr(T, &five).clone().destruct();
    world.entity().set_ptr(T, &five);
    EXPECT_EQ(living, 2);
  }
  EXPECT_EQ(living, 0);
}

// --- ids ---

// R3 R4 R5 R30
TEST(types, an_id_tells_what_it_is) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity alice = world.entity("alice");
  const kith::id plain = world.id(Likes);
  EXPECT_TRUE(plain.is_entity() && !plain.is_pair() && !plain.is_wildcard());
  EXPECT_EQ(plain.entity(), Likes);
  EXPECT_FALSE(plain.first() || plain.second());
  const kith::id pair = world.pair(Likes, alice);
  EXPECT_TRUE(pair.is_pair() && !pair.is_entity() && !pair.is_wildcard());
  EXPECT_EQ(pair.first(), Likes);
  EXPECT_EQ(pair.second(), alice);
  EXPECT_FALSE(pair.entity());
  for (kith::id pattern : {world.pair(Likes, kith::Wildcard), world.pair(kith::Any, alice),
                           world.id(kith::Wildcard), world.pair<Eats>(kith::Any)})
    EXPECT_TRUE(pattern.is_wildcard()) << pattern;
  EXPECT_EQ(pair.engine(), &world.engine());
}

// M15
TEST(types, an_id_prints_as_people_write_it) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  std::ostringstream out;
  out << world.pair(Likes, kith::Wildcard) << " " << world.id<Position>() << " "
      << world.pair<Begin, Position>() << " " << kith::id();
  EXPECT_EQ(out.str(), "(Likes, *) Position (Begin, Position) nothing");
}

TEST(types, ids_are_equal_when_they_are_made_of_the_same_entities) {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  EXPECT_EQ(world.pair(Likes, Likes), world.pair(Likes, Likes));
  EXPECT_NE(world.pair(Likes, Likes), world.id(Likes));
  EXPECT_FALSE(kith::id());
  EXPECT_TRUE(kith::id() < world.id(Likes));
}

TEST(types, a_null_id_is_nothing) {
  const kith::id null;
  EXPECT_FALSE(null.is_pair() || null.is_entity() || null.is_wildcard());
  EXPECT_FALSE(null.first() || null.second() || null.entity() || null.type_id());
  EXPECT_EQ(null.raw_id(), 0u);
}

// --- the type of an entity ---

class worked_example : public testing::Test {
 protected:
  kith::world world;
  kith::entity Npc_tag = world.entity("Npc");
  kith::entity Likes = world.entity("Likes");
  kith::entity Eating = world.entity("Eats");
  kith::entity Apples = world.entity("Apples");
  kith::entity Pears = world.entity("Pears");
  kith::entity Bananas = world.entity("Bananas");
  kith::entity e = world.entity("e")
                       .add(Eating, Pears)
                       .add(Likes, Bananas)
                       .add(Likes, Apples)
                       .add(Npc_tag)
                       .add(Eating, Apples)
                       .add(Likes, Pears);
};

// R120
TEST_F(worked_example, plain_ids_come_first_and_pairs_of_a_relation_are_adjacent) {
  EXPECT_EQ(
      e.type().str(),
      "Npc, (Likes, Apples), (Likes, Pears), (Likes, Bananas), (Eats, Apples), (Eats, Pears)");
}

// R116 R117 R118 R119 R121
TEST_F(worked_example, a_pattern_has_a_place_and_a_count) {
  const auto places = [&](kith::id pattern) {
    std::vector<std::size_t> found;
    const kith::type type = e.type();
    e.match(pattern, [&](kith::id id) {
      for (std::size_t i = 0; i < type.count(); ++i)
        if (type.get(i) == id) found.push_back(i);
    });
    return found;
  };
  EXPECT_EQ(places(world.pair(Likes, kith::Wildcard)), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(places(world.pair(kith::Wildcard, Pears)), (std::vector<std::size_t>{2, 5}));
  EXPECT_EQ(places(world.pair(Likes, Pears)), (std::vector<std::size_t>{2}));
}

// R29
TEST_F(worked_example, a_type_can_be_walked_and_compared) {
  static_assert(std::ranges::forward_range<kith::type>);
  const kith::type type = e.type();
  std::size_t pairs = 0;
  for (kith::id id : type) pairs += id.is_pair();
  EXPECT_EQ(pairs, 5u);
  EXPECT_EQ(type.count(), 6u);
  EXPECT_EQ(type, e.clone().type());
  EXPECT_FALSE(type == Likes.type());
}

// R95 R114
TEST_F(worked_example, entities_with_the_same_ids_share_a_table) {
  const kith::entity copy = e.clone();
  EXPECT_EQ(copy.table(), e.table());
  EXPECT_EQ(e.table().type(), e.type());
  copy.add<Position>();
  EXPECT_FALSE(copy.table() == e.table());
}

// R113
TEST(types, empty_tables_can_be_given_back) {
  kith::world world;
  const std::size_t before = world.table_count();
  const kith::entity e = world.entity().set(Position{1, 2}).set(Velocity{1, 2}).add<Npc>();
  e.destruct();
  EXPECT_GT(world.table_count(), before);
  EXPECT_GT(world.delete_empty_tables(), 0u);
  EXPECT_EQ(world.delete_empty_tables(), 0u);
  EXPECT_TRUE(world.entity().set(Position{1, 2}).has<Position>());
}

}  // namespace
