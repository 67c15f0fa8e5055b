// Expressions with values for their variables become queries.
#pragma once

#include <string>
#include <vector>

#include <kith/kith.hpp>

namespace kith::cli {

// `-a team=red`
struct binding {
  std::string variable;
  std::string entity;
};

struct question {
  std::string expression;
  std::vector<binding> values = {};
  kith::cache_kind cache = kith::cache_kind::automatic;
};

// Throws a failure for a mistake in the expression, a variable it does not have, an unknown entity.
query_view<> ask(world& in, const question& q);

// The parameters that have no value; none of them may be left when the query runs.
std::vector<std::string> open_parameters(const query_view<>& made, const question& q);
// What to say of one.
std::string no_value(const std::string& parameter);
// Throws that as a failure if there is one.
void require_parameters(const query_view<>& made, const question& q);

}  // namespace kith::cli
