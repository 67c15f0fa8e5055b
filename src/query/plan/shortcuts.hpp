// Ways to an answer that are only faster than others. A world has all of them; tests close some and
// compare the answers, which may not change.
#pragma once

#include <cstdint>
#include <vector>

namespace kith::core {

struct shortcuts {
  bool lists = true;      // the values that terms have in common come from sorted lists
  bool scans = true;      // rows that pass conditions are found table by table
  bool batches = true;    // results that differ in $this alone come together
  bool proofs = true;     // a term that named the values is not asked about them
  bool reach = true;      // the first entity upwards that has an id is remembered
  bool tables = true;     // a query about ids keeps the tables it matches
  bool index = true;      // results with given values are looked up
  bool rows = true;       // results are kept while nothing they depend on changes
  bool upkeep = true;     // kept results are brought up to date entity by entity
  bool repair = true;     // kept results are changed where facts changed
  bool gathering = true;  // the owners of all pairs of a relation are found in one pass
  // 0: plans follow the number of rows. Otherwise they follow these dice.
  std::uint64_t chance = 0;
  // Not empty: slots get their values in this order where they can.
  std::vector<std::uint32_t> order{};
};

}  // namespace kith::core
