// Changes during an iteration: when they are carried out, and what the iteration sees.
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::code_of;
using kith::test::found;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Npc {};

struct changes_while_iterating : testing::Test {
  changes_while_iterating() {
    for (const char* name : {"a", "b", "c"}) world.entity(name).set(Position{1, 2});
  }
  kith::world world;
  kith::query<Position> q = world.query<Position>();
};

// C62
TEST_F(changes_while_iterating, adding_and_removing_wait_until_each_ends) {
  q.each([&](kith::entity e, Position&) {
    e.add<Npc>();
    EXPECT_FALSE(e.has<Npc>());
    EXPECT_TRUE(world.is_deferred());
  });
  EXPECT_FALSE(world.is_deferred());
  EXPECT_EQ(found(world.query<Npc>()), "a b c");
  int visits = 0;
  q.each([&](kith::entity e, Position&) {
    ++visits;
    e.remove<Position>();
    EXPECT_TRUE(e.has<Position>());
  });
  EXPECT_EQ(visits, 3);
  EXPECT_EQ(q.count(), 0u);
}

TEST_F(changes_while_iterating, all_rows_are_visited_when_each_moves_to_another_table) {
  kith::test::words seen;
  q.each([&](kith::entity e, Position&) {
    seen += e.name();
    e.set(Velocity{1, 1});
  });
  EXPECT_EQ(seen.str(), "a b c");
  EXPECT_EQ(found(world.query<Velocity>()), "a b c");
}

TEST_F(changes_while_iterating, new_entities_are_not_visited) {
  int visits = 0;
  q.each([&](Position&) {
    ++visits;
    world.entity().set(Position{3, 4});
  });
  EXPECT_EQ(visits, 3);
  EXPECT_EQ(q.count(), 6u);
}

TEST_F(changes_while_iterating, deleting_waits_too) {
  int visits = 0;
  q.each([&](kith::entity e, Position&) {
    ++visits;
    e.destruct();
    EXPECT_TRUE(e.is_alive());
  });
  EXPECT_EQ(visits, 3);
  EXPECT_EQ(q.count(), 0u);
  EXPECT_FALSE(world.lookup("a"));
}

TEST_F(changes_while_iterating, one_that_is_deleted_by_another_row_is_still_visited) {
  int visits = 0;
  q.each([&](Position&) {
    if (visits++ > 0) return;
    for (const char* name : {"a", "b", "c"}) world.lookup(name).destruct();
  });
  EXPECT_EQ(visits, 3);
  EXPECT_EQ(q.count(), 0u);
}

TEST_F(changes_while_iterating, values_written_through_a_reference_are_seen_at_once) {
  q.each([&](kith::entity e, Position& p) {
    p.x = 7;
    EXPECT_EQ(e.get<Position>()->x, 7);
  });
}

TEST_F(changes_while_iterating, range_for_run_and_iter_defer_too) {
  for (auto& batch : q)
    for (auto i : batch) batch.entity(i).add<Npc>();
  EXPECT_EQ(world.count<Npc>(), 3u);
  q.run([](kith::iter& it) {
    while (it.next())
      for (auto i : it) it.entity(i).remove<Npc>();
  });
  EXPECT_EQ(world.count<Npc>(), 0u);
  q.iter([](kith::iter& it) {
    for (auto i : it) it.entity(i).add<Npc>();
  });
  EXPECT_EQ(world.count<Npc>(), 3u);
  EXPECT_FALSE(world.is_deferred());
}

TEST_F(changes_while_iterating, break_carries_out_what_waited) {
  kith::entity changed;
  for (auto& batch : q) {
    changed = batch.entity(0).add<Npc>();
    break;
  }
  EXPECT_FALSE(world.is_deferred());
  EXPECT_TRUE(changed.has<Npc>());
  EXPECT_EQ(world.count<Npc>(), 1u);
}

TEST_F(changes_while_iterating, a_throw_out_of_each_carries_out_what_waited) {
  kith::entity changed;
  EXPECT_THROW(q.each([&](kith::entity e, Position&) {
    changed = e.add<Npc>();
    throw std::runtime_error("enough");
  }),
               std::runtime_error);
  EXPECT_FALSE(world.is_deferred());
  EXPECT_TRUE(changed.has<Npc>());
  EXPECT_EQ(world.count<Npc>(), 1u);
  EXPECT_EQ(q.count(), 3u);
}

TEST_F(changes_while_iterating, the_first_error_of_what_waited_is_thrown_at_the_end) {
  auto loop = [&](kith::entity e, Position&) { e.child_of(e).add<Npc>(); };
  EXPECT_EQ(code_of([&] { q.each(loop); }), kith::errc::constraint);
  // The rest was carried out.
  EXPECT_EQ(world.count<Npc>(), 3u);
}

