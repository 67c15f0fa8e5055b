// Walks along relations: what is reached, what closes, how deep something is.
#include <algorithm>

#include <kith/detail/builtins.hpp>

#include "base/scope_exit.hpp"
#include "query/exec/meaning.hpp"

namespace kith::core {

std::vector<entity_t> meaning::step(entity_t e, const checked_walk& w) const {
  return w.direction == walk::way::up ? reach_.steps(e, w.relation)
                                      : reach_.steps_to(e, w.relation);
}

// An entity that a walk of `min` steps or more reaches is reached within `min` + all entities.
bool meaning::is_endless(const checked_walk& w) const {
  return w.max >= std::uint64_t{w.min} + g_.store.entities().size();
}

std::vector<entity_t> meaning::walk_from(entity_t start, const checked_walk& w) const {
  std::vector<entity_t> found;
  walk_from(start, w, [&](entity_t e) {
    found.push_back(e);
    return true;
  });
  return found;
}

void meaning::walk_from(entity_t start, const checked_walk& w, const entity_test& visit) const {
  if (w.min > g_.store.entities().size()) return walk_around(start, w, visit);
  const bool endless_walk = is_endless(w);
  if (endless_walk && w.min == 1) return walk_on(start, w, visit);
  struct place {
    entity_t entity;
    std::vector<entity_t> next;
    std::size_t at = 0;
  };
  struct seen_key {
    entity_t entity;
    std::uint32_t depth;
    bool operator==(const seen_key&) const = default;
  };
  struct seen_hash {
    std::size_t operator()(const seen_key& k) const { return mix(mix(k.entity) + k.depth); }
  };
  hash_map<seen_key, bool, seen_hash> seen;  // with less than `min` steps
  // From `min` steps on, an entity that is reached by fewer steps leads further. So this has, for
  // each entity that the walk has left, the fewest steps it was left with; all that lies beyond is
  // found then. An entity that is still on the way finds it later, unless the walk is endless.
  constexpr std::uint32_t on_the_way = ~std::uint32_t{0};
  hash_map<entity_t, std::uint32_t> fewest;
  std::vector<place> way{{start, step(start, w)}};
  while (!way.empty()) {
    place& here = way.back();
    if (here.at == here.next.size()) {
      const auto left_with = static_cast<std::uint32_t>(way.size() - 1);
      if (left_with >= w.min) {
        std::uint32_t& known = fewest[here.entity];
        known = std::min(known, left_with);
      }
      way.pop_back();
      continue;
    }
    const entity_t e = here.next[here.at++];
    const auto depth = static_cast<std::uint32_t>(way.size());
    if (depth < w.min) {
      if (!seen.try_emplace({e, depth}, true).second) continue;
    } else {
      const auto [known, fresh] = fewest.try_emplace(e, on_the_way);
      if (fresh) {
        if (!visit(e)) return;
      } else if (endless_walk || depth >= known->second) {
        continue;
      }
      if (depth == w.max) known.value() = std::min(known->second, depth);
    }
    if (depth < w.max) way.push_back({e, step(e, w)});
  }
}

// Without limits it does not matter by how many steps an entity is reached.
void meaning::walk_on(entity_t start, const checked_walk& w, const entity_test& visit) const {
  hash_set<entity_t, mixing_hash, std::equal_to<entity_t>> seen;
  std::vector<entity_t> open;
  const auto add_steps = [&](entity_t e) {
    const std::vector<entity_t> next = step(e, w);
    open.insert(open.end(), next.rbegin(), next.rend());
  };
  add_steps(start);
  while (!open.empty()) {
    const entity_t e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) continue;
    if (!visit(e)) return;
    add_steps(e);
  }
}

// A walk of more steps than there are entities has gone around. Those reached by a number of steps
// lead to those reached by one more, so once a set comes up again, so do all after it, and whole
// rounds are left out. With the rounds goes the way on which each was reached: they come by steps,
// then ascending.
void meaning::walk_around(entity_t start, const checked_walk& w, const entity_test& visit) const {
  std::vector<entity_t> here{start}, mark = here;
  std::uint64_t steps = 0, marked = 0, next_mark = 1;
  const auto go_on = [&] {
    std::vector<entity_t> next;
    for (entity_t e : here) {
      const std::vector<entity_t> targets = step(e, w);
      next.insert(next.end(), targets.begin(), targets.end());
    }
    sort_unique(next);
    here = std::move(next);
    ++steps;
  };
  while (steps < w.min) {
    go_on();
    if (here == mark) {
      const std::uint64_t round = steps - marked;
      steps += (w.min - steps) / round * round;
    } else if (steps == next_mark) {
      mark = here;
      marked = steps;
      next_mark *= 2;
    }
  }
  hash_map<entity_t, bool> listed;
  // What is reached later is reached within as many steps as there are entities.
  const std::uint64_t last = std::min<std::uint64_t>(w.max, w.min + g_.store.entities().size());
  for (;; go_on()) {
    for (entity_t e : here)
      if (listed.try_emplace(e, true).second && !visit(e)) return;
    if (steps == last || here.empty()) return;
  }
}

