#include "relations/change.hpp"

#include <algorithm>

#include <kith/detail/error.hpp>

namespace kith::core {

change::~change() {
  if (done_) return;
  for (const naming& n : namings_)
    if (n.given) g_.names.erase(n.e);
  // The newest entity ends first, so that the next change gets the same indices in the same order.
  for (std::size_t i = created_.size(); i-- > 0;) {
    if (g_.alive(created_[i]).referenced) g_.store.forget_if_unused(created_[i]);
    g_.store.destroy(created_[i]);
  }
}

// --- planning ------------------------------------------------------------------------------------

void change::plan(const addition& a) {
  if (g_.store.owns(g_.alive(a.e), a.id) && !removing_.contains({a.e, a.id})) return;
  if (!adding_.try_emplace({a.e, a.id}, true).second) return;
  additions_.push_back(a);
  if (const std::uint32_t flags = traits::flags_of_trait(a.id)) given_[index_of(a.e)] |= flags;
}

void change::add(entity_t e, id_t id, const value_source& source) { plan({e, id, source}); }

void change::add_copy(entity_t e, id_t id, entity_t from) {
  plan({.e = e, .id = id, .copy_of = from, .override_ids = false, .instantiate = false});
}

void change::remove(entity_t e, id_t id) {
  const entity_record& r = g_.alive(e);
  if (!g_.store.owns(r, id)) return;
  if (!removing_.try_emplace({e, id}, true).second) return;
  removals_.push_back({e, id});

  if (id == Component)
    raise(errc::constraint, g_.text(e), " is a component; delete it to unregister it");
  if (traits::is_trait(id)) g_.traits.check_taken(e, id);
  if (!is_pair(id)) return;
  if (relation_of(id) == ChildOf && is_builtin(e))
    raise(errc::constraint, g_.text(e), " is built in and keeps its place");
  if (g_.traits.of_id(id) & trait::symmetric)
    remove(g_.store.entities().alive_at(target_of(id)), make_pair_of(relation_of(id), index_of(e)));
}

std::uint32_t change::flags_of(std::uint32_t index) const {
  const std::uint32_t known = g_.traits.of(index);
  const auto given = given_.find(index);
  return given == given_.end() ? known : known | given->second;
}

bool change::will_own(entity_t e, id_t id) const {
  if (adding_.contains({e, id})) return true;
  return g_.store.owns(g_.alive(e), id) && !removing_.contains({e, id});
}

void change::examine(std::size_t i) {
  const addition a = additions_[i];
  const entity_record& r = g_.alive(a.e);
  g_.check_addable(a.id);
  g_.traits.check_use(a.e, a.id);
  if (traits::is_trait(a.id)) g_.traits.check_given(a.e, a.id, flags_of(index_of(a.e)));
  if (is_pair(a.id))
    examine_pair(a, r);
  else
    examine_plain(a.e, a.id);

  // An entity becomes a component by registration, which brings the value of Component.
  if (a.id == Component && !a.source.construct)
    raise(errc::constraint, "an entity becomes a component when it is registered as one");
  if (!a.source.construct && !a.copy_of && g_.inherit.has_bases(r) &&
      g_.store.types().type_of(a.id))
    additions_[i].copy_of = g_.inherit.owner(a.e, r, a.id);
}

void change::examine_plain(entity_t e, id_t id) {
  if (g_.traits.of_id(id) & trait::with)
    for (id_t pair : g_.store.pairs_of(g_.alive(id), index_of(With)))
      add(e, g_.store.entities().alive_at(target_of(pair)));
  switch (id) {
    case Prefab:
      for (entity_t child : g_.children(e)) add(child, Prefab);
      break;
    case Final:
    case Inheritable: {
      const id_t opposite = id == Final ? Inheritable : Final;
      if (adding_.contains({e, opposite}))
        raise(errc::constraint, g_.text(e), " cannot be both Final and Inheritable");
      remove(e, opposite);
      break;
    }
    case Symmetric:
      mirror_all_pairs(e);
      break;
    default:
      break;
  }
}

void change::mirror_all_pairs(entity_t relation) {
  const std::uint32_t index = index_of(relation);
  g_.store.ids().each_of_relation(index, [&](const id_record& record) {
    const entity_t target = g_.store.entities().alive_at(target_of(record.id));
    g_.store.each(record,
                  [&](entity_t source) { add(target, make_pair_of(index, index_of(source))); });
  });
}

void change::examine_pair(const addition& a, const entity_record& r) {
  const entity_t e = a.e;
  const id_t id = a.id;
  const std::uint32_t relation = relation_of(id);
  const std::uint32_t flags = flags_of(relation);
  const entity_t target = g_.store.entities().alive_at(target_of(id));

  if (flags & trait::exclusive) {
    for (id_t old : g_.store.pairs_of(r, relation))
      if (old != id) remove(e, old);
    const auto [other, fresh] = only_.try_emplace({e, group_key(id)}, id);
    if (!fresh && other->second != id)
      raise(errc::constraint, g_.text(id), " and ", g_.text(other->second),
            " exclude each other on ", g_.text(e));
  }
  if (flags & trait::symmetric) add(target, make_pair_of(relation, index_of(e)));
  if (flags & trait::with)
    for (id_t pair : g_.store.pairs_of(g_.store.entities().at_index(relation), index_of(With)))
      add(e, make_pair_of(target_of(pair), target_of(id)));

  if (relation == ChildOf) {
    if (is_builtin(e)) raise(errc::constraint, g_.text(e), " is built in and keeps its place");
    if (will_own(target, Prefab)) add(e, Prefab);
  }
  if (relation == IsA) become_kind_of(a, r, target);
}

// --- carrying it out -----------------------------------------------------------------------------

void change::commit() {
  for (std::size_t i = 0; i < additions_.size(); ++i) examine(i);
  check_cycles();
  check_names();
  check_prefabs();
  check_targets_belong();
  check_targets_stay();
  if (g_.watch && is_seen() && is_read()) g_.watch->expect_change();
  reserve_effects();
  apply();
  done_ = true;
  if (g_.undo) push_told(undo_way::again);
}

bool change::is_read() const {
  const auto reads = [&](const auto& part) { return g_.watch->takes_back(part.e, part.id); };
  return std::ranges::any_of(additions_, reads) || std::ranges::any_of(removals_, reads);
}

// Does a sink want to see a part of the change?
bool change::is_seen() const {
  const change_sinks& sinks = g_.store.sinks();
  const auto sees = [&](const auto& part) { return sinks.seeing(part.id) != 0; };
  return sinks.any_sees() &&
         (std::ranges::any_of(additions_, sees) || std::ranges::any_of(removals_, sees));
}

// One addition, one removal, or an exchange of two ids of one group needs no lists, unless there is
// a sink, or a value leaves whose destructor must find that this change is finished.
bool change::apply_in_short() {
  store& store = g_.store;
  if (additions_.size() + removals_.size() > 2 || !off_.empty()) return false;
  if (is_seen()) return false;
  for (const removal& r : removals_)
    if (const type_info* type = store.types().type_of(r.id); type && type->hooks.destroy)
      return false;
  if (additions_.empty()) {
    if (removals_.size() != 1) return false;
    store.remove(removals_[0].e, removals_[0].id);
  } else {
    const addition& a = additions_[0];
    if (additions_.size() != 1 || a.copy_of) return false;
    if (removals_.empty()) {
      store.add(a.e, a.id, a.source);
    } else {
      const removal& old = removals_[0];
      if (old.e != a.e || old.id == a.id || group_key(old.id) != group_key(a.id)) return false;
      store.exchange(a.e, old.id, a.id, a.source);
    }
  }
  finish();
  return true;
}

void change::apply() {
  if (apply_in_short()) return;
  // The parts of each entity together, in the order in which the entities were first met.
  struct parts {
    entity_t e;
    std::size_t lost = 0, gained = 0, off = 0;  // how many, and later where they end
  };
  std::vector<parts> all;
  hash_map<entity_t, std::size_t> numbers;
  const auto number_of = [&](entity_t e) {
    if (!all.empty() && all.back().e == e) return all.size() - 1;
    const auto [known, is_new] = numbers.try_emplace(e, all.size());
    if (is_new) all.push_back({e});
    return known->second;
  };
  std::vector<std::size_t> of_lost, of_gained, of_off;
  of_lost.reserve(removals_.size());
  of_gained.reserve(additions_.size());
  for (const removal& r : removals_) ++all[of_lost.emplace_back(number_of(r.e))].lost;
  for (const addition& a : additions_) ++all[of_gained.emplace_back(number_of(a.e))].gained;
  for (const removal& r : off_) ++all[of_off.emplace_back(number_of(r.e))].off;
  parts end{};
  for (parts& p : all) {
    p.lost = end.lost += p.lost;
    p.gained = end.gained += p.gained;
    p.off = end.off += p.off;
  }
  // Filled from the last one on, so that an end becomes a beginning.
  std::vector<id_t> lost(end.lost), off(end.off);
  std::vector<new_id> gained(end.gained);
  std::vector<located_value> originals(additions_.size());
  for (std::size_t i = removals_.size(); i-- > 0;) lost[--all[of_lost[i]].lost] = removals_[i].id;
  for (std::size_t i = off_.size(); i-- > 0;) off[--all[of_off[i]].off] = off_[i].id;
  for (std::size_t i = additions_.size(); i-- > 0;) {
    const addition& a = additions_[i];
    new_id& n = gained[--all[of_gained[i]].gained] = {a.id, a.source};
    if (!a.copy_of) continue;
    originals[i] = g_.store.find_value(g_.alive(a.copy_of), a.id);
    if (originals[i]) n.source = originals[i].copy();
  }
  std::vector<entity_change> changes;
  changes.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const parts& p = all[i];
    const parts& next = i + 1 < all.size() ? all[i + 1] : end;
    const std::span<id_t> goes = std::span(lost).subspan(p.lost, next.lost - p.lost);
    // A long list of ids is shortened from its end.
    std::ranges::sort(goes, std::greater{});
    changes.push_back({.entity = p.e,
                       .lost = goes,
                       .gained = std::span(gained).subspan(p.gained, next.gained - p.gained),
                       .off = std::span(off).subspan(p.off, next.off - p.off)});
  }
  g_.store.carry_out(changes, [this] { finish(); });
}

