// How many rows a term is thought to give, from the counts the storage keeps.
#pragma once

#include <vector>

#include "query/check/checked_query.hpp"
#include "query/plan/shortcuts.hpp"
#include "query/plan/slot_sets.hpp"
#include "relations/graph.hpp"

namespace kith::core {

class estimates {
 public:
  estimates(const graph& g, const shortcuts& open) : g_(g), open_(open) {}

  // About how many values `slot` can have so that `t` holds, if the slots in `known` have values.
  // Negative: the term cannot say.
  double values(const checked_term& t, slot_index slot, const known_slots& known) const;
  // Entities that own an id; of (R, *) the pairs there are. O(1).
  double rows(id_t pattern) const;
  // The entity and its kinds, as predicates.
  std::vector<entity_t> with_kinds(entity_t e) const;
  // Plans follow dice or a given order instead of counts. The dice show the same number each time
  // they are thrown for a slot.
  bool at_random() const { return open_.chance || !open_.order.empty(); }
  double dice(std::uint64_t slot) const;
  double everything() const { return static_cast<double>(g_.store.entities().size()); }

 private:
  double rows_of_kinds(entity_t first, entity_t target) const;
  double pairs_of(const checked_term& t) const;
  const id_group* group_of(entity_t relation) const;

  const graph& g_;
  const shortcuts& open_;
};

}  // namespace kith::core
