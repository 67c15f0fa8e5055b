// Worlds on different threads at the same time. Also runs under ThreadSanitizer.
#include <array>
#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Position {
  int x = 0, y = 0;
};
struct Mass {
  double kilograms = 0;
};
struct Title {
  std::string text;
};
struct Npc {};

template <int N>
struct numbered {
  int value = N;
};

// Some of everything; returns what is left to see.
std::string live_through(int seed) {
  kith::world w;
  if (seed % 2) w.component<Mass>();
  const kith::entity likes = w.entity("Likes").add(kith::Symmetric), ship = w.entity("ship");
  const kith::entity sailor = w.prefab("Sailor").set(Mass{70}), hat = w.prefab("Sailor::hat");
  std::vector<kith::entity> crew;
  for (int i = 0; i < 200; ++i) {
    crew.push_back(w.entity(Position{i, seed}, Title{"sailor number " + std::to_string(i)}));
    crew.back().child_of(ship).add(likes, crew[static_cast<std::size_t>(i / 2)]);
    if (i % 3 == 0) crew.back().set(Mass{double(i)});
    if (i % 10 == 0) crew.back().is_a(sailor);
  }
  w.defer([&] {
    for (std::size_t i = 0; i < crew.size(); i += 5) crew[i].destruct();
    for (std::size_t i = 1; i < crew.size(); i += 5) crew[i].add<Npc>();
  });
  try {
    crew[0].add<Npc>();
  } catch (const kith::error&) {
  }
  w.delete_empty_tables();
  return std::to_string(w.count<Position>()) + " " + std::to_string(w.count<Npc>()) + " " +
         std::to_string(w.count<Mass>()) + " " + std::to_string(w.count(kith::IsA, hat)) + " " +
         std::to_string(crew[1].reached(likes).size()) + " " + crew[1].get<Title>()->text;
}

TEST(worlds_on_different_threads, do_not_disturb_each_other) {
  std::array<std::string, 4> seen;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t)
    threads.emplace_back([t, &seen] {
      for (int round = 0; round < 5; ++round) seen[t] = live_through(static_cast<int>(t));
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& text : seen) EXPECT_EQ(text, live_through(0));
}

template <int... N>
auto makers_of(std::integer_sequence<int, N...>) {
  return std::array{+[](kith::world& w) { w.entity().add<numbered<N>>(); }...};
}

// Each thread meets them in another order, or they would wait for each other.
TEST(worlds_on_different_threads, can_meet_new_types_at_the_same_time) {
  const auto makers = makers_of(std::make_integer_sequence<int, 32>());
  std::array<std::size_t, 4> counts{};
  std::latch ready(counts.size());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < counts.size(); ++t)
    threads.emplace_back([&, t] {
      kith::world w;
      ready.arrive_and_wait();
      for (std::size_t i = 0; i < makers.size(); ++i) makers[(t * 8 + i) % makers.size()](w);
      counts[t] = w.entity_count();
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t count : counts) EXPECT_EQ(count, counts[0]);
}

TEST(worlds_on_different_threads, can_be_handed_on) {
  kith::world w;
  const kith::entity e = w.entity("bob");
  std::thread([&] { e.set(Title{"set by another thread"}); }).join();
  EXPECT_EQ(e.get<Title>()->text, "set by another thread");
  std::thread([moved = std::move(w)]() mutable { moved.entity().set(Mass{1}); }).join();
}

}  // namespace
