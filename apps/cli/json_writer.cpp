// Writes an array of objects, one per line. An unset variable is null.
#include "row_writer.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

class json_writer final : public row_writer {
 public:
  explicit json_writer(output& out) : out_(out) {}

  void begin(const std::vector<std::string>& columns) override {
    for (const std::string& name : columns)
      keys_.push_back((keys_.empty() ? "" : ", ") + quoted(name) + ": ");
    out_ << "[";
  }

  void row(std::span<const cell> cells) override {
    out_ << (is_first_ ? "\n{" : ",\n{");
    is_first_ = false;
    for (std::size_t i = 0; i < cells.size(); ++i) out_ << keys_[i] << value(cells[i]);
    out_ << "}";
  }

  void end(std::size_t, std::chrono::duration<double>) override {
    out_ << (is_first_ ? "]\n" : "\n]\n");
  }

 private:
  static std::string value(const cell& c) {
    switch (c.is) {
      case cell::kind::unset:
        return "null";
      case cell::kind::truth:
        return c.text;
      case cell::kind::text:
        break;
    }
    return quoted(c.text);
  }

  output& out_;
  std::vector<std::string> keys_;  // `"this": `, with a comma before all but the first
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<row_writer> make_json_writer(output& out) {
  return std::make_unique<json_writer>(out);
}

}  // namespace kith::cli
