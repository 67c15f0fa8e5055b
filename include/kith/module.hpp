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
// it. Importing it again does nothing. An object with members lives as long as the entity; one
// without ends when it is made. Deleting the entity deletes its children; that is an error while
// something outside of it uses its components.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <kith/world.hpp>

namespace kith {
namespace core {

// An object that is made before it has its place in the world.
template <class M>
class made_module {
 public:
  explicit made_module(kith::world& world) : memory_(allocate(), &free) {
    ::new (memory_.get()) M(world);
    object_.reset(static_cast<M*>(memory_.get()));
  }
  // Gives the object away.
  value_source source() {
    value_source s;
    s.context = this;
    s.construct = [](void* slot, void* context) {
      auto& self = *static_cast<made_module*>(context);
      if constexpr (is_boxed_type<M>) {
        // The value of a slot is a pointer to memory of this kind.
        void* const box = self.memory_.release();
        self.object_.release();
        std::memcpy(slot, &box, sizeof box);
      } else {
        ::new (slot) M(std::move(*self.object_));
      }
    };
    return s;
  }

 private:
  static void* allocate() { return ::operator new (sizeof(M), std::align_val_t{alignof(M)}); }
  static void free(void* memory) { ::operator delete (memory, std::align_val_t{alignof(M)}); }
  struct end {
    void operator()(M* object) const { object->~M(); }
  };

  std::unique_ptr<void, void (*)(void*)> memory_;
  std::unique_ptr<M, end> object_;
};

}  // namespace core

template <class M>
kith::entity world::import() const {
  static_assert(std::is_constructible_v<M, kith::world&>,
                "a module has a constructor that takes kith::world&");
  bool is_new = false;
  entity_t scope_before = 0;
  const entity_t made = core::begin_module(*engine_, core::slot_of_type<M>(),
                                           core::describe_type<M>(), is_new, scope_before);
  if (!is_new) return wrap(made);
  core::module_scope scope(*engine_, made, scope_before);
  // Functions that the constructor makes may refer to the handle that it gets, so it gets that of
  // the caller.
  auto& handle = const_cast<kith::world&>(*this);
  if constexpr (core::is_tag_type<M>) {
    M{handle};
  } else {
    // The constructor finds a world in which changes happen at once, so the object is made before
    // it becomes a value.
    core::made_module<M> object(handle);
    engine_->set(made, made, made, object.source());
  }
  scope.keep();
  return wrap(made);
}

template <class M>
kith::entity world::module(core::text_arg path) const {
  const kith::entity of = wrap(core::id_of<M>(*engine_));
  if (!path.empty()) core::rename_module(*engine_, of.id(), path);
  return of;
}

}  // namespace kith
