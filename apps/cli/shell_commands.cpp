#include "shell_commands.hpp"

namespace kith::cli {

namespace {

using kind = shell_command::kind;

constexpr shell_command all[] = {
    {kind::help, "help", "", "this text"},
    {kind::explain, "explain", "QUERY", "print a query in full, its plan and what it costs"},
    {kind::load, "load", "FILE", "read facts from a file"},
    {kind::save, "save", "FILE", "write the world to a file, as facts"},
    {kind::facts, "facts", "", "print the world as facts"},
    {kind::format, "format", "table|tsv|json", "how results are printed"},
    {kind::ids, "ids", "", "show or hide the ids that the terms matched"},
    {kind::time, "time", "[QUERY]", "measure a query; without one, the last query again"},
    {kind::quit, "quit", "", "leave; Ctrl-D does the same"},
};

}  // namespace

std::span<const shell_command> shell_commands() { return all; }

const shell_command* find_shell_command(std::string_view name) {
  const shell_command* found = nullptr;
  for (const shell_command& command : all) {
    if (command.name == name) return &command;
    if (!command.name.starts_with(name)) continue;
    if (found) return nullptr;
    found = &command;
  }
  return name.empty() ? nullptr : found;
}

}  // namespace kith::cli
