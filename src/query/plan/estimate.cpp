#include "query/plan/estimate.hpp"

#include <algorithm>

#include "query/plan/slot_sets.hpp"
#include "storage/runs.hpp"

namespace kith::core {

double estimates::rows(id_t pattern) const { return count_roughly(g_.store, pattern); }

std::vector<entity_t> estimates::with_kinds(entity_t e) const {
  constexpr std::size_t many = 64;
  std::vector<entity_t> all{e};
  for (std::size_t at = 0; at < all.size() && g_.inherit.is_base(all[at]); ++at) {
    const id_record* kinds = g_.store.ids().find(make_pair(IsA, all[at]));
    runs list = kinds ? runs(*kinds) : runs();
    for (run r; list.next(r);)
      for (entity_t kind : r.entities)
        if (all.size() < many && std::ranges::find(all, kind) == all.end()) all.push_back(kind);
  }
  return all;
}

// Of a predicate or a pair with its kinds.
double estimates::rows_of_kinds(entity_t first, entity_t target) const {
  const auto of_one = [&](entity_t e) { return rows(target ? make_pair(e, target) : e); };
  if (!g_.inherit.is_base(first)) return of_one(first);
  double sum = 0;
  for (entity_t kind : with_kinds(first)) sum += of_one(kind);
  return sum;
}

double estimates::dice(std::uint64_t slot) const {
  if (open_.chance) return static_cast<double>(mix(slot + open_.chance) % 1000);
  const auto place = std::ranges::find(open_.order, slot) - open_.order.begin();
  return static_cast<double>(place);
}

namespace {

double values_of_equality(const checked_term& t, slot_index slot, const known_slots& known) {
  const bool left = t.first.is_slot(slot);
  const checked_ref& mine = left ? t.first : t.second;
  const checked_ref& other = left ? t.second : t.first;
  const bool binds = t.compare == term::comparison::equal && mine.is_slot(slot) &&
                     is_known(other, known) && !(other.slot == slot && slot != no_slot);
  return binds ? (mine.flagged || other.flagged ? 8 : 1) : -1;
}

}  // namespace

double estimates::values(const checked_term& t, slot_index slot, const known_slots& known) const {
  if (t.is == checked_term::kind::equality) return values_of_equality(t, slot, known);
  if (t.is == checked_term::kind::text)
    return t.compare == term::comparison::equal && !t.text.empty() && t.first.is_slot(slot)
               ? (t.first.flagged ? 8 : 1)
               : -1;
  if (t.is != checked_term::kind::predicate) return -1;
  const bool relation_known = is_known(t.first, known);
  const entity_t relation = t.first.is == checked_ref::kind::fixed ? t.first.entity : 0;
  const bool reflexive =
      relation && g_.traits.of(index_of(relation)) & trait::reflexive && !t.exact;
  const double all = everything();
  const double flags = t.first.flagged || t.source.flagged || t.second.flagged ? 8 : 1;

  if (slot == t.star) return is_known(t.source, known) ? 2 : pairs_of(t);
  if (t.pair && t.second.is_slot(slot)) {
    if (is_known(t.source, known)) return flags * (relation_known ? 2 : 8);
    if (!relation_known || reflexive) return -1;
    const id_group* group = group_of(relation);
    return flags * (relation ? (group ? group->ids : 0) : all / 4);
  }
  if (t.source.is_slot(slot)) {
    if (t.star != no_slot && contains(known, t.star)) return flags * all / 16;
    if (!relation_known)
      return t.pair && is_known(t.second, known) && !t.second.flagged && t.exact ? flags * all / 4
                                                                                 : -1;
    const double inherited = g_.inherit.any() ? 8 : 1;
    if (!t.pair) return flags * inherited * (relation ? rows_of_kinds(relation, 0) : all / 4);
    if (is_known(t.second, known) && relation && t.second.is == checked_ref::kind::fixed)
      return flags * inherited * (rows_of_kinds(relation, t.second.entity) + 1);
    const double of_relation = relation ? rows_of_kinds(relation, Wildcard) : all;
    const id_group* group = group_of(relation);
    if (is_known(t.second, known))
      return flags * inherited * (1 + of_relation / (group && group->ids ? group->ids : 1));
    return reflexive ? -1 : flags * inherited * 2 * of_relation;
  }
  if (t.first.is_slot(slot)) return is_known(t.source, known) ? 8 : all;
  return -1;
}

const id_group* estimates::group_of(entity_t relation) const {
  return relation ? g_.store.ids().find_group(make_pair(relation, 0)) : nullptr;
}

// The pairs of a relation, each with the entities that have it.
double estimates::pairs_of(const checked_term& t) const {
  if (t.shape.is != term_shape::kind::star || t.source.is != checked_ref::kind::slot ||
      t.source.flagged)
    return -1;
  const id_group* group = group_of(t.first.entity);
  if (!group) return 0;
  // Where tables are tiny and each pair has few of them, it is faster to go through the rows of
  // all, once, than through the tables of each pair: those are far apart in memory.
  constexpr double few = 16;
  const double of_relation = rows(make_pair(t.first.entity, Wildcard));
  const bool scattered = group->where == id_group::place::tables &&
                         2.0 * group->table_uses > of_relation && group->table_uses > group->ids &&
                         group->table_uses < few * group->ids;
  return scattered ? 4 * of_relation : group->ids;
}

}  // namespace kith::core
