// Errors are data: what kind, where in a text (if any), and a message for a person.
//
// `error` is thrown by the short forms of the API; the `try_*` forms return `result<T>` with the
// same data. In a build without exceptions an error goes to the handler the user installed, which
// must not return.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace kith {

enum class errc : std::uint8_t {
  parse,         // a text is not in the language
  unresolved,    // a name that nothing has
  type,          // a value or a type that does not fit the id
  constraint,    // a rule of the world or of a trait would be broken
  not_alive,     // a null, deleted or foreign entity
  out_of_range,  // something asked for is not there: an index, a component, an argument
  io,            // a file cannot be read or written
  corrupt,       // a file does not contain what it should
  budget,        // a text or a query did as much as its budget allows
  cancelled,     // the caller stopped it
  unsupported,   // reserved; nothing raises it
};

std::string_view to_text(errc code);

// A place in a text, both from 1. {0, 0}: the error has no text.
struct text_position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(text_position, text_position) = default;
};

class error : public std::runtime_error {
 public:
  error(errc code, const std::string& message, text_position position = {})
      : std::runtime_error(message), code_(code), position_(position) {}

  errc code() const noexcept { return code_; }
  text_position position() const noexcept { return position_; }

 private:
  errc code_;
  text_position position_;
};

// Called with every error before it is thrown, from whichever thread raises it. In a build without
// exceptions it must not return; if it does, or if none is installed, the program aborts. Returns
// the handler that was installed before.
using error_handler = void (*)(const error&);
error_handler set_error_handler(error_handler handler);

namespace core {

// Texts joined to one.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string text;
  (text.append(parts), ...);
  return text;
}

// The one way an error leaves the library.
[[noreturn]] void raise(error e);

// The message is given in parts.
template <class... Parts>
[[noreturn]] void raise(errc code, const Parts&... message) {
  raise(error(code, concat(message...)));
}

[[noreturn]] inline void raise_past_the_end() {
  raise(errc::out_of_range, "an iterator was used past its end");
}

}  // namespace core

// A value or the error that stands in its place.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  result(kith::error e) : content_(std::in_place_index<1>, std::move(e)) {}

  bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // The value; raises the error if there is none.
  T& value() & {
    if (!has_value()) core::raise(error());
    return *std::get_if<0>(&content_);
  }
  T&& value() && { return std::move(value()); }
  const T& value() const& { return const_cast<result&>(*this).value(); }
  T& operator*() & { return value(); }
  T* operator->() { return &value(); }

  // Requires: !has_value().
  const kith::error& error() const { return *std::get_if<1>(&content_); }

 private:
  std::variant<T, kith::error> content_;
};

}  // namespace kith
