// The constants of enums. The compiler knows their names and no list of them, so values are tried:
// 0 to 127, -8 to -1, and the powers of two.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kith::core {

struct constant_desc {
  std::string_view name;
  std::int64_t value = 0;
};

template <auto... Values>
constexpr std::string_view written_values() {
  return __PRETTY_FUNCTION__;
}

template <class E>
constexpr std::int64_t tried_value(std::size_t n) {
  return n < 8     ? static_cast<std::int64_t>(n) - 8
         : n < 136 ? static_cast<std::int64_t>(n) - 8
                   : std::int64_t{1} << (n - 136 + 7);
}
inline constexpr std::size_t tried_values = 136 + 25;

// The values, as the compiler writes them: names, or numbers with a cast.
template <class E, std::size_t... I>
constexpr std::string_view written_values_of(std::index_sequence<I...>) {
  return written_values<std::bit_cast<E>(
      static_cast<std::underlying_type_t<E>>(tried_value<E>(I)))...>();
}

// Adds the names of a list such as `Color::Red, (Color)1, ...`.
std::vector<constant_desc> constants_in(std::string_view written, std::size_t size, bool is_signed);

// In the order of the values that are tried.
template <class E>
const std::vector<constant_desc>& constants_of() {
  using number = std::underlying_type_t<E>;
  static const std::vector<constant_desc> all =
      constants_in(written_values_of<E>(std::make_index_sequence<tried_values>()), sizeof(E),
                   std::is_signed_v<number>);
  return all;
}

// The name of a constant; empty if the enum has none with this value.
template <class E>
std::string_view constant_name(E value) {
  for (const constant_desc& c : constants_of<E>())
    if (c.value == static_cast<std::int64_t>(value)) return c.name;
  return {};
}

}  // namespace kith::core
