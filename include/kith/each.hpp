// How a callback is called for the rows of a query.
#pragma once

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

#include <kith/detail/signature.hpp>
#include <kith/iter.hpp>

namespace kith::core {

// What a type in the list of a query means: `const T` only reads, `T*` is optional.
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
  operator Value&() const {
    if (!at) raise(errc::type, "a term has no value here; take it as a pointer");
    return *at;
  }
  operator Value*() const { return at; }
};

template <class X>
struct row_source {
  using type = term_type<X>;
  using value = typename type::value;

  field_view view{};  // a copy, so that the compiler knows that writes to values leave it alone
  bool set = true;    // of a tag, for all rows

  value* at(std::size_t row) const {
    // A tag has no value; any will do where it is there.
    if constexpr (type::is_tag) {
      static std::remove_const_t<value> none{};
      const bool there = view.rows ? view.rows[row] != nullptr : set;
      return there ? &none : nullptr;
    } else {
      return static_cast<value*>(view.at(row));
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
// The callback takes no values, so it fits any list of types.
template <class Function>
inline constexpr bool takes_no_values =
    std::is_invocable_v<Function&, entity> || std::is_invocable_v<Function&, iter&, std::size_t>;
template <class Function, class... Ts>
inline constexpr bool takes_pointers =
    std::is_invocable_v<Function&, row_value<typename term_type<Ts>::value>...> ||
    std::is_invocable_v<Function&, entity, row_value<typename term_type<Ts>::value>...> ||
    std::is_invocable_v<Function&, iter&, std::size_t, row_value<typename term_type<Ts>::value>...>;

// Can the callback be called for the rows of a query that yields Ts? A compiler names both where
// this is false: Function is what the callback takes.
template <class Function, class... Ts>
constexpr bool takes_what_the_query_yields() {
  // One after the other, for callbacks that are templates.
  if constexpr (takes_rows<Function, Ts...>)
    return true;
  else if constexpr (takes_entity<Function, Ts...>)
    return true;
  else if constexpr (takes_iter<Function, Ts...>)
    return true;
  else if constexpr (takes_pointers<Function, Ts...>)
    return true;
  else
    return takes_no_values<Function>;
}
template <class Function, class... Ts>
void check_callback() {
  static_assert(takes_what_the_query_yields<Function, Ts...>(),
                "the callback does not fit the query: it takes (T&...), (entity, T&...) or "
                "(iter&, size_t, T&...), where T... are all types of the query in their order, "
                "`const T` is taken as `const T&` and an optional `T*` as a pointer; or none of "
                "the values");
}

// It asks for no values, and sees no batches.
template <class Function, class... Ts>
constexpr bool takes_entity_alone = sizeof...(Ts) == 0 && takes_entity<Function>;

template <class Function, class... Ts>
constexpr bool takes_values() {
  // One after the other: a generic callback may not compile with what it is not meant for.
  if constexpr (sizeof...(Ts) == 0)
    return false;
  else if constexpr (takes_rows<Function, Ts...> || takes_entity<Function, Ts...> ||
                     takes_iter<Function, Ts...>)
    return true;
  else
    return takes_pointers<Function, Ts...>;
}

// Values are taken as references, but for those that may be missing.
template <class Function, class... Ts>
inline constexpr bool takes_references =
    takes_rows<Function, Ts...> || takes_entity<Function, Ts...> || takes_iter<Function, Ts...>;

// What takes entities and values alone sees no batches.
template <class Function, class... Ts>
constexpr query_use use_of() {
  if constexpr (takes_rows<Function, Ts...> || takes_entity<Function, Ts...>)
    return query_use::values;
  else if constexpr (takes_iter<Function, Ts...>)
    return query_use::batches;
  else if constexpr (std::is_invocable_v<Function&, row_value<typename term_type<Ts>::value>...> ||
                     std::is_invocable_v<Function&, entity,
                                         row_value<typename term_type<Ts>::value>...>)
    return query_use::values;
  else
    return std::is_invocable_v<Function&, entity> ? query_use::values : query_use::batches;
}

// A reference needs something to refer to. What is there is the same for all rows of a batch,
// unless results were put together.
template <class X>
void require_value(const row_source<X>& source, std::size_t count) {
  if constexpr (!term_type<X>::is_optional && !term_type<X>::is_tag) {
    const std::size_t asked = source.view.gaps ? count : 1;
    for (std::size_t row = 0; row < asked; ++row)
      if (!source.at(row)) raise(errc::type, "a term has no value here; take it as a pointer");
  }
}

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
  else if constexpr (std::is_invocable_v<Function&, iter&, std::size_t,
                                         row_value<typename term_type<Ts>::value>...>)
    visit(it, row, row_value<typename term_type<Ts>::value>{at}...);
  else if constexpr (std::is_invocable_v<Function&, entity>)
    visit(it.entity(row));
  else if constexpr (std::is_invocable_v<Function&, iter&, std::size_t>)
    visit(it, row);
  else
    static_assert(!sizeof(Function*),
                  "the callback cannot be called: it takes the values of the listed types in "
                  "their order, `const T&` for const T and `T*` for an optional T, or none of "
                  "them; before the values it may take a kith::entity or (kith::iter&, "
                  "std::size_t); that of a system may take a kith::delta_time before all others");
}

template <class X>
bool is_array(const row_source<X>& source) {
  if constexpr (term_type<X>::is_tag)
    return !source.view.rows;
  else
    return !source.view.rows && source.view.data &&
           source.view.stride == sizeof(typename term_type<X>::value);
}

template <class X>
row_source<X> source_of(query_run& run, std::size_t n, bool takes_values) {
  using type = term_type<X>;
  if constexpr (!type::is_tag) {
    // A callback that takes no values writes none.
    return {run.field(n, takes_values && !type::reads)};
  } else if constexpr (type::is_optional) {
    const field_view& view = run.field(n, false);
    return {view, view.rows || run.is_set(n)};
  } else {
    return {};
  }
}

template <class... Ts, class Function, std::size_t... I>
void visit_batch(Function& visit, query_run& run, std::index_sequence<I...>) {
  iter it(run);
  const std::size_t count = run.count();
  const std::tuple<row_source<Ts>...> fields{
      source_of<Ts>(run, I, takes_values<Function, Ts...>())...};
  // All values side by side: plain arrays.
  if ((is_array(std::get<I>(fields)) && ...)) {
    const std::tuple<typename row_source<Ts>::value*...> first{std::get<I>(fields).at(0)...};
    for (std::size_t row = 0; row < count; ++row)
      visit_row<Ts...>(visit, it, row,
                       (term_type<Ts>::is_tag ? std::get<I>(first) : std::get<I>(first) + row)...);
  } else {
    if constexpr (takes_references<Function, Ts...>)
      (require_value<Ts>(std::get<I>(fields), count), ...);
    for (std::size_t row = 0; row < count; ++row)
      visit_row<Ts...>(visit, it, row, std::get<I>(fields).at(row)...);
  }
}

// Calls `visit(iter&, T*...)` for each run of rows whose values are arrays.
template <class... Ts, class Function, std::size_t... I>
void visit_arrays(Function& visit, query_run& run, std::index_sequence<I...>) {
  const std::size_t count = run.count();
  for (std::size_t row = 0; row < count;) {
    std::size_t n = count - row;
    ((n = term_type<Ts>::is_tag
              ? n
              : std::min(n, run.field(I, false).side_by_side(
                                row, count, sizeof(typename term_type<Ts>::value)))),
     ...);
    iter part(run, row, n);
    visit(part,
          static_cast<typename term_type<Ts>::value*>(
              term_type<Ts>::is_tag ? nullptr : run.field(I, !term_type<Ts>::reads).at(row))...);
    row += n;
  }
}

}  // namespace kith::core
