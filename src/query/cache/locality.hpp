// Queries whose results depend, for each entity, on what that entity has alone.
//
// When an entity changes, only its own results can be others. What it inherits is not asked here: whoever
// uses this looks out for changes of bases and kinds.
#pragma once

#include "query/exec/meaning.hpp"

namespace kith::core {

bool is_local(const checked_query& q, const meaning& m);

}  // namespace kith::core
