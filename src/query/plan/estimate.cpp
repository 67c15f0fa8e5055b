#include "query/plan/estimate.hpp"

#include <algorithm>

#include "storage/runs.hpp"

namespace kith::core {

double estimates::rows(id_t pattern) const { return count_roughly(g_.store, pattern); }

bool estimates::is_one_list(const checked_term& t) const {
  const id_group* group = t.pair && t.first.is == checked_ref::kind::fixed
                              ? g_.store.ids().find_group(make_pair(t.first.entity, 0))
                              : nullptr;
  return group && differs_within_tables(*group);
}

double estimates::values(const checked_term& t, slot_index slot, const slot_list& known) const {
  const double rows = counted(t, slot, known);
  if (!open_.chance || rows < 0) return rows;
  // The same for each time it is asked.
  const std::uint64_t about = mix(t.first.entity + mix(slot + mix(t.second.slot + known.size())));
  return static_cast<double>(mix(about + open_.chance) % 1000);
}

namespace {

bool is_known(const checked_ref& r, const slot_list& known) {
  return r.is == checked_ref::kind::fixed ||
         (r.is == checked_ref::kind::slot && contains(known, r.slot));
}

double values_of_equality(const checked_term& t, slot_index slot, const slot_list& known) {
  const bool left = t.first.is_slot(slot);
  const checked_ref& mine = left ? t.first : t.second;
  const checked_ref& other = left ? t.second : t.first;
  const bool binds = t.compare == term::comparison::equal && mine.is_slot(slot) &&
                     is_known(other, known) && !(other.slot == slot && slot != no_slot);
  return binds ? (mine.flagged || other.flagged ? 8 : 1) : -1;
}

}  // namespace

double estimates::counted(const checked_term& t, slot_index slot, const slot_list& known) const {
  if (t.is == checked_term::kind::equality) return values_of_equality(t, slot, known);
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
    if (!t.pair) return flags * inherited * (relation ? rows(relation) : all / 4);
    if (is_known(t.second, known) && relation && t.second.is == checked_ref::kind::fixed)
      return flags * inherited * (rows(make_pair(relation, t.second.entity)) + 1);
    const double of_relation = relation ? rows(make_pair(relation, Wildcard)) : all;
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
