// Queries and what became of them, as text.
#pragma once

#include <string>
#include <string_view>

#include "query/model/print.hpp"

namespace kith::test {

// Names an entity by its number, as there is no world to ask.
class numbers_as_names : public core::entity_namer {
 public:
  std::string name_of(entity_t e) const override;
};

// The expression of the text as it prints, or `line:column: message` without the line that is shown.
std::string printed(std::string_view query);
// The whole error, with the line and the carets.
std::string error_of_query(std::string_view query);
// `message` is the first line of what the error says.
std::string first_line(std::string_view message);

}  // namespace kith::test
