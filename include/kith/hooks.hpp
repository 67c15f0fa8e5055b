// Functions that belong to a type and are called when its values come, change and go, whoever
// changes them, in every storage.
//
//     world.component<Texture>()
//         .on_add([](Texture& t) { t.handle = load(t.path); })
//         .on_remove([](Texture& t) { unload(t.handle); });
//     world.component<Health>().on_validate([](const Health& h) { return h.value >= 0; });
//
// Each takes `(T&)`, `(entity, T&)` or `(iter&, size_t, T&)`; on_replace takes the old value and
// the one that comes. A type has one hook of each kind. What hooks change waits.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <kith/component.hpp>
#include <kith/iter.hpp>

namespace kith {
namespace core {

template <class T>
T& hooked_value(void* at) {
  if constexpr (is_tag_type<T>) {
    static T none{};
    return none;
  } else {
    return *static_cast<T*>(at);
  }
}

// Calls `visit` in the form that it has.
template <class T, class Function, class... Values>
bool call_hook(Function& visit, const hook_call& call, Values&... values) {
  if constexpr (std::is_invocable_v<Function&, Values&...>) {
    if constexpr (std::is_same_v<std::invoke_result_t<Function&, Values&...>, bool>)
      return visit(values...);
    else
      visit(values...);
  } else if constexpr (std::is_invocable_v<Function&, kith::entity, Values&...>) {
    if constexpr (std::is_same_v<std::invoke_result_t<Function&, kith::entity, Values&...>, bool>)
      return visit(kith::entity(call.world, call.entity), values...);
    else
      visit(kith::entity(call.world, call.entity), values...);
  } else {
    static_assert(std::is_invocable_v<Function&, kith::iter&, std::size_t, Values&...>,
                  "a hook takes (T&), (entity, T&) or (iter&, size_t, T&)");
    visit_hooked_row(call, [&](query_run& run) {
      kith::iter it(run);
      while (it.next())
        for (std::size_t row : it) visit(it, row, values...);
    });
  }
  return true;
}

// A value that is about to be given may be taken as one that can be written, too.
template <class T, class Function>
bool call_validation(Function& visit, const hook_call& call, T& value) {
  if constexpr (std::is_invocable_v<Function&, const T&> ||
                std::is_invocable_v<Function&, kith::entity, const T&> ||
                std::is_invocable_v<Function&, kith::iter&, std::size_t, const T&>)
    return call_hook<T>(visit, call, std::as_const(value));
  else
    return call_hook<T>(visit, call, value);
}

template <class T, hook_kind Kind, class Function>
hook make_hook(Function function) {
  return [kept = std::make_shared<Function>(std::move(function))](const hook_call& call) {
    T& value = hooked_value<T>(call.value);
    if constexpr (Kind == hook_kind::replace)
      return call_hook<T>(*kept, call, value, hooked_value<T>(call.next));
    else if constexpr (Kind == hook_kind::validate)
      return call_validation<T>(*kept, call, value);
    else
      return call_hook<T>(*kept, call, value);
  };
}

}  // namespace core

template <class T>
template <class Function>
component<T> component<T>::on_add(Function hook) const {
  return add_hook(core::hook_kind::add, core::make_hook<T, core::hook_kind::add>(std::move(hook)));
}
template <class T>
template <class Function>
component<T> component<T>::on_set(Function hook) const {
  return add_hook(core::hook_kind::set, core::make_hook<T, core::hook_kind::set>(std::move(hook)));
}
template <class T>
template <class Function>
component<T> component<T>::on_remove(Function hook) const {
  return add_hook(core::hook_kind::remove,
                  core::make_hook<T, core::hook_kind::remove>(std::move(hook)));
}
template <class T>
template <class Function>
component<T> component<T>::on_replace(Function hook) const {
  return add_hook(core::hook_kind::replace,
                  core::make_hook<T, core::hook_kind::replace>(std::move(hook)));
}
template <class T>
template <class Function>
component<T> component<T>::on_validate(Function hook) const {
  return add_hook(core::hook_kind::validate,
                  core::make_hook<T, core::hook_kind::validate>(std::move(hook)));
}

}  // namespace kith
