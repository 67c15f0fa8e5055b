// What programs rely on that were written for flecs.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

using kith::entity;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Eats {
  int amount;
};
struct Npc {};
enum class Mood { happy, sad = 5 };
enum Size { small, large };

struct Apart {
  static constexpr bool dont_fragment = true;
  int value;
};
struct Copied {
  static constexpr bool sparse = true;
  static constexpr auto on_instantiate = kith::on_instantiate::override;
  int value;
};

// --- texts that are null ---

TEST(null_texts, mean_that_there_is_no_name) {
  kith::world world;
  const char* const none = nullptr;
  EXPECT_EQ(world.entity("bob").set_name(none).name(), "");
  EXPECT_EQ(world.entity(none).name(), "");
  EXPECT_TRUE(world.prefab(none).has(kith::Prefab));
  EXPECT_FALSE(world.lookup(none));
  EXPECT_FALSE(world.entity().lookup(none));
  EXPECT_THROW(world.query(none), kith::error);
}

TEST(null_entities, have_an_empty_name_and_path) {
  EXPECT_EQ(entity().name(), "");
  EXPECT_STREQ(entity().name().c_str(), "");
  EXPECT_EQ(entity().path(), "");
  kith::world world;
  EXPECT_FALSE(world.entity(0));
  EXPECT_EQ(world.entity(0), entity::null());
  EXPECT_EQ(world.entity_count(), 0u);
}

// --- handles ---

TEST(worlds, a_copy_shares_the_world_and_keeps_it_alive) {
  kith::world first;
  const entity bob = first.entity("bob");
  {
    const kith::world second = first;
    EXPECT_EQ(second, first);
    first.release();
    EXPECT_EQ(second.lookup("bob"), bob);
    EXPECT_EQ(bob.world(), second);
  }
  EXPECT_FALSE(bob.is_alive());
}

TEST(worlds, a_borrowed_handle_does_not_keep_the_world_alive) {
  kith::world world;
  const entity bob = world.entity("bob");
  const kith::world borrowed = bob.world();
  world.release();
  EXPECT_THROW(borrowed.entity(), kith::error);
}

TEST(worlds, reset_begins_a_new_world) {
  kith::world world;
  const entity bob = world.entity("bob");
  world.reset();
  EXPECT_FALSE(bob.is_alive());
  EXPECT_FALSE(world.lookup("bob"));
}

TEST(entities, are_made_by_their_constructors_too) {
  kith::world world;
  const entity bob(world, "bob");
  EXPECT_EQ(bob, world.lookup("bob"));
  EXPECT_EQ(entity(world, bob.id()), bob);
  EXPECT_NE(entity(world), bob);
}

TEST(entities, convert_to_their_numbers) {
  kith::world world;
  const entity bob = world.entity("bob");
  const kith::entity_t number = bob;
  EXPECT_EQ(number, bob.id());
  EXPECT_TRUE(bob == number && number == bob && 0 != bob);
}

TEST(entities, with_a_parent_and_a_name_are_found_or_made) {
  kith::world world;
  const entity ship = world.entity("ship");
  const entity cockpit = world.entity(ship, "cockpit");
  EXPECT_EQ(cockpit.path(), "ship::cockpit");
  EXPECT_EQ(world.entity(ship, "cockpit"), cockpit);
  EXPECT_EQ(world.entity(ship, nullptr).parent(), ship);
  EXPECT_EQ(world.entity(flecs::Parent{ship}, "cockpit"), cockpit);
  EXPECT_EQ(cockpit.path_from(ship), "cockpit");
}

// --- values ---

TEST(set_ptr, takes_the_size_of_the_value_and_checks_it) {
  kith::world world;
  const Position here{1, 2};
  const entity bob = world.entity();
  bob.set_ptr(world.id<Position>(), sizeof(Position), &here);
  EXPECT_EQ(bob.get<Position>()->y, 2);
  EXPECT_EQ(bob.type().count(), 1u);
  EXPECT_THROW(bob.set_ptr(world.id<Position>(), 3, &here), kith::error);
}

TEST(modified, is_allowed_for_a_value_that_waits) {
  kith::world world;
  int heard = 0;
  world.observer<Position>().event(kith::OnSet).each([&](Position&) { ++heard; });
  const entity bob = world.entity();
  world.defer_begin();
  bob.ensure<Position>().x = 3;
  bob.modified<Position>();
  world.defer_end();
  EXPECT_EQ(bob.get<Position>()->x, 3);
  EXPECT_GT(heard, 0);
  world.defer_begin();
  EXPECT_THROW(bob.modified<Velocity>(), kith::error);
  world.defer_end();
}

TEST(callbacks, insert_adds_what_is_missing_as_one_change) {
  kith::world world;
  std::vector<float> heard;
  world.observer<Position>().event(kith::OnAdd).each([&](Position& p) { heard.push_back(p.x); });
  const entity bob = world.entity().insert([](Position& p, Velocity& v) {
    p = {1, 2};
    v = {3, 4};
  });
  EXPECT_EQ(bob.get<Velocity>()->y, 4);
  EXPECT_EQ(heard, std::vector<float>{1});
}