TEST_F(changes_while_iterating, a_range_for_that_ends_throws_the_first_error_too) {
  EXPECT_EQ(code_of([&] {
              for (auto& batch : q)
                for (auto i : batch) batch.entity(i).child_of(batch.entity(i)).add<Npc>();
            }),
            kith::errc::constraint);
  EXPECT_EQ(world.count<Npc>(), 3u);
  EXPECT_FALSE(world.is_deferred());
  EXPECT_TRUE(world.deferred_errors().empty());
}

TEST_F(changes_while_iterating, left_by_break_or_throw_the_errors_wait_in_the_world) {
  for (auto& batch : q) {
    batch.entity(0).child_of(batch.entity(0));
    break;
  }
  EXPECT_EQ(world.deferred_errors().size(), 1u);
  EXPECT_THROW(q.each([&](kith::entity e, Position&) {
    e.child_of(e);
    throw std::runtime_error("enough");
  }),
               std::runtime_error);
  EXPECT_EQ(world.deferred_errors().size(), 1u);
}

TEST_F(changes_while_iterating, the_outermost_iteration_decides) {
  q.each([&](kith::entity outer, Position&) {
    q.each([&](kith::entity inner, Position&) {
      if (inner == outer) inner.add<Npc>();
    });
    EXPECT_EQ(world.count<Npc>(), 0u);
  });
  EXPECT_EQ(world.count<Npc>(), 3u);
}

TEST_F(changes_while_iterating, iterations_of_one_query_are_nested_freely) {
  int pairs = 0;
  q.each([&](Position&) {
    for (auto& batch : q)
      for ([[maybe_unused]] auto i : batch) pairs += static_cast<int>(q.count());
  });
  EXPECT_EQ(pairs, 27);
}

// U10 C17
TEST_F(changes_while_iterating, queries_are_created_and_destroyed_while_iterating) {
  std::size_t rows = 0;
  q.each([&](Position&) {
    rows += world.query_builder<Position>().cached().build().count();
    rows += world.query("Position, $this == a").count();
    kith::query<Position> copy = q;
    rows += copy.is_true();
  });
  EXPECT_EQ(rows, 3u * 5u);
}

TEST_F(changes_while_iterating, a_query_may_go_while_it_is_iterated) {
  auto temporary = std::make_unique<kith::query<Position>>(world.query<Position>());
  int visits = 0;
  temporary->each([&](Position&) {
    temporary.reset();
    ++visits;
  });
  EXPECT_EQ(visits, 3);
  visits = 0;
  for (auto& batch : world.query<Position>()) visits += static_cast<int>(batch.count());
  EXPECT_EQ(visits, 3);
}

TEST_F(changes_while_iterating, types_met_for_the_first_time_are_fine) {
  struct met_first_here {
    int value;
  };
  q.each([&](kith::entity e, Position&) { e.set(met_first_here{5}); });
  EXPECT_EQ(world.query<met_first_here>().count(), 3u);
}

TEST_F(changes_while_iterating, a_term_that_names_a_deleted_entity_never_matches) {
  for (bool cached : {false, true}) {
    auto Likes = world.entity("Likes");
    auto pears = world.entity("pears");
    auto dora = world.entity("dora").set(Position{1, 2}).add(Likes, pears);
    const auto make = [&](const char* text) {
      auto qb = world.filter_builder().expr(text);
      if (cached) qb.cached();
      return qb.build();
    };
    auto target = make("(Likes, pears)");
    auto without = make("Position, !(Likes, pears)");
    auto optional = make("Position, ?(Likes, pears)");
    auto source = make("Likes(dora, $x)");
    auto relation = make("(Likes, $x)");
    EXPECT_EQ(found(target), "dora");
    EXPECT_EQ(found(without), "a b c");
    EXPECT_EQ(source.count(), 1u);

    pears.destruct();
    EXPECT_EQ(found(target), "");
    EXPECT_EQ(found(without), "a b c dora");
    EXPECT_EQ(found(optional), "a b c dora");
    EXPECT_EQ(source.count(), 0u);
    // The number in use again is another entity.
    auto plums = world.entity("plums");
    dora.add(Likes, plums);
    EXPECT_EQ(found(target), "");
    EXPECT_EQ(source.count(), 1u);

    Likes.destruct();
    EXPECT_EQ(found(relation), "");
    dora.destruct();
    EXPECT_EQ(source.count(), 0u);
    auto other = world.entity("other").add(world.entity("Likes"), plums);
    EXPECT_EQ(found(target), "");
    EXPECT_EQ(found(relation), "");
    EXPECT_EQ(source.count(), 0u);
    other.destruct();
    world.lookup("Likes").destruct();
    plums.destruct();
  }
}

TEST_F(changes_while_iterating, deleting_a_component_that_a_typed_query_names_empties_it) {
  auto velocity = world.query<Velocity>();
  auto e = world.entity("v").set(Velocity{1, 2});
  EXPECT_EQ(velocity.count(), 1u);
  world.entity<Velocity>().destruct();
  EXPECT_EQ(velocity.count(), 0u);
  velocity.each([](Velocity&) { FAIL(); });
  EXPECT_TRUE(e.is_alive());
}

}  // namespace
