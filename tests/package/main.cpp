#include <kith/kith.hpp>

int main() {
  kith::world w;
  auto e = w.entity("hello");
  return e.is_alive() ? 0 : 1;
}
