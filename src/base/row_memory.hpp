// Memory for rows and records. Large blocks ask the system for large pages: then it has fewer of them to find and to
// clear, and the processor fewer to look up.
#pragma once

#include <cstddef>

namespace kith::core {

// Blocks from this size on.
inline constexpr std::size_t large_block = std::size_t{8} << 20;

// As operator new and delete. Requires: what is freed has the size and alignment it was allocated with.
std::byte* allocate_rows(std::size_t bytes, std::size_t alignment);
void free_rows(std::byte* block, std::size_t bytes, std::size_t alignment);

}  // namespace kith::core
