// group_by(): the order of groups, and the results of a single group.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "query/api/in_order.hpp"
#include "support/rows.hpp"

namespace {

using kith::test::code_of;
using kith::test::found;
using kith::test::in_order;

struct Position {
  int x;
};
struct Layer {
  int number;
};
struct InCell {};
struct Npc {};

struct grouping : testing::Test {
  kith::entity at(const char* name, int x) { return world.entity(name).set(Position{x}); }
  // "0:d one:b,e"
  template <class Query>
  std::string groups(const Query& q) {
    std::string text;
    std::uint64_t last = ~std::uint64_t{0};
    for (kith::iter& it : q) {
      if (it.group_id() != last) {
        last = it.group_id();
        const kith::entity e = last ? world.entity(last) : kith::entity();
        text += (text.empty() ? "" : " ") + (e ? std::string(e.name()) : "0") + ":";
      } else {
        text += ",";
      }
      for (auto row : it) text += std::string(row ? "," : "") + std::string(it.entity(row).name());
    }
    return text;
  }

  kith::world world;
  kith::entity In = world.entity("In");
  kith::entity one = world.entity("one"), two = world.entity("two");
};

// One test for each way to keep a relation.
struct grouping_in_any_storage : grouping, testing::WithParamInterface<kith::entity_t> {
  grouping_in_any_storage() {
    if (GetParam()) In.add(GetParam());
    at("d", 0);
    at("a", 1).add(In, two);
    at("b", 2).add(In, one);
    at("c", 3).add(In, two).add<Npc>();
  }
  kith::query<const Position> q =
      world.query_builder<const Position>().group_by(In).cached().build();
};
INSTANTIATE_TEST_SUITE_P(storages, grouping_in_any_storage,
                         testing::Values(0, kith::Fragment, kith::DontFragment, kith::Sparse,
                                         kith::Union, kith::Exclusive));

TEST_P(grouping_in_any_storage, targets_make_groups_in_ascending_order) {
  EXPECT_EQ(groups(q), "0:d one:b two:a,c");
  EXPECT_EQ(groups(world.filter_builder<const Position>().group_by(In).build()),
            "0:d one:b two:a,c");
}

TEST_P(grouping_in_any_storage, one_group_can_be_iterated_alone) {
  EXPECT_EQ(found(q.set_group(two)), "a c");
  EXPECT_EQ(found(q.set_group(one)), "b");
  EXPECT_EQ(found(q.set_group_number(0)), "d");
  EXPECT_EQ(q.set_group(two).count(), 2u);
  EXPECT_EQ(q.set_group(two).first().name(), "a");
  EXPECT_TRUE(q.set_group(one).is_true());
  EXPECT_EQ(q.set_group(one).set_group(two).count(), 2u);
  int sum = 0;
  q.set_group(two).each([&](const Position& p) { sum += p.x; });
  q.set_group(two).iter([&](kith::iter& it, const Position* p) {
    for (auto row : it) sum += p[row].x;
  });
  EXPECT_EQ(sum, 8);
  EXPECT_EQ(groups(q.set_group(two)), "two:a,c");
  EXPECT_EQ(q.count(), 4u);
}

TEST_P(grouping_in_any_storage, a_group_that_nobody_is_in_is_empty) {
  EXPECT_EQ(q.set_group(world.entity("three")).count(), 0u);
  EXPECT_EQ(q.set_group_number(12345).count(), 0u);
  EXPECT_FALSE(q.set_group_number(12345).first());
  EXPECT_FALSE(q.set_group_number(12345).is_true());
}

TEST_P(grouping_in_any_storage, entities_change_groups) {
  EXPECT_EQ(groups(q), "0:d one:b two:a,c");
  world.lookup("a").remove(In, two).add(In, one);
  EXPECT_EQ(found(q.set_group(one)), "a b");
  EXPECT_EQ(found(q.set_group(two)), "c");
  world.lookup("b").remove(In, one);
  EXPECT_EQ(found(q.set_group(one)), "a");
  EXPECT_EQ(found(q.set_group_number(0)), "b d");
  world.lookup("a").destruct();
  EXPECT_EQ(q.set_group(one).count(), 0u);
  at("e", 5).add(In, one);
  EXPECT_EQ(found(q.set_group(one)), "e");
  q.each([&](kith::entity e, const Position& p) {
    if (p.x == 5) e.remove(In, one).add(In, two);
  });
  EXPECT_EQ(found(q.set_group(two)), "c e");
}

TEST_P(grouping_in_any_storage, a_group_ends_with_its_target) {
  EXPECT_EQ(q.count(), 4u);
  two.destruct();
  EXPECT_EQ(found(q.set_group_number(0)), "a c d");
  EXPECT_EQ(groups(q).substr(0, 2), "0:");
  // Another entity with the place of the one that is gone is another group.
  auto three = world.entity("three");
  EXPECT_EQ(q.set_group(three).count(), 0u);
  world.lookup("a").add(In, three);
  EXPECT_EQ(found(q.set_group(three)), "a");
}

TEST_P(grouping_in_any_storage, many_groups_are_found_between_changes) {
  std::vector<kith::entity> targets;
  std::vector<std::size_t> members(300);
  for (std::size_t i = 0; i < members.size(); ++i) targets.push_back(world.entity());
  const auto join = [&](std::size_t i) {
    ++members[i];
    return world.entity().set(Position{0}).add(In, targets[i]);
  };
  const auto expect_all = [&] {
    for (std::size_t i = 0; i < members.size(); ++i)
      ASSERT_EQ(q.set_group(targets[i]).count(), members[i]) << i;
  };
  std::vector<kith::entity> first;
  for (std::size_t i = 0; i < members.size(); i += 2) first.push_back(join(i));
  expect_all();
  expect_all();
  // A group comes, one goes, one grows.
  join(1);
  EXPECT_EQ(q.set_group(targets[1]).count(), 1u);
  first[5].destruct();
  --members[10];
  EXPECT_EQ(q.set_group(targets[10]).count(), 0u);
  EXPECT_EQ(q.set_group(targets[12]).count(), 1u);
  join(298);
  EXPECT_EQ(q.set_group(targets[298]).count(), 2u);
  EXPECT_EQ(q.set_group(targets[299]).count(), 0u);
  expect_all();
}

// In order within the groups, whatever single entities do.
TEST_P(grouping_in_any_storage, rows_follow_single_changes) {
  std::vector<kith::entity> targets, all;
  for (int i = 0; i < 6; ++i) targets.push_back(world.entity());
  for (int i = 0; i < 50; ++i) all.push_back(world.entity().set(Position{i}));
  auto sorted =
      world.query_builder<const Position>()
          .group_by(In)
          .order_by<Position>([](const Position& a, const Position& b) { return a.x < b.x; })
          .build();
  std::minstd_rand random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int step = 0; step < 2000; ++step) {
    kith::entity& e = all[below(all.size())];
    switch (below(6)) {
      case 0:
        e.destruct();
        e = world.entity().set(Position{static_cast<int>(below(50))});
        break;
      case 1:
        e.set(Position{static_cast<int>(below(50))});
        break;
      case 2:
        e.has<Position>() ? e.remove<Position>() : e.add<Position>();
        break;
      case 3:
        e.has<Npc>() ? e.remove<Npc>() : e.add<Npc>();
        break;
      default:
        if (e.has(In, kith::Wildcard)) e.remove(In, kith::Wildcard);
        if (below(4)) e.add(In, targets[below(targets.size())]);
    }
    using key = std::tuple<kith::entity_t, int, kith::entity_t>;
    std::vector<key> rows, expected;
    sorted.run([&](kith::iter& it) {
      while (it.next()) {
        ASSERT_GT(it.count(), 0u);
        for (auto i : it)
          rows.emplace_back(it.group_id(), it.field<const Position>(0)[i].x, it.entity(i).id());
      }
    });
    world.filter<const Position>().each([&](kith::entity at, const Position& p) {
      const kith::entity in = at.target(In);
      expected.emplace_back(in ? in.id() : 0, p.x, at.id());
    });
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(rows, expected) << step;
    ASSERT_EQ(sorted.set_group(targets[0]).count(),
              static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const key& row) {
                return std::get<0>(row) == targets[0].id();
              })));
  }
}

