// A text as an argument.
#pragma once

#include <string>
#include <string_view>

namespace kith {
namespace core {

// A null `const char*` is a text without data, which means that there is none.
struct text_arg : std::string_view {
  text_arg() = default;
  text_arg(const char* text)
      : std::string_view(text ? std::string_view(text) : std::string_view()) {}
  text_arg(std::string_view text) : std::string_view(text) {}
  text_arg(const std::string& text) : std::string_view(text) {}
};

}  // namespace core

// A text of the world that ends with a zero, for functions that want a `const char*`.
class zero_text : public std::string_view {
 public:
  zero_text() : std::string_view("") {}
  zero_text(const char* text) : std::string_view(text ? text : "") {}
  // Requires: a zero follows the text.
  explicit zero_text(std::string_view text) : std::string_view(text.data() ? text : "") {}
  const char* c_str() const { return data(); }
};

}  // namespace kith
