// Systems: goblins run through a fire to a gate. Each frame is a quarter of a second.
#include <iostream>

#include <kith/kith.hpp>

namespace {

struct Position {
  float x;
};
struct Speed {
  float x;
};
struct Health {
  int points;
};
struct Burning {
  int damage;  // each second
};
struct Arrived {};

// --- a module: how things move ---
//
// What its constructor makes is a child of the module: motion::Speed, motion::Move.
struct motion {
  explicit motion(kith::world& world) {
    world.component<Position>();
    world.component<Speed>();
    world.system<Position, const Speed>("Move").each(
        [](kith::delta_time dt, Position& p, const Speed& s) { p.x += s.x * dt; });
  }
};

// --- the rules of the game ---

constexpr float fire_begins = 2, gate = 6;

void make_rules(kith::world& world) {
  // A phase of its own: all goblins have moved, and none is hurt yet.
  const kith::entity Touch = world.entity("Touch").add(kith::Phase).depends_on(kith::OnUpdate);
  world.system<const Position>("Ignite").kind(Touch).without<Burning>().without<Arrived>().each(
      [](kith::entity e, const Position& p) {
        if (p.x < fire_begins) return;
        e.set(Burning{2});
        std::cout << "  " << e.name() << " catches fire\n";
      });
  world.system<const Position>("Arrive").kind(Touch).without<Arrived>().each(
      [](kith::entity e, const Position& p) {
        if (p.x < gate) return;
        e.add<Arrived>().remove<Speed>().remove<Burning>();
        std::cout << "  " << e.name() << " reaches the gate\n";
      });

  // Once in a second, and not in each frame.
  const kith::system burn = world.system<Health, const Burning>("Burn")
                                .kind(kith::PostUpdate)
                                .interval(1)
                                .each([](Health& h, const Burning& b) { h.points -= b.damage; });

  // The goblins that `Die` deletes are gone when the next system runs.
  world.system<const Health>("Die")
      .kind(kith::PostUpdate)
      .after(burn)
      .each([](kith::entity e, const Health& h) {
        if (h.points > 0) return;
        std::cout << "  " << e.name() << " falls\n";
        e.destruct();
      });

  // A task has no query. This one runs each time that Burn does.
  const auto left = world.query_builder<const Health>().without<Arrived>().build();
  const auto saved = world.query_builder<const Health>().with<Arrived>().build();
  world.system("Report").kind(kith::OnStore).tick_source(burn).run([=](kith::iter& it) {
    kith::world game = it.world();
    std::cout << "after " << game.time() << " s: " << left.count() << " on the way, "
              << saved.count() << " at the gate\n";
    if (left.count() == 0) game.quit();
  });
}

}  // namespace

int main() {
  kith::world world;
  world.import <motion>();
  make_rules(world);
  world.entity("ash").set(Position{0}).set(Speed{1}).set(Health{5});
  world.entity("brak").set(Position{0}).set(Speed{2}).set(Health{5});
  world.entity("cog").set(Position{1}).set(Speed{0.5f}).set(Health{9});

  while (world.progress(0.25f)) {
  }
  world.query_builder<const Health>().with<Arrived>().build().each(
      [](kith::entity e, const Health& h) {
        std::cout << e.name() << " is at the gate with " << h.points << " health left\n";
      });
}
