// Which values a slot can have so that a term holds.
//
// Lists come from the side that is known: the targets of a source, the sources of a target, the
// pairs of a relation. A list may hold more than fits, never less; a caller that must know whether
// a value fits asks `meaning`.
#pragma once

#include <span>
#include <vector>

#include "query/exec/meaning.hpp"
#include "query/plan/estimate.hpp"

namespace kith::core {

class candidates {
 public:
  explicit candidates(meaning& m) : m_(m), counts_(m.world(), m.shortcuts()) {}

  // `none`: this term cannot say. `exact`: the term holds for each value of the list.
  enum class quality : std::uint8_t { none, some, exact };

  // Each value once, appended to `out`. Slots that are not set are unknown.
  quality find(const checked_term& t, slot_index slot, const slot_values& values,
               std::vector<id_t>& out);
  // What the star of a term, or the entity of an `all`, can be. Requires: its other slots are set.
  void find_stars(const checked_term& t, const slot_values& values, std::vector<id_t>& out);
  void find_all(const checked_term& t, slot_index slot, const slot_values& values,
                std::vector<id_t>& out);
  // All entities; without the built-in ones if asked so.
  void everything(bool with_builtins, std::vector<id_t>& out) const;

  // About how many `find` would give, in O(1); negative: it cannot say.
  double size_hint(const checked_term& t, slot_index slot, const slot_values& values) const;

 private:
  bool is_set(const checked_ref& r, const slot_values& values) const {
    return r.is == checked_ref::kind::fixed || (r.is == checked_ref::kind::slot && values[r.slot]);
  }
  quality find_target(const checked_term& t, const slot_values& values, std::vector<id_t>& out);
  void add_targets_of_sources(const checked_term& t, const slot_values& values,
                              std::span<const entity_t> relations, std::vector<id_t>& list);
  quality find_predicate(const checked_term& t, const slot_values& values, std::vector<id_t>& out);
  quality find_source(const checked_term& t, const slot_values& values, std::vector<id_t>& out);
  quality find_called(const checked_term& t, slot_index slot, std::vector<id_t>& out);
  quality find_equal(const checked_term& t, slot_index slot, const slot_values& values,
                     std::vector<id_t>& out);
  // What each entity of a list was reached from: adds those that flags of `r` replace by one of
  // them.
  void replaced_by(const checked_ref& r, std::vector<id_t>& list);
  template <class Visit>
  void each_pair(entity_t relation, Visit visit) const;
  void add_owners(id_t id, bool with_heirs, std::vector<id_t>& out);
  void add_owners_of_any(entity_t relation, bool with_heirs, std::vector<id_t>& out);
  void add_heirs(entity_t owner, std::vector<id_t>& out);
  void with_bases(std::vector<id_t>& list);
  // All that have one of these traits.
  void add_with_trait(std::uint32_t any_of, std::vector<id_t>& out);

  meaning& m_;
  estimates counts_;
};

}  // namespace kith::core
