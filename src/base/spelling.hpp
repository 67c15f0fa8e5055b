// Finds the known word that is most like an unknown one, for suggestions in error messages.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kith::core {

// The number of letters to insert, delete or replace to turn `a` into `b`. Swapping two neighbours
// counts as one change, and the case of ASCII letters does not count. At most `limit`.
std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t limit);

// A word that is this many changes or more away is not like `word`: 3, or fewer if `word` is short.
std::size_t too_far_from(std::string_view word);

// The first of the words that are most like `word`; empty if none is like it.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words);

}  // namespace kith::core
