// Where a parser stands in its text, and the first error it met.
//
// Functions of the parsers return false once there is an error, and nobody reads on after that.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <kith/detail/error.hpp>

#include "query/model/expression.hpp"
#include "query/parse/lexer.hpp"

namespace kith::core {

class cursor {
 public:
  cursor(std::string_view text, bool lines_count);

  const token& now() const { return now_; }
  bool is_end() const { return now_.is == token::kind::end; }
  bool is_sign(std::string_view sign) const;
  // One name without quotes that is this keyword. Requires: `lower` is in lower case.
  bool is_word(std::string_view lower) const;
  // One name without quotes.
  bool is_plain_word() const;
  // What comes after now().
  token ahead() const;

  void step();
  bool accept(std::string_view sign);
  // Steps over the sign, or fails.
  bool expect(std::string_view sign);
  // now() becomes a number if it is the start of one.
  void read_as_value();
  // Takes effect with the token after now().
  void set_lines_count(bool lines_count) { lexer_.set_lines_count(lines_count); }

  // The entity that now() names, and a step over it. `what` is what is expected there.
  bool take_entity(entity_name& name, std::string_view what);
  // A name of one part and no other: a member.
  bool take_plain_name(std::string& name, std::string_view what);

  // From `first` to the last token that was stepped over.
  text_range range_from(const token& first) const { return range_from(first.start, first.at); }
  text_range range_from(std::size_t start, text_range at) const;

  // All return false.
  bool fail(const text_range& where, std::string_view message, std::string_view hint = {});
  bool fail_expected(std::string_view what, std::string_view hint = {});

  // Requires: has_failed().
  const kith::error& error() const { return *error_; }
  bool has_failed() const { return error_.has_value(); }

 private:
  std::string found() const;

  std::string_view text_;
  lexer lexer_;
  // Before now_ was read.
  lexer before_;
  token now_;
  std::size_t last_end_ = 0;  // of the last token stepped over, in characters
  std::optional<kith::error> error_;
};

// `'Positon'`, cut if it is long.
std::string in_apostrophes(std::string_view text);
// A hint: `did you mean 'up'?`; `otherwise` if there is no such word.
std::string did_you_mean(std::string_view word, std::string_view otherwise = {});
// A hint: `the '{' at 1:5 is not closed`.
std::string not_closed(std::string_view sign, const text_range& at);

}  // namespace kith::core
