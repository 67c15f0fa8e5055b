#include "completion.hpp"

#include <algorithm>
#include <array>

#include "shell_commands.hpp"

namespace kith::cli {

namespace {

constexpr std::array<std::string_view, 33> language = {
    "AND",  "NOT", "OR",     "all",  "bool",   "cascade", "desc",   "down",  "entity",
    "f32",  "f64", "filter", "i16",  "i32",    "i64",     "i8",     "in",    "inout",
    "none", "out", "parent", "self", "struct", "sub",     "subset", "super", "superset",
    "text", "u16", "u32",    "u64",  "u8",     "up"};

// Completion offers no name that needs quotes, because the word that is typed has none.
bool is_plain(std::string_view path) {
  return path.find_first_of(" \t\n\"'(){}[],;|!?=~$@#*/\\") == path.npos;
}

}  // namespace

std::vector<std::string> completions(world& in, std::string_view line, std::string_view start) {
  std::vector<std::string> found;
  const auto offer = [&](std::string_view word) {
    if (word.starts_with(start)) found.emplace_back(word);
  };
  if (line.find_first_not_of(" \t") == line.npos && start.starts_with(':')) {
    for (const shell_command& command : shell_commands()) offer(":" + std::string(command.name));
    return found;
  }
  for (std::string_view word : language) offer(word);
  const auto offer_entity = [&](entity e) {
    if (!e.name().empty())
      if (const std::string path = e.path("."); is_plain(path)) offer(path);
  };
  in.entity(BuiltinScope).children(offer_entity);
  // A query leaves out prefabs and disabled entities unless a term names these tags.
  in.filter("?Prefab, ?Disabled").each(offer_entity);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace kith::cli
