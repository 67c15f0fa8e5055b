// One step of a frame: the systems between two points at which queued changes are carried out.
//
// A step of one system runs on this thread, and its changes wait as those of any visit do. A step
// of several systems, or of several parts of the rows of one, is cut into units: the rows of each
// are found before the step, several threads may carry units out, and then their changes are
// carried out in the order of the units. What is a unit depends on rows alone, so the world after
// the step does not depend on threads.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/scope_exit.hpp"
#include "world/live_query.hpp"
#include "world/systems.hpp"

namespace kith::core {

// --- whose turn it is ----------------------------------------------------------------------------

// Is an entity, or what it is a part of, disabled?
bool frames::is_off(entity_t e) const {
  for (entity_t at = e; at && s_.is_alive(at); at = s_.shell->parent(at))
    if (s_.sees(at, Disabled)) return true;
  return false;
}

void frames::find_phases_that_are_off(const pipeline_plan& p) {
  const id_record* const disabled = s_.store().ids().find(Disabled);
  any_off_ = disabled && s_.store().count(*disabled);
  if (!any_off_) return;
  phase_is_off_.assign(p.phases.size(), false);
  for (std::size_t n = 0; n < p.phases.size(); ++n)
    phase_is_off_[n] = is_off(p.phases[n].entity) ||
                       std::ranges::any_of(p.phases[n].needs, [&](std::size_t other) {
                         // What is said of a built-in phase is about this one alone.
                         return phase_is_off_[other] && !is_builtin(p.phases[n].entity);
                       });
}

bool frames::is_due(const pipeline_plan& p, const placed& o) {
  running_system& s = *o.system;
  if (!s_.store().entities().is_alive(s.entity)) return false;
  if (any_off_ && (is_off(s.entity) || (o.phase && phase_is_off_[o.phase - 1]))) return false;
  if (p.phase_of(o) == OnStart && s.has_started) return false;
  if (!s.tick.is_always() && !happens(s)) return false;
  if (!s.desc.run_if) return true;
  bool holds = false;
  attempt([&] { holds = s.desc.run_if(); },
          [&](std::exception_ptr thrown) {
            note_error(std::move(thrown));
            frame_ends_ = true;
          });
  return holds && !s_.stages.has_ended();
}

run_info frames::info_for(const running_system& s, double delta_system_time, void* param) const {
  return {.system = s.entity,
          .delta_time = clock.delta_time,
          .delta_system_time = delta_system_time,
          .ctx = s.desc.ctx,
          .param = param,
          .found = nullptr};
}

// Its query had no rows, and nothing has changed since.
bool frames::finds_nothing(const running_system& s) const {
  return s.empty_at && s.empty_at == s_.store().version() && !s.desc.visits_once;
}

void frames::note_run(running_system& s, timepoint begin, timepoint end, std::uint64_t rows) {
  if (s_.measures) s.record.add(end, std::chrono::duration<double>(end - begin).count(), rows);
  if (trace_) trace_->add(name_of(s.entity), "system", begin, end, rows);
}

// --- a step --------------------------------------------------------------------------------------

void frames::run_step(pipeline_plan& p, const frame_plan::step& step, std::size_t from) {
  due_.clear();
  find_phases_that_are_off(p);
  if (any_failed_ || has_failed_.size() != p.order.size())
    has_failed_ = std::vector<std::atomic<bool>>(p.order.size());
  any_failed_ = false;
  const std::vector<std::size_t>& places = p.awake;
  for (auto place = std::ranges::lower_bound(places, from);
       place != places.end() && *place < step.first + step.count; ++place) {
    const std::size_t n = *place;
    const placed& at = p.order[n];
    // In a frame whose plan was made anew, some have had their turn.
    if (std::exchange(at.system->turn, round_) == round_) continue;
    if (!is_due(p, at)) {
      if (frame_ends_) return;
      continue;
    }
    running_system& s = *at.system;
    const double since = time_ - s.ran_at;
    s.ran_at = time_;
    s.has_started = s.has_started || p.phase_of(at) == OnStart;
    if (finds_nothing(s)) {
      note_rows(s, 0, s.empty_at);
      continue;
    }
    due_.push_back({at.system, since, n});
  }
  if (due_.empty()) return;
  if (due_.size() == 1 && !shares_rows(*due_.front().of)) {
    run_alone(due_.front());
    return;
  }
  // What only writes values needs no stages of its own.
  const auto queues = [](const due_system& d) {
    return d.of->what.queues != access::queue::nothing;
  };
  if (threads() == 1 && std::ranges::none_of(due_, queues)) {
    for (const due_system& d : due_) {
      const bool has_run = !follows_a_failure(p.steps, d.place) && run_alone(d);
      if (s_.stages.has_ended()) return;
      if (has_run) continue;
      note_failure(d.place);
      // In units its query would have found all rows. What it keeps of them is the same here.
      attempt([&] { find_rows(*d.of); },
              [&](std::exception_ptr thrown) { note_error(std::move(thrown)); });
    }
    return;
  }
  run_in_units(p, step);
}

// False: it has failed.
bool frames::run_alone(const due_system& d) {
  const system_ptr kept = d.of;
  run_info info = info_for(*kept, d.delta_system_time, nullptr);
  bool has_failed = false;
  note_error(run_and_settle(*kept, info, has_failed));
  frame_ends_ = frame_ends_ || has_failed;
  return !has_failed;
}

// --- on this thread ------------------------------------------------------------------------------

void frames::run_here(running_system& s, run_info& info) {
  if (s.desc.immediate) {
    query_run run(s.query, query_run::one_by_one(), info);
    s.desc.visit(run);
    if (!run.is_over()) run.end();
  } else {
    const std::uint64_t before = s_.store().version();
    query_run run(s.query, s.desc.use, info);
    s.desc.visit(run);
    if (!run.is_over()) run.end();
    note_rows(s, info.rows, before);
  }
}

// Runs a system, and carries out what it queued unless the world is deferred. Returns the first
// error.
std::exception_ptr frames::run_and_settle(running_system& s, run_info& info, bool& has_failed) {
  engine_state& state = s_;
  stage& main = state.stages.main;
  const stage::use using_this(main);
  const bool watches = watches_time();
  const timepoint began = watches ? run_record::clock::now() : timepoint();
  std::exception_ptr thrown;
  const std::size_t waited = main.queue.size();
  {
    const std::shared_ptr<const command_gate> gate = s.gate;
    const stages::gate_scope scope(state.stages, gate.get());
    if (!s.desc.immediate) ++main.defer_depth;
    attempt([&] { run_here(s, info); }, [&](std::exception_ptr e) { thrown = std::move(e); });
    if (!s.desc.immediate) --main.defer_depth;
  }
  has_failed = thrown != nullptr;
  if (state.stages.has_ended()) return thrown;
  if (watches) note_run(s, began, run_record::clock::now(), info.rows);
  if (thrown) {
    if (main.queue.size() > waited) state.stages.truncate_queue(waited);
  }
  if (main.queue.empty() || state.stages.queueing()) return thrown;
  std::exception_ptr failed = state.settle_all();
  if (!thrown) return failed;
  if (failed) core::note_error(failed, state.deferred_errors);
  return thrown;
}

void frames::run(entity_t e, double delta_time, void* param) {
  s_.stages.check_open("a system cannot be run");
  system_of(e);
  const system_ptr s = systems_.find(e)->second;
  s->run_by_hand = round_;
  run_info info = info_for(*s, delta_time > 0 ? delta_time : clock.delta_time, param);
  info.delta_time = info.delta_system_time;
  std::exception_ptr thrown;
  {
    const stage::use using_this(s_.stages.main);
    bool has_failed = false;
    thrown = run_and_settle(*s, info, has_failed);
  }
  if (s_.stages.has_ended()) {
    s_.finish_visit_quietly();
    stages::raise_ended();
  }
  if (thrown) std::rethrow_exception(thrown);
}

frames::obstacle frames::keeps_rows_together(const running_system& s) {
  if (s.desc.visits_once || s.is_task) return {"it runs once for all"};
  if (s.desc.immediate) return {"it changes the world at once"};
  if (s.desc.query.detect_changes) return {"it asks which rows have changed"};
  if (!s.query->prepared.checked()->uses_this) return {"its rows are about no $this"};
  if (const auto id = value_of_several_rows(s.what)) return {"rows share a value of ", *id};
  return {};
}

// --- in units ------------------------------------------------------------------------------------

query_piece frames::find_rows(const running_system& s) {
  const deferral waiting(s_);
  std::unique_ptr<result_cursor> cursor = s.query->take_cursor();
  cursor->begin(query_bindings(), query_use::batches, s_.stages.main.meaning, nullptr);
  query_piece all = cursor->find_all();
  s.query->give_back(std::move(cursor));
  return all;
}

// Finds the rows of a system, and shares them among units.
void frames::find_units(due_system& d) {
  running_system& s = *d.of;
  d.first_unit = units_.size();
  const query_piece all = find_rows(s);
  std::vector<query_piece> pieces;
  if (shares_rows(s))
    pieces = split(all, s.what.exposed_fields);
  else if (all.count || s.desc.visits_once)
    pieces.push_back(all);
  for (query_piece& piece : pieces)
    units_.push_back({.of = &s,
                      .place = d.place,
                      .piece = std::move(piece),
                      .info = info_for(s, d.delta_system_time, nullptr)});
  d.unit_count = units_.size() - d.first_unit;
}

// Sets ids aside for each unit that may make entities: as many as it has made at most, so far.
void frames::promise_ids() {
  const entity_index& entities = s_.store().entities();
  const auto wanted = [](const due_system& d, std::size_t n) {
    return n < d.of->made.size() ? d.of->made[n] : 0;
  };
  std::size_t count = 0;
  for (const due_system& d : due_)
    for (std::size_t n = 0; n < d.unit_count; ++n) count += wanted(d, n);
  const std::vector<entity_t> ids = entities.next_ids(count);
  std::uint64_t beyond = entities.limit();
  for (entity_t e : ids) beyond = std::max<std::uint64_t>(beyond, index_of(e) + 1);
  const auto makes = [](const unit& u) { return !u.of->gate || u.of->gate->may_create(); };
  const auto makers = static_cast<std::uint64_t>(std::ranges::count_if(units_, makes));
  std::uint64_t maker = 0;
  auto next = ids.begin();
  for (const due_system& d : due_)
    for (std::size_t n = 0; n < d.unit_count; ++n) {
      unit& u = units_[d.first_unit + n];
      if (!makes(u)) continue;
      const auto left = static_cast<std::size_t>(ids.end() - next);
      const auto last =
          next + static_cast<std::ptrdiff_t>(std::min<std::size_t>(wanted(d, n), left));
      u.work.promised = promised_ids({next, last}, {beyond, makers, maker++});
      next = last;
    }
}

// Has a system failed for which this one waits?
bool frames::follows_a_failure(const frame_plan& plan, std::size_t place) const {
  if (!any_failed_) return false;
  std::vector<std::size_t> open{place};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    auto edge = std::ranges::lower_bound(plan.edges, at, {}, &frame_plan::edge::to);
    for (; edge != plan.edges.end() && edge->to == at; ++edge) {
      if (has_failed_[edge->from]) return true;
      open.push_back(edge->from);
    }
  }
  return false;
}

