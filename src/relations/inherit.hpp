// What is visible on an entity: the ids it owns, and those it inherits from its bases.
//
// visible(e) = the ids that e owns, and the ids that are visible on each b with (IsA, b) on e,
// without the ids that are (OnInstantiate, DontInherit). An id that is switched off is not visible,
// and hides the same id of a base. Of an Exclusive relation only the targets of the first owner are
// visible. "First" means: the entity itself, then depth first along IsA, bases in ascending order.
// Cycles are legal.
//
// Answers found on bases are remembered until something changes on a base. One answer serves all
// entities of a table, because they have the same bases. An entity has answers of its own if it has
// a base outside its table, has a base switched off, or is a base itself (on a cycle each entity
// has an order of its own).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <kith/detail/builtins.hpp>

#include "relations/traits.hpp"
#include "storage/store.hpp"

namespace kith::core {

class inherit {
 public:
  inherit(store& s, const traits& t)
      : store_(s), traits_(t), kinds_(s.ids().group_of(make_pair(IsA, 0))) {}

  // O(1). any(): does an entity have a base? has_bases(): does this one?
  bool any() const { return kinds_.table_uses || kinds_.pool_rows; }
  bool has_bases(const entity_record& r) const {
    return any() && !store_.pairs_of(r, index_of(IsA)).empty();
  }

  // Is an entity a kind of `e`?
  bool is_base(entity_t e) const;

  // All bases of `e`: depth first, each once. `e` itself is not among them, also on a cycle.
  std::vector<entity_t> in_order(entity_t e, const entity_record& r) const;

  // The entity that `id` is visible from, `e` itself or a base; 0 if `id` is not visible.
  entity_t owner(entity_t e, const entity_record& r, id_t id) const {
    if (store_.owns(r, id)) return store_.is_off(r, id) ? 0 : e;
    return has_bases(r) ? base_with(e, r, id) : 0;
  }
  // The same for an id that the entity does not own. Requires: has_bases.
  entity_t base_with(entity_t e, const entity_record& r, id_t id) const;
  // The same, without a search, if an entity of the same table asked lately; else 0. O(1).
  entity_t base_at_once(const entity_record& r, id_t id) const {
    if (lately_.empty() || r.loose || r.referenced || store_.toggles_used()) return 0;
    const std::uint64_t who = number_of_table(r.table);
    const known_base& last = lately_[place_of(who, id)];
    return last.is_about(who, id, now()) ? last.base : 0;
  }
  bool is_visible(entity_t e, const entity_record& r, id_t id) const {
    return owner(e, r, id) != 0;
  }
  // The visible ids that match a pattern, ascending.
  std::vector<id_t> visible_ids(entity_t e, const entity_record& r, id_t pattern) const;
  // Is an id that matches visible? For (R, *) this costs as much as nth_visible() of the first.
  bool any_visible(entity_t e, const entity_record& r, id_t pattern) const {
    if (is_pair(pattern) && is_wildcard(target_of(pattern)) && !is_wildcard(relation_of(pattern))) {
      const std::size_t own = store_.pairs_of(r, relation_of(pattern)).size();
      if (own > store_.off_pairs_of(r, relation_of(pattern)).size()) return true;
      return has_bases(r) && nth_visible(e, r, relation_of(pattern), 0) != 0;
    }
    return !visible_ids(e, r, pattern).empty();
  }

  // The pairs of a relation that one entity owns, and those among them that are off. Both
  // ascending.
  struct owned_pairs {
    std::span<const id_t> all;
    std::span<const id_t> off;
    std::size_t on() const { return all.size() - off.size(); }
  };
  // The pairs of a relation that are visible on `e`, if one entity owns all of them. Amortised
  // O(1). Invalidated by any change.
  std::optional<owned_pairs> pairs_of_one_owner(entity_t e, const entity_record& r,
                                                std::uint32_t relation) const;
  // The n-th visible pair of a relation, ascending; 0 if there are fewer. O(1) if one entity owns
  // all of them and none is off; else O(n + bases + pairs that are off).
  id_t nth_visible(entity_t e, const entity_record& r, std::uint32_t relation,
                   std::size_t n) const {
    if (has_bases(r) || store_.was_toggled(relation)) return find_nth_visible(e, r, relation, n);
    const std::span<const id_t> own = store_.pairs_of(r, relation);
    return n < own.size() ? own[n] : 0;
  }

