// The parts that together know what holds in a world.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <kith/detail/builtins.hpp>

#include "base/undo_log.hpp"
#include "entity/describe.hpp"
#include "entity/names.hpp"
#include "relations/child_order.hpp"
#include "relations/inherit.hpp"
#include "relations/traits.hpp"
#include "storage/store.hpp"

namespace kith::core {

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
  // What an instance gets of ids that say nothing of it: Inherit, Override or DontInherit.
  entity_t instantiate = Inherit;

  // What kinds of a base get copies of: the base that was last, as long as nothing has changed that it depends on
  // (relations/instantiate.cpp).
  struct kinds_of_one {
    struct copied_id {
      id_t id;
      entity_t owner;
    };
    entity_t base = 0;
    std::uint64_t version = 0;  // of the bases then
    std::vector<copied_id> copied;
  };
  kinds_of_one last_kinds;

  // Where changes are noted while a transaction is open (relations/transaction.hpp).
  undo_log* undo = nullptr;

  std::string text(id_t id) const { return describe_id(store, names, id); }

  // The record of an entity that must be alive; raises an error if it is not.
  entity_record& alive(entity_t e) {
    if (entity_record* r = store.entities().find(e)) return *r;
    raise_not_alive(e);
  }
  [[noreturn]] void raise_not_alive(entity_t e) const;
  const entity_record& alive(entity_t e) const { return const_cast<graph*>(this)->alive(e); }
  // An id or pattern whose parts are alive.
  void check_known(id_t id) const;
  // An id that can be added: its parts are alive and none is a wildcard.
  void check_addable(id_t id) const;
  // One id, not a pattern, whose parts are alive.
  void check_exact(id_t id) const;

  // Valid until the next change; in their order if the parent keeps one.
  std::span<const entity_t> children(entity_t parent) const;
  // Does an instance get a copy of this id of its base?
  bool overrides(id_t id) const;

  // All that `e` IsA, directly or through others, nearest first.
  std::vector<entity_t> bases_of(entity_t e) const;
  bool is_kind_of(entity_t e, entity_t base) const;

  // Adding or removing the id means just that: it is sound and no rule is about it. Remembered for
  // the ids and relations used lately. Raises an error if a part of it is not alive, or it is a pattern.
  bool is_plain(id_t id) { return is_known_plain(id) || find_plain(id); }
  // Is it one that is remembered?
  bool is_known_plain(id_t id) const {
    const id_t key = group_key(id);
    return id != 0 && plain_[mix(key) % plain_size] == key &&
           (!is_pair(id) || is_plain_target(target_of(id)));
  }
  // A trait came or went.
  void forget_plain() { plain_.fill(0); }
  // `e` ends.
  void forget_plain(entity_t e) {
    for (id_t key : {id_t{e}, make_pair_of(index_of(e), 0)})
      if (id_t& known = plain_[mix(key) % plain_size]; known == key) known = 0;
  }

 private:
  bool find_plain(id_t id);
  // Built-in ones are looked at each time: some are wildcards.
  bool is_plain_target(std::uint32_t index) const {
    return index >= first_user_index && store.entities().alive_at(index) &&
           !(traits.any_relation_only() && traits.of(index) & trait::relation_only);
  }

  static constexpr std::size_t plain_size = 256;
  std::array<id_t, plain_size> plain_{};
};

}  // namespace kith::core
