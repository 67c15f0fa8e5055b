// Writes to a file through a buffer of a fixed size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kith::cli {

// Thrown when the reader of a pipe is gone (`kith query … | head`). It is no mistake: the command
// just stops.
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
  // Throws closed_pipe, or a failure if the text cannot be written; the buffer is then empty.
  void flush();

  bool is_terminal() const;
  // What fits on the terminal; zeros if it is none.
  struct screen {
    std::size_t lines = 0, columns = 0;
  };
  screen size() const;
  // `text` between the codes for a style on a terminal, unless NO_COLOR is set; otherwise `text`.
  std::string bold(std::string_view text) const { return styled("1", text); }
  std::string dim(std::string_view text) const { return styled("2", text); }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 16;
  std::string styled(std::string_view code, std::string_view text) const;

  int file_;
  std::string buffer_;
};

}  // namespace kith::cli
