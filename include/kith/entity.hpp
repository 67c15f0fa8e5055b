// A thing in a world: it has components, tags and relations to other things.
//
//     kith::entity bob = world.entity("bob");
//     bob.set(Position{10, 20})            // a component with a value
//        .add<Npc>()                       // a tag
//        .add(Likes, alice)                // a relation to another entity
//        .set<Eats>(apples, {2});          // a relation with a value
//     const Position* p = bob.get<Position>();
//     for (kith::entity whom : bob.targets(Likes)) std::cout << whom << "\n";
//
// A handle is small and copied freely: it is a world and a number. It keeps neither the entity nor
// the world alive. Using a handle of a deleted entity, or of a world that has ended, is an error.
//
// `X` below is a C++ type or kith::pair<A, B>; `X...` may also be two types, which mean their pair.
// Calls that change something return the entity.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <kith/detail/deferral.hpp>
#include <kith/detail/typed.hpp>
#include <kith/detail/values.hpp>
#include <kith/id.hpp>

namespace kith {

class world;
class target_range;
class child_range;
class type;
class table;
template <class E>
class emission;
namespace core {
struct nothing;
}

class entity : public id {
 public:
  entity() = default;
  entity(core::engine* world, entity_t e) : kith::id(world, e) {}

  entity_t id() const { return raw_; }
  // The world it lives in, as a handle that does not own it.
  kith::world world() const;
  // False for a null handle and for an entity that was deleted, also if its number is in use again.
  bool is_alive() const { return world_ && world_->is_alive(raw_); }

  // --- ids: components, tags and pairs ---

  template <class... X>
  entity add() const {
    return add_raw(core::id_of<X...>(here()));
  }
  template <class R>
  entity add(core::id_arg target) const {
    return add_raw(pair_with<R>(target));
  }
  entity add(core::id_arg id) const { return add_raw(id.in(here())); }
  entity add(core::id_arg relation, core::id_arg target) const {
    return add_raw(pair_of(relation, target));
  }

  // Removing what is not there does nothing. A wildcard removes all that match.
  template <class... X>
  entity remove() const {
    return remove_raw(core::id_of<X...>(here()));
  }
  template <class R>
  entity remove(core::id_arg target) const {
    return remove_raw(pair_with<R>(target));
  }
  entity remove(core::id_arg id) const { return remove_raw(id.in(here())); }
  entity remove(core::id_arg relation, core::id_arg target) const {
    return remove_raw(pair_of(relation, target));
  }

  // Is it there, and switched on? `has(Likes, kith::Wildcard)`: is there any?
  template <class... X>
  bool has() const {
    return here().has(raw_, core::id_of<X...>(here()));
  }
  template <class R>
  bool has(core::id_arg target) const {
    return here().has(raw_, core::id_of<R>(here()), target.in(here()));
  }
  bool has(core::id_arg id) const { return here().has(raw_, id.in(here())); }
  bool has(core::id_arg relation, core::id_arg target) const {
    return here().has(raw_, relation.in(here()), target.in(here()));
  }

  // Is it there, on or off?
  template <class... X>
  bool owns() const {
    return here().owns(raw_, core::id_of<X...>(here()));
  }
  template <class R>
  bool owns(core::id_arg target) const {
    return here().owns(raw_, pair_with<R>(target));
  }
  bool owns(core::id_arg id) const { return here().owns(raw_, id.in(here())); }
  bool owns(core::id_arg relation, core::id_arg target) const {
    return here().owns(raw_, pair_of(relation, target));
  }

  // --- values ---

  // Gives a component a value and adds it if it is not there.
  template <class T>
  entity set(T&& value) const {
    return set_value<std::remove_cvref_t<T>>(std::forward<T>(value));
  }
  template <class T>
  entity set(const T& value) const {
    return set_value<T>(value);
  }
  // (A, B) has a value of type A, or of type B if A has no members.
  template <class X>
  requires core::is_pair_type<X> entity set(core::value_type<X> value)
  const { return set_value<X>(std::move(value)); }
  template <class A, class B>
  entity set(core::value_type<kith::pair<A, B>> value) const {
    return set_value<kith::pair<A, B>>(std::move(value));
  }
  // (R, target) with a value of type R.
  template <class R>
  entity set(core::id_arg target, R value) const {
    return assign<R>(with_first<R>(target), std::move(value));
  }
  // (relation, T) with a value of type T.
  template <class T>
  entity set_second(core::id_arg relation, T value) const {
    return assign<T>(with_second<T>(relation), std::move(value));
  }