TEST(callbacks, get_is_false_if_a_component_is_missing) {
  kith::world world;
  const entity bob = world.entity().set(Position{1, 2});
  EXPECT_FALSE(bob.get([](const Position&, const Velocity&) { FAIL(); }));
  float x = 0;
  EXPECT_TRUE(bob.get([&](const Position& p) { x = p.x; }));
  EXPECT_EQ(x, 1);
  EXPECT_TRUE(world.entity().is_a(bob).get([](const Position&) {}));
  EXPECT_FALSE(world.entity().is_a(bob).get([](Position&) {}));
}

TEST(callbacks, of_a_world_are_about_singletons_and_never_stored) {
  kith::world world;
  const std::size_t before = world.entity_count();
  world.set([](Position& p) { p.x = 7; });
  EXPECT_EQ(world.get<Position>()->x, 7);
  EXPECT_EQ(world.entity_count(), before + 1);
}

TEST(callbacks, a_pair_is_an_argument) {
  kith::world world;
  using eats_npc = kith::pair<Eats, Npc>;
  const entity bob = world.entity().set<Eats, Npc>({3});
  int amount = 0;
  EXPECT_TRUE(bob.get([&](const eats_npc& e) { amount = e->amount; }));
  EXPECT_EQ(amount, 3);
  world.query<eats_npc>().each([&](eats_npc e) { e->amount = 4; });
  EXPECT_EQ((bob.at<Eats, Npc>().amount), 4);
}

TEST(assign, is_an_error_where_there_is_no_value) {
  kith::world world;
  const entity bob = world.entity();
  EXPECT_THROW(bob.assign(Position{1, 2}), kith::error);
  EXPECT_EQ(bob.set(Position{0, 0}).assign(Position{1, 2}).get<Position>()->x, 1);
}

TEST(at_mut, is_an_error_where_nothing_is_owned) {
  kith::world world;
  const entity base = world.entity().set(Position{1, 2}), bob = world.entity().is_a(base);
  EXPECT_THROW(bob.at_mut<Position>(), kith::error);
  EXPECT_EQ(&base.at_mut<Position>(), base.get_mut<Position>());
}

TEST(add_if, adds_or_removes) {
  kith::world world;
  const entity bob = world.entity();
  EXPECT_TRUE(bob.add_if<Npc>(true).has<Npc>());
  EXPECT_FALSE(bob.add_if<Npc>(false).has<Npc>());
}

TEST(refs, find_the_value_wherever_it_is) {
  kith::world world;
  const entity bob = world.entity().set(Position{1, 2});
  kith::ref<Position> at = bob.get_ref<Position>();
  bob.add<Velocity>();
  at->x = 5;
  EXPECT_EQ(bob.get<Position>()->x, 5);
  bob.destruct();
  EXPECT_EQ(at.try_get(), nullptr);
  EXPECT_THROW(at.get(), kith::error);
  EXPECT_FALSE(kith::ref<Position>());
}

// --- enums ---

TEST(enums, a_constant_is_a_pair_that_excludes_the_others) {
  kith::world world;
  const entity bob = world.entity();
  EXPECT_FALSE(bob.has<Mood>());
  bob.add(Mood::happy).add(Mood::sad);
  EXPECT_TRUE(bob.has(Mood::sad));
  EXPECT_FALSE(bob.has(Mood::happy));
  EXPECT_TRUE(bob.has<Mood>());
  EXPECT_EQ(bob.get_constant<Mood>(), Mood::sad);
  EXPECT_EQ(world.to_entity(Mood::sad).name(), "sad");
  EXPECT_EQ(world.to_entity(Mood::sad).parent(), world.component<Mood>());
  EXPECT_FALSE(world.entity().get_constant<Mood>());
}

TEST(enums, an_unscoped_constant_is_no_number_of_an_entity) {
  kith::world world;
  const entity bob = world.entity().add(large);
  EXPECT_TRUE(bob.has(large));
  EXPECT_EQ(bob.target<Size>(), world.to_entity(large));
  EXPECT_THROW(bob.add(static_cast<Mood>(77)), kith::error);
}

TEST(enums, are_components_with_a_value) {
  kith::world world;
  const entity bob = world.entity().set(Mood::sad);
  EXPECT_EQ(*bob.get<Mood>(), Mood::sad);
  EXPECT_TRUE(bob.has<Mood>());
  EXPECT_EQ(world.component<int>().name(), "int");
}

TEST(enums, are_terms_of_queries) {
  kith::world world;
  const entity bob = world.entity().add(Mood::sad);
  world.entity().add(Mood::happy);
  EXPECT_EQ(world.query_builder().with(Mood::sad).build().first(), bob);
}

// --- types ---

TEST(types, have_the_traits_that_they_declare) {
  kith::world world;
  EXPECT_TRUE(world.component<Apart>().has(kith::DontFragment));
  EXPECT_TRUE(world.component<Copied>().has(kith::Sparse));
  EXPECT_TRUE(world.component<Copied>().has(kith::OnInstantiate, kith::Override));
}

