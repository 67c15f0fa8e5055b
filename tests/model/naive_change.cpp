#include "model/naive_change.hpp"

#include <algorithm>

namespace kith_model {

using kith::errc;

void naive_change::include(number e, const naive_id& id, const wanted& how) {
  if (is_pattern(id)) return refuse();
  if (after_.owns(e, id)) return;
  refuse(after_.misuse(e, id));
  if (id.is_pair() && after_.is_exclusive(id.first))
    for (const naive_id& old : after_.pairs_of(e, id.first))
      added_.contains({e, old}) ? refuse() : exclude(e, old);
  const std::optional<int> value = value_for(e, id, how);
  after_.entities_.at(e).owned[id] = {value, false};
  added_.insert({e, id});
  additions_.push_back({{e, id}, how});
}

void naive_change::exclude(number e, const naive_id& id) {
  if (!after_.owns(e, id)) return;
  if (id == naive_id{kith::Component}) refuse();
  if (is_builtin(e) && (is_trait(id) || before_.born_with_.at(e).contains(id))) refuse();
  after_.entities_.at(e).owned.erase(id);
  removed_.insert({e, id});
  if (id.is_pair() && before_.has_trait(id.first, kith::Symmetric))
    exclude(id.second, {id.first, e});
}

std::optional<int> naive_change::value_for(number e, const naive_id& id, const wanted& how) {
  const std::optional<kind> k = after_.kind_of(id);
  if (!k) return std::nullopt;
  if (how.value) return how.value;
  const bool is_new = !before_.is_alive(e) || before_.owns(e, id);
  const number from = how.copy_of ? how.copy_of : is_new ? 0 : before_.owner(e, id);
  if (from ? !can_copy(*k) : !has_default(*k)) wrong_.insert(errc::type);
  return from ? before_.at(from).owned.at(id).value : 0;
}

faults naive_change::finish() {
  for (std::size_t i = 0; i < additions_.size(); ++i) {
    const addition a = additions_[i];
    follow(a.where.e, a.where.id, a.how);
  }
  settle_names();
  settle_order();
  check_traits();
  check_prefabs();
  check_targets_stay();
  if (wrong_.empty()) world_ = std::move(after_);
  return wrong_;
}

// --- consequences --------------------------------------------------------------------------------

void naive_change::follow(number e, const naive_id& id, const wanted& how) {
  if (id == naive_id{kith::Component} && !how.value) refuse();
  for (number more : after_.told(id.first, kith::With)) include(e, {more, id.second});
  if (!id.is_pair()) return follow_plain(e, id.first);
  const auto [relation, target] = id;
  if (after_.has_trait(relation, kith::Symmetric)) include(target, {relation, e});
  if (relation == kith::IsA) become_kind_of(e, target, how);
  if (relation == kith::ChildOf) {
    if (is_builtin(e)) refuse();
    if (after_.owns(target, {kith::Prefab})) include(e, {kith::Prefab});
  }
}

void naive_change::follow_plain(number e, number id) {
  if (id == kith::Final) exclude(e, {kith::Inheritable});
  if (id == kith::Inheritable) exclude(e, {kith::Final});
  if (id == kith::Symmetric) mirror_all(e);
  if (id == kith::Prefab)
    for (number child : after_.children(e)) include(child, {kith::Prefab});
}

// When a relation becomes Symmetric, missing pairs are added and none is removed.
void naive_change::mirror_all(number relation) {
  std::map<number, std::set<number>> targets;
  for (const auto& [e, entity] : after_.entities_) {
    for (const naive_id& pair : after_.pairs_of(e, relation)) {
      targets[e].insert(pair.second);
      targets[pair.second].insert(e);
    }
  }
  for (const auto& [e, all] : targets)
    if (all.size() > 1 && after_.is_exclusive(relation)) return refuse();
  for (const auto& [e, all] : targets)
    for (number target : all) include(e, {relation, target});
}

void naive_change::become_kind_of(number e, number base, const wanted& how) {
  if (is_builtin(base) || after_.has_trait(base, kith::Final)) return refuse();
  if (how.overrides) {
    std::set<naive_id> shown = before_.visible(base, {kith::Wildcard});
    shown.merge(before_.visible(base, {kith::Wildcard, kith::Wildcard}));
    for (const naive_id& id : shown) {
      const bool taken =
          id.is_pair() && after_.is_exclusive(id.first) && !after_.pairs_of(e, id.first).empty();
      if (before_.on_instantiate(id.first) == kith::Override && !taken)
        include(e, id, {.copy_of = before_.owner(base, id)});
    }
  }
  if (how.instantiates && before_.owns(base, {kith::Prefab})) copy_children(base, e);
}

void naive_change::copy_children(number original, number copy) {
  for (number child : before_.children(original)) {
    const number counterpart = make();
    after_.entities_.at(counterpart).name = before_.at(child).name;
    include(counterpart, {kith::ChildOf, copy});
    include(counterpart, {kith::IsA, child}, {.instantiates = false});
    copy_children(child, counterpart);
  }
}

// --- the outcome ---------------------------------------------------------------------------------

void naive_change::settle_names() {
  std::set<number> moved;
  for (const std::set<place>* places : {&added_, &removed_})
    for (const auto& [e, id] : *places)
      if (id.is_pair() && id.first == kith::ChildOf) moved.insert(e);
  for (number e : moved) after_.entities_.at(e).named_under = after_.parent(e);
  for (number e : moved) {
    const naive_entity& entity = after_.at(e);
    for (const auto& [other, its] : after_.entities_)
      if (other != e && !entity.name.empty() && its.name == entity.name &&
          its.named_under == entity.named_under)
        refuse();
  }
}

// A target of a OneOf relation must stay a child of the entity that the relation names.
void naive_change::check_targets_stay() {
  for (const auto& [target, id] : removed_) {
    if (!id.is_pair() || id.first != kith::ChildOf) continue;
    const number left = id.second;
    for (const auto& [e, entity] : before_.entities_)
      for (const auto& [pair, held] : entity.owned) {
        if (!pair.is_pair() || pair.second != target) continue;
        if (!after_.owns(e, pair) || removed_.contains({e, pair})) continue;
        const std::set<number> parents = after_.told(pair.first, kith::OneOf);
        const bool is_own_child = pair.first == left && after_.owns(pair.first, {kith::OneOf});
        if (parents.contains(left) || is_own_child) refuse();
      }
  }
}

void naive_change::settle_order() {
  std::map<number, naive_entity>& all = after_.entities_;
  for (const auto& [e, id] : removed_) {
    if (id == naive_id{kith::OrderedChildren}) {
      all.at(e).order.clear();
      all.at(e).order_is_open = false;
    }
    if (id.is_pair() && id.first == kith::ChildOf) std::erase(all.at(id.second).order, e);
  }
  std::map<number, int> joined;
  for (const addition& a : additions_) {
    const auto& [e, id] = a.where;
    if (!id.is_pair() || id.first != kith::ChildOf || !after_.owns(e, id)) continue;
    if (!after_.has_trait(id.second, kith::OrderedChildren)) continue;
    all.at(id.second).order.push_back(e);
    if (++joined[id.second] > 1) all.at(id.second).order_is_open = true;
  }
  for (const auto& [e, id] : added_) {
    if (id != naive_id{kith::OrderedChildren}) continue;
    all.at(e).order.clear();
    for (const auto& [child, entity] : all)
      if (after_.parent(child) == e) all.at(e).order.push_back(child);
    all.at(e).order_is_open = true;
  }
}

void naive_change::check_traits() {
  for (const auto& [e, id] : added_) {
    if (is_trait(id)) refuse(after_.contradiction(e, id));
    if (id.is_pair() && after_.has_trait(id.first, kith::Acyclic) &&
        after_.leads(id.second, e, id.first))
      refuse();
  }
  for (const auto& [e, id] : removed_)
    if (id == naive_id{kith::PairIsTag}) refuse(after_.contradiction(e, id));
}

// A child of a Prefab is a Prefab.
void naive_change::check_prefabs() {
  for (const auto& [e, id] : removed_) {
    const number parent = after_.parent(e);
    if (id == naive_id{kith::Prefab} && parent && after_.owns(parent, {kith::Prefab})) refuse();
  }
}

}  // namespace kith_model
