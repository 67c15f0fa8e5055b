// The sets that questions about walks leave behind.
#include <algorithm>
#include <utility>

#include "relations/reach.hpp"
#include "storage/runs.hpp"

namespace kith::core {

// --- what steps depend on ------------------------------------------------------------------------

steps_mark reach::mark_steps(entity_t relation) const {
  steps_mark mark;
  // While the store is busy, a change may be in the logs and not yet in the rows.
  if (g_.store.busy()) return mark;
  mark.of_relation = g_.store.logs().watch(make_pair(relation, 0));
  mark.relation = mark.of_relation->end();
  if (is_inherited(relation)) {
    mark.of_kinds = g_.store.logs().watch(make_pair(IsA, 0));
    mark.kinds = mark.of_kinds->end();
    mark.bases = g_.inherit.version();
  }
  // With these, pairs of other relations count too.
  if (is_wildcard(index_of(relation)) || !kinds_with_pairs(relation).empty())
    mark.all = g_.store.version();
  mark.known = true;
  return mark;
}

bool reach::are_steps_as_at(const steps_mark& mark, entity_t relation) const {
  if (!mark.known || g_.store.busy() || mark.relation != mark.of_relation->end()) return false;
  const bool inherited = is_inherited(relation);
  if (inherited != (mark.of_kinds != nullptr)) return false;
  if (inherited && (mark.kinds != mark.of_kinds->end() || mark.bases != g_.inherit.version()))
    return false;
  const bool others = is_wildcard(index_of(relation)) || !kinds_with_pairs(relation).empty();
  return mark.all == (others ? g_.store.version() : 0);
}

bool reach::has_plain_steps(entity_t relation) const {
  return !is_wildcard(index_of(relation)) && kinds_with_pairs(relation).empty() &&
         !is_inherited(relation) && !g_.store.was_toggled(index_of(relation));
}

// --- sets ----------------------------------------------------------------------------------------

reach::relation_sets& reach::sets_of(entity_t relation) const {
  const auto forget_members = [&](const relation_sets& of) {
    for (const auto& [key, set] : of.sets) held_ -= set->list().size() + set_weight;
  };
  if (held_ > max_held + 4 * g_.store.entities().size() ||
      (sets_.size() >= max_forests && !sets_.contains(relation))) {
    sets_.clear();
    held_ = 0;
  }
  relation_sets& known = sets_[relation];
  if (are_steps_as_at(known.when, relation)) return known;
  forget_members(known);
  known.sets.clear();
  known.last.reset();
  known.when = mark_steps(relation);
  known.plain = has_plain_steps(relation);
  return known;
}

std::shared_ptr<reach_set> reach::find_set(relation_sets& in, const set_key& key) const {
  if (const auto known = in.sets.find(key); known != in.sets.end()) return known->second;
  auto set = std::make_shared<reach_set>(key.start);
  in.sets.try_emplace(key, set);
  held_ += set_weight;
  return set;
}

template <class Visit>
void reach::each_plain_step(entity_t e, entity_t relation, bool back, Visit visit) const {
  if (!back) {
    for (id_t pair : g_.store.pairs_of(g_.alive(e), index_of(relation)))
      visit(g_.store.entities().alive_at(target_of(pair)));
  } else if (const id_record* record = g_.store.ids().find(make_pair(relation, e))) {
    g_.store.each(*record, visit);
  }
}

// Expands one entity of a set that is not complete. Returns what it cost, in steps.
std::size_t reach::expand(const relation_sets& in, const set_key& key, reach_set& set) const {
  const std::size_t before = set.list().size();
  const std::size_t steps = set.expand([&](entity_t here, auto add) {
    if (in.plain && !key.back) return each_plain_step(here, key.relation, false, add);
    if (in.plain) {
      // The order of owners depends on where they are kept.
      std::vector<entity_t> from;
      each_plain_step(here, key.relation, true, [&](entity_t e) { from.push_back(e); });
      sort_unique(from);
      std::ranges::for_each(from, add);
      return;
    }
    const auto list =
        key.back ? this->steps_to(here, key.relation) : this->steps(here, key.relation);
    std::ranges::for_each(list, add);
  });
  held_ += set.list().size() - before;
  steps_taken_ += steps + 1;
  return steps + 1;
}

// Along a chain each set is that of the next entity and one more.
bool reach::follow_only_step(relation_sets& in, const set_key& key, reach_set& set) const {
  if (!in.plain || set.expanded()) return false;
  entity_t next = 0;
  std::size_t count = 0;
  each_plain_step(key.start, key.relation, key.back, [&](entity_t to) {
    next = to;
    ++count;
  });
  if (count != 1 || next == key.start) return false;
  const auto known = in.sets.find({next, key.relation, key.back});
  if (known == in.sets.end() || !known->second->is_complete()) return false;
  set.follow(next, *known->second);
  held_ += set.list().size();
  return true;
}

std::shared_ptr<const reach_set> reach::complete_set(const set_key& key) const {
  relation_sets& in = sets_of(key.relation);
  const auto set = find_set(in, key);
  if (!set->is_complete() && !follow_only_step(in, key, *set))
    while (!set->is_complete()) expand(in, key, *set);
  return set;
}

bool reach::leads_by_sets(entity_t source, entity_t relation, entity_t target) const {
  relation_sets& in = sets_of(relation);
  const set_key from_key{source, relation, false}, to_key{target, relation, true};
  if (in.last && in.last_key == to_key) return in.last->has(source);
  if (in.last && in.last_key == from_key) return in.last->has(target);
  for (const set_key& key : {to_key, from_key}) {
    const auto known = in.sets.find(key);
    if (known == in.sets.end()) continue;
    const bool has = known->second->has(key.back ? source : target);
    if (known->second->is_complete()) {
      in.last_key = key;
      in.last = known->second;
    }
    if (has || known->second->is_complete()) return has;
  }

  const auto from = find_set(in, from_key), to = find_set(in, to_key);
  std::size_t forth = 0, back = 0;
  bool leads = false;
  while (!leads && !from->is_complete() && !to->is_complete()) {
    const bool grow_from = forth < back;
    (grow_from ? forth : back) +=
        expand(in, grow_from ? from_key : to_key, grow_from ? *from : *to);
    leads = grow_from ? from->has(target) : to->has(source);
  }
  if (is_forest(relation)) count_walked(relation, forth + back);
  return leads || from->has(target) || to->has(source);
}

// --- sizes ---------------------------------------------------------------------------------------

double reach::size_of(const set_key& key) const {
  if (!g_.store.entities().is_alive(key.start)) return 0;
  relation_sets& in = sets_of(key.relation);
  const auto set = find_set(in, key);
  for (std::size_t n = 0; n < max_sampled && !set->is_complete(); n += expand(in, key, *set)) {
  }
  const auto members = static_cast<double>(set->list().size());
  if (set->is_complete()) return members;
  // As many again for each member that waits, per member whose steps are known; but no more than
  // there are pairs.
  const auto expanded = static_cast<double>(set->expanded());
  const double guess = members * (2 + (members - expanded) / expanded);
  const double pairs = count_roughly(g_.store, make_pair(key.relation, Wildcard));
  return std::max(members, std::min(guess, std::max(pairs, members)));
}

}  // namespace kith::core
