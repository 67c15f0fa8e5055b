#include "ids/entity_index.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>

namespace kith::core {

const entity_record entity_index::unused_page[page_size] = {};

// Pages come from blocks. Each block is as large as all pages in use, up to the size that gets
// large pages of memory.
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

entity_record* entity_index::touch_page(std::size_t page) {
  // The cast is safe: the next line replaces unused_page before a record is written.
  if (page >= pages_.size()) pages_.resize(page + 1, const_cast<entity_record*>(unused_page));
  if (pages_[page] == unused_page) pages_[page] = new_page();
  return pages_[page];
}

entity_record& entity_index::touch(std::uint32_t index) {
  touch_page(index >> page_bits);
  limit_ = std::max(limit_, index + 1);
  return at_index(index);
}

void entity_index::reserve(std::size_t count) {
  for (std::size_t index = next_fresh_; count > 0 && index <= max_index;) {
    const entity_record* const page = touch_page(index >> page_bits);
    // An index may be in use already, through make_alive.
    do {
      if (page[index & page_mask].life == 0) --count;
    } while ((++index & page_mask) && count > 0);
  }
}

std::vector<entity_t> entity_index::next_ids(std::size_t count) const {
  std::vector<entity_t> ids;
  ids.reserve(count);
  for (std::uint32_t index = dead_.first; index && ids.size() < count;) {
    const entity_record& r = at_index(index);
    ids.push_back(make_entity(index, r.generation()));
    index = r.row.value;
  }
  for (std::size_t index = next_fresh_; ids.size() < count && index <= max_index; ++index) {
    const auto fresh = static_cast<std::uint32_t>(index);
    if (fresh >= limit_ || at_index(fresh).life == 0) ids.push_back(make_entity(fresh, 0));
  }
  return ids;
}

entity_t entity_index::find_free() {
  if (const std::uint32_t index = dead_.first) {
    leave_list(index);
    entity_record& r = at_index(index);
    const entity_t e = make_entity(index, r.generation());
    begin_life(r);
    ++alive_count_;
    return e;
  }
  for (;; ++next_fresh_) {
    if (next_fresh_ > max_index) raise(errc::out_of_range, "no entity index is left");
    entity_record& r = touch(next_fresh_);
    // make_alive() used this index before.
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
  const std::uint32_t limit = limit_;
  entity_record& r = touch(index);
  if (r.alive()) return r.generation() == generation_of(e);
  last_revival_ = {e, r, limit};
  if (r.table) leave_list(index);
  r.life = generation_of(e) & max_generation;
  begin_life(r);
  ++alive_count_;
  return true;
}

void entity_index::take_back_begin(entity_t e, const revival* how) noexcept {
  const std::uint32_t index = index_of(e);
  entity_record& r = at_index(index);
  --alive_count_;
  if (how) {
    r = how->before;
    limit_ = how->limit;
    if (!r.table) return;
    const std::uint32_t before = r.table.value;
    if (!before) return push_front(dead_, index);
    const std::uint32_t after = at_index(before).row.value;
    r.row = row_index{after};
    at_index(before).row = row_index{index};
    // Which list it is does not matter unless the index is its last one.
    dead_list& list = dead_.last == before ? dead_ : resting_;
    (after ? at_index(after).table.value : list.last) = index;
    return;
  }
  r.life &= max_generation;
  r.loose = 0;
  // An index is used for the first time with generation 0, and never again with that.
  if (r.generation() != 0) return push_front(dead_, index);
  r = {};
  next_fresh_ = index;
  fresh_ = &r;
  fresh_end_ = fresh_ + (std::min(index | page_mask, max_index) - index + 1);
  while (limit_ && at_index(limit_ - 1).life == 0) --limit_;
}

void entity_index::begin_again(entity_t e, const revival* how) noexcept {
  const std::uint32_t index = index_of(e);
  entity_record& r = at_index(index);
  limit_ = std::max(limit_, index + 1);
  if (how) {
    if (r.table) leave_list(index);
    r.life = generation_of(e) & max_generation;
  } else if (generation_of(e) != 0) {
    leave_list(index);
  } else {
    next_fresh_ = index + 1;
    fresh_ = &r + 1;
    fresh_end_ = fresh_ + (std::min(index | page_mask, max_index) - index);
  }
  begin_life(r);
  ++alive_count_;
}

void entity_index::take_back_end(entity_t e) noexcept {
  const std::uint32_t index = index_of(e);
  entity_record& r = at_index(index);
  if (r.table) leave_list(index);
  r.life = generation_of(e) & max_generation;
  begin_life(r);
  ++alive_count_;
}

void entity_index::skip_ids(std::size_t count) noexcept {
  if (!count) return;
  const dead_list before = std::exchange(resting_, {});
  hold_dead();
  while (count--) destroy(create());
  reverse(resting_);
  join_front(resting_, before);
  release_dead();
}

void entity_index::reverse(dead_list& list) noexcept {
  std::swap(list.first, list.last);
  for (std::uint32_t index = list.first; index;) {
    entity_record& r = at_index(index);
    std::swap(r.table.value, r.row.value);
    index = r.row.value;
  }
}

// Puts `list` behind the indices of `front`.
void entity_index::join_front(dead_list& front, const dead_list& list) noexcept {
  if (!front.first) {
    front = list;
  } else if (list.first) {
    at_index(front.last).row = row_index{list.first};
    at_index(list.first).table = table_id{front.last};
    front.last = list.last;
  }
}

void entity_index::leave_list(std::uint32_t index) noexcept {
  const std::uint32_t before = at_index(index).table.value;
  const std::uint32_t after = at_index(index).row.value;
  dead_list& list = dead_.first == index || dead_.last == index ? dead_ : resting_;
  (before ? at_index(before).row.value : list.first) = after;
  (after ? at_index(after).table.value : list.last) = before;
}

void entity_index::release_dead() noexcept {
  if (--holds_) return;
  retired_while_held_ = false;
  join_front(resting_, dead_);
  dead_ = std::exchange(resting_, {});
}

}  // namespace kith::core
