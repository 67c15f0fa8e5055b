// From an expression to a query whose names are ids.
#pragma once

#include <string>
#include <string_view>

#include <kith/detail/error.hpp>

#include "query/check/checked_query.hpp"
#include "relations/graph.hpp"

namespace kith::core {

// Finds entities by what is written.
class name_source {
 public:
  virtual ~name_source() = default;
  // The entity, or 0.
  virtual entity_t find(std::string_view path) const = 0;
  // The name most like one that was not found; empty if none is.
  virtual std::string nearest(std::string_view path) const = 0;
};

// Looks all names up and fills in the entities. `text` is what the expression was parsed from, for
// errors. Also refuses what no world can give a meaning.
result<expression> resolve(expression e, std::string_view text, const name_source& names);

// Requires: resolved. What the traits of the entities say at this moment is worked in: Singleton
// and Relationship.
checked_query check(const expression& e, const traits& t);

}  // namespace kith::core
