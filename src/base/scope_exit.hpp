// Calls a function at the end of a scope unless dismiss() was called before. The library uses it to
// undo a change when a constructor of a component throws.
#pragma once

#include <utility>

namespace kith::core {

template <class Function>
class scope_exit {
 public:
  explicit scope_exit(Function f) : function_(std::move(f)) {}
  scope_exit(const scope_exit&) = delete;
  scope_exit& operator=(const scope_exit&) = delete;
  ~scope_exit() {
    if (armed_) function_();
  }
  void dismiss() { armed_ = false; }

 private:
  Function function_;
  bool armed_ = true;
};

}  // namespace kith::core
