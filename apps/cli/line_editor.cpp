#include "line_editor.hpp"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#include <editline/readline.h>
#include <unistd.h>

namespace kith::cli {

namespace {

// libedit calls plain functions, so their state is global.
completer complete_word;
std::vector<std::string> candidates;

constexpr int history_size = 1000;
char word_breaks[] = " \t\n,;(){}[]|!?=~\"";

char* next_candidate(const char*, int state) {
  static std::size_t next;
  if (state == 0) next = 0;
  return next < candidates.size() ? ::strdup(candidates[next++].c_str()) : nullptr;
}

bool takes_a_file(std::string_view line) {
  return line.starts_with(":load ") || line.starts_with(":save ");
}

char** complete(const char* text, int start, int) {
  const std::string_view line(rl_line_buffer, static_cast<std::size_t>(start));
  // After null libedit offers names of files.
  if (takes_a_file(line)) return nullptr;
  rl_attempted_completion_over = 1;
  candidates = complete_word(line, text);
  return rl_completion_matches(text, next_candidate);
}

}  // namespace

line_editor::line_editor(completer complete_with, std::string history_file)
    : is_interactive_(::isatty(STDIN_FILENO) == 1), history_file_(std::move(history_file)) {
  if (!is_interactive_) return;
  complete_word = std::move(complete_with);
  rl_readline_name = "kith";
  rl_attempted_completion_function = complete;
  rl_completer_word_break_characters = word_breaks;
  rl_basic_word_break_characters = word_breaks;
  // Appends nothing to a completed word: a bracket, a comma or a dot is as likely as a blank.
  rl_completion_append_character = '\0';
  using_history();
  stifle_history(history_size);
  if (!history_file_.empty()) read_history(history_file_.c_str());
}

line_editor::~line_editor() { complete_word = nullptr; }

std::optional<std::string> line_editor::read(const char* prompt) {
  if (!is_interactive_) {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  }
  const std::unique_ptr<char, void (*)(void*)> line(readline(prompt), std::free);
  if (!line) return std::nullopt;
  if (*line && last_line_ != line.get()) keep(line.get());
  last_line_ = line.get();
  return line.get();
}

void line_editor::keep(const char* line) {
  add_history(line);
  // Written after every line, because closing the terminal may end the process.
  if (!history_file_.empty()) write_history(history_file_.c_str());
}

std::string default_history_file() {
  if (const char* file = std::getenv("KITH_HISTORY")) return file;
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.kith_history" : std::string();
}

}  // namespace kith::cli
