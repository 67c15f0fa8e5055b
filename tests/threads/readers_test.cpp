// One world that several threads read. Also built alone with the thread sanitizer.
#include <array>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Position {
  int x = 0;
};
struct Speed {
  int x = 0;
};
struct Seen {};

constexpr int thread_count = 4;

template <class Work>
void on_threads(Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) threads.emplace_back([=] { work(i); });
  for (std::thread& t : threads) t.join();
}

struct readers : testing::Test {
  kith::world world;
  kith::entity Likes = world.entity("Likes"), In = world.entity("In").add(kith::Transitive);
  kith::entity model = world.prefab("model").set(Speed{5});
  kith::entity city = world.entity("city"), land = world.entity("land");
  std::vector<kith::entity> people;

  readers() {
    world.component<Seen>();
    city.add(In, land);
    for (int i = 0; i < 100; ++i) {
      kith::entity e = world.entity().set(Position{100 - i}).add(In, city);
      if (i % 2) e.is_a(model);
      if (i) e.add(Likes, people.back());
      people.push_back(e);
    }
  }

  kith::errc error_in_reading(const std::function<void()>& act) {
    world.readonly_begin();
    kith::errc found = kith::errc::unsupported;
    try {
      act();
    } catch (const kith::error& e) {
      found = e.code();
    }
    world.readonly_end();
    return found;
  }
};

// Q11
TEST_F(readers, iterate_the_same_queries_of_every_kind) {
  auto by_tables = world.query<const Position>();
  auto inherited = world.query<const Speed>();
  auto joined = world.query("(Likes, $x), (In, land), Position($x)");
  auto cascaded = world.query("(In, city), ?Position(cascade(In))");
  auto sorted =
      world.query_builder<const Position>()
          .order_by<Position>([](const Position& a, const Position& b) { return a.x < b.x; })
          .build();
  auto grouped = world.query_builder<const Position>().group_by(In).build();
  auto given = world.query("(Likes, @whom)");
  auto uncached = world.filter("Position, (In, land), !(Likes, $x)");
  for (bool warm : {false, true}) {
    if (warm)
      for (int i = 0; i < 3; ++i) by_tables.count(), joined.count(), sorted.count();
    world.readonly_begin();
    std::array<std::array<std::size_t, 9>, thread_count> seen{};
    on_threads([&](int me) {
      for (int times = 0; times < 5; ++times) {
        std::size_t ordered = 0;
        int last = 0;
        sorted.each([&](const Position& p) { ordered += std::exchange(last, p.x) < p.x; });
        std::size_t speeds = 0, likers = 0;
        inherited.each([&](const Speed& s) { speeds += static_cast<std::size_t>(s.x); });
        for (kith::entity e : people) likers += given.args(e).count();
        seen[static_cast<std::size_t>(me)] = {by_tables.count(),
                                              speeds,
                                              joined.count(),
                                              cascaded.count(),
                                              ordered,
                                              likers,
                                              uncached.count(),
                                              grouped.set_group(city).count(),
                                              world.query("Position, (Likes, $y)").count()};
      }
    });
    world.readonly_end();
    for (const auto& mine : seen)
      EXPECT_EQ(mine, (std::array<std::size_t, 9>{100, 250, 99, 100, 100, 99, 1, 100, 99}));
  }
}

TEST_F(readers, see_kinds_that_came_after_the_last_question) {
  kith::entity Animal = world.entity("Animal"), Dog = world.entity("Dog");
  auto animals = world.query("Animal");
  auto owned = world.query("(Animal, @whom)");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(animals.count() + owned.args(city).count(), 0u);
  Dog.is_a(Animal);
  people[0].add(Dog).add(Dog, city);
  world.readonly_begin();
  on_threads([&](int) {
    EXPECT_EQ(animals.count(), 1u);
    EXPECT_EQ(owned.args(city).count(), 1u);
  });
  world.readonly_end();
}

TEST_F(readers, ask_entities_that_are_promised_while_something_is_off) {
  people[0].disable(In, city);
  world.readonly_begin();
  on_threads([&](int) {
    const kith::entity promised = world.entity();
    EXPECT_FALSE(promised.target(In));
    EXPECT_FALSE(promised.has(In, city));
    EXPECT_FALSE(promised.has(In, kith::Wildcard));
    EXPECT_FALSE(promised.has(kith::Wildcard, city));
    EXPECT_FALSE(promised.has(kith::Wildcard));
    for (kith::entity found : promised.targets(In)) ADD_FAILURE() << found;
  });
  world.readonly_end();
}

TEST_F(readers, ask_entities_about_everything) {
  world.readonly_begin();
  on_threads([&](int) {
    for (std::size_t i = 0; i < people.size(); ++i) {
      EXPECT_EQ(people[i].has<Speed>(), i % 2 == 1);
      EXPECT_EQ(people[i].get<Position>()->x, 100 - static_cast<int>(i));
      EXPECT_TRUE(people[i].related(In, land));
      EXPECT_EQ(people[i].target(In), city);
      EXPECT_EQ(people[i].reached(Likes).size(), i);
      EXPECT_EQ(world.lookup("city"), city);
    }
  });
  world.readonly_end();
}

TEST_F(readers, may_write_values_that_no_other_thread_uses) {
  auto q = world.query<Position>();
  EXPECT_TRUE(q.changed());
  q.count();
  EXPECT_FALSE(q.changed());
  world.readonly_begin();
  on_threads([&](int me) {
    for (std::size_t i = static_cast<std::size_t>(me); i < people.size(); i += thread_count)
      people[i].get_mut<Position>()->x = -1;
  });
  world.readonly_end();
  EXPECT_TRUE(q.changed());
  q.each([](const Position& p) { EXPECT_EQ(p.x, -1); });
}

