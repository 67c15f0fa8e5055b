// Observers: three things that stay right by themselves, whichever call changes the world.
#include <cmath>
#include <iostream>
#include <string>

#include <kith/kith.hpp>

namespace {

struct Weight {
  double kg;
};
// The weight of all that an entity carries.
struct Load {
  double kg;
};
struct MustBeWeighed {};

struct Position {
  double x, y;
};

// --- (a) an inventory whose weight is always right ---
//
// A row of the first observer is an item with its owner. Rows come when an item is picked up or
// gets a weight, go when it is dropped or destroyed, and are written when its weight changes, also
// if the item inherits it. OnRemove comes before the change, but what it asks for is carried out
// after it. So each owner is weighed once, however many of its items have changed.
void keep_loads(kith::world& world) {
  world.observer<const Weight>()
      .expr("(CarriedBy, $owner)")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .event(kith::OnSet)
      .each([](kith::iter& it, std::size_t, const Weight&) {
        it.get_var("owner").add<MustBeWeighed>();
      });

  const auto items = world.query_builder<const Weight>().with("(CarriedBy, @owner)").build();
  world.observer<>().with<MustBeWeighed>().event(kith::OnAdd).each([items](kith::entity owner) {
    Load load{0};
    items.each(owner, [&](const Weight& w) { load.kg += w.kg; });
    owner.set(load).remove<MustBeWeighed>();
  });
  world.observer<const Load>().event(kith::OnSet).each([](kith::entity owner, const Load& load) {
    std::cout << "  " << owner << " carries " << load.kg << " kg\n";
  });
}

// --- (b) a spatial index ---
//
// The index is a relation: everything is in one cell of 10 x 10. The relation is exclusive, so
// the new cell replaces the old one.
kith::entity cell_at(kith::world& world, double x, double y) {
  const auto number = [](double of) { return std::to_string(int(std::floor(of / 10))); };
  return world.entity("cells::" + number(x) + "_" + number(y));
}

void keep_cells(kith::world& world) {
  const kith::entity InCell = world.entity("InCell").add(kith::Exclusive);
  world.observer<const Position>()
      .event(kith::OnAdd)  // also of a position that is inherited, or added without a value
      .event(kith::OnSet)
      .each([&world, InCell](kith::entity e, const Position& p) {
        e.add(InCell, cell_at(world, p.x, p.y));
      });
  world.observer<const Position>().event(kith::OnRemove).each([InCell](kith::entity e) {
    e.remove(InCell, kith::Wildcard);
  });
}

void print_cell(kith::world& world, double x, double y) {
  const kith::entity cell = cell_at(world, x, y);
  std::cout << "  in cell " << cell.name() << ":";
  world.each(world.pair(world.lookup("InCell"), cell),
             [](kith::entity e) { std::cout << " " << e; });
  std::cout << "\n";
}

// --- (c) an achievement ---
//
// A hero owns a sword and slew a dragon of some kind. The monitor tells of each hero once, however
// many swords and dragons there are.
void keep_achievements(kith::world& world) {
  const kith::entity Dragonslayer = world.entity("Dragonslayer");
  world.observer<>("dragonslayers")
      .expr("(Owns, $sword), Sword($sword), (Slew, $victim), Dragon($victim)")
      .event(kith::Monitor)
      .each([Dragonslayer](kith::iter& it, std::size_t row) {
        if (it.event() != kith::OnAdd) return;
        it.entity(row).add(Dragonslayer);
        std::cout << "  " << it.entity(row) << " is a dragonslayer: see " << it.get_var("victim")
                  << " and " << it.get_var("sword") << "\n";
      });
}

}  // namespace

int main() {
  kith::world world;
  world.define(R"(
    ada, ben, Prefab(Coin)
    Exclusive(CarriedBy), Owns, Slew
    Sword, Dragon, IsA(FireDragon, Dragon)
    FireDragon(smaug), Worm(wilma)
  )");
  keep_loads(world);
  keep_cells(world);
  keep_achievements(world);
  const kith::entity CarriedBy = world.lookup("CarriedBy"), Owns = world.lookup("Owns");
  const kith::entity Slew = world.lookup("Slew"), Coin = world.lookup("Coin");
  const kith::entity ada = world.lookup("ada"), ben = world.lookup("ben");

  std::cout << "Ada takes a sword and ten coins.\n";
  const kith::entity sting = world.entity("sting").set(Weight{2}).add(CarriedBy, ada);
  Coin.set(Weight{0.1});
  world.change([&] {
    for (int i = 0; i < 10; ++i) world.entity().is_a(Coin).add(CarriedBy, ada);
  });
  std::cout << "The king makes coins heavier.\n";
  Coin.set(Weight{0.5});
  std::cout << "Ada gives the sword to Ben.\n";
  sting.add(CarriedBy, ben);
  std::cout << "The sword rusts.\n";
  sting.set(Weight{1.5});

  std::cout << "\nAda and Ben go to the mountain, where Wilma lives.\n";
  const kith::entity wilma = world.lookup("wilma").set(Position{41, 7});
  ada.set(Position{3, 4});
  ben.set(Position{5, 6});
  print_cell(world, 0, 0);
  world.change([&] {
    ada.set(Position{42, 3});
    ben.set(Position{44, 5});
  });
  print_cell(world, 0, 0);
  print_cell(world, 40, 0);

  std::cout << "\nAda, who has no sword, slays Smaug. Ben slays Wilma with his.\n";
  world.lookup("sting").add(world.lookup("Sword"));
  ben.add(Owns, sting);
  ada.add(Slew, world.lookup("smaug"));
  ben.add(Slew, wilma);
  wilma.remove<Position>();
  print_cell(world, 40, 0);
  std::cout << "Scholars find that worms are dragons.\n";
  world.lookup("Worm").is_a(world.lookup("Dragon"));
  std::cout << "Ada buys two swords.\n";
  for (const char* name : {"orcrist", "glamdring"})
    ada.add(Owns, world.entity(name).add(world.lookup("Sword")));

  std::cout << "\nBen loses everything.\n";
  sting.destruct();
  std::cout << "  he is " << (ben.has(world.lookup("Dragonslayer")) ? "still" : "no longer")
            << " a dragonslayer\n";
}
