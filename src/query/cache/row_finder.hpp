// Finds results of a query as values: those in which some variables have given values, or all.
//
// Kept results ask for what a changed fact can have affected (result_cursor::repair_rows);
// reactions ask for it before and after a change, and the difference is what they report.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "query/cache/recorded_rows.hpp"
#include "query/exec/plan_source.hpp"
#include "query/exec/prepared_query.hpp"
#include "query/exec/result_source.hpp"

namespace kith::core {

// Results as values, and the query that their fields name terms of.
struct result_list {
  std::shared_ptr<const checked_query> query;
  std::vector<recorded_rows::result> rows;
};

class row_finder {
 public:
  row_finder(prepared_query& prepared, const graph& g, store& s) : prepared_(prepared), it_(g, s) {}

  // The results that contain one of the partial results, each once, ascending by their values; all
  // results if there is no list. A yes/no question has one result without values, or none.
  result_list find(meaning& m, const std::optional<std::vector<partial_result>>& parts);

 private:
  void find_all(plan_source& from, result_list& found);
  bool bind(const partial_result& part);

  prepared_query& prepared_;
  iteration it_;
};

}  // namespace kith::core
