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

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <kith/detail/deferral.hpp>
#include <kith/detail/signature.hpp>
#include <kith/detail/text.hpp>
#include <kith/detail/typed.hpp>
#include <kith/detail/values.hpp>
#include <kith/id.hpp>

namespace kith {

class world;
template <class T>
class ref;
class untyped_ref;
class target_range;
class child_range;
class type;
class table;
class table_range;
template <class E>
class emission;
namespace core {
struct nothing;
}

class entity : public id {
 public:
  entity() = default;
  entity(core::engine* world, entity_t e) : kith::id(world, e) {}
  // As `in.entity()`, `in.entity(path)` and `in.entity(e)`.
  explicit entity(const kith::world& in);
  entity(const kith::world& in, core::text_arg path);
  entity(const kith::world& in, entity_t e);
  // A number alone, without a world: it can be compared and passed on.
  explicit entity(entity_t e) : kith::id(nullptr, e) {}
  static entity null() { return {}; }
  static entity null(const kith::world&) { return {}; }

  entity_t id() const { return raw_; }
  // The entity itself: handles read and write, in every stage.
  entity view() const { return *this; }
  template <class Stage>
  entity mut(const Stage&) const {
    return *this;
  }
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

  // A constant of an enum: the pair (E, value), which takes the place of another value of E.
  template <class E>
  requires std::is_enum_v<E> entity add(E value)
  const { return add_raw(constant_pair(value)); }

  // Adds or removes, as `condition` says. Where a target goes away, all targets of an Exclusive
  // relation do.
  template <class X>
  entity add_if(bool condition) const {
    return condition ? add<X>() : remove<X>();
  }
  template <class A, class B>
  entity add_if(bool condition) const {
    return add_if(condition, core::id_of<A>(here()), core::id_of<B>(here()));
  }
  template <class R>
  entity add_if(bool condition, core::id_arg target) const {
    return add_if(condition, core::id_of<R>(here()), target);
  }
  entity add_if(bool condition, core::id_arg id) const { return condition ? add(id) : remove(id); }
  entity add_if(bool condition, core::id_arg relation, core::id_arg target) const {
    if (condition) return add(relation, target);
    const bool all = !target.raw || here().has(relation.in(here()), Exclusive);
    return remove(relation, all ? Wildcard : target);
  }
  template <class E>
  requires std::is_enum_v<E> entity add_if(bool condition, E value)
  const { return condition ? add(value) : remove_raw(pair_with<E>(Wildcard)); }

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