  // The twins of the calls above for (relation, T).
  template <class T>
  entity add_second(core::id_arg relation) const {
    return add_raw(pair_of(relation, core::id_of<T>(here())));
  }
  template <class T>
  entity remove_second(core::id_arg relation) const {
    return remove_raw(pair_of(relation, core::id_of<T>(here())));
  }
  template <class T>
  bool has_second(core::id_arg relation) const {
    return here().has(raw_, pair_of(relation, core::id_of<T>(here())));
  }
  template <class T>
  bool owns_second(core::id_arg relation) const {
    return here().owns(raw_, pair_of(relation, core::id_of<T>(here())));
  }

  // Constructs the value in its place from `args`.
  template <class X, class... Args>
  entity emplace(Args&&... args) const {
    using T = core::value_type<X>;
    if constexpr (core::is_tag<X>) {
      static_assert(sizeof...(Args) == 0, "a type without members has no value");
      return add<X>();
    } else {
      core::argument_source<T, Args...> source{{std::forward<Args>(args)...}};
      const auto [id, type] = core::valued_id_of<X>(here());
      here().set(raw_, id, type, source.source());
      return *this;
    }
  }

  template <class R, class... Args>
  entity emplace_pair(core::id_arg target, Args&&... args) const {
    core::argument_source<R, Args...> source{{std::forward<Args>(args)...}};
    const auto [id, type] = with_first<R>(target);
    here().set(raw_, id, type, source.source());
    return *this;
  }
  template <class T, class... Args>
  entity emplace_second(core::id_arg relation, Args&&... args) const {
    core::argument_source<T, Args...> source{{std::forward<Args>(args)...}};
    const auto [id, type] = with_second<T>(relation);
    here().set(raw_, id, type, source.source());
    return *this;
  }

  // The value, or null if it is not there. A pointer is good until an entity is made or deleted, or
  // an id is added or removed, anywhere in the world.
  template <class... X>
  const core::value_type<X...>* get() const {
    return read<core::value_type<X...>>(core::valued_id_of<X...>(here()));
  }
  template <class R>
  const R* get(core::id_arg target) const {
    return read<R>(with_first<R>(target));
  }
  template <class T>
  const T* get_second(core::id_arg relation) const {
    return read<T>(with_second<T>(relation));
  }
  const void* get(core::id_arg id) const { return here().get(raw_, id.in(here()), 0); }
  const void* get(core::id_arg relation, core::id_arg target) const {
    return here().get(raw_, pair_of(relation, target), 0);
  }
  // Another name for get.
  template <class... X>
  auto try_get() const {
    return get<X...>();
  }
  template <class R>
  const R* try_get(core::id_arg target) const {
    return get<R>(target);
  }
  const void* try_get(core::id_arg id) const { return get(id); }
  const void* try_get(core::id_arg relation, core::id_arg target) const {
    return get(relation, target);
  }

  // The value; an error if it is not there.
  template <class... X>
  const core::value_type<X...>& at() const {
    if (const auto* value = get<X...>()) return *value;
    core::raise(errc::out_of_range, str(), " has no ", here().text_of(core::id_of<X...>(here())));
  }
  template <class R>
  const R& at(core::id_arg target) const {
    if (const R* value = get<R>(target)) return *value;
    core::raise(errc::out_of_range, str(), " has no ", here().text_of(pair_with<R>(target)));
  }

  // The value to write to, or null if the entity does not own it.
  template <class... X>
  core::value_type<X...>* get_mut() const {
    return write<core::value_type<X...>>(core::valued_id_of<X...>(here()));
  }
  template <class R>
  R* get_mut(core::id_arg target) const {
    return write<R>(with_first<R>(target));
  }
  template <class T>
  T* get_mut_second(core::id_arg relation) const {
    return write<T>(with_second<T>(relation));
  }
  void* get_mut(core::id_arg id) const { return here().get_mut(raw_, id.in(here()), 0); }
  void* get_mut(core::id_arg relation, core::id_arg target) const {
    return here().get_mut(raw_, pair_of(relation, target), 0);
  }

