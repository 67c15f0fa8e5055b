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
//
// Other questions of the kind "does s lead to t" grow two sets side by side, the one that s leads
// to and the one that leads to t, until one of them answers. Both are remembered, so all questions
// about one source, or about one target, together cost what its set costs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "relations/graph.hpp"
#include "relations/reach_set.hpp"

namespace kith::core {

// Sorts by index, as targets are sorted, and keeps each entity once. Requires: the entities are
// alive, so that no two share an index.
void sort_unique(std::vector<entity_t>& list);

// What the steps along a relation depended on at one moment.
struct steps_mark {
  std::shared_ptr<const change_log> of_relation, of_kinds;
  std::uint64_t relation = 0, kinds = 0, bases = 0, all = 0;
  bool known = false;  // false: it equals nothing, as while the store is busy
};

class reach {
 public:
  explicit reach(const graph& g) : g_(g) {}

  // The entities that one step leads to from `e`, each once, ascending.
  std::vector<entity_t> steps(entity_t e, entity_t relation) const;
  // The entities from which one step leads to `e`, each once, ascending.
  std::vector<entity_t> steps_to(entity_t e, entity_t relation) const;

  // Does a walk of at least one step lead from `source` to `target`? All questions about one source
  // or one target together cost no more than its set.
  bool leads(entity_t source, entity_t relation, entity_t target) const;
  // All entities that such walks lead to, or lead from; nearest first.
  std::vector<entity_t> reached_from(entity_t source, entity_t relation) const;
  std::vector<entity_t> reached_to(entity_t target, entity_t relation) const;
  // The same as sets that are remembered until a step of the relation comes or goes. What is
  // remembered is limited in proportion to the number of entities.
  std::shared_ptr<const reach_set> set_from(entity_t source, entity_t relation) const {
    return complete_set({source, relation, false});
  }
  std::shared_ptr<const reach_set> set_to(entity_t target, entity_t relation) const {
    return complete_set({target, relation, true});
  }
  // About how many entities the source leads to, or lead to the target. Exact if the set is known;
  // else a guess from at most `max_sampled` entities, which also grow the set that is remembered.
  double size_from(entity_t source, entity_t relation) const {
    return size_of({source, relation, false});
  }
  double size_to(entity_t target, entity_t relation) const {
    return size_of({target, relation, true});
  }

  steps_mark mark_steps(entity_t relation) const;
  // Are the steps along the relation those that they were?
  bool are_steps_as_at(const steps_mark& mark, entity_t relation) const;

  // Does R(source, target) hold, with all that Transitive, Reflexive and kinds of R add?
  bool related(entity_t source, entity_t relation, entity_t target) const;
  // Does P(e) hold: is P, or a kind of P, visible on e?
  bool related(entity_t e, entity_t predicate) const;

  // The first entity on which `id` is visible, among `e` and the entities it leads to, depth first;
  // 0 if there is none. Amortised O(1) for a chain while no pair of the relation, no base, and no
  // owner of `id` changes.
  entity_t first_with(entity_t e, entity_t relation, id_t id) const;
  // The same; nothing if the way there forks.
  std::optional<entity_t> first_on_way(entity_t e, entity_t relation, id_t id) const;

  // How many steps have been looked at since this was made: what all questions have cost.
  std::uint64_t steps_taken() const { return steps_taken_; }
  // How much the sets that are remembered hold.
  std::size_t members_held() const { return held_; }

  // Forgets all that is remembered.
  void forget() {
    forests_.clear();
    found_.clear();
    answers_ = 0;
    related_kinds_.clear();
    sets_.clear();
    held_ = 0;
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
  struct set_key {
    entity_t start, relation;
    bool back;  // the entities that lead to `start`
    friend bool operator==(const set_key&, const set_key&) = default;
  };
  struct set_hash {
    std::size_t operator()(const set_key& k) const { return mix(k.start * 2 + k.back); }
  };
  // The sets of one relation.
  struct relation_sets {
    steps_mark when;
    bool plain = false;  // the steps are the pairs of the relation, and no more
    hash_map<set_key, std::shared_ptr<reach_set>, set_hash> sets;
    // The complete set that gave the last answer: the next question is usually about it too.
    set_key last_key{};
    std::shared_ptr<const reach_set> last;
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
  // Members of all sets, beyond four per entity; and what a set itself counts for.
  static constexpr std::size_t max_held = std::size_t{1} << 16;
  static constexpr std::size_t set_weight = 16;
  // How many steps a walk through a forest takes before it grows sets.
  static constexpr std::size_t short_walk = 32;
  static constexpr std::size_t max_sampled = 64;
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
  std::optional<entity_t> find_first(entity_t e, entity_t relation, id_t id, bool forks) const;
  // Answers by labels or by a short walk; nothing if it takes more.
  std::optional<bool> leads_in_forest(entity_t source, entity_t relation, entity_t target) const;
  // Counts what questions cost that labels would have answered at once. Makes labels if it pays.
  void count_walked(entity_t relation, std::size_t steps) const;
  void make_labels(forest& f, entity_t relation) const;

  // Is each step a pair that the entity owns and that is not off?
  bool has_plain_steps(entity_t relation) const;
  relation_sets& sets_of(entity_t relation) const;
  std::shared_ptr<reach_set> find_set(relation_sets& in, const set_key& key) const;
  std::size_t expand(const relation_sets& in, const set_key& key, reach_set& set) const;
  bool follow_only_step(relation_sets& in, const set_key& key, reach_set& set) const;
  std::shared_ptr<const reach_set> complete_set(const set_key& key) const;
  double size_of(const set_key& key) const;
  bool leads_by_sets(entity_t source, entity_t relation, entity_t target) const;
  template <class Visit>
  void each_plain_step(entity_t e, entity_t relation, bool back, Visit visit) const;

  const graph& g_;
  mutable hash_map<entity_t, forest> forests_;
  mutable hash_map<entity_t, std::vector<entity_t>> related_kinds_;
  mutable std::uint64_t related_kinds_version_ = 0;
  mutable hash_map<std::pair<entity_t, id_t>, found, pair_hash> found_;
  mutable std::size_t answers_ = 0;  // in all of found_
  mutable hash_map<entity_t, relation_sets> sets_;
  mutable std::uint64_t steps_taken_ = 0;
  mutable std::size_t held_ = 0;  // members of all sets, and set_weight for each
};

}  // namespace kith::core
