// error: a handle is no value of a component
#include <kith/kith.hpp>

int main() {
  kith::world world;
  world.entity().set(world.entity());
}