TEST_F(readers, change_the_world_when_the_reading_ends) {
  auto q = world.query<const Position>();
  world.readonly_begin();
  on_threads([&](int me) {
    q.each([&](kith::entity e, const Position& p) {
      if (p.x % thread_count != me) return;
      e.add<Seen>();
      EXPECT_FALSE(e.has<Seen>());
      kith::entity child = world.entity().set(Speed{p.x}).add(Likes, e);
      EXPECT_TRUE(child.is_alive());
      kith::entity other = world.entity();
      child.add(Likes, other);
      e.add(Likes, child);
    });
  });
  EXPECT_EQ(world.count<Seen>(), 0u);
  world.readonly_end();
  EXPECT_EQ(world.count<Seen>(), 100u);
  EXPECT_EQ(world.query<const Speed>().count(), 150u);
  EXPECT_EQ(world.query("Speed, (Likes, $e), Likes($e, $this), Seen($e)").count(), 100u);
}

TEST_F(readers, find_the_first_error_when_the_reading_ends) {
  world.readonly_begin();
  people[0].child_of(people[0]);
  people[1].add<Seen>();
  EXPECT_THROW(world.readonly_end(), kith::error);
  EXPECT_FALSE(people[0].parent());
  EXPECT_TRUE(people[1].has<Seen>());
}

TEST_F(readers, drop_changes_of_an_entity_that_dies_before_their_turn) {
  world.readonly_begin();
  people[0].destruct();
  people[0].add<Seen>();
  std::thread([&] { people[0].add(Likes, city), people[1].add(Likes, people[0]); }).join();
  EXPECT_NO_THROW(world.readonly_end());
  EXPECT_FALSE(people[0].is_alive());
  EXPECT_FALSE(people[1].has(Likes, kith::Wildcard));
}

TEST_F(readers, are_told_what_must_be_done_before) {
  struct unknown {};
  EXPECT_EQ(error_in_reading([&] { world.entity("new"); }), kith::errc::constraint);
  EXPECT_EQ(error_in_reading([&] { world.component<unknown>(); }), kith::errc::constraint);
  EXPECT_EQ(error_in_reading([&] { world.set_scope(city); }), kith::errc::constraint);
  EXPECT_EQ(error_in_reading([&] { world.readonly_begin(); }), kith::errc::constraint);
  EXPECT_EQ(error_in_reading([&] { world.define("A(b)"); }), kith::errc::constraint);
  EXPECT_THROW(world.readonly_end(), kith::error);
  world.defer([&] { EXPECT_THROW(world.readonly_begin(), kith::error); });
  EXPECT_EQ(world.query<const Position>().count(), 100u);
}

TEST_F(readers, follow_relations_at_the_same_time) {
  const kith::entity Follows = world.entity().add(kith::Exclusive), Mark = world.entity();
  for (std::size_t i = 1; i < people.size(); ++i) people[i].add(Follows, people[i - 1]);
  people[0].add(Mark);
  std::array<int, thread_count> reached{};
  world.readonly_begin();
  on_threads([&, this](int thread) {
    for (kith::entity e : people) {
      reached[static_cast<std::size_t>(thread)] += e.reaches(Follows, people[0]);
      reached[static_cast<std::size_t>(thread)] += e.target_for(Follows, Mark) == people[0];
    }
  });
  world.readonly_end();
  for (int n : reached) EXPECT_EQ(n, 199);
}

TEST_F(readers, find_many_targets_that_came_in_any_order) {
  for (std::size_t i = people.size(); i-- > 0;) city.add(Likes, people[i]);
  for (std::size_t i = 0; i < 10; ++i) city.remove(Likes, people[i * 2]);
  std::array<std::size_t, thread_count> found{};
  world.readonly_begin();
  on_threads([&, this](int thread) {
    found[static_cast<std::size_t>(thread)] = city.targets(Likes).count();
  });
  world.readonly_end();
  for (std::size_t n : found) EXPECT_EQ(n, 90u);
}

TEST_F(readers, clone_entities) {
  std::array<std::vector<kith::entity>, thread_count> copies;
  world.readonly_begin();
  on_threads([&](int me) {
    auto& mine = copies[static_cast<std::size_t>(me)];
    for (int i = 0; i < 50; ++i) {
      mine.push_back(world.entity());
      mine.push_back(people[static_cast<std::size_t>(i)].clone());
      EXPECT_TRUE(mine.back().is_alive());
    }
  });
  world.readonly_end();
  std::set<kith::entity> all;
  for (const auto& mine : copies)
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_TRUE(all.insert(mine[i]).second) << "two entities have one id";
      const Position* copied = mine[i].get<Position>();
      EXPECT_EQ(copied ? copied->x : 0, i % 2 ? 100 - static_cast<int>(i / 2) : 0);
    }
}

// What one thread asked for makes entities and deletes some; the next thread has ids of its own.
TEST_F(readers, get_entities_that_the_changes_of_other_threads_do_not_take) {
  world.prefab("model::a"), world.prefab("model::b");
  std::array<kith::entity, thread_count> made;
  world.readonly_begin();
  for (std::size_t me = 0; me < thread_count; ++me)
    std::thread([&] {
      world.entity().is_a(model);
      people[me].destruct();
      made[me] = world.entity().add(Likes, people[me + 1]).add(Likes, people[0]);
    }).join();
  world.readonly_end();
  for (std::size_t me = 0; me < thread_count; ++me) {
    EXPECT_FALSE(made[me].parent());
    EXPECT_TRUE(made[me].name().empty());
    EXPECT_EQ(made[me].targets(Likes).count(), me + 1 < thread_count ? 0u : 1u) << me;
  }
}

}  // namespace
