// For programs that were written for flecs: its namespace, and the names that differ here. Opt-in.
//
//     filter, filter_builder, filter_desc     a query without a cache is a query
//     entity_view                             handles read and write
//     query_cache_kind_t, QueryCacheAuto...   cache_kind
//     Parent                                  the parent as an argument
//     strip_generation, is_same, string, string_view
//
// The older names of its builder and iterator (`term`, `subj`, `obj`, `term_id`) are part of ours.
// docs/migrating.md lists what is the same and what is different.
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

// A handle reads and writes; there is none that only reads.
using entity_view = entity;

// How a query keeps its results.
using query_cache_kind_t = cache_kind;
inline constexpr cache_kind QueryCacheDefault = cache_kind::automatic;
inline constexpr cache_kind QueryCacheAuto = cache_kind::automatic;
inline constexpr cache_kind QueryCacheAll = cache_kind::always;
inline constexpr cache_kind QueryCacheNone = cache_kind::never;

inline entity_t strip_generation(entity_t e) { return core::index_of(e); }

// The parent as an argument: `world.entity(flecs::Parent{ship}, "cockpit")`.
struct Parent : entity {
  explicit Parent(const entity& parent) : entity(parent) {}
};

template <class A, class B>
using is_same = std::is_same<A, B>;
using string = std::string;
using string_view = std::string_view;

}  // namespace kith
