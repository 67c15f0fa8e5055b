#include "relations/graph.hpp"

#include <kith/detail/error.hpp>

namespace kith::core {

void graph::raise_not_alive(entity_t e) const {
  if (is_pair(e)) raise(errc::constraint, text(e), " is a pair, and an entity is meant here");
  if (e == This)
    raise(errc::constraint, "This stands for what a query matches, and an entity is meant here");
  if (e) raise(errc::not_alive, "entity ", text(e), " is not alive");
  raise(errc::not_alive, "no entity was given");
}

void graph::check_known(id_t id) const {
  if (!is_pair(id)) {
    alive(id);
    return;
  }
  for (std::uint32_t index : {relation_of(id), target_of(id)})
    if (!store.entities().alive_at(index)) {
      if (index == This) alive(This);
      raise(errc::not_alive, "a part of the pair ", text(id), " is not alive");
    }
}

void graph::check_addable(id_t id) const {
  if (has_wildcard(id))
    raise(errc::constraint, text(id), " is a pattern and cannot be added to an entity");
  check_known(id);
}

void graph::check_exact(id_t id) const {
  if (has_wildcard(id))
    raise(errc::constraint, text(id), " is a pattern, and one id is meant here");
  check_known(id);
}

std::span<const entity_t> graph::children(entity_t parent) const {
  if (child_order.is_kept(index_of(parent))) return child_order.children(index_of(parent));
  const id_record* record = store.ids().find(make_pair(ChildOf, parent));
  return record ? record->pool.entities() : std::span<const entity_t>();
}

bool graph::overrides(id_t id) const {
  using namespace trait;
  const std::uint32_t flags = traits.of_id(id);
  // The instance gets children of its own, and slots with them (change::fill_slots).
  if (is_pair(id) && flags & slot) return false;
  if (flags & (override_on_instantiate | inherit_on_instantiate | dont_inherit))
    return flags & override_on_instantiate;
  return instantiate == Override;
}

std::vector<entity_t> graph::bases_of(entity_t e) const {
  std::vector<entity_t> all;
  hash_map<entity_t, bool> seen;
  const auto append = [&](entity_t of) {
    const entity_record& r = alive(of);
    for (id_t pair : store.pairs_of(r, index_of(IsA))) {
      const entity_t base = store.entities().alive_at(target_of(pair));
      if (!store.is_off(r, pair) && seen.try_emplace(base, true).second) all.push_back(base);
    }
  };
  append(e);
  for (std::size_t i = 0; i < all.size(); ++i) append(all[i]);
  return all;
}

bool graph::is_kind_of(entity_t e, entity_t base) const {
  for (entity_t b : bases_of(e))
    if (b == base) return true;
  return false;
}

bool graph::find_plain(id_t id) {
  check_addable(id);
  const entity_t first = is_pair(id) ? store.entities().alive_at(relation_of(id)) : id;
  if (is_builtin(first) || traits.of_id(id) & trait::guards) return false;
  if (is_pair(id) && traits.of(target_of(id)) & trait::relation_only) return false;
  // `referenced` makes the deletion of `first` call forget_plain().
  store.entities().at_index(index_of(first)).referenced = true;
  const id_t key = group_key(id);
  plain_[mix(key) % plain_size] = key;
  return true;
}

}  // namespace kith::core
