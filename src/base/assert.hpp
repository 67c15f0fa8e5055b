// KITH_ASSERT(condition, "claim") checks the `Requires` of a function of the library, in debug
// builds only. No input and no call of a user can make it fail.
#pragma once

#ifdef NDEBUG
#define KITH_ASSERT(condition, claim) static_cast<void>(0)
#else
#include <cassert>
#define KITH_ASSERT(condition, claim) assert((condition) && (claim))
#endif
