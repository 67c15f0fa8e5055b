#include "base/row_memory.hpp"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kith::core {

namespace {

// Much smaller than a large block, so that one which is begun and not filled does not matter.
constexpr std::size_t large_page = std::size_t{2} << 20;

std::align_val_t alignment_of(std::size_t bytes, std::size_t alignment) {
  return std::align_val_t{bytes < large_block ? alignment : std::max(alignment, large_page)};
}

}  // namespace

std::byte* allocate_rows(std::size_t bytes, std::size_t alignment) {
  void* block = ::operator new(bytes, alignment_of(bytes, alignment));
#ifdef MADV_HUGEPAGE
  // A wish: without large pages everything works the same.
  if (bytes >= large_block) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(block);
}

void free_rows(std::byte* block, std::size_t bytes, std::size_t alignment) {
  ::operator delete(block, alignment_of(bytes, alignment));
}

}  // namespace kith::core