void frames::note_failure(std::size_t place) {
  has_failed_[place] = true;
  any_failed_ = true;
}

void frames::run_unit(const pipeline_plan& p, unit& u) {
  const timepoint began = watches_time() ? run_record::clock::now() : timepoint();
  u.has_run = true;
  attempt(
      [&] {
        u.is_left_out = follows_a_failure(p.steps, u.place);
        if (u.is_left_out) return;
        const stages::unit_scope scope(s_.stages, u.work, u.of->gate.get());
        query_run run(u.of->query, u.piece, u.of->desc.use, u.info);
        u.of->desc.visit(run);
        if (!run.is_over()) run.end();
        if (!watches_time()) return;
        u.began = began;
        u.ended = run_record::clock::now();
        if (trace_) trace_->add(name_of(u.of->entity), "system", u.began, u.ended, u.info.rows);
      },
      [&](std::exception_ptr thrown) {
        u.thrown = std::move(thrown);
        note_failure(u.place);
      });
}

// A task for each unit, and one behind those of each system, for which others wait.
task_graph frames::graph_of(const pipeline_plan& p, const frame_plan::step& step) {
  task_graph graph;
  std::vector<std::size_t> task_units;  // of each task; none: of a system that has ended
  constexpr std::size_t none = ~std::size_t{0};
  const auto add_task = [&](std::size_t of) {
    graph.next.emplace_back();
    graph.waits_for.push_back(0);
    task_units.push_back(of);
    return static_cast<std::uint32_t>(task_units.size() - 1);
  };
  const auto add_edge = [&](std::uint32_t from, std::uint32_t to) {
    graph.next[from].push_back(to);
    ++graph.waits_for[to];
  };
  std::vector<std::uint32_t> ends;  // by place in the step
  auto due = due_.begin();
  auto edge = std::ranges::lower_bound(p.steps.edges, step.first, {}, &frame_plan::edge::to);
  for (std::size_t n = step.first; n < step.first + step.count; ++n) {
    std::vector<std::uint32_t> tasks;
    if (due != due_.end() && due->place == n) {
      for (std::size_t u = 0; u < due->unit_count; ++u)
        tasks.push_back(add_task(due->first_unit + u));
      ++due;
    }
    const bool is_one = tasks.size() == 1;
    const std::uint32_t end = is_one ? tasks.front() : add_task(none);
    if (!is_one)
      for (std::uint32_t t : tasks) add_edge(t, end);
    for (; edge != p.steps.edges.end() && edge->to == n; ++edge) {
      const std::uint32_t before = ends[edge->from - step.first];
      if (tasks.empty()) add_edge(before, end);
      for (std::uint32_t t : tasks) add_edge(before, t);
    }
    ends.push_back(end);
  }
  graph.run = [this, &p, task_units = std::move(task_units)](std::size_t task) {
    if (task_units[task] != none) run_unit(p, units_[task_units[task]]);
  };
  return graph;
}