// --- what makes groups ---------------------------------------------------------------------------

TEST_F(grouping, who_has_several_targets_counts_with_the_first) {
  at("a", 1).add(In, two).add(In, one);
  at("b", 2).add(In, two);
  auto q = world.query_builder<Position>().group_by(In).build();
  EXPECT_EQ(groups(q), "one:a two:b");
  world.lookup("a").remove(In, one);
  EXPECT_EQ(found(q.set_group(two)), "a b");
}

TEST_F(grouping, by_a_relation_that_is_a_type) {
  at("a", 1).add<InCell>(two);
  at("b", 2).add<InCell>(one);
  at("c", 3);
  auto q = world.query_builder<Position>().group_by<InCell>().build();
  EXPECT_EQ(groups(q), "0:c one:b two:a");
}

TEST_F(grouping, by_what_a_function_says) {
  for (int x = 0; x < 7; ++x) at(("e" + std::to_string(x)).c_str(), x);
  auto q = world.query_builder<const Position>()
               .group_by([](kith::entity e) { return e.get<Position>()->x % 3; })
               .build();
  EXPECT_EQ(found(q.set_group_number(0)), "e0 e3 e6");
  EXPECT_EQ(found(q.set_group_number(1)), "e1 e4");
  EXPECT_EQ(found(q.set_group_number(2)), "e2 e5");
  EXPECT_EQ(q.set_group_number(3).count(), 0u);
  EXPECT_EQ(in_order(q), "e0 e3 e6 e1 e4 e2 e5");
  world.lookup("e3").destruct();
  EXPECT_EQ(found(q.set_group_number(0)), "e0 e6");
}

