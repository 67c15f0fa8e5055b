// From C++ types to ids: which component stands for a type, and what value an id of types has.
#pragma once

#include <type_traits>

#include <kith/detail/engine.hpp>
#include <kith/detail/type_info.hpp>

namespace kith {

template <class First, class Second>
class pair;

namespace core {

template <class X>
struct typed_id {
  using value = X;
  static constexpr bool is_tag = is_tag_type<X>;
  static id_t in(engine& world) { return world.component<X>(); }
};

// A pair has values of the first type, or of the second if the first has no members.
template <class R, class T>
struct typed_id<kith::pair<R, T>> {
  using value = std::conditional_t<is_tag_type<R>, T, R>;
  static constexpr bool is_tag = is_tag_type<value>;
  static id_t in(engine& world) {
    return make_pair(typed_id<R>::in(world), typed_id<T>::in(world));
  }
};

template <class X>
inline constexpr bool is_pair_type = false;
template <class R, class T>
inline constexpr bool is_pair_type<kith::pair<R, T>> = true;

// One type stands for itself, two for their pair.
template <class... X>
struct joined_types;
template <class X>
struct joined_types<X> {
  using type = std::remove_cv_t<X>;
};
template <class R, class T>
struct joined_types<R, T> {
  using type = kith::pair<R, T>;
};
template <class... X>
using joined = typename joined_types<X...>::type;

template <class... X>
using value_type = typename typed_id<joined<X...>>::value;
template <class X>
inline constexpr bool is_tag = typed_id<std::remove_cv_t<X>>::is_tag;

template <class... X>
id_t id_of(engine& world) {
  return typed_id<joined<X...>>::in(world);
}

// An id that has values, and the component that stands for their type.
struct valued_id {
  id_t id;
  entity_t type;
};
template <class... X>
valued_id valued_id_of(engine& world) {
  const id_t id = id_of<X...>(world);
  if constexpr (is_pair_type<joined<X...>>)
    return {id, id_of<value_type<X...>>(world)};
  else
    return {id, id};
}

}  // namespace core
}  // namespace kith
