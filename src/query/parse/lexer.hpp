// Splits a text into tokens, one at a time.
//
//   Likes($x.friends, "odd name".pet)  →  Likes  (  $x.friends  ,  "odd name".pet  )
//
// A path is one token and contains no blanks. A text that is no token becomes a token of the kind
// `bad` with an error message; the parser reports it if no earlier token is wrong. The lexer cannot
// read on after a bad token.
#pragma once

#include <string>
#include <string_view>

#include "entity/path.hpp"
#include "query/model/expression.hpp"

namespace kith::core {

// Some editors write a byte order mark before a UTF-8 text; it is no part of the text.
std::string_view without_byte_order_mark(std::string_view text);

struct token {
  enum class kind : std::uint8_t {
    end,
    new_line,   // only while lines count
    name,       // `path`
    variable,   // `$x`, `This`: `word` is the name; `path.names` are the children, `$x.cockpit`
    parameter,  // `@x`, with the same members
    dollar,     // `$` alone
    number,     // only from next_value()
    sign,       // ( ) [ ] { } , ; : | || ! ? * == != ~=
    bad,        // `word` is the error message
  };

  kind is = kind::end;
  bool is_quoted = false;  // a single name in quotes
  std::string_view text;   // as written
  std::string word;
  parsed_path path;
  text_range at;
  std::size_t start = 0;  // the characters before the token
};

class lexer {
 public:
  explicit lexer(std::string_view text);

  // While lines count, a line break is a token; otherwise it is white space.
  void set_lines_count(bool lines_count) { lines_count_ = lines_count; }

  token next();
  // Like next(), but reads numbers: digits, also with a point, an exponent or a minus sign.
  token next_value();

 private:
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
  // Moves over one character. Requires: the character is valid UTF-8.
  void step();
  void step_over(std::string_view ascii);
  // Moves over blanks and comments. Returns false and fills `bad` if a comment contains an invalid
  // character.
  bool skip_blanks(token& bad);

  // Each puts what it reads into `t`, or makes `t` bad and returns false.
  bool read_word(std::string& word);
  bool read_quoted(token& t, std::string& text);
  bool read_name(token& t, std::string& name);
  bool read_children(token& t);
  bool read_number_sign(token& t);
  bool read_path(token& t);
  bool read_variable(token& t);
  bool read_token(token& t);

  // Both make `t` a bad token at the current position and return false.
  bool spoil(token& t, std::string why);
  bool spoil_character(token& t);
  token finish(token t, place from) const;

  std::string_view text_;
  place here_;
  bool lines_count_ = false;
};

}  // namespace kith::core
