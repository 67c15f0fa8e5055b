// The parsed command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ask.hpp"
#include "row_writer.hpp"

namespace kith::cli {

struct options {
  // `text` stands for a command that only prints a text: the help or the version.
  enum class command : std::uint8_t { query, explain, facts, graph, shell, tour, text };

  command what = command::text;
  std::string text;
  std::vector<std::string> worlds;  // files of facts, in order; `-` is standard input
  question asked;
  bool has_expression = false;
  cli::format format = cli::format::table;
  bool with_ids = false;
  bool with_storage = false;
  bool live = false;
  kith::budget most;  // what a file of facts and a query may do
};

// Throws a failure for a mistake in the command line.
options read_options(int count, const char* const* words);

}  // namespace kith::cli
