// Finds the entities of a team in a vehicle: q.each(team, vehicle, fn), compared with an index by
// hand.
//
//   entities   100,000 and 1,000,000, each on one of 1,000 teams and in one of 1,000 vehicles
//   lookups    10,000 combinations that some entity has
#include <unordered_map>
#include <utility>
#include <vector>

#include <kith/kith.hpp>

#include "support/data.hpp"
#include "support/harness.hpp"

namespace {

using bench::stopwatch;

constexpr std::size_t lookups = 10'000;

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
  kith::query<> query;
  kith::entity traveller;
  std::size_t at = 0;        // the team of the traveller
  std::size_t expected = 0;  // the number of entities that all lookups find

  explicit fleet(std::size_t size) {
    for (int i = 0; i < 1000; ++i) {
      teams.push_back(world.entity());
      vehicles.push_back(world.entity());
    }
    bench::random_numbers random(7);
    for (std::size_t i = 0; i < size; ++i) {
      const kith::entity team = teams[random.below(1000)], vehicle = vehicles[random.below(1000)];
      const kith::entity e = world.entity().add(OnTeam, team).add(InVehicle, vehicle);
      by_hand[{team.id(), vehicle.id()}].push_back(e);
      if (asked.size() < lookups) asked.emplace_back(team, vehicle);
    }
    for (const auto& [team, vehicle] : asked) expected += by_hand[{team.id(), vehicle.id()}].size();
    traveller = world.entity().add(InVehicle, vehicles[0]);
    // The query makes its index at the second question.
    query = world.query_builder().with(OnTeam, kith::param).with(InVehicle, kith::param).build();
    for (int times = 0; times < 2; ++times) query.args(teams[0], vehicles[0]).count();
  }
};

bool query_with_parameters(fleet& f, stopwatch& clock) {
  std::size_t rows = 0;
  clock.time([&] {
    for (const auto& [team, vehicle] : f.asked)
      f.query.each(team, vehicle, [&](kith::entity) { ++rows; });
  });
  return rows == f.expected;
}

bool index_by_hand(fleet& f, stopwatch& clock) {
  kith::entity_t sum = 0;
  clock.time([&] {
    for (const auto& [team, vehicle] : f.asked)
      for (const kith::entity e : f.by_hand.find({team.id(), vehicle.id()})->second) sum += e.id();
  });
  return sum != 0;
}

// One entity changes its team; then a lookup follows.
bool change_and_ask(fleet& f, stopwatch& clock) {
  bool found = false;
  clock.time([&] {
    f.traveller.remove(f.OnTeam, f.teams[f.at]);
    f.at = (f.at + 1) % f.teams.size();
    f.traveller.add(f.OnTeam, f.teams[f.at]);
    f.query.each(f.teams[f.at], f.vehicles[0], [&](kith::entity e) { found |= e == f.traveller; });
  });
  return found;
}

}  // namespace

void bench::register_rows() {
  for (const std::size_t size : {hundred_thousand, million}) {
    const std::string suffix = "/" + std::to_string(size);
    add<fleet>("parameters_query/kith" + suffix, lookups, query_with_parameters, size);
    add<fleet>("parameters_query/hand" + suffix, lookups, index_by_hand, size);
    add<fleet>("parameters_change_and_ask/kith" + suffix, 1, change_and_ask, size);
  }
}
