// error: a bool is no entity
#include <kith/kith.hpp>

int main() {
  kith::world world;
  const kith::entity likes = world.entity();
  world.entity().add(likes, true);
}
