// Reads the characters of a UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace kith::core {

struct utf8_character {
  char32_t code = 0;
  // In bytes; 0 if the bytes are not a character: cut short, overlong, a surrogate or too large.
  std::size_t length = 0;
};

// The character that starts at `at`. Requires: at < text.size().
constexpr utf8_character decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead < 0xc2   ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || text.size() - at < length) return {};
  char32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(at + i) & 0x3fu);
  }
  const bool is_overlong = code < (length == 3 ? 0x800u : length == 4 ? 0x10000u : 0x80u);
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (is_overlong || is_surrogate || code > 0x10ffff) return {};
  return {code, length};
}

}  // namespace kith::core