  // Does a kind inherit this id from its base?
  bool hands_on(id_t id) const { return any() && inherits(traits_.of_id(id)); }

  // To be called when something changes on `e`: remembered answers may be wrong if `e` is a base.
  void touch(entity_t e, const entity_record& r) {
    if (r.referenced && is_base(e)) ++version_;
  }
  void touch_all() { ++version_; }
  // Changes whenever something changed on a base.
  std::uint64_t version() const { return version_; }
  // While frozen, several threads may read: answers are looked up, but no new ones remembered.
  void freeze(bool frozen) { frozen_ = frozen; }
  // Are ids without an OnInstantiate trait inherited?
  void set_default(bool inherited) { by_default_ = inherited; }

 private:
  id_t find_nth_visible(entity_t e, const entity_record& r, std::uint32_t relation,
                        std::size_t n) const;
  bool inherits(std::uint32_t flags) const;
  bool is_exclusive(std::uint32_t relation) const {
    return traits_.of(relation) & trait::exclusive;
  }
  owned_pairs own_pairs(const entity_record& r, std::uint32_t relation) const {
    return {store_.pairs_of(r, relation), store_.off_pairs_of(r, relation)};
  }
  // The only base whose pair is on; 0 if there is none or more than one.
  entity_t only_base(const entity_record& r) const;
  // Calls visit(base, record) depth first. The result says how the walk goes on.
  enum class next { deeper, pass, stop };
  template <class Visit>
  void each_base(entity_t e, const entity_record& r, Visit visit) const;

  // The answer of the bases of `e`, which has some, to a question:
  //   id             the first base that owns it and has it on; 0 if none
  //   (R, Wildcard)  R Exclusive: the first base that owns pairs of R; 0 if none
  //                  else: the only base that owns pairs of R; 0 if none, `several` if more
  entity_t on_bases(entity_t e, const entity_record& r, id_t question) const;
  entity_t find_on_bases(entity_t e, const entity_record& r, id_t question) const;
  // The same for an entity that is no base and whose only base is `base`.
  entity_t on_only_base(entity_t base, id_t question) const;
  // `pair_flag` keeps the numbers of tables apart from entities.
  static std::uint64_t number_of_table(table_id table) { return pair_flag | table.value; }
  // The moment for which answers are remembered. Both counters only grow, so their sum changes
  // whenever one of them does.
  std::uint64_t now() const { return version_ + store_.tables().erasures(); }
  std::optional<entity_t> remembered(std::uint64_t who, id_t question) const;
  void remember(std::uint64_t who, id_t question, entity_t base) const;
  std::vector<std::span<const id_t>> pairs_to_merge(entity_t e, const entity_record& r,
                                                    std::uint32_t relation) const;

  const store& store_;
  const traits& traits_;
  const id_group& kinds_;  // of (IsA, *); lives as long as the store

  static constexpr entity_t several = Wildcard;
  // When this many answers are remembered, all are forgotten.
  static constexpr std::size_t max_known = std::size_t{1} << 18;
  struct place {
    std::uint64_t who;  // an entity, or number_of_table()
    id_t question;
    friend bool operator==(const place&, const place&) = default;
  };
  struct place_hash {
    std::size_t operator()(const place& p) const { return mix(p.question + mix(p.who)); }
  };
  bool by_default_ = true;
  bool frozen_ = false;
  std::uint64_t version_ = 1;
  mutable std::uint64_t known_version_ = 0;
  mutable hash_map<place, entity_t, place_hash> known_;
  // A cache in front of `known_`: the answers that were looked up last, each in the one place that
  // its key can have. Entities of one table ask the same question, and queries alternate between
  // few tables.
  struct known_base {
    std::uint64_t version = 0;
    std::uint64_t who = 0;
    id_t question = 0;
    entity_t base = 0;
    bool is_about(std::uint64_t one, id_t what, std::uint64_t when) const {
      return who == one && question == what && version == when;
    }
  };
  static constexpr std::size_t places = 512;
  static std::size_t place_of(std::uint64_t who, id_t question) {
    return (who + question * 7 + (question >> 32)) % places;
  }
  mutable std::vector<known_base> lately_;  // empty until an answer is looked up
};

}  // namespace kith::core
