// Traits: which ones an entity has, how it may be used then, and which facts contradict them.
#include "model/naive_world.hpp"

namespace kith_model {

using kith::errc;

namespace {

const std::set<number>& plain_traits() {
  static const std::set<number> all{kith::PairIsTag,    kith::Exclusive,   kith::Acyclic,
                                    kith::Transitive,   kith::Reflexive,   kith::Symmetric,
                                    kith::Final,        kith::Inheritable, kith::OneOf,
                                    kith::Singleton,    kith::Target,      kith::Relationship,
                                    kith::Trait,        kith::Sparse,      kith::OrderedChildren,
                                    kith::DontFragment, kith::Fragment,    kith::Union};
  return all;
}

const std::set<number>& pair_traits() {
  static const std::set<number> all{kith::With, kith::OneOf, kith::OnInstantiate, kith::OnDelete,
                                    kith::OnDeleteTarget};
  return all;
}

}  // namespace

bool is_trait(const naive_id& id) {
  return (id.is_pair() ? pair_traits() : plain_traits()).contains(id.first);
}

bool naive_world::has_trait(number e, number trait) const {
  auto found = entities_.find(e);
  return found != entities_.end() && found->second.owned.contains({trait});
}

bool naive_world::is_exclusive(number relation) const {
  return has_trait(relation, kith::Exclusive) || has_trait(relation, kith::Union);
}

std::set<number> naive_world::told(number e, number trait) const {
  std::set<number> found;
  if (!is_alive(e)) return found;
  for (const naive_id& pair : pairs_of(e, trait)) found.insert(pair.second);
  return found;
}

number naive_world::on_instantiate(number predicate) const {
  if (is_builtin(predicate)) return kith::DontInherit;
  const std::set<number> said = told(predicate, kith::OnInstantiate);
  return said.empty() ? instantiate_ : *said.begin();
}

bool naive_world::leads(number from, number to, number relation) const {
  std::set<number> seen;
  std::vector<number> open{from};
  while (!open.empty()) {
    const number here = open.back();
    open.pop_back();
    if (here == to) return true;
    if (!seen.insert(here).second) continue;
    for (const naive_id& pair : pairs_of(here, relation)) open.push_back(pair.second);
  }
  return false;
}

faults naive_world::misuse(number e, const naive_id& id) const {
  const auto [first, second] = id;
  if (has_trait(first, kith::Target)) return {errc::constraint};
  if (has_trait(first, kith::Singleton) && e != first) return {errc::constraint};
  if (!id.is_pair()) return constraint_if(has_trait(first, kith::Relationship));
  const bool is_about_relations = is_builtin(first) || has_trait(first, kith::Trait);
  if (has_trait(second, kith::Relationship) && !is_about_relations) return {errc::constraint};
  for (number parent_of_targets : told(first, kith::OneOf))
    if (parent(second) != parent_of_targets) return {errc::constraint};
  return constraint_if(has_trait(first, kith::OneOf) && parent(second) != first);
}

faults naive_world::contradiction(number e, const naive_id& trait) const {
  const auto one_of = [&](const std::set<number>& allowed) {
    return constraint_if(!allowed.contains(trait.second));
  };
  switch (trait.first) {
    case kith::OnInstantiate:
      return one_of({kith::Inherit, kith::Override, kith::DontInherit});
    case kith::OnDelete:
    case kith::OnDeleteTarget:
      return one_of({kith::Remove, kith::Delete, kith::Panic});
    case kith::Symmetric:
    case kith::Acyclic:
      if (has_trait(e, kith::Symmetric) && has_trait(e, kith::Acyclic)) return {errc::constraint};
      break;
    case kith::Fragment:
    case kith::DontFragment:
    case kith::Sparse:
    case kith::Union: {
      const bool in_pools = has_trait(e, kith::DontFragment) || has_trait(e, kith::Sparse) ||
                            has_trait(e, kith::Union) || e == kith::ChildOf;
      if (in_pools && has_trait(e, kith::Fragment)) return {errc::constraint};
      break;
    }
    default:
      break;
  }

  // Facts that contradict the trait.
  for (const auto& [user, entity] : entities_) {
    if (is_exclusive(e) && pairs_of(user, e).size() > 1) return {errc::constraint};
    for (const auto& [id, held] : entity.owned) {
      const bool as_first = id.first == e;
      const bool as_relation = as_first && id.is_pair();
      const bool as_target = id.second == e && id.is_pair();
      const number parent_wanted = trait.is_pair() ? trait.second : e;
      const bool about_relations = is_builtin(id.first) || has_trait(id.first, kith::Trait);
      bool against = false;
      switch (trait.first) {
        case kith::PairIsTag:
          against = as_relation && (types_.contains(e) || types_.contains(id.second));
          break;
        case kith::Acyclic:
          against = as_relation && leads(id.second, user, e);
          break;
        case kith::Final:
          against = as_target && id.first == kith::IsA;
          break;
        case kith::OneOf:
          against = as_relation && parent(id.second) != parent_wanted;
          break;
        case kith::Relationship:
          against = (as_first && !as_relation) || (as_target && !about_relations);
          break;
        case kith::Target:
          against = as_first;
          break;
        case kith::Singleton:
          against = as_first && user != e;
          break;
        default:
          break;
      }
      if (against) return {errc::constraint};
    }
  }
  return {};
}

}  // namespace kith_model
