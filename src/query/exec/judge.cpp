#include "query/exec/judge.hpp"

#include "storage/runs.hpp"

namespace kith::core {

judge::watched_id judge::watch(id_t id) const {
  const std::uint32_t flags = g_.traits.of_id(id);
  return {id, g_.store.ids().find(id), g_.inherit.hands_on(id),
          is_pair(id) && (flags & trait::exclusive) != 0};
}

void judge::add(std::span<const id_t> ids, condition::kind kind) {
  constexpr std::size_t few = 4;
  if (conditions_.empty()) conditions_.reserve(few);
  condition& c = conditions_.emplace_back();
  c.is = kind;
  c.ids.reserve(ids.size());
  for (id_t id : ids) c.ids.push_back(watch(id));
}

judge::where judge::locate(const watched_id& w, const table& t, entity_t* owner) const {
  if (!w.record) return where::nowhere;
  switch (presence_in(t, *w.record)) {
    case presence::all:
      return where::owned;
    case presence::some:
      return where::differs;
    case presence::none:
      break;
  }
  if (!w.handed_on) return where::nowhere;
  const id_group* kinds = g_.store.ids().find_group(make_pair(IsA, 0));
  if (!kinds || !core::is_decided_by_tables(*kinds)) return where::differs;
  if (t.pairs_of(index_of(IsA)).count == 0) return where::nowhere;
  if (w.exclusive && differs_within_tables(*w.record->group)) return where::differs;
  if (w.record->group->toggled) return where::differs;
  const entity_t e = t.entities().front();
  const entity_t found = g_.inherit.owner(e, g_.alive(e), w.id);
  if (owner) *owner = found;
  return found ? where::inherited : where::nowhere;
}

bool judge::is_holder(const condition& c, entity_t e) { return c.holders->contains(e); }

void judge::decide(const table& t, verdict& v, std::span<shown_id> shown) const {
  v.rejected = false;
  v.conditions.clear();
  for (std::uint32_t n = 0; n < conditions_.size(); ++n) {
    const condition& c = conditions_[n];
    if (c.settled) continue;
    if (c.holders) {
      v.conditions.push_back(n);
      continue;
    }
    bool some = false, unsure = false;
    for (std::size_t k = 0; k < c.ids.size() && !some; ++k) {
      shown_id seen{k};
      const where found = locate(c.ids[k], t, &seen.owner);
      some = found == where::owned || found == where::inherited;
      unsure = unsure || found == where::differs;
      if (some && !shown.empty()) shown[n] = seen;
    }
    if (c.is == condition::kind::optional) continue;
    const bool refused = c.is == condition::kind::refused;
    if (some ? refused : !unsure && !refused) {
      v.rejected = true;
      return;
    }
    if (!some && unsure) v.conditions.push_back(n);
  }
}

bool judge::is_decided_by_tables(id_t id) const {
  const id_group* group = g_.store.ids().find_group(id);
  return !group || core::is_decided_by_tables(*group);
}

}  // namespace kith::core
