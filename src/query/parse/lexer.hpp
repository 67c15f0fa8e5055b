// Text into words and signs, one at a time.
//
//   Likes($x.friends, "odd name".pet)  →  Likes  (  $x.friends  ,  "odd name".pet  )
//
// A path is one token, so no blanks stand inside it. What is no token of the language becomes a token of
// the kind `bad` that says why: an error counts only if the parser gets that far. After a bad one
// nothing more can be read.
#pragma once

#include <string>
#include <string_view>

#include "entity/path.hpp"
#include "query/model/expression.hpp"

namespace kith::core {

// Some editors put a mark before a text in UTF-8; it is no part of the text.
std::string_view without_byte_order_mark(std::string_view text);

struct token {
  enum class kind : std::uint8_t {
    end,
    new_line,   // only where lines count
    name,       // `path`
    variable,   // `$x`, `This`: `word`, and the children looked up are `path.names`
    parameter,  // `@x`: likewise
    dollar,     // `$` alone
    number,     // only from next_value()
    sign,       // ( ) [ ] { } , ; : | || ! ? * == != ~=
    bad,        // `word` says why
  };

  kind is = kind::end;
  bool is_quoted = false;  // one name, in quotes
  std::string_view text;   // as written
  std::string word;
  parsed_path path;
  text_range at;
  std::size_t start = 0;  // of the token, in characters from the start of the text
};

class lexer {
 public:
  explicit lexer(std::string_view text);

  // While lines count, a line break is a token; else it is white space.
  void set_lines_count(bool lines_count) { lines_count_ = lines_count; }

  token next();
  // As next(), but digits with a point, an exponent or a minus sign are a number.
  token next_value();

 private:
  // A place in the text.
  struct place {
    std::size_t offset = 0;  // in bytes
    std::size_t index = 0;   // in characters
    std::uint32_t line = 1;
    std::uint32_t column = 1;
  };

  bool at_end() const { return here_.offset == text_.size(); }
  std::string_view rest() const { return text_.substr(here_.offset); }
  bool is_at(std::string_view sign) const { return rest().starts_with(sign); }
  bool is_at_word() const;
  bool is_at_name() const { return is_at("\"") || is_at_word(); }
  // Over a character. Requires: it is valid.
  void step();
  void step_over(std::string_view ascii);
  // Over blanks and comments; false, and `bad` says why, if something in a comment is no text.
  bool skip_blanks(token& bad);

  // Each leaves what it read in `t` and returns false after it made `t` bad.
  bool read_word(std::string& word);
  bool read_quoted(token& t, std::string& text);
  bool read_name(token& t, std::string& name);
  bool read_children(token& t);
  bool read_number_sign(token& t);
  bool read_path(token& t);
  bool read_variable(token& t);
  bool read_token(token& t);

  // Both return false. The place of the token is where the lexer stands.
  bool spoil(token& t, std::string why);
  bool spoil_character(token& t);
  token finish(token t, place from) const;

  std::string_view text_;
  place here_;
  bool lines_count_ = false;
};

}  // namespace kith::core
