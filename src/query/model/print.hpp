// Expressions as text that parses back to an equal expression.
#pragma once

#include <string>

#include "query/model/expression.hpp"

namespace kith::core {

// Explicit: relations of flags are always written. An entity given by a program is written as `name_of`
// says, which is called with the entity.
class entity_namer {
 public:
  virtual ~entity_namer() = default;
  virtual std::string name_of(entity_t e) const = 0;
};

std::string to_text(const expression& e, const entity_namer& names);
std::string to_text(const term& t, const entity_namer& names);
std::string to_text(const ref& r, const entity_namer& names);

}  // namespace kith::core
