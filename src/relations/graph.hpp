// The parts that together hold what is true in a world.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <kith/detail/builtins.hpp>

#include "base/undo_log.hpp"
#include "entity/describe.hpp"
#include "entity/names.hpp"
#include "relations/allowance.hpp"
#include "relations/child_order.hpp"
#include "relations/inherit.hpp"
#include "relations/traits.hpp"
#include "storage/store.hpp"

namespace kith::core {

// Is asked before a planned change is carried out of which a sink wants to see a part.
class change_watch {
 public:
  // Must a change be taken back for a while to tell what it brings and takes, if an entity gains or
  // loses the id, or ends?
  virtual bool takes_back(entity_t e, id_t id) const = 0;
  virtual bool takes_back_end_of(entity_t e) const = 0;
  // A change that matters comes: it may open a transaction.
  virtual void expect_change() = 0;

 protected:
  ~change_watch() = default;
};

class transaction;

struct graph {
  class store store;
  class names names;
  class traits traits {
    store, names
  };
  class inherit inherit {
    store, traits
  };
  class child_order child_order;
  // What an instance gets of an id without an OnInstantiate trait: Inherit, Override or
  // DontInherit.
  entity_t instantiate = Inherit;

  // The ids that a new kind of `base` gets copies of, for the base that was instantiated last
  // (relations/instantiate.cpp). Holds as long as inherit::version() is `version`.
  struct kinds_of_one {
    struct copied_id {
      id_t id;
      entity_t owner;
    };
    entity_t base = 0;
    std::uint64_t version = 0;  // inherit::version() then
    std::vector<copied_id> copied;
  };
  kinds_of_one last_kinds;

  // Takes the undo steps while a transaction is open (relations/transaction.hpp); null else.
  undo_log* undo = nullptr;
  class transaction* open = nullptr;
  change_watch* watch = nullptr;
  // Says what may still be created while a text is carried out; null else.
  allowance* allowed = nullptr;

  std::string text(id_t id) const { return describe_id(store, names, id); }

  // Raises an error if `e` is not alive.
  entity_record& alive(entity_t e) {
    if (entity_record* r = store.entities().find(e)) return *r;
    raise_not_alive(e);
  }
  [[noreturn]] void raise_not_alive(entity_t e) const;
  const entity_record& alive(entity_t e) const { return const_cast<graph*>(this)->alive(e); }
  // The three checks raise an error unless all parts of `id` are alive. This one allows patterns.
  void check_known(id_t id) const;
  // Also raises an error if `id` has a wildcard, and so cannot be added.
  void check_addable(id_t id) const;
  // Also raises an error if `id` has a wildcard, and so is not one id.
  void check_exact(id_t id) const;

  // In the order that the parent keeps, if it keeps one. Invalidated by the next change.
  std::span<const entity_t> children(entity_t parent) const;
  // Does an instance get a copy of this id of its base?
  bool overrides(id_t id) const;

  // All entities that `e` IsA, directly or through others, nearest first.
  std::vector<entity_t> bases_of(entity_t e) const;
  bool is_kind_of(entity_t e, entity_t base) const;

  // True if adding or removing `id` means no more than that: it is a valid id and no rule is about
  // it. Remembers the ids and relations that were asked for lately. Raises an error if a part of
  // `id` is not alive, or if `id` is a pattern.
  bool is_plain(id_t id) { return is_known_plain(id) || find_plain(id); }
  // True if is_plain() has remembered it.
  bool is_known_plain(id_t id) const {
    const id_t key = group_key(id);
    return id != 0 && plain_[mix(key) % plain_size] == key &&
           (!is_pair(id) || is_plain_target(target_of(id)));
  }
  // To be called when a trait comes or goes.
  void forget_plain() { plain_.fill(0); }
  // To be called when `e` ends.
  void forget_plain(entity_t e) {
    for (id_t key : {id_t{e}, make_pair_of(index_of(e), 0)})
      if (id_t& known = plain_[mix(key) % plain_size]; known == key) known = 0;
  }

 private:
  bool find_plain(id_t id);
  // Built-in targets always take the slow path: some are wildcards.
  bool is_plain_target(std::uint32_t index) const {
    return index >= first_user_index && store.entities().alive_at(index) &&
           !(traits.any_relation_only() && traits.of(index) & trait::relation_only);
  }

  static constexpr std::size_t plain_size = 256;
  std::array<id_t, plain_size> plain_{};
};

}  // namespace kith::core
