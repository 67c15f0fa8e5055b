// The queries manual, "Query Iteration". 001 L152-L290.
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include <kith/flecs.hpp>

#include "support/rows.hpp"

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
struct NPC {};

struct seed_001_iteration : testing::Test {
  flecs::world world;
  flecs::entity a = world.entity("a").set<Position>({10, 20}).set<Velocity>({1, 2}).add<NPC>();
  flecs::entity b = world.entity("b").set<Position>({30, 40}).set<Velocity>({3, 4}).add<NPC>();
  flecs::entity c =
      world.entity("c").set<Position>({50, 60}).set<Velocity>({5, 6}).set<Mass>({2}).add<NPC>();
  flecs::entity no_npc = world.entity("d").set<Position>({70, 80}).set<Velocity>({7, 8});

  void expect(flecs::entity e, float x, float y) const {
    EXPECT_EQ(e.get<Position>()->x, x) << e;
    EXPECT_EQ(e.get<Position>()->y, y) << e;
  }
};

// Q29 Q30 Q24
TEST_F(seed_001_iteration, each_calls_back_per_entity_with_the_types_of_the_query) {
  // q will be of type flecs::query<Position, const Velocity>
  auto q = world.query_builder<Position, const Velocity>().term<NPC>().build();

  kith::test::words visited;
  q.each([&](flecs::entity e, Position& p, const Velocity& v) {
    p.x += v.x;
    p.y += v.y;
    visited += e.name();
  });

  EXPECT_EQ(visited.str(), "a b c");
  expect(a, 11, 22);
  expect(b, 33, 44);
  expect(c, 55, 66);
  expect(no_npc, 70, 80);
}

// Q31 Q34
TEST_F(seed_001_iteration, iter_gives_access_to_the_component_arrays) {
  auto q = world.query_builder<Position, const Velocity>().term<NPC>().build();

  q.iter([](flecs::iter& it, Position* p, const Velocity* v) {
    for (auto i : it) {
      p[i].x += v[i].x;
      p[i].y += v[i].y;
    }
  });

  expect(a, 11, 22);
  expect(b, 33, 44);
  expect(c, 55, 66);
  expect(no_npc, 70, 80);
}

// Q32: entities of one call have the same components.
TEST_F(seed_001_iteration, iter_is_invoked_per_archetype) {
  std::multiset<std::string> visited;
  world.query_builder<Position, const Velocity>().term<NPC>().build().iter([&](flecs::iter& it) {
    std::string together;
    for (auto i : it) {
      EXPECT_EQ(it.entity(i).type().str(), it.entity(0).type().str());
      together += it.entity(i).name();
    }
    visited.insert(together);
  });
  std::size_t entities = 0;
  for (const std::string& together : visited) entities += together.size();
  EXPECT_EQ(entities, 3u);
  EXPECT_EQ(visited.count("c"), 1u);
}

// Q33
TEST_F(seed_001_iteration, rows_can_be_visited_repeatedly_and_in_any_order) {
  std::string visited;
  world.query<Position>().iter([&](flecs::iter& it, Position* p) {
    for (std::size_t i = it.count(); i-- > 0;) visited += it.entity(i).name();
    for (auto i : it) p[i].x += 1;
    for (auto i : it) p[i].x += 1;
  });
  EXPECT_EQ(kith::test::joined({visited}).size(), 4u);
  expect(a, 12, 20);
  expect(no_npc, 72, 80);
}

// Q35 Q36 Q37 C1
TEST_F(seed_001_iteration, iter_reaches_components_that_are_not_part_of_the_query_type) {
  auto q = world.query_builder<Position, const Velocity>().term<Mass>().build();

  q.iter([](flecs::iter& it, Position* p, const Velocity* v) {
    auto mass = it.term<Mass>(3);  // 3rd term of the query

    for (auto i : it) {
      p[i].x += v[i].x / mass[i].value;
      p[i].y += v[i].y / mass[i].value;
    }
  });

  expect(c, 52.5, 63);
  expect(a, 10, 20);
}

