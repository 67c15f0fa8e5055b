// For programs that were written for flecs: its namespace, and the names that differ here. Opt-in.
//
// The older names of its builder and iterator (`term`, `subj`, `obj`, `term_id`) are part of ours.
#pragma once

#include <kith/kith.hpp>

namespace flecs = kith;

namespace kith {

// A query without a cache is a query: `world.filter<Position>()`.
template <class... Ts>
using filter = query<Ts...>;
template <class... Ts>
using filter_builder = query_builder<Ts...>;
using filter_desc = query_desc;

}  // namespace kith
