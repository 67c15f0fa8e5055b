#include "oracle/facts.hpp"

#include <algorithm>
#include <functional>

namespace kith_oracle {

const owned_id* facts::find_owned(entity_t e, const id& i) const {
  const auto ids = world_.owned.find(e);
  if (ids == world_.owned.end()) return nullptr;
  for (const owned_id& o : ids->second)
    if (o.id == i) return &o;
  return nullptr;
}

// "the traits of an id" are not inherited, and "a switched-off id is owned, not visible".
bool facts::has_trait(entity_t e, entity_t trait) const {
  const owned_id* o = find_owned(e, {trait, 0});
  return o && o->on;
}

// "Union has the effects of Exclusive and DontFragment; the relation owns Union alone."
bool facts::is_exclusive(entity_t relation) const {
  return has_trait(relation, kith::Exclusive) || has_trait(relation, kith::Union);
}

// "ids whose predicate is `(OnInstantiate, DontInherit)` (ChildOf, IsA, Prefab, Disabled, and the
// traits of an id are such)"
bool facts::is_dont_inherit(const id& i) const {
  if (is_builtin(i.first)) return true;
  const owned_id* o = find_owned(i.first, {kith::OnInstantiate, kith::DontInherit});
  return o && o->on;
}

// "each b that e IsA", "bases in ascending id order"
std::vector<entity_t> facts::bases(entity_t e) const {
  std::vector<entity_t> result;
  for (const owned_id& o : world_.owned.at(e))
    if (o.on && o.id.first == kith::IsA && o.id.is_pair()) result.push_back(o.id.second);
  return result;
}

// "A kind of X is an entity that IsA X, directly or through others; a Final entity has no kinds,
// and built-in ids are Final."
const std::vector<entity_t>& facts::self_and_kinds(entity_t x) {
  const auto known = kinds_.find(x);
  if (known != kinds_.end()) return known->second;
  std::vector<entity_t> result;
  const std::function<void(entity_t)> visit = [&](entity_t kind) {
    if (std::count(result.begin(), result.end(), kind)) return;
    result.push_back(kind);
    if (is_builtin(kind) || has_trait(kind, kith::Final)) return;
    for (entity_t e : world_.entities) {
      const std::vector<entity_t> of = bases(e);
      if (std::count(of.begin(), of.end(), kind)) visit(e);
    }
  };
  visit(x);
  return kinds_[x] = std::move(result);
}

const std::vector<found_id>& facts::owned(entity_t e) {
  const auto known = owned_.find(e);
  if (known != owned_.end()) return known->second;
  std::vector<found_id> result;
  for (const owned_id& o : world_.owned.at(e)) result.push_back({e, o.id});
  return owned_[e] = std::move(result);
}

const std::vector<found_id>& facts::visible(entity_t e) {
  const auto known = visible_.find(e);
  if (known != visible_.end()) return known->second;
  std::vector<found_id> result;
  find_visible(e, result);
  return visible_[e] = std::move(result);
}

// "visible(e) = owned(e), plus visible(b) for each b that e IsA, less ids whose predicate is
// `(OnInstantiate, DontInherit)`": the entity an id comes from, self first, then depth-first.
// "A switched-off id is owned, not visible, and hides an inherited one."
entity_t facts::owner_of(entity_t e, const id& i, std::set<entity_t>& seen) const {
  if (!seen.insert(e).second) return 0;
  if (const owned_id* o = find_owned(e, i)) return o->on ? e : 0;
  for (entity_t b : bases(e))
    if (const entity_t owner = owner_of(b, i, seen)) return owner;
  return 0;
}

entity_t facts::first_owner_of_relation(const std::vector<entity_t>& lineage,
                                        entity_t relation) const {
  for (entity_t e : lineage)
    for (const owned_id& o : world_.owned.at(e))
      if (o.id.is_pair() && o.id.first == relation) return e;
  return 0;
}

void facts::find_visible(entity_t e, std::vector<found_id>& result) {
  // Self, then depth-first along IsA.
  std::vector<entity_t> lineage;
  const std::function<void(entity_t)> visit = [&](entity_t b) {
    if (std::count(lineage.begin(), lineage.end(), b)) return;
    lineage.push_back(b);
    for (entity_t base : bases(b)) visit(base);
  };
  visit(e);

  std::set<id> done;
  for (entity_t from : lineage)
    for (const owned_id& o : world_.owned.at(from)) {
      if (from != e && is_dont_inherit(o.id)) continue;
      if (done.contains(o.id)) continue;
      std::set<entity_t> seen;
      if (owner_of(e, o.id, seen) != from) continue;
      done.insert(o.id);
      // "Of an Exclusive R at most one target is visible: that of the first entity that owns one"
      if (o.id.is_pair() && is_exclusive(o.id.first) && from != e &&
          first_owner_of_relation(lineage, o.id.first) != from)
        continue;
      result.push_back({from, o.id});
    }
}

// "One step along R leads from s to T when (R', T) is in visible(s) for R' = R or a kind of R"
const std::vector<entity_t>& facts::next(entity_t relation, entity_t e, bool up) {
  const auto key = std::tuple(relation, e, up);
  const auto known = next_.find(key);
  if (known != next_.end()) return known->second;
  std::vector<entity_t> result;
  if (up) {
    for (const found_id& f : visible(e))
      if (f.id.is_pair() && is_kind_of_relation(f.id.first, relation))
        result.push_back(f.id.second);
  } else {
    for (entity_t s : world_.entities) {
      const std::vector<entity_t>& targets = next(relation, s, true);
      if (std::count(targets.begin(), targets.end(), e)) result.push_back(s);
    }
  }
  std::sort(result.begin(), result.end(), comes_before);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return next_[key] = std::move(result);
}

bool facts::is_kind_of_relation(entity_t r, entity_t relation) {
  const std::vector<entity_t>& kinds = self_and_kinds(relation);
  return std::count(kinds.begin(), kinds.end(), r) > 0;
}

// "An entity is reached if some walk of min to max steps leads to it; on a cycle that includes the
// start." "depth-first, targets in ascending id order"
//
// Walks from one entity with the same number of steps behind them go on alike, so each such state
// is looked at once; beyond `min` without a `max` the number of steps no longer matters.
const std::vector<entity_t>& facts::reached(entity_t e, const step_walk& walk) {
  const auto key = std::pair(e, walk);
  const auto known = reached_.find(key);
  if (known != reached_.end()) return known->second;
  const bool limited = walk.max != 0xffff'ffff;
  std::vector<entity_t> result;
  std::set<std::pair<entity_t, std::uint32_t>> seen;
  const std::function<void(entity_t, std::uint32_t)> go_on = [&](entity_t at, std::uint32_t steps) {
    if (limited && steps >= walk.max) return;
    for (entity_t to : next(walk.relation, at, walk.up)) {
      const std::uint32_t behind = limited ? steps + 1 : std::min(steps + 1, walk.min);
      if (!seen.insert({to, behind}).second) continue;
      if (behind >= walk.min && !std::count(result.begin(), result.end(), to)) result.push_back(to);
      go_on(to, behind);
    }
  };
  go_on(e, 0);
  return reached_[key] = std::move(result);
}

// "If R is Transitive: or (R', T') is in visible(s) and R(T', T) holds."
const std::vector<entity_t>& facts::targets_meant(entity_t relation, entity_t target) {
  const auto key = std::pair(relation, target);
  const auto known = meant_.find(key);
  if (known != meant_.end()) return known->second;
  std::vector<entity_t> result{target};
  if (has_trait(relation, kith::Transitive))
    for (entity_t t : reached(target, {false, relation, 1, 0xffff'ffff}))
      if (t != target) result.push_back(t);
  return meant_[key] = std::move(result);
}

// "depth being the longest way to a root; entities on a cycle or leading into one come last"
std::optional<int> facts::depth(entity_t relation, entity_t e) {
  std::vector<entity_t> way;
  const std::function<std::optional<int>(entity_t)> measure =
      [&](entity_t at) -> std::optional<int> {
    if (std::count(way.begin(), way.end(), at)) return {};
    way.push_back(at);
    int longest = 0;
    for (entity_t to : next(relation, at, true)) {
      const std::optional<int> rest = measure(to);
      if (!rest) return {};
      longest = std::max(longest, 1 + *rest);
    }
    way.pop_back();
    return longest;
  };
  return measure(e);
}

}  // namespace kith_oracle
