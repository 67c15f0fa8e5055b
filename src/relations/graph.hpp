// The parts that together know what holds in a world.
#pragma once

#include <span>
#include <string>

#include <kith/detail/builtins.hpp>

#include "entity/describe.hpp"
#include "entity/names.hpp"
#include "relations/child_order.hpp"
#include "relations/inherit.hpp"
#include "relations/traits.hpp"
#include "storage/store.hpp"

namespace kith::core {

struct graph {
  store facts;
  names known_names;
  traits rules{facts, known_names};
  inherit bases{facts, rules};
  child_order order;
  // What an instance gets of ids that say nothing of it: Inherit, Override or DontInherit.
  entity_t instantiate = Inherit;

  std::string text(id_t id) const { return describe_id(facts, known_names, id); }

  // The record of an entity that must be alive; raises an error if it is not.
  entity_record& alive(entity_t e);
  const entity_record& alive(entity_t e) const { return const_cast<graph*>(this)->alive(e); }
  // An id or pattern whose parts are alive.
  void check_known(id_t id) const;
  // An id that can be added: its parts are alive and none is a wildcard.
  void check_addable(id_t id) const;

  // Valid until the next change; in their order if the parent keeps one.
  std::span<const entity_t> children(entity_t parent) const;
  bool overrides(id_t id) const;
};

}  // namespace kith::core