std::vector<change::told_entity> change::told() const {
  std::vector<told_entity> told;
  const auto note = [&](entity_t e, id_t id) {
    if (!traits::is_trait(id)) return;
    if (told.empty() || told.back().e != e) told.push_back({e});
    told.back().pair_values |= id == PairIsTag;
  };
  for (const removal& r : removals_) note(r.e, r.id);
  for (const addition& a : additions_) note(a.e, a.id);
  return told;
}

std::uint32_t change::flags_after(entity_t e) const {
  std::uint32_t flags = 0;
  for (id_t id : g_.store.owned_ids(g_.alive(e)))
    if (!removing_.contains({e, id})) flags |= traits::flags_of_trait(id);
  for (const addition& a : additions_)
    if (a.e == e) flags |= traits::flags_of_trait(a.id);
  return flags;
}

// Reserves memory in everything around the store, so that finish() cannot fail.
void change::reserve_effects() {
  told_ = told();
  for (const told_entity& t : told_) g_.traits.reserve(t.e, flags_after(t.e), told_.size());
  if (g_.undo) {
    push_told(undo_way::back);
    g_.undo->hold(additions_.size() + removals_.size() + namings_.size() + 1);
  }
  reserve_children();
  for (naming& n : namings_) {
    g_.names.set(n.e, index_of(n.parent), n.name);
    n.given = true;
  }
}

