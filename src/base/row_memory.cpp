#include "base/row_memory.hpp"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kith::core {

namespace {

// A large page is much smaller than a large block, so a block wastes little if its last page is
// mostly empty.
constexpr std::size_t large_page = std::size_t{2} << 20;

std::size_t alignment_of(std::size_t bytes, std::size_t alignment) {
  return bytes < large_block ? alignment : std::max(alignment, large_page);
}

// Plain operator new is faster and wastes less memory than the one that takes an alignment.
bool is_always_aligned(std::size_t alignment) {
  return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
}

}  // namespace

std::byte* allocate_rows(std::size_t bytes, std::size_t alignment) {
  alignment = alignment_of(bytes, alignment);
  void* block = is_always_aligned(alignment) ? ::operator new(bytes)
                                             : ::operator new (bytes, std::align_val_t{alignment});
#ifdef MADV_HUGEPAGE
  // The result is ignored: without large pages the block is slower but works.
  if (bytes >= large_block) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(block);
}

void free_rows(std::byte* block, std::size_t bytes, std::size_t alignment) {
  alignment = alignment_of(bytes, alignment);
  if (is_always_aligned(alignment))
    ::operator delete(block);
  else
    ::operator delete (block, std::align_val_t{alignment});
}

}  // namespace kith::core
