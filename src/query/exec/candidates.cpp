#include "query/exec/candidates.hpp"

#include <algorithm>

#include "storage/runs.hpp"

namespace kith::core {

using quality = candidates::quality;

void candidates::everything(bool with_builtins, std::vector<id_t>& out) const {
  m_.note_look_at_all();
  const entity_index& all = m_.world().store.entities();
  for (std::uint32_t i = with_builtins ? 1 : first_user_index; i < all.limit(); ++i)
    if (const entity_t e = all.alive_at(i); e && !is_wildcard(i)) out.push_back(e);
}

// The pairs of a relation that some entity has.
template <class Visit>
void candidates::each_pair(entity_t relation, Visit visit) const {
  for (const id_record* pair = m_.world().store.ids().first_of_relation(index_of(relation)); pair;
       pair = pair->next_of_relation)
    if (may_have_owners(*pair)) visit(*pair);
}

quality candidates::find(const checked_term& t, slot_index slot, const slot_values& values,
                         std::vector<id_t>& out) {
  switch (t.is) {
    case checked_term::kind::text:
      return find_called(t, slot, out);
    case checked_term::kind::equality:
      return find_equal(t, slot, values, out);
    case checked_term::kind::list:
      return quality::none;
    case checked_term::kind::predicate:
      break;
  }
  quality found = quality::none;
  if (slot == t.star) {
    if (is_set(t.source, values)) {
      find_stars(t, values, out);
      return quality::exact;
    }
    if (!is_set(t.first, values) || t.second.is != checked_ref::kind::star) return quality::none;
    std::vector<entity_t> relations;
    m_.predicates(t, values, relations);
    for (entity_t relation : relations)
      each_pair(relation, [&](const id_record& pair) { out.push_back(pair.id); });
    return quality::some;
  }
  if (t.pair && t.second.is_slot(slot))
    found = find_target(t, values, out);
  else if (t.source.is_slot(slot))
    found = find_source(t, values, out);
  else if (t.first.is_slot(slot))
    found = find_predicate(t, values, out);
  if (found == quality::none) return found;
  // One that occurs twice must fit both places.
  const int places = t.first.is_slot(slot) + t.source.is_slot(slot) + t.second.is_slot(slot);
  return places > 1 ? quality::some : found;
}

// --- targets -------------------------------------------------------------------------------------

// Appends the targets that the sources of a term have, and what leads on from them.
void candidates::add_targets_of_sources(const checked_term& t, const slot_values& values,
                                        std::span<const entity_t> relations,
                                        std::vector<id_t>& list) {
  const bool any_relation = !is_set(t.first, values);
  std::vector<meaning::source_entity> sources;
  m_.sources(t, values, sources);
  const auto add = [&](id_t pattern, meaning::source_entity on) {
    for (id_t pair : m_.ids_on(on, pattern))
      list.push_back(m_.world().store.entities().alive_at(target_of(pair)));
  };
  for (meaning::source_entity on : sources) {
    if (any_relation) add(make_pair(Wildcard, Wildcard), on);
    for (entity_t relation : relations) add(make_pair(relation, Wildcard), on);
  }
  // What leads on from the targets; of any relation, if it is not known which.
  std::vector<id_t> along;
  if (!any_relation && m_.is_transitive(t, values)) along.push_back(m_.value_of(t.first, values));
  if (any_relation && !t.exact && !t.second.flagged) add_with_trait(trait::transitive, along);
  sort_unique(along);
  const std::size_t direct = list.size();
  for (entity_t relation : along)
    m_.add_reached(std::span(list).first(direct), {walk::way::up, relation, 1, walk::no_limit},
                   list);
  if (any_relation ? !t.exact : m_.is_reflexive(t, values))
    for (meaning::source_entity on : sources) list.push_back(on.entity);
}

quality candidates::find_target(const checked_term& t, const slot_values& values,
                                std::vector<id_t>& out) {
  const bool any_relation = !is_set(t.first, values), from_source = is_set(t.source, values);
  std::vector<entity_t> relations;
  std::vector<id_t> list;
  if (!any_relation) m_.predicates(t, values, relations);
  if (from_source) {
    add_targets_of_sources(t, values, relations, list);
  } else if (any_relation || m_.is_reflexive(t, values)) {
    return quality::none;
  } else {
    // What is led to by further steps is the target of a kind.
    if (m_.is_transitive(t, values))
      for (entity_t kind : m_.with_kinds(m_.value_of(t.first, values))) relations.push_back(kind);
    for (entity_t relation : relations)
      each_pair(relation, [&](const id_record& pair) {
        list.push_back(m_.world().store.entities().alive_at(target_of(pair.id)));
      });
  }
  replaced_by(t.second, list);
  sort_unique(list);
  out.insert(out.end(), list.begin(), list.end());
  const bool exact =
      from_source && !any_relation && !t.second.flagged && !t.first.flagged && t.star == no_slot;
  return exact ? quality::exact : quality::some;
}

// --- predicates ----------------------------------------------------------------------------------

quality candidates::find_predicate(const checked_term& t, const slot_values& values,
                                   std::vector<id_t>& out) {
  const graph& g = m_.world();
  const auto entity_at = [&](std::uint32_t index) { return g.store.entities().alive_at(index); };
  std::vector<id_t> list;
  const auto add = [&](id_t id) {
    if (is_pair(id) == t.pair) list.push_back(entity_at(t.pair ? relation_of(id) : index_of(id)));
  };
  const bool from_source = is_set(t.source, values);
  const bool by_target = !from_source && t.pair && is_set(t.second, values) && !t.second.flagged;
  if (from_source) {
    std::vector<meaning::source_entity> sources;
    m_.sources(t, values, sources);
    const id_t pattern = t.pair ? make_pair(Wildcard, Wildcard) : Wildcard;
    // Those with other targets hold only by what a trait of the predicate adds.
    const bool has_target = t.pair && is_set(t.second, values) && !t.second.flagged;
    const entity_t target = has_target ? m_.value_of(t.second, values) : 0;
    for (meaning::source_entity on : sources)
      for (id_t id : m_.ids_on(on, pattern))
        if (!has_target || target_of(id) == index_of(target)) add(id);
  } else if (by_target) {
    const entity_t target = m_.value_of(t.second, values);
    if (target)
      for (const id_record* pair = g.store.ids().first_of_target(index_of(target)); pair;
           pair = pair->next_of_target)
        add(pair->id);
  } else {
    g.store.ids().each([&](const id_record& record) { add(record.id); });
  }
  // Whatever one of them is a kind of is there too.
  if (!t.first.flagged && !t.exact) with_bases(list);
  replaced_by(t.first, list);
  // The traits of what is written count, whatever stands for it: one that leads to the target by
  // further steps need have no pair with it.
  if (t.pair && !t.exact)
    add_with_trait(
        is_set(t.second, values) ? trait::reflexive | trait::transitive : trait::reflexive, list);
  sort_unique(list);
  out.insert(out.end(), list.begin(), list.end());
  return quality::some;
}

void candidates::with_bases(std::vector<id_t>& list) {
  m_.add_reached(list, {walk::way::up, IsA, 1, walk::no_limit}, list);
}

void candidates::add_with_trait(std::uint32_t any_of, std::vector<id_t>& out) {
  const graph& g = m_.world();
  g.traits.each([&](std::uint32_t index, std::uint32_t flags) {
    if (flags & any_of) out.push_back(g.store.entities().alive_at(index));
  });
}

// --- sources -------------------------------------------------------------------------------------

quality candidates::find_source(const checked_term& t, const slot_values& values,
                                std::vector<id_t>& out) {
  const graph& g = m_.world();
  // Whose visible ids count: that of the entity itself, or of what walks reach from it.
  const bool heirs = !t.source.flagged || t.source_sees;
  std::vector<id_t> list;
  if (t.star != no_slot && values[t.star] && !has_wildcard(values[t.star])) {
    add_owners(values[t.star], heirs, list);
  } else if (!is_set(t.first, values)) {
    if (!t.pair || !is_set(t.second, values) || t.second.flagged || !t.exact) return quality::none;
    const entity_t target = m_.value_of(t.second, values);
    if (target)
      for (const id_record* pair = g.store.ids().first_of_target(index_of(target)); pair;
           pair = pair->next_of_target)
        add_owners(pair->id, heirs, list);
  } else {
    std::vector<entity_t> first, second;
    m_.predicates(t, values, first);
    const bool reflexive = m_.is_reflexive(t, values);
    if (!t.pair) {
      for (entity_t p : first) add_owners(p, heirs, list);
    } else if (is_set(t.second, values)) {
      m_.targets(t, values, second);
      if (reflexive) list.insert(list.end(), second.begin(), second.end());
      if (m_.is_transitive(t, values) && !second.empty()) {
        const checked_walk down{walk::way::down, m_.value_of(t.first, values), 1, walk::no_limit};
        const entity_t target = second.front();
        for (entity_t e : m_.reached(target, down))
          if (e != target) second.push_back(e);
      }
      for (entity_t p : first)
        for (entity_t target : second) add_owners(make_pair(p, target), heirs, list);
    } else {
      if (reflexive) return quality::none;
      for (entity_t p : first) add_owners_of_any(p, heirs, list);
    }
  }
  replaced_by(t.source, list);
  sort_unique(list);
  out.insert(out.end(), list.begin(), list.end());
  return quality::some;
}

void candidates::add_owners(id_t id, bool with_heirs, std::vector<id_t>& out) {
  const graph& g = m_.world();
  const id_record* record = g.store.ids().find(id);
  if (!record) return;
  const bool handed_on = with_heirs && g.inherit.hands_on(id);
  g.store.each(*record, [&](entity_t owner) {
    out.push_back(owner);
    if (handed_on) add_heirs(owner, out);
  });
}

// Those that have a pair of a relation, whatever the target.
void candidates::add_owners_of_any(entity_t relation, bool with_heirs, std::vector<id_t>& out) {
  const graph& g = m_.world();
  const bool handed_on = with_heirs && g.inherit.hands_on(make_pair(relation, Wildcard));
  if (!handed_on && list_owners_of_any(g.store, index_of(relation), out)) return;
  // Many are marked, and so come once and in order.
  constexpr double many = 1.0 / 64;
  const std::uint32_t limit = g.store.entities().limit();
  if (handed_on || counts_.rows(make_pair(relation, Wildcard)) < many * limit)
    return each_pair(relation,
                     [&](const id_record& pair) { add_owners(pair.id, with_heirs, out); });
  std::vector<bool> has(limit);
  each_pair(relation, [&](const id_record& pair) {
    g.store.each(pair, [&](entity_t owner) { has[index_of(owner)] = true; });
  });
  out.reserve(out.size() + static_cast<std::size_t>(std::ranges::count(has, true)));
  for (std::uint32_t i = 0; i < limit; ++i)
    if (has[i]) out.push_back(g.store.entities().alive_at(i));
}

void candidates::add_heirs(entity_t owner, std::vector<id_t>& out) {
  if (!m_.world().alive(owner).referenced) return;
  for (entity_t heir : m_.reached(owner, {walk::way::down, IsA, 1, walk::no_limit}))
    out.push_back(heir);
}

void candidates::replaced_by(const checked_ref& r, std::vector<id_t>& list) {
  if (!r.flagged) return;
  std::vector<id_t> from;
  if (r.self) from = list;
  sort_unique(list);
  for (const checked_walk& w : r.walks) {
    checked_walk back = w;
    back.direction = w.direction == walk::way::up ? walk::way::down : walk::way::up;
    m_.add_reached(list, back, from);
  }
  list = std::move(from);
}

// --- names, equality, stars, all -----------------------------------------------------------------

quality candidates::find_called(const checked_term& t, slot_index slot, std::vector<id_t>& out) {
  // An entity without a name has the name "", and is not filed.
  if (t.compare != term::comparison::equal || t.text.empty() || !t.first.is_slot(slot))
    return quality::none;
  std::vector<id_t> list = m_.world().names.all_called(t.text);
  replaced_by(t.first, list);
  sort_unique(list);
  out.insert(out.end(), list.begin(), list.end());
  return quality::some;
}

quality candidates::find_equal(const checked_term& t, slot_index slot, const slot_values& values,
                               std::vector<id_t>& out) {
  if (t.compare != term::comparison::equal) return quality::none;
  const bool left = t.first.is_slot(slot);
  const checked_ref& mine = left ? t.first : t.second;
  const checked_ref& other = left ? t.second : t.first;
  if (!mine.is_slot(slot) || !is_set(other, values)) return quality::none;
  if (other.is == checked_ref::kind::slot && other.slot == slot) return quality::none;
  std::vector<entity_t> stand_for;
  m_.stand_for(other, values, stand_for);
  std::vector<id_t> list(stand_for.begin(), stand_for.end());
  replaced_by(mine, list);
  sort_unique(list);
  out.insert(out.end(), list.begin(), list.end());
  return quality::some;
}

void candidates::find_stars(const checked_term& t, const slot_values& values,
                            std::vector<id_t>& out) {
  if (!t.source.flagged && t.source.is != checked_ref::kind::any && out.empty()) {
    if (const entity_t s = m_.value_of(t.source, values))
      m_.ids_that_fit(t, values, {s, true}, out);
    return;
  }
  std::vector<meaning::source_entity> sources;
  m_.sources(t, values, sources);
  std::vector<id_t> ids;
  for (meaning::source_entity on : sources) m_.ids_that_fit(t, values, on, ids);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  out.insert(out.end(), ids.begin(), ids.end());
}

void candidates::find_all(const checked_term& t, slot_index slot, const slot_values& values,
                          std::vector<id_t>& out) {
  for (const checked_ref* r : {&t.first, &t.source, &t.second}) {
    if (r->all != slot) continue;
    std::vector<entity_t> stand_for;
    m_.stand_for(*r, values, stand_for);
    out.insert(out.end(), stand_for.begin(), stand_for.end());
  }
}

// --- how many ------------------------------------------------------------------------------------

double candidates::size_hint(const checked_term& t, slot_index slot,
                             const slot_values& values) const {
  const core::store& store = m_.world().store;
  const entity_t relation = m_.value_of(t.first, values);
  if (!relation || t.is != checked_term::kind::predicate || !t.pair) return -1;
  const bool closes = m_.is_transitive(t, values);
  double rows = 0;
  if (t.second.is_slot(slot) && is_set(t.source, values)) {
    const entity_t source = m_.value_of(t.source, values);
    const entity_record* r = store.entities().find(source);
    if (!r) return 0;
    if (closes) return m_.reach().size_from(source, relation);
    for (entity_t kind : m_.with_kinds(relation))
      rows += static_cast<double>(store.pairs_of(*r, index_of(kind)).size());
    return rows;
  }
  if (t.source.is_slot(slot) && is_set(t.second, values)) {
    const entity_t target = m_.value_of(t.second, values);
    if (!target) return 0;
    if (closes) return m_.reach().size_to(target, relation);
    for (entity_t kind : m_.with_kinds(relation)) rows += counts_.rows(make_pair(kind, target));
    return rows;
  }
  return -1;
}

}  // namespace kith::core
