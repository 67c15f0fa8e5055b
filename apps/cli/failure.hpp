// A mistake of the user: in an option, a file or an expression. The command prints the message and
// exits with `mistake`.
#pragma once

#include <stdexcept>
#include <string>

#include <kith/kith.hpp>

namespace kith::cli {

class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What an error says, in the words of the command line.
inline std::string explained(const kith::error& e) {
  std::string message = e.what();
  if (e.code() != errc::budget) return message;
  for (const char* limit : {"entities", "rows", "seconds"}) {
    const std::string named = std::string("budget::") + limit;
    if (const std::size_t at = message.find(named); at != message.npos)
      message.replace(at, named.size(), std::string("--max-") + limit);
  }
  return message;
}

// The exit status of the command.
enum exit_status : int { ok = 0, answered_false = 1, mistake = 2 };

}  // namespace kith::cli
