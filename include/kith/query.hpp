// Finds entities by what they have.
//
//     auto q = world.query<Position, const Velocity>();
//     q.each([](Position& p, const Velocity& v) { p.x += v.x; });
//
//     auto docked =
//         world.query_builder<Position>().expr("(DockedTo, $ship), !Frozen($ship)").build();
//     docked.each([](kith::iter& it, std::size_t i, Position& p) {
//       std::cout << it.entity(i) << " is docked to " << it.get_var("ship") << "\n";
//     });
//
// A query does not keep its world alive. Handles are copied freely and share one query. Changes
// made while iterating wait until the outermost iteration ends, also one that is left by `break` or
// a throw.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <kith/each.hpp>
#include <kith/iter.hpp>

namespace kith {

// A term of a query, as it was written.
class term {
 public:
  term(core::engine* world, const core::term_info& info) : world_(world), info_(info) {}
  // Null if a place of it is a variable.
  kith::id id() const { return {info_.id ? world_ : nullptr, info_.id}; }
  // Null if it is no entity. `kith::This`: what is matched.
  entity get_src() const { return wrap(info_.src); }
  entity get_first() const { return wrap(info_.first); }
  entity get_second() const { return wrap(info_.second); }
  oper_kind oper() const { return info_.oper; }
  inout_kind inout() const { return info_.inout; }

 private:
  entity wrap(entity_t e) const { return {e ? world_ : nullptr, e}; }
  core::engine* world_;
  core::term_info info_;
};

// Results to iterate: a query, or one whose variables have been given values.
template <class... Ts>
class query_view {
 public:
  query_view() = default;
  query_view(core::query_ptr q, core::query_bindings values)
      : query_(std::move(q)), values_(std::move(values)) {}

  // --- values for variables ---

  // The same query with a value for a variable.
  query_view set_var(core::text_arg name, core::id_arg value) const {
    const int number = core::find_variable(here(), name);
    if (number < 0) core::raise(errc::out_of_range, "the query has no variable $", name);
    return set_var(number, value);
  }
  query_view set_var(int number, core::id_arg value) const {
    query_view bound = *this;
    bound.values_.set(number, value.in(core::world_of(here())));
    return bound;
  }
  // Values for all parameters, in the order of their first appearance.
  template <class... Values>
  requires(std::convertible_to<const Values&, core::id_arg>&&...) query_view
      args(const Values&... values)
  const {
    query_view bound = *this;
    bound.give_args(values...);
    return bound;
  }

  // The results of one group alone, of a query with groups.
  query_view set_group(core::id_arg group) const {
    return set_group_number(group.in(core::world_of(here())));
  }
  query_view set_group_number(std::uint64_t group) const {
    query_view one = *this;
    one.values_.set(core::group_binding, group);
    return one;
  }

  // --- iterating ---

  // Calls `visit` for each result with the values of the listed types: `(T&...)`, `(entity, T&...)`
  // or `(iter&, std::size_t row, T&...)`; all or none of the values. A term that may be missing is
  // taken as `T*`.
  template <class Function>
  void each(Function visit) const {
    core::check_callback<Function, Ts...>();
    if constexpr (core::takes_what_the_query_yields<Function, Ts...>()) visit_each(visit);
  }
  // `q.each(team, vehicle, visit)`: with values for the parameters.
  template <class First, class... Rest>
  requires(sizeof...(Rest) > 0 &&
           std::convertible_to<const First&, core::id_arg>) void each(const First& first,
                                                                      Rest&&... rest) const {
    each_with(std::forward_as_tuple(first, rest...), std::make_index_sequence<sizeof...(Rest)>());
  }

  // Calls `body(iter&)` once, which steps with `while (it.next())`.
  template <class Function>
  void run(Function body) const {
    core::query_run run(query(), values_);
    kith::iter it(run);
    body(it);
    run.end();
  }

  // This query, for calls that go on from it: `q.iter().set_var("x", e).each(...)`.
  query_view iter() const { return *this; }
  query_view iter(const kith::world&) const { return *this; }
  query_view iter(const kith::iter&) const { return *this; }
  query_view iter(const kith::entity&) const { return *this; }
  // Calls `visit` once per batch: `(iter&)`, or `(iter&, T*...)` with arrays of the listed types.
  // For arrays a batch is cut where values are not side by side; a shared value comes with one row
  // each.
  template <class Function>
  void iter(Function visit) const;

