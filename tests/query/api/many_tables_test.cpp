// A relation that is pinned to tables and of which each entity has several targets: nearly every
// entity has a table of its own. The query then gathers all pairs in one pass through all tables.
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "storage/gathered_rows.hpp"
#include "world/engine_state.hpp"

namespace {

struct Weight {
  int w;
};
struct Height {
  int h;
};

class many_tables : public testing::Test {
 protected:
  // (entity, target) and the value of the pair.
  using pairs = std::map<std::pair<kith::entity_t, kith::entity_t>, int>;

  many_tables() {
    kith::entity(weight).add(kith::Fragment);
    for (int i = 0; i < 60; ++i) targets.push_back(world.entity("t" + std::to_string(i)));
    for (int i = 0; i < 2000; ++i) {
      rows.push_back(world.entity().set(Height{i}));
      if (i % 3 == 0) rows.back().add(npc);
      for (int n = 0; n <= i % 5; ++n) add(rows.back(), targets[next() % targets.size()]);
    }
  }

  std::uint32_t next() { return state = state * 1664525u + 1013904223u, state >> 8; }
  void add(kith::entity e, kith::entity target) {
    const int value = static_cast<int>(next() % 1000);
    e.set<Weight>(target, {value});
    all[{e.id(), target.id()}] = value;
  }
  pairs only(auto passes) {
    pairs some;
    for (const auto& [who, value] : all)
      if (passes(world.entity(who.first), world.entity(who.second))) some[who] = value;
    return some;
  }

  // What a query finds, kept or not, without gathering, where it pays, and where it does not.
  void expect(const std::string& text, const pairs& expected) {
    for (const std::uint64_t way : {0u, 1u, 2u, 3u, 4u})
      for (const bool cached : {true, false}) {
        SCOPED_TRACE(text + ", way " + std::to_string(way) + (cached ? ", cached" : ""));
        kith::core::shortcuts& open = world.engine().state().shortcuts;
        open.gathering = way != 0;
        open.chance = way < 2 ? 0 : way;
        const kith::query<> q =
            cached ? world.query_builder<>().expr(text).cached().build() : world.filter(text);
        pairs found;
        std::size_t count = 0;
        q.run([&](kith::iter& it) {
          while (it.next())
            for (std::size_t row = 0; row < it.count(); ++row, ++count)
              found[{it.entity(row).id(), it.pair(0).second().id()}] = it.field<Weight>(0)[row].w;
        });
        EXPECT_EQ(found, expected);
        EXPECT_EQ(count, expected.size());
        EXPECT_EQ(q.count(), expected.size());
      }
    world.engine().state().shortcuts = {};
  }

  kith::world world;
  const kith::entity npc = world.entity("Npc"), weight = world.component<Weight>();
  std::vector<kith::entity> targets, rows;
  pairs all;
  std::uint32_t state = 7;
};

TEST_F(many_tables, give_every_pair_once) {
  expect("(Weight, *)", all);
  expect("(Weight, $x)", all);
}

TEST_F(many_tables, are_gone_through_with_other_terms) {
  expect("(Weight, *), Height", all);
  expect("(Weight, *), Npc", only([&](kith::entity e, kith::entity) { return e.has(npc); }));
  expect("(Weight, *), !Npc", only([&](kith::entity e, kith::entity) { return !e.has(npc); }));
  targets[3].add(npc);
  expect("(Weight, $x), Npc($x)",
         only([&](kith::entity, kith::entity target) { return target == targets[3]; }));
}

TEST_F(many_tables, leave_out_who_is_disabled_or_a_prefab) {
  rows[1].add(kith::Disabled);
  rows[5].add(kith::Prefab);
  expect("(Weight, *)",
         only([&](kith::entity e, kith::entity) { return e != rows[1] && e != rows[5]; }));
}

TEST_F(many_tables, leave_out_what_is_off) {
  const auto who = std::next(all.begin(), 40)->first;
  world.entity(who.first).disable(weight, world.entity(who.second));
  expect("(Weight, *)", only([&](kith::entity e, kith::entity t) {
           return e.id() != who.first || t.id() != who.second;
         }));
}

TEST_F(many_tables, show_what_is_inherited) {
  const kith::entity heir = world.entity().is_a(rows[4]);
  pairs expected = all;
  for (const auto& [who, value] : all)
    if (who.first == rows[4].id()) expected[{heir.id(), who.second}] = value;
  ASSERT_GT(expected.size(), all.size());
  expect("(Weight, *)", expected);
  expect("(Weight, $x)", expected);
}

TEST_F(many_tables, follow_changes) {
  const kith::query<> q = world.filter("(Weight, *)");
  EXPECT_EQ(q.count(), all.size());
  for (int i = 0; i < 2000; i += 7) {
    add(rows[static_cast<std::size_t>(i)], targets[next() % targets.size()]);
    std::erase_if(all, [&](const auto& pair) {
      return pair.first.first == rows[static_cast<std::size_t>(i) + 1].id();
    });
    rows[static_cast<std::size_t>(i) + 1].destruct();
    if (i % 70 == 0) {
      EXPECT_EQ(q.count(), all.size());
    }
  }
  expect("(Weight, *)", all);
}

// Then it would take more than the tables do, and is given up.
TEST_F(many_tables, are_gone_through_beside_a_large_one) {
  const kith::entity big = world.entity("big");
  for (int i = 0; i < 40'000; ++i) add(world.entity(), big);
  expect("(Weight, *)", all);
  const kith::core::gathered_rows rows_of_all(world.engine().state().store(),
                                              kith::core::index_of(weight.id()));
  EXPECT_FALSE(rows_of_all.is_complete());
}

TEST_F(many_tables, are_gone_through_with_targets_far_apart) {
  const auto is_gathered = [&] {
    return kith::core::gathered_rows(world.engine().state().store(),
                                     kith::core::index_of(weight.id()))
        .is_complete();
  };
  EXPECT_TRUE(is_gathered());
  const kith::entity far = world.make_alive(kith::core::max_index);
  EXPECT_TRUE(is_gathered());
  expect("(Weight, *)", all);
  add(rows[0], far);
  EXPECT_FALSE(is_gathered());
  expect("(Weight, *)", all);
}

TEST_F(many_tables, can_be_left_early) {
  const kith::query<> q = world.filter("(Weight, *)");
  for (std::size_t leave : {1u, 100u, 3000u}) {
    std::size_t seen = 0;
    q.run([&](kith::iter& it) {
      while (seen < leave && it.next()) seen += it.count();
    });
    EXPECT_GE(seen, leave);
  }
  EXPECT_TRUE(q.first());
}

}  // namespace
