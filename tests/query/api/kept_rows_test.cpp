// Kept rows after combinations of changes that are hard to follow.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

struct Position {
  int x;
};
struct Mass {
  int kg;
};
struct Npc {};
struct Hidden {};

struct kept_rows : testing::Test {
  // Iterates it to its end and says how many rows changed.
  template <class... Ts>
  static int changes(const kith::query<Ts...>& q) {
    int n = 0;
    q.run([&](kith::iter& it) {
      while (it.next())
        for (auto row : it) n += it.changed(row);
    });
    return n;
  }
  template <class... Ts>
  auto sorted(kith::query_builder<Ts...> of) {
    return of
        .template order_by<Position>([](const Position& a, const Position& b) { return a.x < b.x; })
        .build();
  }

  kith::world world;
};

TEST_F(kept_rows, all_may_go_and_many_come) {
  for (int many : {1, 8, 9, 70}) {
    auto one = world.entity().set(Position{1}).add<Npc>();
    auto q = sorted(world.query_builder<>().with<Npc>());
    for (int times = 0; times < 2; ++times) EXPECT_EQ(q.count(), 1u);
    one.destruct();
    for (int i = 0; i < many; ++i) world.entity().set(Position{i}).add<Npc>();
    EXPECT_EQ(q.count(), static_cast<std::size_t>(many));
    world.delete_with<Npc>();
    EXPECT_EQ(q.count(), 0u);
  }
}

