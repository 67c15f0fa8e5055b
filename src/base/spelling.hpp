// Which word was meant by one that nobody knows.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kith::core {

// How many letters must change to make one word of the other; two that changed places count once, and the
// case of ASCII letters does not count. `limit` if it is that many or more.
std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t limit);

// From so many wrong letters on, `word` is another word: 3, less if it is short.
std::size_t too_far_from(std::string_view word);

// The first of the words most like `word`; empty if none is like it.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words);

}  // namespace kith::core
