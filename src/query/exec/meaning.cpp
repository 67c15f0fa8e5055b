#include "query/exec/meaning.hpp"

#include <algorithm>

#include "storage/runs.hpp"

namespace kith::core {

void meaning::refresh() {
  if (version_ == g_.store.version()) return;
  version_ = g_.store.version();
  if (!reach_.are_steps_as_at(kinds_when_, IsA)) {
    kinds_.clear();
    kinds_when_ = reach_.mark_steps(IsA);
  }
  for (auto known = relations_.begin(); known != relations_.end();) {
    if (alive(known->first) && reach_.are_steps_as_at(known->second.when, known->first))
      ++known;
    else
      known = relations_.erase(known);
  }
  walks_.clear();
  reached_sets_.clear();
  marked_.clear();
  rankings_.clear();
  if (relations_.empty()) held_ = 0;
}

void meaning::forget() {
  version_ = 0;
  kinds_.clear();
  kinds_when_ = {};
  relations_.clear();
  held_ = 0;
  walks_.clear();
  reached_sets_.clear();
  marked_.clear();
  rankings_.clear();
}

entity_t meaning::value_of(const checked_ref& r, const slot_values& values) const {
  entity_t e = r.is == checked_ref::kind::slot ? values[r.slot] : r.entity;
  if (!alive(e)) return 0;
  for (const std::string& name : r.lookup) {
    e = g_.names.find(index_of(e), name);
    if (!e) return 0;
  }
  return e;
}

std::span<const entity_t> meaning::with_kinds(entity_t p) {
  if (const auto known = kinds_.find(p); known != kinds_.end()) return known->second;
  std::vector<entity_t> all{p};
  if (g_.inherit.any() && !is_builtin(p))
    for (entity_t kind : walk_from(p, {walk::way::down, IsA, 1, walk::no_limit}))
      if (kind != p) all.push_back(kind);
  return kinds_[p] = std::move(all);
}

// --- what places stand for -----------------------------------------------------------------------

void meaning::sources(const checked_term& t, const slot_values& values,
                      std::vector<source_entity>& out) {
  if (t.source.is == checked_ref::kind::any) {
    note_look_at_all();
    const entity_index& all = g_.store.entities();
    for (std::uint32_t i = first_user_index; i < all.limit(); ++i)
      if (const entity_t e = all.alive_at(i)) out.push_back({e, true});
    return;
  }
  const entity_t s = value_of(t.source, values);
  if (!s) return;
  if (!t.source.flagged) {
    out.push_back({s, true});
    return;
  }
  const entity_t only = t.source.all == no_slot ? 0 : values[t.source.all];
  // An entity may be reached by a walk that shows its visible ids, and by one that shows what it
  // owns.
  hash_map<entity_t, std::uint8_t> seen;
  const auto add = [&](entity_t e, bool sees) {
    if (only && e != only) return;
    const std::uint8_t bit = sees ? 2 : 1;
    std::uint8_t& known = seen[e];
    if (!(known & bit)) out.push_back({e, sees});
    known = static_cast<std::uint8_t>(known | bit);
  };
  if (t.source.self) add(s, t.source_sees);
  for (const checked_walk& w : t.source.walks) {
    const bool sees = w.relation != IsA;
    if (only && reaches(s, w, only)) add(only, sees);
    if (!only)
      for (entity_t e : reached(s, w)) add(e, sees);
  }
}

void meaning::predicates(const checked_term& t, const slot_values& values,
                         std::vector<entity_t>& out) {
  // A variable beside a wildcard stands for itself alone.
  if (t.first.flagged || (t.exact && t.first.is == checked_ref::kind::slot))
    return stand_for(t.first, values, out);
  const entity_t p = value_of(t.first, values);
  if (!p) return;
  const auto kinds = with_kinds(p);
  out.insert(out.end(), kinds.begin(), kinds.end());
}

void meaning::targets(const checked_term& t, const slot_values& values,
                      std::vector<entity_t>& out) {
  stand_for(t.second, values, out);
}

bool meaning::is_transitive(const checked_term& t, const slot_values& values) const {
  if (!t.pair || t.exact || t.second.flagged) return false;
  const entity_t relation = value_of(t.first, values);
  return relation && traits_of(relation) & trait::transitive;
}

bool meaning::is_reflexive(const checked_term& t, const slot_values& values) const {
  if (!t.pair || t.exact) return false;
  const entity_t relation = value_of(t.first, values);
  return relation && traits_of(relation) & trait::reflexive;
}

bool meaning::there(source_entity on, id_t id) const {
  const entity_record* r = g_.store.entities().find(on.entity);
  // The wildcards are entities too, children of `kith`, but no id is made of them.
  if (!r || has_wildcard(id)) return false;
  return on.sees ? g_.inherit.is_visible(on.entity, *r, id) : g_.store.owns(*r, id);
}

std::vector<id_t> meaning::ids_on(source_entity on, id_t pattern) const {
  const entity_record& r = g_.alive(on.entity);
  if (on.sees) return g_.inherit.visible_ids(on.entity, r, pattern);
  std::vector<id_t> ids;
  if (is_pair(pattern) && !is_wildcard(relation_of(pattern))) {
    const std::span<const id_t> pairs = g_.store.pairs_of(r, relation_of(pattern));
    ids.assign(pairs.begin(), pairs.end());
  } else {
    ids = g_.store.owned_ids(r);
  }
  std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
  return ids;
}

bool meaning::knows_pair(const checked_term& t, const slot_values& values) {
  return t.shape.is == term_shape::kind::star && values[t.star] && !has_wildcard(values[t.star]);
}

void meaning::ids_that_fit(const checked_term& t, const slot_values& values, source_entity on,
                           std::vector<id_t>& out) {
  const entity_record* r = g_.store.entities().find(on.entity);
  if (!r) return;
  if (t.shape.is == term_shape::kind::star && on.sees && out.empty()) {
    const entity_t relation = t.first.entity;
    if (!alive(relation)) return;
    if (!has_kinds(relation))
      if (const auto pairs = g_.inherit.pairs_of_one_owner(on.entity, *r, index_of(relation))) {
        std::ranges::set_difference(pairs->all, pairs->off, std::back_inserter(out));
        return;
      }
  }
  const auto is_open = [&](const checked_ref& ref) {
    return ref.is == checked_ref::kind::star || ref.is == checked_ref::kind::any ||
           (ref.is == checked_ref::kind::slot && ref.lookup.empty() && !ref.flagged &&
            values[ref.slot] == 0);
  };
  std::vector<entity_t> first, second;
  const bool any_first = is_open(t.first), any_second = t.pair && is_open(t.second);
  if (!any_first) predicates(t, values, first);
  if (t.pair && !any_second) targets(t, values, second);
  if ((!any_first && first.empty()) || (t.pair && !any_second && second.empty())) return;

  const auto add = [&](id_t pattern) {
    const std::vector<id_t> ids = ids_on(on, pattern);
    out.insert(out.end(), ids.begin(), ids.end());
  };
  // The wildcards are entities too, but no id is made of them.
  const auto is_pattern = [](entity_t e) { return is_wildcard(index_of(e)); };
  std::erase_if(first, is_pattern);
  std::erase_if(second, is_pattern);
  const std::vector<entity_t> open{Wildcard};
  for (entity_t p : any_first ? open : first) {
    if (!t.pair)
      add(p);
    else
      for (entity_t target : any_second ? open : second) add(make_pair(p, target));
  }
  // `_` beside `*` does not tell ids apart.
  if (t.star != no_slot && t.pair)
    for (id_t& id : out) id = seen_by_star(t, id);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

id_t meaning::seen_by_star(const checked_term& t, id_t id) {
  if (t.first.is == checked_ref::kind::any) return make_pair_of(Any, target_of(id));
  if (t.second.is == checked_ref::kind::any) return make_pair_of(relation_of(id), Any);
  return id;
}

// --- what holds ----------------------------------------------------------------------------------

bool meaning::holds(const checked_term& t, const slot_values& values) {
  switch (t.is) {
    case checked_term::kind::list:
      return list_holds(t, values);
    case checked_term::kind::equality:
    case checked_term::kind::text:
      return equality_holds(t, values);
    case checked_term::kind::predicate:
      break;
  }
  if (t.source.is == checked_ref::kind::any && !t.exact && !is_transitive(t, values) &&
      !is_reflexive(t, values))
    return some_entity_has(t, values);
  if (!t.source.flagged && t.source.is != checked_ref::kind::any) {
    const entity_t s = value_of(t.source, values);
    return s && holds_on({s, true}, t, values);
  }
  if (const auto first = first_source(t, values)) return first->entity != 0;
  if (const auto found = found_by_walks(t, values, asked::whether)) return found->entity != 0;
  std::vector<source_entity> all;
  sources(t, values, all);
  return std::ranges::any_of(all, [&](source_entity on) { return holds_on(on, t, values); });
}

bool meaning::may_hold(const checked_term& t, const slot_values& values) {
  const entity_t relation = value_of(t.first, values);
  if (!t.pair || !relation || t.first.flagged || t.source.flagged || t.second.flagged ||
      is_reflexive(t, values))
    return true;
  const auto is_set = [&](const checked_ref& r) {
    return r.is == checked_ref::kind::fixed ||
           (r.is == checked_ref::kind::slot && values[r.slot] && r.lookup.empty());
  };
  const auto kinds = with_kinds(relation);
  if (is_set(t.source)) {
    const entity_record* r = g_.store.entities().find(value_of(t.source, values));
    if (!r) return false;
    if (g_.inherit.has_bases(*r)) return true;
    return std::ranges::any_of(
        kinds, [&](entity_t kind) { return !g_.store.pairs_of(*r, index_of(kind)).empty(); });
  }
  if (!is_set(t.second)) return true;
  const entity_t target = value_of(t.second, values);
  return target && std::ranges::any_of(kinds, [&](entity_t kind) {
           const id_record* pair = g_.store.ids().find(make_pair(kind, target));
           return pair && may_have_owners(*pair);
         });
}

std::optional<meaning::source_entity> meaning::first_source(const checked_term& t,
                                                            const slot_values& values) {
  if (t.source.walks.size() != 1 || t.source.all != no_slot || !t.shape.is_present_ids() ||
      !t.shape.names_first || t.shape.looks_up || !open_.reach)
    return std::nullopt;
  const checked_walk& w = t.source.walks[0];
  if (w.direction != walk::way::up || w.min != 1 || w.max != walk::no_limit || w.relation == IsA ||
      !alive(w.relation) || has_kinds(t.first.entity))
    return std::nullopt;
  const source_entity none{0, false};
  const entity_t start = value_of(t.source, values), p = value_of(t.first, values);
  const entity_t target = t.pair ? value_of(t.second, values) : 0;
  if (!start || !p || (t.pair && !target)) return none;
  if (t.source.self)
    if (const source_entity self{start, t.source_sees}; holds_on(self, t, values)) return self;
  const id_t id = t.pair ? make_pair(p, target) : p;
  const std::vector<entity_t> next = reach_.steps(start, w.relation);
  if (next.empty()) return none;
  if (next.size() > 1) return std::nullopt;
  const auto found = reach_.first_on_way(next.front(), w.relation, id);
  if (!found) return std::nullopt;
  return *found ? source_entity{*found, true} : none;
}

// An entity that shows an id owns it, or is a kind of another one that owns it and shows it.
bool meaning::some_entity_has(const checked_term& t, const slot_values& values) {
  std::vector<entity_t> first, second;
  predicates(t, values, first);
  if (t.pair) targets(t, values, second);
  const auto has_owner = [&](id_t id) {
    const id_record* record = g_.store.ids().find(id);
    const auto shows = [&](entity_t e) { return !is_builtin(e) && there({e, true}, id); };
    if (!record) return false;
    runs owners(*record);
    for (run r; owners.next(r);)
      if (std::ranges::any_of(r.entities, shows)) return true;
    return false;
  };
  for (entity_t p : first) {
    if (!t.pair && has_owner(p)) return true;
    for (entity_t target : second)
      if (has_owner(make_pair(p, target))) return true;
  }
  return false;
}

bool meaning::holds_on(source_entity on, const checked_term& t, const slot_values& values) {
  if (t.exact) {
    if (on.sees && knows_pair(t, values))
      return pair_fits(t, values[t.star]) && there(on, values[t.star]);
    std::vector<id_t> ids;
    ids_that_fit(t, values, on, ids);
    if (t.star == no_slot) return !ids.empty();
    return std::ranges::binary_search(ids, values[t.star]);
  }
  if (t.pair) return pair_holds(on, t, values);
  if (!t.first.flagged) {
    const entity_t p = value_of(t.first, values);
    if (!p) return false;
    const auto kinds = with_kinds(p);
    if (kinds.size() > many_kinds()) return alive(on.entity) && !ids_of_kinds(on, p).empty();
    return std::ranges::any_of(kinds, [&](entity_t kind) { return there(on, kind); });
  }
  if (has_walks(t.first, values) && names_many(t.first, values)) {
    const entity_t value = value_of(t.first, values);
    return alive(on.entity) && std::ranges::any_of(ids_on(on, Wildcard), [&](id_t id) {
             return !is_pair(id) && stands_for(t.first, value, id);
           });
  }
  std::vector<entity_t> list;
  predicates(t, values, list);
  return std::ranges::any_of(list, [&](entity_t p) { return there(on, p); });
}

// The ids of an entity that are `p` or kinds of it, for a `p` with many kinds.
std::vector<id_t> meaning::ids_of_kinds(source_entity on, entity_t p) {
  std::vector<id_t> ids = ids_on(on, Wildcard);
  std::erase_if(ids,
                [&](id_t id) { return is_pair(id) || (id != p && !reach_.leads(id, IsA, p)); });
  return ids;
}

// Does a place stand for more entities than one has ids, as a rule? Requires: has_walks.
bool meaning::names_many(const checked_ref& r, const slot_values& values) {
  const entity_t value = value_of(r, values);
  return value && std::ranges::any_of(r.walks, [&](const checked_walk& w) {
           return reached(value, w).size() > many_kinds();
         });
}

// Is it a pair of the relation or a kind of it?
bool meaning::pair_fits(const checked_term& t, id_t pair) {
  return alive(t.first.entity) &&
         std::ranges::any_of(with_kinds(t.first.entity),
                             [&](entity_t kind) { return index_of(kind) == relation_of(pair); });
}

bool meaning::pair_holds(source_entity on, const checked_term& t, const slot_values& values) {
  const entity_t relation = value_of(t.first, values), target = value_of(t.second, values);
  if (!relation || !target) return false;
  const std::uint32_t flags = traits_of(relation);
  if (!t.first.flagged && !t.second.flagged) {
    if (flags & trait::reflexive && on.entity == target) return true;
    const auto kinds = with_kinds(relation);
    for (entity_t kind : kinds)
      if (there(on, make_pair(kind, target))) return true;
    return flags & trait::transitive && leads_there(on, kinds, relation, target);
  }
  std::vector<entity_t> first, second;
  predicates(t, values, first);
  if (first.empty()) return false;
  if (has_walks(t.second, values)) {
    const auto stands = [&](entity_t other) { return stands_for(t.second, target, other); };
    return (flags & trait::reflexive && stands(on.entity)) || has_pair_with(on, first, stands);
  }
  targets(t, values, second);
  for (entity_t other : second) {
    if (flags & trait::reflexive && on.entity == other) return true;
    for (entity_t kind : first)
      if (there(on, make_pair(kind, other))) return true;
  }
  return flags & trait::transitive && !t.second.flagged && leads_there(on, first, relation, target);
}

// Does a place stand for all that its walks reach?
bool meaning::has_walks(const checked_ref& r, const slot_values& values) {
  return !r.walks.empty() && (r.all == no_slot || !values[r.all]);
}

// Is an entity among those that a place with this value stands for? Requires: has_walks.
bool meaning::stands_for(const checked_ref& r, entity_t value, entity_t e) {
  return (r.self && e == value) ||
         std::ranges::any_of(r.walks, [&](const checked_walk& w) { return reaches(value, w, e); });
}

// Is a pair of one of the relations there, whose target passes?
bool meaning::has_pair_with(source_entity on, std::span<const entity_t> relations,
                            const entity_test& passes) const {
  const entity_record* r = g_.store.entities().find(on.entity);
  if (!r) return false;
  const auto fits = [&](id_t pair) {
    return passes(g_.store.entities().alive_at(target_of(pair)));
  };
  for (entity_t relation : relations) {
    if (is_wildcard(index_of(relation))) continue;
    if (on.sees && (g_.inherit.any() || g_.store.was_toggled(index_of(relation)))) {
      if (std::ranges::any_of(g_.inherit.visible_ids(on.entity, *r, make_pair(relation, Wildcard)),
                              fits))
        return true;
    } else if (std::ranges::any_of(g_.store.pairs_of(*r, index_of(relation)), fits)) {
      return true;
    }
  }
  return false;
}

// Is there a pair of one of the kinds whose target leads to `target`?
bool meaning::leads_there(source_entity on, std::span<const entity_t> kinds, entity_t relation,
                          entity_t target) {
  // Then its first step is one of those of the relation.
  if (on.sees && kinds.data() == with_kinds(relation).data())
    return alive(on.entity) && reach_.leads(on.entity, relation, target);
  const auto leads = [&](id_t pair) {
    return reach_.leads(g_.store.entities().alive_at(target_of(pair)), relation, target);
  };
  return alive(on.entity) && std::ranges::any_of(kinds, [&](entity_t kind) {
           return std::ranges::any_of(ids_on(on, make_pair(kind, Wildcard)), leads);
         });
}

// As a term that names this id would ask.
bool meaning::id_holds(source_entity on, id_t id) {
  checked_term t;
  const auto fixed = [&](std::uint32_t index) {
    checked_ref r;
    r.is = checked_ref::kind::fixed;
    r.entity = g_.store.entities().alive_at(index);
    return r;
  };
  t.pair = is_pair(id);
  t.first = fixed(t.pair ? relation_of(id) : index_of(id));
  if (t.pair) t.second = fixed(target_of(id));
  return holds_on(on, t, {});
}

bool meaning::list_holds(const checked_term& t, const slot_values& values) {
  std::vector<entity_t> lists;
  stand_for(t.first, values, lists);
  std::vector<source_entity> all;
  sources(t, values, all);
  for (source_entity on : all)
    for (entity_t from : lists) {
      bool every = true, some = false;
      for (id_t id : g_.store.owned_ids(g_.alive(from))) {
        if (g_.traits.of_id(id) & trait::dont_inherit) continue;
        const bool is = id_holds(on, id);
        every = every && is;
        some = some || is;
      }
      if (t.list_op == term::oper::and_from  ? every
          : t.list_op == term::oper::or_from ? some
                                             : !some)
        return true;
    }
  return false;
}

bool meaning::is_called(entity_t e, const checked_term& t) const {
  std::string_view text = t.text;
  const bool contains = t.compare == term::comparison::contains;
  const bool negated = contains && text.starts_with('!');
  if (negated) text.remove_prefix(1);
  const std::string_view name = g_.names.name_of(index_of(e));
  if (contains) return (name.find(text) != name.npos) != negated;
  return (name == text) == (t.compare == term::comparison::equal);
}

bool meaning::equality_holds(const checked_term& t, const slot_values& values) {
  if (!t.first.flagged && (t.is == checked_term::kind::text || !t.second.flagged)) {
    const entity_t one = value_of(t.first, values);
    if (t.is == checked_term::kind::text) return one && is_called(one, t);
    const entity_t other = value_of(t.second, values);
    return one && other && (one == other) == (t.compare == term::comparison::equal);
  }
  std::vector<entity_t> left, right;
  stand_for(t.first, values, left);
  if (t.is == checked_term::kind::text)
    return std::ranges::any_of(left, [&](entity_t e) { return is_called(e, t); });
  if (t.compare == term::comparison::equal && has_walks(t.second, values)) {
    const entity_t value = value_of(t.second, values);
    return value &&
           std::ranges::any_of(left, [&](entity_t e) { return stands_for(t.second, value, e); });
  }
  stand_for(t.second, values, right);
  if (t.compare == term::comparison::equal)
    return std::ranges::any_of(
        left, [&](entity_t e) { return std::ranges::find(right, e) != right.end(); });
  // Of two lists without repetitions some two are unequal, unless both are one and the same entity.
  return !left.empty() && !right.empty() && (left.size() + right.size() > 2 || left != right);
}

// The pairs of an entity whose targets are `target` or lead there, by predicate, then target, each
// in order.
void meaning::pairs_that_lead(source_entity on, const checked_term& t, const slot_values& values,
                              std::span<const entity_t> kinds, entity_t target,
                              std::vector<id_t>& out) {
  const entity_t relation = value_of(t.first, values);
  for (entity_t kind : kinds) {
    if (const auto first = pair_that_leads(on, kind, relation, target)) {
      if (!*first) continue;
      out.push_back(*first);
      return;
    }
    std::vector<id_t> pairs = ids_on(on, make_pair(kind, Wildcard));
    std::erase_if(pairs, [&](id_t pair) {
      const entity_t to = g_.store.entities().alive_at(target_of(pair));
      return to != target && !reach_.leads(to, relation, target);
    });
    sort_by_rank(pairs, target, {walk::way::down, relation, 1, walk::no_limit}, target);
    out.insert(out.end(), pairs.begin(), pairs.end());
  }
}

// The pairs of an entity whose targets a place with one walk stands for, by predicate, then target,
// each in order.
void meaning::pairs_within(source_entity on, std::span<const entity_t> kinds, entity_t target,
                           const checked_ref& targets, std::vector<id_t>& out) {
  for (entity_t kind : kinds) {
    if (is_wildcard(index_of(kind))) continue;
    std::vector<id_t> pairs = ids_on(on, make_pair(kind, Wildcard));
    std::erase_if(pairs, [&](id_t pair) {
      return !stands_for(targets, target, g_.store.entities().alive_at(target_of(pair)));
    });
    // Without `self` the entity itself has the place in which walks lead back to it.
    sort_by_rank(pairs, targets.self ? target : 0, targets.walks[0], target);
    out.insert(out.end(), pairs.begin(), pairs.end());
  }
}

// --- what made it hold ---------------------------------------------------------------------------

// The ids that could have made a term hold on an entity: by predicate, then target, in the order in
// which they are stood for.
void meaning::ids_to_match(source_entity on, const checked_term& t, const slot_values& values,
                           std::vector<id_t>& ids) {
  std::vector<entity_t> first, second;
  if (t.star != no_slot && !has_wildcard(values[t.star])) {
    ids.push_back(values[t.star]);
  } else if (t.star != no_slot) {
    ids = ids_on(on, values[t.star]);
  } else if (t.exact) {
    ids_that_fit(t, values, on, ids);
    // What stands for `_` is in ascending order.
    const auto rank = [](const checked_ref& r, const std::vector<entity_t>& list,
                         std::uint32_t index) -> std::ptrdiff_t {
      if (r.is == checked_ref::kind::any) return index;
      return std::ranges::find(list, index, index_of) - list.begin();
    };
    if (t.first.is != checked_ref::kind::any) predicates(t, values, first);
    if (t.pair && t.second.is != checked_ref::kind::any) targets(t, values, second);
    const auto key = [&](id_t id) {
      return std::pair(rank(t.first, first, relation_of(id)),
                       rank(t.second, second, target_of(id)));
    };
    if (t.pair) std::ranges::stable_sort(ids, {}, key);
  } else {
    if (!t.pair && !t.first.flagged)
      if (const entity_t p = value_of(t.first, values); with_kinds(p).size() > many_kinds()) {
        ids = ids_of_kinds(on, p);
        return sort_by_rank(ids, p, {walk::way::down, IsA, 1, walk::no_limit}, p);
      }
    predicates(t, values, first);
    if (t.pair && t.second.walks.size() == 1 && has_walks(t.second, values))
      return pairs_within(on, first, value_of(t.second, values), t.second, ids);
    if (t.pair) targets(t, values, second);
    if (is_transitive(t, values) && !second.empty()) {
      pairs_that_lead(on, t, values, first, second.front(), ids);
      second.clear();
    }
    for (entity_t p : first) {
      if (!t.pair) ids.push_back(p);
      for (entity_t target : second) ids.push_back(make_pair(p, target));
    }
  }
}

// The first of the ids that the entity owns; else the one that comes from the nearest base.
matched meaning::nearest_of(source_entity on, std::span<const id_t> ids) const {
  const entity_record& r = g_.alive(on.entity);
  matched found;
  std::size_t nearest = ~std::size_t{0};
  std::vector<entity_t> bases;
  for (id_t id : ids) {
    if (!there(on, id)) continue;
    const entity_t owner = on.sees ? g_.inherit.owner(on.entity, r, id) : on.entity;
    if (owner == on.entity) return {id, owner};
    if (bases.empty()) bases = g_.inherit.in_order(on.entity, r);
    const auto place = static_cast<std::size_t>(std::ranges::find(bases, owner) - bases.begin());
    if (place < nearest) {
      nearest = place;
      found = {id, owner};
    }
  }
  return found;
}

matched meaning::find_match(const checked_term& t, const slot_values& values) {
  if (!t.source.flagged && t.source.is == checked_ref::kind::slot && knows_pair(t, values)) {
    const entity_t e = value_of(t.source, values);
    const id_t pair = values[t.star];
    if (!e || !pair_fits(t, pair)) return {};
    const entity_t owner = g_.inherit.owner(e, g_.alive(e), pair);
    return owner ? matched{pair, owner} : matched{};
  }
  std::vector<source_entity> all;
  auto first = first_source(t, values);
  // What holds by Reflexive has no id, and then the ids of all sources count.
  if (!first && !is_reflexive(t, values)) first = found_by_walks(t, values, asked::where);
  if (!first)
    sources(t, values, all);
  else if (first->entity)
    all.push_back(*first);
  std::vector<id_t> ids;
  matched without_id;
  for (source_entity on : all) {
    if (!holds_on(on, t, values)) continue;
    ids.clear();
    ids_to_match(on, t, values, ids);
    if (const matched found = nearest_of(on, ids); found.id) return found;
    // It holds by Reflexive; an id on a later source says more.
    if (!without_id.source) without_id.source = on.entity;
  }
  return without_id;
}

}  // namespace kith::core
