// A mistake of the user: in an option, a file or an expression. The command prints the message and
// exits with `mistake`.
#pragma once

#include <stdexcept>

namespace kith::cli {

class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The exit status of the command.
enum exit_status : int { ok = 0, answered_false = 1, mistake = 2 };

}  // namespace kith::cli
