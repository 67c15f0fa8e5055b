// error: the callback does not fit the query
#include <kith/kith.hpp>

struct position {
  float x;
};

int main() {
  kith::world world;
  world.observer<const position>().event(kith::OnAdd).each([](kith::entity, position&, int) {});
}
