// Prints the results of a query as rows of text.
//
//   this       parent  1
//   car.wheel  car     (ChildOf, car)      $this, the variables, and the matched ids if asked for
#pragma once

#include <kith/kith.hpp>

#include "row_writer.hpp"

namespace kith::cli {

struct answer {
  std::size_t results = 0;
  bool is_no = false;  // the query is a yes/no question and its answer is no
};

// Writes each result when it is found. Stops early when the user interrupts.
answer write_results(const query_view<>& q, bool with_ids, row_writer& out);

// Finds all results and prints none. Returns `3 results in 0.1 ms`, or `true in 0.1 ms` for a
// yes/no question.
std::string measure(const query_view<>& q);

}  // namespace kith::cli
