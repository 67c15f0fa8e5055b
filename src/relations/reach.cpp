#include "relations/reach.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

void sort_unique(std::vector<entity_t>& list) {
  const auto is_behind = [](entity_t a, entity_t b) { return index_of(a) >= index_of(b); };
  if (std::ranges::adjacent_find(list, is_behind) == list.end()) return;
  std::ranges::sort(list, {}, index_of);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// --- steps ---------------------------------------------------------------------------------------

std::vector<entity_t> reach::steps(entity_t e, entity_t relation) const {
  std::vector<entity_t> to;
  const entity_record& r = g_.alive(e);
  const auto along = [&](entity_t kind) {
    for (id_t id : g_.inherit.visible_ids(e, r, make_pair(kind, Wildcard)))
      to.push_back(g_.store.entities().alive_at(target_of(id)));
  };
  along(relation);
  for (entity_t kind : kinds_with_pairs(relation)) along(kind);
  sort_unique(to);
  steps_taken_ += to.size() + 1;
  return to;
}

std::vector<entity_t> reach::steps_to(entity_t e, entity_t relation) const {
  std::vector<entity_t> from;
  const auto along = [&](entity_t kind) {
    const id_t id = make_pair(kind, e);
    const id_record* record = g_.store.ids().find(id);
    if (!record) return;
    const auto see = [&](entity_t source) {
      if (g_.inherit.is_visible(source, g_.alive(source), id)) from.push_back(source);
    };
    g_.store.each(*record, [&](entity_t owner) {
      see(owner);
      if (!g_.inherit.hands_on(id)) return;
      for (entity_t heir : kinds_of(owner)) see(heir);
    });
  };
  along(relation);
  for (entity_t kind : kinds_with_pairs(relation)) along(kind);
  sort_unique(from);
  steps_taken_ += from.size() + 1;
  return from;
}

std::vector<entity_t> reach::kinds_of(entity_t e) const {
  std::vector<entity_t> all;
  if (!g_.inherit.any() || is_builtin(e)) return all;
  hash_map<entity_t, bool> seen;
  const auto append = [&](entity_t base) {
    if (!g_.alive(base).referenced) return;
    const id_t id = make_pair(IsA, base);
    if (const id_record* record = g_.store.ids().find(id))
      g_.store.each(*record, [&](entity_t kind) {
        if (!g_.store.is_off(g_.alive(kind), id) && seen.try_emplace(kind, true).second)
          all.push_back(kind);
      });
  };
  append(e);
  for (std::size_t i = 0; i < all.size(); ++i) append(all[i]);
  return all;
}

std::span<const entity_t> reach::kinds_with_pairs(entity_t relation) const {
  if (!g_.inherit.any() || is_builtin(relation)) return {};
  // Both counters only grow, so their sum changes whenever one of them does.
  const std::uint64_t now = g_.inherit.version() + g_.store.ids().relations_version();
  if (related_kinds_version_ != now) {
    related_kinds_.clear();
    related_kinds_version_ = now;
  }
  if (const auto known = related_kinds_.find(relation); known != related_kinds_.end())
    return known->second;
  std::vector<entity_t> kinds = kinds_of(relation);
  std::erase_if(kinds,
                [&](entity_t kind) { return !g_.store.ids().first_of_relation(index_of(kind)); });
  return related_kinds_[relation] = std::move(kinds);
}

// --- closures ------------------------------------------------------------------------------------

std::vector<entity_t> reach::reached_from(entity_t source, entity_t relation) const {
  const auto set = set_from(source, relation);
  return {set->list().begin(), set->list().end()};
}

std::vector<entity_t> reach::reached_to(entity_t target, entity_t relation) const {
  const auto set = set_to(target, relation);
  return {set->list().begin(), set->list().end()};
}

bool reach::leads(entity_t source, entity_t relation, entity_t target) const {
  if (is_forest(relation))
    if (const auto known = leads_in_forest(source, relation, target)) return *known;
  return leads_by_sets(source, relation, target);
}

// --- forests -------------------------------------------------------------------------------------

bool reach::is_forest(entity_t relation) const {
  const std::uint32_t flags = g_.traits.of(index_of(relation));
  return flags & trait::exclusive && kinds_with_pairs(relation).empty() && !is_inherited(relation);
}

bool reach::is_inherited(entity_t relation) const {
  if (!g_.inherit.hands_on(make_pair(relation, 0))) return false;
  forest& f = forest_of(relation);
  if (f.bases_version == g_.inherit.version()) return f.inherited;
  f.bases_version = g_.inherit.version();
  f.inherited = false;
  const id_record* base = g_.store.ids().first_of_relation(index_of(IsA));
  for (; base && !f.inherited; base = base->next_of_relation) {
    const entity_record& r = g_.store.entities().at_index(target_of(base->id));
    f.inherited = g_.store.is_used(*base) && !g_.store.pairs_of(r, index_of(relation)).empty();
  }
  return f.inherited;
}

reach::forest& reach::forest_of(entity_t relation) const {
  if (forests_.size() >= max_forests && !forests_.contains(relation)) forests_.clear();
  forest& f = forests_[relation];
  if (!f.log) f.log = log_reader(g_.store.logs().watch(make_pair(relation, 0)));
  return f;
}

void reach::catch_up(forest& f) const {
  if (!f.log.has_news()) return;
  bool holds = f.labelled && f.log.is_complete();
  for (entity_t e : holds ? f.log.news() : std::span<const entity_t>()) {
    const std::uint32_t index = index_of(e);
    // An entity without a label has no labelled entity below it: its change makes no label wrong.
    if (!f.labels.contains(index) || std::ranges::find(f.changed, index) != f.changed.end())
      continue;
    f.changed.push_back(index);
    holds = f.changed.size() <= max_changed;
    if (!holds) break;
  }
  f.log.catch_up();
  if (holds) return;
  f.labelled = false;
  f.changed.clear();
  f.labels.clear();
}

bool reach::is_untouched(const forest& f, const label& node) {
  return std::ranges::none_of(f.changed, [&](std::uint32_t index) {
    const auto top = f.labels.find(index);
    return top != f.labels.end() && top->second.first <= node.first &&
           node.first < top->second.last;
  });
}

std::optional<bool> reach::leads_in_forest(entity_t source, entity_t relation,
                                           entity_t target) const {
  forest& f = forest_of(relation);
  catch_up(f);
  if (f.labelled) {
    const auto s = f.labels.find(index_of(source));
    if (s != f.labels.end() && is_untouched(f, s->second)) {
      const auto t = f.labels.find(index_of(target));
      return t != f.labels.end() && t->second.first < s->second.first &&
             s->second.first < t->second.last;
    }
  }

  const std::uint32_t r = index_of(relation);
  std::uint32_t here = index_of(source);
  for (std::size_t n = 1; n <= short_walk; ++n) {
    const entity_record& at = g_.store.entities().at_index(here);
    const auto pairs = g_.store.pairs_of(at, r);
    const bool ends = pairs.empty() || g_.store.is_off(at, pairs.front());
    if (!ends) here = target_of(pairs.front());
    if (!ends && here != index_of(target)) continue;
    steps_taken_ += n;
    count_walked(relation, n);
    return !ends;
  }
  steps_taken_ += short_walk;
  count_walked(relation, short_walk);
  return std::nullopt;
}

void reach::count_walked(entity_t relation, std::size_t steps) const {
  forest& f = forest_of(relation);
  f.walked += steps;
  const id_group* group = g_.store.ids().find_group(make_pair(relation, 0));
  const std::size_t edges = group ? group->pool_rows + group->table_uses : 0;
  // While the store is busy, a change may be in the log and not yet in the rows: labels made now
  // would miss it.
  const bool stale = !f.labelled || !f.changed.empty();
  if (stale && f.walked > 2 * edges + 64 && !g_.store.busy()) make_labels(f, relation);
}

void reach::make_labels(forest& f, entity_t relation) const {
  const std::uint32_t r = index_of(relation);
  // If memory ends in here, the relation has no labels.
  f.labelled = false;
  f.labels.clear();
  f.changed.clear();
  f.walked = 0;
  struct node {
    std::uint32_t index;
    bool left = false;  // all below it is labelled
  };
  std::vector<node> open;
  std::uint32_t next = 0;
  for (const id_record* record = g_.store.ids().first_of_relation(r); record;
       record = record->next_of_relation) {
    const std::uint32_t top = target_of(record->id);
    const entity_record& at = g_.store.entities().at_index(top);
    const auto up = g_.store.pairs_of(at, r);
    if (!up.empty() && !g_.store.is_off(at, up.front())) continue;
    open.push_back({top});
    while (!open.empty()) {
      const node here = open.back();
      if (here.left) {
        f.labels[here.index].last = next;
        open.pop_back();
        continue;
      }
      open.back().left = true;
      f.labels[here.index].first = next++;
      const id_t id = make_pair_of(r, here.index);
      if (const id_record* below = g_.store.ids().find(id))
        g_.store.each(*below, [&](entity_t child) {
          if (!g_.store.is_off(g_.alive(child), id)) open.push_back({index_of(child)});
        });
    }
  }
  f.labelled = true;
}

// --- what holds ----------------------------------------------------------------------------------

bool reach::related(entity_t source, entity_t relation, entity_t target) const {
  const std::uint32_t flags = g_.traits.of(index_of(relation));
  if (flags & trait::reflexive && source == target) return true;
  const entity_record& r = g_.alive(source);
  if (g_.inherit.is_visible(source, r, make_pair(relation, target))) return true;
  for (entity_t kind : kinds_with_pairs(relation))
    if (g_.inherit.is_visible(source, r, make_pair(kind, target))) return true;
  return flags & trait::transitive && leads(source, relation, target);
}

bool reach::related(entity_t e, entity_t predicate) const {
  const entity_record& r = g_.alive(e);
  if (g_.inherit.is_visible(e, r, predicate)) return true;
  const id_record* kinds = g_.store.ids().find(make_pair(IsA, predicate));
  if (!kinds || !g_.store.is_used(*kinds)) return false;
  for (id_t id : g_.inherit.visible_ids(e, r, Wildcard))
    if (g_.is_kind_of(id, predicate)) return true;
  return false;
}

reach::found& reach::found_for(entity_t relation, id_t id) const {
  const std::pair key{relation, id};
  if (answers_ > max_answers + 2 * g_.store.entities().size() ||
      (found_.size() >= max_found && !found_.contains(key))) {
    found_.clear();
    answers_ = 0;
  }
  found& known = found_[key];
  // The last of the three is null too if memory ended before all were there.
  if (!known.of_kinds) {
    known.of_relation = g_.store.logs().watch(make_pair(relation, 0));
    known.of_id = g_.store.logs().watch(group_key(id));
    known.of_kinds = g_.store.logs().watch(make_pair(IsA, 0));
  }
  // With these, pairs of other relations count too.
  const bool others = is_wildcard(index_of(relation)) || !kinds_with_pairs(relation).empty();
  const found::moment now{known.of_relation->end(), known.of_id->end(), known.of_kinds->end(),
                          g_.inherit.version(), others ? g_.store.version() : 0};
  // While the store is busy, a change may be in the logs and not yet in the rows: answers found now
  // are not kept.
  if (known.when == now && !g_.store.busy()) return known;
  answers_ -= known.first.size();
  known.first.clear();
  known.when = g_.store.busy() ? found::moment{} : now;
  return known;
}

entity_t reach::first_with(entity_t e, entity_t relation, id_t id) const {
  return *find_first(e, relation, id, true);
}

std::optional<entity_t> reach::first_on_way(entity_t e, entity_t relation, id_t id) const {
  return find_first(e, relation, id, false);
}

// `forks`: goes on past a fork.
std::optional<entity_t> reach::find_first(entity_t e, entity_t relation, id_t id,
                                          bool forks) const {
  found& known = found_for(relation, id);
  // While there is only one way to go, all entities on it have the same answer.
  std::vector<entity_t> way, open{e};
  bool forked = false;
  hash_map<entity_t, bool> seen;
  entity_t answer = 0;
  while (!open.empty()) {
    const entity_t here = open.back();
    open.pop_back();
    if (!seen.try_emplace(here, true).second) continue;
    const auto before = known.first.find(here);
    // Past a fork a remembered answer is not used: it may depend on entities that this search has
    // already visited, because on a cycle the way leads back to them.
    if (before != known.first.end() && !forked) {
      answer = before->second;
      if (answer) break;
      continue;
    }
    if (g_.inherit.is_visible(here, g_.alive(here), id)) {
      answer = here;
      if (!forked) way.push_back(here);
      break;
    }
    if (!forked) way.push_back(here);
    const std::vector<entity_t> next = steps(here, relation);
    forked |= next.size() > 1;
    if (forked && !forks) return std::nullopt;
    open.insert(open.end(), next.rbegin(), next.rend());
  }
  for (entity_t on : way) answers_ += known.first.insert_or_assign(on, answer).second;
  return answer;
}

}  // namespace kith::core
