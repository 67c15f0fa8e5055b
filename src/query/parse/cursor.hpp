// The position of a parser in its text, and the first error that it met.
//
// A function of a parser returns false after an error, and its callers then return false too.
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
  // Whether now() is one name without quotes that is this keyword. Requires: `lower` is lower case.
  bool is_word(std::string_view lower) const;
  // Whether now() is one name without quotes.
  bool is_plain_word() const;
  // The token after now().
  token ahead() const;

  void step();
  bool accept(std::string_view sign);
  // Steps over the sign; fails if now() is another token.
  bool expect(std::string_view sign);
  // Reads now() again with lexer::next_value(), so that it can be a number.
  void read_as_value();
  // Has an effect from the token after now() on.
  void set_lines_count(bool lines_count) { lexer_.set_lines_count(lines_count); }

  // Reads the entity that now() names and steps over it. `what` names it in an error.
  bool take_entity(entity_name& name, std::string_view what);
  // The same for a name of one part, such as the name of a member.
  bool take_plain_name(std::string& name, std::string_view what);

  // The range from `first` to the last token that was stepped over.
  text_range range_from(const token& first) const { return range_from(first.start, first.at); }
  text_range range_from(std::size_t start, text_range at) const;

  // Both record the error and return false.
  bool fail(const text_range& where, std::string_view message, std::string_view hint = {});
  bool fail_expected(std::string_view what, std::string_view hint = {});

  // Requires: has_failed().
  const kith::error& error() const { return *error_; }
  bool has_failed() const { return error_.has_value(); }

 private:
  std::string found() const;

  std::string_view text_;
  lexer lexer_;
  // The state of lexer_ before it read now_.
  lexer before_;
  token now_;
  std::size_t last_end_ = 0;  // of the last token stepped over, in characters
  std::optional<kith::error> error_;
};

// The text between apostrophes, shortened if it is long.
std::string in_apostrophes(std::string_view text);
// The hint `did you mean 'up'?`, or `otherwise` if `word` is empty.
std::string did_you_mean(std::string_view word, std::string_view otherwise = {});
// The hint `the '{' at 1:5 is not closed`.
std::string not_closed(std::string_view sign, const text_range& at);

}  // namespace kith::core
