// How many rows a term is thought to give, from the counts the storage keeps.
#pragma once

#include "query/check/checked_query.hpp"
#include "query/plan/shortcuts.hpp"
#include "relations/graph.hpp"

namespace kith::core {

class estimates {
 public:
  estimates(const graph& g, const shortcuts& open) : g_(g), open_(open) {}

  // About how many values `slot` can have so that `t` holds, if the slots in `known` have values.
  // Negative: the term cannot say.
  double values(const checked_term& t, slot_index slot, const slot_list& known) const;
  // Entities that own an id; of (R, *) the pairs there are. O(1).
  double rows(id_t pattern) const;
  // Does each pair that a term asks for have its entities in one list?
  bool is_one_list(const checked_term& t) const;
  double everything() const { return static_cast<double>(g_.store.entities().size()); }

 private:
  double counted(const checked_term& t, slot_index slot, const slot_list& known) const;
  double pairs_of(const checked_term& t) const;
  const id_group* group_of(entity_t relation) const;

  const graph& g_;
  const shortcuts& open_;
};

}  // namespace kith::core
