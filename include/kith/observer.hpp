// Tells a program what a change brings and takes.
//
//     world.observer<Position>("placed").event(kith::OnAdd).each([](kith::entity e, Position& p) {
//       std::cout << e << " is at " << p.x << "\n";
//     });
//
//     world.observer<>()
//         .expr("(DockedTo, $planet), (RuledBy, $ruler)($planet)")
//         .event(kith::OnAdd).event(kith::OnRemove)
//         .each([](kith::iter& it, std::size_t row) {
//           const bool came = it.event() == kith::OnAdd;
//           std::cout << it.entity(row) << (came ? " serves " : " left ") << it.get_var("ruler");
//         });
//
// An observer is a query and a list of events. Each change of the world is compared with what was
// before it: rows that came are OnAdd, rows that went are OnRemove, and rows of which a value was
// written are OnSet. OnRemove is told before the change, the others after it. What observers change
// waits until all were told.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include <kith/detail/observer_desc.hpp>
#include <kith/query_builder.hpp>

namespace kith {

// The entity of an observer. `disable()` silences it, and `destruct()` ends it.
class observer : public entity {
 public:
  observer() = default;
  observer(core::engine* world, entity_t e) : entity(world, e) {}
  explicit observer(const kith::entity& e) : entity(e) {}
};

template <class... Ts>
class observer_builder : public term_builder<observer_builder<Ts...>, Ts...> {
 public:
  observer_builder(core::engine& world, core::text_arg name)
      : term_builder<observer_builder<Ts...>, Ts...>(world) {
    desc_.name = name;
  }

  // OnAdd, OnSet, OnRemove, Monitor, or an entity of your own.
  observer_builder& event(core::id_arg event) {
    desc_.events.push_back(event.in(this->world()));
    return *this;
  }
  // A type of your own, which `world.event<E>()` emits.
  template <class E>
  observer_builder& event() {
    return event(core::id_arg(core::id_of<E>(this->world())));
  }
  // Observers with lower priorities are told first; the default is 0. Among equals the one that was
  // made first is told first.
  observer_builder& priority(int priority) {
    desc_.priority = priority;
    return *this;
  }
  // Tells of the rows that are there when the observer is made: as OnAdd if it listens to that, or
  // to Monitor, else as OnSet.
  observer_builder& yield_existing(bool yields = true) {
    desc_.yield_existing = yields;
    return *this;
  }
  // Tells of the rows that are there when the observer is deleted, as OnRemove.
  observer_builder& yield_on_delete(bool yields = true) {
    desc_.yield_on_delete = yields;
    return *this;
  }

  // The observer begins with one of these calls, which return its entity. Delete the entity to end
  // it; add Disabled to it to silence it.

  // Calls `visit` for each row, as `query::each` does.
  template <class Function>
  observer each(Function visit) {
    core::check_callback<Function, Ts...>();
    auto kept = std::make_shared<Function>(std::move(visit));
    if constexpr (takes_no_iterator<Function> && sizeof...(Ts) <= 64) {
      desc_.plain_values = sizeof...(Ts);
      std::uint64_t bit = 1;
      ((desc_.plain_writes |= writes<Function, Ts> ? bit : 0, bit <<= 1), ...);
      desc_.visit_plainly = [kept, world = &this->world()](entity_t e, void* const* values) {
        visit_plainly(*kept, {world, e}, values, std::index_sequence_for<Ts...>());
      };
    }
    return begin([kept](core::query_run& run) {
      while (run.next()) core::visit_batch<Ts...>(*kept, run, std::index_sequence_for<Ts...>());
    });
  }
  // Calls `body(iter&)` once per change and event; it steps with `while (it.next())`.
  template <class Function>
  observer run(Function body) {
    return begin([body = std::make_shared<Function>(std::move(body))](core::query_run& run) {
      kith::iter it(run);
      (*body)(it);
    });
  }
  // Calls `visit` once per batch, as `query::iter` does.
  template <class Function>
  observer iter(Function visit) {
    return begin([visit = std::make_shared<Function>(std::move(visit))](core::query_run& run) {
      if constexpr (std::is_invocable_v<Function&, kith::iter&>) {
        kith::iter it(run);
        while (run.next()) (*visit)(it);
      } else {
        while (run.next()) core::visit_arrays<Ts...>(*visit, run, std::index_sequence_for<Ts...>());
      }
    });
  }

 private:
  template <class X>
  using value_of = core::row_value<typename core::term_type<X>::value>;
  // Are the entity and the values of the types all that the callback takes?
  template <class Function>
  static constexpr bool takes_no_iterator =
      core::takes_rows<Function, Ts...> || core::takes_entity<Function, Ts...> ||
      (!core::takes_iter<Function, Ts...> &&
       (std::is_invocable_v<Function&, value_of<Ts>...> ||
        std::is_invocable_v<Function&, entity, value_of<Ts>...> ||
        std::is_invocable_v<Function&, entity>));

  template <class Function, class X>
  static constexpr bool writes = !core::term_type<X>::is_tag && !core::term_type<X>::reads &&
                                 !std::is_invocable_v<Function&, entity>;
  template <class X>
  static typename core::term_type<X>::value* value_at(void* value) {
    if constexpr (core::term_type<X>::is_tag) {
      static std::remove_const_t<typename core::term_type<X>::value> none{};
      return value ? &none : nullptr;
    } else {
      return static_cast<typename core::term_type<X>::value*>(value);
    }
  }
  template <class Function, std::size_t... I>
  static void visit_plainly(Function& visit, entity e, [[maybe_unused]] void* const* values,
                            std::index_sequence<I...>) {
    if constexpr (core::takes_rows<Function, Ts...>)
      visit(core::as_argument<Ts>(value_at<Ts>(values[I]))...);
    else if constexpr (core::takes_entity<Function, Ts...>)
      visit(e, core::as_argument<Ts>(value_at<Ts>(values[I]))...);
    else if constexpr (std::is_invocable_v<Function&, value_of<Ts>...>)
      visit(value_of<Ts>{value_at<Ts>(values[I])}...);
    else if constexpr (std::is_invocable_v<Function&, entity, value_of<Ts>...>)
      visit(e, value_of<Ts>{value_at<Ts>(values[I])}...);
    else
      visit(e);
  }

  observer begin(std::function<void(core::query_run&)> visit) {
    desc_.query = this->description();
    desc_.visit = std::move(visit);
    return {&this->world(), core::make_observer(this->world(), desc_)};
  }

  core::observer_desc desc_;
};

}  // namespace kith
