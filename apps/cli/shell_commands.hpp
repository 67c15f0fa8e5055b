// The commands of the shell, such as `:load city.facts`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kith::cli {

struct shell_command {
  enum class kind : std::uint8_t { help, explain, load, save, facts, format, ids, time, quit };
  kind is;
  std::string_view name;
  std::string_view argument;  // as the help shows it; empty if there is none
  std::string_view help;
};

std::span<const shell_command> shell_commands();

// The command with this name, or the only one whose name begins with it; null if there is none.
const shell_command* find_shell_command(std::string_view name);

}  // namespace kith::cli
