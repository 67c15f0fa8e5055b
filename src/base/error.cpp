#include <cstdlib>
#include <utility>

#include <kith/detail/error.hpp>

namespace kith {

std::string_view to_text(errc code) {
  switch (code) {
    case errc::parse:
      return "parse";
    case errc::unresolved:
      return "unresolved";
    case errc::type:
      return "type";
    case errc::constraint:
      return "constraint";
    case errc::not_alive:
      return "not_alive";
    case errc::out_of_range:
      return "out_of_range";
    case errc::io:
      return "io";
    case errc::corrupt:
      return "corrupt";
    case errc::budget:
      return "budget";
    case errc::cancelled:
      return "cancelled";
    case errc::unsupported:
      return "unsupported";
  }
  return "unknown";
}

namespace {
error_handler installed_handler = nullptr;
}

error_handler set_error_handler(error_handler handler) {
  return std::exchange(installed_handler, handler);
}

namespace core {

void raise(error e) {
  if (installed_handler) installed_handler(e);
#if defined(__cpp_exceptions)
  throw std::move(e);
#else
  std::abort();
#endif
}

}  // namespace core
}  // namespace kith