// Q38 M14 C25
TEST_F(seed_001_iteration, a_type_that_does_not_match_the_term_is_an_error) {
  auto q = world.query_builder<Position, const Velocity>().term<Mass>().build();
  const auto code = [&](auto body) {
    try {
      q.iter([&](flecs::iter& it) { body(it); });
    } catch (const flecs::error& e) {
      return e.code();
    }
    ADD_FAILURE() << "no error";
    return flecs::errc::parse;
  };
  EXPECT_EQ(code([](flecs::iter& it) { it.term<Velocity>(3); }), flecs::errc::type);
  EXPECT_EQ(code([](flecs::iter& it) { it.term<Mass>(1); }), flecs::errc::type);
  EXPECT_EQ(code([](flecs::iter& it) { it.term<Mass>(0); }), flecs::errc::out_of_range);
  EXPECT_EQ(code([](flecs::iter& it) { it.term<Mass>(4); }), flecs::errc::out_of_range);
}

// Q39 Q40 Q107 C1: it.id(1) of the seed counts from 1, which is term_id(1) here.
TEST_F(seed_001_iteration, the_id_that_a_term_matched_can_be_asked_for) {
  auto Likes = world.entity("Likes");
  a.add(Likes, world.entity("Apples"));
  std::ostringstream cout;

  auto q = world.query_builder<>().term(Likes, flecs::Wildcard).build();

  q.iter([&](flecs::iter& it) {
    // Get the type id for the first term.
    auto likes = it.term_id(1);

    // Extract the object from the pair
    cout << "Entities like " << likes.second().name() << std::endl;
    EXPECT_EQ(likes, it.id(0));
  });
  EXPECT_EQ(cout.str(), "Entities like Apples\n");
}

// Q41 Q42 M10 E11: the seed's loop starts at 0 although terms count from 1.
TEST_F(seed_001_iteration, iteration_can_be_fully_generic) {
  auto q = world.query_builder().expr("Position, Mass, NPC").build();
  std::vector<std::string> ids;
  float sum = 0;

  q.iter([&](flecs::iter& it) {
    for (std::size_t t = 1; t <= it.term_count(); t++) {
      auto id = it.term_id(t);
      auto data = it.term(t);
      ids.push_back(id.str());

      // Use id & data, for example for reflection
      for (auto i : it) {
        void* ptr = data[i];
        if (id == world.id<Mass>()) sum += static_cast<Mass*>(ptr)->value;
        EXPECT_EQ(ptr != nullptr, static_cast<bool>(id.type_id()));
      }
    }
  });
  EXPECT_EQ(ids, (std::vector<std::string>{"Position", "Mass", "NPC"}));
  EXPECT_EQ(sum, 2);
}

// C1: a range, so that generic code needs no index.
TEST_F(seed_001_iteration, fields_are_a_range) {
  std::string ids;
  for (auto& it : world.query("Position, Mass, NPC"))
    for (auto f : it.fields()) ids += f.id().str() + (f[0] ? "! " : " ");
  EXPECT_EQ(ids, "Position! Mass! NPC ");
}

// Q43 Q44
TEST_F(seed_001_iteration, iteration_is_stepped_with_next) {
  auto q = world.query({.terms = {{world.id<Position>()}, {world.id<Velocity>()}}});

  q.run([](flecs::iter& it) {
    while (it.next()) {
      auto p = it.term<Position>(1);
      auto v = it.term<Velocity>(2);

      for (std::size_t i = 0; i < it.count(); i++) {
        p[i].x += v[i].x;
        p[i].y += v[i].y;
      }
    }
  });

  expect(a, 11, 22);
  expect(b, 33, 44);
  expect(c, 55, 66);
  expect(no_npc, 77, 88);
}

// Q39 Q43 E12: it->world on a value, and `obj` printed as `object`.
TEST_F(seed_001_iteration, the_id_of_a_term_is_known_while_stepping) {
  auto Likes = world.entity("Likes");
  a.add(Likes, world.entity("Apples"));
  auto q = world.query({.terms = {{world.pair(Likes, flecs::Wildcard)}}});
  std::ostringstream out;

  q.run([&](flecs::iter& it) {
    while (it.next()) {
      flecs::id id = it.term_id(1);
      flecs::entity obj = id.second();
      out << "Entities like " << obj.name() << "\n";
    }
  });
  EXPECT_EQ(out.str(), "Entities like Apples\n");
}

}  // namespace
