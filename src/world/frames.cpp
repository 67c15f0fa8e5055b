// A frame: time, ticks and steps.
#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include <kith/detail/error.hpp>

#include "base/scope_exit.hpp"
#include "world/live_query.hpp"
#include "world/systems.hpp"

namespace kith::core {

frames::frames(engine_state& s) : s_(s), sleepers_(s.store()) {
  change_logs& logs = s.store().logs();
  with_system_ = log_reader(logs.watch(System));
  phases_ = log_reader(logs.watch(Phase));
  depends_ = log_reader(logs.watch(make_pair_of(DependsOn, 0)));
  kinds_ = log_reader(logs.watch(make_pair_of(IsA, 0)));
  follows_ = log_reader(logs.watch(make_pair_of(With, 0)));
}

void frames::check_not_running(const char* what) const {
  s_.stages.check_open(what);
  if (in_frame_) raise(errc::constraint, what, " while a frame runs");
  if (s_.stages.queueing()) raise(errc::constraint, what, " while the world is deferred");
}

void frames::note_error(std::exception_ptr thrown) {
  if (!thrown) return;
  if (!error_)
    error_ = std::move(thrown);
  else
    core::note_error(thrown, s_.deferred_errors);
}

// --- time ----------------------------------------------------------------------------------------

double frames::begin_frame(double delta_time) {
  using steady = std::chrono::steady_clock;
  if (delta_time == 0) {
    const std::chrono::duration<double> shortest(clock.target_fps > 0 ? 1 / clock.target_fps : 0);
    timepoint now = steady::now();
    if (has_measured_ && now - frame_began_ < shortest) {
      std::this_thread::sleep_until(frame_began_ +
                                    std::chrono::duration_cast<steady::duration>(shortest));
      now = steady::now();
    }
    constexpr double usual_frame = 1.0 / 60;
    delta_time = has_measured_          ? std::chrono::duration<double>(now - frame_began_).count()
                 : shortest.count() > 0 ? shortest.count()
                                        : usual_frame;
    frame_began_ = now;
    has_measured_ = true;
  }
  clock.delta_time = delta_time * clock.time_scale;
  clock.seconds += clock.delta_time;
  ++clock.frames;
  return clock.delta_time;
}

void frames::begin_round(double seconds) {
  ++round_;
  time_before_ = time_;
  round_time_ = seconds;
  time_ += seconds;
}

bool frames::happens(ticking& t) {
  if (t.round == round_) return t.happened;
  t.round = round_;
  bool source_happened = true;
  if (const entity_t source = t.tick.desc().source) {
    if (const auto timer = timers_.find(source); timer != timers_.end())
      source_happened = !is_off(source) && happens(*timer->second);
    else if (const auto system = systems_.find(source); system != systems_.end())
      source_happened = !is_off(source) && happens(*system->second) &&
                        (system->second->desc.phase || !system->second->tick.is_always() ||
                         system->second->run_by_hand == round_);
    else
      source_happened = false;
    source_happened = source_happened && s_.is_alive(source);
  }
  return t.happened = t.tick.advance(round_time_, source_happened);
}

// --- frames --------------------------------------------------------------------------------------

bool frames::progress(double delta_time) {
  check_not_running("a frame cannot begin");
  if (!(delta_time >= 0) || std::isinf(delta_time))
    raise(errc::out_of_range, "the time of a frame is a number of seconds, not ",
          std::to_string(delta_time));
  if (pipeline_ && !s_.is_alive(pipeline_)) pipeline_ = 0;
  // A contradiction among systems is found before anything happens.
  plan_of(pipeline_);
  begin_round(begin_frame(delta_time));
  for (const auto& [e, timer] : timers_)
    if (s_.is_alive(e) && !is_off(e)) happens(*timer);
  if (trace_path_) trace_ = std::make_unique<frame_trace>(*std::exchange(trace_path_, {}));
  const timepoint began = watches_time() ? run_record::clock::now() : timepoint();
  if (!run_plan(pipeline_)) stages::raise_ended();
  if (trace_) {
    const std::unique_ptr<frame_trace> done = std::move(trace_);
    done->add(concat("frame ", std::to_string(clock.frames)), "frame", began,
              run_record::clock::now());
    attempt([&] { done->write(); }, [&](std::exception_ptr thrown) { note_error(thrown); });
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return !clock.quits;
}

void frames::run_pipeline(entity_t e, double delta_time) {
  check_not_running("a pipeline cannot run");
  if (!(delta_time >= 0) || std::isinf(delta_time))
    raise(errc::out_of_range, "the time of a frame is a number of seconds, not ",
          std::to_string(delta_time));
  plan_of(e);
  const double before = clock.delta_time;
  if (delta_time > 0) clock.delta_time = delta_time;
  begin_round(clock.delta_time);
  if (!run_plan(e)) stages::raise_ended();
  clock.delta_time = before;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

bool frames::run_plan(entity_t pipeline) {
  {
    const stage::use using_this(s_.stages.main);
    in_frame_ = true;
    frame_ends_ = false;
    scope_exit end([&] { in_frame_ = false; });
    std::shared_ptr<pipeline_plan> plan = plan_of(pipeline);
    std::size_t at = 0;  // the place of the next system
    while (!frame_ends_ && !s_.stages.has_ended()) {
      const std::vector<std::size_t>& places = awake(*plan);
      const auto next = std::ranges::lower_bound(places, at);
      if (next == places.end()) break;
      const frame_plan::step& now = plan->steps.steps[plan->step_of[*next]];
      run_step(*plan, now, *next);
      at = now.first + now.count;
      if (frame_ends_ || s_.stages.has_ended() || is_plan_current(*plan, pipeline)) continue;
      attempt(
          [&] {
            const std::shared_ptr<pipeline_plan> made = plan_of(pipeline);
            at = place_after(*plan, at, *made);
            plan = made;
          },
          [&](std::exception_ptr thrown) {
            note_error(std::move(thrown));
            frame_ends_ = true;
          });
    }
  }
  if (!s_.stages.has_ended()) return true;
  s_.finish_visit_quietly();
  return false;
}

bool frames::is_plan_current(const pipeline_plan& p, entity_t pipeline) {
  notice_changes();
  return is_current(p, pipeline);
}

// Where to go on in a new plan: behind the last system before `at` that is still in its phase.
std::size_t frames::place_after(const pipeline_plan& old, std::size_t at,
                                const pipeline_plan& next) {
  while (at-- > 0) {
    const placed& before = old.order[at];
    const auto same = std::ranges::find(next.order, before.system, &placed::system);
    if (same != next.order.end() && next.phase_of(*same) == old.phase_of(before))
      return static_cast<std::size_t>(same - next.order.begin()) + 1;
  }
  return 0;
}

}  // namespace kith::core