TEST(types, begin_in_the_scope_that_is_set) {
  kith::world world;
  const entity game = world.entity("game");
  world.set_scope(game);
  EXPECT_EQ(world.component<Velocity>().parent(), game);
  const entity bob = world.entity("bob").set(Position{1, 2});
  EXPECT_EQ(bob.parent(), game);
  EXPECT_FALSE(world.component<Position>().parent());  // known before it was asked for
}

// --- the graph ---

TEST(target_for, gives_the_base_that_owns_what_is_inherited) {
  kith::world world;
  const entity base = world.entity("base").set(Position{1, 2});
  const entity middle = world.entity("middle").is_a(base), bob = world.entity().is_a(middle);
  EXPECT_EQ(bob.target_for<Position>(kith::IsA), base);
  bob.set(Position{3, 4});
  EXPECT_EQ(bob.target_for<Position>(kith::IsA), bob);
}

TEST(with, gives_an_id_to_what_is_made) {
  kith::world world;
  const entity tag = world.entity("tag"), likes = world.entity("likes");
  entity a, b, c;
  world.with(tag, [&] {
    a = world.entity();
    b = world.entity("b");
    likes.with([&] { c = world.entity(Position{1, 2}); });
    world.component<Apart>();
  });
  for (const entity& e : {a, b, c}) EXPECT_TRUE(e.has(tag)) << e;
  EXPECT_TRUE(c.has(likes) && c.has<Position>());
  EXPECT_FALSE(world.component<Apart>().has(tag));
  EXPECT_FALSE(world.entity().has(tag));
  EXPECT_TRUE(world.bulk(2)[0].type().count() == 0);
}

TEST(defer_suspend, makes_changes_at_once_until_it_is_resumed) {
  kith::world world;
  const entity bob = world.entity();
  world.defer_begin();
  bob.add<Npc>();
  EXPECT_FALSE(bob.has<Npc>());
  world.defer_suspend();
  bob.set(Position{1, 2});
  EXPECT_TRUE(bob.has<Position>());
  world.defer_resume();
  bob.add<Velocity>();
  EXPECT_FALSE(bob.has<Velocity>());
  world.defer_end();
  EXPECT_TRUE(bob.has<Npc>() && bob.has<Velocity>());
}

TEST(defer_suspend, is_an_error_while_results_are_visited) {
  kith::world world;
  world.entity().set(Position{1, 2});
  EXPECT_THROW(world.query<Position>().each([&](Position&) { world.defer_suspend(); }),
               kith::error);
}

// --- queries ---

TEST(queries, describe_their_terms) {
  kith::world world;
  const entity likes = world.entity("likes"), bob = world.entity("bob");
  const auto q = world.query_builder<Position, const Velocity*>()
                     .with(likes, bob)
                     .without<Npc>()
                     .read<Eats>()
                     .build();
  ASSERT_EQ(q.term_count(), 5u);
  EXPECT_EQ(q.term(0).id(), world.id<Position>());
  EXPECT_EQ(q.term(0).get_src(), kith::This);
  EXPECT_EQ(q.term(1).oper(), kith::Optional);
  EXPECT_EQ(q.term(1).inout(), kith::In);
  EXPECT_EQ(q.term(2).id(), world.pair(likes, bob));
  EXPECT_EQ(q.term(2).get_second(), bob);
  EXPECT_EQ(q.term(3).oper(), kith::Not);
  EXPECT_EQ(q.term(4).inout(), kith::In);
  EXPECT_FALSE(q.term(4).get_src());
  EXPECT_THROW(q.term(5), kith::error);
}

TEST(queries, with_a_name_have_an_entity) {
  kith::world world;
  const auto q = world.query<Position>("moving");
  EXPECT_EQ(q.entity(), world.lookup("moving"));
  EXPECT_FALSE(world.query<Position>().entity());
}

TEST(queries, say_whether_an_entity_is_a_result) {
  kith::world world;
  const entity bob = world.entity().set(Position{1, 2});
  const auto q = world.query<Position>();
  EXPECT_TRUE(q.has(bob));
  EXPECT_FALSE(q.has(world.entity()));
}

TEST(tables, list_their_entities_and_values) {
  kith::world world;
  const entity bob = world.entity().set(Position{1, 2}), eva = world.entity().set(Position{3, 4});
  const kith::table table = eva.table();
  ASSERT_EQ(table.count(), 2u);
  EXPECT_TRUE(table.has<Position>());
  EXPECT_FALSE(table.has<Velocity>());
  if (Position* all = table.get<Position>()) {
    EXPECT_EQ(all[1].x, 3);
    EXPECT_EQ(eva.range().get<Position>()->x, 3);
  }
  EXPECT_EQ(table.get<Velocity>(), nullptr);
  EXPECT_THROW(table.entity(2), kith::error);
  EXPECT_EQ(table.entity(0), bob);
}

}  // namespace
