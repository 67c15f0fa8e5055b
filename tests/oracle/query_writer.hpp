// Prints an expression in one of the spellings that the language allows.
#pragma once

#include <string>

#include "oracle/dice.hpp"
#include "query/model/expression.hpp"

namespace kith_oracle {

// The plainest spelling.
std::string written(const kith::core::expression& e);
// A random spelling.
std::string written(const kith::core::expression& e, dice& random);

}  // namespace kith_oracle
