#include "relations/traits.hpp"

#include <string>
#include <vector>

#include <kith/detail/builtins.hpp>
#include <kith/detail/error.hpp>

#include "entity/describe.hpp"
#include "storage/runs.hpp"

namespace kith::core {

std::uint32_t traits::flags_of_trait(id_t id) {
  using namespace trait;
  if (is_pair(id)) {
    const entity_t what = target_of(id);
    switch (relation_of(id)) {
      case With:
        return with;
      case OneOf:
        return one_of;
      case OnInstantiate:
        return what == Override      ? override_on_instantiate
               : what == DontInherit ? dont_inherit
                                     : inherit_on_instantiate;
      case SlotOf:
        return slot | exclusive;
      case OnDelete:
        if (what == Delete) return on_delete_delete;
        return what == Panic ? std::uint32_t{on_delete_panic} : 0;
      case OnDeleteTarget:
        if (what == Delete) return on_target_delete;
        return what == Panic ? std::uint32_t{on_target_panic} : 0;
      default:
        return 0;
    }
  }
  switch (id) {
    case PairIsTag:
      return pair_is_tag;
    case Exclusive:
      return exclusive;
    case Acyclic:
      return acyclic;
    case Transitive:
      return transitive;
    case Reflexive:
      return reflexive;
    case Symmetric:
      return symmetric;
    case Final:
      return final;
    case OneOf:
      return one_of;
    case Relationship:
      return relation_only;
    case Target:
      return target_only;
    case Trait:
      return about_ids;
    case Singleton:
      return singleton;
    case OrderedChildren:
      return ordered_children;
    case Sparse:
      return in_pools | fixed;
    case DontFragment:
      return in_pools;
    case Union:
      return in_pools | exclusive;
    case Fragment:
      return in_tables;
    default:
      return 0;
  }
}

bool traits::is_trait(id_t id) {
  return flags_of_trait(id) != 0 || id == Inheritable ||
         (is_pair(id) && (relation_of(id) == OnDelete || relation_of(id) == OnDeleteTarget));
}

std::string traits::text(entity_t e) const { return describe(store_, names_, e); }

void traits::raise_contradiction(entity_t e, const char* trait, entity_t offender,
                                 const std::string& why) const {
  raise(errc::constraint, text(e), " cannot be ", trait, ": ", text(offender), " ", why);
}

// --- traits that come and go ---------------------------------------------------------------------

void traits::check_given(entity_t e, id_t id, std::uint32_t flags) const {
  if (is_pair(id)) {
    if (relation_of(id) == SlotOf) check_exclusive(e, flags & trait::symmetric, "a slot");
    if (relation_of(id) == OneOf) check_one_of(e, store_.entities().alive_at(target_of(id)));
    const auto one_of_three = [&](entity_t a, entity_t b, entity_t c) {
      const entity_t what = target_of(id);
      if (what != a && what != b && what != c)
        raise(errc::constraint, describe_id(store_, names_, id), ": expected ", text(a), ", ",
              text(b), " or ", text(c));
    };
    if (relation_of(id) == OnInstantiate) one_of_three(Inherit, Override, DontInherit);
    if (relation_of(id) == OnDelete || relation_of(id) == OnDeleteTarget)
      one_of_three(Remove, Delete, Panic);
    return;
  }
  switch (id) {
    case PairIsTag:
      return check_no_pair_values(e);
    case Exclusive:
      return check_exclusive(e, flags & trait::symmetric, "Exclusive");
    case Union:
      check_place(e, id, flags);
      return check_exclusive(e, flags & trait::symmetric, "Union");
    case Symmetric:
      if (flags & trait::acyclic)
        raise(errc::constraint, text(e), " is Acyclic and cannot be Symmetric");
      if (flags & trait::exclusive) check_exclusive(e, true, "Symmetric");
      return;
    case Acyclic:
      if (flags & trait::symmetric)
        raise(errc::constraint, text(e), " is Symmetric and cannot be Acyclic");
      return check_acyclic(e);
    case Final:
      return check_final(e);
    case OneOf:
      return check_one_of(e, e);
    case Relationship:
      return check_only_relation(e);
    case Target:
      return check_only_target(e);
    case Singleton:
      return check_singleton(e);
    case Sparse:
    case DontFragment:
    case Fragment:
      return check_place(e, id, flags);
    default:
      return;
  }
}

void traits::check_taken(entity_t e, id_t id) const {
  if (kept_.contains({e, id}))
    raise(errc::constraint, text(e), " is built in and keeps ", describe_id(store_, names_, id));
  if (id == PairIsTag) check_no_pair_values(e);
}

void traits::reserve(entity_t e, std::uint32_t flags, std::size_t count) {
  make_room(flags_, count);
  make_room(overriding_, count);
  store_.types().reserve_pair_is_tag(count);
  if (auto born = born_with_.find(index_of(e)); born != born_with_.end()) flags |= born->second;
  if (e == ChildOf) return;
  for (id_t key : {id_t{e}, make_pair_of(index_of(e), 0)}) {
    id_group& group = store_.ids().group_of(key);
    if (flags & trait::in_pools) store_.place(group, id_group::place::pools);
    if (flags & trait::in_tables) store_.place(group, id_group::place::tables);
    if (flags & trait::fixed && !group.fixed) store_.fix_addresses(group);
  }
}

std::uint32_t traits::flags_owned(entity_t e) const {
  const auto born = born_with_.find(index_of(e));
  std::uint32_t flags = born == born_with_.end() ? 0 : born->second;
  store_.each_owned(store_.entities().at_index(index_of(e)),
                    [&](id_t id) { flags |= flags_of_trait(id); });
  return flags;
}

void traits::restore(entity_t e) {
  reserve(e, flags_owned(e), 1);
  update(e);
}

void traits::update(entity_t e) noexcept {
  ++version_;
  const std::uint32_t index = index_of(e);
  entity_record& r = store_.entities().at_index(index);
  const std::uint32_t flags = flags_owned(e);
  one_of_count_ -= (of(index) & trait::one_of) != 0;
  one_of_count_ += (flags & trait::one_of) != 0;
  relation_only_count_ -= (of(index) & trait::relation_only) != 0;
  relation_only_count_ += (flags & trait::relation_only) != 0;
  if (flags)
    flags_[index] = flags;
  else
    flags_.erase(index);
  const auto place = std::ranges::lower_bound(overriding_, index);
  const bool is_listed = place != overriding_.end() && *place == index;
  if (flags & trait::override_on_instantiate) {
    if (!is_listed) overriding_.insert(place, index);
  } else if (is_listed) {
    overriding_.erase(place);
  }
  // The deletion of the entity must look at its flags.
  r.referenced = true;

  store_.types().set_pair_is_tag(index, flags & trait::pair_is_tag);
  for (id_t key : {id_t{e}, make_pair_of(index, 0)}) {
    if (e == ChildOf) break;
    // A group that does not exist needs no flags.
    if (id_group* const group = store_.ids().find_group(key)) {
      group->pinned = flags & (trait::in_pools | trait::in_tables);
      group->fixed = flags & trait::fixed;
    }
  }
}

void traits::check_place(entity_t e, id_t id, std::uint32_t flags) const {
  const bool contradicts = id == Fragment ? flags & trait::in_pools : flags & trait::in_tables;
  if (contradicts || (e == ChildOf && id == Fragment))
    raise(errc::constraint, text(e), " cannot be ", text(id),
          ": it is pinned to the other storage");
}

// --- what the data says against a trait ----------------------------------------------------------

void traits::check_exclusive(entity_t relation, bool with_mirrored, const char* wanted) const {
  const std::uint32_t r = index_of(relation);
  // The only target of each entity: its own, or one that Symmetric would add.
  hash_map<std::uint32_t, std::uint32_t> target;
  const auto note = [&](entity_t source, std::uint32_t to) {
    const auto [known, fresh] = target.try_emplace(index_of(source), to);
    if (!fresh && known->second != to)
      raise_contradiction(
          relation, wanted, source,
          with_mirrored ? "would have more than one target" : "has more than one target");
  };
  store_.ids().each_of_relation(r, [&](const id_record& record) {
    const std::uint32_t to = target_of(record.id);
    store_.each(record, [&](entity_t source) {
      note(source, to);
      if (with_mirrored) note(store_.entities().alive_at(to), index_of(source));
    });
  });
}

// Depth first with an explicit stack, because a chain may be very long.
void traits::check_acyclic(entity_t relation) const {
  const std::uint32_t r = index_of(relation);
  enum class state : std::uint8_t { open = 1, done };
  hash_map<std::uint32_t, state> seen;
  struct step {
    std::uint32_t entity;
    std::size_t next;
  };
  std::vector<step> way;
  const auto visit = [&](entity_t start) {
    if (seen.contains(index_of(start))) return;
    way.push_back({index_of(start), 0});
    seen[index_of(start)] = state::open;
    while (!way.empty()) {
      step& here = way.back();
      const auto pairs = store_.pairs_of(store_.entities().at_index(here.entity), r);
      if (here.next == pairs.size()) {
        seen[here.entity] = state::done;
        way.pop_back();
        continue;
      }
      const std::uint32_t to = target_of(pairs[here.next++]);
      auto known = seen.find(to);
      if (known == seen.end()) {
        seen[to] = state::open;
        way.push_back({to, 0});
      } else if (known->second == state::open) {
        raise_contradiction(relation, "Acyclic", store_.entities().alive_at(to), "is on a cycle");
      }
    }
  };
  store_.ids().each_of_relation(r, [&](const id_record& record) { store_.each(record, visit); });
}

void traits::check_final(entity_t e) const {
  if (const id_record* kinds = store_.ids().find(make_pair(IsA, e)))
    if (entity_t kind = first_owner(*kinds))
      raise_contradiction(e, "Final", kind, "is a kind of it");
}

bool traits::is_child_of(std::uint32_t e, std::uint32_t parent) const {
  const entity_t is = parent_of(store_, store_.entities().at_index(e));
  return is && index_of(is) == parent;
}

void traits::check_one_of(entity_t relation, entity_t parent) const {
  store_.ids().each_of_relation(index_of(relation), [&](const id_record& record) {
    if (is_child_of(target_of(record.id), index_of(parent))) return;
    if (entity_t source = first_owner(record))
      raise_contradiction(relation, "OneOf", source,
                          concat("has ", describe_id(store_, names_, record.id),
                                 ", whose target is no child of ", text(parent)));
  });
}

void traits::check_only_relation(entity_t e) const {
  if (const id_record* plain = store_.ids().find(e))
    if (entity_t source = first_owner(*plain))
      raise_contradiction(e, "a Relationship", source, "has it as a tag");
  store_.ids().each_of_target(index_of(e), [&](const id_record& record) {
    if (of(relation_of(record.id)) & trait::about_ids) return;
    if (entity_t source = first_owner(record))
      raise_contradiction(e, "a Relationship", source,
                          concat("has ", describe_id(store_, names_, record.id)));
  });
}

void traits::check_only_target(entity_t e) const {
  if (const id_record* plain = store_.ids().find(e))
    if (entity_t source = first_owner(*plain))
      raise_contradiction(e, "a Target", source, "has it as a tag");
  store_.ids().each_of_relation(index_of(e), [&](const id_record& record) {
    if (entity_t source = first_owner(record))
      raise_contradiction(e, "a Target", source,
                          concat("has ", describe_id(store_, names_, record.id)));
  });
}

void traits::check_singleton(entity_t e) const {
  const auto only_itself = [&](const id_record& record) {
    store_.each(record, [&](entity_t source) {
      if (source != e) raise_contradiction(e, "a Singleton", source, "has it");
    });
  };
  if (const id_record* plain = store_.ids().find(e)) only_itself(*plain);
  store_.ids().each_of_relation(index_of(e), only_itself);
}

void traits::check_no_pair_values(entity_t relation) const {
  store_.ids().each_of_relation(index_of(relation), [&](const id_record& record) {
    const bool could_have_value =
        store_.types().find(index_of(relation)) || store_.types().find(target_of(record.id));
    if (!could_have_value) return;
    if (entity_t source = first_owner(record))
      raise(errc::constraint, "PairIsTag of ", text(relation),
            " would invent or lose values: ", text(source), " has ",
            describe_id(store_, names_, record.id));
  });
}

// --- the use of an id ----------------------------------------------------------------------------

void traits::check_use(entity_t e, id_t id) const {
  const std::uint32_t flags = of_id(id);
  const auto name = [&] { return describe_id(store_, names_, id); };
  if (flags & trait::target_only)
    raise(errc::constraint, name(), " cannot be added: a Target can only be the target of a pair");
  if (flags & trait::singleton && index_of(e) != (is_pair(id) ? relation_of(id) : index_of(id)))
    raise(errc::constraint, name(), " is a Singleton and can only be on its own entity");
  if (!is_pair(id)) {
    if (flags & trait::relation_only)
      raise(errc::constraint, name(), " is a Relationship and needs a target");
    return;
  }
  const std::uint32_t target = target_of(id);
  if (of(target) & trait::relation_only && !(flags & trait::about_ids))
    raise(errc::constraint, name(), ": a Relationship cannot be a target");
}

bool closes_cycle(const store& s, std::uint32_t relation, entity_t source, entity_t target) {
  if (index_of(source) == index_of(target)) return true;
  if (!s.entities().at_index(index_of(source)).referenced) return false;
  const id_record* to_source = s.ids().find(make_pair_of(relation, index_of(source)));
  if (!to_source || s.count(*to_source) == 0) return false;
  std::vector<std::uint32_t> open{index_of(target)};
  hash_map<std::uint32_t, bool> seen{{index_of(target), true}};
  while (!open.empty()) {
    const std::uint32_t here = open.back();
    open.pop_back();
    for (id_t pair : s.pairs_of(s.entities().at_index(here), relation)) {
      const std::uint32_t to = target_of(pair);
      if (to == index_of(source)) return true;
      if (!seen.contains(to)) {
        seen[to] = true;
        open.push_back(to);
      }
    }
  }
  return false;
}

}  // namespace kith::core