  // `for (kith::iter& batch : q)`
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = kith::iter;
    using difference_type = std::ptrdiff_t;
    using pointer = kith::iter*;
    using reference = kith::iter&;

    iterator() = default;
    iterator(const core::query_ptr& q, const core::query_bindings& values)
        : at_(std::make_shared<iteration>(q, values)) {
      ++*this;
    }
    reference operator*() const { return here().it; }
    pointer operator->() const { return &here().it; }
    // Copies of an iterator share one iteration.
    iterator& operator++() {
      if (here().run.next()) return *this;
      at_->is_over = true;
      at_->run.end();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, std::default_sentinel_t) {
      return !a.at_ || a.at_->is_over;
    }

   private:
    struct iteration {
      iteration(const core::query_ptr& q, const core::query_bindings& values) : run(q, values) {}
      core::query_run run;
      kith::iter it{run};
      bool is_over = false;
    };
    iteration& here() const {
      if (*this == std::default_sentinel) core::raise_past_the_end();
      return *at_;
    }
    std::shared_ptr<iteration> at_;
  };
  iterator begin() const { return {query(), values_}; }
  std::default_sentinel_t end() const { return {}; }

  // --- asking ---

  // How many results there are.
  std::size_t count() const {
    core::query_run run(query(), values_, core::query_use::values);
    std::size_t n = 0;
    while (run.next()) n += run.count();
    run.end();
    return n;
  }
  // Is there any?
  bool is_true() const {
    core::query_run run(query(), values_, core::query_use::some);
    const bool any = run.next();
    run.end();
    return any;
  }
  // The entity of the first result; null if there is none.
  entity first() const {
    entity found;
    core::query_run run(query(), values_, core::query_use::some);
    if (run.next()) found = kith::iter(run).entity(0);
    run.end();
    return found;
  }
  // The entity of the first result for which `is_it` is true, called as in `each`.
  template <class Function>
  entity find(Function is_it) const;
  // The entities of results `offset` to `offset + limit`, in ascending order, each entity once.
  std::vector<entity> page(std::size_t offset, std::size_t limit) const {
    std::vector<entity> all;
    core::query_run run(query(), values_, core::query_use::values);
    while (run.next())
      for (std::size_t row = 0; row < run.count(); ++row)
        if (const kith::entity e = kith::iter(run).entity(row)) all.push_back(e);
    run.end();
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const std::size_t from = std::min(offset, all.size());
    const std::size_t to = limit < all.size() - from ? from + limit : all.size();
    return {all.begin() + static_cast<std::ptrdiff_t>(from),
            all.begin() + static_cast<std::ptrdiff_t>(to)};
  }

  // Has something changed since the last iteration of the query: results, or values that they show?
  // True before the first. Writes through pointers that were kept are not seen; say
  // `entity.modified<T>()`.
  bool changed() const { return core::has_changed(here()); }

  // --- what it is ---

  // The query as text that makes an equal query.
  std::string str() const { return core::query_text(here()); }
  // How it is answered: a line per step, with the number of results thought and met.
  std::string plan() const { return core::query_plan(here(), values_); }
  // How often it was asked since `world.measure()`, and how long that took, with what the program
  // did about its rows.
  run_statistics statistics() const { return core::query_statistics(here()); }
  // Where the ids that its terms name are kept, and why: a line per component, tag or relation.
  std::string storage() const { return core::query_storage(here()); }
  // The number of a variable, for set_var and get_var; -1 if there is none.
  int find_var(core::text_arg name) const { return core::find_variable(here(), name); }
  // The parameters, in order of first appearance: what must have a value before iterating.
  std::vector<std::string> params() const { return core::parameter_names(here()); }
  // The variables that results have values for, in order of first appearance, without $this.
  std::vector<std::string> vars() const { return core::variable_names(here(), values_); }
  std::size_t field_count() const { return core::field_count(here()); }
  // The terms, from 0: each alternative of a chain is one, and what `read` and `write` declare
  // comes last.
  std::size_t term_count() const { return core::term_count(here()); }
  kith::term term(std::size_t n) const {
    return {&core::world_of(here()), core::describe_term(here(), n)};
  }
  template <class Function>
  void each_term(Function visit) const {
    for (std::size_t n = 0; n < term_count(); ++n) {
      kith::term one = term(n);
      visit(one);
    }
  }
  // Is the entity a result?
  bool has(core::id_arg e) const { return has_this() && set_var(0, e).is_true(); }
  // The answer is yes or no: there is neither $this nor a variable.
  bool is_question() const { return core::is_question(here(), values_); }
  bool has_this() const { return core::has_this(here()); }

