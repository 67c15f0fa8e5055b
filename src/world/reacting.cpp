// Observers: who is told of a change, and when what they ask for is carried out.
//
//   a change ──▶ rows that go ──▶ the change ──▶ rows that came ──▶ what observers asked for
//                 OnRemove                        OnAdd, OnSet        one change after the other,
//                                                                     each told in the same way
#include <algorithm>
#include <utility>

#include <kith/id.hpp>

#include "base/scope_exit.hpp"
#include "world/live_query.hpp"
#include "world/reporting.hpp"

namespace kith::core {

// --- observers -----------------------------------------------------------------------------------

entity_t make_observer(engine& world, const observer_desc& desc) {
  return world.state().make_observer(desc);
}

void engine_state::begin_reactions() {
  if (reactions) return;
  reactions = std::make_unique<class reactions>(graph_, shortcuts, samples, telling_);
}

void engine_state::state_teller::call(function_ref<void()> function) noexcept {
  attempt([&] { s_.report(function); },
          [&](std::exception_ptr thrown) { s_.note_reaction_error(std::move(thrown)); });
}

void engine::set_hook(entity_t component, hook_kind kind, hook h) {
  engine_state& s = *state_;
  s.stages.check_open("a hook cannot be set");
  s.alive(component);
  s.begin_reactions();
  s.reactions->set_hook(*this, component, kind, std::move(h));
}

void visit_hooked_row(const hook_call& call, const std::function<void(query_run&)>& visit) {
  engine& world = *call.world;
  constexpr entity_t events[hook_kinds] = {OnSet, OnRemove, OnSet, OnAdd, OnSet};
  query_desc desc;
  desc.terms.push_back({.id = kith::id(&world, call.id)});
  const query_ptr q = make_query(world, desc);
  const std::shared_ptr<const checked_query>& checked = q->prepared.checked();
  auto rows = std::make_shared<recorded_rows>(checked, world.state().graph_);
  std::vector<id_t> values(checked->slots.size());
  values[this_slot] = call.entity;
  const result_field field{.id = call.id};
  rows->add({&call.entity, 1}, values, {&field, 1});
  const event_info what{.event = events[static_cast<std::size_t>(call.what)], .id = call.id};
  query_run run(q, std::move(rows), what);
  visit(run);
  run.end();
}

void engine_state::check_events(const std::vector<entity_t>& events) const {
  if (events.empty()) raise(errc::constraint, "the observer listens to no event");
  for (entity_t e : events) {
    alive(e);
    if (is_wildcard(index_of(e)))
      raise(errc::constraint, "an observer cannot listen to all events; name each of them");
    if (e == Monitor && events.size() > 1)
      raise(errc::constraint, "an observer that listens to Monitor listens to nothing else");
  }
}

entity_t engine_state::make_observer(const observer_desc& desc) {
  stages.check_open("an observer cannot be made");
  check_events(desc.events);
  const query_ptr q = make_query(*shell, desc.query);
  if (!q->prepared.checked()->parameters.empty())
    raise(errc::constraint, "the query of an observer has no parameters, but this one has @",
          q->prepared.checked()->slots[q->prepared.checked()->parameters[0]].name);
  if (q->prepared.checked()->fields.empty())
    raise(errc::constraint, "the query of the observer has no term");
  begin_reactions();

  const entity_t e = desc.name.empty() ? shell->create() : shell->create_named(desc.name);
  if (reactions->find(e)) raise(errc::constraint, text(e), " is an observer already");
  shell->add(e, Observer);
  auto made = std::make_shared<watcher>(e, q->prepared, graph_, store());
  for (entity_t event : desc.events) {
    made->on_add |= event == OnAdd;
    made->on_set |= event == OnSet;
    made->on_remove |= event == OnRemove;
    made->monitor |= event == Monitor;
    made->events.push_back(event);
  }
  expression less = q->prepared.written();
  const auto is_filter = [](const chain& c) {
    return std::ranges::all_of(c.alternatives,
                               [](const term& t) { return t.rights == term::access::filter; });
  };
  if (std::erase_if(less.chains, is_filter) && !less.chains.empty())
    made->filtered =
        std::make_unique<filtered_watch>(graph_, store(), shortcuts, samples, std::move(less));
  made->priority = desc.priority;
  made->yields_on_delete = desc.yield_on_delete;
  made->tell_plainly = desc.visit_plainly;
  made->plain_values = desc.plain_values;
  made->plain_writes = desc.plain_writes;
  made->tell = [q, visit = desc.visit](const event_info& what,
                                       std::shared_ptr<recorded_rows> rows) {
    query_run run(q, std::move(rows), what);
    visit(run);
    run.end();
  };
  reactions->add(made);
  if (desc.yield_existing) {
    const bool adds = made->on_add || made->monitor;
    if (auto rows = reactions->rows_of(*made); rows->rows() && (adds || made->on_set)) {
      report_all({{made, {.event = adds ? OnAdd : OnSet}, std::move(rows)}});
      if (!reacting_ && !in_report_) carry_out_reactions();
    }
  }
  return e;
}

// --- one change ----------------------------------------------------------------------------------

void engine_state::react_to(function_ref<void()> change, bool whole) {
  if (in_change_) return change();
  using way_back = core::reactions::way_back;
  react([&] { return reactions->carry_out(change, whole ? way_back::whole : way_back::of_parts); });
}

// `work` carries a change out, and returns whether there is something to report.
void engine_state::react(function_ref<bool()> work) {
  const stage::use using_this(stages.main);
  bool concerns = false;
  {
    in_change_ = true;
    scope_exit end([&] { in_change_ = false; });
    concerns = work();
  }
  if (concerns) report_change();
  end_dead_observers();
  if (!reacting_) carry_out_reactions();
}

// Tells observers of a change that is worked out.
void engine_state::report_change() {
  // Entities that begin now must not get the ids of those that are to begin again.
  stages.begin_beyond(reactions->beyond());
  report_all(reactions->leaving());
  reactions->tell_leaving_hooks();
  stages.begin_beyond(0);
  reactions->go_on();
  reactions->tell_coming_hooks();
  report_all(reactions->coming());
  // Values that the change removed end, and their destructors may ask for changes.
  report([&] { reactions->finish(); });
}

void engine_state::report_all(const std::vector<reaction>& list) {
  if (list.empty()) return;
  reporting telling(*this);
  for (const reaction& r : list) {
    if (stages.has_ended()) break;
    telling.note(r.to->entity);
    tell(r);
  }
}

void engine_state::report(function_ref<void()> tell) {
  reporting telling(*this);
  attempt(tell, [&](std::exception_ptr thrown) { note_reaction_error(std::move(thrown)); });
}

engine_state::reporting::reporting(engine_state& s)
    : s_(s),
      waited_(std::exchange(s.stages.waits_elsewhere, true)),
      was_in_report_(std::exchange(s.in_report_, true)) {
  if (!s.stages.main.queue.empty()) outer_.swap(s.stages.main.queue);
  ++s.stages.main.defer_depth;
}

engine_state::reporting::~reporting() {
  s_.in_report_ = was_in_report_;
  --s_.stages.main.defer_depth;
  s_.stages.waits_elsewhere = waited_;
  // The mark of a world that has ended stays where it is.
  if (s_.stages.has_ended()) return;
  if (!s_.stages.main.queue.empty() || !s_.born_.entities.empty())
    attempt([&] { keep_what_waits(); },
            [&](std::exception_ptr thrown) {
              // Where memory ends, what observers asked for is dropped, and the caller hears of it.
              s_.stages.main.queue.clear();
              s_.born_ = {};
              s_.note_reaction_error(std::move(thrown));
            });
  if (!outer_.empty()) s_.stages.main.queue.swap(outer_);
}

// What observers asked for waits as one batch.
void engine_state::reporting::keep_what_waits() {
  std::vector<entity_t> way = s_.way_;
  for (std::size_t i = count_ > most_named ? count_ - most_named : 0; i < count_; ++i)
    way.push_back(told_[i % most_named]);
  if (way.size() > most_named)
    way.erase(way.begin(), way.end() - static_cast<std::ptrdiff_t>(most_named));
  if (!s_.born_.entities.empty()) {
    // The entities are there, so observers hear of them before anything else happens.
    const auto place = std::ranges::find_if(s_.waiting_, &waiting_reactions::tells_no_birth);
    s_.waiting_.insert(
        place, {{}, s_.depth_ + 1, way, std::exchange(s_.born_, core::reactions::births())});
  }
  if (!s_.stages.main.queue.empty())
    s_.waiting_.push_back({std::move(s_.stages.main.queue), s_.depth_ + 1, std::move(way), {}});
}

// --- entities that begin while changes wait ------------------------------------------------------

void engine_state::note_birth(entity_t e, bool is_chosen) {
  if (!watches_life() || in_change_ || stages.is_reading() || !stages.queueing()) return;
  born_.entities.push_back(e);
  born_.any_chosen |= is_chosen || stages.begins_beyond();
  // So that the end of the visit finds something to do.
  if (!in_report_ && stages.main.queue.empty())
    stages.queue().push({.what = command::kind::none, .entity = e});
}

void engine_state::unmake_entity(entity_t e) {
  if (!e) return;
  std::erase(born_.entities, e);
  stages.unmake_entity(e);
}

void engine_state::tell_births(const core::reactions::births& born) {
  if (born.entities.empty() || !has_observers() || stages.has_ended()) return;
  react([&] { return reactions->carry_out_births(born); });
}

void engine_state::tell(const reaction& r) {
  attempt([&] { r.to->tell(r.what, r.rows); },
          [&](std::exception_ptr thrown) { note_reaction_error(std::move(thrown)); });
}

// The caller gets the first error; the others wait in `deferred_errors`.
void engine_state::note_reaction_error(std::exception_ptr thrown) {
  if (!reaction_error_)
    reaction_error_ = std::move(thrown);
  else
    note_error(thrown, deferred_errors);
}

// --- what observers asked for --------------------------------------------------------------------

void engine_state::carry_out_reactions() {
  const stage::use using_this(stages.main);
  reacting_ = true;
  stages.waits_elsewhere = !waiting_.empty();
  while (!waiting_.empty() && !stages.has_ended()) {
    waiting_reactions batch = std::move(waiting_.front());
    waiting_.pop_front();
    if (batch.depth > max_reactions) {
      waiting_.clear();
      note_reaction_error(loop_error(batch));
      break;
    }
    depth_ = batch.depth;
    way_ = std::move(batch.observers);
    attempt([&] { tell_births(batch.born); },
            [&](std::exception_ptr thrown) { note_reaction_error(std::move(thrown)); });
    carry_out_each(batch.queue,
                   [&](std::exception_ptr thrown) { note_reaction_error(std::move(thrown)); });
  }
  if (stages.has_ended()) waiting_.clear();
  reacting_ = false;
  depth_ = 0;
  way_.clear();
  stages.waits_elsewhere = false;
  stages.release_dead();
  if (!reaction_error_) return;
  ++raised_reactions_;
  std::rethrow_exception(std::exchange(reaction_error_, nullptr));
}

std::exception_ptr engine_state::loop_error(const waiting_reactions& batch) const {
  std::vector<entity_t> named;
  for (entity_t e : batch.observers)
    if (std::ranges::find(named, e) == named.end()) named.push_back(e);
  std::string names;
  for (entity_t e : named) names += concat(names.empty() ? "" : ", ", text(e));
  return std::make_exception_ptr(
      error(errc::constraint,
            concat("reactions followed from reactions more than ", std::to_string(max_reactions),
                   " times; the rest is dropped. Observers on the way: ", names)));
}

// --- the end -------------------------------------------------------------------------------------

void engine_state::end_dead_observers() {
  for (entity_t e : std::exchange(dying_observers_, {})) {
    if (store().entities().is_alive(e)) continue;
    reactions->forget_hooks(e);
    const std::shared_ptr<watcher> gone = reactions->remove(e);
    if (!gone || !gone->yields_on_delete || stages.has_ended()) continue;
    if (auto rows = reactions->rows_of(*gone); rows->rows())
      report_all({{gone, {.event = OnRemove, .cause = event_cause::deleted}, std::move(rows)}});
  }
}

void engine_state::end_reactions() noexcept {
  if (!reactions) return;
  // Observers find the world as it is for the last time. What they ask for is dropped.
  const stages::mode mode = stages.get_mode();
  stages.set_mode(stages::mode::open);
  shell->refer_to(*this);
  ++stages.main.defer_depth;
  for (const reaction& r : reactions->all_leaving()) tell(r);
  reactions->tell_hooks_of_end();
  --stages.main.defer_depth;
  stages.set_mode(mode);
  reaction_error_ = nullptr;
  waiting_.clear();
  reactions.reset();
}

}  // namespace kith::core