  // The value to write to; added with its default value if it is not there.
  template <class... X>
  core::value_type<X...>& ensure() const {
    return ensure_value<core::value_type<X...>>(core::valued_id_of<X...>(here()));
  }
  template <class R>
  R& ensure(core::id_arg target) const {
    return ensure_value<R>(with_first<R>(target));
  }
  template <class T>
  T& ensure_second(core::id_arg relation) const {
    return ensure_value<T>(with_second<T>(relation));
  }
  void* ensure(core::id_arg id) const { return here().ensure(raw_, id.in(here()), 0); }
  void* ensure(core::id_arg relation, core::id_arg target) const {
    return here().ensure(raw_, pair_of(relation, target), 0);
  }

  // Reports that a value was written through a pointer or reference that was got earlier. Sorted
  // queries and `changed()` do not see such a write by themselves.
  template <class... X>
  entity modified() const {
    return modified(core::id_of<X...>(here()));
  }
  template <class R>
  entity modified(core::id_arg target) const {
    return modified(pair_with<R>(target));
  }
  entity modified(core::id_arg id) const {
    here().modified(raw_, id.in(here()));
    return *this;
  }
  entity modified(core::id_arg relation, core::id_arg target) const {
    return modified(pair_of(relation, target));
  }

  // Copies the bytes or, by its hooks, the value of a runtime component.
  entity set_ptr(core::id_arg id, const void* value) const {
    here().set_copy(raw_, id.in(here()), value);
    return *this;
  }
  entity set_ptr(core::id_arg relation, core::id_arg target, const void* value) const {
    here().set_copy(raw_, pair_of(relation, target), value);
    return *this;
  }

  // --- relations ---

  // The n-th target of a relation in ascending order; null past the last.
  entity target(core::id_arg relation, std::size_t n = 0) const {
    return {world_, here().target(raw_, relation.in(here()), n)};
  }
  template <class R>
  entity target(std::size_t n = 0) const {
    return target(core::id_of<R>(here()), n);
  }
  // All of them: `for (kith::entity food : bob.targets(Eats))`.
  target_range targets(core::id_arg relation) const;
  template <class R>
  target_range targets() const;

  // The first of this entity, its target, the target's target and so on that has `id`; or null.
  entity target_for(core::id_arg relation, core::id_arg id) const {
    return {world_, here().target_for(raw_, relation.in(here()), id.in(here()))};
  }
  template <class X>
  entity target_for(core::id_arg relation) const {
    return target_for(relation, core::id_of<X>(here()));
  }

  // Does it hold, in the sense of queries? As `has`, and Transitive, Reflexive and kinds count too.
  bool related(core::id_arg relation, core::id_arg target) const {
    return here().related(raw_, relation.in(here()), target.in(here()));
  }
  bool related(core::id_arg id) const { return here().related(raw_, id.in(here())); }
  template <class X>
  bool related() const {
    return here().related(raw_, core::id_of<X>(here()));
  }
  template <class R>
  bool related(core::id_arg target) const {
    return related(core::id_of<R>(here()), target);
  }
  // Does some way along a relation lead from this entity to another?
  bool reaches(core::id_arg relation, core::id_arg target) const {
    return here().leads(raw_, relation.in(here()), target.in(here()));
  }
  // All that such ways lead to, nearest first; and all from which they lead here.
  std::vector<entity> reached(core::id_arg relation) const {
    return wrap(here().reached_from(raw_, relation.in(here())));
  }
  std::vector<entity> reached_by(core::id_arg relation) const {
    return wrap(here().reached_to(raw_, relation.in(here())));
  }

