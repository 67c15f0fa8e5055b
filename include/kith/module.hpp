// Types, systems and observers that belong together.
//
//     struct physics {
//       explicit physics(kith::world& world) {
//         world.component<Velocity>();
//         world.system<Position, const Velocity>("Move").each(...);    // physics::Move
//       }
//     };
//     world.import<physics>();
//
// A module is an entity with the name of the type, and what its constructor makes are children of
// it. Importing it again does nothing. The object lives as long as the entity. Deleting the entity
// deletes its children; that is an error while entities outside of it use its components.
#pragma once

#include <type_traits>

#include <kith/world.hpp>

namespace kith {

template <class M>
kith::entity world::import() {
  static_assert(std::is_constructible_v<M, kith::world&>,
                "a module has a constructor that takes kith::world&");
  bool is_new = false;
  entity_t scope_before = 0;
  const entity_t made = core::begin_module(*engine_, core::slot_of_type<M>(),
                                           core::describe_type<M>(), is_new, scope_before);
  if (!is_new) return wrap(made);
  core::module_scope scope(*engine_, made, scope_before);
  if constexpr (core::is_tag_type<M>)
    M(*this);
  else
    wrap(made).template emplace<M>(*this);
  scope.keep();
  return wrap(made);
}

template <class M>
kith::entity world::module(std::string_view path) {
  const kith::entity of = wrap(core::id_of<M>(*engine_));
  if (!path.empty()) core::rename_module(*engine_, of.id(), path);
  return of;
}

}  // namespace kith
