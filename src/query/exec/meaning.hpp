// What holds: the sentences of the language about one graph.
//
// A term holds if, for one of the entities its source stands for, one of its predicates and one of
// its targets, that id is there. What a place stands for is either written (`[self|up(R)]`) or
// implied: the kinds of a predicate, what leads to the target of a Transitive relation, and for
// sources that ids are visible from their bases.
//
// Answers that take a walk are remembered: those about unlimited walks until a step of their
// relation comes or goes, others until anything changes. What is remembered is limited in
// proportion to the number of entities.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/exec/effort.hpp"
#include "query/exec/walk_marks.hpp"
#include "query/plan/shortcuts.hpp"
#include "query/plan/statistics.hpp"
#include "relations/graph.hpp"
#include "relations/reach.hpp"

namespace kith::core {

// The values of all slots; 0 is unset. The value of a star is an id.
using slot_values = std::vector<id_t>;

struct matched {
  id_t id = 0;          // 0: there is none, as for a term that holds by Reflexive alone
  entity_t source = 0;  // where it was found
};

class meaning {
 public:
  meaning(const graph& g, const reach& r, const core::shortcuts& open, statistics& samples)
      : g_(g), reach_(r), open_(open), samples_(samples) {}

  // An entity a source stands for, and whether its visible or its owned ids are asked.
  struct source_entity {
    entity_t entity;
    bool sees;
    friend bool operator==(const source_entity&, const source_entity&) = default;
  };

  // Does it hold for these values? Requires: all slots of the term are set.
  bool holds(const checked_term& t, const slot_values& values);
  // May it hold for some values of the slots that are not set? Says so where that takes a search.
  bool may_hold(const checked_term& t, const slot_values& values);
  // The id that made it hold, and where. Requires: holds.
  matched find_match(const checked_term& t, const slot_values& values);

  // The entity a place names, before flags; 0 if a lookup finds nothing or the entity is gone.
  entity_t value_of(const checked_ref& r, const slot_values& values) const;
  // `p` and its kinds, in order.
  std::span<const entity_t> with_kinds(entity_t p);
  // Of more kinds than this the ids of an entity are compared with the kinds, not the other way.
  std::size_t many_kinds() const { return open_.chance ? open_.chance % 3 : 16; }
  bool has_kinds(entity_t p) { return with_kinds(p).size() > 1; }
  // What walks along a relation reach from `e`, in order, each once. Valid until the next call.
  std::span<const entity_t> reached(entity_t e, const checked_walk& w);
  // Does a walk lead from one to the other? All questions about one `from`, or about one `to`,
  // together cost no more than the set of it.
  bool reaches(entity_t from, const checked_walk& w, entity_t to);
  // Appends what walks reach from one of `from`, in any order; an entity may come more than once.
  // Goes through each entity once, and again for each step that walks must have, however many there
  // are to begin with.
  void add_reached(std::span<const entity_t> from, const checked_walk& w,
                   std::vector<entity_t>& out);
  // What a Transitive relation R, or any other, leads to from `source`, and what leads to `target`,
  // by one step or more; shared, and remembered as long as it holds. `reach().size_from` and
  // `size_to` say how large they are without finding them.
  std::shared_ptr<const reach_set> all_from(entity_t source, entity_t relation) const {
    return reach_.set_from(source, relation);
  }
  std::shared_ptr<const reach_set> all_to(entity_t target, entity_t relation) const {
    return reach_.set_to(target, relation);
  }

  // The pairs that make R(s, target) hold for a Transitive R: those of R and its kinds with the
  // target or what leads to it.
  struct closure {
    std::vector<const id_record*> pairs;    // those that some entity has
    hash_map<std::uint32_t, bool> targets;  // by index
    std::vector<entity_t> relations;
    double rows = 0;
  };
  std::shared_ptr<const closure> closure_of(entity_t relation, entity_t target);

