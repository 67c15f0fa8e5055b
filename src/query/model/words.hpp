// Decides what is a word of the language, and writes names and texts.
//
//   Position  größe  2nd          words: letters, digits, `_`, most characters beyond ASCII
//   "odd name"  "a\"b"  "\x07"    everything else is written in quotes
//
// Inside quotes: \" \\ \n \r \t and \xHH for any byte.
#pragma once

#include <string>
#include <string_view>

namespace kith::core {

// Whether a word may contain the character. Blanks, invisible characters and control characters are
// not allowed.
bool is_word_character(char32_t c);
bool is_control_character(char32_t c);
// Whether the name can be written without quotes.
bool is_word(std::string_view name);

// Compares without regard to the case of ASCII letters. Requires: `lower` is in lower case.
bool is_keyword(std::string_view word, std::string_view lower);
// Whether the word means a flag in the place of a source: self, up, cascade, ...
bool is_flag_word(std::string_view word);
// The flag word that is most like `word`; empty if none is like it.
std::string_view nearest_flag_word(std::string_view word);

// The text in quotes, with escapes, so that the lexer reads the same text.
std::string quoted_text(std::string_view text);
// The name as it is, or in quotes if some place of a query would not read it as a name.
std::string written_name(std::string_view name);
// A path (entity/path.hpp) in the form of the language. A text that is no path becomes one name.
std::string written_path(std::string_view path);
// The same for the right side of an equality, where a single name in quotes would be a text: a name
// that needs quotes is written from the root there, `::"odd name"`.
std::string written_path_beside_texts(std::string_view path);

}  // namespace kith::core
