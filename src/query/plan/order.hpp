// In which order the variables of a block get their values.
//
// A piece is a term, a chain of alternatives or a Not that is still to do. For a set B of variables
// that have values, the search estimates how many combinations of values are left:
//
//   combinations(B) = product of the domains of B times, for each piece, the share of these
//                     combinations that it lets through
//
// and what the next variable costs: combinations(B) times the values that are tried for it. The
// domain of a variable is the smallest list that a piece gives. The shares come from samples
// (statistics.hpp), also the share of rows of one piece that another one has at all: relations are
// often correlated, and targets are seldom equally frequent.
//
// Up to `exact_slots` variables all orders are compared, by going through the sets B from the
// largest to the smallest. For more, the cheapest next variable is chosen again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/plan/estimate.hpp"
#include "query/plan/statistics.hpp"

namespace kith::core {

// A term that names values for a variable, and how many.
struct named_values {
  const checked_term* term;
  double rows;
};

// What gets values next, and what is expected of it.
struct order_choice {
  slot_index slot = no_slot;  // no_slot: those of `chain`
  const item* chain = nullptr;
  double tried = 0;                  // values that are looked at, for all combinations before
  double rows = 0;                   // combinations that are left
  double cost = 0;                   // of this step and of all that follow
  std::vector<named_values> from{};  // for one combination, the fewest first
  // Terms with other variables, too, of which few values have any row: it pays to ask that at once.
  std::vector<const checked_term*> filters{};
};

struct slot_order {
  std::vector<order_choice> steps;
  // What could come first instead, with the cost of the best order that begins so.
  std::vector<order_choice> others;
  // There were too many variables to compare all orders. To ask again after each step would take
  // too long, so such an order is followed until enough has changed.
  bool rough = false;
  bit_set gives;                      // the slots that its steps give values to
  bit_set terms;                      // the numbers of the terms that it is about
  std::vector<const item*> chains{};  // those that it goes on with, ascending
};

// A chain that can give values to its variables, and how many.
struct open_chain {
  const item* what;
  double rows;
};

struct order_question {
  const checked_query& query;
  const bit_set& bound;            // slots that have values
  std::vector<const item*> terms;  // that cannot vanish
  std::vector<const item*> nots;   // that are asked once their slots have values
  std::vector<open_chain> chains;
  // Variables that may be given each entity in turn.
  bit_set open_to_all;
  // When all variables have values, nothing is left to do but the Nots.
  bool is_all = false;
};

slot_order find_order(const order_question& question, const estimates& counts, statistics& samples);

}  // namespace kith::core
