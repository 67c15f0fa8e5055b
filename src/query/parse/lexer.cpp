#include "query/parse/lexer.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "base/escape.hpp"
#include "base/utf8.hpp"
#include "query/model/words.hpp"

namespace kith::core {

namespace {

// A longer sign comes before the signs that it begins with.
constexpr std::array<std::string_view, 17> signs = {"||", "==", "!=", "~=", "(", ")", "[", "]", "{",
                                                    "}",  ",",  ";",  ":",  "|", "!", "?", "*"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `U+0007`
std::string code_point(char32_t c) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                 static_cast<std::uint32_t>(c), 16);
  std::string text(digits.data(), end.ptr);
  for (char& digit : text)
    if (digit >= 'a') digit = static_cast<char>(digit - 32);
  return concat("U+", std::string(text.size() < 4 ? 4 - text.size() : 0, '0'), text);
}

// The number of digits in `text` from `at` on.
std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

// The length of the number at the beginning of `text`, such as -12, 1.5, 2e-3, -inf; 0 if there is
// none.
std::size_t number_length(std::string_view text) {
  std::size_t end = text.starts_with('-') ? 1 : 0;
  if (end == 1 && (is_keyword(text.substr(1, 3), "inf") || is_keyword(text.substr(1, 3), "nan")))
    return 4;
  const std::size_t whole = digits_at(text, end);
  if (whole == 0) return 0;
  end += whole;
  if (text.substr(end).starts_with('.'))
    if (const std::size_t digits = digits_at(text, end + 1)) end += 1 + digits;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool is_signed = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
    const std::size_t first = end + (is_signed ? 2 : 1);
    if (const std::size_t digits = digits_at(text, first)) end = first + digits;
  }
  return end;
}

}  // namespace

lexer::lexer(std::string_view text) : text_(without_byte_order_mark(text)) {}

token lexer::next() {
  token t;
  if (!skip_blanks(t)) return t;
  const place from = here_;
  if (!read_token(t)) return t;
  return finish(std::move(t), from);
}

token lexer::next_value() {
  token t;
  if (!skip_blanks(t)) return t;
  const place from = here_;
  const std::size_t length = number_length(rest());
  if (length > 0) {
    step_over(rest().substr(0, length));
    // `2nd` and `1.5.wheel` are names although they begin with digits.
    if (!is_at_word() && !is_at(".") && !is_at("::")) {
      t.is = token::kind::number;
      return finish(std::move(t), from);
    }
    here_ = from;
  }
  if (is_at("-")) {
    spoil(t, "expected a number after '-'");
    return t;
  }
  return next();
}

token lexer::finish(token t, place from) const {
  t.text = text_.substr(from.offset, here_.offset - from.offset);
  t.start = from.index;
  t.at = {from.line, from.column, static_cast<std::uint32_t>(here_.index - from.index)};
  return t;
}

bool lexer::is_at_word() const {
  if (at_end()) return false;
  const utf8_character c = decode_utf8(text_, here_.offset);
  return c.length > 0 && is_word_character(c.code);
}

void lexer::step() {
  const bool ends_line = text_[here_.offset] == '\n';
  here_.offset += decode_utf8(text_, here_.offset).length;
  ++here_.index;
  ++here_.column;
  if (ends_line) {
    ++here_.line;
    here_.column = 1;
  }
}

void lexer::step_over(std::string_view ascii) {
  for (std::size_t i = 0; i < ascii.size(); ++i) step();
}

bool lexer::spoil(token& t, std::string why) {
  t = token{};
  t.is = token::kind::bad;
  t.word = std::move(why);
  t.start = here_.index;
  t.at = {here_.line, here_.column, 1};
  return false;
}

bool lexer::spoil_character(token& t) {
  const utf8_character c = decode_utf8(text_, here_.offset);
  if (c.length == 0) return spoil(t, "the text is not valid UTF-8");
  if (is_control_character(c.code))
    return spoil(t, concat("unexpected control character ", code_point(c.code)));
  if (c.code >= 0x80 && !is_word_character(c.code))
    return spoil(
        t, concat("the invisible character ", code_point(c.code), " can stand only in quotes"));
  return spoil(t, concat("unexpected character '", text_.substr(here_.offset, c.length), "'"));
}

