#include "sides.hpp"

namespace game {
struct Position {
  int x, y;
};
struct Marker {};
struct Thing {
  int one, two;
};
}  // namespace game

namespace right {

kith::entity_t position_in(kith::world& w) { return w.component<game::Position>().id(); }
kith::entity_t marker_in(kith::world& w) { return w.component<game::Marker>().id(); }
kith::entity_t thing_in(kith::world& w) { return w.component<game::Thing>().id(); }
int x_of_position(kith::entity e) {
  const game::Position* found = e.get<game::Position>();
  return found ? found->x : -1;
}
void remove_position(kith::entity e) { e.remove<game::Position>(); }
const void* own_description() { return &kith::core::describe_type<game::Position>(); }

}  // namespace right