// --- what is remembered --------------------------------------------------------------------------

namespace {

bool is_unlimited(const checked_walk& w) { return w.min == 1 && w.max == walk::no_limit; }

}  // namespace

meaning::relation_memory& meaning::memory_of(entity_t relation) {
  if (const auto known = relations_.find(relation); known != relations_.end()) return known.value();
  if (relations_.size() >= max_relations) relations_.clear();
  relation_memory& made = relations_[relation];
  made.when = reach_.mark_steps(relation);
  return made;
}

void meaning::hold(std::size_t members) {
  if (held_ + members > max_held + 4 * g_.store.entities().size()) {
    relations_.clear();
    walks_.clear();
    reached_sets_.clear();
    held_ = 0;
  }
  held_ += members;
}

std::span<const entity_t> meaning::reached(entity_t e, const checked_walk& w) {
  if (!alive(w.relation)) return {};
  const walk_key key{e, w.relation, w.min, w.max, w.direction};
  const bool up = w.direction == walk::way::up;
  if (!is_unlimited(w)) {
    if (const auto known = walks_.find(key); known != walks_.end()) return known->second;
    std::vector<entity_t> found = walk_from(e, w);
    hold(found.size() + 1);
    return walks_.try_emplace(key, std::move(found)).first->second;
  }
  relation_memory& memory = memory_of(w.relation);
  const auto& lists = up ? memory.up : memory.down;
  if (const auto known = lists.find(e); known != lists.end()) return known->second;
  std::vector<entity_t> found = walk_from(e, w);
  hold(found.size() + 1);
  relation_memory& kept = memory_of(w.relation);
  return (up ? kept.up : kept.down).try_emplace(e, std::move(found)).first->second;
}

const hash_map<entity_t, bool>& meaning::reached_set(entity_t e, const checked_walk& w) {
  const walk_key key{e, w.relation, w.min, w.max, w.direction};
  if (const auto known = reached_sets_.find(key); known != reached_sets_.end())
    return *known->second;
  auto set = std::make_unique<hash_map<entity_t, bool>>();
  for (entity_t other : reached(e, w)) set->try_emplace(other, true);
  hold(set->size() + 1);
  return *reached_sets_.try_emplace(key, std::move(set)).first->second;
}

bool meaning::reaches(entity_t from, const checked_walk& w, entity_t to) {
  if (!alive(w.relation) || !alive(from) || !alive(to)) return false;
  if (!is_unlimited(w)) return reached_set(from, w).contains(to);
  return w.direction == walk::way::up ? reach_.leads(from, w.relation, to)
                                      : reach_.leads(to, w.relation, from);
}

void meaning::add_reached(std::span<const entity_t> from, const checked_walk& w,
                          std::vector<entity_t>& out) {
  if (!alive(w.relation)) return;
  // A copy: `from` may be a part of `out`.
  std::vector<entity_t> here(from.begin(), from.end());
  if (here.size() < 2 || w.min > walk_marks::most_steps) {
    for (entity_t start : here)
      for (entity_t e : reached(start, w)) out.push_back(e);
    return;
  }
  // Those that some walk of so many steps leads to; beyond the least number, those that no shorter
  // one does.
  hash_map<entity_t, bool> seen;
  std::vector<entity_t> next;
  for (std::uint64_t steps = 1; steps <= w.max && !here.empty(); ++steps) {
    if (steps <= w.min) seen.clear();
    next.clear();
    for (entity_t e : here)
      for (entity_t to : step(e, w))
        if (seen.try_emplace(to, true).second) next.push_back(to);
    here.swap(next);
    if (steps >= w.min) out.insert(out.end(), here.begin(), here.end());
  }
}

