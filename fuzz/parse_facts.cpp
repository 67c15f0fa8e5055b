// Any text is a list of statements or an error.
#include "check_error.hpp"
#include "query/parse/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = kith::core::parse_facts(text);
  if (!statements) {
    check_error(statements.error(), text);
    return 0;
  }
  const auto copy = statements.value();
  require(copy == statements.value());
  return 0;
}
