// What an entity shows of what its bases have.
//
// visible(e) = what e owns, plus what is visible on each b with (IsA, b) on e, less the ids that are
// (OnInstantiate, DontInherit). Something that is switched off is not visible, and hides the same id
// of a base. Of an Exclusive relation only the targets of the first entity that owns one are visible.
// First means: the entity itself, then depth first along IsA, bases in ascending order. Cycles are
// legal.
//
// Answers for entities with bases are remembered per table and id, until something changes on an
// entity that is a base. Who is a base itself may be on a cycle, where the order of its bases is its
// own; so are its answers.
#pragma once

#include <vector>

#include <kith/detail/builtins.hpp>

#include "relations/traits.hpp"
#include "storage/store.hpp"

namespace kith::core {

class inherit {
 public:
  inherit(store& s, const traits& t)
      : store_(s), traits_(t), kinds_(s.ids().group_of(make_pair(IsA, 0))) {}

  // O(1): nobody is a kind of anything, or this one is not.
  bool any() const { return kinds_.table_uses || kinds_.pool_rows; }
  bool has_bases(const entity_record& r) const {
    return any() && !store_.pairs_of(r, index_of(IsA)).empty();
  }

  // Is somebody a kind of it?
  bool is_base(entity_t e) const;

  // Where `id` is visible from: the entity itself or a base; 0 if it is not visible.
  entity_t owner(entity_t e, const entity_record& r, id_t id) const;
  bool is_visible(entity_t e, const entity_record& r, id_t id) const {
    return owner(e, r, id) != 0;
  }
  // The visible ids that match a pattern, ascending.
  std::vector<id_t> visible_ids(entity_t e, const entity_record& r, id_t pattern) const;
  // Is there one? O(1) if the entity owns one.
  bool any_visible(entity_t e, const entity_record& r, id_t pattern) const;

  // Does a kind see this id of its base?
  bool hands_on(id_t id) const { return any() && inherits(traits_.of_id(id)); }

  // Something changed on `e`; what was remembered may be wrong if it is a base.
  void touch(entity_t e, const entity_record& r) {
    if (r.referenced && is_base(e)) ++version_;
  }
  void touch_all() { ++version_; }
  // Changes whenever something changed on a base.
  std::uint64_t version() const { return version_; }
  // Several threads may read: answers are looked up, and no new ones remembered.
  void freeze(bool frozen) { frozen_ = frozen; }
  // Are ids handed on that say nothing of it?
  void set_default(bool inherited) { by_default_ = inherited; }

 private:
  bool inherits(std::uint32_t flags) const;
  // Calls `visit(base, record)` depth first; it answers what to do next.
  enum class next { deeper, pass, stop };
  template <class Visit>
  void each_base(entity_t e, const entity_record& r, Visit visit) const;
  entity_t find_on_bases(entity_t e, const entity_record& r, id_t id, bool exclusive) const;

  const store& store_;
  const traits& traits_;
  const id_group& kinds_;  // of (IsA, *); it lives as long as the store

  struct place {
    table_id table;
    entity_t self;  // 0 if it is no base
    id_t id;
    friend bool operator==(const place&, const place&) = default;
  };
  struct place_hash {
    std::size_t operator()(const place& p) const { return mix(p.id + mix(p.self + p.table.value)); }
  };
  bool by_default_ = true;
  bool frozen_ = false;
  std::uint64_t version_ = 1;
  mutable std::uint64_t known_version_ = 0;
  mutable hash_map<place, entity_t, place_hash> known_;
};

}  // namespace kith::core
