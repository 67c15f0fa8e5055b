// What outlives its world: using it is an error, never a crash.
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// A world that can be ended, and handles of it.
struct ended_world : testing::Test {
  std::optional<kith::world> world{std::in_place};
  kith::entity Likes = world->entity("Likes");
  kith::entity apples = world->entity("apples");
  kith::entity bob = world->entity("bob").add(Likes, apples).set(Position{1, 2});
  kith::entity child = world->entity("bob::child");
  kith::id edge = world->pair(Likes, apples);

  template <class Action>
  void expect_not_alive(Action action, int line = __builtin_LINE()) {
    EXPECT_EQ(error_of(action), "not_alive") << "in line " << line;
  }
};

TEST_F(ended_world, has_no_living_entities) {
  world.reset();
  EXPECT_FALSE(bob.is_alive());
  EXPECT_FALSE(edge.str().empty());
}

TEST_F(ended_world, refuses_questions_about_its_entities) {
  world.reset();
  expect_not_alive([&] { bob.has<Position>(); });
  expect_not_alive([&] { bob.has(Likes, apples); });
  expect_not_alive([&] { bob.has(Likes, kith::Wildcard); });
  expect_not_alive([&] { bob.has(edge); });
  expect_not_alive([&] { bob.owns(Likes); });
  expect_not_alive([&] { bob.get<Position>(); });
  expect_not_alive([&] { bob.get(Likes); });
  expect_not_alive([&] { bob.get_mut<Position>(); });
  expect_not_alive([&] { bob.target(Likes); });
  expect_not_alive([&] { bob.target_for(Likes, apples); });
  expect_not_alive([&] { bob.related(Likes, apples); });
  expect_not_alive([&] { bob.reached(Likes); });
  expect_not_alive([&] { bob.parent(); });
  expect_not_alive([&] { bob.name(); });
  expect_not_alive([&] { bob.path(); });
  expect_not_alive([&] { bob.lookup("child"); });
  expect_not_alive([&] { bob.type(); });
  expect_not_alive([&] { bob.table(); });
  expect_not_alive([&] { bob.enabled<Position>(); });
  expect_not_alive([&] { bob.targets(Likes); });
  expect_not_alive([&] { bob.children(); });
  expect_not_alive([&] { bob.each([](kith::id) {}); });
  expect_not_alive([&] { edge.first(); });
  expect_not_alive([&] { edge.second(); });
  expect_not_alive([&] { edge.type_id(); });
}

TEST_F(ended_world, refuses_changes_of_its_entities) {
  world.reset();
  expect_not_alive([&] { bob.add<Npc>(); });
  expect_not_alive([&] { bob.add(Likes); });
  expect_not_alive([&] { bob.add(Likes, bob); });
  expect_not_alive([&] { bob.add(edge); });
  expect_not_alive([&] { bob.remove<Position>(); });
  expect_not_alive([&] { bob.remove(Likes, apples); });
  expect_not_alive([&] { bob.set(Position{3, 4}); });
  expect_not_alive([&] { bob.set(Velocity{3, 4}); });
  expect_not_alive([&] { bob.ensure<Position>(); });
  expect_not_alive([&] { bob.modified<Position>(); });
  expect_not_alive([&] { bob.emplace<Position>(1.f, 2.f); });
  expect_not_alive([&] { bob.disable(Likes, apples); });
  expect_not_alive([&] { bob.set_name("other"); });
  expect_not_alive([&] { bob.clear(); });
  expect_not_alive([&] { bob.clone(); });
  expect_not_alive([&] { bob.scope([] {}); });
  expect_not_alive([&] { bob.set_child_order(std::vector{child}); });
  expect_not_alive([&] { bob.destruct(); });
}

