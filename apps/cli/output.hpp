// Standard output through a buffer: ten million lines are few writes, and none of them is kept.
#pragma once

#include <string>
#include <string_view>

namespace kith::cli {

// Nobody reads the output any more (`kith query … | head`). No mistake; there is just nothing left to do.
struct closed_pipe {};

class output {
 public:
  explicit output(int file) : file_(file) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  output& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= enough) flush();
    return *this;
  }
  // Throws closed_pipe, or a failure if the text cannot be written. What was to be written is gone then.
  void flush();

  bool is_terminal() const;
  // `text` between the codes for a style, on a terminal that wants colours; else as it is.
  std::string bold(std::string_view text) const { return styled("1", text); }
  std::string dim(std::string_view text) const { return styled("2", text); }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 16;
  std::string styled(std::string_view code, std::string_view text) const;

  int file_;
  std::string buffer_;
};

}  // namespace kith::cli
