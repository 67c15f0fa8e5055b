#include "sides.hpp"

namespace game {
struct Position {
  int x, y;
};
struct Marker {};
struct Thing {
  int one;
};
}  // namespace game

namespace left {

kith::entity_t position_in(kith::world& w) { return w.component<game::Position>().id(); }
kith::entity_t marker_in(kith::world& w) { return w.component<game::Marker>().id(); }
kith::entity_t thing_in(kith::world& w) { return w.component<game::Thing>().id(); }
void set_position(kith::entity e, int x, int y) { e.set(game::Position{x, y}); }
bool catches_own_mistake(kith::world& w) {
  const kith::entity gone = w.entity();
  gone.destruct();
  try {
    gone.add<game::Marker>();
  } catch (const kith::error& e) {
    return e.code() == kith::errc::not_alive;
  }
  return false;
}
const void* own_description() { return &kith::core::describe_type<game::Position>(); }

}  // namespace left
