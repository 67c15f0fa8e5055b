// Memory for rows and records. Large blocks ask the system for large pages, which cause fewer page
// faults and need fewer entries in the address caches of the processor.
#pragma once

#include <cstddef>

namespace kith::core {

// Blocks of at least this size ask for large pages.
inline constexpr std::size_t large_block = std::size_t{8} << 20;

// Like operator new and delete.
// Requires: free_rows() gets the size and alignment that the block was allocated with.
std::byte* allocate_rows(std::size_t bytes, std::size_t alignment);
void free_rows(std::byte* block, std::size_t bytes, std::size_t alignment);

}  // namespace kith::core
