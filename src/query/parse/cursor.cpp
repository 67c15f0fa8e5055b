#include "query/parse/cursor.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "query/model/words.hpp"
#include "query/parse/parse.hpp"

namespace kith::core {

namespace {

// The path as entity_name::path has it: `game.units."odd name"`.
std::string stored_path(const parsed_path& path) {
  std::string text = path.from_root ? "::" : "";
  if (path.number) text += concat("#", std::to_string(path.number));
  bool is_first = path.number == 0;
  for (const std::string& name : path.names) {
    if (!is_first) text += '.';
    is_first = false;
    if (is_word(name)) {
      text += name;
      continue;
    }
    // parse_path() reads this text; it needs a backslash before a quote and before a backslash.
    text += '"';
    for (char c : name) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

}  // namespace

std::string in_apostrophes(std::string_view text) {
  constexpr std::size_t shown = 40;
  std::size_t end = 0;
  for (std::size_t i = 0; i < shown && end < text.size(); ++i)
    end += std::max<std::size_t>(decode_utf8(text, end).length, 1);
  return concat("'", text.substr(0, end), end < text.size() ? "..." : "", "'");
}

std::string did_you_mean(std::string_view word, std::string_view otherwise) {
  return word.empty() ? std::string(otherwise) : concat("did you mean '", word, "'?");
}

std::string not_closed(std::string_view sign, const text_range& at) {
  return concat("the '", sign, "' at ", std::to_string(at.line), ":", std::to_string(at.column),
                " is not closed");
}

cursor::cursor(std::string_view text, bool lines_count) : text_(text), lexer_(text), before_(text) {
  lexer_.set_lines_count(lines_count);
  before_ = lexer_;
  now_ = lexer_.next();
}

bool cursor::is_sign(std::string_view sign) const {
  return now_.is == token::kind::sign && now_.text == sign;
}

bool cursor::is_plain_word() const {
  return now_.is == token::kind::name && !now_.is_quoted && now_.path.names.size() == 1 &&
         !now_.path.from_root && now_.path.number == 0;
}

bool cursor::is_word(std::string_view lower) const {
  return is_plain_word() && is_keyword(now_.text, lower);
}

token cursor::ahead() const {
  lexer copy = lexer_;
  return copy.next();
}

void cursor::step() {
  last_end_ = now_.start + now_.at.length;
  before_ = lexer_;
  now_ = lexer_.next();
}

void cursor::read_as_value() {
  lexer_ = before_;
  now_ = lexer_.next_value();
}

bool cursor::accept(std::string_view sign) {
  if (!is_sign(sign)) return false;
  step();
  return true;
}

bool cursor::expect(std::string_view sign) {
  return accept(sign) || fail_expected(concat("'", sign, "'"));
}

bool cursor::take_entity(entity_name& name, std::string_view what) {
  if (now_.is != token::kind::name || now_.text == "_") return fail_expected(what);
  if (!now_.path.names.empty() && now_.path.names.front().empty())
    return fail(now_.at, "a name is never empty");
  name = {.path = stored_path(now_.path), .entity = 0, .at = now_.at};
  step();
  return true;
}

bool cursor::take_plain_name(std::string& name, std::string_view what) {
  if (!is_plain_word() && !now_.is_quoted) return fail_expected(what);
  if (now_.path.names.front().empty()) return fail(now_.at, "a name is never empty");
  name = now_.path.names.front();
  step();
  return true;
}

text_range cursor::range_from(std::size_t start, text_range at) const {
  at.length = static_cast<std::uint32_t>(last_end_ - start);
  return at;
}

bool cursor::fail(const text_range& where, std::string_view message, std::string_view hint) {
  error_ = error_at(errc::parse, text_, where, message, hint);
  return false;
}

bool cursor::fail_expected(std::string_view what, std::string_view hint) {
  if (now_.is == token::kind::bad) return fail(now_.at, now_.word);
  return fail(now_.at, concat("expected ", what, ", found ", found()), hint);
}

std::string cursor::found() const {
  if (now_.is == token::kind::end) return "the end of the text";
  if (now_.is == token::kind::new_line) return "the end of the line";
  return in_apostrophes(now_.text);
}

}  // namespace kith::core
