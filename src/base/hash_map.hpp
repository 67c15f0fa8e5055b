// The only hash map of the library, behind an alias so that it can be replaced (docs/adr/0001).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

namespace kith::core {

// Each bit of the key changes about half the bits of the result. Ids differ in few bits, so they
// would collide if they were their own hashes.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e37'79b9'7f4a'7c15;
  x ^= x >> 29;
  return x;
}

// The same for a list. Two values per step, so that the processor multiplies them in parallel.
template <std::size_t Extent>
constexpr std::uint64_t mix_all(std::span<const std::uint64_t, Extent> list) {
  constexpr std::uint64_t first = 0x9e37'79b9'7f4a'7c15, second = 0xc2b2'ae3d'27d4'eb4f;
  std::uint64_t hash = list.size();
  std::size_t i = 0;
  for (; i + 2 <= list.size(); i += 2) hash = mix(hash + list[i] * first + list[i + 1] * second);
  return i < list.size() ? mix(hash + list[i] * first) : hash;
}

struct mixing_hash {
  std::size_t operator()(std::uint64_t x) const noexcept { return mix(x); }
  std::size_t operator()(const void* p) const noexcept {
    return mix(reinterpret_cast<std::uintptr_t>(p));
  }
};

template <class Key, class Value, class Hash = mixing_hash, class Equal = std::equal_to<Key>>
using hash_map = tsl::robin_map<Key, Value, Hash, Equal>;
// With `KeepHashes` the set stores 32 bits of each hash beside its key and compares them first;
// this pays for keys that are slow to compare.
template <class Key, class Hash, class Equal, bool KeepHashes = false>
using hash_set = tsl::robin_set<Key, Hash, Equal, std::allocator<Key>, KeepHashes>;

}  // namespace kith::core