TEST_F(grouping, by_an_inherited_target) {
  auto base = world.prefab("base").add(In, one);
  at("a", 1).is_a(base);
  at("b", 2).is_a(base).add(In, two);
  auto q = world.query_builder<Position>().group_by(In).build();
  EXPECT_EQ(found(q.set_group(one)), "a b");
  In.add(kith::Exclusive);
  EXPECT_EQ(groups(q), "one:a two:b");
  base.remove(In, one);
  EXPECT_EQ(groups(q), "0:a two:b");
}

TEST_F(grouping, by_parent) {
  at("a", 1).child_of(two), at("b", 2).child_of(one), at("c", 3);
  auto q = world.query_builder<Position>().group_by(kith::ChildOf).build();
  EXPECT_EQ(groups(q), "0:c one:b two:a");
  world.lookup("two::a").child_of(one);
  EXPECT_EQ(found(q.set_group(one)), "a b");
}

TEST_F(grouping, a_relation_that_is_switched_off_does_not_count) {
  auto a = at("a", 1).add(In, one);
  auto q = world.query_builder<Position>().group_by(In).build();
  EXPECT_EQ(groups(q), "one:a");
  a.disable(In, one);
  EXPECT_EQ(groups(q), "0:a");
  a.enable(In, one);
  EXPECT_EQ(groups(q), "one:a");
}

// --- with everything else ------------------------------------------------------------------------

