#include "relations/traits.hpp"

#include <vector>

#include <kith/detail/builtins.hpp>
#include <kith/detail/error.hpp>

#include "entity/describe.hpp"

namespace kith::core {

namespace {

trait_flag flag_of(id_t trait) {
  switch (trait) {
    case Exclusive:
      return exclusive;
    case Acyclic:
      return acyclic;
    default:
      return pair_is_tag;
  }
}

}  // namespace

bool traits::is_trait(id_t id) { return id == PairIsTag || id == Exclusive || id == Acyclic; }

void traits::check(entity_t e, id_t trait, bool on) const {
  if (trait == PairIsTag) return check_untyped_pairs(e);
  if (!on) return;
  if (trait == Exclusive) check_exclusive(e);
  if (trait == Acyclic) check_acyclic(e);
}

void traits::apply(entity_t e, id_t trait, bool on) {
  id_group& group = store_.ids().group_of(make_pair(e, 0));
  store_.entities().at_index(index_of(e)).referenced = true;
  const bool was_guarded = group.traits & (exclusive | acyclic);
  if (on)
    group.traits |= flag_of(trait);
  else
    group.traits &= ~std::uint32_t{flag_of(trait)};
  const bool is_guarded = group.traits & (exclusive | acyclic);
  // The pairs of ChildOf are never in tables, so no edge can mislead.
  if (e != ChildOf) guarded_ += is_guarded - was_guarded;
  if (trait == PairIsTag) store_.types().set_pair_is_tag(index_of(e), on);
  // What nobody has any more must not be remembered: tables that hold two targets, records of pairs
  // that had values, or had none.
  if ((trait == Exclusive && on) || trait == PairIsTag) store_.reclaim();
}

void traits::forget(entity_t e) {
  if (flags_of(make_pair(e, 0)) & (exclusive | acyclic)) --guarded_;
}

void traits::check_exclusive(entity_t relation) const {
  for (const id_record* record = store_.ids().first_of_relation(index_of(relation)); record;
       record = record->next_of_relation) {
    store_.each(*record, [&](entity_t e) {
      const entity_record& r = *store_.entities().find(e);
      if (store_.pairs_of(r, index_of(relation)).size() > 1)
        raise(errc::constraint, describe(store_, names_, relation),
              " cannot be Exclusive: ", describe(store_, names_, e), " has more than one target");
    });
  }
}

// Depth first with an explicit stack: a chain may be very long.
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
        raise(errc::constraint, describe(store_, names_, relation),
              " cannot be Acyclic: ", describe(store_, names_, store_.entities().alive_at(to)),
              " is on a cycle");
      }
    }
  };
  for (const id_record* record = store_.ids().first_of_relation(r); record;
       record = record->next_of_relation)
    store_.each(*record, visit);
}

void traits::check_untyped_pairs(entity_t relation) const {
  for (const id_record* record = store_.ids().first_of_relation(index_of(relation)); record;
       record = record->next_of_relation) {
    const bool could_have_data =
        store_.types().find(index_of(relation)) || store_.types().find(target_of(record->id));
    if (could_have_data && store_.count(*record) > 0)
      raise(errc::constraint,
            "PairIsTag would invent or lose values: ", describe_id(store_, names_, record->id),
            " is in use");
  }
}

bool closes_cycle(const store& s, std::uint32_t relation, entity_t source, entity_t target) {
  if (index_of(source) == index_of(target)) return true;
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
