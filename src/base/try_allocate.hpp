// Steps that may run out of memory inside code that must not fail.
#pragma once

#include <new>

namespace kith::core {

// Runs `step`. False: memory ended. `step` must leave everything as it was when it throws.
template <class Step>
bool try_allocate(Step step) noexcept {
#if defined(__cpp_exceptions)
  try {
    step();
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  step();
#endif
  return true;
}

}  // namespace kith::core
