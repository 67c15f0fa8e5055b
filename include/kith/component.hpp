// Types as entities.
//
//     world.component<Position>();                    // also happens by itself on first use
//     world.component({.name = "Health", .size = 4, .alignment = 4});   // a type known at run time
#pragma once

#include <string>
#include <vector>

#include <kith/detail/change_hooks.hpp>
#include <kith/detail/member.hpp>
#include <kith/entity.hpp>

namespace kith {

// A type that is not a C++ type. Hooks say how its values live and die; without them values are
// bytes: zero at first, copied and moved as they are.
struct component_desc {
  std::string_view name = {};
  std::size_t size = 0;
  std::size_t alignment = 1;
  type_hooks hooks = {};
  // Values cannot be moved, or moving them can fail: each is kept in a box of its own.
  bool boxed = false;
  // Called when values come, change and go (hooks.hpp): `kith::core::hook_call` says which.
  core::hook on_add = {}, on_set = {}, on_remove = {}, on_replace = {}, on_validate = {};
};

// The entity that stands for the C++ type T.
template <class T>
class component : public entity {
 public:
  using value_type = T;
  component(core::engine* world, entity_t e) : entity(world, e) {}
  // As `in.component<T>(name)`.
  explicit component(const kith::world& in, core::text_arg name = {});

  // Describes a member, so that facts and tools can read and write it:
  // `world.component<Position>().member("x", &Position::x).member("y", &Position::y)`. It may be a
  // number, a bool, an enum (as a number), a std::string, a kith::entity, or a type whose members
  // are described already.
  template <class M, class Class>
  component member(core::text_arg name, M Class::*where) const;
  // The same for an entity that is kept as a number: `.member("target", &Aim::target,
  // kith::member_kind::entity)`.
  template <class Class>
  component member(core::text_arg name, entity_t Class::*where, member_kind kind) const {
    return describe({name, kind, core::offset_of(where), sizeof(entity_t)});
  }

  // --- hooks, one of each kind (hooks.hpp) ---

  // The entity has got the id. It may have got a value with it, of which on_set tells.
  template <class Function>
  component on_add(Function hook) const;
  // A value was given: by set, emplace, assign, modified, clone, bulk, or as a copy that overrides
  // an inherited one.
  template <class Function>
  component on_set(Function hook) const;
  // The entity is about to lose the id.
  template <class Function>
  component on_remove(Function hook) const;
  // A value is about to be replaced: takes the value that is there and the one that comes.
  template <class Function>
  component on_replace(Function hook) const;
  // Is a new value allowed? A hook that returns false, or throws, refuses the change.
  template <class Function>
  component on_validate(Function hook) const;

 private:
  component add_hook(core::hook_kind kind, core::hook hook) const {
    engine()->set_hook(id(), kind, std::move(hook));
    return *this;
  }
  component describe(const core::member_desc& desc) const {
    engine()->add_member(id(), desc);
    return *this;
  }
};

namespace core {

inline constexpr handle_access entity_handle{
    [](const void* member) { return static_cast<const entity*>(member)->id(); },
    [](void* member, engine& world, entity_t e) {
      *static_cast<entity*>(member) = e ? entity(&world, e) : entity();
    }};

}  // namespace core

template <class T>
template <class M, class Class>
component<T> component<T>::member(core::text_arg name, M Class::*where) const {
  static_assert(std::is_base_of_v<Class, T>, "this is a member of another type");
  core::member_desc desc{name, member_kind::structure, core::offset_of(where), sizeof(M)};
  if constexpr (std::is_same_v<M, std::string>) {
    desc.kind = member_kind::text;
  } else if constexpr (std::is_same_v<M, kith::entity>) {
    desc.kind = member_kind::entity;
    desc.handle = &core::entity_handle;
  } else if constexpr (std::is_class_v<M> || std::is_union_v<M>) {
    desc.component = core::id_of<M>(*engine());
  } else {
    desc.kind = core::arithmetic_kind<M>();
  }
  return describe(desc);
}

}  // namespace kith
