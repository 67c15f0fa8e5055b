// A position in one particular sequence. Each sequence has its own type, so that a row cannot be
// used as a column.
#pragma once

#include <compare>
#include <cstdint>

namespace kith::core {

template <class Sequence>
struct strong_index {
  std::uint32_t value = none_value;

  constexpr strong_index() = default;
  constexpr explicit strong_index(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}

  static constexpr std::uint32_t none_value = 0xffff'ffff;
  static constexpr strong_index none() { return strong_index{}; }
  constexpr explicit operator bool() const { return value != none_value; }
  friend constexpr auto operator<=>(strong_index, strong_index) = default;
};

}  // namespace kith::core
