// Queries about a space station: where ships are docked, what belongs to whom, what is inside what.
#include <iostream>
#include <string>

#include <kith/kith.hpp>

struct Fuel {
  float tons;
};
struct Tank {
  float tons;
};

namespace {

// Prints the results of a query: its entity, if it has one, and its variables.
void ask(kith::world& world, const std::string& question, const std::string& expression) {
  std::cout << question << "\n  " << expression << "\n";
  const kith::query<> q = world.query(expression);
  q.each([&](kith::iter& it, std::size_t row) {
    std::cout << "   ";
    if (q.has_this()) std::cout << " " << it.entity(row);
    for (const std::string& name : q.vars()) std::cout << " " << name << "=" << it.get_var(name);
    std::cout << "\n";
  });
}

}  // namespace

int main() {
  kith::world world;
  world.define(R"(
    // Where things are. What is in a part of the station is in the station.
    Transitive(In)
    In(Dock, Tycho), In(Bar, Tycho), In(Berth1, Dock), In(Berth2, Dock), In(Berth3, Dock)

    // A frigate is a kind of ship, and so is a shuttle.
    IsA(Frigate, Ship), IsA(Shuttle, Ship)
    Frigate(Rocinante), Frigate(Canterbury), Shuttle(Razorback), Shuttle(Knight)

    DockedTo(Rocinante, Berth1), DockedTo(Razorback, Berth2), DockedTo(Knight, Ceres)
    OwnedBy(Rocinante, Jim), OwnedBy(Razorback, Julie), OwnedBy(Canterbury, Company)
    At(Jim, Bar), At(Julie, Bar), Likes(Jim, Naomi), Wanted(Jim)
  )");
  for (const char* name : {"Rocinante", "Canterbury", "Razorback"})
    world.lookup(name).set(Fuel{2}).set(Tank{10});

  ask(world, "Which ships are there?", "Ship");
  ask(world, "Which of them are at Tycho, and where?", "Ship, (DockedTo, $at), In($at, Tycho)");
  ask(world, "Whose owner sits in the bar of the same station?",
      "(DockedTo, $berth), In($berth, $station), (OwnedBy, $who), At($who, $place), "
      "In($place, $station)");
  ask(world, "Which berths are free?", "(In, Dock), !DockedTo($ship, $this)");
  ask(world, "Which ships may leave: docked, and no owner is wanted?",
      "Ship, (DockedTo, _), !{(OwnedBy, $who), Wanted($who)}");
  ask(world, "All ships, and where they are docked, if they are:", "Ship, ?(DockedTo, $at)");
  ask(world, "How is Jim related to what?", "$how(Jim, $what)");

  // A query with types gets values. It refuels the ships at Tycho.
  const auto at_tycho = world.query_builder<Fuel, const Tank>()
                            .expr("Ship, (DockedTo, $at), In($at, @station)")
                            .build();
  at_tycho.each(world.lookup("Tycho"), [](Fuel& fuel, const Tank& tank) { fuel.tons = tank.tons; });
  std::cout << "\nFuel:\n";
  world.query<const Fuel>().each([](kith::entity ship, const Fuel& fuel) {
    std::cout << "  " << ship << " " << fuel.tons << " t\n";
  });

  // Changes are queued until the iteration ends: each ship at the dock leaves it.
  const kith::entity docked_to = world.lookup("DockedTo");
  world.query("(DockedTo, $at), In($at, Dock)").each([&](kith::iter& it, std::size_t row) {
    it.entity(row).remove(docked_to, it.get_var("at"));
  });
  std::cout << "Ships at Tycho: " << at_tycho.args(world.lookup("Tycho")).count() << "\n";

  // A mistake is an error that shows its position.
  if (const auto wrong = world.try_query("Ship, (DockdTo, $at)"); !wrong)
    std::cout << "\n" << wrong.error().what() << "\n";
}
