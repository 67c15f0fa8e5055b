// Observers without C++ types: what the typed skin calls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <kith/detail/event_info.hpp>
#include <kith/detail/query_run.hpp>

namespace kith::core {

struct observer_desc {
  std::string name;  // a path; empty: the observer has none
  query_desc query;
  std::vector<entity_t> events;
  int priority = 0;
  bool yield_existing = false;
  bool yield_on_delete = false;
  // Visits rows of the query.
  std::function<void(query_run&)> visit;
  // Visits one row whose values are given, null where there is none: those of the first
  // `plain_values` fields. Empty: the callback asks for more.
  std::function<void(entity_t, void* const* values)> visit_plainly = {};
  std::size_t plain_values = 0;    // at most 64
  std::uint64_t plain_writes = 0;  // one bit for each: the callback may write it
};

// Returns the entity of the observer. An error if the query is wrong, has parameters, or no event
// is given.
entity_t make_observer(engine& world, const observer_desc& desc);

}  // namespace kith::core
