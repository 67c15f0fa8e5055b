// A header line, then a line per result, columns between tabs.
#include "row_writer.hpp"

namespace kith::cli {

namespace {

class tsv_writer final : public row_writer {
 public:
  explicit tsv_writer(output& out) : out_(out) {}

  void begin(const std::vector<std::string>& columns) override {
    for (std::size_t i = 0; i < columns.size(); ++i) out_ << (i ? "\t" : "") << columns[i];
    out_ << "\n";
  }

  void row(std::span<const cell> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i) out_ << (i ? "\t" : "") << cells[i].text;
    out_ << "\n";
  }

  void end(std::size_t, std::chrono::duration<double>) override {}

 private:
  output& out_;
};

}  // namespace

std::unique_ptr<row_writer> make_tsv_writer(output& out) {
  return std::make_unique<tsv_writer>(out);
}

}  // namespace kith::cli
