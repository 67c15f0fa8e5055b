// Knows which entities are alive and where each one is stored.
//
//   id 0x2'00000105 -> index 0x105, generation 2
//   pages_[0x105 / 1024][0x105 % 1024] = { table, row, generation 2 + alive + flags, loose list }
//
// create() reuses the index that was deleted last, with the next generation. An index that has used
// all its generations is never used again.
//
// Invariants
//  (1) an id is alive exactly if its index has a record with the same generation and `alive`;
//  (2) the generation of a dead record is the one its next life will have; those that will have one
//      are in a list, with the index before in `table` and the index after in `row`, 0 at both
//      ends;
//  (3) records never move in memory;
//  (4) index 0 is never used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <kith/detail/builtins.hpp>

#include "base/assert.hpp"
#include "base/row_memory.hpp"
#include "base/strong_index.hpp"

namespace kith::core {

class table;
using table_id = strong_index<class table_sequence>;
using row_index = strong_index<class row_sequence>;

// Names the list of the ids that an entity has outside its table (storage/loose_ids.hpp); 0 if it
// has none.
using loose_ref = std::uint32_t;

struct entity_record {
  table_id table;
  row_index row;
  // The generation and, as the bit above it, whether the entity is alive; find() compares both at
  // once.
  std::uint32_t life : generation_bits + 1;
  // Some id contains or contained this entity, so deleting the entity must search for uses of it.
  std::uint32_t referenced : 1;
  std::uint32_t named : 1;
  loose_ref loose;

  static constexpr std::uint32_t alive_bit = std::uint32_t{1} << generation_bits;

  bool alive() const { return (life & alive_bit) != 0; }
  std::uint32_t generation() const { return life & max_generation; }
};

class entity_index {
 public:
  // A new entity at `row` of `table`. It has the index that was deleted last, or a fresh one.
  entity_t create(table_id table = {}, row_index row = {}) {
    // The common case: no index to reuse, and the next fresh one is in a page that exists.
    if (dead_.first || fresh_ == fresh_end_ || fresh_->life != 0) return find_free(table, row);
    *fresh_++ = {table, row, entity_record::alive_bit, 0, 0, 0};
    ++alive_count_;
    limit_ = std::max(limit_, next_fresh_ + 1);
    return make_entity(next_fresh_++, 0);
  }

  // The ids that the next calls of create() return, if nothing else happens.
  std::vector<entity_t> next_ids(std::size_t count) const;
  // The next `count` entities are created without taking memory. O(count).
  void reserve(std::size_t count);

  // Makes `e`, an id that the caller chose, alive. Returns false if `e` is no valid entity or if
  // another generation of its index is alive.
  bool make_alive(entity_t e);

  // Requires: is_alive(e). Takes no memory.
  void destroy(entity_t e) noexcept {
    KITH_ASSERT(is_alive(e), "only a living entity can be destroyed");
    const std::uint32_t index = index_of(e);
    entity_record& r = at_index(index);
    r.table = table_id::none();
    r.loose = 0;
    --alive_count_;
    r.life &= max_generation;
    if (r.life == max_generation) return retire();
    ++r.life;
    push_front(holds_ ? resting_ : dead_, index);
  }

  // --- taking changes back, in the reverse order of the changes, and carrying them out again ---
  // All of these take no memory and leave every index that is free in its place in the order in
  // which indices are used again.

  // What make_alive() found at an index.
  struct revival {
    entity_t e = 0;
    entity_record before{};
    std::uint32_t limit = 0;
  };
  // The last make_alive() that made an entity alive.
  const revival& last_revival() const { return last_revival_; }
  // `e`, which began last of all that live, has never begun. `how`: null, or how it was revived.
  void take_back_begin(entity_t e, const revival* how) noexcept;
  // It begins again.
  void begin_again(entity_t e, const revival* how) noexcept;
  // `e`, which ended last of all that are dead, has not ended. destroy() ends it again.
  void take_back_end(entity_t e) noexcept;
  // The next `count` ids that create() would return are never used: they were known for a while.
  // Their indices are used again next, in the same order.
  // Requires: they were alive, and their beginning was taken back.
  void skip_ids(std::size_t count) noexcept;

  // From hold_dead() to the matching release_dead() no index that dies is used again. Pairs contain
  // no generations, so code that keeps pairs for later needs this to see that a part of one died.
  void hold_dead() { ++holds_; }
  void release_dead() noexcept;
  // Has an entity died since the first hold?
  bool any_died() const { return resting_.first || retired_while_held_; }

