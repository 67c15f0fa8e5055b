// Turns an expression and values for its variables into a query.
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

// Throws a failure if the expression has a mistake or lacks a variable, or if an entity is unknown.
query_view<> ask(world& in, const question& q);

// The parameters without a value. A query can only run if there are none.
std::vector<std::string> open_parameters(const query_view<>& made, const question& q);
// The message about such a parameter.
std::string no_value(const std::string& parameter);
// Throws a failure with that message if a parameter has no value.
void require_parameters(const query_view<>& made, const question& q);

}  // namespace kith::cli
