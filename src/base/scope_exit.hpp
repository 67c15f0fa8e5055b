// Runs a function when a block is left, unless dismissed. Undoes half-made changes when a
// constructor of the user throws, and works in builds without exceptions too.
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