  // Is it there, and switched on? `has(Likes, kith::Wildcard)`: is there any? `has<Color>()` of an
  // enum: is there a constant, or a value?
  template <class... X>
  bool has() const {
    const id_t id = core::id_of<X...>(here());
    if constexpr ((std::is_enum_v<X> && ...))
      if (here().has(raw_, id, Wildcard)) return true;
    return here().has(raw_, id);
  }
  template <class E>
  requires std::is_enum_v<E>
  bool has(E value) const { return here().has(raw_, constant_pair(value)); }
  // The constant of an enum that the entity has.
  template <class E>
  requires std::is_enum_v<E> std::optional<E> get_constant()
  const { return target<E>().template to_constant<E>(); }
  // The constant that this entity stands for.
  template <class E>
  requires std::is_enum_v<E> std::optional<E> to_constant()
  const {
    if (*this && parent().raw_ == core::id_of<E>(here()))
      for (const core::constant_desc& c : core::constants_of<E>())
        if (c.name == name()) return static_cast<E>(c.value);
    return std::nullopt;
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
  requires(!core::is_closure<std::remove_cvref_t<T>>) entity set(T&& value)
  const {
    using X = std::remove_cvref_t<T>;
    static_assert(!std::is_base_of_v<kith::id, X>,
                  "a handle is no value of a component; add(entity) adds an entity");
    return set_value<X>(std::forward<T>(value));
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
    return assign_value<R>(with_first<R>(target), std::move(value));
  }
  // (relation, T) with a value of type T.
  template <class T>
  entity set_second(core::id_arg relation, T value) const {
    return assign_value<T>(with_second<T>(relation), std::move(value));
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

  // (A, B) with a value of type B.
  template <class A, class B>
  entity set_second(B value) const {
    const id_t relation = core::id_of<A>(here());
    return assign_value<B>(with_second<B>(relation), std::move(value));
  }

  // As `set`, of a value that is there already; an error if it is not.
  template <class T>
  entity assign(T&& value) const {
    check_there<std::remove_cvref_t<T>>();
    return set(std::forward<T>(value));
  }
  template <class X>
  requires core::is_pair_type<X> entity assign(core::value_type<X> value)
  const {
    check_there<X>();
    return set_value<X>(std::move(value));
  }
  template <class A, class B>
  entity assign(core::value_type<kith::pair<A, B>> value) const {
    return assign<kith::pair<A, B>>(std::move(value));
  }
  template <class R>
  entity assign(core::id_arg target, R value) const {
    at<R>(target);
    return set<R>(target, std::move(value));
  }
  template <class T>
  entity assign_second(core::id_arg relation, T value) const {
    at_second<T>(relation);
    return set_second<T>(relation, std::move(value));
  }

  // Calls `body` with the values of the components that it takes. `get`: if the entity has all of
  // them, else it returns false; `const T&` may be inherited, `T&` is owned. `insert`: those that
  // are not there are added first, and all of it is one change.
  //
  //     bob.insert([](Position& p, Velocity& v) { p = {0, 0}; v = {1, 1}; });
  template <class Function>
  requires core::has_signature<Function>
  bool get(Function body) const { return get_values(core::terms_of<Function>(), body); }
  template <class Function>
  requires core::has_signature<Function> entity insert(Function body)
  const {
    insert_values(core::terms_of<Function>(), body);
    return *this;
  }
  // Another name for insert.
  template <class Function>
  requires core::is_closure<Function> entity set(Function body)
  const { return insert(std::move(body)); }

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

  // (A, B) with a value of type A, or of type B if A has no members.
  template <class A, class B, class... Args>
  requires(!std::is_reference_v<B>) entity emplace(Args&&... args)
  const { return emplace<kith::pair<A, B>>(std::forward<Args>(args)...); }
  template <class R, class... Args>
  entity emplace_first(core::id_arg target, Args&&... args) const {
    return emplace_pair<R>(target, std::forward<Args>(args)...);
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
  template <class A, class B>
  const B* get_second() const {
    return get_second<B>(core::id_of<A>(here()));
  }
  // Several at once, as a tuple.
  template <class... Ts>
  std::tuple<const Ts&...> get_n() const {
    return {at<Ts>()...};
  }
  template <class... Ts>
  std::tuple<const Ts*...> try_get_n() const {
    return {get<Ts>()...};
  }
  template <class... Ts>
  std::tuple<Ts&...> get_mut_n() const {
    return {at_mut<Ts>()...};
  }
  template <class... Ts>
  std::tuple<Ts*...> try_get_mut_n() const {
    return {get_mut<Ts>()...};
  }
  // Other names for get and get_mut.
  template <class T>
  const T* try_get_second(core::id_arg relation) const {
    return get_second<T>(relation);
  }
  template <class A, class B>
  const B* try_get_second() const {
    return get_second<A, B>();
  }
  template <class... X>
  auto try_get_mut() const {
    return get_mut<X...>();
  }
  template <class R>
  R* try_get_mut(core::id_arg target) const {
    return get_mut<R>(target);
  }
  template <class T>
  T* try_get_mut_second(core::id_arg relation) const {
    return get_mut_second<T>(relation);
  }
  template <class A, class B>
  B* try_get_mut_second() const {
    return get_mut_second<B>(core::id_of<A>(here()));
  }
  void* try_get_mut(core::id_arg id) const { return get_mut(id); }
  void* try_get_mut(core::id_arg relation, core::id_arg target) const {
    return get_mut(relation, target);
  }
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
    raise_absent(core::id_of<X...>(here()));
  }
  template <class R>
  const R& at(core::id_arg target) const {
    if (const R* value = get<R>(target)) return *value;
    raise_absent(pair_with<R>(target));
  }

  template <class T>
  const T& at_second(core::id_arg relation) const {
    if (const T* value = get_second<T>(relation)) return *value;
    raise_absent(with_second<T>(relation).id);
  }
  template <class A, class B>
  const B& at_second() const {
    return at_second<B>(core::id_of<A>(here()));
  }

  // The value to write to; an error if the entity does not own it.
  template <class... X>
  core::value_type<X...>& at_mut() const {
    if (auto* value = get_mut<X...>()) return *value;
    raise_absent(core::id_of<X...>(here()));
  }
  template <class R>
  R& at_mut(core::id_arg target) const {
    if (R* value = get_mut<R>(target)) return *value;
    raise_absent(pair_with<R>(target));
  }
  template <class A, class B>
  B& at_mut_second() const {
    return at_mut_second<B>(core::id_of<A>(here()));
  }
  template <class T>
  T& at_mut_second(core::id_arg relation) const {
    if (T* value = get_mut_second<T>(relation)) return *value;
    raise_absent(with_second<T>(relation).id);
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

  // A value that is looked up at each use (ref.hpp). `get_ref_w_id`: of an id whose values can be
  // read as a T, such as a class that derives from it.
  template <class... X>
  ref<core::value_type<X...>> get_ref() const;
  template <class R>
  ref<R> get_ref(core::id_arg target) const;
  template <class T>
  ref<T> get_ref_second(core::id_arg relation) const;
  template <class T>
  ref<T> get_ref_w_id(core::id_arg id) const;
  untyped_ref get_ref(core::id_arg id) const;
  untyped_ref get_ref(core::id_arg relation, core::id_arg target) const;

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
  entity set_ptr(core::id_arg relation, const kith::id& target, const void* value) const {
    here().set_copy(raw_, pair_of(relation, target), value);
    return *this;
  }
  // `size` must be that of the component.
  template <std::integral Size>
  entity set_ptr(core::id_arg id, Size size, const void* value) const {
    here().set_copy(raw_, id.in(here()), value, static_cast<std::size_t>(size));
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
  // Along IsA: the one that owns what is visible here.
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
  template <class T>
  entity depends_on() const {
    return depends_on(core::id_of<T>(here()));
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
  template <class T>
  entity child_of() const {
    return child_of(core::id_of<T>(here()));
  }
  entity parent() const { return {world_, here().parent(raw_)}; }
  child_range children() const;
  // Puts the children of a parent that has OrderedChildren in order; names each of them once.
  entity set_child_order(std::span<const entity> children) const;
  template <class Function>
  void children(Function visit) const;
  // The entities that have (relation, this).
  template <class Function>
  void children(core::id_arg relation, Function visit) const;
  template <class R, class Function>
  void children(Function visit) const {
    children(core::id_of<R>(here()), std::move(visit));
  }
  // How many targets of targets lead to one that has none: 0 without a target. Of a relation that
  // leads on to one entity.
  std::size_t depth(core::id_arg relation) const;
  template <class R>
  std::size_t depth() const {
    return depth(core::id_of<R>(here()));
  }

  // Visits every id of the entity: `e.each([](kith::id i) { ... })`.
  template <class Function>
  void each(Function visit) const;
  // Visits every target of a relation: `e.each(Likes, [](kith::entity whom) { ... })`.
  template <class Function>
  void each(core::id_arg relation, Function visit) const;
  template <class R, class Function>
  void each(Function visit) const {
    each(core::id_of<R>(here()), std::move(visit));
  }
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
  kith::table_range range() const;

  // --- names ---

  // Empty if there is none. Valid until the name changes.
  zero_text name() const { return world_ ? zero_text(here().name(raw_)) : zero_text(); }
  // An empty name takes it away.
  entity set_name(core::text_arg name) const {
    here().set_name(raw_, name);
    return *this;
  }
  // The names from the root to the entity, `a::b::c`; `#number` if it has no name.
  std::string path(core::text_arg separator = "::") const {
    return world_ ? here().path(raw_, separator) : std::string();
  }
  // The names from `parent` to the entity, without that of `parent`.
  std::string path_from(core::id_arg parent, core::text_arg separator = "::") const;
  template <class T>
  std::string path_from(core::text_arg separator = "::") const {
    return path_from(core::id_of<T>(here()), separator);
  }
  // The entity with this path below this one, or null.
  entity lookup(core::text_arg path) const { return {world_, here().lookup(path, raw_)}; }
  // What is created in `body` becomes a child of this entity. It may take the entity as an
  // argument.
  template <class Function>
  entity scope(Function body) const;

  // What is created in `body` gets this entity as an id, or (relation, this).
  template <class Function>
  entity with(Function body) const;
  template <class Function>
  entity with(core::id_arg relation, Function body) const;
  template <class R, class Function>
  entity with(Function body) const {
    return with(core::id_of<R>(here()), std::move(body));
  }

  // --- switching off and on ---

  // The whole entity.
  entity enable() const { return remove(Disabled); }
  entity disable() const { return add(Disabled); }
  bool enabled() const { return !has(Disabled); }
  // One id: it stays with its value, but `has` and `get` do not see it.
  template <class X, class... Target>
  entity enable() const {
    return switch_raw(core::id_of<X, Target...>(here()), true);
  }
  template <class R>
  entity enable(core::id_arg target) const {
    return switch_raw(pair_with<R>(target), true);
  }
  template <class X, class... Target>
  entity disable() const {
    return switch_raw(core::id_of<X, Target...>(here()), false);
  }
  template <class R>
  entity disable(core::id_arg target) const {
    return switch_raw(pair_with<R>(target), false);
  }
  template <class X, class... Target>
  bool enabled() const {
    return here().is_enabled(raw_, core::id_of<X, Target...>(here()));
  }
  template <class R>
  bool enabled(core::id_arg target) const {
    return here().is_enabled(raw_, pair_with<R>(target));
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
  // The event is the type that `visit` takes: `button.observe([](Click& c) {})`
  template <class Function>
  requires core::has_signature<Function> entity observe(Function visit)
  const { return observe_typed(core::terms_of<Function>(), std::move(visit)); }
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

 protected:
  // Its world; a null handle has none, which is an error.
  core::engine& here() const {
    if (!world_) core::raise(errc::not_alive, "no entity was given");
    return *world_;
  }

 private:
  template <class Event, class Function>
  entity observe_typed(core::type_list<Event>, Function visit) const {
    return observe<std::remove_const_t<Event>>(std::move(visit));
  }
  [[noreturn]] void raise_absent(id_t id) const {
    core::raise(errc::out_of_range, str(), " has no ", here().text_of(id));
  }
  std::vector<entity> wrap(const std::vector<entity_t>& list) const {
    std::vector<entity> entities;
    entities.reserve(list.size());
    for (entity_t e : list) entities.emplace_back(world_, e);
    return entities;
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
  entity assign_value(core::valued_id v, Value&& value) const {
    static_assert(!core::is_tag_type<T>, "a type without members has no value; use add");
    core::argument_source<T, Value> source{{std::forward<Value>(value)}};
    here().set(raw_, v.id, v.type, source.source());
    return *this;
  }
  template <class X>
  void check_there() const {
    if constexpr (!core::is_tag<X>) at<X>();
  }
  template <class E>
  id_t constant_pair(E value) const {
    const entity_t enumeration = core::id_of<E>(here());
    return here().pair(enumeration, here().constant(enumeration, core::constant_name(value)));
  }
  template <class T>
  auto* value_for_callback() const {
    using X = std::remove_const_t<T>;
    if constexpr (std::is_const_v<T>)
      return get<X>();
    else
      return get_mut<X>();
  }
  template <class... Ts, class Function>
  bool get_values(core::type_list<Ts...>, Function& body) const {
    const auto values = std::make_tuple(value_for_callback<Ts>()...);
    const bool all = std::apply([](const auto*... v) { return (v && ...); }, values);
    if (!all) return false;
    core::deferral waiting(here());
    std::apply([&](auto*... v) { body(*v...); }, values);
    waiting.end();
    return true;
  }
  template <class... Ts, class Function>
  void insert_values(core::type_list<Ts...>, Function& body) const {
    static_assert(sizeof...(Ts) > 0, "a callback of `insert` takes the components: `[](T& t) {}`");
    here().change_whole([&] {
      // One that is added later moves those that were added before.
      (ensure<std::remove_const_t<Ts>>(), ...);
      body(ensure<std::remove_const_t<Ts>>()...);
      (modified<std::remove_const_t<Ts>>(), ...);
    });
  }
  template <class X, class Value>
  entity set_value(Value&& value) const {
    if constexpr (core::is_tag<X>) {
      return add<X>();
    } else {
      return assign_value<core::value_type<X>>(core::valued_id_of<X>(here()),
                                               std::forward<Value>(value));
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
