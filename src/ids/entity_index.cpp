#include "ids/entity_index.hpp"

#include <algorithm>

#include <kith/detail/error.hpp>

namespace kith::core {

const entity_record entity_index::unused_page[page_size] = {};

// Pages come from blocks that grow up to what large pages of memory are given for.
entity_record* entity_index::new_page() {
  constexpr std::size_t page_bytes = page_size * sizeof(entity_record);
  constexpr std::size_t max_spare = large_block / page_bytes;
  if (!spare_pages_) {
    const std::size_t pages = std::clamp<std::size_t>(used_pages_, 1, max_spare);
    const std::size_t bytes = pages * page_bytes;
    blocks_.push_back(record_block(allocate_rows(bytes, alignof(entity_record)), {bytes}));
    spare_ = blocks_.back().get();
    spare_pages_ = pages;
  }
  auto* page = reinterpret_cast<entity_record*>(spare_);
  std::uninitialized_value_construct_n(page, page_size);
  spare_ += page_bytes;
  --spare_pages_;
  ++used_pages_;
  return page;
}

entity_record& entity_index::touch(std::uint32_t index) {
  const std::size_t page = index >> page_bits;
  // Nobody writes to it.
  if (page >= pages_.size()) pages_.resize(page + 1, const_cast<entity_record*>(unused_page));
  if (pages_[page] == unused_page) pages_[page] = new_page();
  limit_ = std::max(limit_, index + 1);
  return at_index(index);
}

entity_t entity_index::find_free() {
  while (!dead_.empty()) {
    const entity_t e = dead_.back();
    dead_.pop_back();
    entity_record& r = at_index(index_of(e));
    if (r.life != generation_of(e)) continue;
    begin_life(r);
    ++alive_count_;
    return e;
  }
  for (;; ++next_fresh_) {
    if (next_fresh_ > max_index) raise(errc::out_of_range, "no entity index is left");
    entity_record& r = touch(next_fresh_);
    // Known already, through make_alive.
    if (r.life != 0) continue;
    begin_life(r);
    ++alive_count_;
    fresh_ = &r + 1;
    fresh_end_ = fresh_ + (std::min(next_fresh_ | page_mask, max_index) - next_fresh_);
    return make_entity(next_fresh_++, 0);
  }
}

entity_t entity_index::find_free(table_id table, row_index row) {
  const entity_t e = find_free();
  entity_record& r = at_index(index_of(e));
  r.table = table;
  r.row = row;
  return e;
}

bool entity_index::make_alive(entity_t e) {
  const std::uint32_t index = index_of(e);
  if (index == 0 || index > max_index || e > max_entity) return false;
  entity_record& r = touch(index);
  if (r.alive()) return r.generation() == generation_of(e);
  r.life = generation_of(e) & max_generation;
  begin_life(r);
  ++alive_count_;
  return true;
}

void entity_index::release_dead() {
  if (--holds_) return;
  dead_.insert(dead_.end(), resting_.begin(), resting_.end());
  resting_.clear();
  retired_while_held_ = false;
}

}  // namespace kith::core
