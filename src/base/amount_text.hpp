// An amount for a message.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace kith::core {

// `1 entity`, `2 entities`, `0.5 seconds`
inline std::string amount_text(double amount, std::string_view one, std::string_view many) {
  constexpr std::size_t room = 48;
  char text[room];
  std::snprintf(text, room, "%.15g ", amount);
  std::string all = text;
  return all += amount == 1 ? one : many;
}

}  // namespace kith::core
