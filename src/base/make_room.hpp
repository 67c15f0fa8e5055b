// Makes room before a change, so that the change itself cannot fail.
//
//     make_room(list);      // may throw
//     make_room(map, 2);    // may throw
//     list.push_back(x);    // from here on nothing throws
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kith::core {

// After this, appending `count` elements takes no memory. Amortised O(1), as push_back.
template <class T>
void make_room(std::vector<T>& list, std::size_t count = 1) {
  if (list.capacity() - list.size() >= count) return;
  list.reserve(std::max(list.size() + count, 2 * list.size()));
}

// After this, inserting `count` keys takes no memory. (The map would grow if an insert probed more
// than 8192 buckets, but mixed hashes do not cause that.)
template <class Map>
requires requires(const Map& map) { map.max_load_factor(); }
void make_room(Map& map, std::size_t count = 1) {
  const std::size_t wanted = map.size() + count;
  const float limit = static_cast<float>(map.bucket_count()) * map.max_load_factor();
  // Bucket counts are powers of two, so the map grows by doubling, as it does when keys are
  // inserted.
  if (wanted > static_cast<std::size_t>(limit)) map.reserve(wanted);
}

}  // namespace kith::core
