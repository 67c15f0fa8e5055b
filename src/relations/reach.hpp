// Where relations lead: steps, closures, and what holds by Transitive, Reflexive and kinds.
//
// One step along R leads from s to t when (R', t) is visible on s, R' being R or a kind of R.
// Cycles are legal; every question ends.
//
// For an Exclusive relation whose pairs no entity inherits, and of which no kind has pairs, the
// entities form a forest. A walk through each tree labels its nodes: [first, last) are the labels
// of a node and of all nodes below it, so that "does s lead to t" is a comparison. The labels are
// made when the steps that were walked without them exceed what making them costs. After a few
// changes they still hold for all nodes that are not below an entity that changed.
//
//        root [0,5)
//        ├── a [1,3)
//        │   └── c [2,3)      c leads to a: 1 < 2 < 3
//        └── b [3,5)
//            └── d [4,5)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "relations/graph.hpp"

namespace kith::core {

// Sorts by index, as targets are sorted, and keeps each entity once. Requires: the entities are
// alive, so that no two share an index.
void sort_unique(std::vector<entity_t>& list);

class reach {
 public:
  explicit reach(const graph& g) : g_(g) {}

  // The entities that one step leads to from `e`, each once, ascending.
  std::vector<entity_t> steps(entity_t e, entity_t relation) const;
  // The entities from which one step leads to `e`, each once, ascending.
  std::vector<entity_t> steps_to(entity_t e, entity_t relation) const;

  // Does a walk of at least one step lead from `source` to `target`?
  bool leads(entity_t source, entity_t relation, entity_t target) const;
  // All entities that such walks lead to, or lead from; nearest first.
  std::vector<entity_t> reached_from(entity_t source, entity_t relation) const;
  std::vector<entity_t> reached_to(entity_t target, entity_t relation) const;

  // Does R(source, target) hold, with all that Transitive, Reflexive and kinds of R add?
  bool related(entity_t source, entity_t relation, entity_t target) const;
  // Does P(e) hold: is P, or a kind of P, visible on e?
  bool related(entity_t e, entity_t predicate) const;

  // The first entity on which `id` is visible, among `e` and the entities it leads to, depth first;
  // 0 if there is none. Amortised O(1) for a chain while no pair of the relation, no base, and no
  // owner of `id` changes.
  entity_t first_with(entity_t e, entity_t relation, id_t id) const;

  // Forgets all that is remembered.
  void forget() {
    forests_.clear();
    found_.clear();
    answers_ = 0;
    related_kinds_.clear();
  }

  // All entities that are IsA `e`, directly or through others.
  std::vector<entity_t> kinds_of(entity_t e) const;

 private:
  struct label {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  // 0: not in the forest
  };
  struct forest {
    std::uint64_t bases_version = 0;  // inherit::version() when `inherited` was found
    bool inherited = false;
    log_reader log;  // of the relation
    bool labelled = false;
    std::vector<std::uint32_t> changed;  // the labelled entities that changed, by index
    std::size_t walked = 0;
    hash_map<std::uint32_t, label> labels;
  };
  struct found {
    std::shared_ptr<const change_log> of_relation, of_id, of_kinds;
    // The state of everything that the answers depend on, when they were found.
    struct moment {
      std::uint64_t relation, id, kinds, bases, all;
      friend bool operator==(const moment&, const moment&) = default;
    } when{};
    hash_map<entity_t, entity_t> first;
  };
  // Limits of what is remembered: relations with labels; ids with answers; answers, beyond two per
  // entity.
  static constexpr std::size_t max_forests = 64;
  static constexpr std::size_t max_found = 64;
  static constexpr std::size_t max_answers = std::size_t{1} << 18;
  // When more labelled entities than this have changed, all labels are dropped.
  static constexpr std::size_t max_changed = 32;
  struct pair_hash {
    std::size_t operator()(const std::pair<entity_t, id_t>& p) const {
      return mix(mix(p.first) + p.second);
    }
  };

  bool is_forest(entity_t relation) const;
  // Does an entity inherit a pair of the relation?
  bool is_inherited(entity_t relation) const;
  // The kinds of a relation that have pairs of their own. O(1) while no base changes and no
  // relation gets its first pair or loses its last one.
  std::span<const entity_t> kinds_with_pairs(entity_t relation) const;
  forest& forest_of(entity_t relation) const;
  // Reads the log of the relation. Drops all labels if too many became wrong.
  void catch_up(forest& f) const;
  // Is the node still where it was when it was labelled?
  static bool is_untouched(const forest& f, const label& node);
  found& found_for(entity_t relation, id_t id) const;
  bool leads_in_forest(entity_t source, entity_t relation, entity_t target) const;
  void make_labels(forest& f, entity_t relation) const;
  template <class Step>
  std::vector<entity_t> closure(entity_t start, Step step) const;

  const graph& g_;
  mutable hash_map<entity_t, forest> forests_;
  mutable hash_map<entity_t, std::vector<entity_t>> related_kinds_;
  mutable std::uint64_t related_kinds_version_ = 0;
  mutable hash_map<std::pair<entity_t, id_t>, found, pair_hash> found_;
  mutable std::size_t answers_ = 0;  // in all of found_
};

}  // namespace kith::core
