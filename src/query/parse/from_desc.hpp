// Turns a descriptor that a program made into an expression whose names are looked up.
#pragma once

#include <kith/detail/query_desc.hpp>

#include "query/model/expression.hpp"

namespace kith::core {

// Looks up the names of an expression. Errors show a line of `text`, from which it was parsed.
class expression_resolver {
 public:
  virtual ~expression_resolver() = default;
  virtual result<expression> resolve(expression e, std::string_view text) const = 0;
  // An error if the entity is of another world or not alive.
  virtual result<bool> check(entity_t e, const engine* owner) const = 0;
  // The living entity with this index, or 0.
  virtual entity_t at(std::uint32_t index) const = 0;
};

result<expression> from_desc(const query_desc& desc, const expression_resolver& names);

}  // namespace kith::core
