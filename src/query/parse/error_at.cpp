#include <algorithm>
#include <string>

#include "base/utf8.hpp"
#include "query/model/words.hpp"
#include "query/parse/lexer.hpp"
#include "query/parse/parse.hpp"

namespace kith::core {

namespace {

// The characters of a long line that are shown before and after the position.
constexpr std::size_t shown_before = 60;
constexpr std::size_t shown_after = 60;

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// A line as it is printed. Every character takes one column, unprintable ones included.
struct shown_line {
  std::string text;
  std::size_t carets_from = 0;
  std::size_t carets = 0;
};

shown_line show(std::string_view line, std::size_t column, std::size_t length) {
  const std::size_t from = column > shown_before ? column - shown_before : 0;
  const std::size_t to = column + shown_after;
  shown_line shown;
  std::size_t index = 0;
  for (std::size_t at = 0; at < line.size(); ++index) {
    const utf8_character c = decode_utf8(line, at);
    if (index >= to) {
      shown.text += "...";
      break;
    }
    if (index >= from) {
      if (c.length == 0 || (is_control_character(c.code) && c.code != '\t'))
        shown.text += "\xef\xbf\xbd";
      else if (c.code == '\t')
        shown.text += ' ';
      else
        shown.text.append(line, at, c.length);
    }
    at += std::max<std::size_t>(c.length, 1);
  }
  shown.carets_from = column - from;
  const std::size_t end = std::min(column + length, index);
  shown.carets = end > column ? end - column : 1;
  if (from > 0) {
    shown.text.insert(0, "...");
    shown.carets_from += 3;
  }
  return shown;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

error error_at(errc code, std::string_view text, const text_range& where, std::string_view message,
               std::string_view hint) {
  if (where.line == 0) {
    if (hint.empty()) return error(code, std::string(message));
    return error(code, concat(message, "; ", hint));
  }
  const std::string_view line = line_of(without_byte_order_mark(text), where.line);
  const shown_line shown = show(line, where.column - 1, where.length);
  return error(code,
               concat(std::to_string(where.line), ":", std::to_string(where.column), ": ", message,
                      "\n  ", shown.text, "\n  ", std::string(shown.carets_from, ' '),
                      std::string(shown.carets, '^'), hint.empty() ? "" : " ", hint),
               {where.line, where.column});
}

}  // namespace kith::core
