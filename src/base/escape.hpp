// Escapes inside quotes: \" \\ \n \r \t, and \xHH for any byte.
#pragma once

#include <cstddef>
#include <string_view>

namespace kith::core {

struct escape {
  char value = 0;
  std::size_t length = 0;  // with the backslash; 0 if the text is no escape
  std::string_view why;    // the error message in that case
};

constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Requires: `text` starts with a backslash.
constexpr escape read_escape(std::string_view text) {
  switch (text.size() > 1 ? text[1] : '\0') {
    case '"':
      return {'"', 2, {}};
    case '\\':
      return {'\\', 2, {}};
    case 'n':
      return {'\n', 2, {}};
    case 'r':
      return {'\r', 2, {}};
    case 't':
      return {'\t', 2, {}};
    case 'x':
      if (text.size() < 4 || hex_value(text[2]) < 0 || hex_value(text[3]) < 0)
        return {0, 0, "expected two hexadecimal digits after '\\x'"};
      return {static_cast<char>(hex_value(text[2]) * 16 + hex_value(text[3])), 4, {}};
  }
  return {0, 0, "expected one of \" \\ n r t x after '\\'"};
}

}  // namespace kith::core
