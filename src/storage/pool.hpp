// The entities that have one id outside their tables, each with its value.
//
//   row          0     1     2
//   entities   [ e7  | e2  | e9 ]
//   values     [ v7  | v2  | v9 ]     if the id has data
//
// Rows are dense and filled as in a table; both arrays live in one block of memory. Which row an
// entity has is kept in its loose_ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/assert.hpp"
#include "ids/entity_index.hpp"
#include "storage/toggles.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

class pool {
 public:
  // `type` may be null: the id has no data.
  explicit pool(const type_info* type) : type_(type) {}
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool();

  std::uint32_t size() const { return size_; }
  const type_info* type() const { return type_; }
  // How often somebody wrote values.
  std::uint64_t& writes() const { return writes_; }
  std::span<const entity_t> entities() const { return {entities(block_), size_}; }
  // The slot of a row; null if the id has no data.
  void* slot(row_index row) const {
    return type_ ? values_ + row.value * type_->slot_size() : nullptr;
  }

  // As in table: make room, fill the slots, commit. Invalidates pointers into the pool.
  row_index begin_row() { return begin_rows(1); }
  row_index begin_rows(std::size_t count) {
    if (size_ + count > capacity_) make_room(count);
    return row_index{size_};
  }
  // Is this address in the memory of the rows?
  bool holds(const void* address) const {
    return block_ && !std::less<>{}(address, block_) &&
           std::less<>{}(address, block_ + layout_for(capacity_).bytes);
  }
  // Would begin_row leave everything where it is?
  bool has_room() const { return size_ < capacity_; }
  void commit_row(entity_t e) {
    KITH_ASSERT(size_ < capacity_, "begin_row comes first");
    entities(block_)[size_++] = e;
  }

  // Fills the hole `row`, whose slot is empty, with the last row. Returns the entity that moved, or 0.
  entity_t close_hole(row_index row) {
    const row_index last{std::size_t{size_} - 1};
    if (off_) off_->swap_remove(row.value, last.value);
    --size_;
    if (row == last) return 0;
    if (type_) relocate_one(*type_, slot(row), slot(last));
    return entities(block_)[row.value] = entities(block_)[last.value];
  }
  // Destroys all values and gives the memory back. Destructors find the pool empty.
  void destroy_rows();
  // Forgets all rows, whose slots are empty, and gives the memory back.
  void forget_rows();

  bool is_off(row_index row) const { return off_ && off_->is_off(row.value); }
  void set_off(row_index row, bool off);
  // After this set_off(row, ...) takes no memory.
  void reserve_off(row_index row);

 private:
  static entity_t* entities(std::byte* block) { return reinterpret_cast<entity_t*>(block); }
  std::size_t block_alignment() const;
  struct layout {
    std::size_t values;  // where they begin
    std::size_t bytes;
  };
  layout layout_for(std::size_t capacity) const;
  void make_room(std::size_t count);
  void grow(std::size_t capacity);

  const type_info* type_;
  std::byte* block_ = nullptr;   // the entities, then the values
  std::byte* values_ = nullptr;  // in block_
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::unique_ptr<toggles> off_;
  mutable std::uint64_t writes_ = 0;
};

}  // namespace kith::core
