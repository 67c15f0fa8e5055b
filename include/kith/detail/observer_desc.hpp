// Observers without C++ types: what the typed skin calls.
#pragma once

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
};

// Returns the entity of the observer. An error if the query is wrong, has parameters, or no event
// is given.
entity_t make_observer(engine& world, const observer_desc& desc);

}  // namespace kith::core
