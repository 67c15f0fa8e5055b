// Systems, timers and pipelines: made from a description, and asked what they are.
#include "world/systems.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <kith/detail/error.hpp>

#include "base/scope_exit.hpp"
#include "world/live_query.hpp"

namespace kith::core {

frames& engine_state::begin_frames() {
  stages.check_not_ended();
  if (!frames) frames = std::make_unique<class frames>(*this);
  return *frames;
}

namespace {

frames& frames_of(engine& world) { return world.state().begin_frames(); }

void check_seconds(double seconds, const char* what) {
  if (!(seconds >= 0) || std::isinf(seconds))
    raise(errc::out_of_range, what, " is a number of seconds, not ", std::to_string(seconds));
}

}  // namespace

// --- systems -------------------------------------------------------------------------------------

entity_t make_system(engine& world, const system_desc& desc) {
  return frames_of(world).make_system(desc);
}

entity_t frames::make_system(const system_desc& desc) {
  s_.stages.check_open("a system cannot be made");
  check_tick(0, desc.tick);
  for (entity_t other : desc.before) system_of(other);
  for (entity_t other : desc.after) system_of(other);
  if (desc.phase) s_.alive(desc.phase);
  if (desc.queues_nothing && !desc.writes.empty())
    raise(errc::constraint, "a system that queues nothing declares no write");
  auto made = std::make_shared<running_system>();
  made->desc = desc;
  const auto declare = [&](const std::vector<id_t>& ids, std::vector<declared_id>& out) {
    for (id_t id : ids) {
      s_.check_known(id);
      out.push_back(is_pair(id) ? declared_id{id, s_.shell->alive_at(relation_of(id)),
                                              s_.shell->alive_at(target_of(id))}
                                : declared_id{id, id, id});
    }
  };
  declare(desc.reads, made->reads);
  declare(desc.writes, made->writes);
  query_desc query = desc.query;
  // A task has one result.
  made->is_task = query.terms.empty() && (!query.expr || query.expr->empty());
  if (made->is_task) query.expr = "::kith.scheduling.Phase(::kith.scheduling.OnUpdate)";
  made->query = make_query(*s_.shell, query);
  const checked_query& checked = *made->query->prepared.checked();
  if (!checked.parameters.empty())
    raise(errc::constraint, "the query of a system has no parameters, but this one has @",
          checked.slots[checked.parameters[0]].name);
  // Whether results are kept must not depend on which of two systems with the same query began
  // first.
  made->query->use_often();

  const std::size_t count = s_.store().entities().size();
  const entity_t e = desc.name.empty() ? s_.shell->create() : s_.shell->create_named(desc.name);
  if (systems_.contains(e) && is_system(e))
    raise(errc::constraint, s_.text(e), " is a system already");
  // Where something is wrong, nothing is left.
  const bool is_new = s_.store().entities().size() != count;
  scope_exit undo([&] {
    systems_.erase(e);
    attempt(
        [&] {
          if (is_new)
            s_.shell->destroy(e);
          else
            s_.shell->remove(e, System);
        },
        [](const std::exception_ptr&) {});
  });
  made->entity = e;
  made->number = ++last_number_;
  made->ran_at = time_;
  if (systems_.size() >= forget_at_) {
    forget_dead();
    forget_at_ = 2 * systems_.size() + 64;
  }
  made->tick = tick(desc.tick);
  systems_[e] = made;
  s_.shell->add(e, System);
  if (desc.phase) {
    s_.shell->add(e, s_.shell->pair(DependsOn, desc.phase));
    s_.shell->add(e, desc.phase);
  }
  planned(*made, 0);
  ++changes_;
  undo.dismiss();
  return e;
}

running_system& frames::system_of(entity_t e) {
  s_.alive(e);
  const auto known = systems_.find(e);
  if (known == systems_.end() || !is_system(e))
    raise(errc::constraint, s_.text(e), " is no system");
  return *known->second;
}

void run_system(engine& world, entity_t system, double delta_time, void* param) {
  check_seconds(delta_time, "the time of a system");
  frames_of(world).run(system, delta_time, param);
}

query_ptr query_of_system(engine& world, entity_t system) {
  return frames_of(world).system_of(system).query;
}

void* context_of(engine& world, entity_t system) {
  return frames_of(world).system_of(system).desc.ctx;
}

void set_context(engine& world, entity_t system, void* ctx) {
  world.state().stages.check_open("the context of a system cannot be changed");
  frames_of(world).system_of(system).desc.ctx = ctx;
}

run_statistics statistics_of(engine& world, entity_t system) {
  return frames_of(world).statistics_of(system);
}

// --- timers --------------------------------------------------------------------------------------

entity_t make_timer(engine& world, std::string_view name) {
  frames& all = frames_of(world);
  world.state().stages.check_open("a timer cannot be made");
  const entity_t e = name.empty() ? world.create() : world.create_named(name);
  all.make_timer(e);
  world.add(e, Timer);
  return e;
}

void frames::make_timer(entity_t e) {
  if (timers_.contains(e)) return;
  if (systems_.contains(e)) raise(errc::constraint, s_.text(e), " is a system, and no timer");
  auto made = std::make_shared<ticking>();
  made->entity = e;
  timers_[e] = std::move(made);
}

ticking* frames::find_ticking(entity_t e) const {
  if (const auto timer = timers_.find(e); timer != timers_.end()) return timer->second.get();
  const auto system = systems_.find(e);
  return system == systems_.end() ? nullptr : system->second.get();
}

ticking& frames::ticking_of(entity_t e) {
  s_.alive(e);
  ticking* const found = find_ticking(e);
  if (!found) raise(errc::constraint, s_.text(e), " is no timer and no system");
  return *found;
}

void frames::check_tick(entity_t e, const tick_desc& desc) {
  check_seconds(desc.seconds, "an interval");
  if (desc.source) ticking_of(desc.source);
  for (entity_t at = desc.source; at;) {
    if (at == e) raise(errc::constraint, s_.text(e), " waits for itself");
    const ticking* source = find_ticking(at);
    at = source ? source->tick.desc().source : 0;
  }
}

void frames::set_tick(entity_t e, const tick_desc& desc) {
  ticking& t = ticking_of(e);
  check_tick(e, desc);
  if (const auto system = systems_.find(e); system != systems_.end())
    if (std::exchange(system->second->sleeps, false)) ++sleep_changes_;
  // One that has been stopped waits for `start`; one that has happened once begins anew.
  const bool waits = !t.tick.runs() && !t.tick.desc().is_once;
  t.tick = tick(desc);
  if (waits) t.tick.stop();
}

tick_desc tick_of(engine& world, entity_t e) { return frames_of(world).ticking_of(e).tick.desc(); }

void set_tick(engine& world, entity_t e, const tick_desc& tick) {
  world.state().stages.check_open("a timer cannot be changed");
  frames_of(world).set_tick(e, tick);
}

void start_timer(engine& world, entity_t e) {
  world.state().stages.check_open("a timer cannot be started");
  frames_of(world).ticking_of(e).tick.start();
}

void stop_timer(engine& world, entity_t e) {
  world.state().stages.check_open("a timer cannot be stopped");
  frames_of(world).ticking_of(e).tick.stop();
}

// --- pipelines -----------------------------------------------------------------------------------

entity_t make_pipeline(engine& world, std::string_view name, const query_desc& desc) {
  frames& all = frames_of(world);
  world.state().stages.check_open("a pipeline cannot be made");
  query_ptr q = make_query(world, desc);
  if (!has_this(*q))
    raise(errc::constraint,
          "the query of a pipeline finds systems, but this one is about no $this");
  const entity_t e = name.empty() ? world.create() : world.create_named(name);
  world.add(e, Pipeline);
  all.make_pipeline(e, std::move(q));
  return e;
}

void frames::make_pipeline(entity_t e, query_ptr q) {
  pipelines_[e] = std::move(q);
  ++changes_;
}

void set_pipeline(engine& world, entity_t pipeline) { frames_of(world).set_pipeline(pipeline); }

void frames::set_pipeline(entity_t e) {
  check_not_running("the pipeline cannot be changed");
  if (e) {
    s_.alive(e);
    if (!pipelines_.contains(e)) raise(errc::constraint, s_.text(e), " is no pipeline");
  }
  pipeline_ = e;
}

entity_t get_pipeline(engine& world) { return frames_of(world).pipeline(); }

void run_pipeline(engine& world, entity_t pipeline, double delta_time) {
  frames_of(world).run_pipeline(pipeline, delta_time);
}

schedule schedule_of(engine& world, entity_t pipeline) {
  world.state().stages.check_open("the schedule cannot be asked for");
  frames& all = frames_of(world);
  return all.describe(pipeline ? pipeline : all.pipeline());
}

// --- frames --------------------------------------------------------------------------------------

bool progress(engine& world, double delta_time) { return frames_of(world).progress(delta_time); }

const frame_clock& clock_of(const engine& world) {
  static const frame_clock before_all;
  const std::unique_ptr<frames>& all = world.state().frames;
  return all ? all->clock : before_all;
}

double delta_of_frame(const engine& world) { return clock_of(world).delta_time; }

void set_time_scale(engine& world, double scale) {
  if (!(scale >= 0) || std::isinf(scale))
    raise(errc::out_of_range, "time cannot pass ", std::to_string(scale), " times as fast");
  world.state().stages.check_open("the time scale cannot be changed");
  frames_of(world).clock.time_scale = scale;
}

void set_target_fps(engine& world, double fps) {
  if (!(fps >= 0) || std::isinf(fps))
    raise(errc::out_of_range, "there cannot be ", std::to_string(fps), " frames in a second");
  world.state().stages.check_open("the frame rate cannot be changed");
  frames_of(world).clock.target_fps = fps;
}

void quit(engine& world) { frames_of(world).clock.quits.store(true, std::memory_order_relaxed); }

void frames::set_threads(unsigned n) {
  check_not_running("the threads cannot be changed");
  if (n == 0) raise(errc::out_of_range, "at least one thread runs systems");
  std::unique_ptr<executor> made = n > 1 ? make_executor(n) : nullptr;
  own_executor_ = std::move(made);
  with_ = own_executor_.get();
}

void frames::set_executor(executor* with) {
  check_not_running("the executor cannot be changed");
  own_executor_.reset();
  with_ = with;
}

void set_threads(engine& world, unsigned threads) { frames_of(world).set_threads(threads); }

unsigned get_threads(const engine& world) {
  const std::unique_ptr<frames>& all = world.state().frames;
  return all ? all->threads() : 1;
}

void set_executor(engine& world, executor* with) { frames_of(world).set_executor(with); }

void measure(engine& world, bool on) {
  world.state().stages.check_open("measuring cannot begin or end");
  world.state().measures = on;
}

void trace_next_frame(engine& world, std::string path) {
  if (path.empty()) raise(errc::out_of_range, "the file of a trace has a name");
  world.state().stages.check_open("a trace cannot be asked for");
  frames_of(world).trace(std::move(path));
}

}  // namespace kith::core