  bool is_alive(entity_t e) const { return find(e) != nullptr; }

  // The record of `e`, or null if `e` is not alive. O(1).
  entity_record* find(entity_t e) {
    const std::uint32_t index = index_of(e);
    if (index >= limit_) return nullptr;
    entity_record& r = at_index(index);
    // For a pair the right side has higher bits than any `life`, so pairs are never found.
    return r.life == (e >> 32) + entity_record::alive_bit ? &r : nullptr;
  }
  const entity_record* find(entity_t e) const { return const_cast<entity_index*>(this)->find(e); }

  // Loads the record of `e` into the cache. Requires: `e` is or was alive. Always inlined, because
  // a compiler may drop the call of a function that does nothing but prefetch.
  [[gnu::always_inline]] void prefetch(entity_t e) const {
    __builtin_prefetch(&at_index(index_of(e)));
  }

  // Requires: index < limit().
  entity_record& at_index(std::uint32_t index) {
    return pages_[index >> page_bits][index & page_mask];
  }
  const entity_record& at_index(std::uint32_t index) const {
    return const_cast<entity_index*>(this)->at_index(index);
  }

  // The living entity with this index, or 0.
  entity_t alive_at(std::uint32_t index) const {
    if (index >= limit_) return 0;
    const entity_record& r = at_index(index);
    return r.alive() ? make_entity(index, r.generation()) : 0;
  }

  // Visits all living entities in the order of their indices.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page] == unused_page) continue;
      for (std::uint32_t i = 0; i < page_size; ++i) {
        const entity_record& r = pages_[page][i];
        const auto index = static_cast<std::uint32_t>(page << page_bits | i);
        if (r.alive()) visit(make_entity(index, r.generation()));
      }
    }
  }

  std::size_t size() const { return alive_count_; }
  // All indices that were ever used are below this.
  std::uint32_t limit() const { return limit_; }

 private:
  static constexpr unsigned page_bits = 10;
  static constexpr std::uint32_t page_size = 1u << page_bits;
  static constexpr std::uint32_t page_mask = page_size - 1;
  static constexpr entity_t max_entity = entity_t{max_generation} << 32 | 0xffff'ffff;

  // Stands in pages_ for every page of which no index was ever used. All its records are dead.
  static const entity_record unused_page[page_size];

  static void begin_life(entity_record& r) {
    r.life |= entity_record::alive_bit;
    r.table = table_id::none();
    r.row = row_index::none();
    r.referenced = false;
    r.named = false;
    r.loose = 0;
  }
  // Records that are dead, by their indices.
  struct dead_list {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  void push_front(dead_list& list, std::uint32_t index) noexcept {
    entity_record& r = at_index(index);
    r.table = table_id{0};
    r.row = row_index{list.first};
    if (list.first)
      at_index(list.first).table = table_id{index};
    else
      list.last = index;
    list.first = index;
  }
  void leave_list(std::uint32_t index) noexcept;
  void reverse(dead_list& list) noexcept;
  void join_front(dead_list& front, const dead_list& list) noexcept;
  // The generations of an index are used up.
  void retire() { retired_while_held_ |= holds_ != 0; }
  entity_t find_free();
  entity_t find_free(table_id table, row_index row);
  entity_record& touch(std::uint32_t index);
  entity_record* touch_page(std::size_t page);
  entity_record* new_page();

  struct free_block {
    std::size_t bytes;
    void operator()(std::byte* block) const { free_rows(block, bytes, alignof(entity_record)); }
  };
  using record_block = std::unique_ptr<std::byte, free_block>;
  std::vector<record_block> blocks_;
  std::byte* spare_ = nullptr;  // the next page to hand out, in the last block
  std::size_t spare_pages_ = 0;
  std::size_t used_pages_ = 0;
  std::vector<entity_record*> pages_;
  std::uint32_t limit_ = 0;
  std::uint32_t next_fresh_ = first_user_index;
  // The record of next_fresh_ and the end of its page. Both are null before the first fresh index.
  entity_record* fresh_ = nullptr;
  entity_record* fresh_end_ = nullptr;
  dead_list dead_;     // to hand out again, last in first out
  dead_list resting_;  // those that died while held
  std::uint32_t holds_ = 0;
  bool retired_while_held_ = false;
  std::size_t alive_count_ = 0;
  revival last_revival_;
};

}  // namespace kith::core