TEST_F(ended_world, refuses_everything_through_a_handle_of_it) {
  kith::world handle = bob.world();
  world.reset();
  expect_not_alive([&] { handle.entity(); });
  expect_not_alive([&] { handle.entity("name"); });
  expect_not_alive([&] { handle.entity("::name"); });
  expect_not_alive([&] { handle.entity("#77"); });
  expect_not_alive([&] { handle.entity(Position{1, 2}); });
  expect_not_alive([&] { handle.entity<Position>(); });
  expect_not_alive([&] { handle.prefab(); });
  expect_not_alive([&] { handle.new_id(); });
  expect_not_alive([&] { handle.bulk(3); });
  expect_not_alive([&] { handle.bulk(3, Position{}); });
  expect_not_alive([&] { handle.make_alive(5000); });
  expect_not_alive([&] { handle.entity_count(); });
  expect_not_alive([&] { handle.component<Position>(); });
  expect_not_alive([&] { handle.component({.name = "raw", .size = 4, .alignment = 4}); });
  expect_not_alive([&] { handle.pair(Likes, apples); });
  expect_not_alive([&] { handle.members(Likes); });
  expect_not_alive([&] { handle.define("a(b)"); });
  expect_not_alive([&] { handle.facts(); });
  expect_not_alive([&] { handle.count(Likes); });
  expect_not_alive([&] { handle.each(Likes, [](kith::entity) {}); });
  expect_not_alive([&] { handle.each([](kith::entity) {}); });
  expect_not_alive([&] { handle.remove_all(Likes); });
  expect_not_alive([&] { handle.delete_with(Likes); });
  expect_not_alive([&] { handle.query<Position>(); });
  expect_not_alive([&] { handle.query("Likes"); });
  expect_not_alive([&] { handle.query_builder().with("Likes").build(); });
  expect_not_alive([&] { handle.lookup("bob"); });
  expect_not_alive([&] { handle.set_scope(bob); });
  expect_not_alive([&] { handle.get_scope(); });
  expect_not_alive([&] { handle.get<Position>(); });
  expect_not_alive([&] { handle.defer([] {}); });
  expect_not_alive([&] { handle.defer_begin(); });
  expect_not_alive([&] { handle.defer_end(); });
  expect_not_alive([&] { handle.is_deferred(); });
  expect_not_alive([&] { handle.readonly_begin(); });
  expect_not_alive([&] { handle.readonly_end(); });
  expect_not_alive([&] { handle.deferred_errors(); });
  expect_not_alive([&] { handle.delete_empty_tables(); });
  expect_not_alive([&] { handle.table_count(); });
  EXPECT_FALSE(handle.is_alive(bob));
  EXPECT_EQ(handle.try_define("a(b)").error().code(), kith::errc::not_alive);
  EXPECT_EQ(handle.try_query("Likes").error().code(), kith::errc::not_alive);
}

TEST_F(ended_world, is_what_a_world_is_that_was_moved_from) {
  kith::world moved = std::move(*world);
  EXPECT_TRUE(bob.is_alive());
  EXPECT_EQ(moved.lookup("bob"), bob);
  expect_not_alive([&] { world->entity(); });
  expect_not_alive([&] { world->lookup("bob"); });
  expect_not_alive([&] { world->query<Position>(); });
  *world = std::move(moved);
  EXPECT_EQ(world->lookup("bob"), bob);
  *world = kith::world();
  EXPECT_FALSE(bob.is_alive());
  EXPECT_EQ(world->entity_count(), 0u);
}

TEST_F(ended_world, is_not_the_next_world) {
  world.emplace();
  const kith::entity Likes_now = world->entity("Likes");
  expect_not_alive([&] { bob.name(); });
  expect_not_alive([&] { Likes_now.add(bob); });
}

