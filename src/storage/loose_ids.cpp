#include "storage/loose_ids.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "base/make_room.hpp"
#include "base/scope_exit.hpp"
#include "base/try_allocate.hpp"

namespace kith::core {

namespace {

// The position of `id` in ascending `ids`, or `count`.
std::uint32_t position_in(const id_t* ids, std::uint32_t count, id_t id) {
  const id_t* found = std::lower_bound(ids, ids + count, id);
  return found != ids + count && *found == id ? static_cast<std::uint32_t>(found - ids) : count;
}

}  // namespace

void loose_ids::add_chunk(unsigned size) {
  slabs_[size].chunks.push_back(
      std::make_unique_for_overwrite<std::byte[]>(blocks_per_chunk * bytes_of(size)));
}

void loose_ids::free(loose_ref list) noexcept {
  const unsigned size = size_of(list);
  if (size == long_size) {
    long_[number_of(list)].reset();
    free_long_.push_back(number_of(list));
    return;
  }
  const block b = at(list);
  if (b.count)
    *b.count = slabs_[size].free;
  else
    *b.ids = slabs_[size].free;
  slabs_[size].free = number_of(list);
}

std::uint32_t* loose_ids::search(loose_ref list, id_t id) {
  if (size_of(list) == long_size) {
    auto& positions = long_at(list).positions;
    auto found = positions.find(id);
    return found == positions.end() ? nullptr : &found.value();
  }
  const block b = at(list);
  const std::uint32_t i = position_in(b.ids, *b.count, id);
  return i == *b.count ? nullptr : b.positions + i;
}

void loose_ids::insert_more(loose_ref& list, id_t id, std::uint32_t position) {
  KITH_ASSERT(!find(list, id), "an id is in a list once");
  const unsigned size = size_of(list);
  if (size != long_size && count_of(list) == capacity_of(size)) {
    if (size + 1 == long_size)
      lengthen(list);
    else
      enlarge(list, size + 1);
  }
  if (size_of(list) == long_size) {
    long_at(list).push_back(id, position);
    return;
  }

  const block b = at(list);
  std::uint32_t i = *b.count;
  for (; i > 0 && b.ids[i - 1] > id; --i) {
    b.ids[i] = b.ids[i - 1];
    b.positions[i] = b.positions[i - 1];
  }
  b.ids[i] = id;
  b.positions[i] = position;
  ++*b.count;
}

std::uint32_t loose_ids::count_of(loose_ref list) const {
  if (size_of(list) == long_size) return static_cast<std::uint32_t>(long_at(list).positions.size());
  return static_cast<std::uint32_t>(ids_of_short(list).size());
}

void loose_ids::enlarge(loose_ref& list, unsigned size) {
  const loose_ref larger = allocate(size);
  const block from = at(list);
  const block to = at(larger);
  const std::uint32_t count = from.count ? *from.count : 1;
  *to.count = count;
  std::memcpy(to.positions, from.positions, count * sizeof(std::uint32_t));
  std::memcpy(to.ids, from.ids, count * sizeof(id_t));
  free(list);
  list = larger;
}

void loose_ids::lengthen(loose_ref& list) {
  auto l = std::make_unique<long_list>();
  // With this, erase() has room for one id without taking memory.
  l->gone.reserve(1);
  for (id_t id : ids_of_short(list)) l->push_back(id, *find(list, id));
  if (free_long_.empty()) {
    make_room(long_);
    free_long_.reserve(long_.capacity());
    free_long_.push_back(static_cast<std::uint32_t>(long_.size()));
    long_.emplace_back();
  }
  const std::uint32_t number = free_long_.back();
  free_long_.pop_back();
  long_[number] = std::move(l);
  release(list);
  list = number << size_bits | long_size;
}

void loose_ids::reserve(loose_ref& list, std::uint32_t count) {
  if (count == 0) return;
  if (!list && count <= max_short) return reserve_new(1, count);
  const std::uint32_t total = (list ? count_of(list) : 0) + count;
  if (size_of(list) != long_size && total > max_short) lengthen(list);
  if (size_of(list) == long_size) return long_at(list).reserve(count);
  unsigned size = size_of(list);
  while (capacity_of(size) < total) ++size;
  if (size != size_of(list)) enlarge(list, size);
}

void loose_ids::reserve_new(std::size_t lists, std::uint32_t count) {
  for (unsigned size = 0; size < long_size; ++size) {
    reserve_blocks(size, lists);
    if (count <= capacity_of(size)) return;
  }
}

void loose_ids::reserve_blocks(unsigned size, std::size_t count) {
  slab& s = slabs_[size];
  std::size_t freed = 0;
  for (std::uint32_t f = s.free; f && freed < count; f = next_free(f << size_bits | size)) ++freed;
  while (freed + s.chunks.size() * blocks_per_chunk < s.used + count) add_chunk(size);
}

void loose_ids::erase_one_of_many(loose_ref& list, id_t id) noexcept {
  if (size_of(list) == long_size) {
    long_list& l = long_at(list);
    l.erase(id);
    // Half the length at which a list becomes long, so that a list near the limit does not change
    // back and forth.
    if (l.positions.size() > max_short / 2) return;
    shorten(list);
    return;
  }
  const block b = at(list);
  const std::uint32_t count = *b.count;
  const std::uint32_t i = position_in(b.ids, count, id);
  KITH_ASSERT(i != count, "only an id of the list can leave it");
  std::memmove(b.ids + i, b.ids + i + 1, (count - i - 1) * sizeof(id_t));
  std::memmove(b.positions + i, b.positions + i + 1, (count - i - 1) * sizeof(std::uint32_t));
  *b.count = count - 1;
  if (count == 1) release(list);
}

void loose_ids::shorten(loose_ref& list) noexcept {
  long_list& l = long_at(list);
  if (l.positions.empty()) return release(list);
  constexpr unsigned size = long_size - 2;
  // If there is no memory for the block, the list stays long.
  if (!try_allocate([&] { reserve_blocks(size, 1); })) return;
  l.settle();
  const loose_ref shorter = allocate(size);
  const block to = at(shorter);
  *to.count = 0;
  for (id_t i : l.ids) {
    to.positions[*to.count] = l.positions.at(i);
    to.ids[(*to.count)++] = i;
  }
  free(list);
  list = shorter;
}

void loose_ids::release(loose_ref& list) noexcept {
  if (list) free(list);
  list = 0;
}

void loose_ids::long_list::reserve(std::size_t count) {
  make_room(ids, count);
  make_room(positions, count);
  make_room(pairs, count);
}

void loose_ids::long_list::push_back(id_t id, std::uint32_t position) {
  ids.push_back(id);
  scope_exit undo([&] {
    ids.pop_back();
    positions.erase(id);
  });
  positions[id] = position;
  if (is_pair(id)) ++pairs[relation_of(id)];
  undo.dismiss();
  const std::size_t before = ids.size() - 1;
  if (sorted == before && (before == 0 || ids[before - 1] < id)) ++sorted;
}

void loose_ids::long_list::erase(id_t id) noexcept {
  positions.erase(id);
  if (!try_allocate([&] { make_room(gone); })) settle();
  gone.push_back(id);
  if (gone.size() > ids.size() / 2) settle();
  if (!is_pair(id)) return;
  auto left = pairs.find(relation_of(id));
  if (--left.value() == 0) pairs.erase(left);
}

void loose_ids::long_list::settle() noexcept {
  // Several threads may read settled lists at once, so this must not write to them.
  if (sorted == ids.size() && gone.empty()) return;
  if (sorted != ids.size()) {
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(sorted);
    std::sort(middle, ids.end());
    std::inplace_merge(ids.begin(), middle, ids.end());
  }
  if (gone.size() == 1) {
    ids.erase(std::lower_bound(ids.begin(), ids.end(), gone.front()));
  } else if (!gone.empty()) {
    std::sort(gone.begin(), gone.end());
    auto next = gone.begin();
    std::erase_if(ids, [&](id_t id) {
      const bool goes = next != gone.end() && *next == id;
      if (goes) ++next;
      return goes;
    });
  }
  gone.clear();
  sorted = ids.size();
}

std::span<const id_t> loose_ids::search_pairs(loose_ref list, std::uint32_t relation) const {
  if (size_of(list) == long_size && !long_at(list).pairs.contains(relation)) return {};
  const std::span<const id_t> all = ids(list);
  const auto first = std::lower_bound(all.begin(), all.end(), make_pair_of(relation, 0));
  const auto last = std::upper_bound(first, all.end(), make_pair_of(relation, 0xffff'ffff));
  return {first, last};
}

void loose_ids::settle() const {
  for (const auto& l : long_)
    if (l) l->settle();
}

}  // namespace kith::core
