// The short way of reactions: one id of one entity comes, goes or is written, nothing else follows
// from that, and all observers that read the id have plain terms (reactive/plain_terms.hpp). Then
// looks at the entity say which rows come and go, and the change is never taken back.
#include <array>

#include "world/live_query.hpp"
#include "world/reporting.hpp"

namespace kith::core {

bool engine_state::react_plainly(entity_t e, id_t id, one_change what,
                                 function_ref<void()> change) {
  if (in_change_ || in_report_ || has_wildcard(id) || !graph_.is_plain(id)) return false;
  const core::reactions::short_look look = reactions->look(id);
  if (!look.possible) return false;
  const auto change_unseen = [&] {
    reactions->mute(true);
    scope_exit end([&] { reactions->mute(false); });
    change();
  };
  if (!look.read) return change_unseen(), true;
  entity_record* const r = store().entities().find(e);
  if (!r || (graph_.inherit.any() && (graph_.inherit.has_bases(*r) || graph_.inherit.is_base(e))))
    return false;

  const bool had = store().owns(*r, id);
  const bool comes = !had && what != one_change::remove;
  const bool goes = had && what == one_change::remove;
  const bool is_written = what == one_change::set;
  if (!comes && !goes && !is_written) return change_unseen(), true;

  // An observer that is made by one that is told hears of the next change.
  const auto& readers = look.read->list;
  const std::size_t count = readers.size();
  const auto is_row = [&](const watcher& w) {
    return w.plain->match(store(), *r) && !reactions->is_silent(w);
  };
  const auto leaves = [&](const watcher& w) {
    return w.tells_removal() && (comes ? w.plain->forbids(id) : w.plain->requires_id(id)) &&
           is_row(w);
  };
  const bool any_leaves =
      (comes || goes) && std::ranges::any_of(readers, [&](const auto& w) { return leaves(*w); });
  if (any_leaves) {
    // What can fail comes before the first report.
    if (comes && store().types().type_of(id)) return false;
    store().reserve_change(*r, id, comes);
  }

  const stage::use using_this(stages.main);
  const event_cause cause = goes ? event_cause::removed : event_cause::changed;
  // Tells the observers that `is_told` names.
  const auto tell_each = [&](auto is_told, entity_t event) {
    for (std::size_t n = 0; n < count && !stages.has_ended(); ++n) {
      if (!is_told(*readers[n])) continue;
      const std::shared_ptr<watcher> w = readers[n];
      reporting telling(*this);
      telling.note(w->entity);
      tell_plainly(*w, {.event = event, .id = id, .cause = cause}, {&e, 1});
    }
  };
  if (any_leaves) tell_each(leaves, OnRemove);
  if (stages.has_ended()) return true;
  change_unseen();

  const auto arrives = [&](const watcher& w) {
    return (w.on_add || w.monitor) &&
           (comes ? w.plain->requires_id(id) : goes && w.plain->forbids(id)) && is_row(w);
  };
  const auto is_set = [&](const watcher& w) {
    const bool shows = w.on_set && w.plain->shows_value_of(id);
    // A field that becomes set in a row that stays counts as written.
    const bool writes = is_written || (comes && !w.plain->requires_id(id));
    return shows && writes && is_row(w);
  };
  if (comes || goes) tell_each(arrives, OnAdd);
  if (!goes) tell_each(is_set, OnSet);
  if (!reacting_ && (!waiting_.empty() || reaction_error_)) carry_out_reactions();
  return true;
}

void engine_state::state_teller::tell_rows(watcher& w, const event_info& what,
                                           std::span<const entity_t> rows) noexcept {
  if (s_.stages.has_ended()) return;
  const stage::use using_this(s_.stages.main);
  reporting telling(s_);
  telling.note(w.entity);
  s_.tell_plainly(w, what, rows);
}

void engine_state::tell_plainly(const watcher& w, const event_info& what,
                                std::span<const entity_t> entities) {
  const auto fail = [&](std::exception_ptr thrown) { note_reaction_error(std::move(thrown)); };
  if (w.tell_plainly && w.plain_values <= most_plain_values) {
    for (entity_t e : entities) attempt([&] { tell_plainly(w, e); }, fail);
    return;
  }
  attempt(
      [&] {
        auto rows = std::make_shared<recorded_rows>(w.query.checked(), graph_);
        std::vector<id_t> values(w.query.checked()->slots.size());
        std::vector<result_field> fields;
        for (entity_t e : entities) {
          const entity_record& r = *store().entities().find(e);
          fields.clear();
          for (const plain_terms::field& f : w.plain->fields)
            fields.push_back(f.id && shows_owned(store(), r, f.id)
                                 ? result_field{.term = f.term, .id = f.id}
                                 : result_field());
          values[this_slot] = e;
          rows->add({&e, 1}, values, fields);
        }
        w.tell(what, std::move(rows));
      },
      fail);
}

// Calls a function that takes no iterator.
void engine_state::tell_plainly(const watcher& w, entity_t e) {
  const entity_record& r = *store().entities().find(e);
  std::array<void*, most_plain_values> values{};
  std::array<located_value, most_plain_values> found{};
  for (std::size_t n = 0; n < w.plain_values; ++n) {
    const id_t shown = w.plain->fields[n].id;
    found[n] = store().find_value(r, shown);
    const bool is_there = found[n] ? !store().is_off(r, shown) : shows_owned(store(), r, shown);
    // A tag has no value; any address will do where it is there.
    if (is_there) values[n] = found[n] ? found[n].value() : &values;
  }
  w.tell_plainly(e, values.data());
  for (std::size_t n = 0; n < w.plain_values; ++n)
    if (found[n] && w.plain_writes >> n & 1) note_write(found[n], e, w.plain->fields[n].id);
}

}  // namespace kith::core
