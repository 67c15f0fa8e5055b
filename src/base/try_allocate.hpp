// For code that must not fail, but has steps that may run out of memory.
#pragma once

#include <new>

namespace kith::core {

// Runs `step`. Returns false if memory ended. Requires: a `step` that throws changes nothing.
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
