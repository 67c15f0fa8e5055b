// Reads lines: from a terminal with editing, history and completion, from a file or pipe as they
// are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kith::cli {

// Returns the words that begin with `start`; `line` is the text before it.
using completer =
    std::function<std::vector<std::string>(std::string_view line, std::string_view start)>;

// Requires: at most one object exists, because libedit keeps its state in global variables.
class line_editor {
 public:
  // Reads the history from the file and writes it there; an empty name means that none is kept.
  line_editor(completer complete, std::string history_file);
  ~line_editor();
  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  // The next line without its line break; empty at the end of the input or after an interrupt.
  std::optional<std::string> read(const char* prompt);
  // Whether the input is a terminal.
  bool is_interactive() const { return is_interactive_; }

 private:
  void keep(const char* line);

  bool is_interactive_;
  std::string history_file_;
  std::string last_line_;
};

// $KITH_HISTORY, or .kith_history in the home directory; empty if there is no home directory.
std::string default_history_file();

}  // namespace kith::cli