// Each result is a batch of its own, and values of the new entities move the others.
TEST_F(kept_rows, are_where_they_are_while_entities_are_made) {
  constexpr int many = 300;
  auto likes = world.entity();
  for (int i = 0; i < many; ++i) world.entity().set(Position{i}).add(likes, world.entity());
  auto q = world.query_builder<const Position>().with(likes, "$x").cached().build();
  for (int times = 0; times < 3; ++times) {
    std::vector<int> seen;
    q.run([&](kith::iter& it) {
      while (it.next()) {
        seen.push_back(it.field<const Position>(0)[0].x);
        world.entity().set(Position{-1});
      }
    });
    std::ranges::sort(seen);
    ASSERT_EQ(seen.size(), std::size_t{many});
    for (int i = 0; i < many; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
  }
}

TEST_F(kept_rows, that_come_to_none_are_new) {
  auto one = world.entity().add<Npc>();
  auto q = world.query_builder<>().with<Npc>().without<Hidden>().detect_changes().build();
  EXPECT_EQ(changes(q), 1);
  for (int times = 0; times < 3; ++times) {
    one.add<Hidden>();
    EXPECT_EQ(changes(q), 0);
    one.remove<Hidden>();
    EXPECT_EQ(changes(q), 1);
    EXPECT_EQ(changes(q), 0);
  }
}

// Seeing a part is not seeing all.
TEST_F(kept_rows, are_seen_when_all_were_seen) {
  auto Likes = world.entity("Likes"), apples = world.entity("apples");
  std::vector<kith::entity> all;
  for (int i = 0; i < 4; ++i) all.push_back(world.entity().set(Position{i}).add(Likes, apples));
  auto by_value = sorted(world.query_builder<const Position>());
  auto by_pair = world.query_builder<>().expr("(Likes, *)").cached().build();
  const auto is_seen = [](const auto& q, auto look) {
    q.count();
    EXPECT_FALSE(q.changed());
    return look;
  };
  const auto all_ways = [&](const auto& q) {
    return std::vector<std::function<void()>>{
        [&] { q.first(); },
        [&] { q.is_true(); },
        [&] { q.find([](kith::iter&, std::size_t, auto&&...) { return true; }); },
        [&] {
          for ([[maybe_unused]] kith::iter& it : q) break;
        },
        [&] {
          try {
            q.each([](kith::iter&, std::size_t) { throw 1; });
          } catch (int) {
          }
        },
        [&] { q.run([](kith::iter& it) { it.next(); }); },
    };
  };
  for (auto& look : all_ways(by_value)) {
    is_seen(by_value, 0);
    all[0].remove<Position>();
    look();
    EXPECT_TRUE(by_value.changed());
    all[0].set(Position{9});
  }
  for (auto& look : all_ways(by_pair)) {
    is_seen(by_pair, 0);
    all[0].remove(Likes, apples);
    look();
    EXPECT_TRUE(by_pair.changed());
    all[0].add(Likes, apples);
  }
}

TEST_F(kept_rows, of_other_groups_are_not_seen_with_one) {
  auto In = world.entity("In"), c1 = world.entity("c1"), c2 = world.entity("c2");
  world.entity().set(Position{1}).add(In, c1);
  auto b = world.entity().set(Position{2}).add(In, c2);
  auto q = world.query_builder<const Position>().group_by(In).detect_changes().build();
  EXPECT_EQ(changes(q), 2);
  b.set(Position{3});
  q.set_group(c1).count();
  EXPECT_TRUE(q.changed());
  EXPECT_EQ(changes(q), 1);
}

TEST_F(kept_rows, values_of_others_are_followed_from_table_to_table) {
  for (int writes = 0; writes < 6; ++writes) {
    auto base = world.prefab().set(Mass{1});
    auto game = world.entity().set(Mass{1});
    world.entity().is_a(base);
    world.entity().add<Npc>();
    auto inherited = world.query_builder<const Mass>().cached().build();
    auto named = world.query_builder<>().with<Npc>().with<Mass>().src(game).in().cached().build();
    for (int i = 0; i < writes; ++i) base.set(Mass{i}), game.set(Mass{i});
    for (int times = 0; times < 2; ++times) inherited.count(), named.count();
    base.add<Hidden>();
    game.add<Hidden>();
    for (int i = 0; i <= writes; ++i) base.set(Mass{i}), game.set(Mass{i});
    EXPECT_TRUE(inherited.changed()) << writes;
    EXPECT_TRUE(named.changed()) << writes;
    inherited.count(), named.count();
    base.set(Mass{7}).remove<Hidden>();
    game.set(Mass{7}).remove<Hidden>();
    EXPECT_TRUE(inherited.changed()) << writes;
    EXPECT_TRUE(named.changed()) << writes;
  }
}

TEST_F(kept_rows, follow_values_that_a_function_groups_by) {
  std::vector<kith::entity> all;
  for (int i = 0; i < 20; ++i) all.push_back(world.entity().set(Position{i}));
  auto q = world.query_builder<const Position>()
               .group_by([](kith::entity e) { return e.get<Position>()->x < 10 ? 0u : 1u; })
               .build();
  for (int times = 0; times < 2; ++times) EXPECT_EQ(q.set_group_number(1).count(), 10u);
  all[0].set(Position{50});
  EXPECT_EQ(q.set_group_number(1).count(), 11u);
  all[1].get_mut<Position>()->x = 60;
  EXPECT_EQ(q.set_group_number(1).count(), 12u);
  world.query<Position>().each([](Position& p) { p.x = 99; });
  EXPECT_EQ(q.set_group_number(1).count(), 20u);
  EXPECT_EQ(q.set_group_number(0).count(), 0u);
}

// Every way to keep rows in one world of which anything changes, also several things at once.
TEST_F(kept_rows, after_anything) {
  auto In = world.entity("In");
  std::vector<kith::entity> places, all;
  for (int i = 0; i < 5; ++i) places.push_back(world.entity());
  std::minstd_rand random(17);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int next = 0;
  const auto less = [](const Position& a, const Position& b) { return a.x < b.x; };
  auto plain = world.query_builder<const Position>().detect_changes().build();
  auto ordered =
      world.query_builder<const Position>().order_by<Position>(less).detect_changes().build();
  auto grouped = world.query_builder<const Position>()
                     .without<Hidden>()
                     .group_by(In)
                     .order_by<Position>(less)
                     .detect_changes()
                     .build();
  auto by_function =
      world.query_builder<const Position>()
          .group_by([](kith::entity e) { return static_cast<unsigned>(e.get<Position>()->x % 3); })
          .detect_changes()
          .build();
  std::array<std::map<kith::entity_t, int>, 4> last;
  const auto look = [&](std::size_t which, const auto& q, auto expected_key, bool in_order,
                        int step) {
    std::vector<std::tuple<std::uint64_t, int, kith::entity_t>> rows;
    std::map<kith::entity_t, int> now;
    std::uint64_t last_group = 0;
    q.run([&](kith::iter& it) {
      while (it.next()) {
        ASSERT_GE(it.group_id(), last_group) << step;
        last_group = it.group_id();
        const auto p = it.field<const Position>(0);
        for (auto row : it) {
          const kith::entity e = it.entity(row);
          EXPECT_EQ(it.group_id(), expected_key(e)) << which << " " << step;
          const auto before = last[which].find(e.id());
          const bool differs = before == last[which].end() || before->second != p[row].x;
          // In query 2 an entity that was hidden counts as changed when it appears again.
          EXPECT_TRUE(it.changed(row) == differs || (which == 2 && !differs))
              << which << " " << step;
          now[e.id()] = p[row].x;
          rows.emplace_back(it.group_id(), in_order ? p[row].x : 0, in_order ? e.id() : 0);
        }
      }
    });
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end())) << which << " " << step;
    EXPECT_EQ(now.size(), rows.size()) << "each once " << which << " " << step;
    std::size_t wanted = 0;
    world.filter<const Position>().each(
        [&](kith::entity e, const Position&) { wanted += which != 2 || !e.has<Hidden>(); });
    EXPECT_EQ(rows.size(), wanted) << which << " " << step;
    last[which] = std::move(now);
  };
  for (int step = 0; step < 1500 && !HasFailure(); ++step) {
    const std::size_t together = below(8) ? below(4) : below(200);
    for (std::size_t i = 0; i <= together; ++i) {
      if (all.empty() || (all.size() < 150 && !below(4)))
        all.push_back(world.entity().set(Position{++next}));
      kith::entity e = all[below(all.size())];
      switch (below(7)) {
        case 0:
          if (below(3)) break;
          e.destruct();
          std::erase(all, e);
          break;
        case 1:
        case 2:
          e.set(Position{++next});
          break;
        case 3:
          e.has<Position>() ? e.remove<Position>() : e.set(Position{++next});
          break;
        case 4:
          e.has<Hidden>() ? e.remove<Hidden>() : e.add<Hidden>();
          break;
        case 5:
          if (e.has(In, kith::Wildcard)) e.remove(In, kith::Wildcard);
          if (below(4)) e.add(In, places[below(places.size())]);
          break;
        default:
          e.has<Npc>() ? e.remove<Npc>() : e.add<Npc>();
      }
    }
    if (!below(40)) {
      for (kith::entity e : all) e.destruct();
      all.clear();
    }
    const auto none = [](kith::entity) { return std::uint64_t{0}; };
    if (!below(3)) plain.first(), ordered.is_true(), grouped.set_group(places[0]).count();
    if (below(2)) look(0, plain, none, false, step);
    if (below(2)) look(1, ordered, none, true, step);
    if (below(2))
      look(
          2, grouped, [&](kith::entity e) { return e.target(In) ? e.target(In).id() : 0; }, true,
          step);
    if (below(2))
      look(
          3, by_function,
          [](kith::entity e) { return static_cast<std::uint64_t>(e.get<Position>()->x % 3); },
          false, step);
  }
}

}  // namespace