void meaning::sort_by_rank(std::vector<id_t>& pairs, entity_t first, const checked_walk& w,
                           entity_t start) {
  if (pairs.size() < 2) return;
  const walk_key key{start, w.relation, w.min, w.max, w.direction};
  auto known = std::ranges::find(rankings_, key, &ranking::walk);
  if (known == rankings_.end()) {
    ranking made{key, {}};
    for (entity_t e : reached(start, w))
      made.place.try_emplace(e, static_cast<std::ptrdiff_t>(made.place.size()));
    if (rankings_.size() == max_rankings) rankings_.pop_back();
    known = rankings_.insert(rankings_.begin(), std::move(made));
  }
  std::rotate(rankings_.begin(), known, known + 1);
  std::ranges::sort(pairs, {}, [&](id_t pair) {
    const entity_t to = is_pair(pair) ? g_.store.entities().alive_at(target_of(pair)) : pair;
    const auto place = rankings_.front().place.find(to);
    return to == first || place == rankings_.front().place.end() ? -1 : place->second;
  });
}

std::shared_ptr<const meaning::closure> meaning::closure_of(entity_t relation, entity_t target) {
  const auto& all = memory_of(relation).closures;
  if (const auto known = all.find(target); known != all.end()) return known->second;
  auto made = std::make_shared<closure>();
  const auto kinds = with_kinds(relation);
  made->relations.assign(kinds.begin(), kinds.end());
  const auto add = [&](entity_t to) {
    if (!made->targets.try_emplace(index_of(to), true).second) return;
    for (entity_t kind : kinds) {
      const id_record* pair = g_.store.ids().find(make_pair(kind, to));
      if (!pair || !g_.store.count(*pair)) continue;
      made->pairs.push_back(pair);
      made->rows += static_cast<double>(g_.store.count(*pair));
    }
  };
  add(target);
  for (entity_t to : reached(target, {walk::way::down, relation, 1, walk::no_limit})) add(to);
  hold(made->targets.size() + 1);
  memory_of(relation).closures[target] = made;
  return made;
}

void meaning::stand_for(const checked_ref& r, const slot_values& values,
                        std::vector<entity_t>& out) {
  const entity_t e = value_of(r, values);
  if (!e) return;
  const entity_t only = r.all == no_slot ? 0 : values[r.all];
  const bool self = !r.flagged || r.self;
  if (self && (!only || e == only)) out.push_back(e);
  // One walk reaches each entity once; several may meet.
  hash_map<entity_t, bool> seen;
  const auto add = [&](entity_t other) {
    if (self && other == e) return;
    if (r.walks.size() == 1 || seen.try_emplace(other, true).second) out.push_back(other);
  };
  for (const checked_walk& w : r.walks) {
    if (only && reaches(e, w, only)) add(only);
    if (!only) std::ranges::for_each(reached(e, w), add);
  }
}

std::uint32_t meaning::depth(entity_t e, entity_t relation) {
  if (!alive(relation)) return 0;
  // Depth first; an entity that is met again before it is done is on a cycle.
  constexpr std::uint32_t open = endless - 1;
  struct place {
    entity_t entity;
    std::vector<entity_t> next;
    std::size_t at = 0;
    std::uint32_t depth = 0;
  };
  auto& depths = memory_of(relation).depths;
  const auto known = depths.find(e);
  if (known != depths.end()) return known->second;
  std::vector<place> way;
  const auto enter = [&](entity_t at) {
    depths[at] = open;
    way.push_back({at, reach_.steps(at, relation)});
  };
  // Entities that stay open where memory ends would count as being on a cycle.
  scope_exit undo([&] { depths.clear(); });
  enter(e);
  std::uint32_t result = 0;
  while (!way.empty()) {
    place& here = way.back();
    if (here.at == here.next.size() || here.depth == endless) {
      depths[here.entity] = result = here.depth;
      way.pop_back();
      if (!way.empty() && way.back().depth != endless)
        way.back().depth = result == endless ? endless : std::max(way.back().depth, result + 1);
      continue;
    }
    const entity_t next = here.next[here.at++];
    const auto found = depths.find(next);
    if (found == depths.end())
      enter(next);
    else if (found->second == open || found->second == endless)
      here.depth = endless;
    else
      here.depth = std::max(here.depth, found->second + 1);
  }
  undo.dismiss();
  return result;
}

std::uint32_t meaning::place_in_order(const checked_query& q, const slot_values& values) {
  const entity_t e = value_of(q.ordered_by, values);
  // What leads into a cycle comes last either way, and after that what has no depth at all.
  constexpr std::uint32_t on_cycle = endless - 1;
  if (!e) return endless;
  const std::uint32_t found = depth(e, q.order_relation);
  if (found == endless) return on_cycle;
  return q.descending ? on_cycle - 1 - found : found;
}

}  // namespace kith::core
