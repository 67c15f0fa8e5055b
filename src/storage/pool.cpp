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

void pool::make_room(std::size_t count) {
  // The smallest blocks of memory have room for three entities.
  grow(std::max<std::size_t>({size_ + count, std::size_t{capacity_} * 2, 3}));
}

void pool::grow(std::size_t capacity) {
  std::size_t offset = capacity * sizeof(entity_t);
  std::size_t bytes = offset;
  if (type_) {
    const std::size_t a = type_->slot_alignment();
    offset = (offset + a - 1) / a * a;
    bytes = offset + capacity * type_->slot_size();
  }
  std::byte* block = allocate_rows(bytes, block_alignment());
  if (size_) std::memcpy(block, block_, size_ * sizeof(entity_t));
  if (type_) relocate(*type_, block + offset, values_, size_);
  if (block_) free_rows(block_, bytes_, block_alignment());
  block_ = block;
  bytes_ = bytes;
  values_ = block + offset;
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
  free_rows(block_, bytes_, block_alignment());
  block_ = values_ = nullptr;
  capacity_ = 0;
}

void pool::set_off(row_index row, bool off) {
  if (!off_ && !off) return;
  if (!off_) off_ = std::make_unique<toggles>();
  off_->set(row.value, off);
}

}  // namespace kith::core
