// Tells AddressSanitizer which memory holds no object, so that it reports every access to it. In
// builds without AddressSanitizer these functions do nothing.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define KITH_WATCHES_MEMORY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KITH_WATCHES_MEMORY
#endif
#endif

#ifdef KITH_WATCHES_MEMORY
#include <sanitizer/asan_interface.h>
#endif

namespace kith::core {

inline void forbid_memory([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) {
#ifdef KITH_WATCHES_MEMORY
  ASAN_POISON_MEMORY_REGION(at, bytes);
#endif
}
inline void allow_memory([[maybe_unused]] const void* at, [[maybe_unused]] std::size_t bytes) {
#ifdef KITH_WATCHES_MEMORY
  ASAN_UNPOISON_MEMORY_REGION(at, bytes);
#endif
}

}  // namespace kith::core
