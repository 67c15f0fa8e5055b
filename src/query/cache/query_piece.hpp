// A part of the results of a query, for one of several threads.
//
//   tables     [ r r r r r r | r r | r r r r ]        rows of tables, or recorded rows
//   pieces       0 0 0 0 1 1   1 1   2 2 2 2          here of four rows each
//
// Where pieces begin and end depends on the results alone.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "query/cache/recorded_rows.hpp"
#include "query/cache/table_list.hpp"

namespace kith::core {

struct query_piece {
  std::shared_ptr<table_list> tables;  // or
  std::shared_ptr<recorded_rows> rows;
  std::size_t first = 0;  // the table or batch in which it begins
  std::size_t skip = 0;   // so many rows of that belong to pieces before
  std::size_t count = 0;  // rows
};

// Cuts all results into pieces. Results about one entity stay together, and so do all results if
// one of the `exposed` fields shows a value of another entity somewhere.
std::vector<query_piece> split(const query_piece& all, std::span<const std::size_t> exposed);

}  // namespace kith::core
