// An inventory: containers form a hierarchy, and their items are pairs with amounts as values.
// M13 M18 R8
#include <iostream>
#include <string>
#include <vector>

#include <kith/kith.hpp>

namespace {

// A container has a pair (Contains, item) for each item.
struct Contains {
  int amount;
};
struct Weight {
  double kg;
};
// The largest load of a container.
struct Limit {
  double kg;
};

int amount_in(kith::entity container, kith::entity item) {
  const Contains* there = container.get<Contains>(item);
  return there ? there->amount : 0;
}

// The weight of the items and of the containers inside.
double load_of(kith::entity container) {
  double kg = 0;
  for (const kith::entity item : container.targets<Contains>())
    kg += amount_in(container, item) * item.at<Weight>().kg;
  container.children([&](kith::entity inner) { kg += load_of(inner); });
  return kg;
}

// The first of the container and its parents that would be too heavy; null if none would.
kith::entity too_heavy(kith::entity container, double more_kg) {
  for (kith::entity c = container; c; c = c.parent())
    if (const Limit* limit = c.get<Limit>(); limit && load_of(c) + more_kg > limit->kg) return c;
  return {};
}

void put(kith::entity container, kith::entity item, int amount) {
  std::cout << "put " << amount << " " << item << " in " << container;
  if (const kith::entity full = too_heavy(container, amount * item.at<Weight>().kg)) {
    std::cout << ": no, " << full << " would be too heavy\n";
    return;
  }
  container.ensure<Contains>(item).amount += amount;
  std::cout << "\n";
}

void take(kith::entity container, kith::entity item, int amount) {
  std::cout << "take " << amount << " " << item << " from " << container << "\n";
  Contains* there = container.get_mut<Contains>(item);
  if (!there || there->amount < amount) {
    std::cout << "  there are only " << amount_in(container, item) << "\n";
  } else if ((there->amount -= amount) == 0) {
    container.remove<Contains>(item);
  }
}

void print(kith::entity container, const std::string& indent = "  ") {
  std::cout << indent << container.name() << ", " << load_of(container) << " kg\n";
  for (const kith::entity item : container.targets<Contains>())
    std::cout << indent << "  " << amount_in(container, item) << " " << item << "\n";
  container.children([&](kith::entity inner) { print(inner, indent + "  "); });
}

}  // namespace

int main() {
  kith::world world;
  const kith::entity coins = world.entity("coins").set(Weight{0.01});
  const kith::entity rope = world.entity("rope").set(Weight{2});
  const kith::entity apples = world.entity("apples").set(Weight{0.2});

  const kith::entity bag = world.entity("bob::bag").set(Limit{8});
  const kith::entity purse = world.entity("bob::bag::purse").set(Limit{1});
  const kith::entity bob = bag.parent();

  put(bag, rope, 2);
  put(bag, apples, 5);
  put(purse, coins, 80);
  put(purse, coins, 50);
  put(bag, rope, 2);
  print(bob);

  take(bag, apples, 2);
  take(purse, coins, 100);
  std::cout << "put the purse in a chest\n";
  const kith::entity chest = world.entity("chest");
  purse.child_of(chest);
  print(bob);
  print(chest);

  std::cout << "what holds coins?\n";
  world.each(world.pair<Contains>(coins), [&](kith::entity holder) {
    std::cout << "  " << holder << ": " << amount_in(holder, coins) << "\n";
  });

  std::cout << "there are no apples any more\n";
  apples.destruct();
  print(bob);

  std::cout << "the chest is lost\n";
  chest.destruct();
  std::cout << "  the purse is " << (purse.is_alive() ? "still there" : "lost too") << "\n";
}
