// Recursion as deep as memory goes.
//
//     void visit(const node& n) {
//       for (const node& inner : n.inside) deep_call([&] { visit(inner); });
//     }
//
// A text says how deep a query is nested, and a stack ends without a word. So where much of a stack is in
// use, the call is made on another one: by a thread that lives as long as the call, while this one waits.
// Nobody notices but for values that are thread_local.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

namespace kith::core {

namespace deep {
// How far down the stack of this thread goes: false if a call should go elsewhere.
bool has_room();
void call_elsewhere(void (*call)(void*), void* argument);

// Where the first of the calls on this stack was made.
class mark {
 public:
  mark();
  ~mark();
  mark(const mark&) = delete;
  mark& operator=(const mark&) = delete;

 private:
  bool is_first_;
};
}  // namespace deep

// Calls `f` and returns what it does. What it throws reaches the caller from every stack.
template <class F>
auto deep_call(F f) {
  using value = std::invoke_result_t<F&>;
  if constexpr (std::is_void_v<value>) {
    const deep::mark here;
    if (deep::has_room()) return f();
    deep::call_elsewhere([](void* argument) { (*static_cast<F*>(argument))(); }, &f);
  } else {
    std::optional<value> result;
    deep_call([&] { result.emplace(f()); });
    return std::move(*result);
  }
}

}  // namespace kith::core
