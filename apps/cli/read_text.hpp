// Reads files.
#pragma once

#include <string>

namespace kith::cli {

// The content of a file, or of standard input for `-`. Throws a failure if it cannot be read.
std::string read_text(const std::string& file);

// The name of the file in messages.
std::string shown_name(const std::string& file);

}  // namespace kith::cli
