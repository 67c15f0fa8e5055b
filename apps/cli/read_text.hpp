// Files as texts.
#pragma once

#include <string>

namespace kith::cli {

// All of a file; of standard input if it is called `-`. Throws a failure if it cannot be read.
std::string read_text(const std::string& file);

// What messages call it.
std::string shown_name(const std::string& file);

}  // namespace kith::cli
