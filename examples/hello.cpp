// The first steps: entities, components, relations, a hierarchy.
// M13
#include <iostream>

#include <kith/kith.hpp>

struct Position {
  float x, y;
};
struct Eats {
  int amount;
};

int main() {
  kith::world world;
  const kith::entity Likes = world.entity("Likes");
  const kith::entity alice = world.entity("alice");
  const kith::entity apples = world.entity("apples");

  // An entity has components, tags and relations to other entities; all are added in the same way.
  const kith::entity bob = world.entity("bob")
                               .set(Position{10, 20})
                               .add(Likes, alice)
                               .add(Likes, apples)
                               .set<Eats>(apples, {3});

  std::cout << bob << " has " << bob.type().str() << "\n";
  std::cout << bob << " is at " << bob.get<Position>()->x << ", " << bob.get<Position>()->y << "\n";
  for (const kith::entity whom : bob.targets(Likes)) std::cout << bob << " likes " << whom << "\n";
  std::cout << bob << " eats " << bob.get<Eats>(apples)->amount << " " << apples << "\n";

  // Children have their names within their parent and are deleted with it.
  const kith::entity ship = world.entity("ship");
  const kith::entity cockpit = world.entity("cockpit").child_of(ship);
  std::cout << "ship::cockpit is " << world.lookup("ship::cockpit").name() << " in "
            << cockpit.parent() << "\n";

  // Deleting an entity removes all pairs with it; an old handle knows that the entity is dead.
  ship.destruct();
  alice.destruct();
  std::cout << "the cockpit is " << (cockpit.is_alive() ? "still there" : "gone") << "\n";
  std::cout << bob << " has " << bob.type().str() << "\n";

  // A mistake is an error that says what is wrong, and changes nothing.
  try {
    bob.add(Likes, alice);
  } catch (const kith::error& e) {
    std::cout << "error: " << e.what() << "\n";
  }
}
