// KITH_ASSERT(condition, "claim"): our own code broke a `Requires`. Debug builds only; nothing a user
// does can reach one.
#pragma once

#ifdef NDEBUG
#define KITH_ASSERT(condition, claim) static_cast<void>(0)
#else
#include <cassert>
#define KITH_ASSERT(condition, claim) assert((condition) && (claim))
#endif
