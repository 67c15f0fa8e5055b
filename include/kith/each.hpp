// How a callback is called for the rows of a query.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <kith/iter.hpp>

namespace kith::core {

// What a type of a query's list stands for: `const T` reads, `T*` is optional.
template <class X>
struct term_type {
  using bare = std::remove_pointer_t<std::remove_reference_t<X>>;
  using id_type = std::remove_const_t<bare>;
  static constexpr bool is_optional = std::is_pointer_v<X>;
  static constexpr bool reads = std::is_const_v<bare>;
  static constexpr bool is_tag = core::is_tag<id_type>;
  using value = std::conditional_t<reads, const value_type<id_type>, value_type<id_type>>;
  using argument = std::conditional_t<is_optional, value*, value&>;
};

// The value of one row as a callback wants it: `T&`, or `T*` if it may be missing.
template <class Value>
struct row_value {
  Value* at;
  operator Value&() const { return *at; }
  operator Value*() const { return at; }
};

template <class X>
struct row_source {
  using type = term_type<X>;
  using value = typename type::value;

  const field_view* view;

  value* at(std::size_t row) const {
    // A tag has no value; any will do.
    if constexpr (type::is_tag) {
      static std::remove_const_t<value> none{};
      return &none;
    } else {
      return static_cast<value*>(view->at(row));
    }
  }
};

template <class Function, class... Ts>
inline constexpr bool takes_rows =
    std::is_invocable_v<Function&, typename term_type<Ts>::argument...>;
template <class Function, class... Ts>
inline constexpr bool takes_entity =
    std::is_invocable_v<Function&, entity, typename term_type<Ts>::argument...>;
template <class Function, class... Ts>
inline constexpr bool takes_iter =
    std::is_invocable_v<Function&, iter&, std::size_t, typename term_type<Ts>::argument...>;
template <class Function, class... Ts>
inline constexpr bool takes_pointers =
    std::is_invocable_v<Function&, row_value<typename term_type<Ts>::value>...> ||
    std::is_invocable_v<Function&, entity, row_value<typename term_type<Ts>::value>...> ||
    std::is_invocable_v<Function&, iter&, std::size_t, row_value<typename term_type<Ts>::value>...>;

template <class X, class Value>
decltype(auto) as_argument(Value* at) {
  if constexpr (term_type<X>::is_optional)
    return at;
  else
    return static_cast<Value&>(*at);
}

// Calls `visit` for one row in the shape it has.
template <class... Ts, class Function>
void visit_row(Function& visit, iter& it, std::size_t row, typename row_source<Ts>::value*... at) {
  if constexpr (takes_rows<Function, Ts...>)
    visit(as_argument<Ts>(at)...);
  else if constexpr (takes_entity<Function, Ts...>)
    visit(it.entity(row), as_argument<Ts>(at)...);
  else if constexpr (takes_iter<Function, Ts...>)
    visit(it, row, as_argument<Ts>(at)...);
  else if constexpr (std::is_invocable_v<Function&, row_value<typename term_type<Ts>::value>...>)
    visit(row_value<typename term_type<Ts>::value>{at}...);
  else if constexpr (std::is_invocable_v<Function&, entity,
                                         row_value<typename term_type<Ts>::value>...>)
    visit(it.entity(row), row_value<typename term_type<Ts>::value>{at}...);
  else
    visit(it, row, row_value<typename term_type<Ts>::value>{at}...);
}

template <class... Ts, class Function, std::size_t... I>
void visit_batch(Function& visit, query_run& run, std::index_sequence<I...>) {
  iter it(run);
  const std::size_t count = run.count();
  // All values side by side: plain arrays.
  const std::tuple<row_source<Ts>...> fields{
      row_source<Ts>{term_type<Ts>::is_tag ? nullptr : &run.field(I)}...};
  [[maybe_unused]] const auto is_array = [](const auto& source) {
    using type = typename std::remove_cvref_t<decltype(source)>::type;
    if constexpr (type::is_tag)
      return true;
    else
      return !source.view->rows && source.view->data &&
             source.view->stride == sizeof(typename type::value);
  };
  if ((is_array(std::get<I>(fields)) && ...)) {
    const std::tuple<typename row_source<Ts>::value*...> first{std::get<I>(fields).at(0)...};
    for (std::size_t row = 0; row < count; ++row)
      visit_row<Ts...>(visit, it, row,
                       (term_type<Ts>::is_tag ? std::get<I>(first) : std::get<I>(first) + row)...);
  } else {
    for (std::size_t row = 0; row < count; ++row)
      visit_row<Ts...>(visit, it, row, std::get<I>(fields).at(row)...);
  }
}

}  // namespace kith::core
