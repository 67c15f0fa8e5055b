// Ways to an answer that are only faster than others. Each can be closed, and no answer may change: tests do
// that, nobody else.
#pragma once

#include <cstdint>

namespace kith::core {

struct shortcuts {
  bool lists = true;      // the values that terms have in common, from sorted lists
  bool scans = true;      // rows that pass conditions, table by table
  bool batches = true;    // results that differ in $this alone, together
  bool proofs = true;     // a term that named the values is not asked about them
  bool reach = true;      // the first entity upwards that has an id is remembered
  bool tables = true;     // of a query about ids, the tables it matches are kept
  bool index = true;      // results with given values are looked up
  bool upkeep = true;     // kept rows are asked anew one by one
  bool gathering = true;  // who has each pair of a relation, by one way through all tables
  // Plans go by how many rows there are if this is 0, else by chance.
  std::uint64_t chance = 0;
};

// Requires: nobody asks anything while it changes.
inline shortcuts open_shortcuts;

}  // namespace kith::core
