#include "relations/graph.hpp"

#include <kith/detail/error.hpp>

namespace kith::core {

entity_record& graph::alive(entity_t e) {
  if (entity_record* r = facts.entities().find(e)) return *r;
  if (e) raise(errc::not_alive, "entity ", text(e), " is not alive");
  raise(errc::not_alive, "no entity was given");
}

void graph::check_known(id_t id) const {
  if (!is_pair(id)) {
    alive(id);
    return;
  }
  for (std::uint32_t index : {relation_of(id), target_of(id)})
    if (!facts.entities().alive_at(index))
      raise(errc::not_alive, "a part of the pair ", text(id), " is not alive");
}

void graph::check_addable(id_t id) const {
  if (has_wildcard(id))
    raise(errc::constraint, text(id), " is a pattern and cannot be added to an entity");
  check_known(id);
}

std::span<const entity_t> graph::children(entity_t parent) const {
  if (order.is_kept(index_of(parent))) return order.children(index_of(parent));
  const id_record* record = facts.ids().find(make_pair(ChildOf, parent));
  return record ? record->pool.entities() : std::span<const entity_t>();
}

bool graph::overrides(id_t id) const {
  using namespace trait;
  const std::uint32_t flags = rules.of_id(id);
  if (flags & (override_on_instantiate | inherit_on_instantiate | dont_inherit))
    return flags & override_on_instantiate;
  return instantiate == Override;
}

}  // namespace kith::core
