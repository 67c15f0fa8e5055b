#include "output.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "failure.hpp"

namespace kith::cli {

void output::flush() {
  const std::string text = std::exchange(buffer_, {});
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file_, text.data() + done, text.size() - done);
    if (n >= 0)
      done += static_cast<std::size_t>(n);
    else if (errno == EPIPE)
      throw closed_pipe{};
    else if (errno != EINTR)
      throw failure(std::string("cannot write the output: ") + std::strerror(errno));
  }
}

bool output::is_terminal() const { return ::isatty(file_) == 1; }

output::screen output::size() const {
  winsize size{};
  if (!is_terminal() || ::ioctl(file_, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_row, size.ws_col};
}

std::string output::styled(std::string_view code, std::string_view text) const {
  // See https://no-color.org.
  const char* refused = std::getenv("NO_COLOR");
  std::string result(text);
  if (is_terminal() && !(refused && *refused))
    result = "\033[" + std::string(code) + "m" + result + "\033[0m";
  return result;
}

}  // namespace kith::cli
