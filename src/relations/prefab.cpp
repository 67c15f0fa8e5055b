// Adding (IsA, base) to an entity: the change copies the ids that are overridden, and the children
// of a prefab.
#include <algorithm>

#include <kith/detail/error.hpp>

#include "relations/change.hpp"

namespace kith::core {

void change::become_kind_of(const addition& a, const entity_record& r, entity_t base) {
  const entity_t e = a.e;
  if (is_wildcard(index_of(e)))
    raise(errc::constraint, g_.text(e), " stands for any id and cannot be a kind of one");
  if (is_builtin(base) || g_.traits.of(index_of(base)) & trait::final)
    raise(errc::constraint, g_.text(base), " is Final: nothing can be a kind of it");
  if (!a.override_ids) return;

  const entity_record& b = g_.alive(base);
  const auto override_id = [&](id_t id) {
    if (!g_.overrides(id) || will_own(e, id)) return;
    const bool taken = is_pair(id) && g_.traits.of_id(id) & trait::exclusive &&
                       !g_.store.pairs_of(r, relation_of(id)).empty();
    if (!taken) plan({.e = e, .id = id, .copy_of = g_.inherit.owner(base, b, id)});
  };
  const auto override_matching = [&](id_t pattern) {
    for (id_t id : g_.inherit.visible_ids(base, b, pattern)) override_id(id);
  };
  if (g_.instantiate == Override) {
    override_matching(Wildcard);
    override_matching(make_pair(Wildcard, Wildcard));
  } else {
    for (std::uint32_t index : g_.traits.overriding()) {
      const entity_t marked = g_.store.entities().alive_at(index);
      if (g_.inherit.is_visible(base, b, marked)) override_id(marked);
      override_matching(make_pair(marked, Wildcard));
    }
  }
  if (a.instantiate && g_.store.owns(b, Prefab)) instantiate_children(e, base);
}

// Copies the subtree as it is now: the copies that are made here are not part of it.
void change::instantiate_children(entity_t e, entity_t prefab) {
  struct pending {
    entity_t original;
    entity_t parent;  // of the copy
  };
  std::vector<pending> subtree;
  hash_map<entity_t, std::size_t> number;
  for (entity_t child : g_.children(prefab)) subtree.push_back({child, e});
  for (std::size_t i = 0; i < subtree.size(); ++i) {
    const entity_t original = subtree[i].original;
    number[original] = i;
    for (entity_t child : g_.children(original))
      if (!number.contains(child)) subtree.push_back({child, 0});
    if (g_.allowed) g_.allowed->check(subtree.size());
  }

  std::vector<entity_t> copies(subtree.size());
  for (std::size_t i = 0; i < subtree.size(); ++i) {
    const entity_t original = subtree[i].original;
    const entity_t copy = copies[i] = create();
    const entity_t parent = subtree[i].parent
                                ? subtree[i].parent
                                : copies[number.at(parent_of(g_.store, g_.alive(original)))];
    plan({.e = copy, .id = make_pair(ChildOf, parent)});
    plan({.e = copy, .id = make_pair(IsA, original), .instantiate = false});
    const std::string_view name = g_.names.name_of(index_of(original));
    if (!name.empty()) namings_.push_back({copy, parent, std::string(name)});
    fill_slots(e, prefab, original, copy);
  }
}

// `child` is a slot of `prefab` or of a base of it: gives `instance` the pair (child, copy).
void change::fill_slots(entity_t instance, entity_t prefab, entity_t child, entity_t copy) {
  const auto is_slot = [&](entity_t of) {
    const entity_record& r = g_.alive(of);
    return std::ranges::any_of(g_.store.pairs_of(r, index_of(SlotOf)), [&](id_t pair) {
      const entity_t whose = g_.store.entities().alive_at(target_of(pair));
      return whose == prefab || g_.is_kind_of(prefab, whose);
    });
  };
  if (is_slot(child)) {
    plan({.e = instance, .id = make_pair(child, copy)});
    // An instance that is a prefab has the slot too.
    if (g_.store.owns(g_.alive(instance), Prefab))
      plan({.e = copy, .id = make_pair(SlotOf, instance)});
  }
  for (entity_t base : g_.bases_of(child))
    if (is_slot(base)) plan({.e = instance, .id = make_pair(base, copy)});
}

}  // namespace kith::core
