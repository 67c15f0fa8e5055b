// Reads files of facts into a world.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <kith/kith.hpp>

namespace kith::cli {

struct load_report {
  std::size_t statements = 0;
  std::chrono::duration<double> time{};
};

// Reads the facts of a file. Throws a failure with file, line and column, and then leaves the world
// as it was. For a big file it prints progress and a summary to standard error, if that is a
// terminal.
load_report load(world& into, const std::string& file, const budget& most = {});

// A world with the facts of all files, read in order.
world load_all(const std::vector<std::string>& files, const budget& most = {});

// `1,000,000 statements in 2.1 s, 310 MB of memory`; the memory is that of the whole process.
std::string describe(const load_report& report);

}  // namespace kith::cli
