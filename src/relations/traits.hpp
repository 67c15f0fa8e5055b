// What a relation or a component has been told to do, as flags that the id's group carries.
//
// A trait is an ordinary id on the entity it is about. It can come and go at any time; one that the
// data contradicts is refused with an error that names the data.
#pragma once

#include <cstdint>

#include <kith/detail/id.hpp>

#include "entity/names.hpp"
#include "storage/store.hpp"

namespace kith::core {

enum trait_flag : std::uint32_t {
  exclusive = 1 << 0,           // at most one target
  acyclic = 1 << 1,             // no way leads back to its start
  pair_is_tag = 1 << 2,         // pairs have no data
  delete_with_target = 1 << 3,  // when the target is deleted, so is the source
};

class traits {
 public:
  traits(store& s, const names& n) : store_(s), names_(n) {}

  static bool is_trait(id_t id);
  // Some relation kept in tables has a trait that adding a pair must look at.
  bool any_guarded() const { return guarded_ != 0; }
  // Raises an error if giving (`on`) or taking `trait` would contradict what is there.
  void check(entity_t e, id_t trait, bool on) const;
  void apply(entity_t e, id_t trait, bool on);
  // `e` is about to be deleted.
  void forget(entity_t e);

  // Flags that hold for an id.
  std::uint32_t flags_of(id_t id) const {
    const id_group* group = store_.ids().find_group(id);
    return group ? group->traits : 0;
  }

 private:
  void check_exclusive(entity_t relation) const;
  void check_acyclic(entity_t relation) const;
  void check_untyped_pairs(entity_t relation) const;

  store& store_;
  const names& names_;
  int guarded_ = 0;
};

// Would adding (relation, target) to `source` close a cycle? O(1) if nothing leads to `source`, else
// the entities that `target` leads to.
bool closes_cycle(const store& s, std::uint32_t relation, entity_t source, entity_t target);

}  // namespace kith::core
