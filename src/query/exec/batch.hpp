// What every source of results yields: rows that differ in $this alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "query/check/checked_query.hpp"
#include "storage/table.hpp"

namespace kith::core {

// Which id a field of a batch is, and on which entity.
struct result_field {
  const checked_term* term = nullptr;  // null: the field is not set
  id_t id = 0;                 // 0: the term holds without an id, or the source must be asked
  entity_t source = 0;         // 0: $this itself
  const column* in = nullptr;  // the values of the rows, if they are a column of a table

  // The column tells nothing that the others do not.
  friend bool operator==(const result_field& a, const result_field& b) {
    return a.term == b.term && a.id == b.id && a.source == b.source;
  }
};

struct batch {
  const entity_t* entities = nullptr;    // $this of each row; null: the query has no $this
  std::size_t count = 0;                 // rows; 1 if the query has no $this
  std::size_t first_row = 0;             // where the rows begin in the columns of `fields`
  std::span<const result_field> fields;  // one for each field, or none: the source must be asked
  std::uint64_t group = 0;               // of a query that has groups

  std::span<const entity_t> rows() const { return {entities, entities ? count : 0}; }
};

}  // namespace kith::core
