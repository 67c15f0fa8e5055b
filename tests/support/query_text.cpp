#include "support/query_text.hpp"

#include "query/parse/parse.hpp"

namespace kith::test {

std::string numbers_as_names::name_of(entity_t e) const { return "#" + std::to_string(e); }

std::string first_line(std::string_view message) {
  return std::string(message.substr(0, message.find('\n')));
}

std::string printed(std::string_view query) {
  const auto parsed = core::parse_query(query);
  if (!parsed) return first_line(parsed.error().what());
  return to_text(parsed.value(), numbers_as_names());
}

std::string error_of_query(std::string_view query) {
  const auto parsed = core::parse_query(query);
  return parsed ? "no error" : parsed.error().what();
}

}  // namespace kith::test
