// What a callback takes, read off its call operator.
#pragma once

#include <string_view>
#include <type_traits>

#include <kith/detail/type_info.hpp>

namespace kith {

class entity;
class iter;

namespace core {

template <class... Ts>
struct type_list {};

// The terms that a callback asks for by its arguments: all but a leading `entity` or `iter&, row`.
template <class... Arguments>
struct argument_terms {
  using type = type_list<std::remove_reference_t<Arguments>...>;
};
template <class... Rest>
struct argument_terms<entity, Rest...> : argument_terms<Rest...> {};
template <class Row, class... Rest>
struct argument_terms<iter&, Row, Rest...> : argument_terms<Rest...> {};

template <class Member>
struct signature;
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...)> : argument_terms<Arguments...> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...) const> : argument_terms<Arguments...> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...) noexcept> : argument_terms<Arguments...> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...) const noexcept> : argument_terms<Arguments...> {};

// It has one call operator and that is no template.
template <class Function>
concept has_signature = requires {
  &Function::operator();
};
template <class Function>
using terms_of = typename signature<decltype(&Function::operator())>::type;

// Closures are callbacks and never values of components.
template <class T>
constexpr bool is_closure_type() {
  constexpr std::string_view name = type_name<T>();
  return (name.ends_with(')') && name.find("(lambda at") != name.npos) ||
         (name.ends_with(")>") && name.find("<lambda(") != name.npos);
}
template <class T>
inline constexpr bool is_closure = is_closure_type<T>();

}  // namespace core
}  // namespace kith
