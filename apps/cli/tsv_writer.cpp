// Writes a header line and a line per result, with tabs between the columns. Tabs, line breaks and
// backslashes in a name are escaped. A name `-` is quoted, because `-` alone means unset.
#include "row_writer.hpp"
#include "text.hpp"

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
    for (std::size_t i = 0; i < cells.size(); ++i) out_ << (i ? "\t" : "") << text_in(cells[i]);
    out_ << "\n";
  }

  void end(std::size_t, std::chrono::duration<double>) override {}

 private:
  static std::string text_in(const cell& c) {
    return c.is == cell::kind::text && c.text == "-" ? "\"-\"" : escaped(c.text);
  }

  output& out_;
};

}  // namespace

std::unique_ptr<row_writer> make_tsv_writer(output& out) {
  return std::make_unique<tsv_writer>(out);
}

}  // namespace kith::cli
