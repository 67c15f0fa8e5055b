// Which entities are alive, and where each one is stored.
//
//   id 0x2'00000105 -> index 0x105, generation 2
//   pages_[0x105 / 1024][0x105 % 1024] = { table, row, generation 2 + alive + flags, loose list }
//
// A deleted index is handed out again with the next generation, last deleted first. An index whose
// generations are used up retires.
//
// Invariants
//  (1) an id is alive exactly if its index has a record with the same generation and `alive`;
//  (2) the generation of a dead record is the one its next life will have;
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

// Names the list of ids an entity has outside its table (storage/loose_ids.hpp). 0: none.
using loose_ref = std::uint32_t;

struct entity_record {
  table_id table;
  row_index row;
  // The generation, and above it whether the entity is alive: one comparison answers both.
  std::uint32_t life : generation_bits + 1;
  // Some id is, or was, made of this entity: deleting it must look for uses.
  std::uint32_t referenced : 1;
  std::uint32_t named : 1;
  loose_ref loose;

  static constexpr std::uint32_t alive_bit = std::uint32_t{1} << generation_bits;

  bool alive() const { return (life & alive_bit) != 0; }
  std::uint32_t generation() const { return life & max_generation; }
};

class entity_index {
 public:
  // A new entity with a row: the index deleted last, or the next fresh one.
  entity_t create(table_id table = {}, row_index row = {}) {
    // Mostly the next fresh one, in a page that is there.
    if (!dead_.empty() || fresh_ == fresh_end_ || fresh_->life != 0) return find_free(table, row);
    *fresh_++ = {table, row, entity_record::alive_bit, 0, 0, 0};
    ++alive_count_;
    limit_ = std::max(limit_, next_fresh_ + 1);
    return make_entity(next_fresh_++, 0);
  }

  // Makes `e`, an id given from outside, alive. Returns false if it is no possible id or if another
  // generation of its index is alive.
  bool make_alive(entity_t e);

  // Requires: is_alive(e).
  void destroy(entity_t e) {
    KITH_ASSERT(is_alive(e), "only a living entity can be destroyed");
    const std::uint32_t index = index_of(e);
    entity_record& r = at_index(index);
    r.table = table_id::none();
    r.loose = 0;
    --alive_count_;
    r.life &= max_generation;
    if (r.life == max_generation) return retire();
    ++r.life;
    (holds_ ? resting_ : dead_).push_back(make_entity(index, r.life));
  }

  // Until the matching release no index that dies is used again. Pairs have no generations: a queue
  // that keeps pairs for later must be able to see that a part of one is gone.
  void hold_dead() { ++holds_; }
  void release_dead();
  // Has an entity died since the first hold?
  bool any_died() const { return !resting_.empty() || retired_while_held_; }

  bool is_alive(entity_t e) const { return find(e) != nullptr; }

  // The record of `e`, or null if `e` is not alive. O(1).
  entity_record* find(entity_t e) {
    const std::uint32_t index = index_of(e);
    if (index >= limit_) return nullptr;
    entity_record& r = at_index(index);
    // What has more bits than an entity is the life of none.
    return r.life == (e >> 32) + entity_record::alive_bit ? &r : nullptr;
  }
  const entity_record* find(entity_t e) const { return const_cast<entity_index*>(this)->find(e); }

  // It will be asked for soon. Requires: it is, or was, alive. (Always inlined, see table::prefetch.)
  [[gnu::always_inline]] void prefetch(entity_t e) const {
    __builtin_prefetch(&at_index(index_of(e)));
  }

  // Requires: the index is in use.
  entity_record& at_index(std::uint32_t index) {
    return pages_[index >> page_bits][index & page_mask];
  }
  const entity_record& at_index(std::uint32_t index) const {
    return const_cast<entity_index*>(this)->at_index(index);
  }

  // The entity that lives at `index` now, or 0.
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
  // Every index in use is below this.
  std::uint32_t limit() const { return limit_; }

 private:
  static constexpr unsigned page_bits = 10;
  static constexpr std::uint32_t page_size = 1u << page_bits;
  static constexpr std::uint32_t page_mask = page_size - 1;
  static constexpr entity_t max_entity = entity_t{max_generation} << 32 | 0xffff'ffff;

  // Stands for all pages none of whose indices was ever used: every record is dead.
  static const entity_record unused_page[page_size];

  static void begin_life(entity_record& r) {
    r.life |= entity_record::alive_bit;
    r.table = table_id::none();
    r.row = row_index::none();
    r.referenced = false;
    r.named = false;
    r.loose = 0;
  }
  // The generations of an index are used up.
  void retire() { retired_while_held_ |= holds_ != 0; }
  entity_t find_free();
  entity_t find_free(table_id table, row_index row);
  entity_record& touch(std::uint32_t index);
  entity_record* new_page();

  struct free_block {
    std::size_t bytes;
    void operator()(std::byte* block) const { free_rows(block, bytes, alignof(entity_record)); }
  };
  using record_block = std::unique_ptr<std::byte, free_block>;
  std::vector<record_block> blocks_;
  std::byte* spare_ = nullptr;  // in the last block
  std::size_t spare_pages_ = 0;
  std::size_t used_pages_ = 0;
  std::vector<entity_record*> pages_;
  std::uint32_t limit_ = 0;
  std::uint32_t next_fresh_ = first_user_index;
  // The record of next_fresh_, and the end of its page; the same if that is not known.
  entity_record* fresh_ = nullptr;
  entity_record* fresh_end_ = nullptr;
  // The ids to hand out again, last in first out. One whose index was meanwhile made alive by
  // make_alive is stale: the generations differ, or the record is alive.
  std::vector<entity_t> dead_;
  // Those that died while held.
  std::vector<entity_t> resting_;
  std::uint32_t holds_ = 0;
  bool retired_while_held_ = false;
  std::size_t alive_count_ = 0;
};

}  // namespace kith::core
