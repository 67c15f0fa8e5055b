// error: the callback does not fit the query
#include <kith/kith.hpp>

struct position {
  float x;
};

int main() {
  kith::world world;
  world.query<const position>().each([](position&) {});
}
