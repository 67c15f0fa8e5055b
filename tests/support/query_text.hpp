// Prints parsed queries and facts, and the errors of the parsers.
#pragma once

#include <string>
#include <string_view>

#include "query/model/expression.hpp"
#include "query/model/print.hpp"
#include "query/model/statement.hpp"

namespace kith::test {

// Names an entity by its number, because there is no world; the relations that flag words imply
// have their names.
class numbers_as_names : public core::entity_namer {
 public:
  std::string name_of(entity_t e) const override;
};

// The expression printed as text, or the first line of the error: `line:column: message`.
std::string printed(std::string_view query);
// The whole error, with the line and the carets.
std::string error_of_query(std::string_view query);

// The statements of the text, ` ; ` between them, or the first line of the error. Kinds of values
// show: numbers as they are, texts in quotes, names between `<` and `>`.
std::string read_facts(std::string_view facts);
std::string error_of_facts(std::string_view facts);
std::string to_text(const core::value_text& value);

// `line:column+length`
std::string place(const core::text_range& at);

// Both fail the test if the text does not parse; the second also if it is not one term.
core::expression expression_of(std::string_view query);
core::term term_of(std::string_view query);

}  // namespace kith::test