  explicit operator bool() const { return query_ != nullptr; }

 private:
  core::live_query& here() const { return *query(); }
  const core::query_ptr& query() const {
    if (!query_) core::raise(errc::not_alive, "a null query was used");
    return query_;
  }
  template <class... Values>
  void give_args(const Values&... values) {
    std::array<int, sizeof...(values)> variables;
    core::engine& world = core::list_parameters(here(), variables);
    std::size_t n = 0;
    (values_.set(variables[n++], core::id_arg(values).in(world)), ...);
  }
  template <class Function>
  void visit_each(Function& visit) const {
    if constexpr (core::takes_entity_alone<Function, Ts...>)
      if (values_.size() && each_known(values_, visit)) return;
    each_of(values_, visit);
  }
  template <class Function>
  void each_of(const core::query_bindings& values, Function& visit) const {
    core::query_run run(query(), values, core::use_of<Function, Ts...>());
    while (run.next()) core::visit_batch<Ts...>(visit, run, std::index_sequence_for<Ts...>());
    run.end();
  }
  // False: the results are not known without an iteration.
  template <class Values, class Function>
  bool each_known(const Values& values, Function& visit) const {
    core::known_results known(query(), values);
    if (!known) return false;
    core::engine& world = known.world();
    for (entity_t e : known.entities()) visit(kith::entity(&world, e));
    known.end();
    return true;
  }
  template <class Arguments, std::size_t... I>
  void each_with(Arguments arguments, std::index_sequence<I...>) const {
    auto visit = std::get<sizeof...(I)>(std::move(arguments));
    if constexpr (core::takes_entity_alone<decltype(visit), Ts...>) {
      core::engine& world = core::world_of(here());
      const std::array<entity_t, sizeof...(I)> values{
          core::id_arg(std::get<I>(arguments)).in(world)...};
      if (!values_.size() && each_known(std::span(values), visit)) return;
    }
    const query_view bound = args(std::get<I>(arguments)...);
    bound.each_of(bound.values_, visit);
  }

  core::query_ptr query_;
  core::query_bindings values_;
};

template <class... Ts>
class query : public query_view<Ts...> {
 public:
  query() = default;
  explicit query(core::query_ptr q, kith::entity named = {})
      : query_view<Ts...>(std::move(q), {}), entity_(named) {}
  // The entity of a query that was given a name; null of others.
  kith::entity entity() const { return entity_; }

 private:
  kith::entity entity_;
};

template <class... Ts>
template <class Function>
void query_view<Ts...>::iter(Function visit) const {
  core::query_run run(query(), values_);
  if constexpr (std::is_invocable_v<Function&, kith::iter&>) {
    kith::iter it(run);
    while (run.next()) visit(it);
  } else {
    while (run.next()) core::visit_arrays<Ts...>(visit, run, std::index_sequence_for<Ts...>());
  }
  run.end();
}

template <class... Ts>
template <class Function>
entity query_view<Ts...>::find(Function is_it) const {
  entity found;
  core::query_run run(query(), values_);
  const auto visit = [&](kith::iter& it, std::size_t row,
                         typename core::term_type<Ts>::argument... values) {
    if (found) return;
    bool fits = false;
    if constexpr (std::is_invocable_v<Function&, typename core::term_type<Ts>::argument...>)
      fits = is_it(values...);
    else if constexpr (std::is_invocable_v<Function&, entity,
                                           typename core::term_type<Ts>::argument...>)
      fits = is_it(it.entity(row), values...);
    else
      fits = is_it(it, row, values...);
    if (fits) found = it.entity(row);
  };
  while (!found && run.next())
    core::visit_batch<Ts...>(visit, run, std::index_sequence_for<Ts...>());
  run.end();
  return found;
}

}  // namespace kith
