#include "reactive/plain_changes.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/builtins.hpp>

#include "base/hash_map.hpp"

namespace kith::core {

// The deltas by entity, in the order of the change: of entities that end, children come first.
void plain_changes::group(std::span<const delta> deltas) {
  parts_.clear();
  hash_map<entity_t, std::size_t> places;
  for (const delta& d : deltas) {
    if (parts_.empty() || parts_.back().e != d.entity) {
      const auto [known, is_new] = places.try_emplace(d.entity, parts_.size());
      if (is_new) {
        parts_.push_back({d.entity, {}, false});
      } else {
        parts_[known->second].ends |= d.what == delta::kind::ended;
        if (d.id) parts_[known->second].deltas.push_back(&d);
        continue;
      }
    }
    parts_.back().ends |= d.what == delta::kind::ended;
    if (d.id) parts_.back().deltas.push_back(&d);
  }
}

bool plain_changes::shows_after(const entity_part& part, id_t id) const {
  if (part.ends) return false;
  bool shows = shows_owned(g_.store, g_.store.entities().at_index(index_of(part.e)), id);
  for (const delta* d : part.deltas) {
    if (d->id != id) continue;
    if (d->what == delta::kind::lost) shows = false;
    if (d->what == delta::kind::gained || d->what == delta::kind::switched) shows = !d->off;
  }
  return shows;
}

bool plain_changes::matches_after(const entity_part& part, const plain_terms& terms) const {
  const auto shows = [&](id_t id) { return shows_after(part, id); };
  return std::ranges::all_of(terms.required, shows) && std::ranges::none_of(terms.forbidden, shows);
}

// Was a value written that the row shows? In a row that stays, a field that becomes set counts.
bool plain_changes::is_written(const entity_part& part, const plain_terms& terms,
                               bool stays) const {
  return std::ranges::any_of(part.deltas, [&](const delta* d) {
    const bool writes = d->what == delta::kind::written ||
                        (d->what == delta::kind::gained && (d->given || stays)) ||
                        (d->what == delta::kind::switched && !d->off && stays);
    return writes && terms.shows_value_of(d->id) && shows_after(part, d->id);
  });
}

event_cause plain_changes::cause_of(const entity_part& part) const {
  if (part.ends) return event_cause::deleted;
  bool lost = false, gained = false, off = false;
  for (const delta* d : part.deltas) {
    lost |= d->what == delta::kind::lost && d->id != Disabled;
    gained |= d->what == delta::kind::gained;
    off |= (d->what == delta::kind::switched && d->off) ||
           (d->what == delta::kind::gained && d->id == Disabled);
  }
  if (off) return event_cause::disabled;
  if (lost && gained) return event_cause::replaced;
  return lost ? event_cause::removed : event_cause::changed;
}

void plain_changes::find(std::span<const delta> deltas, std::vector<std::shared_ptr<watcher>> to) {
  group(deltas);
  leaving_.clear();
  coming_.clear();
  std::vector<report> set;
  for (const std::shared_ptr<watcher>& w : to) {
    report gone{w, {}, {}}, came{w, {}, {}}, written{w, {}, {}};
    const auto add = [&](report& r, entity_t event, const entity_part& part) {
      if (r.rows.empty())
        r.what = {.event = event,
                  .id = part.deltas.empty() ? 0 : part.deltas[0]->id,
                  .cause = cause_of(part)};
      r.rows.push_back(part.e);
    };
    for (const entity_part& part : parts_) {
      const entity_record& r = g_.store.entities().at_index(index_of(part.e));
      const bool was = w->plain->match(g_.store, r);
      const bool is = matches_after(part, *w->plain);
      if (was && !is && w->tells_removal()) add(gone, OnRemove, part);
      if (!was && is && (w->on_add || w->monitor)) add(came, OnAdd, part);
      if (is && w->on_set && !w->monitor && is_written(part, *w->plain, was))
        add(written, OnSet, part);
    }
    if (!gone.rows.empty()) leaving_.push_back(std::move(gone));
    if (!came.rows.empty()) coming_.push_back(std::move(came));
    if (!written.rows.empty()) set.push_back(std::move(written));
  }
  coming_.insert(coming_.end(), std::make_move_iterator(set.begin()),
                 std::make_move_iterator(set.end()));
  parts_.clear();
}

void plain_changes::tell_leaving() { tell(std::exchange(leaving_, {})); }

void plain_changes::tell(const std::vector<report>& reports) {
  for (const report& r : reports) tell_.tell_rows(*r.to, r.what, r.rows);
}

}  // namespace kith::core
