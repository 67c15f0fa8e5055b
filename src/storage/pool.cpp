#include "storage/pool.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/row_memory.hpp"

namespace kith::core {

pool::~pool() { destroy_rows(); }

std::size_t pool::block_alignment() const {
  return type_ && !has_cells_ ? std::max(alignof(entity_t), type_->slot_alignment())
                              : alignof(entity_t);
}

pool::layout pool::layout_for(std::size_t capacity) const {
  const std::size_t entities = capacity * sizeof(entity_t);
  if (!type_) return {entities, entities};
  if (has_cells_) return {entities, entities + capacity * sizeof(void*)};
  const std::size_t a = type_->slot_alignment();
  const std::size_t values = (entities + a - 1) / a * a;
  return {values, values + capacity * type_->slot_size()};
}

// Grows by half and not to the double, because there can be a pool for each target. The capacity is
// odd: allocators return blocks with room for an odd number of entities.
void pool::make_room(std::size_t count) {
  constexpr std::size_t first = 3, least = 4;
  const std::size_t now = capacity_;
  const std::size_t more = now ? now + std::max(now / 2, least) : first;
  grow(std::max(size_ + count, more | 1));
}

void pool::grow(std::size_t capacity) {
  const layout next = layout_for(capacity);
  std::byte* block = allocate_rows(next.bytes, block_alignment());
  if (size_) std::memcpy(block, block_, size_ * sizeof(entity_t));
  if (has_cells_ && cell_count_)
    std::memcpy(block + next.values, values_, cell_count_ * sizeof(void*));
  else if (type_ && !has_cells_)
    relocate(*type_, block + next.values, values_, size_);
  if (block_) free_rows(block_, layout_for(capacity_).bytes, block_alignment());
  block_ = block;
  values_ = block + next.values;
  capacity_ = static_cast<std::uint32_t>(capacity);
}

// --- cells ---------------------------------------------------------------------------------------

void pool::add_cells(std::size_t count) {
  constexpr std::size_t page_bytes = 4096, first_cells = 4;
  const std::size_t size = type_->slot_size();
  const std::size_t usual =
      std::clamp<std::size_t>(cell_count_, first_cells, std::max(first_cells, page_bytes / size));
  const std::size_t cells_now =
      std::min(std::max(count, usual), capacity_ - std::size_t{cell_count_});
  pages_.reserve(pages_.size() + 1);
  const std::size_t bytes = cells_now * size;
  std::byte* const memory = allocate_rows(bytes, type_->slot_alignment());
  pages_.push_back({memory, bytes});
  for (std::size_t i = 0; i < cells_now; ++i) cells()[cell_count_++] = memory + i * size;
}

void pool::free_cells() {
  for (const page& p : pages_) free_rows(p.memory, p.bytes, type_->slot_alignment());
  pages_.clear();
  cell_count_ = 0;
}

void pool::fix_addresses() {
  // A boxed value never moves.
  if (!type_ || type_->boxed || has_cells_) return;
  pool fixed(type_);
  fixed.has_cells_ = true;
  fixed.begin_rows(size_);
  for (std::uint32_t i = 0; i < size_; ++i) {
    relocate_one(*type_, fixed.slot(row_index{i}), slot(row_index{i}));
    fixed.commit_row(entities()[i]);
  }
  // `fixed` frees the old block, which has no values any more.
  size_ = std::exchange(fixed.size_, 0);
  std::swap(block_, fixed.block_);
  std::swap(values_, fixed.values_);
  std::swap(capacity_, fixed.capacity_);
  std::swap(cell_count_, fixed.cell_count_);
  std::swap(has_cells_, fixed.has_cells_);
  std::swap(pages_, fixed.pages_);
}

void pool::take_values(row_index first, void* from, std::size_t count) {
  if (!has_cells_) return relocate(*type_, slot(first), from, count);
  for (std::size_t i = 0; i < count; ++i)
    relocate_one(*type_, slot(row_index{first.value + i}),
                 static_cast<std::byte*>(from) + i * type_->slot_size());
}

// --- the end -------------------------------------------------------------------------------------

void pool::destroy_rows() {
  const std::uint32_t count = std::exchange(size_, 0);
  if (type_ && !has_cells_) destroy(*type_, values_, count);
  if (has_cells_)
    for (std::uint32_t i = 0; i < count; ++i) destroy(*type_, cells()[i], 1);
  forget_rows();
}

void pool::forget_rows() {
  size_ = 0;
  off_.reset();
  if (!block_) return;
  if (has_cells_) free_cells();
  free_rows(block_, layout_for(capacity_).bytes, block_alignment());
  block_ = values_ = nullptr;
  capacity_ = 0;
}

void pool::set_off(row_index row, bool off) {
  if (off) reserve_off(row);
  if (off_) off_->set(row.value, off);
}

void pool::reserve_off(row_index row) {
  if (!off_) off_ = std::make_unique<toggles>();
  off_->reserve(row.value);
}

}  // namespace kith::core