  // Being a kind of something: what `base` has is visible here. The children of a prefab are made
  // too.
  entity is_a(core::id_arg base) const { return add(IsA, base); }
  // Of a phase: it comes after another one. Of a system: it runs in a phase.
  entity depends_on(core::id_arg other) const { return add(DependsOn, other); }
  template <class T>
  entity is_a() const {
    return add(IsA, core::id_of<T>(here()));
  }
  // A child of a prefab that its instances find as `instance.target(child)`.
  entity slot() const;
  entity slot_of(core::id_arg prefab) const { return add(SlotOf, prefab); }
  template <class T>
  entity slot_of() const {
    return slot_of(core::id_of<T>(here()));
  }

  // The hierarchy. A new parent takes the place of the old one.
  entity child_of(core::id_arg parent) const { return add(ChildOf, parent); }
  entity parent() const { return {world_, here().parent(raw_)}; }
  child_range children() const;
  // Puts the children of a parent that has OrderedChildren in order; names each of them once.
  entity set_child_order(std::span<const entity> children) const;
  template <class Function>
  void children(Function visit) const;

  // Visits every id of the entity: `e.each([](kith::id i) { ... })`.
  template <class Function>
  void each(Function visit) const;
  // Visits every target of a relation: `e.each(Likes, [](kith::entity whom) { ... })`.
  template <class Function>
  void each(core::id_arg relation, Function visit) const;
  // Visits the ids that match a pattern: `e.match(world.pair(Likes, kith::Wildcard), ...)`.
  template <class Function>
  void match(core::id_arg pattern, Function visit) const;
  // The same with the pattern given by its parts.
  template <class Function>
  void each(core::id_arg relation, core::id_arg target, Function visit) const {
    match(pair_of(relation, target), std::move(visit));
  }
  // All ids of the entity, ascending.
  kith::type type() const;
  // Where the entity is kept: the ids of its table. For inspection.
  kith::table table() const;

  // --- names ---

  std::string_view name() const { return here().name(raw_); }
  // An empty name takes it away.
  entity set_name(std::string_view name) const {
    here().set_name(raw_, name);
    return *this;
  }
  // The names from the root to the entity, `a::b::c`; `#number` if it has no name.
  std::string path(std::string_view separator = "::") const { return here().path(raw_, separator); }
  // The entity with this path below this one, or null.
  entity lookup(std::string_view path) const { return {world_, here().lookup(path, raw_)}; }
  // What is created in `body` becomes a child of this entity. It may take the entity as an
  // argument.
  template <class Function>
  entity scope(Function body) const;

  // --- switching off and on ---

  // The whole entity.
  entity enable() const { return remove(Disabled); }
  entity disable() const { return add(Disabled); }
  bool enabled() const { return !has(Disabled); }
  // One id: it stays with its value, but `has` and `get` do not see it.
  template <class X>
  entity enable() const {
    return switch_raw(core::id_of<X>(here()), true);
  }
  template <class X>
  entity disable() const {
    return switch_raw(core::id_of<X>(here()), false);
  }
  template <class X>
  bool enabled() const {
    return here().is_enabled(raw_, core::id_of<X>(here()));
  }
  entity enable(core::id_arg id) const { return switch_raw(id.in(here()), true); }
  entity disable(core::id_arg id) const { return switch_raw(id.in(here()), false); }
  bool enabled(core::id_arg id) const { return here().is_enabled(raw_, id.in(here())); }
  entity enable(core::id_arg relation, core::id_arg target) const {
    return switch_raw(pair_of(relation, target), true);
  }
  entity disable(core::id_arg relation, core::id_arg target) const {
    return switch_raw(pair_of(relation, target), false);
  }
  bool enabled(core::id_arg relation, core::id_arg target) const {
    return here().is_enabled(raw_, pair_of(relation, target));
  }

  // --- life ---

  // Removes all ids. The name stays.
  entity clear() const {
    here().clear(raw_);
    return *this;
  }
  // Deletes the entity, its children, and every pair that points at it.
  void destruct() const { here().destroy(raw_); }
  // A new entity with the same ids, and the same values if wanted. Names are not copied.
  entity clone(bool with_values = true, entity into = {}) const {
    return {world_, here().clone(raw_, core::id_arg(into).in(here()), with_values)};
  }

  // --- events of your own (event.hpp) ---

