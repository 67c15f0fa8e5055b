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

std::vector<entity_t> meaning::walk_from(entity_t start, const checked_walk& w) {
  const std::size_t everybody = g_.store.entities().size();
  if (w.min > everybody) return walk_around(start, w);
  // An entity that a walk of `min` steps or more reaches is reached within `min` + all entities.
  const bool endless_walk = w.max >= std::uint64_t{w.min} + everybody;
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
  std::vector<entity_t> found;
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
      if (fresh)
        found.push_back(e);
      else if (endless_walk || depth >= known->second)
        continue;
      if (depth == w.max) known.value() = std::min(known->second, depth);
    }
    if (depth < w.max) way.push_back({e, step(e, w)});
  }
  return found;
}

// A walk of more steps than there are entities has gone around. Those reached by a number of steps
// lead to those reached by one more, so once a set comes up again, so do all after it, and whole
// rounds are left out. With the rounds goes the way on which each was reached: they come by steps,
// then ascending.
std::vector<entity_t> meaning::walk_around(entity_t start, const checked_walk& w) const {
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
  std::vector<entity_t> found;
  hash_map<entity_t, bool> listed;
  // What is reached later is reached within as many steps as there are entities.
  const std::uint64_t last = std::min<std::uint64_t>(w.max, w.min + g_.store.entities().size());
  for (;; go_on()) {
    for (entity_t e : here)
      if (listed.try_emplace(e, true).second) found.push_back(e);
    if (steps == last || here.empty()) return found;
  }
}

std::span<const entity_t> meaning::reached(entity_t e, const checked_walk& w) {
  if (!alive(w.relation)) return {};
  const walk_key key{e, w.relation, w.min, w.max, w.direction};
  const auto known = walks_.find(key);
  if (known != walks_.end()) return known->second;
  std::vector<entity_t> found = walk_from(e, w);
  return walks_.try_emplace(key, std::move(found)).first->second;
}

std::shared_ptr<const meaning::closure> meaning::closure_of(entity_t relation, entity_t target) {
  const depth_key key{target, relation};
  if (const auto known = closures_.find(key); known != closures_.end()) return known->second;
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
  closures_[key] = made;
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
  for (const checked_walk& w : r.walks)
    for (entity_t other : reached(e, w)) {
      if ((self && other == e) || (only && other != only)) continue;
      if (r.walks.size() == 1 || seen.try_emplace(other, true).second) out.push_back(other);
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
  const auto known = depths_.find({e, relation});
  if (known != depths_.end()) return known->second;
  std::vector<place> way;
  const auto enter = [&](entity_t at) {
    depths_[{at, relation}] = open;
    way.push_back({at, reach_.steps(at, relation)});
  };
  // Entities that stay open where memory ends would count as being on a cycle.
  scope_exit undo([&] { depths_.clear(); });
  enter(e);
  std::uint32_t result = 0;
  while (!way.empty()) {
    place& here = way.back();
    if (here.at == here.next.size() || here.depth == endless) {
      depths_[{here.entity, relation}] = result = here.depth;
      way.pop_back();
      if (!way.empty() && way.back().depth != endless)
        way.back().depth = result == endless ? endless : std::max(way.back().depth, result + 1);
      continue;
    }
    const entity_t next = here.next[here.at++];
    const auto found = depths_.find({next, relation});
    if (found == depths_.end())
      enter(next);
    else if (found->second == open || found->second == endless)
      here.depth = endless;
    else
      here.depth = std::max(here.depth, found->second + 1);
  }
  undo.dismiss();
  return result;
}

}  // namespace kith::core