TEST_F(grouping, with_variables) {
  auto Likes = world.entity("Likes"), x = world.entity("x"), y = world.entity("y");
  at("a", 1).add(In, two).add(Likes, x).add(Likes, y);
  at("b", 2).add(In, one).add(Likes, y);
  auto q = world.query_builder<Position>().with(Likes, "$what").group_by(In).build();
  EXPECT_EQ(groups(q), "one:b two:a,a");
  EXPECT_EQ(groups(q.set_var("what", x)), "two:a");
  EXPECT_EQ(groups(q.set_group(two).set_var("what", y)), "two:a");
  EXPECT_EQ(groups(q.set_var("what", x).set_group(one)), "");
}

TEST_F(grouping, with_parameters) {
  auto Likes = world.entity("Likes"), x = world.entity("x");
  at("a", 1).add(In, two).add(Likes, x);
  at("b", 2).add(In, one).add(Likes, x);
  auto q = world.query_builder<Position>().with(Likes, kith::param).group_by(In).cached().build();
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(groups(q.args(x)), "one:b two:a");
    EXPECT_EQ(groups(q.args(x).set_group(two)), "two:a");
    EXPECT_EQ(groups(q.set_group(one).args(x)), "one:b");
  }
}

TEST_F(grouping, with_a_cascade_is_by_depth_within_each_group) {
  auto root = at("root", 0).add(In, two);
  at("leaf", 1).child_of(root).add(In, one);
  at("leaf2", 1).child_of(root).add(In, two);
  auto q = world.query_builder<Position>().expr("?Position(cascade)").group_by(In).build();
  EXPECT_EQ(groups(q), "one:leaf two:root,leaf2");
}

TEST_F(grouping, values_can_be_written_and_follow_their_rows) {
  at("a", 1).add(In, two), at("b", 2).add(In, one), at("c", 3).add(In, two);
  auto q = world.query_builder<Position>().group_by(In).build();
  for (int times = 0; times < 3; ++times) q.set_group(two).each([](Position& p) { p.x += 10; });
  EXPECT_EQ(world.lookup("a").get<Position>()->x, 31);
  EXPECT_EQ(world.lookup("b").get<Position>()->x, 2);
  EXPECT_EQ(world.lookup("c").get<Position>()->x, 33);
}

TEST_F(grouping, sees_changes_like_any_query) {
  auto a = at("a", 1).add(In, two);
  auto q = world.query_builder<const Position>().group_by(In).build();
  EXPECT_TRUE(q.changed());
  q.count();
  EXPECT_FALSE(q.changed());
  a.remove(In, two).add(In, one);
  EXPECT_TRUE(q.changed());
}

// --- errors --------------------------------------------------------------------------------------

TEST_F(grouping, a_query_without_groups_has_none_to_ask_for) {
  at("a", 1);
  auto q = world.query<Position>();
  EXPECT_EQ(code_of([&] { q.set_group(one).count(); }), kith::errc::out_of_range);
  EXPECT_EQ(code_of([&] { q.set_group_number(0).each([](Position&) {}); }),
            kith::errc::out_of_range);
  EXPECT_FALSE(world.is_deferred());
  for (kith::iter& it : q) EXPECT_EQ(it.group_id(), 0u);
}

TEST_F(grouping, entities_of_other_worlds_are_no_groups) {
  kith::world other;
  auto q = world.query_builder<Position>().group_by(In).build();
  EXPECT_EQ(code_of([&] { q.set_group(other.entity()).count(); }), kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder<Position>().group_by(other.entity()); }),
            kith::errc::not_alive);
}

TEST_F(grouping, by_a_relation_that_is_deleted_is_one_group) {
  at("a", 1).add(In, two), at("b", 2).add(In, one);
  auto q = world.query_builder<Position>().group_by(In).build();
  EXPECT_EQ(groups(q), "one:b two:a");
  In.destruct();
  EXPECT_EQ(found(q.set_group_number(0)), "a b");
  // Whatever has its place now is another relation.
  auto again = world.entity("again");
  world.lookup("a").add(again, two);
  EXPECT_EQ(found(q.set_group_number(0)), "a b");
}

}  // namespace