  // What the places of a term stand for. Requires: their slots are set. `predicates` and `targets`
  // leave out what Transitive adds.
  void sources(const checked_term& t, const slot_values& values, std::vector<source_entity>& out);
  void predicates(const checked_term& t, const slot_values& values, std::vector<entity_t>& out);
  void targets(const checked_term& t, const slot_values& values, std::vector<entity_t>& out);
  // The ids that are there and fit a term with `*` or `_`, ascending, each once. Of `(*, _)` they
  // have Any in the place of `_`.
  void ids_that_fit(const checked_term& t, const slot_values& values, source_entity on,
                    std::vector<id_t>& out);
  // For a term about one id on the first entity upwards that has it: that entity, or 0 if none has.
  // Nothing for other terms. Amortised O(1) along a way that does not fork.
  std::optional<source_entity> first_source(const checked_term& t, const slot_values& values);
  // What a place stands for by its flags, in order, each once; just the entity of its `all` if that
  // is set.
  void stand_for(const checked_ref& r, const slot_values& values, std::vector<entity_t>& out);

  bool is_transitive(const checked_term& t, const slot_values& values) const;
  bool is_reflexive(const checked_term& t, const slot_values& values) const;
  std::uint32_t traits_of(entity_t e) const { return g_.traits.of(index_of(e)); }

  // The longest way to a root along a relation; `endless` if it leads into a cycle.
  static constexpr std::uint32_t endless = ~0u;
  std::uint32_t depth(entity_t e, entity_t relation);
  // The place of a result in the order that a cascade asks for. Requires: q.ordered.
  std::uint32_t place_in_order(const checked_query& q, const slot_values& values);

  const graph& world() const { return g_; }
  const class reach& reach() const { return reach_; }
  const core::shortcuts& shortcuts() const { return open_; }
  statistics& samples() const { return samples_; }
  core::effort& effort() { return effort_; }
  bool alive(entity_t e) const { return g_.store.entities().is_alive(e); }
  bool there(source_entity on, id_t id) const;
  // The ids that a source shows and that match a pattern, ascending.
  std::vector<id_t> ids_on(source_entity on, id_t pattern) const;

  // Forgets what is no longer true.
  void refresh();
  // Forgets everything.
  void forget();

  // An answer depends on which entities there are, whatever they have. Changes when one did.
  std::uint64_t looks_at_all() const { return looks_at_all_; }
  void note_look_at_all() { ++looks_at_all_; }

 private:
  struct walk_key {
    entity_t start;
    entity_t relation;
    std::uint32_t min, max;
    walk::way way;
    friend bool operator==(const walk_key&, const walk_key&) = default;
  };
  struct walk_hash {
    std::size_t operator()(const walk_key& k) const {
      return mix(mix(k.start) + mix(k.relation * 2 + (k.way == walk::way::up)) + mix(k.min) +
                 k.max);
    }
  };
  // What is known of unlimited walks along one relation.
  struct relation_memory {
    steps_mark when;
    hash_map<entity_t, std::vector<entity_t>> up, down;
    hash_map<entity_t, std::uint32_t> depths;
    hash_map<entity_t, std::shared_ptr<const closure>> closures;
  };
  // From where a walk leads to an entity on which an id that a term asks for is.
  struct marked_term {
    checked_ref first, second;
    std::array<id_t, 5> values;  // of all slots that matter
    bool pair, exact, sees;
    walk_key walk;  // from 0
    walk_marks marks;
  };
  // Members of all lists that are remembered, beyond four per entity.
  static constexpr std::size_t max_held = std::size_t{1} << 16;
  static constexpr std::size_t max_relations = 64;
  static constexpr std::size_t max_marked = 8;
  static constexpr std::size_t max_rankings = 4;
  // So far a walk goes on its own before marks are made. Tests that make plans at random want marks
  // in small worlds too.
  std::size_t short_walk() const { return open_.chance ? open_.chance % 4 : 16; }

