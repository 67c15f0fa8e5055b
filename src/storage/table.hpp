// Rows of entities that share one exact set of table ids.
//
//   ids       [ Position | Npc | (Likes, apples) | (Likes, pears) ]    ascending, so the pairs of
//                                                                      one relation are adjacent
//   row            0      1      2
//   entities     [ e7   | e2   | e9 ]
//   Position     [ p7   | p2   | p9 ]     one column per id that has data
//
// All columns of a table live in one block of memory.
//
// Invariants
//  (1) every column holds exactly size() values, except for the rows that a caller is filling or
//      emptying between begin_row and commit_row, or while it holds a hole;
//  (2) rows are dense: taking row r out moves the last row into r;
//  (3) the ids never change; entities change table instead.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/assert.hpp"
#include "ids/entity_index.hpp"
#include "storage/table_edges.hpp"
#include "storage/toggles.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

struct column {
  id_t id;
  const type_info* type;
  std::byte* data;
  std::size_t slot_size;
  mutable std::uint64_t writes = 0;  // counts writes of values

  void* slot(row_index row) const { return data + row.value * slot_size; }
};

// Adjacent ids of a table.
struct id_range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

class alignas(64) table {
 public:
  // `types[i]` is the data type of `ids[i]`, or null. Requires: `ids` is ascending without repeats.
  table(table_id id, std::vector<id_t> ids, const std::vector<const type_info*>& types);
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table();

  table_id id() const { return id_; }
  std::span<const id_t> ids() const { return ids_; }
  std::span<const id_t> ids_in(id_range range) const {
    return ids().subspan(range.first, range.count);
  }
  std::span<const entity_t> entities() const { return {entities_, size_}; }
  std::span<const column> columns() const { return columns_; }
  std::uint32_t size() const { return size_; }
  // Changes whenever a row comes, goes or moves.
  std::uint64_t changes() const { return changes_; }

  // How many tables ahead prefetching pays: first the table itself, then what it points to.
  static constexpr std::size_t fetch_table = 12, fetch_ids = 6;
  // Fetch the table, its ids or its entities into the caches. (Compilers drop calls of functions
  // that only prefetch, because they seem to do nothing; so these are always inlined.)
  [[gnu::always_inline]] void prefetch() const { __builtin_prefetch(this); }
  [[gnu::always_inline]] void prefetch_ids() const { __builtin_prefetch(ids_.data()); }
  [[gnu::always_inline]] void prefetch_entities() const { __builtin_prefetch(entities_); }
  // The first rows; all rows of a small table.
  [[gnu::always_inline]] void prefetch_rows() const {
    constexpr std::size_t lines = 6, line = 64;
    // A table that never had a row has no block: an offset from null would be undefined.
    const auto block = reinterpret_cast<std::uintptr_t>(entities_);
    for (std::size_t i = 0; i < lines; ++i)
      __builtin_prefetch(reinterpret_cast<const void*>(block + i * line));
  }

  // Has the table so few ids that a scan is the fastest search?
  bool is_narrow() const { return ids_.size() <= scan_limit; }
  bool has(id_t id) const {
    if (!is_narrow()) return search(id);
    if (is_pair(id)) {
      // Pairs are the last ids.
      for (std::size_t i = ids_.size(); i > 0 && ids_[i - 1] >= id; --i)
        if (ids_[i - 1] == id) return true;
      return false;
    }
    for (id_t i : ids_)
      if (i == id) return true;
    return false;
  }
  // The pairs of one relation: (R, *). O(log ids).
  id_range pairs_of(std::uint32_t relation) const {
    if (!is_narrow()) return search_pairs(relation);
    const id_t upper_half = make_pair_of(relation, 0) >> 32;
    auto last = static_cast<std::uint32_t>(ids_.size());
    while (last > 0 && ids_[last - 1] >> 32 > upper_half) --last;
    std::uint32_t first = last;
    while (first > 0 && ids_[first - 1] >> 32 == upper_half) --first;
    return {first, last - first};
  }
  bool has_few_columns() const { return columns_.size() <= scan_limit; }
  // The column of `id`, or null if the table lacks it or it has no data.
  const column* find_column(id_t id) const {
    if (!has_few_columns()) return search_column(id);
    for (const column& c : columns_)
      if (c.id == id) return &c;
    return nullptr;
  }
  // The same for a table with few columns; null for a table with many.
  const column* find_among_few(id_t id) const {
    for (const column* c = columns_.data(); c != few_end_; ++c)
      if (c->id == id) return c;
    return nullptr;
  }
  // Is a row, or was one, a built-in entity?
  bool has_builtins() const { return has_builtins_; }
  // Does a column run code of the user when a row moves or ends?
  bool runs_user_code() const { return runs_user_code_; }

