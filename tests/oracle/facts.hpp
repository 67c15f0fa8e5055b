// What holds in a world: section 3 of the language, word for word.
//
// Results are cached, because a snapshot never changes.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "oracle/snapshot.hpp"

namespace kith_oracle {

// An id and the entity it was found on.
struct found_id {
  entity_t owner = 0;
  kith_oracle::id id;
};

// `up(R, min, max)` or `down(R, min, max)` with the relation looked up.
struct step_walk {
  bool up = true;
  entity_t relation = 0;
  std::uint32_t min = 1;
  std::uint32_t max = 0xffff'ffff;
  friend auto operator<=>(const step_walk&, const step_walk&) = default;
};

class facts {
 public:
  explicit facts(const snapshot& world) : world_(world) {}

  const snapshot& world() const { return world_; }

  bool has_trait(entity_t e, entity_t trait) const;
  bool is_exclusive(entity_t relation) const;
  bool is_dont_inherit(const id& i) const;

  // X itself, then its kinds, depth-first.
  const std::vector<entity_t>& self_and_kinds(entity_t x);
  // The ids that e owns, on or off.
  const std::vector<found_id>& owned(entity_t e);
  // The ids that are visible on e, each with the entity that owns it, in the order of the search.
  const std::vector<found_id>& visible(entity_t e);

  // The entities one step along R from e (`up`), or those from which one step leads to e.
  const std::vector<entity_t>& next(entity_t relation, entity_t e, bool up);
  // The entities that a walk from e reaches, in the order of the walk.
  const std::vector<entity_t>& reached(entity_t e, const step_walk& walk);
  // What a target without flags stands for: itself and, if R is Transitive, all entities from which
  // R leads to it.
  const std::vector<entity_t>& targets_meant(entity_t relation, entity_t target);

  // The length of the longest way along R to a root; empty on a cycle or on the way to one.
  std::optional<int> depth(entity_t relation, entity_t e);

 private:
  bool is_kind_of_relation(entity_t r, entity_t relation);
  void find_visible(entity_t e, std::vector<found_id>& result);
  entity_t owner_of(entity_t e, const id& i, std::set<entity_t>& seen) const;
  entity_t first_owner_of_relation(const std::vector<entity_t>& lineage, entity_t relation) const;
  std::vector<entity_t> bases(entity_t e) const;
  const owned_id* find_owned(entity_t e, const id& i) const;

  const snapshot& world_;
  std::map<entity_t, std::vector<entity_t>> kinds_;
  std::map<entity_t, std::vector<found_id>> owned_, visible_;
  std::map<std::tuple<entity_t, entity_t, bool>, std::vector<entity_t>> next_;
  std::map<std::pair<entity_t, step_walk>, std::vector<entity_t>> reached_;
  std::map<std::pair<entity_t, entity_t>, std::vector<entity_t>> meant_;
};

}  // namespace kith_oracle
