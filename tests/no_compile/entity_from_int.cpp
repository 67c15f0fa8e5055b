// error: an_int_is_no_entity_use_entity_t_or_world_entity
#include <kith/kith.hpp>

int main() {
  kith::world world;
  world.entity().add(7);
}
