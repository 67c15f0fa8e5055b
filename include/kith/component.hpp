// Types as entities.
//
//     world.component<Position>();                    // also happens by itself on first use
//     world.component({.name = "Health", .size = 4, .alignment = 4});   // a type known at run time
#pragma once

#include <kith/entity.hpp>

namespace kith {

// A type that is not a C++ type. Hooks say how its values live and die; without them values are bytes:
// zero at first, copied and moved as they are.
struct component_desc {
  std::string_view name = {};
  std::size_t size = 0;
  std::size_t alignment = 1;
  type_hooks hooks = {};
  // Values cannot be moved, or moving them can fail: each is kept in a box of its own.
  bool boxed = false;
};

// The entity that stands for the C++ type T.
template <class T>
class component : public entity {
 public:
  using value_type = T;
  component(core::engine* world, entity_t e) : entity(world, e) {}
};

}  // namespace kith
