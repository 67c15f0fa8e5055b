// The entities that have one id outside their tables, each with its value.
//
//   row          0     1     2
//   entities   [ e7  | e2  | e9 ]
//   values     [ v7  | v2  | v9 ]     if the id has data
//
// Rows are dense and filled as in a table; both arrays live in one block of memory. The loose_ids
// of an entity say which row it has.
//
// The values of a Sparse id keep their addresses. Each is in a cell that never moves, and rows hold
// pointers to cells. The pointers behind the last row lead to free cells:
//
//   row          0     1   | 2     3
//   entities   [ e7  | e2  |     |     ]
//   cells      [ c2  | c0  | c1  | c3  ]       c1 and c3 are free
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "ids/entity_index.hpp"
#include "storage/toggles.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

class pool {
 public:
  // `type` is null if the id has no data.
  explicit pool(const type_info* type) : type_(type) {}
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool();

  std::uint32_t size() const { return size_; }
  const type_info* type() const { return type_; }
  // Counts writes of values.
  std::uint64_t& writes() const { return writes_; }
  std::span<const entity_t> entities() const { return {entities(block_), size_}; }
  // The slot of a row; null if the id has no data.
  void* slot(row_index row) const {
    if (!type_) return nullptr;
    return has_cells_ ? cells()[row.value] : values_ + row.value * type_->slot_size();
  }
  // From now on values keep their addresses. If this throws, nothing has changed.
  void fix_addresses();
  // Do the values of neighbouring rows lie side by side?
  bool is_dense() const { return !has_cells_; }
  // Moves `count` values that lie side by side into the empty slots of the rows from `first` on.
  void take_values(row_index first, void* from, std::size_t count);

  // A new row as in table: make room, fill the slots, commit. Invalidates pointers into the pool.
  row_index begin_row() { return begin_rows(1); }
  row_index begin_rows(std::size_t count) {
    if (size_ + count > capacity_) make_room(count);
    if (has_cells_) make_cells(count);
    return row_index{size_};
  }
  // Is the address in the block of memory that begin_row() may replace?
  bool holds(const void* address) const {
    return block_ && !std::less<>{}(address, block_) &&
           std::less<>{}(address, block_ + layout_for(capacity_).bytes);
  }
  // Would begin_row() leave all values where they are?
  bool has_room() const { return size_ < capacity_; }
  void commit_row(entity_t e) {
    KITH_ASSERT(size_ < capacity_, "begin_row comes first");
    entities(block_)[size_++] = e;
  }

  // Fills the hole `row`, whose slot is empty, with the last row. Returns the entity that moved, or
  // 0.
  entity_t close_hole(row_index row) {
    const row_index last{std::size_t{size_} - 1};
    if (off_) off_->swap_remove(row.value, last.value);
    --size_;
    if (row == last) return 0;
    if (has_cells_)
      std::swap(cells()[row.value], cells()[last.value]);
    else if (type_)
      relocate_one(*type_, slot(row), slot(last));
    return entities(block_)[row.value] = entities(block_)[last.value];
  }
  // Destroys all values and frees the memory. Destructors find the pool empty.
  void destroy_rows();
  // Forgets all rows, whose slots are empty, and frees the memory.
  void forget_rows();

  bool is_off(row_index row) const { return off_ && off_->is_off(row.value); }
  void set_off(row_index row, bool off);
  // After this, set_off(row, ...) takes no memory.
  void reserve_off(row_index row);

 private:
  static entity_t* entities(std::byte* block) { return reinterpret_cast<entity_t*>(block); }
  std::size_t block_alignment() const;
  struct layout {
    std::size_t values;  // the offset of the values
    std::size_t bytes;
  };
  layout layout_for(std::size_t capacity) const;
  void make_room(std::size_t count);
  void grow(std::size_t capacity);
  void** cells() const { return reinterpret_cast<void**>(values_); }
  // After this, each of the next `count` rows has a cell.
  void make_cells(std::size_t count) {
    if (size_ + count > cell_count_) add_cells(size_ + count - cell_count_);
  }
  void add_cells(std::size_t count);
  void free_cells();

  const type_info* type_;
  std::byte* block_ = nullptr;   // entities, then values or pointers to cells
  std::byte* values_ = nullptr;  // in block_
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint32_t cell_count_ = 0;  // if there are cells, at least size_
  bool has_cells_ = false;
  std::unique_ptr<toggles> off_;
  mutable std::uint64_t writes_ = 0;
  // The memory of the cells.
  struct page {
    std::byte* memory;
    std::size_t bytes;
  };
  std::vector<page> pages_;
};

}  // namespace kith::core