// Few rows are not worth the way to another thread, unless the system says that they are.
bool frames::is_worth_sharing() const {
  constexpr std::size_t few_rows = 256;
  std::size_t rows = 0;
  for (const unit& u : units_) {
    if (u.of->desc.multi_threaded || u.of->desc.visits_once) return true;
    rows += u.piece.count;
  }
  return rows >= few_rows;
}

void frames::run_in_units(const pipeline_plan& p, const frame_plan::step& step) {
  units_.clear();
  const stage::use using_this(s_.stages.main);
  attempt(
      [&] {
        for (due_system& d : due_) find_units(d);
        if (units_.empty()) return;
        promise_ids();
        for (due_system& d : due_) d.of->made.resize(std::max(d.of->made.size(), d.unit_count));
        works_.clear();
        works_.reserve(units_.size());
        const bool shares = threads() > 1 && units_.size() > 1 && is_worth_sharing();
        const task_graph graph = shares ? graph_of(p, step) : task_graph();
        s_.stages.begin_reading();
        // An executor of the user may fail, too.
        attempt(
            [&] {
              if (shares)
                with_->run_graph(graph);
              else
                for (unit& u : units_) run_unit(p, u);
            },
            [&](std::exception_ptr thrown) {
              note_error(std::move(thrown));
              frame_ends_ = true;
            });
        merge();
      },
      [&](std::exception_ptr thrown) {
        note_error(std::move(thrown));
        frame_ends_ = true;
      });
  units_.clear();
}

