// Recursion that is limited by memory and not by the size of a stack.
//
//     void visit(const node& n) {
//       for (const node& inner : n.inside) deep_call([&] { visit(inner); });
//     }
//
// The text of a query decides how deep it is nested, and overflowing a stack is undefined
// behaviour. So when much of the stack is used, deep_call runs the function on the stack of a new
// thread, waits for it, and ends that thread. The function sees other thread_local values there.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

namespace kith::core {

namespace deep {
// Is enough of the stack of this thread left for another call?
bool has_room();
void call_elsewhere(void (*call)(void*), void* argument);

// Remembers the address of the first deep_call on this stack; has_room() measures from there.
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

// Calls `f` and returns its result. An exception of `f` reaches the caller from every stack.
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
