// The queries manual, "Sorting". 001 L292-L382.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

namespace {

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Mass {
  float value;
};

// E15: a difference of floats that is cut to an int says that 0.5 and 0 are the same.
int compare_position(flecs::entity_t, const Position* p1, flecs::entity_t, const Position* p2) {
  return (p1->x > p2->x) - (p1->x < p2->x);
}
int compare_entity(flecs::entity_t e1, const void*, flecs::entity_t e2, const void*) {
  return (e1 > e2) - (e1 < e2);
}

struct seed_001_sorting : testing::Test {
  flecs::world world;

  template <class Query>
  std::string order(const Query& q) {
    std::string line;
    q.each([&](flecs::entity e) { line += (line.empty() ? "" : " ") + std::string(e.name()); });
    return line;
  }
};

// Q45 Q46 Q55 C8: L296, L306, L330
TEST_F(seed_001_sorting, values_come_out_in_order) {
  world.entity("c").set<Position>({0.75, 0});
  world.entity("a").set<Position>({0.25, 0});
  world.entity("b").set<Position>({0.5, 0});
  auto q = world.query_builder<const Position>().order_by<Position>(compare_position).build();
  std::vector<float> values;
  q.iter([&](flecs::iter& it) {
    auto p = it.term<const Position>(1);
    for (auto i : it) values.push_back(p[i].x);
  });
  EXPECT_EQ(values, (std::vector{0.25f, 0.5f, 0.75f}));
  EXPECT_EQ(order(q), "a b c");
}

// Q47 Q48 Q49 Q50 Q51 Q52 Q53: L314
TEST_F(seed_001_sorting, reordering_happens_when_it_is_iterated) {
  int compared = 0;
  auto q = world.query_builder<const Position>()
               .order_by<Position>(
                   [&](flecs::entity_t, const Position* p1, flecs::entity_t, const Position* p2) {
                     ++compared;
                     return compare_position(0, p1, 0, p2);
                   })
               .build();
  auto a = world.entity("a").set<Position>({3, 0}), b = world.entity("b").set<Position>({2, 0});
  auto e = world.entity("e").add<Position>();
  e.set<Position>({10, 20});
  EXPECT_EQ(compared, 0);
  EXPECT_EQ(order(q), "b a e");
  EXPECT_GT(compared, 0);

  a.set<Position>({1, 0});
  EXPECT_EQ(order(q), "a b e");
  b.remove<Position>();
  EXPECT_EQ(order(q), "a e");
  e.destruct();
  EXPECT_EQ(order(q), "a");
}

// Q54: L325
TEST_F(seed_001_sorting, writing_an_out_term_reorders) {
  world.entity("a").set<Position>({1, 0});
  world.entity("b").set<Position>({2, 0});
  auto q = world.query_builder<const Position>().order_by<Position>(compare_position).build();
  EXPECT_EQ(order(q), "a b");
  auto writer = world.query_builder<>().term<Position>().inout(flecs::Out).build();
  writer.iter([](flecs::iter& it) {
    auto p = it.term<Position>(1);
    for (auto i : it) p[i].x = -p[i].x;
  });
  EXPECT_EQ(order(q), "b a");
}

// Q58 Q60 Q61: L342-L362
TEST_F(seed_001_sorting, slices_of_the_worked_example) {
  const auto at = [&](const char* name, float x) {
    return world.entity(name).set<Position>({x, 0});
  };
  at("E1", 1), at("E2", 3), at("E3", 4);
  at("E4", 5).set<Velocity>({}), at("E5", 7).set<Velocity>({});
  at("E6", 8).set<Mass>({});
  at("E7", 10), at("E8", 11);
  auto q = world.query_builder<const Position>().order_by<Position>(compare_position).build();
  EXPECT_EQ(order(q), "E1 E2 E3 E4 E5 E6 E7 E8");
  std::string slices;
  std::size_t row = 0;
  q.iter([&](flecs::iter& it, const Position*) {
    const std::size_t last = row + it.count() - 1;
    slices += std::to_string(row);
    if (last != row) slices += ".." + std::to_string(last);
    slices += " ";
    row = last + 1;
  });
  EXPECT_EQ(slices, "0..2 3..4 5 6..7 ");
}

// Q62 Q63: L368, L377
TEST_F(seed_001_sorting, by_entity_when_there_is_no_component) {
  auto a = world.entity("a").set<Position>({3, 0});
  auto b = world.entity("b").set<Position>({2, 0}).set<Mass>({1});
  auto c = world.entity("c").set<Position>({1, 0});
  auto q = world.query_builder<const Position>().order_by(compare_entity).build();
  EXPECT_EQ(order(q), "a b c");
  c.set<Position>({-1, 0});
  b.set<Mass>({2});
  EXPECT_EQ(order(q), "a b c");
  a.destruct();
  EXPECT_EQ(order(q), "b c");
}

}  // namespace
