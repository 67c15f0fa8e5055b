#include "storage/table.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "base/row_memory.hpp"

namespace kith::core {

namespace {

std::size_t round_up(std::size_t n, std::size_t alignment) {
  return (n + alignment - 1) / alignment * alignment;
}

}  // namespace

table::table(table_id id, std::vector<id_t> ids, const std::vector<const type_info*>& types)
    : id_(id), ids_(std::move(ids)) {
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (!types[i]) continue;
    columns_.push_back({ids_[i], types[i], nullptr, types[i]->slot_size()});
    runs_user_code_ |= types[i]->runs_user_code();
    ends_silently_ &= types[i]->ends_silently;
    const auto bits = static_cast<std::uint8_t>(std::countr_zero(types[i]->slot_alignment()));
    alignment_bits_ = std::max(alignment_bits_, bits);
  }
  few_end_ = columns_.data() + (has_few_columns() ? columns_.size() : 0);
}

table::~table() {
  for (const column& c : columns_) destroy(*c.type, c.data, size_);
  size_ = 0;
  release_memory();
}

bool table::search(id_t id) const { return std::binary_search(ids_.begin(), ids_.end(), id); }

id_range table::search_pairs(std::uint32_t relation) const {
  const auto first = std::lower_bound(ids_.begin(), ids_.end(), make_pair_of(relation, 0));
  const auto last = std::upper_bound(first, ids_.end(), make_pair_of(relation, 0xffff'ffff));
  return {static_cast<std::uint32_t>(first - ids_.begin()),
          static_cast<std::uint32_t>(last - first)};
}

const column* table::search_column(id_t id) const {
  auto found = std::lower_bound(columns_.begin(), columns_.end(), id,
                                [](const column& c, id_t wanted) { return c.id < wanted; });
  return found != columns_.end() && found->id == id ? &*found : nullptr;
}

void table::make_room(std::size_t count) {
  grow(std::max<std::size_t>({size_ + count, std::size_t{capacity_} * 2, 4}));
}

void table::grow(std::size_t capacity) {
  std::size_t bytes = capacity * sizeof(entity_t);
  for (const column& c : columns_)
    bytes = round_up(bytes, c.type->slot_alignment()) + capacity * c.type->slot_size();
  std::byte* block = allocate_rows(bytes, block_alignment());

  if (size_) std::memcpy(block, entities_, size_ * sizeof(entity_t));
  std::size_t offset = capacity * sizeof(entity_t);
  for (column& c : columns_) {
    offset = round_up(offset, c.type->slot_alignment());
    relocate(*c.type, block + offset, c.data, size_);
    c.data = block + offset;
    offset += capacity * c.type->slot_size();
  }
  if (block_) free_rows(block_, bytes_, block_alignment());
  block_ = block;
  bytes_ = bytes;
  entities_ = reinterpret_cast<entity_t*>(block);
  capacity_ = static_cast<std::uint32_t>(capacity);
}

void table::release_memory() {
  KITH_ASSERT(size_ == 0, "a table with rows needs its memory");
  if (!block_) return;
  free_rows(block_, bytes_, block_alignment());
  block_ = nullptr;
  entities_ = nullptr;
  capacity_ = 0;
  for (column& c : columns_) c.data = nullptr;
}

entity_t table::close_hole(row_index row) {
  const row_index last{std::size_t{size_} - 1};
  if (!toggles_.empty()) close_toggles(row, last);
  --size_;
  ++changes_;
  if (row == last) return 0;
  for (const column& c : columns_) relocate_one(*c.type, c.slot(row), c.slot(last));
  return entities_[row.value] = entities_[last.value];
}

void table::close_toggles(row_index row, row_index last) {
  for (toggle_column& t : toggles_) t.rows.swap_remove(row.value, last.value);
}

void table::destroy_values(row_index row) {
  for (const column& c : columns_)
    if (!c.type->ends_silently) destroy(*c.type, c.slot(row), 1);
}

bool table::is_off(id_t id, row_index row) const {
  for (const toggle_column& t : toggles_)
    if (t.id == id) return t.rows.is_off(row.value);
  return false;
}

void table::set_off(id_t id, row_index row, bool off) {
  if (off || is_off(id, row)) toggles_of(id).set(row.value, off);
}

toggles& table::toggles_of(id_t id) {
  for (toggle_column& t : toggles_)
    if (t.id == id) return t.rows;
  return toggles_.emplace_back(toggle_column{id, {}}).rows;
}

void table::copy_each_toggle(row_index row, const table& from, row_index from_row) {
  for (const toggle_column& t : from.toggles_)
    if (t.rows.is_off(from_row.value) && has(t.id)) set_off(t.id, row, true);
}

void table::reserve_each_toggle(row_index row, const table& from, row_index from_row,
                                std::size_t count) {
  for (const toggle_column& t : from.toggles_) {
    if (!has(t.id)) continue;
    for (std::size_t i = count; i > 0; --i) {
      if (!t.rows.is_off(from_row.value + i - 1)) continue;
      reserve_off(t.id, row_index{row.value + i - 1});
      break;
    }
  }
}

}  // namespace kith::core
