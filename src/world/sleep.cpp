// Systems that match nothing cost nothing: after some frames without rows a system sleeps until an
// entity gains an id without which there can be none.
#include <algorithm>

#include "world/live_query.hpp"
#include "world/systems.hpp"

namespace kith::core {

// An id that each row has and no entity does.
std::optional<id_t> frames::missing_id(running_system& s) const {
  meaning& says = s_.stages.main.meaning;
  for (const field_info& f : s.query->prepared.checked()->fields) {
    if (f.optional || f.negated || f.terms.size() != 1 || !f.terms[0]->shape.is_plain()) continue;
    const checked_term& t = *f.terms[0];
    const id_t id = fixed_id(t);
    if (has_wildcard(id) || says.has_kinds(t.first.entity)) continue;
    const id_record* const record = s_.store().ids().find(id);
    if (!record || s_.store().count(*record) == 0) return id;
  }
  return std::nullopt;
}

// A run has had so many rows; the store had this version when it began.
void frames::note_rows(running_system& s, std::uint64_t rows, std::uint64_t version) {
  s.empty_at = rows || s.what.sees.names ? 0 : version;
  s.idle_runs = rows ? 0 : s.idle_runs + 1;
  constexpr unsigned enough = 4;
  if (s.idle_runs < enough || s.desc.visits_once || s.is_task || s.desc.run_if ||
      !s.tick.is_always())
    return;
  s.idle_runs = 0;
  const std::optional<id_t> id = missing_id(s);
  if (!id) return;
  // After a new plan it may wait for the same group still.
  const id_t group = group_key(*id);
  if (s.waits_for != group) sleepers_.sleep(s.entity, group);
  s.waits_for = group;
  s.sleeps = true;
  ++sleep_changes_;
}

void frames::wake_systems() {
  if (!sleepers_.any_woke()) return;
  for (entity_t e : sleepers_.take_woken()) {
    const auto known = systems_.find(e);
    if (known == systems_.end()) continue;
    running_system& s = *known->second;
    s.waits_for = 0;
    if (!s.sleeps) continue;
    s.sleeps = false;
    // It has had its turn in all frames meanwhile.
    s.ran_at = std::max(s.ran_at, time_before_);
    ++sleep_changes_;
  }
}

const std::vector<std::size_t>& frames::awake(pipeline_plan& p) {
  wake_systems();
  if (p.awake_for != sleep_changes_) {
    p.awake.clear();
    for (std::size_t n = 0; n < p.order.size(); ++n)
      if (!p.order[n].system->sleeps) p.awake.push_back(n);
    p.awake_for = sleep_changes_;
  }
  return p.awake;
}

}  // namespace kith::core
