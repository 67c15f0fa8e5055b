// Writes aligned columns. The first rows decide the widths; a later row that needs more widens the
// columns from there on, so only the first rows are kept in memory.
#include <algorithm>

#include "interrupt.hpp"
#include "row_writer.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

class table_writer final : public row_writer {
 public:
  table_writer(output& out, bool with_summary) : out_(out), with_summary_(with_summary) {}

  void begin(const std::vector<std::string>& columns) override {
    columns_ = columns;
    for (const std::string& name : columns) widths_.push_back(width_of(name));
  }

  void row(std::span<const cell> cells) override {
    std::vector<std::string> texts;
    for (const cell& c : cells) {
      texts.push_back(on_one_line(c.text));
      std::size_t& width = widths_[texts.size() - 1];
      width = std::max(width, width_of(texts.back()));
    }
    if (is_started_) return print(texts);
    first_.push_back(std::move(texts));
    if (first_.size() == rows_measured) start();
  }

  void end(std::size_t results, std::chrono::duration<double> time) override {
    if (!first_.empty()) start();
    if (!with_summary_) return;
    if (is_started_) out_ << "\n";
    const std::string found = results ? count_text(results, "result") : "no results";
    const std::string summary =
        is_interrupted() ? "stopped after " + count_text(results, "result") + ", " : found + " in ";
    out_ << out_.dim(summary + duration_text(time)) << "\n";
  }

 private:
  static constexpr std::size_t rows_measured = 200;

  void start() {
    is_started_ = true;
    std::string names, rule;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      add_column(names, i, columns_[i]);
      add_column(rule, i, std::string(widths_[i], '-'));
    }
    out_ << out_.bold(names) << "\n" << out_.dim(rule) << "\n";
    for (const std::vector<std::string>& texts : first_) print(texts);
    first_.clear();
  }

  void print(std::span<const std::string> texts) {
    std::string line;
    for (std::size_t i = 0; i < texts.size(); ++i) add_column(line, i, texts[i]);
    out_ << line << "\n";
  }

  // Adds blanks after every column but the last.
  void add_column(std::string& line, std::size_t column, std::string_view text) const {
    line += text;
    if (column + 1 < columns_.size()) line.append(widths_[column] - width_of(text) + 2, ' ');
  }

  output& out_;
  bool with_summary_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> first_;  // the first rows, until the widths are known
  bool is_started_ = false;
};

}  // namespace

std::unique_ptr<row_writer> make_table_writer(output& out, bool with_summary) {
  return std::make_unique<table_writer>(out, with_summary);
}

}  // namespace kith::cli