  // Has no column anything to do when a value ends?
  bool ends_silently() const { return ends_silently_; }

  // A new row takes three steps: begin_row() makes room, the caller fills the slots of all columns
  // at the returned row, commit_row() counts the row. A row that is not committed does not exist.
  // begin_rows() makes room for `count` rows. Invalidates pointers into the table.
  row_index begin_row() { return begin_rows(1); }
  row_index begin_rows(std::size_t count) {
    if (size_ + count > capacity_) make_room(count);
    return row_index{size_};
  }
  // Is the address in the memory of the rows?
  bool holds(const void* address) const {
    return block_ && !std::less<>{}(address, block_) && std::less<>{}(address, block_ + bytes_);
  }
  // Would begin_row() leave all rows where they are?
  bool has_room() const { return size_ < capacity_; }
  void commit_row(entity_t e) {
    KITH_ASSERT(size_ < capacity_, "begin_row comes first");
    entities_[size_++] = e;
    ++changes_;
    has_builtins_ = has_builtins_ || is_builtin(e);
  }

  // Fills the hole `row`, whose slots are empty, with the last row. Returns the entity that moved,
  // or 0. O(columns).
  entity_t close_hole(row_index row);
  // Destroys all values of a row; the row is a hole then.
  void destroy_row(row_index row) {
    if (!ends_silently_) destroy_values(row);
  }
  // Forgets all rows, whose slots are empty.
  void forget_rows() {
    size_ = 0;
    toggles_.clear();
    ++changes_;
  }
  // Frees the memory of an empty table.
  void release_memory();

  bool is_off(id_t id, row_index row) const;
  void set_off(id_t id, row_index row, bool off);
  // After this, set_off(id, row, ...) takes no memory.
  void reserve_off(id_t id, row_index row) { toggles_of(id).reserve(row.value); }
  // After this, copy_toggles() takes no memory for `count` rows from `row` and `from_row` on.
  void reserve_toggles(row_index row, const table& from, row_index from_row, std::size_t count) {
    if (!from.toggles_.empty()) reserve_each_toggle(row, from, from_row, count);
  }
  // Copies which ids of a row are off. Requires: both rows exist or are about to be committed.
  void copy_toggles(row_index row, const table& from, row_index from_row) {
    if (!from.toggles_.empty()) copy_each_toggle(row, from, from_row);
  }

  table_edges& edges() { return edges_; }
  const table_edges& edges() const { return edges_; }

  // For each id, the position of this table in id_record::tables, so that the table can leave the
  // list.
  std::vector<std::uint32_t>& positions() { return positions_; }
  const std::vector<std::uint32_t>& positions() const { return positions_; }

 private:
  // Up to this many ids a plain scan beats a binary search.
  static constexpr std::size_t scan_limit = 16;
  std::size_t block_alignment() const { return std::size_t{1} << alignment_bits_; }
  bool search(id_t id) const;
  id_range search_pairs(std::uint32_t relation) const;
  const column* search_column(id_t id) const;
  void make_room(std::size_t count);
  void grow(std::size_t capacity);
  void destroy_values(row_index row);
  [[gnu::noinline]] void close_toggles(row_index row, row_index last);
  void copy_each_toggle(row_index row, const table& from, row_index from_row);
  void reserve_each_toggle(row_index row, const table& from, row_index from_row, std::size_t count);
  // Makes the toggles if the id has none.
  toggles& toggles_of(id_t id);

  // The members that are read most come first: they share one cache line.
  table_id id_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  bool runs_user_code_ = false;
  bool ends_silently_ = true;
  bool has_builtins_ = false;
  std::uint8_t alignment_bits_ = std::bit_width(alignof(entity_t)) - 1;  // of block_
  entity_t* entities_ = nullptr;
  std::vector<id_t> ids_;
  const column* few_end_ = nullptr;  // the end of the columns if they are few, else their beginning
  std::vector<column> columns_;
  std::uint64_t changes_ = 0;
  std::byte* block_ = nullptr;
  std::size_t bytes_ = 0;  // of block_
  table_edges edges_;
  // One for each id that is, or was, off in some row.
  struct toggle_column {
    id_t id;
    toggles rows;
  };
  std::vector<toggle_column> toggles_;
  std::vector<std::uint32_t> positions_;
};

}  // namespace kith::core
