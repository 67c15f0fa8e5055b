#include "storage/pool.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/row_memory.hpp"

namespace kith::core {

pool::~pool() { destroy_rows(); }

std::size_t pool::block_alignment() const {
  return type_ ? std::max(alignof(entity_t), type_->slot_alignment()) : alignof(entity_t);
}

pool::layout pool::layout_for(std::size_t capacity) const {
  const std::size_t entities = capacity * sizeof(entity_t);
  if (!type_) return {entities, entities};
  const std::size_t a = type_->slot_alignment();
  const std::size_t values = (entities + a - 1) / a * a;
  return {values, values + capacity * type_->slot_size()};
}

// By half, for there can be one for each target. Memory comes in blocks with room for an odd number of entities.
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
  if (type_) relocate(*type_, block + next.values, values_, size_);
  if (block_) free_rows(block_, layout_for(capacity_).bytes, block_alignment());
  block_ = block;
  values_ = block + next.values;
  capacity_ = static_cast<std::uint32_t>(capacity);
}

void pool::destroy_rows() {
  const std::uint32_t count = std::exchange(size_, 0);
  if (type_) destroy(*type_, values_, count);
  forget_rows();
}

void pool::forget_rows() {
  size_ = 0;
  off_.reset();
  if (!block_) return;
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
