// A mistake in what was given to the command: an option, a file, an expression. The message is for the
// person who made it; the command ends with status `mistake`.
#pragma once

#include <stdexcept>

namespace kith::cli {

class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How the command ends.
enum exit_status : int { ok = 0, answered_false = 1, mistake = 2 };

}  // namespace kith::cli
