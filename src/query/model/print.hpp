// Prints an expression as a text that parses to an equal expression.
#pragma once

#include <string>

#include "query/model/expression.hpp"

namespace kith::core {

// Gives the text for an entity that a program put into an expression. (The relation of a flag is
// always printed, even where the text omitted it.)
class entity_namer {
 public:
  virtual ~entity_namer() = default;
  virtual std::string name_of(entity_t e) const = 0;
};

std::string to_text(const expression& e, const entity_namer& names);
std::string to_text(const term& t, const entity_namer& names);
std::string to_text(const ref& r, const entity_namer& names);

}  // namespace kith::core
