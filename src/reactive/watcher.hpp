// An observer as the core sees it: a query, what it listens to, and how it is told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

#include <kith/detail/event_info.hpp>

#include "query/cache/row_finder.hpp"
#include "query/exec/reads.hpp"

namespace kith::core {

struct watcher {
  watcher(entity_t observer, prepared_query& q, const graph& g, store& s)
      : entity(observer), query(q), finder(q, g, s) {}

  entity_t entity;  // the observer
  prepared_query& query;
  row_finder finder;
  bool on_add = false;
  bool on_set = false;
  bool on_remove = false;
  bool monitor = false;          // on_add and on_remove are about $this, not about rows
  std::vector<entity_t> events;  // all that it listens to
  bool yields_on_delete = false;
  int priority = 0;          // lower ones are told first
  std::uint64_t number = 0;  // of those with the same priority the one that was made first
  reads what;                // what the query depends on
  // Tells the observer of rows. It may throw.
  std::function<void(const event_info&, std::shared_ptr<recorded_rows>)> tell;

  bool tells_removal() const { return on_remove || monitor; }
  bool listens_to(entity_t event) const { return std::ranges::find(events, event) != events.end(); }
};

// One call of an observer.
struct reaction {
  std::shared_ptr<watcher> to;
  event_info what;
  std::shared_ptr<recorded_rows> rows;
};

}  // namespace kith::core