TEST_F(ended_world, refuses_its_queries) {
  auto all = world->query<Position>();
  auto joined = world->query("(Likes, $x)");
  auto given = world->query("(Likes, @what)");
  auto never_used = world->query("Likes");
  auto builder = world->query_builder().with(Likes);
  auto bound = joined.set_var("x", apples);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.count() + joined.count() + bound.count(), 3u);
    given.each(apples, [](kith::entity) {});
  }
  world.reset();
  expect_not_alive([&] { all.each([](Position&) {}); });
  expect_not_alive([&] {
    all.run([](kith::iter& it) {
      while (it.next()) {
      }
    });
  });
  expect_not_alive([&] { all.iter([](kith::iter&) {}); });
  expect_not_alive([&] {
    for (kith::iter& it : all) it.count();
  });
  expect_not_alive([&] { all.count(); });
  expect_not_alive([&] { all.first(); });
  expect_not_alive([&] { all.is_true(); });
  expect_not_alive([&] { all.page(0, 10); });
  expect_not_alive([&] { all.changed(); });
  expect_not_alive([&] { all.str(); });
  expect_not_alive([&] { all.plan(); });
  expect_not_alive([&] { all.find_var("x"); });
  expect_not_alive([&] { all.field_count(); });
  expect_not_alive([&] { all.vars(); });
  expect_not_alive([&] { all.params(); });
  expect_not_alive([&] { all.has_this(); });
  expect_not_alive([&] { joined.set_var("x", apples); });
  expect_not_alive([&] { bound.count(); });
  expect_not_alive([&] { given.each(apples, [](kith::entity) {}); });
  expect_not_alive([&] { given.args(apples); });
  expect_not_alive([&] { never_used.count(); });
  expect_not_alive([&] { builder.build(); });
  EXPECT_EQ(builder.try_build().error().code(), kith::errc::not_alive);
}

TEST_F(ended_world, refuses_ranges_of_its_entities) {
  const auto targets = bob.targets(Likes);
  const auto children = bob.children();
  world.reset();
  expect_not_alive([&] { targets.begin(); });
  expect_not_alive([&] { targets.count(); });
  expect_not_alive([&] { children.begin(); });
  expect_not_alive([&] { children.count(); });
}

// --- a world that ends while it is in use --------------------------------------------------------

TEST_F(ended_world, ends_inside_each) {
  auto q = world->query<Position>();
  world->entity().set(Position{3, 4});
  for (bool used_before : {false, true}) {
    float sum = 0;
    if (used_before) {
      world.emplace();
      world->entity().set(Position{1, 2}).world().entity().set(Position{3, 4});
      q = world->query<Position>();
      for (int i = 0; i < 3; ++i) q.count();
    }
    expect_not_alive([&] {
      q.each([&](kith::entity e, Position& p) {
        world.reset();
        EXPECT_FALSE(e.is_alive());
        sum += p.x;
      });
    });
    EXPECT_EQ(sum, 4) << "values stay until the iteration ends";
    expect_not_alive([&] { q.count(); });
  }
}

TEST_F(ended_world, ends_inside_other_iterations) {
  const auto fresh = [&] {
    world.emplace();
    Likes = world->entity("Likes");
    apples = world->entity("apples");
    bob = world->entity("bob").add(Likes, apples).add(Likes, Likes).set(Position{1, 2});
    world->entity("bob::child"), world->entity("bob::other");
    return world->query("(Likes, $x)");
  };
  auto q = fresh();
  expect_not_alive([&] {
    q.run([&](kith::iter& it) {
      while (it.next()) world.reset();
    });
  });
  q = fresh();
  expect_not_alive([&] { q.iter([&](kith::iter&) { world.reset(); }); });
  q = fresh();
  expect_not_alive([&] {
    for (kith::iter& it : q) {
      world.reset();
      EXPECT_FALSE(it.entity(0).is_alive());
    }
  });
  q = fresh();
  for ([[maybe_unused]] kith::iter& it : q) {
    world.reset();
    break;
  }
  fresh();
  expect_not_alive([&] { bob.children([&](kith::entity) { world.reset(); }); });
  fresh();
  expect_not_alive([&] {
    for ([[maybe_unused]] kith::entity food : bob.targets(Likes)) world.reset();
  });
  fresh();
  expect_not_alive([&] { world->each(Likes, apples, [&](kith::entity) { world.reset(); }); });
  fresh();
  expect_not_alive([&] { bob.each([&](kith::id) { world.reset(); }); });
  fresh();
  expect_not_alive([&] { world->each([&](Position&) { world.reset(); }); });
  fresh();
  expect_not_alive([&] { world->facts([&](std::string_view) { world.reset(); }); });
  fresh();
  bob.scope([&] { world.reset(); });
  EXPECT_FALSE(bob.is_alive());
}

TEST_F(ended_world, ends_inside_a_known_question) {
  auto given = world->query("(Likes, @what)");
  for (int i = 0; i < 3; ++i) given.each(apples, [](kith::entity) {});
  expect_not_alive([&] { given.each(apples, [&](kith::entity) { world.reset(); }); });
}

