// What holds: visible ids, steps along relations, reached entities.
#include <algorithm>

#include "model/naive_world.hpp"

namespace kith_model {

void naive_world::sort(std::vector<number>& list) const {
  std::sort(list.begin(), list.end(),
            [this](number a, number b) { return at(a).place < at(b).place; });
}

bool naive_world::is_on(number e, const naive_id& id) const {
  auto found = at(e).owned.find(id);
  return found != at(e).owned.end() && !found->second.off;
}

std::vector<number> naive_world::bases(number e) const {
  std::vector<number> found;
  for (const naive_id& pair : pairs_of(e, kith::IsA))
    if (is_on(e, pair)) found.push_back(pair.second);
  sort(found);
  return found;
}

std::vector<number> naive_world::lineage(number e) const {
  std::vector<number> all;
  std::set<number> seen;
  const std::function<void(number)> visit = [&](number here) {
    if (!seen.insert(here).second) return;
    all.push_back(here);
    for (number base : bases(here)) visit(base);
  };
  visit(e);
  return all;
}

number naive_world::owner(number e, const naive_id& id) const {
  if (owns(e, id)) return is_on(e, id) ? e : 0;
  if (bases(e).empty() || on_instantiate(id.first) == kith::DontInherit) return 0;
  if (id.is_pair() && is_exclusive(id.first)) {
    for (number each : lineage(e))
      if (!pairs_of(each, id.first).empty()) return is_on(each, id) ? each : 0;
    return 0;
  }
  std::set<number> seen;
  const std::function<number(number)> visit = [&](number here) -> number {
    if (!seen.insert(here).second) return 0;
    if (owns(here, id)) return is_on(here, id) ? here : 0;
    for (number base : bases(here))
      if (const number found = visit(base)) return found;
    return 0;
  };
  return visit(e);
}

std::set<naive_id> naive_world::visible(number e, const naive_id& pattern) const {
  std::set<naive_id> found;
  for (number each : lineage(e))
    for (const naive_id& id : matching(each, pattern))
      if (owner(e, id)) found.insert(id);
  return found;
}

bool naive_world::has(number e, const naive_id& pattern) const {
  return is_pattern(pattern) ? !visible(e, pattern).empty() : owner(e, pattern) != 0;
}

std::vector<number> naive_world::targets(number e, number relation) const {
  std::vector<number> found;
  for (const naive_id& pair : visible(e, {relation, kith::Wildcard})) found.push_back(pair.second);
  sort(found);
  return found;
}

std::set<number> naive_world::kinds(number e) const {
  std::set<number> found;
  const std::function<void(number)> collect = [&](number base) {
    for (const auto& [kind, entity] : entities_)
      if (is_on(kind, {kith::IsA, base}) && found.insert(kind).second) collect(kind);
  };
  collect(e);
  return found;
}

std::vector<number> naive_world::steps(number e, number relation) const {
  std::set<number> relations = kinds(relation), found;
  relations.insert(relation);
  for (number each : relations)
    for (number target : targets(e, each)) found.insert(target);
  std::vector<number> list(found.begin(), found.end());
  sort(list);
  return list;
}

std::vector<number> naive_world::steps_to(number e, number relation) const {
  std::set<number> relations = kinds(relation), found;
  relations.insert(relation);
  for (const auto& [source, entity] : entities_)
    for (number each : relations)
      if (owner(source, {each, e})) found.insert(source);
  std::vector<number> list(found.begin(), found.end());
  sort(list);
  return list;
}

namespace {

std::vector<number> closure(number start, const std::function<std::vector<number>(number)>& step) {
  std::vector<number> all;
  std::set<number> seen;
  const auto go = [&](number from) {
    for (number to : step(from))
      if (seen.insert(to).second) all.push_back(to);
  };
  go(start);
  for (std::size_t i = 0; i < all.size(); ++i) go(all[i]);
  return all;
}

}  // namespace

std::vector<number> naive_world::reached(number e, number relation) const {
  return closure(e, [&](number from) { return steps(from, relation); });
}

std::vector<number> naive_world::reached_by(number e, number relation) const {
  return closure(e, [&](number to) { return steps_to(to, relation); });
}

bool naive_world::related(number e, number relation, number target) const {
  if (has_trait(relation, kith::Reflexive) && e == target) return true;
  const std::vector<number> ends =
      has_trait(relation, kith::Transitive) ? reached(e, relation) : steps(e, relation);
  return std::find(ends.begin(), ends.end(), target) != ends.end();
}

bool naive_world::related(number e, number predicate) const {
  if (has(e, {predicate})) return true;
  for (number kind : kinds(predicate))
    if (has(e, {kind})) return true;
  return false;
}

number naive_world::target_for(number e, number relation, const naive_id& id) const {
  // What is inherited is visible on every kind, and one base owns it.
  if (relation == kith::IsA && has(e, id)) return owns(e, id) ? e : owner(e, id);
  std::set<number> seen;
  const std::function<number(number)> visit = [&](number here) -> number {
    if (!seen.insert(here).second) return 0;
    if (has(here, id)) return here;
    for (number next : steps(here, relation))
      if (const number found = visit(next)) return found;
    return 0;
  };
  return visit(e);
}

int naive_world::first_value(number e, const naive_id& id) const {
  const number from = owns(e, id) ? e : owner(e, id);
  return from ? at(from).owned.at(id).value.value_or(0) : 0;
}

}  // namespace kith_model
