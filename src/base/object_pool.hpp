// Allocates objects of one type side by side, in blocks that never move. Many small objects that
// are visited often then share cache lines and memory pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/row_memory.hpp"
#include "base/scope_exit.hpp"
#include "base/watched_memory.hpp"

namespace kith::core {

template <class T>
class object_pool {
 public:
  object_pool() = default;
  object_pool(const object_pool&) = delete;
  object_pool& operator=(const object_pool&) = delete;
  // Requires: all objects were destroyed.
  ~object_pool() {
    for (const block& b : blocks_) {
      allow_memory(b.memory, b.bytes);
      free_rows(b.memory, b.bytes, alignof(place));
    }
  }

  template <class... Arguments>
  T* make(Arguments&&... arguments) {
    place* const at = take();
    scope_exit give_back([&] { give(at); });
    T* const made = std::construct_at(&at->object, std::forward<Arguments>(arguments)...);
    give_back.dismiss();
    return made;
  }
  void destroy(T* object) {
    std::destroy_at(object);
    give(reinterpret_cast<place*>(object));
  }

 private:
  union place {
    place* next_free;
    T object;
    place() {}
    ~place() {}
  };
  struct block {
    std::byte* memory;
    std::size_t bytes;
  };

  place* take() {
    if (!free_ && next_ == end_) add_block();
    place* const at = free_ ? free_ : next_++;
    allow_memory(at, sizeof(place));
    if (at == free_) free_ = at->next_free;
    return at;
  }
  void give(place* p) {
    std::construct_at(&p->next_free, free_);
    free_ = p;
    forbid_memory(p, sizeof(place));
  }
  void add_block() {
    // A block is as large as all blocks before it together, up to the size that gets large pages.
    const std::size_t count =
        std::max<std::size_t>(std::min(made_, large_block / sizeof(place) + 1), 8);
    blocks_.reserve(blocks_.size() + 1);
    const std::size_t bytes = count * sizeof(place);
    std::byte* const memory = allocate_rows(bytes, alignof(place));
    blocks_.push_back({memory, bytes});
    next_ = reinterpret_cast<place*>(memory);
    end_ = next_ + count;
    forbid_memory(memory, bytes);
    made_ += count;
  }

  std::vector<block> blocks_;
  std::size_t made_ = 0;  // places in all blocks
  place* next_ = nullptr;
  place* end_ = nullptr;
  place* free_ = nullptr;
};

}  // namespace kith::core
