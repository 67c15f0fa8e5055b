#include "load.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include <sys/resource.h>
#include <unistd.h>

#include "failure.hpp"
#include "read_text.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

using clock = std::chrono::steady_clock;

// Reading a file of this size takes long enough to show progress.
constexpr std::size_t big_file = std::size_t{1} << 20;

// Prints `kith: city.facts: 34%` over the line before.
class progress_line {
 public:
  progress_line(const std::string& file, std::string_view text)
      : start_("kith: " + shown_name(file) + ": "),
        lines_(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
               !text.ends_with('\n')) {}
  ~progress_line() { std::cerr << "\r\033[K" << std::flush; }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void show(const define_progress& p) {
    const auto now = clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    std::cerr << '\r' << start_ << p.line * 100 / lines_ << "% of " << count_text(lines_, "line")
              << std::flush;
  }

 private:
  std::string start_;
  std::size_t lines_;
  clock::time_point shown_{};
};

// The resident memory of the process, or its maximum so far on systems without /proc.
std::size_t memory_in_use() {
  std::size_t total = 0, resident = 0;
  if (std::ifstream("/proc/self/statm") >> total >> resident)
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<std::size_t>(used.ru_maxrss) * 1024;
}

result<std::size_t> define(world& into, const std::string& file, std::string_view text,
                           const budget& most, bool show_progress) {
  if (!show_progress) return into.try_define(text, most);
  progress_line line(file, text);
  return into.try_define(
      text, [&](const define_progress& p) { line.show(p); }, most);
}

}  // namespace

load_report load(world& into, const std::string& file, const budget& most) {
  const auto start = clock::now();
  const std::string text = read_text(file);
  const bool is_watched = text.size() >= big_file && ::isatty(STDERR_FILENO) == 1;
  const result<std::size_t> done = define(into, file, text, most, is_watched);
  if (!done) throw failure(shown_name(file) + ":" + explained(done.error()));
  const load_report report{done.value(), clock::now() - start};
  if (is_watched)
    std::cerr << "kith: " << shown_name(file) << ": " << describe(report) << std::endl;
  return report;
}

world load_all(const std::vector<std::string>& files, const budget& most) {
  world made;
  made.limit_queries(most);
  for (const std::string& file : files) load(made, file, most);
  return made;
}

std::string describe(const load_report& report) {
  return count_text(report.statements, "statement") + " in " + duration_text(report.time) + ", " +
         size_text(memory_in_use()) + " of memory";
}

}  // namespace kith::cli