  bool holds_on(source_entity on, const checked_term& t, const slot_values& values);
  bool some_entity_has(const checked_term& t, const slot_values& values);
  // Is it `(R, *)`, and is the pair of the star known?
  static bool knows_pair(const checked_term& t, const slot_values& values);
  bool pair_fits(const checked_term& t, id_t pair);
  bool pair_holds(source_entity on, const checked_term& t, const slot_values& values);
  bool list_holds(const checked_term& t, const slot_values& values);
  bool is_called(entity_t e, const checked_term& t) const;
  bool equality_holds(const checked_term& t, const slot_values& values);
  bool id_holds(source_entity on, id_t id);
  void ids_to_match(source_entity on, const checked_term& t, const slot_values& values,
                    std::vector<id_t>& ids);
  matched nearest_of(source_entity on, std::span<const id_t> ids) const;
  static id_t seen_by_star(const checked_term& t, id_t id);
  static bool has_walks(const checked_ref& r, const slot_values& values);
  bool stands_for(const checked_ref& r, entity_t value, entity_t e);
  std::vector<id_t> ids_of_kinds(source_entity on, entity_t p);
  bool names_many(const checked_ref& r, const slot_values& values);
  using entity_test = std::function<bool(entity_t)>;
  bool has_pair_with(source_entity on, std::span<const entity_t> relations,
                     const entity_test& passes) const;
  const hash_map<entity_t, bool>& reached_set(entity_t e, const checked_walk& w);
  // Does a term hold on what walks of its source reach, and on which is it found first? Nothing if
  // that must be asked one by one.
  enum class asked : std::uint8_t { whether, where };
  std::optional<source_entity> found_by_walks(const checked_term& t, const slot_values& values,
                                              asked what);
  // The first that passes among those that walks reach from `start`; any of them if just `whether`
  // there is one is asked; 0 if there is none.
  entity_t first_reached(entity_t start, const checked_walk& w, walk_marks* marks, asked what,
                         const entity_test& passes);
  walk_marks* marks_of(const checked_term& t, const slot_values& values, const checked_walk& w,
                       bool sees);
  walk_marks* marks_of(marked_term&& about);
  bool is_endless(const checked_walk& w) const;
  bool leads_there(source_entity on, std::span<const entity_t> kinds, entity_t relation,
                   entity_t target);
  void pairs_that_lead(source_entity on, const checked_term& t, const slot_values& values,
                       std::span<const entity_t> kinds, entity_t target, std::vector<id_t>& out);
  void pairs_within(source_entity on, std::span<const entity_t> kinds, entity_t target,
                    const checked_ref& targets, std::vector<id_t>& out);
  // Sorts pairs by their targets, and other ids by themselves: `first` before all, then those that
  // walks reach from `start`, in their order. Requires: walks reach all of them.
  void sort_by_rank(std::vector<id_t>& pairs, entity_t first, const checked_walk& w,
                    entity_t start);
  // The pair of a relation by which `on` leads to `target` first; 0 if there is none. Nothing where
  // all its pairs must be compared.
  std::optional<id_t> pair_that_leads(source_entity on, entity_t kind, entity_t relation,
                                      entity_t target);
  std::vector<entity_t> step(entity_t e, const checked_walk& w) const;
  // Calls visit(e) with what walks reach, in order, each once, until it returns false.
  void walk_from(entity_t start, const checked_walk& w, const entity_test& visit) const;
  void walk_on(entity_t start, const checked_walk& w, const entity_test& visit) const;
  void walk_around(entity_t start, const checked_walk& w, const entity_test& visit) const;
  std::vector<entity_t> walk_from(entity_t start, const checked_walk& w) const;
  relation_memory& memory_of(entity_t relation);
  // Makes room for as many more members.
  void hold(std::size_t members);

  const graph& g_;
  const class reach& reach_;
  const core::shortcuts& open_;
  statistics& samples_;
  core::effort effort_;
  std::uint64_t version_ = 0;
  std::uint64_t looks_at_all_ = 0;
  hash_map<entity_t, std::vector<entity_t>> kinds_;
  steps_mark kinds_when_;
  hash_map<entity_t, relation_memory> relations_;
  std::size_t held_ = 0;
  // Until anything changes.
  hash_map<walk_key, std::vector<entity_t>, walk_hash> walks_;
  hash_map<walk_key, std::unique_ptr<hash_map<entity_t, bool>>, walk_hash> reached_sets_;
  std::vector<std::unique_ptr<marked_term>> marked_;  // used lately first
  // The places of what a walk reaches in its order.
  struct ranking {
    walk_key walk;
    hash_map<entity_t, std::ptrdiff_t> place;
  };
  std::vector<ranking> rankings_;  // used lately first
  // The last questions of pair_that_leads(); of several about one target the first.
  struct led_pair {
    entity_t target = 0, source = 0;
  };
  std::array<led_pair, 4> asked_lately_{};
};

}  // namespace kith::core
