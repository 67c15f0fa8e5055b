// Where relations lead: steps, closures, and what holds by Transitive, Reflexive and kinds.
//
// One step along R leads from s to t when (R', t) is visible on s, R' being R or a kind of R. Cycles are
// legal; every question ends.
//
// For an Exclusive relation whose pairs nobody inherits, and of which no kind has pairs, the entities form
// a forest. Its nodes are
// labelled by a walk through each tree, [first, last) being the labels below a node, so that "does s
// lead to t" is a comparison. The labels are made when the steps walked without them exceed what making
// them costs. After a few changes they still hold for all that is not below an entity that changed.
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

// Each entity once, ascending by index, as targets are. Requires: alive, so that no two share an index.
void sort_unique(std::vector<entity_t>& list);

class reach {
 public:
  explicit reach(const graph& g) : g_(g) {}

  // Where one step leads from `e`, each once, ascending.
  std::vector<entity_t> steps(entity_t e, entity_t relation) const;
  // From where one step leads to `e`, each once, ascending.
  std::vector<entity_t> steps_to(entity_t e, entity_t relation) const;

  // Does a walk of at least one step lead from `source` to `target`?
  bool leads(entity_t source, entity_t relation, entity_t target) const;
  // All that such walks lead to, or lead from; nearest first.
  std::vector<entity_t> reached_from(entity_t source, entity_t relation) const;
  std::vector<entity_t> reached_to(entity_t target, entity_t relation) const;

  // Does R(source, target) hold, with all that Transitive, Reflexive and kinds of R add?
  bool related(entity_t source, entity_t relation, entity_t target) const;
  // Does P(e) hold: is P, or a kind of P, visible on e?
  bool related(entity_t e, entity_t predicate) const;

  // The first of `e` and what it leads to, depth first, on which `id` is visible; 0 if none.
  // Amortised O(1) for a chain while no pair of the relation, no base and nobody's `id` changes.
  entity_t first_with(entity_t e, entity_t relation, id_t id) const;

  // Forgets all that is remembered.
  void forget() {
    forests_.clear();
    found_.clear();
    answers_ = 0;
    related_kinds_.clear();
  }

  // All that IsA `e`, directly or through others.
  std::vector<entity_t> kinds_of(entity_t e) const;

 private:
  struct label {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  // 0: not in the forest
  };
  struct forest {
    std::uint64_t bases_version = 0;  // when `inherited` was found out
    bool inherited = false;
    log_reader log;  // of the relation
    bool labelled = false;
    std::vector<std::uint32_t> changed;  // of those that have labels, by index
    std::size_t walked = 0;
    hash_map<std::uint32_t, label> labels;
  };
  struct found {
    std::shared_ptr<const change_log> of_relation, of_id, of_kinds;
    // What was true when the answers were found.
    struct moment {
      std::uint64_t relation, id, kinds, bases, all;
      friend bool operator==(const moment&, const moment&) = default;
    } when{};
    hash_map<entity_t, entity_t> first;
  };
  // What is remembered at most: relations with labels, ids with answers, answers beside two per entity.
  static constexpr std::size_t max_forests = 64;
  static constexpr std::size_t max_found = 64;
  static constexpr std::size_t max_answers = std::size_t{1} << 18;
  // So many entities with labels may change before all labels go.
  static constexpr std::size_t max_changed = 32;
  struct pair_hash {
    std::size_t operator()(const std::pair<entity_t, id_t>& p) const {
      return mix(mix(p.first) + p.second);
    }
  };

  bool is_forest(entity_t relation) const;
  // Does somebody inherit a pair of the relation?
  bool is_inherited(entity_t relation) const;
  // The kinds of a relation that have pairs of their own. O(1) while no base and no set of relations changes.
  std::span<const entity_t> kinds_with_pairs(entity_t relation) const;
  forest& forest_of(entity_t relation) const;
  // Takes note of what has changed; labels that it makes worthless are dropped.
  void catch_up(forest& f) const;
  // Is `node` where it was when it was labelled?
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
