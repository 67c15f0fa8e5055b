// Random queries that use every form of the language and the entities of a world.
#pragma once

#include "oracle/random_world.hpp"
#include "query/model/expression.hpp"

namespace kith_oracle {

// An expression and the values of its parameters. Entities have the names of the script.
struct random_query {
  kith::core::expression text;
  std::map<std::string, std::string> with;
};

random_query random_query_about(const scripted_world& world, dice& random);

// The expression with the paths of the world instead of the names of the script.
kith::core::expression with_paths(kith::core::expression e, const scripted_world& world);

}  // namespace kith_oracle
