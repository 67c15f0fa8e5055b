// Completes a word in the shell: names of the world, words of the language, commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kith/kith.hpp>

namespace kith::cli {

// All words that begin with `start`, sorted. `line` is the text before it. O(entities).
std::vector<std::string> completions(world& in, std::string_view line, std::string_view start);

}  // namespace kith::cli
