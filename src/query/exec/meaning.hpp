// What holds: the sentences of the language about one graph.
//
// A term holds if, for one of the entities its source stands for, one of its predicates and one of
// its targets, that id is there. What a place stands for is either written (`[self|up(R)]`) or
// implied: the kinds of a predicate, what leads to the target of a Transitive relation, and for
// sources that ids are visible from their bases.
//
// Answers that take a walk are remembered until something changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/check/checked_query.hpp"
#include "query/plan/shortcuts.hpp"
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
  meaning(const graph& g, const reach& r, const core::shortcuts& open)
      : g_(g), reach_(r), open_(open) {}

  // An entity a source stands for, and whether its visible or its owned ids are asked.
  struct source_entity {
    entity_t entity;
    bool sees;
    friend bool operator==(const source_entity&, const source_entity&) = default;
  };

  // Does it hold for these values? Requires: all slots of the term are set.
  bool holds(const checked_term& t, const slot_values& values);
  // The id that made it hold, and where. Requires: holds.
  matched find_match(const checked_term& t, const slot_values& values);

  // The entity a place names, before flags; 0 if a lookup finds nothing or the entity is gone.
  entity_t value_of(const checked_ref& r, const slot_values& values) const;
  // `p` and its kinds, in order.
  std::span<const entity_t> with_kinds(entity_t p);
  bool has_kinds(entity_t p) { return with_kinds(p).size() > 1; }
  // What walks along a relation reach from `e`, in order, each once.
  std::span<const entity_t> reached(entity_t e, const checked_walk& w);

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

  const graph& world() const { return g_; }
  const class reach& reach() const { return reach_; }
  const core::shortcuts& shortcuts() const { return open_; }
  bool alive(entity_t e) const { return g_.store.entities().is_alive(e); }
  bool there(source_entity on, id_t id) const;
  // The ids that a source shows and that match a pattern, ascending.
  std::vector<id_t> ids_on(source_entity on, id_t pattern) const;

  // Forgets what is no longer true.
  void refresh();

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
  struct depth_key {
    entity_t entity, relation;
    friend bool operator==(const depth_key&, const depth_key&) = default;
  };
  struct depth_hash {
    std::size_t operator()(const depth_key& k) const { return mix(mix(k.entity) + k.relation); }
  };

  bool holds_on(source_entity on, const checked_term& t, const slot_values& values);
  bool some_entity_has(const checked_term& t, const slot_values& values);
  // Is it `(R, *)`, and is the pair of the star known?
  static bool knows_pair(const checked_term& t, const slot_values& values);
  bool pair_fits(const checked_term& t, id_t pair);
  bool pair_holds(source_entity on, const checked_term& t, const slot_values& values);
  bool list_holds(const checked_term& t, const slot_values& values);
  bool equality_holds(const checked_term& t, const slot_values& values);
  bool id_holds(source_entity on, id_t id);
  void ids_to_match(source_entity on, const checked_term& t, const slot_values& values,
                    std::vector<id_t>& ids);
  matched nearest_of(source_entity on, std::span<const id_t> ids) const;
  static id_t seen_by_star(const checked_term& t, id_t id);
  bool has_one_walk(const checked_ref& r, const slot_values& values) const;
  bool has_pair_within(source_entity on, std::span<const entity_t> relations, entity_t target,
                       const checked_ref& targets);
  const hash_map<entity_t, bool>& reached_set(entity_t e, const checked_walk& w);
  bool leads_there(source_entity on, std::span<const entity_t> kinds, entity_t relation,
                   entity_t target);
  void pairs_that_lead(source_entity on, const checked_term& t, const slot_values& values,
                       std::span<const entity_t> kinds, entity_t target, std::vector<id_t>& out);
  std::vector<entity_t> step(entity_t e, const checked_walk& w) const;
  std::vector<entity_t> walk_from(entity_t start, const checked_walk& w);
  std::vector<entity_t> walk_around(entity_t start, const checked_walk& w) const;

  const graph& g_;
  const class reach& reach_;
  const core::shortcuts& open_;
  std::uint64_t version_ = 0;
  std::uint64_t looks_at_all_ = 0;
  hash_map<entity_t, std::vector<entity_t>> kinds_;
  hash_map<walk_key, std::vector<entity_t>, walk_hash> walks_;
  hash_map<walk_key, std::unique_ptr<hash_map<entity_t, bool>>, walk_hash> reached_sets_;
  hash_map<depth_key, std::uint32_t, depth_hash> depths_;
  hash_map<depth_key, std::shared_ptr<const closure>, depth_hash> closures_;
};

}  // namespace kith::core