bool lexer::skip_blanks(token& bad) {
  bool in_comment = false;
  for (; !at_end(); step()) {
    if (is_at("\n")) {
      if (lines_count_) return true;
      in_comment = false;
      continue;
    }
    if (is_at(" ") || is_at("\t") || is_at("\r")) continue;
    in_comment = in_comment || is_at("//");
    if (!in_comment) return true;
    const utf8_character c = decode_utf8(text_, here_.offset);
    if (c.length == 0 || is_control_character(c.code)) return spoil_character(bad);
  }
  return true;
}

bool lexer::read_token(token& t) {
  if (at_end()) {
    t.is = token::kind::end;
    return true;
  }
  if (is_at("\n")) {
    t.is = token::kind::new_line;
    step();
    return true;
  }
  if (is_at("$") || is_at("@")) return read_variable(t);
  if (is_at_name() || is_at("::") || is_at("#")) return read_path(t);
  for (std::string_view sign : signs) {
    if (!is_at(sign)) continue;
    t.is = token::kind::sign;
    step_over(sign);
    return true;
  }
  if (is_at("=")) return spoil(t, "unexpected '='; equality is written '=='");
  if (is_at("&")) return spoil(t, "unexpected '&'; terms that must all hold are written A, B");
  if (is_at(".")) return spoil(t, "expected a name before '.'");
  return spoil_character(t);
}

bool lexer::read_word(std::string& word) {
  const std::size_t from = here_.offset;
  while (is_at_word()) step();
  word = text_.substr(from, here_.offset - from);
  return !word.empty();
}

bool lexer::read_quoted(token& t, std::string& text) {
  const place open = here_;
  step();
  while (!is_at("\"")) {
    if (at_end() || is_at("\n")) {
      here_ = open;
      return spoil(t, "the quote does not end");
    }
    const utf8_character c = decode_utf8(text_, here_.offset);
    if (c.length == 0 || (is_control_character(c.code) && c.code != '\t'))
      return spoil_character(t);
    if (c.code != '\\') {
      text.append(text_, here_.offset, c.length);
      step();
      continue;
    }
    const escape found = read_escape(rest());
    if (!found.length) return spoil(t, std::string(found.why));
    text += found.value;
    step_over(rest().substr(0, found.length));
  }
  step();
  return true;
}

bool lexer::read_name(token& t, std::string& name) {
  if (!is_at("\"")) return read_word(name) || spoil(t, "expected a name");
  if (!read_quoted(t, name)) return false;
  return !is_at_name() || spoil(t, "expected a blank or a sign after the quote");
}

bool lexer::read_children(token& t) {
  while (is_at(".") || is_at("::")) {
    const std::string_view separator = is_at(".") ? "." : "::";
    step_over(separator);
    if (!is_at_name()) return spoil(t, concat("expected a name after '", separator, "'"));
    const place from = here_;
    std::string name;
    if (!read_name(t, name)) return false;
    if (name.empty()) {
      here_ = from;
      return spoil(t, "a name is never empty");
    }
    t.path.names.push_back(std::move(name));
  }
  return true;
}

bool lexer::read_number_sign(token& t) {
  const place from = here_;
  step();
  const std::string_view digits = rest().substr(0, digits_at(rest(), 0));
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), t.path.number);
  if (code != std::errc{} || t.path.number == 0) {
    here_ = from;
    return spoil(t, "expected the number of an entity after '#'");
  }
  step_over(digits);
  if (is_at_name()) return spoil(t, "expected a blank or a sign after the number");
  return true;
}

bool lexer::read_path(token& t) {
  t.is = token::kind::name;
  if (is_at("#")) return read_number_sign(t) && read_children(t);
  if (is_at("::")) {
    t.path.from_root = true;
    return read_children(t);
  }
  const bool starts_with_quote = is_at("\"");
  std::string name;
  if (!read_name(t, name)) return false;
  if (!starts_with_quote && name == "This") {
    t.is = token::kind::variable;
    t.word = "this";
    return read_children(t);
  }
  t.path.names.push_back(std::move(name));
  if (!read_children(t)) return false;
  t.is_quoted = starts_with_quote && t.path.names.size() == 1;
  return true;
}

bool lexer::read_variable(token& t) {
  const char sign = text_[here_.offset];
  step();
  if (!read_word(t.word)) {
    if (sign == '@') return spoil(t, "expected a name after '@'");
    t.is = token::kind::dollar;
    return true;
  }
  t.is = sign == '@' ? token::kind::parameter : token::kind::variable;
  if (t.word == "This") t.word = "this";
  return read_children(t);
}

}  // namespace kith::core
