// Teams and vehicles: a query for one team and one vehicle, given as parameters, finds the entities
// in both with one lookup. A spy is on two teams and is found with each of them.
// P1 P6 P11 P12 P14
#include <iostream>
#include <string>

#include <kith/kith.hpp>

struct Score {
  int points;
};

int main() {
  kith::world world;
  const kith::entity OnTeam = world.entity("OnTeam");
  // A player is in at most one vehicle.
  const kith::entity InVehicle = world.entity("InVehicle").add(kith::Exclusive);
  const kith::entity red = world.entity("red"), blue = world.entity("blue");
  const kith::entity jeep = world.entity("jeep"), boat = world.entity("boat");

  const auto player = [&](const char* name, kith::entity team, kith::entity vehicle, int points) {
    return world.entity(name).add(OnTeam, team).add(InVehicle, vehicle).set(Score{points});
  };
  player("Ada", red, jeep, 30);
  player("Ben", red, boat, 10);
  player("Cleo", blue, jeep, 20);
  const kith::entity mata = player("Mata", red, jeep, 40).add(OnTeam, blue);  // the spy

  // The caller gives the team and the vehicle with each iteration.
  const auto riders = world.query_builder<const Score>()
                          .with(OnTeam, kith::param)
                          .with(InVehicle, kith::param)
                          .build();
  const auto print = [&](kith::entity team, kith::entity vehicle) {
    std::cout << team << " in the " << vehicle << ":";
    riders.each(team, vehicle, [](kith::entity e, const Score& s) {
      std::cout << " " << e << " (" << s.points << ")";
    });
    std::cout << "\n";
  };
  print(red, jeep);
  print(red, boat);
  print(blue, jeep);
  print(blue, boat);

  // Finds players of two teams, given in any order.
  const auto spies = world.query("(OnTeam, @one), (OnTeam, @other), (InVehicle, @vehicle)");
  std::cout << "\nSpies of red and blue in the jeep: " << spies.args(red, blue, jeep).first()
            << "\nSpies of blue and red in the jeep: " << spies.args(blue, red, jeep).first()
            << "\nSpies of red and red in the jeep: " << spies.args(red, red, jeep).count() << "\n";

  // The index follows changes: a player who changes vehicles is found in the other one at once.
  std::cout << "\nMata takes the boat.\n";
  mata.add(InVehicle, boat);
  print(red, jeep);
  print(red, boat);
  print(blue, boat);

  // The best players of each team come first. The order follows changes of the scores.
  const auto best =
      world.query_builder<const Score>()
          .with(OnTeam, kith::param)
          .order_by<Score>([](const Score& a, const Score& b) { return b.points <=> a.points; })
          .build();
  const auto rank = [&](kith::entity team) {
    std::cout << team << ":";
    best.each(team,
              [](kith::entity e, const Score& s) { std::cout << " " << e << " " << s.points; });
    std::cout << "\n";
  };
  std::cout << "\nThe best\n";
  rank(red);
  rank(blue);
  world.lookup("Ben").set(Score{50});
  rank(red);

  // Deleting the red team removes the pairs with it; its members stay players.
  red.destruct();
  std::cout << "\nWithout the red team Ada has " << world.lookup("Ada").get<Score>()->points
            << " points and no team.\n";
}