// Flags are recomputed when the ids of the entities have changed: on the way back by a step that is
// older than the steps of the deltas, on the way forth by one that is newer.
void change::push_told(undo_way after) {
  if (told_.empty()) return;
  g_.undo->push([&g = g_, told = told_, after](undo_way way) {
    if ((way == undo_way::again) != (after == undo_way::again)) return;
    for (const told_entity& t : told) {
      g.traits.restore(t.e);
      if (t.pair_values) g.store.forget_unused_ids_of(t.e);
    }
  });
}

// Reserves room in the lists of children of parents that keep an order.
void change::reserve_children() {
  hash_map<std::uint32_t, std::size_t> changing;  // children that come, by parent
  std::vector<entity_t> ordered;
  for (const removal& r : removals_) {
    if (r.id == OrderedChildren) changing.try_emplace(index_of(r.e), 0);
    if (!is_pair(r.id) || relation_of(r.id) != ChildOf) continue;
    changing.try_emplace(target_of(r.id), 0);
  }
  for (const addition& a : additions_) {
    if (a.id == OrderedChildren) ordered.push_back(a.e);
    if (!is_pair(a.id) || relation_of(a.id) != ChildOf) continue;
    ++changing[target_of(a.id)];
  }
  for (const auto& [parent, coming] : changing) g_.child_order.reserve(parent, coming);
  for (entity_t parent : ordered) {
    const auto coming = changing.find(index_of(parent));
    g_.child_order.reserve_keep(
        index_of(parent),
        g_.children(parent).size() + (coming == changing.end() ? 0 : 2 * coming->second));
  }
}

