// The traits of entities: rules for their use as components, relations and targets.
//
// A trait is an ordinary id on the entity it is about: a tag such as Exclusive, or a pair such as
// (OnDelete, Panic). It can come and go at any time. This class keeps the traits of each entity as
// flags, and checks whether a trait may come or go: if the data contradicts it, it raises an error
// that names the data.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <kith/detail/id.hpp>

#include "entity/names.hpp"
#include "storage/store.hpp"

namespace kith::core {

namespace trait {
enum flag : std::uint32_t {
  exclusive = 1u << 0,
  acyclic = 1u << 1,
  pair_is_tag = 1u << 2,
  transitive = 1u << 3,
  reflexive = 1u << 4,
  symmetric = 1u << 5,
  final = 1u << 6,
  one_of = 1u << 7,
  with = 1u << 8,
  relation_only = 1u << 9,
  target_only = 1u << 10,
  about_ids = 1u << 11,
  singleton = 1u << 12,
  ordered_children = 1u << 13,
  dont_inherit = 1u << 14,
  override_on_instantiate = 1u << 15,
  inherit_on_instantiate = 1u << 16,
  on_delete_delete = 1u << 17,
  on_delete_panic = 1u << 18,
  on_target_delete = 1u << 19,
  on_target_panic = 1u << 20,
  in_pools = 1u << 21,   // Sparse, DontFragment or Union
  in_tables = 1u << 22,  // Fragment
  fixed = 1u << 23,      // Sparse: values keep their addresses
  slot = 1u << 24,       // (SlotOf, P): what an instance has of it is its own, and one
};

// If the entity that an id is made of has one of these flags, adding the id may need checks or
// further changes.
inline constexpr std::uint32_t guards =
    exclusive | acyclic | symmetric | one_of | with | relation_only | target_only | singleton;
}  // namespace trait

class traits {
 public:
  traits(store& s, const names& n) : store_(s), names_(n) {}

  // Is `id`, on an entity, a trait of that entity?
  static bool is_trait(id_t id);
  // The flags that `id`, on an entity, gives that entity.
  static std::uint32_t flags_of_trait(id_t id);

  // The flags of the entity at `index`.
  std::uint32_t of(std::uint32_t index) const {
    auto found = flags_.find(index);
    return found == flags_.end() ? 0 : found->second;
  }
  // The flags of the plain id, or of the relation of a pair.
  std::uint32_t of_id(id_t id) const { return of(is_pair(id) ? relation_of(id) : index_of(id)); }

  // Changes whenever a trait comes or goes.
  std::uint64_t version() const { return version_; }
  // Calls visit(index, flags) for each entity that has flags.
  template <class Visit>
  void each(Visit visit) const {
    for (const auto& [index, flags] : flags_) visit(index, flags);
  }

  // The entities that are (OnInstantiate, Override), by index, ascending.
  std::span<const std::uint32_t> overriding() const { return overriding_; }

  // Raise an error if `e` cannot get the trait, or cannot lose it. `flags` are the flags of `e`,
  // and the ones that the same change adds.
  void check_given(entity_t e, id_t trait, std::uint32_t flags) const;
  void check_taken(entity_t e, id_t trait) const;
  // Moves the ids made of `e` to the place that `flags`, which `e` is about to have, pin them to.
  // After this, update() cannot fail for `count` entities. No answer of the store changes.
  void reserve(entity_t e, std::uint32_t flags, std::size_t count);
  // To be called after a trait of `e` came or went: recomputes the flags.
  void update(entity_t e) noexcept;
  // Both, for the traits that `e` owns now. All or nothing.
  void restore(entity_t e);
  // Is a relation OneOf?
  bool any_one_of() const { return one_of_count_ != 0; }
  // Has an entity that is not built in the trait Relationship, so that it cannot be a target?
  bool any_relation_only() const { return relation_only_count_ != 0; }
  // To be called when `e` ends.
  void forget(entity_t e) {
    one_of_count_ -= (of(index_of(e)) & trait::one_of) != 0;
    relation_only_count_ -= (of(index_of(e)) & trait::relation_only) != 0;
    version_ += flags_.erase(index_of(e));
    std::erase(overriding_, index_of(e));
  }
  // A trait that the built-in entity `e` owns from the start, and keeps.
  void keep(entity_t e, id_t trait) { kept_.emplace(e, trait); }
  // Flags that the built-in entity `e` has without owning a trait for them.
  void be_born_with(entity_t e, std::uint32_t flags) {
    born_with_[index_of(e)] |= flags;
    flags_[index_of(e)] |= flags;
  }

  // Raises an error if adding `id` to `e` is against the traits of the parts of `id`.
  void check_use(entity_t e, id_t id) const;

 private:
  void check_exclusive(entity_t relation, bool with_mirrored, const char* wanted) const;
  void check_acyclic(entity_t relation) const;
  void check_final(entity_t e) const;
  void check_one_of(entity_t relation, entity_t parent) const;
  void check_only_relation(entity_t e) const;
  void check_only_target(entity_t e) const;
  void check_singleton(entity_t e) const;
  void check_no_pair_values(entity_t relation) const;
  void check_place(entity_t e, id_t trait, std::uint32_t flags) const;
  bool is_child_of(std::uint32_t e, std::uint32_t parent) const;
  // The flags of the traits that `e` owns or was born with.
  std::uint32_t flags_owned(entity_t e) const;
  std::string text(entity_t e) const;
  // Raises an error: `e` cannot be `trait`, because of what `why` says about `offender`.
  [[noreturn]] void raise_contradiction(entity_t e, const char* trait, entity_t offender,
                                        const std::string& why) const;

  store& store_;
  const names& names_;
  hash_map<std::uint32_t, std::uint32_t> flags_;
  hash_map<std::uint32_t, std::uint32_t> born_with_;
  std::set<std::pair<entity_t, id_t>> kept_;
  std::vector<std::uint32_t> overriding_;
  std::size_t one_of_count_ = 0;
  std::size_t relation_only_count_ = 0;
  std::uint64_t version_ = 1;
};

// Would adding (relation, target) to `source` close a cycle? O(1) if no pair leads to `source`,
// else O(entities that `target` leads to).
bool closes_cycle(const store& s, std::uint32_t relation, entity_t source, entity_t target);

}  // namespace kith::core
