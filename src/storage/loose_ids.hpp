// The ids that an entity has outside its table: per entity a list of (id, row in the pool of the
// id).
//
//   e7   (ChildOf, ship) -> 3     (Likes, bob) -> 0     (Likes, tom) -> 12        ascending ids
//
// Lists of up to 63 ids are blocks from slabs of a few sizes. A longer list keeps a hash map for
// O(1) lookup beside its ids, and sorts its ids only when a reader asks for them.
//
//   block of capacity c (odd):   count u32 | positions u32[c] | ids u64[c]
//
// Most lists have one id. Their blocks have no count, and a chunk of n of them is
//
//   ids u64[n] | positions u32[n]
//
// The record of an entity names its list by a loose_ref; 0 is the empty list.
//
// The free blocks of one size form a list. Each stores the number of the next one in place of its
// count, or of its id if it has no count. So erasing needs no memory, except that a long list gets
// a block when it becomes short; if there is no memory for that, it stays long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/assert.hpp"
#include "base/hash_map.hpp"
#include "ids/entity_index.hpp"

namespace kith::core {

class loose_ids {
 public:
  // The position of `id` in its pool, or null if the list lacks it. O(1).
  std::uint32_t* find(loose_ref list, id_t id) {
    if (!list) return nullptr;
    if (size_of(list) == 0) return find_only(list, id);
    if (!is_short(list)) return search(list, id);
    const block b = at(list);
    for (std::uint32_t i = 0; i < *b.count; ++i)
      if (b.ids[i] == id) return b.positions + i;
    return nullptr;
  }
  const std::uint32_t* find(loose_ref list, id_t id) const {
    return const_cast<loose_ids*>(this)->find(list, id);
  }

  // Has the list no id, or one?
  static bool is_one_at_most(loose_ref list) { return size_of(list) == 0; }
  // Requires: the list has exactly one id.
  id_t only(loose_ref list) const { return *const_cast<loose_ids*>(this)->at_smallest(list).ids; }
  // Does find() go through all ids of the list, one by one?
  static bool is_short(loose_ref list) { return size_of(list) < sizes_to_search; }

  // Adds `id`; if memory ends, the list is unchanged. Requires: the list lacks `id`. May change
  // `list`. Amortised O(1) for long lists.
  void insert(loose_ref& list, id_t id, std::uint32_t position) {
    // Most lists have one id.
    if (list) return insert_more(list, id, position);
    list = allocate(0);
    const block b = at_smallest(list);
    *b.positions = position;
    *b.ids = id;
  }
  // Requires: the list has `id`. May change `list`. Cannot fail. Amortised O(1) for long lists.
  void erase(loose_ref& list, id_t id) noexcept {
    KITH_ASSERT(find(list, id), "only an id of the list can leave it");
    if (size_of(list) != 0) return erase_one_of_many(list, id);
    *at_smallest(list).ids = slabs_[0].free;
    slabs_[0].free = number_of(list);
    list = 0;
  }
  // Frees the whole list. Takes no memory.
  void release(loose_ref& list) noexcept;

  // After this, `count` inserts into the list cannot fail. May change `list`: an empty list that
  // shall get more than 63 ids is no longer 0, and must be released if it gets none.
  //
  // An empty list has no block yet in which room could be kept. What is reserved for it serves the
  // next empty list that gets an id. To reserve for several empty lists, use reserve_new().
  void reserve(loose_ref& list, std::uint32_t count);
  // The same for many lists: `n` sums up the empty ones, which the last call reserves together.
  struct new_lists {
    std::size_t lists = 0;
    std::uint32_t count = 0;  // the most ids that one of them gets
  };
  void reserve(loose_ref& list, std::uint32_t count, new_lists& n) {
    if (count == 0) return;
    if (list || count > max_new) return reserve(list, count);
    ++n.lists;
    n.count = std::max(n.count, count);
  }
  void reserve(const new_lists& n) {
    if (n.lists) reserve_new(n.lists, n.count);
  }
  // The most ids per list that reserve_new() accepts.
  static constexpr std::uint32_t max_new = 63;
  // After this, `count` inserts into each of `lists` empty lists cannot fail, in any order.
  // Requires: count <= max_new.
  void reserve_new(std::size_t lists, std::uint32_t count);

  // All ids of a list, ascending. Invalidated by any change of any list.
  std::span<const id_t> ids(loose_ref list) const {
    if (size_of(list) == long_size) {
      long_at(list).settle();
      return long_at(list).ids;
    }
    return ids_of_short(list);
  }
  // The pairs of one relation, ascending.
  std::span<const id_t> pairs_of(loose_ref list, std::uint32_t relation) const {
    if (list && size_of(list) == 0) {
      const id_t* only = const_cast<loose_ids*>(this)->at_smallest(list).ids;
      return {only, *only >> 32 == make_pair_of(relation, 0) >> 32 ? 1u : 0u};
    }
    if (!is_short(list)) return search_pairs(list, relation);
    const std::span<const id_t> all = ids_of_short(list);
    std::size_t first = 0;
    while (first < all.size() && all[first] < make_pair_of(relation, 0)) ++first;
    std::size_t last = first;
    while (last < all.size() && relation_of(all[last]) == relation) ++last;
    return all.subspan(first, last - first);
  }

