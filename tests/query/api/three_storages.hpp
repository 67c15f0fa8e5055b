// One component for each way to keep values: in tables, Sparse, DontFragment.
#pragma once

#include <kith/kith.hpp>

namespace kith::test {

struct InTable {
  int x;
};
struct Spread {
  int x;
};
struct Apart {
  int x;
};

inline void keep_apart(kith::world& world) {
  world.component<Spread>().add(kith::Sparse);
  world.component<Apart>().add(kith::DontFragment);
}

}  // namespace kith::test
