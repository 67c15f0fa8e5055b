// The memory of this executable: every form of operator new is replaced, and can be told to fail.
#pragma once

#include <cstddef>

namespace kith::test {

// How an allocation fails: alone, or with all that come after it.
enum class failing { once, from_then_on };

// Until `allow_memory()` is called, the allocation number `n` (from 0) fails.
void fail_memory(long n, failing how);
// Returns whether an allocation has failed since fail_memory.
bool allow_memory();
// How many allocations were asked for between the last two such calls.
long allocations_tried();
// How many allocations are not freed yet.
long live_allocations();
// How many bytes were asked for since the program began, freed or not.
std::size_t bytes_asked_for();

}  // namespace kith::test
