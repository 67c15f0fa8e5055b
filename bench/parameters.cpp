// Looking up the entities of a team in a vehicle: q.each(team, vehicle, fn) beside an index by hand.
//
//   entities   100,000 and 1,000,000, each on one of 1,000 teams and in one of 1,000 vehicles
//   lookups    10,000 combinations that somebody has
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <kith/kith.hpp>

namespace {

struct pair_hash {
  std::size_t operator()(const std::pair<kith::entity_t, kith::entity_t>& p) const {
    return p.first * 0x9e37'79b9'7f4a'7c15 ^ p.second;
  }
};

struct fleet {
  kith::world world;
  kith::entity OnTeam = world.entity("OnTeam"), InVehicle = world.entity("InVehicle");
  std::vector<kith::entity> teams, vehicles;
  std::vector<std::pair<kith::entity, kith::entity>> asked;
  std::unordered_map<std::pair<kith::entity_t, kith::entity_t>, std::vector<kith::entity>,
                     pair_hash>
      by_hand;

  explicit fleet(std::int64_t size) {
    for (int i = 0; i < 1000; ++i) {
      teams.push_back(world.entity());
      vehicles.push_back(world.entity());
    }
    std::mt19937 random(7);
    for (std::int64_t i = 0; i < size; ++i) {
      const kith::entity team = teams[random() % 1000], vehicle = vehicles[random() % 1000];
      const kith::entity e = world.entity().add(OnTeam, team).add(InVehicle, vehicle);
      by_hand[{team.id(), vehicle.id()}].push_back(e);
      if (asked.size() < 10'000) asked.emplace_back(team, vehicle);
    }
  }

  // With its index: that is made with the second question.
  kith::query<> query() {
    auto q = world.query_builder().with(OnTeam, kith::param).with(InVehicle, kith::param).build();
    for (int times = 0; times < 2; ++times) q.args(teams[0], vehicles[0]).count();
    return q;
  }
};

fleet& fleet_of(std::int64_t size) {
  static std::unordered_map<std::int64_t, fleet> fleets;
  return fleets.try_emplace(size, size).first->second;
}

// How many entities all lookups find: the same by both ways, or the figures mean nothing.
std::size_t expected(const fleet& f) {
  std::size_t rows = 0;
  for (const auto& [team, vehicle] : f.asked)
    rows += f.by_hand.find({team.id(), vehicle.id()})->second.size();
  return rows;
}

void report(benchmark::State& state, const fleet& f, std::size_t rows) {
  if (rows != expected(f)) state.SkipWithError("found something else than the index by hand");
  const double lookups =
      static_cast<double>(state.iterations()) * static_cast<double>(f.asked.size());
  state.counters["per_lookup"] =
      benchmark::Counter(lookups, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["rows"] = static_cast<double>(rows) / static_cast<double>(f.asked.size());
}

void query_with_parameters(benchmark::State& state) {
  fleet& f = fleet_of(state.range(0));
  const auto q = f.query();
  std::size_t rows = 0;
  for (auto _ : state) {
    rows = 0;
    for (const auto& [team, vehicle] : f.asked)
      q.each(team, vehicle, [&](kith::entity e) {
        benchmark::DoNotOptimize(e);
        ++rows;
      });
  }
  report(state, f, rows);
}

void index_by_hand(benchmark::State& state) {
  fleet& f = fleet_of(state.range(0));
  std::size_t rows = 0;
  for (auto _ : state) {
    rows = 0;
    for (const auto& [team, vehicle] : f.asked)
      for (kith::entity e : f.by_hand.find({team.id(), vehicle.id()})->second) {
        benchmark::DoNotOptimize(e);
        ++rows;
      }
  }
  report(state, f, rows);
}

// One entity changes team; then somebody asks.
void change_and_ask(benchmark::State& state) {
  fleet& f = fleet_of(state.range(0));
  const auto q = f.query();
  const kith::entity e = f.world.entity().add(f.InVehicle, f.vehicles[0]);
  std::size_t rows = 0, at = 0;
  for (auto _ : state) {
    e.remove(f.OnTeam, f.teams[at]);
    at = (at + 1) % f.teams.size();
    e.add(f.OnTeam, f.teams[at]);
    q.each(f.teams[at], f.vehicles[0], [&](kith::entity) { ++rows; });
  }
  if (rows < static_cast<std::size_t>(state.iterations())) state.SkipWithError("it was not found");
  e.destruct();
}

BENCHMARK(query_with_parameters)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(index_by_hand)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(change_and_ask)->Arg(100'000)->Arg(1'000'000);

}  // namespace
