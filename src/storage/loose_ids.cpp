#include "storage/loose_ids.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"

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

void loose_ids::free(loose_ref list) {
  const unsigned size = size_of(list);
  if (size == long_size) {
    long_[number_of(list)].reset();
    free_long_.push_back(number_of(list));
  } else {
    slabs_[size].free.push_back(number_of(list));
  }
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
  if (size_of(list) == long_size) {
    long_at(list).push_back(id, position);
    return;
  }

  block b = at(list);
  const std::uint32_t count = b.count ? *b.count : 1;
  const unsigned size = size_of(list);
  if (count == capacity_of(size)) {
    if (size + 1 == long_size) {
      std::unique_ptr<long_list> l;
      if (spare_long_.empty()) {
        l = std::make_unique<long_list>();
      } else {
        l = std::move(spare_long_.back());
        spare_long_.pop_back();
      }
      for (std::uint32_t i = 0; i < count; ++i) l->push_back(b.ids[i], b.positions[i]);
      std::uint32_t number;
      if (!free_long_.empty()) {
        number = free_long_.back();
        free_long_.pop_back();
        long_[number] = std::move(l);
      } else {
        number = static_cast<std::uint32_t>(long_.size());
        long_.push_back(std::move(l));
      }
      free(list);
      list = number << size_bits | long_size;
      return insert_more(list, id, position);
    }
    const loose_ref larger = allocate(size + 1);
    const block to = at(larger);
    *to.count = count;
    std::memcpy(to.positions, b.positions, count * sizeof(std::uint32_t));
    std::memcpy(to.ids, b.ids, count * sizeof(id_t));
    free(list);
    list = larger;
    b = to;
  }
  std::uint32_t i = count;
  for (; i > 0 && b.ids[i - 1] > id; --i) {
    b.ids[i] = b.ids[i - 1];
    b.positions[i] = b.positions[i - 1];
  }
  b.ids[i] = id;
  b.positions[i] = position;
  *b.count = count + 1;
}

void loose_ids::erase_one_of_many(loose_ref& list, id_t id) {
  if (size_of(list) == long_size) {
    long_list& l = long_at(list);
    l.erase(id);
    // Half of what makes a list long, so that a list at the border does not go to and fro.
    if (l.positions.size() > max_short / 2) return;
    l.settle();
    const loose_ref shorter = allocate(long_size - 2);
    const block to = at(shorter);
    *to.count = 0;
    for (id_t i : l.ids) {
      to.positions[*to.count] = l.positions.at(i);
      to.ids[(*to.count)++] = i;
    }
    free(list);
    list = shorter;
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

void loose_ids::plan(room& r, loose_ref list, std::size_t count, std::size_t times) {
  if (!count) return;
  if (size_of(list) == long_size) return long_at(list).reserve(count);
  const std::size_t before = ids(list).size();
  const std::size_t after = before + count;
  for (unsigned size = 0; size < long_size; ++size)
    if (after > before && capacity_of(size) > before && (!size || capacity_of(size - 1) < after))
      r.blocks[size] += times;
  if (after <= max_short) return;
  r.long_lists += times;
  r.longest = std::max(r.longest, after);
}

void loose_ids::reserve(const room& r) {
  for (unsigned size = 0; size < long_size; ++size) {
    const slab& s = slabs_[size];
    while (s.chunks.size() * blocks_per_chunk <
           s.used + r.blocks[size] - std::min(r.blocks[size], s.free.size()))
      add_chunk(size);
  }
  if (!r.long_lists) return;
  long_.reserve(long_.size() + r.long_lists);
  spare_long_.reserve(r.long_lists);
  while (spare_long_.size() < r.long_lists) spare_long_.push_back(std::make_unique<long_list>());
  for (const auto& spare : spare_long_) spare->reserve(r.longest);
}

void loose_ids::long_list::reserve(std::size_t count) {
  if (ids.size() + count > ids.capacity())
    ids.reserve(std::max(ids.size() + count, ids.size() * 2));
  make_room(positions, count);
  make_room(pairs, count);
}

void loose_ids::release(loose_ref& list) {
  if (list) free(list);
  list = 0;
}

void loose_ids::long_list::push_back(id_t id, std::uint32_t position) {
  if (sorted == ids.size() && (ids.empty() || ids.back() < id)) ++sorted;
  ids.push_back(id);
  positions[id] = position;
  if (is_pair(id)) ++pairs[relation_of(id)];
}

void loose_ids::long_list::erase(id_t id) {
  positions.erase(id);
  gone.push_back(id);
  if (gone.size() > ids.size() / 2) settle();
  if (!is_pair(id)) return;
  auto left = pairs.find(relation_of(id));
  if (--left.value() == 0) pairs.erase(left);
}

void loose_ids::long_list::settle() {
  // What is settled is only read, also by several threads.
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
