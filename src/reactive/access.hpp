// What a system reads, writes and may change: all that decides which systems may run side by side,
// and where queued changes are carried out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "query/exec/reads.hpp"

namespace kith::core {

struct access {
  // Values of an id, or of all ids that fit a pattern.
  struct touched {
    id_t id = 0;
    bool writes = false;
    bool writes_rows = false;  // terms show values of it for writing
    bool of_others = false;    // of other entities than $this: a base, a parent, a singleton, ...
    friend bool operator==(const touched&, const touched&) = default;
  };
  enum class queue : std::uint8_t { nothing, listed, anything };

  std::vector<touched> values;  // each once
  reads sees;                   // what the rows depend on
  queue queues = queue::nothing;
  std::vector<id_t> queued;  // of `listed`: an id stands for its pairs, too
  bool leads_on = false;     // somebody hears of what it queues, and may change anything
  bool sees_world = false;   // the callback can ask for anything that a handle leads to
  // Fields of which a value is written, or may be the one that another field writes: rows that get
  // it of another entity than $this cannot be told apart from rows that write it.
  std::vector<std::size_t> exposed_fields;

  void touch(const touched& t);
};

// What the terms of a query say. `typed`: so many of its first terms are types of the callback,
// which may write their values unless they are const. `shows_all`: the callback can ask for the
// values of the other terms, too.
access access_of(const checked_query& q, meaning& m, std::size_t typed, bool shows_all);

// Can there be an id that fits both?
bool overlap(id_t a, id_t b);
// Can there be an id that fits, of which `listed` or a pair of it is one?
bool touches(id_t listed, id_t id);

// Values that both touch and one of them writes; nothing if there are none.
std::optional<id_t> shared_value(const access& a, const access& b);
// The id of values that one row may write and another one use, so that threads cannot share the
// rows; nothing if there are none.
std::optional<id_t> value_of_several_rows(const access& a);
// The id, if values of it are written.
std::optional<id_t> written(const access& a, id_t id);
// May changes that `earlier` queues be seen by `later`? Says by which id: `all` if it is any.
struct seen_change {
  id_t id = 0;  // 0: any
};
std::optional<seen_change> seen_by(const access& earlier, const access& later);

}  // namespace kith::core
