// Evaluates a query by trying all assignments, as section 4 of the language says.
//
//   kith_oracle::facts world(snapshot_of(w));
//   answer a = evaluate(world, parse_query("(Likes, $x)").value());
//   a.rows[0].values      // $this, then the variables in order of first appearance
//
// This is deliberately naive; it shares nothing with the engine but the parsed expression.
#pragma once

#include "oracle/ways.hpp"

namespace kith_oracle {

struct row {
  static constexpr int comes_last = 1 << 20;

  std::vector<entity_t>
      values;                 // $this (0 if it is not in the query), then the columns; 0 is unset
  std::vector<field> fields;  // one per outermost chain
  std::map<slot, id> slots;   // what makes this a row of its own besides `values`
  int rank = 0;               // rows come in ascending order of rank if the query is ordered
};

struct answer {
  std::string error;  // what is wrong with the query; the other members have no meaning then
  bool is_yes_no = false;
  bool is_true = false;
  bool is_ordered = false;
  std::vector<std::string> columns;  // names of the variables in `values`, without $this
  std::vector<row> rows;             // empty for a yes/no question
};

using arguments = std::map<std::string, entity_t>;

answer evaluate(facts& world, const kith::core::expression& e, const arguments& bound = {});

}  // namespace kith_oracle
