// Lines that a person types, with editing, history and completion; lines of a file or pipe as they are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kith::cli {

// The words that `start` can become; `line` is what stands before it.
using completer =
    std::function<std::vector<std::string>(std::string_view line, std::string_view start)>;

// One at a time: the library behind it has one line.
class line_editor {
 public:
  // The history is read from and written to a file; with an empty name it is not kept.
  line_editor(completer complete, std::string history_file);
  ~line_editor();
  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  // The next line without its end; nothing at the end of the input or after an interrupt.
  std::optional<std::string> read(const char* prompt);
  // A person is typing, at a terminal.
  bool is_interactive() const { return is_interactive_; }

 private:
  void keep(const char* line);

  bool is_interactive_;
  std::string history_file_;
  std::string last_line_;
};

// $KITH_HISTORY, or .kith_history in the home directory; empty if there is none.
std::string default_history_file();

}  // namespace kith::cli
