// Steps with traits, bases, prefabs, orders and reach.
#include <algorithm>

#include "model/player.hpp"

namespace kith_model {

namespace {

// Includes built-in entities. An instance of a prefab can double the number of entities.
constexpr std::size_t max_with_instances = 100;

// Common traits appear several times; traits that forbid much appear rarely.
constexpr number given_traits[] = {
    kith::Exclusive,    kith::Exclusive,       kith::Acyclic,         kith::PairIsTag,
    kith::Transitive,   kith::Transitive,      kith::Reflexive,       kith::Symmetric,
    kith::Symmetric,    kith::Final,           kith::Inheritable,     kith::OneOf,
    kith::Target,       kith::OrderedChildren, kith::Trait,           kith::Singleton,
    kith::Relationship, kith::CanToggle,       kith::OrderedChildren, kith::Traversable};
constexpr number pins[] = {kith::Fragment, kith::DontFragment, kith::Sparse, kith::Union};

template <std::size_t N>
number nth(const number (&list)[N], int n) {
  return list[static_cast<std::size_t>(n) % N];
}

}  // namespace

number player::trait_bearer(int pick) {
  const int how = pick % 8;
  if (how == 0) return type_entity(static_cast<kind>(pick / 8 % typed_kinds));
  if (how == 1) return any_entity(pick / 8);
  return common_entity(pick / 8);
}

void player::give_trait() {
  const int which = o_.first / 8;
  // Traits of a built-in entity can stay until the end, so it gets only traits that forbid nothing.
  if (o_.who % 64 == 0) return add(o_.value % 2 ? kith::IsA : kith::ChildOf, {kith::Reflexive});
  const number e = trait_bearer(o_.who);
  if (is_builtin(e)) return add(e, {kith::Traversable});
  constexpr number deletions[] = {kith::Remove, kith::Delete, kith::Panic, kith::Delete};
  constexpr number instances[] = {kith::Override, kith::Inherit, kith::DontInherit, kith::Override};
  if (!common_entity(o_.second)) return;
  switch (o_.first % 8) {
    case 0:
      return add(e, {kith::With, common_entity(o_.second)});
    case 1:
      return add(e, {kith::OneOf, living_entity(o_.second)});
    case 2:
      return add(e, {kith::OnInstantiate, which % 16 == 15 && e ? e : nth(instances, o_.second)});
    case 3:
      return add(e, {which % 2 ? kith::OnDelete : kith::OnDeleteTarget,
                     which % 16 == 15 ? kith::Inherit : nth(deletions, o_.second)});
    default:
      return add(e, {nth(given_traits, which)});
  }
}

void player::take_trait() {
  const number e = trait_bearer(o_.who);
  if (!t_->model.is_alive(e)) return;
  std::vector<naive_id> traits;
  for (const auto& [id, held] : t_->model.at(e).owned)
    if (is_trait(id)) traits.push_back(id);
  if (!traits.empty()) remove(e, traits[static_cast<std::size_t>(o_.second) % traits.size()]);
}

// Pins the ids of an entity to a storage, or removes the pin.
void player::pin() {
  const number e = o_.who % 12 == 0 ? number{kith::IsA} : trait_bearer(o_.who);
  if (!t_->model.is_alive(e) || (is_builtin(e) && e != kith::IsA)) return;
  const int which = o_.first % 5;
  const bool keeps_others = o_.second % 4 == 0;
  if (!is_builtin(e) && !keeps_others)
    for (number each : pins)
      if (t_->model.owns(e, {each})) remove(e, {each});
  if (which == 3 && is_builtin(e)) return;
  if (which < 4) add(e, {pins[which]});
}

void player::is_a() {
  if (t_->model.size_when_done() >= max_with_instances) return destroy();
  const number e = o_.first % 3 == 0 ? common_entity(o_.who) : any_entity(o_.who);
  number base = 0;
  if (o_.first % 2) base = holder_of({kith::Prefab}, o_.second);
  if (!base) base = o_.first % 4 ? common_entity(o_.second) : any_entity(o_.second);
  if (!base) return;
  add(e, {kith::IsA, base});
}

void player::make_prefab() {
  const number prefab = holder_of({kith::Prefab}, o_.second);
  if (prefab && o_.first % 3)
    add(living_entity(o_.who), {kith::ChildOf, prefab});
  else
    add(living_entity(o_.who), {kith::Prefab});
}

void player::order_children() {
  const number ordered = holder_of({kith::OrderedChildren}, o_.who);
  const number e = ordered && o_.first % 8 ? ordered : any_entity(o_.who);
  if (!t_->model.is_alive(e)) return;
  std::vector<number> children = t_->model.children(e);
  if (!children.empty()) {
    const auto shift = o_.second % static_cast<int>(children.size());
    std::rotate(children.begin(), children.begin() + shift, children.end());
    if (o_.value % 2) std::swap(children.front(), children.back());
    if (o_.value % 8 == 7) children.pop_back();
  }
  std::string text;
  std::vector<kith::entity> handles;
  for (number child : children) {
    text += " " + t_->text(child);
    handles.push_back(t_->handle(child));
  }
  say("set_child_order " + t_->text(e) + ":" + text);
  const outcome o = attempt([&] { t_->handle(e).set_child_order(handles); });
  agree(o, t_->model.set_child_order(e, children));
}

// Asks so often that the library builds its index for reach.
void player::reach() {
  const number chosen[] = {kith::ChildOf, kith::IsA, common_entity(o_.second),
                           common_entity(o_.second)};
  const number relation = nth(chosen, o_.first);
  if (!relation) return;
  say("ask who reaches whom by " + t_->text(relation));
  const std::vector<number> all = living();
  for (number from : all) {
    const std::vector<number> reached = t_->model.reached(from, relation);
    for (number to : all) {
      const bool expected = std::find(reached.begin(), reached.end(), to) != reached.end();
      if (t_->handle(from).reaches(t_->handle(relation), t_->handle(to)) != expected)
        disagree("that ", t_->text(from), " reaches ", t_->text(to), " by ", t_->text(relation),
                 expected ? " is false" : " is true", " against the model");
    }
  }
}

}  // namespace kith_model
