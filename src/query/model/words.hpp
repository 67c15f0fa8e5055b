// What the language takes for a word, and how names and texts are written in it.
//
//   Position  größe  2nd          words: letters, digits, `_`, and most of what is not ASCII
//   "odd name"  "a\"b"  "\x07"    anything else stands in quotes
//
// Inside quotes: \" \\ \n \r \t and \xHH for any byte.
#pragma once

#include <string>
#include <string_view>

namespace kith::core {

// May stand in a word. Blanks, invisible characters and control characters may not.
bool is_word_character(char32_t c);
bool is_control_character(char32_t c);
// Can be written without quotes.
bool is_word(std::string_view name);

// Without regard to the case of ASCII letters. Requires: `lower` is in lower case.
bool is_keyword(std::string_view word, std::string_view lower);
// A word that means flags where a source may stand: self, up, cascade, ...
bool is_flag_word(std::string_view word);
// The flag word that a misspelt one is most like; empty if it is like none.
std::string_view nearest_flag_word(std::string_view word);

// In quotes, such that the language reads it back.
std::string quoted_text(std::string_view text);
// One name: as it is, or in quotes if it needs them to be read as a name in every place.
std::string written_name(std::string_view name);
// A path (entity/path.hpp) as the language writes it. A text that is no path is written as one name.
std::string written_path(std::string_view path);
// The same on the right of an equality, where one name in quotes would be a text: a name that needs
// quotes is written from the root, `::"odd name"`.
std::string written_path_beside_texts(std::string_view path);

}  // namespace kith::core
