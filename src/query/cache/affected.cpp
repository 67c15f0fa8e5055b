#include "query/cache/affected.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

#include "base/deep_call.hpp"

namespace kith::core {

namespace {

// The values that a variable can have. None: any.
using values_of_slot = std::vector<std::uint32_t>;

class finder {
 public:
  finder(const checked_query& q, meaning& m, std::span<const changed_fact> facts, std::size_t most)
      : q_(q), m_(m), g_(m.world()), facts_(facts), most_(most) {}

  std::optional<std::vector<partial_result>> find() {
    for (const changed_fact& fact : facts_)
      if (!add(fact) || too_many_) return std::nullopt;
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  // Each of these returns false if any result may be affected.
  bool add(const changed_fact& fact);
  bool add_life(const changed_fact& fact);
  bool add_base(const changed_fact& fact);
  bool add_term(const checked_term& t, const changed_fact& fact);
  bool add_direct(const checked_term& t, const changed_fact& fact);
  bool add_closure(const checked_term& t, const changed_fact& fact);
  bool add_walks(const checked_term& t, const changed_fact& fact);
  bool add_walk(const checked_ref& r, const changed_fact& fact);
  bool add_pairs(const checked_ref& first, const values_of_slot& firsts, const checked_ref& second,
                 const values_of_slot& seconds);

  bool is_about(entity_t predicate, const changed_fact& fact);
  bool is_kept(slot_index slot) const;
  bool is_always_set(const block& b, slot_index slot) const;
  bool is_only_step(const checked_term& t, const changed_fact& fact);
  bool hides_others(entity_t relation) const;
  void add_heirs(values_of_slot& list);
  void add_those_that_lead_to(entity_t relation, walk::way way, values_of_slot& list);
  bool add_all_that_walk_over(const checked_ref& r, const values_of_slot& list);
  bool add_those_that_walk_to(const checked_ref& r, values_of_slot& list);
  entity_t entity_at(std::uint32_t index) const { return g_.store.entities().alive_at(index); }

  const checked_query& q_;
  meaning& m_;
  const graph& g_;
  std::span<const changed_fact> facts_;
  std::size_t most_;
  std::size_t walked_ = 0;  // entities that walks have come to
  bool too_many_ = false;
  std::vector<partial_result> found_;
};

// Is the slot part of each result? Variables of a Not are not, nor those that may stay unset, nor
// those whose terms may all vanish because others stay unset.
bool finder::is_kept(slot_index slot) const {
  if (slot == this_slot) return q_.uses_this;
  return q_.slots[slot].is == slot_info::kind::variable && is_always_set(q_.root, slot);
}

bool finder::is_always_set(const block& b, slot_index slot) const {
  return std::ranges::any_of(b.items, [&](const item& i) {
    if (i.is == item::kind::term)
      return contains(i.term.slots, slot) && std::ranges::none_of(i.term.slots, [&](slot_index s) {
               return q_.slots[s].conditional;
             });
    return i.is == item::kind::any_of && std::ranges::all_of(i.bodies, [&](const block& body) {
             return deep_call([&] { return is_always_set(body, slot); });
           });
  });
}

// Does the fact say something of the predicate, or of a kind of it?
bool finder::is_about(entity_t predicate, const changed_fact& fact) {
  const std::uint32_t changed = is_pair(fact.id) ? relation_of(fact.id) : index_of(fact.id);
  if (index_of(predicate) == changed) return true;
  return std::ranges::any_of(m_.with_kinds(predicate),
                             [&](entity_t kind) { return index_of(kind) == changed; });
}

// Does a pair hide inherited pairs with other targets?
bool finder::hides_others(entity_t relation) const {
  return g_.inherit.any() && std::ranges::any_of(m_.with_kinds(relation), [&](entity_t kind) {
           return (m_.traits_of(kind) & trait::exclusive) != 0;
         });
}

// Is it the only step of the relation or its kinds that changed? A base also gives or takes steps.
bool finder::is_only_step(const checked_term& t, const changed_fact& fact) {
  constexpr std::size_t few = 64;  // counting them for each of many facts would take long
  if (facts_.size() > few) return false;
  return std::ranges::none_of(facts_, [&](const changed_fact& other) {
    if (!is_pair(other.id) || other == fact) return false;
    return relation_of(other.id) == index_of(IsA) || is_about(t.first.entity, other);
  });
}

bool finder::add(const changed_fact& fact) {
  if (!fact.id) return add_life(fact);
  if (is_pair(fact.id) && relation_of(fact.id) == index_of(IsA) && !add_base(fact)) return false;
  for (id_t hidden : q_.hides)
    if (fact.id == hidden && !add_pairs({}, {}, {}, {index_of(fact.entity)})) return false;
  return each_item(
      q_.root, [&](const item& i) { return i.is != item::kind::term || add_term(i.term, fact); });
}

// An entity that began or ended matters where a variable ranges over all entities.
bool finder::add_life(const changed_fact& fact) {
  for (slot_index slot = 0; slot < q_.slots.size(); ++slot) {
    if (slot == this_slot && !q_.uses_this) continue;
    if (!is_kept(slot)) return false;
    found_.push_back({{slot, index_of(fact.entity)}});
  }
  return found_.size() <= most_;
}

// An entity that got or lost a base shows other ids than before. If it is a predicate itself, or
// the base is one, terms have other kinds.
bool finder::add_base(const changed_fact& fact) {
  values_of_slot changed{index_of(fact.entity)};
  add_heirs(changed);
  values_of_slot above{target_of(fact.id)};
  add_those_that_lead_to(IsA, walk::way::up, above);
  if (changed.size() > most_ || above.size() > most_) return false;
  // The steps that it inherits begin at its base, too, which may tell more if the entity has ended.
  values_of_slot walked = changed;
  walked.insert(walked.end(), above.begin(), above.end());
  const auto gets_kinds = [&](entity_t predicate) {
    return std::ranges::find(walked, index_of(predicate)) != walked.end();
  };
  return each_item(q_.root, [&](const item& i) {
    if (i.is != item::kind::term) return true;
    const checked_term& t = i.term;
    if (t.is == checked_term::kind::list) return false;
    for (const checked_ref* r : {&t.first, &t.source, &t.second})
      for (const checked_walk& w : r->walks)
        if (gets_kinds(w.relation)) return false;
    if (t.is != checked_term::kind::predicate)
      return add_all_that_walk_over(t.first, walked) && add_all_that_walk_over(t.second, walked);
    if (t.first.is != checked_ref::kind::fixed) return false;
    if (gets_kinds(t.first.entity)) return false;
    values_of_slot sources = t.source.flagged ? walked : changed;
    if (t.pair && m_.is_transitive(t, {}))
      add_those_that_lead_to(t.first.entity, walk::way::down, sources);
    if (!add_all_that_walk_over(t.second, walked)) return false;
    if (t.source.flagged && !add_those_that_walk_to(t.source, sources)) return false;
    return add_pairs(t.source, sources, {}, {});
  });
}

bool finder::add_term(const checked_term& t, const changed_fact& fact) {
  if (t.is == checked_term::kind::list) return false;
  if (t.is != checked_term::kind::predicate) return add_walks(t, fact);
  if (t.first.is != checked_ref::kind::fixed || t.source.is == checked_ref::kind::star ||
      t.source.is == checked_ref::kind::any || t.first.flagged)
    return false;
  if (!add_walks(t, fact)) return false;
  if (t.pair != is_pair(fact.id) || !is_about(t.first.entity, fact)) return true;
  return m_.is_transitive(t, {}) ? add_closure(t, fact) : add_direct(t, fact);
}

bool finder::add_direct(const checked_term& t, const changed_fact& fact) {
  values_of_slot sources{index_of(fact.entity)};
  add_heirs(sources);
  if (t.source.flagged && !add_those_that_walk_to(t.source, sources)) return false;
  if (!t.pair) return add_pairs(t.source, sources, {}, {});
  const std::uint32_t target = target_of(fact.id);
  if (t.second.is == checked_ref::kind::fixed && !t.second.flagged && t.second.lookup.empty() &&
      index_of(t.second.entity) != target && !hides_others(t.first.entity))
    return true;
  const bool binds_target = t.second.is == checked_ref::kind::slot && !t.second.flagged &&
                            t.second.lookup.empty() && !t.exact && !hides_others(t.first.entity);
  return add_pairs(t.source, sources, binds_target ? t.second : checked_ref(), {target});
}

// What leads over a step: all that lead to its source, and all that its target leads to. Of several
// steps that changed, each way over some of them has a first one, so one end is enough.
bool finder::add_closure(const checked_term& t, const changed_fact& fact) {
  const entity_t relation = t.first.entity;
  values_of_slot sources{index_of(fact.entity)}, targets{target_of(fact.id)};
  add_heirs(sources);
  add_those_that_lead_to(relation, walk::way::down, sources);
  add_heirs(sources);
  if (t.source.flagged && !add_those_that_walk_to(t.source, sources)) return false;
  const bool binds_target = t.second.is == checked_ref::kind::slot && t.second.lookup.empty() &&
                            !t.second.flagged && !t.exact && !hides_others(t.first.entity) &&
                            is_only_step(t, fact);
  if (!binds_target) return add_pairs(t.source, sources, {}, {});
  add_those_that_lead_to(relation, walk::way::up, targets);
  // Both ends together are many; the shorter one finds the same results.
  if (targets.size() < sources.size() && is_kept(t.second.slot))
    return add_pairs({}, {}, t.second, targets);
  return add_pairs(t.source, sources, {}, {});
}

bool finder::add_walks(const checked_term& t, const changed_fact& fact) {
  return add_walk(t.source, fact) && add_walk(t.first, fact) && add_walk(t.second, fact);
}

// A step that a place of a term may walk over.
bool finder::add_walk(const checked_ref& r, const changed_fact& fact) {
  if (!is_pair(fact.id)) return true;
  for (const checked_walk& w : r.walks) {
    if (!is_about(w.relation, fact)) continue;
    if (r.is != checked_ref::kind::slot || !r.lookup.empty()) return false;
    // Upwards those walk over it that lead to its source; downwards those that its target leads to.
    const std::uint32_t end =
        w.direction == walk::way::up ? index_of(fact.entity) : target_of(fact.id);
    values_of_slot starts{end};
    // The pair may hide those that its entity inherits, which the bases lead to.
    if (hides_others(w.relation)) {
      starts.push_back(index_of(fact.entity));
      add_those_that_lead_to(IsA, walk::way::up, starts);
    }
    const walk::way back = w.direction == walk::way::up ? walk::way::down : walk::way::up;
    if (w.direction == walk::way::up) add_heirs(starts);
    add_those_that_lead_to(w.relation, back, starts);
    // Another walk of the same place may lead to where this one begins.
    if (r.walks.size() > 1 || !add_pairs(r, starts, {}, {})) return false;
  }
  return true;
}

void finder::add_heirs(values_of_slot& list) {
  if (g_.inherit.any()) add_those_that_lead_to(IsA, walk::way::down, list);
}

// Adds what walks lead to from those of the list, until they are more than results may be. Nothing
// is remembered, since another change comes from elsewhere.
void finder::add_those_that_lead_to(entity_t relation, walk::way way, values_of_slot& list) {
  if (!m_.alive(relation)) return;
  hash_map<std::uint32_t, bool> seen;
  for (std::uint32_t index : list) seen.try_emplace(index, true);
  for (std::size_t at = 0; at < list.size() && list.size() <= most_; ++at) {
    // All walks together may cost no more than that of a few results.
    too_many_ = too_many_ || ++walked_ > 8 * most_;
    if (too_many_) return;
    const entity_t here = entity_at(list[at]);
    if (!here || (relation == IsA && way == walk::way::down && !g_.inherit.is_base(here))) continue;
    const std::vector<entity_t> next = way == walk::way::up ? m_.reach().steps(here, relation)
                                                            : m_.reach().steps_to(here, relation);
    for (entity_t e : next)
      if (seen.try_emplace(index_of(e), true).second) list.push_back(index_of(e));
  }
}

// Adds the results in which a place walks over entities of a list.
bool finder::add_all_that_walk_over(const checked_ref& r, const values_of_slot& list) {
  if (r.walks.empty()) return true;
  values_of_slot starts = list;
  return r.is == checked_ref::kind::slot && add_those_that_walk_to(r, starts) &&
         add_pairs(r, starts, {}, {});
}

// Adds the entities from which a walk of the place leads to one in the list.
bool finder::add_those_that_walk_to(const checked_ref& r, values_of_slot& list) {
  if (r.walks.size() > 1) return false;
  for (const checked_walk& w : r.walks)
    add_those_that_lead_to(w.relation,
                           w.direction == walk::way::up ? walk::way::down : walk::way::up, list);
  return true;
}

// Adds the results with one of the values for each of two places. A place that is no slot, or a
// slot that is not part of each result, says nothing.
bool finder::add_pairs(const checked_ref& first, const values_of_slot& firsts,
                       const checked_ref& second, const values_of_slot& seconds) {
  // A list that was cut off says nothing of what it leaves out.
  if (too_many_ || firsts.size() > most_ || seconds.size() > most_) return false;
  // An entity that is written must be one of those that changed.
  if (first.is == checked_ref::kind::fixed && !first.flagged && first.lookup.empty() &&
      std::ranges::find(firsts, index_of(first.entity)) == firsts.end())
    return true;
  const auto slot_of = [&](const checked_ref& r) {
    const bool says = r.is == checked_ref::kind::slot && r.lookup.empty() && is_kept(r.slot);
    return says ? r.slot : no_slot;
  };
  // For the ids that hide an entity: $this.
  const bool is_about_this =
      first.is == checked_ref::kind::none && second.is == checked_ref::kind::none;
  slot_index a = slot_of(first), b = is_about_this ? this_slot : slot_of(second);
  if (is_about_this && !is_kept(this_slot)) return false;
  if (a == no_slot && b == no_slot) return false;
  if (a == b) b = no_slot;
  const std::size_t count =
      (a == no_slot ? 1 : firsts.size()) * (b == no_slot ? 1 : seconds.size());
  if (found_.size() + count > most_) return false;
  const values_of_slot any{0};
  for (std::uint32_t x : a == no_slot ? any : firsts)
    for (std::uint32_t y : b == no_slot ? any : seconds) {
      partial_result p;
      if (a != no_slot) p.push_back({a, x});
      if (b != no_slot) p.push_back({b, y});
      std::ranges::sort(p);
      found_.push_back(std::move(p));
    }
  return true;
}

}  // namespace

std::optional<std::vector<partial_result>> affected_results(const checked_query& q, meaning& m,
                                                            std::span<const changed_fact> facts,
                                                            std::size_t most) {
  return finder(q, m, facts, most).find();
}

}  // namespace kith::core