void frames::merge() {
  for (due_system& d : due_) {
    running_system& s = *d.of;
    const std::span<unit> own(units_.data() + d.first_unit, d.unit_count);
    std::uint64_t rows = 0;
    std::exception_ptr first;
    std::chrono::duration<double> seconds{};
    for (std::size_t n = 0; n < own.size(); ++n) {
      unit& u = own[n];
      rows += u.info.rows;
      seconds += u.ended - u.began;
      if (u.thrown && !first) first = std::move(u.thrown);
      const auto made = static_cast<std::uint32_t>(u.work.promised.all().size());
      // Ids that a unit does not need any more are not set aside for ever.
      std::uint32_t& usual = s.made[n];
      if (made > usual)
        usual = made + made / 4 + 4;
      else if (made < usual / 2)
        usual -= usual / 4 + 1;
    }
    if (s_.measures && !own.empty()) s.record.add(own.back().ended, seconds.count(), rows);
    const bool has_run = std::ranges::all_of(own, &unit::has_run);
    if (!first && std::ranges::any_of(own, &unit::is_left_out)) continue;
    if (!first && has_run) {
      note_rows(s, rows, s_.store().version());
      for (unit& u : own) works_.push_back(&u.work);
      continue;
    }
    // What the system has queued is dropped.
    if (!first && !error_)
      attempt([] { raise(errc::constraint, "the executor has not carried out all tasks"); },
              [&](std::exception_ptr thrown) { first = std::move(thrown); });
    note_error(std::move(first));
    frame_ends_ = true;
  }
  note_error(s_.end_reading(works_));
}

}  // namespace kith::core
