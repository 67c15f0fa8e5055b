// The results of a query as rows of text.
//
//   this       parent  1
//   car.wheel  car     (ChildOf, car)      $this, the variables, and the matched ids if asked for
#pragma once

#include <kith/kith.hpp>

#include "row_writer.hpp"

namespace kith::cli {

struct answer {
  std::size_t results = 0;
  bool is_no = false;  // a yes/no question, answered no
};

// Writes the results as they are found. Stops early when the user interrupts.
answer write_results(const query_view<>& q, bool with_ids, row_writer& out);

// Finds all results and shows none: `3 results in 0.1 ms`; of a question `true in 0.1 ms`.
std::string measure(const query_view<>& q);

}  // namespace kith::cli
