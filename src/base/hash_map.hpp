// The one hash map of the library, behind an alias so that it can be replaced (docs/adr/0001).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

namespace kith::core {

// Spreads all bits of a key over all bits of the result; ids differ in few bits.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e37'79b9'7f4a'7c15;
  x ^= x >> 29;
  return x;
}

struct mixing_hash {
  std::size_t operator()(std::uint64_t x) const noexcept { return mix(x); }
};

template <class Key, class Value, class Hash = mixing_hash, class Equal = std::equal_to<Key>>
using hash_map = tsl::robin_map<Key, Value, Hash, Equal>;
template <class Key, class Hash, class Equal>
using hash_set = tsl::robin_set<Key, Hash, Equal>;

}  // namespace kith::core
