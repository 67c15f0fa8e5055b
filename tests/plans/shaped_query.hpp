// Random queries whose terms hang together, with every operator of the language.
#pragma once

#include <string>

#include "plans/skewed_world.hpp"

namespace kith_plans {

// A query of `terms` terms as text.
std::string shaped_query(const skewed_world& world, kith_oracle::dice& random, std::size_t terms);

}  // namespace kith_plans