TEST_F(ended_world, ends_inside_nested_iterations_and_forgets_what_waits) {
  const auto value = std::make_shared<int>(1);
  auto q = world->query<Position>();
  expect_not_alive([&] {
    world->defer([&] {
      bob.set(value);
      q.each([&](kith::entity) {
        world.reset();
        EXPECT_EQ(value.use_count(), 2);
      });
    });
  });
  EXPECT_EQ(value.use_count(), 1);
}

TEST_F(ended_world, ends_between_defer_begin_and_defer_end) {
  const auto value = std::make_shared<int>(1);
  world->defer_begin();
  bob.set(value);
  world.reset();
  EXPECT_EQ(value.use_count(), 1);
}

TEST_F(ended_world, ends_between_readonly_begin_and_readonly_end) {
  const auto value = std::make_shared<int>(1);
  world->component<std::shared_ptr<int>>();
  world->readonly_begin();
  bob.set(value);
  world.reset();
  EXPECT_EQ(value.use_count(), 1);
}

struct Last {
  std::function<void()> wish;
  std::shared_ptr<int> counted;
  Last() = default;
  Last(Last&&) = default;
  Last& operator=(Last&&) = default;
  ~Last() {
    if (wish) wish();
  }
};

TEST_F(ended_world, ends_inside_the_destructor_of_a_value) {
  const auto counted = std::make_shared<int>(1);
  Last last;
  last.wish = [&] { world.reset(); };
  bob.set(std::move(last));
  Last other;
  other.counted = counted;
  apples.set(std::move(other));
  bob.remove<Last>();
  EXPECT_FALSE(bob.is_alive());
  expect_not_alive([&] { bob.remove<Last>(); });
  kith::world next;  // the ended world is not in use any more, and goes
  EXPECT_EQ(counted.use_count(), 1);
}

TEST_F(ended_world, ends_inside_the_destructor_of_a_value_that_is_dropped) {
  Last last;
  last.wish = [&] { world.reset(); };
  world->component<Last>();
  world->defer_begin();
  bob.destruct();
  bob.set(std::move(last));
  apples.add<Npc>();
  kith::world handle = bob.world();
  handle.defer_end();
  EXPECT_FALSE(apples.is_alive());
}

struct Copied {
  std::function<void()> wish;
  Copied() = default;
  Copied(const Copied& other) : wish(other.wish) {
    if (wish) wish();
  }
  Copied& operator=(const Copied&) = default;
};

TEST_F(ended_world, ends_inside_the_constructor_of_a_value_that_waits) {
  Copied copied;
  copied.wish = [&] { world.reset(); };
  world->component<Copied>();
  world->defer_begin();
  bob.set(copied);
  EXPECT_FALSE(bob.is_alive());
}

TEST_F(ended_world, ends_inside_the_constructor_of_a_value) {
  Copied copied;
  copied.wish = [&] { world.reset(); };
  bob.set(copied);
  expect_not_alive([&] { bob.set(copied); });
  world.emplace();
  EXPECT_EQ(error_of([&] { world->entity(copied); }), "none");
  EXPECT_FALSE(world);
  world.emplace();
  bob = world->entity("bob");
  expect_not_alive([&] { bob.set(copied).ensure<Position>(); });
}

TEST_F(ended_world, has_values_that_ask_for_changes_while_they_are_destroyed) {
  int asked = 0;
  Last last;
  last.wish = [&] {
    bob.add<Npc>().set(Velocity{1, 2});
    bob.world().entity();
    ++asked;
  };
  bob.set(std::move(last));
  auto q = world->query<Last>();
  expect_not_alive([&] {
    q.each([&](kith::entity) {
      world.reset();
      EXPECT_EQ(asked, 0);
    });
  });
  EXPECT_EQ(asked, 1);
}

TEST(shared_query, keeps_no_values_of_a_world_that_ended) {
  const auto value = std::make_shared<int>(1);
  kith::query<> q;
  {
    kith::world world;
    world.entity("Likes").set(value);
    q = world.query("Likes || Prefab");
    q.count();
  }
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(error_of([&] { q.count(); }), "not_alive");
}

}  // namespace