  // Calls `visit` when the event is sent to this entity, as long as it lives:
  // `button.observe<Click>([](Click& c) {})`
  template <class E, class Function>
  entity observe(Function visit) const;
  template <class Function>
  entity observe(core::id_arg event, Function visit) const;
  // Sends an event to this entity now: `button.emit(Click{1, 2}).propagate(kith::ChildOf)`
  template <class E>
  requires(!std::is_base_of_v<kith::id, std::remove_cvref_t<E>>)  //
      emission<std::remove_cvref_t<E>> emit(E&& payload)
  const;
  template <class E>
  emission<E> emit() const;
  emission<core::nothing> emit(kith::entity event) const;
  // The same when the changes before it are carried out.
  template <class E>
  requires(!std::is_base_of_v<kith::id, std::remove_cvref_t<E>>)  //
      entity enqueue(E&& payload)
  const;
  template <class E>
  entity enqueue() const;
  entity enqueue(kith::entity event) const;

 private:
  std::vector<entity> wrap(const std::vector<entity_t>& list) const {
    std::vector<entity> entities;
    entities.reserve(list.size());
    for (entity_t e : list) entities.emplace_back(world_, e);
    return entities;
  }
  core::engine& here() const {
    if (!world_) core::raise(errc::not_alive, "no entity was given");
    return *world_;
  }
  id_t pair_of(core::id_arg relation, core::id_arg target) const {
    return here().pair(relation.in(here()), target.in(here()));
  }
  template <class R>
  id_t pair_with(core::id_arg target) const {
    return here().pair(core::id_of<R>(here()), target.in(here()));
  }
  // Pairs with values of their first or second type.
  template <class R>
  core::valued_id with_first(core::id_arg target) const {
    const entity_t type = core::id_of<R>(here());
    return {here().pair(type, target.in(here())), type};
  }
  template <class T>
  core::valued_id with_second(core::id_arg relation) const {
    const entity_t type = core::id_of<T>(here());
    return {here().pair(relation.in(here()), type), type};
  }
  entity add_raw(id_t id) const {
    here().add(raw_, id);
    return *this;
  }
  entity remove_raw(id_t id) const {
    here().remove(raw_, id);
    return *this;
  }
  entity switch_raw(id_t id, bool on) const {
    here().set_enabled(raw_, id, on);
    return *this;
  }
  template <class T, class Value>
  entity assign(core::valued_id v, Value&& value) const {
    static_assert(!core::is_tag_type<T>, "a type without members has no value; use add");
    core::argument_source<T, Value> source{{std::forward<Value>(value)}};
    here().set(raw_, v.id, v.type, source.source());
    return *this;
  }
  template <class X, class Value>
  entity set_value(Value&& value) const {
    if constexpr (core::is_tag<X>) {
      return add<X>();
    } else {
      return assign<core::value_type<X>>(core::valued_id_of<X>(here()), std::forward<Value>(value));
    }
  }
  template <class T>
  const T* read(core::valued_id v) const {
    static_assert(!core::is_tag_type<T>, "a type without members has no value; use has");
    // What is its own type has values of no other.
    return static_cast<const T*>(here().get(raw_, v.id, v.type == v.id ? 0 : v.type));
  }
  template <class T>
  T* write(core::valued_id v) const {
    static_assert(!core::is_tag_type<T>, "a type without members has no value; use has");
    return static_cast<T*>(here().get_mut(raw_, v.id, v.type));
  }
  template <class T>
  // Along IsA: the one that owns what is visible here.
  T& ensure_value(core::valued_id v) const {
    static_assert(!core::is_tag_type<T>, "a type without members has no value; use add");
    return *static_cast<T*>(here().ensure(raw_, v.id, v.type));
  }
};

}  // namespace kith

template <>
struct std::hash<kith::entity> {
  std::size_t operator()(const kith::entity& e) const noexcept {
    return std::hash<kith::entity_t>{}(e.id());
  }
};
template <>
struct std::hash<kith::id> {
  std::size_t operator()(const kith::id& i) const noexcept {
    return std::hash<kith::id_t>{}(i.raw_id());
  }
};