  // Fetches the list into the caches. (Always inlined, see table::prefetch.)
  [[gnu::always_inline]] void prefetch(loose_ref list) const {
    if (!list || size_of(list) == long_size) return;
    const block b = const_cast<loose_ids*>(this)->at(list);
    if (b.count) __builtin_prefetch(b.count);
    __builtin_prefetch(b.ids);
  }

  // Sorts the long lists, so that readers change nothing until the next insert or erase.
  void settle() const;

 private:
  // Capacities 1, 3, 7, 15, 31, 63 are the sizes 0 to 5. A long list has the size `long_size`.
  static constexpr unsigned size_bits = 3;
  static constexpr unsigned long_size = 6;
  // Up to 15 ids a plain scan beats a binary search.
  static constexpr unsigned sizes_to_search = 4;
  static constexpr std::uint32_t capacity_of(unsigned size) { return (2u << size) - 1; }
  static constexpr std::uint32_t max_short = (2u << (long_size - 1)) - 1;
  static constexpr unsigned size_of(loose_ref list) { return list & ((1u << size_bits) - 1); }
  static constexpr std::uint32_t number_of(loose_ref list) { return list >> size_bits; }

  struct block {
    std::uint32_t* count;  // null: the block has one id
    std::uint32_t* positions;
    id_t* ids;
  };
  struct long_list {
    std::vector<id_t> ids;  // ascending up to `sorted`
    std::size_t sorted = 0;
    // Ids that are still in `ids` but are gone, once per removal: an id that went may have come
    // again.
    std::vector<id_t> gone;
    hash_map<id_t, std::uint32_t> positions;
    // The number of pairs of each relation. A question about a relation without pairs need not
    // sort.
    hash_map<std::uint32_t, std::uint32_t> pairs;
    void settle() noexcept;
    void push_back(id_t id, std::uint32_t position);
    void erase(id_t id) noexcept;
    void reserve(std::size_t count);
  };
  // The blocks of one size, in chunks that never move.
  struct slab {
    std::vector<std::unique_ptr<std::byte[]>> chunks;
    std::uint32_t free = 0;  // the number of the first free block; 0: none
    std::uint32_t used = 1;  // the next new number; 0 is never given, so that no ref is 0
  };

  static constexpr std::uint32_t blocks_per_chunk = 256;
  static constexpr std::size_t bytes_of(unsigned size) {
    const std::size_t capacity = capacity_of(size);
    return ((size ? 1 : 0) + capacity) * sizeof(std::uint32_t) + capacity * sizeof(id_t);
  }
  block at(loose_ref list) {
    const unsigned size = size_of(list);
    if (size == 0) return at_smallest(list);
    const std::uint32_t number = number_of(list);
    std::byte* memory = slabs_[size].chunks[number / blocks_per_chunk].get() +
                        (number % blocks_per_chunk) * bytes_of(size);
    auto* words = reinterpret_cast<std::uint32_t*>(memory);
    return {words, words + 1, reinterpret_cast<id_t*>(words + 1 + capacity_of(size))};
  }
  // Requires: a list of the smallest size.
  std::uint32_t* find_only(loose_ref list, id_t id) {
    const block b = at_smallest(list);
    return *b.ids == id ? b.positions : nullptr;
  }
  block at_smallest(loose_ref list) {
    const std::uint32_t number = number_of(list);
    auto* ids = reinterpret_cast<id_t*>(slabs_[0].chunks[number / blocks_per_chunk].get());
    auto* positions = reinterpret_cast<std::uint32_t*>(ids + blocks_per_chunk);
    return {nullptr, positions + number % blocks_per_chunk, ids + number % blocks_per_chunk};
  }
  std::span<const id_t> ids_of_short(loose_ref list) const {
    if (!list) return {};
    const block b = const_cast<loose_ids*>(this)->at(list);
    return {b.ids, b.count ? *b.count : 1};
  }
  std::uint32_t* search(loose_ref list, id_t id);
  std::span<const id_t> search_pairs(loose_ref list, std::uint32_t relation) const;
  void insert_more(loose_ref& list, id_t id, std::uint32_t position);
  void erase_one_of_many(loose_ref& list, id_t id) noexcept;
  loose_ref allocate(unsigned size) {
    slab& s = slabs_[size];
    if (s.free) {
      const loose_ref list = s.free << size_bits | size;
      s.free = next_free(list);
      return list;
    }
    if (s.used / blocks_per_chunk >= s.chunks.size()) add_chunk(size);
    return s.used++ << size_bits | size;
  }
  // The number of the free block after this one, or 0.
  std::uint32_t next_free(loose_ref list) {
    const block b = at(list);
    return b.count ? *b.count : static_cast<std::uint32_t>(*b.ids);
  }
  void add_chunk(unsigned size);
  void free(loose_ref list) noexcept;
  std::uint32_t count_of(loose_ref list) const;
  // Turns a list into a long one; an empty list becomes a long list without ids.
  void lengthen(loose_ref& list);
  // Moves a long list to a block, if there is memory for one.
  void shorten(loose_ref& list) noexcept;
  // After this, `count` blocks of a size can be allocated without taking memory.
  void reserve_blocks(unsigned size, std::size_t count);
  // Moves a short list to a block of a larger size.
  void enlarge(loose_ref& list, unsigned size);
  long_list& long_at(loose_ref list) const { return *long_[number_of(list)]; }

  slab slabs_[long_size];
  std::vector<std::unique_ptr<long_list>> long_{1};
  std::vector<std::uint32_t> free_long_;  // has room for all numbers of long_
};

}  // namespace kith::core
