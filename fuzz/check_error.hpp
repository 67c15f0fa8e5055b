// Checks what must hold for every error of the parsers.
#pragma once

#include <cstdlib>
#include <string_view>

#include <kith/detail/error.hpp>

#include "base/utf8.hpp"

// Stops the fuzzer, which then saves the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// The error has a position in the text and a printable message.
inline void check_error(const kith::error& e, std::string_view text) {
  require(e.code() == kith::errc::parse);
  std::size_t lines = 1;
  for (char c : text) lines += c == '\n';
  require(e.position().line >= 1 && e.position().line <= lines);
  require(e.position().column >= 1 && e.position().column <= text.size() + 1);
  const std::string_view message = e.what();
  for (std::size_t at = 0; at < message.size();) {
    const auto c = kith::core::decode_utf8(message, at);
    require(c.length > 0);
    at += c.length;
  }
}
