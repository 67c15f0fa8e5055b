// error: a constant of an enum is no entity by itself
#include <kith/kith.hpp>

enum color { red };

int main() {
  kith::world world;
  const kith::entity likes = world.entity();
  world.entity().add(likes, red);
}