// Updates everything around the store: names, orders of children, flags, and what `inherit` and
// `graph` remember.
void change::finish() noexcept {
  store& store = g_.store;
  const auto note = [&](entity_t e, id_t id) {
    if (is_pair(id) && relation_of(id) == IsA) g_.inherit.touch_all();
    g_.inherit.touch(e, store.entities().at_index(index_of(e)));
  };
  for (const removal& r : removals_) {
    note(r.e, r.id);
    if (r.id == OrderedChildren) g_.child_order.forget(index_of(r.e));
    if (!is_pair(r.id) || relation_of(r.id) != ChildOf) continue;
    g_.child_order.erase(target_of(r.id), r.e);
    const entity_record& record = store.entities().at_index(index_of(r.e));
    if (record.named && !parent_of(store, record)) g_.names.move(r.e, 0);
  }
  for (const addition& a : additions_) {
    note(a.e, a.id);
    if (a.id == OrderedChildren) g_.child_order.keep(index_of(a.e), g_.children(a.e));
    if (!is_pair(a.id) || relation_of(a.id) != ChildOf) continue;
    g_.child_order.append(target_of(a.id), a.e);
    if (store.entities().at_index(index_of(a.e)).named) g_.names.move(a.e, target_of(a.id));
  }
  for (const naming& n : namings_) store.entities().at_index(index_of(n.e)).named = true;
  for (const told_entity& t : told_) {
    g_.traits.update(t.e);
    // The record of a pair remembers whether the pair has a value, so records of pairs that no
    // entity has are forgotten.
    if (t.pair_values) store.forget_unused_ids_of(t.e);
  }
  if (!told_.empty()) {
    g_.forget_plain();
    g_.inherit.touch_all();
  }
}

// --- the short way -------------------------------------------------------------------------------

namespace {

// ChildOf is the commonest relation. The store does it at once unless names, prefabs or orders of
// children are concerned; then this returns false and changes nothing.
bool add_plain_child(graph& g, entity_t e, entity_record& r, id_t id) {
  const entity_t parent = g.store.entities().alive_at(target_of(id));
  if (!parent || r.named || is_builtin(e) || g.child_order.any() || has_wildcard(id)) return false;
  if (g.store.owns(g.alive(parent), Prefab)) return false;
  if (closes_cycle(g.store, ChildOf, e, parent)) return false;
  const auto present = g.store.pairs_of(r, index_of(ChildOf));
  const id_t old = present.empty() ? 0 : present.front();
  if (old == id) return true;
  if (old && r.referenced && g.traits.any_one_of()) return false;
  if (old)
    g.store.exchange(e, old, id);
  else
    g.store.give(e, r, id, {});
  g.inherit.touch(e, r);
  return true;
}

// The slow paths of add_id and remove_id.
[[gnu::noinline]] void add_planned(graph& g, entity_t e, id_t id, const value_source& source) {
  entity_record& r = g.alive(e);
  if (is_pair(id) && relation_of(id) == ChildOf && add_plain_child(g, e, r, id)) return;
  if (is_pair(id) && relation_of(id) == IsA && !has_wildcard(id))
    if (const entity_t base = g.store.entities().alive_at(target_of(id));
        base && instantiate_in_short(g, e, r, base))
      return;
  if (g.is_plain(id) && (source.construct || !g.inherit.has_bases(r))) {
    if (g.store.give(e, r, id, source)) g.inherit.touch(e, r);
    return;
  }
  if (g.store.owns(r, id)) return;
  change c(g);
  c.add(e, id, source);
  c.commit();
}

[[gnu::noinline]] void remove_planned(graph& g, entity_t e, id_t id) {
  entity_record& r = g.alive(e);
  if (!has_wildcard(id) && g.is_plain(id)) {
    // A destructor may ask what kinds of `e` inherit.
    g.inherit.touch(e, r);
    if (g.store.take(e, r, id)) g.inherit.touch(e, r);
    return;
  }
  g.check_known(id);
  change c(g);
  if (has_wildcard(id)) {
    for (id_t each : g.store.owned_ids(r))
      if (matches(each, id) && each != Component) c.remove(e, each);
  } else {
    c.remove(e, id);
  }
  c.commit();
}

}  // namespace

// For most calls no rule is about the id and nothing depends on the entity: then the store does it
// at once.
void add_id(graph& g, entity_t e, id_t id, const value_source& source) {
  entity_record* const r = g.store.entities().find(e);
  if (!r || r->referenced || !g.is_known_plain(id) || (!source.construct && g.inherit.any()))
    return add_planned(g, e, id, source);
  g.store.give(e, *r, id, source);
}

void remove_id(graph& g, entity_t e, id_t id) {
  entity_record* const r = g.store.entities().find(e);
  if (!r || r->referenced || !g.is_known_plain(id)) return remove_planned(g, e, id);
  g.store.take(e, *r, id);
}

}  // namespace kith::core
