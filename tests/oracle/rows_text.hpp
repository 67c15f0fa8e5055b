// Prints answers, to compare the two evaluators and the expected rows of cases.
//
//   bob what=apple | (Likes, apple)@bob; -        $this, the variables, id and source of each chain
//   x=-                                           unset; a query without $this
//
// A field without an id is `-`, also where a term holds only because its relation is Reflexive.
#pragma once

#include "oracle/evaluate.hpp"

namespace kith_oracle {

std::string to_text(const snapshot& world, const answer& a, const row& r, bool with_fields);
// All rows; rows of equal rank are in alphabetical order.
std::vector<std::string> rows_text(const snapshot& world, const answer& a, bool with_fields);
// The whole answer: `error`, `yes`, `no`, or one line per row.
std::string to_text(const snapshot& world, const answer& a);

}  // namespace kith_oracle
