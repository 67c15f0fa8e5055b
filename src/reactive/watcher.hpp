// An observer as the core sees it: a query, what it listens to, and how it is told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <kith/detail/event_info.hpp>

#include "query/cache/preparations.hpp"
#include "query/cache/row_finder.hpp"
#include "query/exec/reads.hpp"
#include "reactive/plain_terms.hpp"

namespace kith::core {

// The query of an observer without the terms that are marked as filters.
struct filtered_watch {
  filtered_watch(const graph& g, store& s, const shortcuts& open, statistics& samples,
                 expression less)
      : query(g, open, samples, std::move(less)), finder(query.query, g, s) {}
  preparation query;
  row_finder finder;
};

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
  std::optional<plain_terms> plain;
  std::unique_ptr<filtered_watch> filtered;  // null: no term is a filter
  // Tells the observer of rows. It may throw.
  std::function<void(const event_info&, std::shared_ptr<recorded_rows>)> tell;
  // The same for one row of a plain query, if the callback takes no iterator: the values of the
  // first fields, null where there is none.
  std::function<void(entity_t, void* const* values)> tell_plainly;
  std::size_t plain_values = 0;    // how many
  std::uint64_t plain_writes = 0;  // one bit for each: the callback may write it

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
