// Queries of every form of the language, about things a world knows.
#pragma once

#include "oracle/random_world.hpp"
#include "query/model/expression.hpp"

namespace kith_oracle {

// An expression whose entities are called as in the script of the world, and values for its
// parameters, by the same names.
struct random_query {
  kith::core::expression text;
  std::map<std::string, std::string> with;
};

random_query random_query_about(const scripted_world& world, dice& random);

// The same with the names as paths of the world.
kith::core::expression with_paths(kith::core::expression e, const scripted_world& world);

}  // namespace kith_oracle
