// Texts for what the command prints: entities, numbers, times.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kith/kith.hpp>

namespace kith::cli {

// `car.wheel`, or `#300` for an entity without a name. Contains the control characters of the name.
std::string text_of(entity e);
// The same, `(Likes, car.wheel)` for a pair, `-` for none.
std::string text_of(id i);

// For people: writes control characters as `\t`, `\n`, `\x1b`, so that a text stays in its column.
std::string on_one_line(std::string text);

// For programs: the same, and `\\` for a backslash, so that different texts stay different.
std::string escaped(std::string text);

// `"a \"b\""`, a string of JSON. For Graphviz the text must be one line.
std::string quoted(std::string_view text);

// The lines of a text without their line breaks.
std::vector<std::string_view> lines_of(std::string_view text);

// `1,234,567`
std::string count_text(std::size_t n);
// `1 result`, `1,200 results`; `2 entities` with a plural of its own
std::string count_text(std::size_t n, std::string_view thing, std::string_view things = {});
// `0.12 ms`, `3.4 s`
std::string duration_text(std::chrono::duration<double> time);
// `12 MB`
std::string size_text(std::size_t bytes);

// The columns that a text takes on a terminal.
std::size_t width_of(std::string_view text);

}  // namespace kith::cli
