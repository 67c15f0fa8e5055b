// Queries with a function and a place in the frame.
//
//     world.system<Position, const Velocity>("Move")
//         .kind(kith::OnUpdate)
//         .each([](kith::delta_time dt, Position& p, const Velocity& v) { p.x += v.x * dt; });
//     while (world.progress()) {
//     }
//
// A frame runs the systems of each phase, one after the other: phases in their order, and systems
// of a phase in the order in which they were made, unless `before` or `after` says otherwise. What
// a system changes waits and is carried out before the next one that may see it. Systems that have
// nothing in common may run at the same time; the result is the same.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <kith/detail/system_desc.hpp>
#include <kith/query_builder.hpp>

namespace kith {

// The scaled time of the frame in seconds: the first argument of a callback that wants it.
struct delta_time {
  float seconds = 0;
  operator float() const { return seconds; }
};

namespace core {

// A null handle is a mistake.
inline entity_t given(const engine& world, id_arg e) {
  if (!e.raw) raise(errc::not_alive, "no entity was given");
  return e.in(world);
}

}  // namespace core

// An entity that says when something happens: `.tick_source(timer)`.
class timer : public entity {
 public:
  timer() = default;
  timer(core::engine* world, entity_t e) : entity(world, e) {}

  // Every so many seconds.
  timer interval(float seconds) const { return tick({.seconds = seconds}); }
  float interval() const { return static_cast<float>(core::tick_of(here(), id()).seconds); }
  // Once, after so many seconds.
  timer timeout(float seconds) const { return tick({.seconds = seconds, .is_once = true}); }
  float timeout() const { return interval(); }
  // Every so many frames, or times that the source happens.
  timer rate(std::uint32_t times) const { return tick({.rate = times}); }
  timer rate(std::uint32_t times, core::id_arg source) const {
    return tick({.rate = times, .source = core::given(here(), source)});
  }
  // From the beginning.
  timer start() const {
    core::start_timer(here(), id());
    return *this;
  }
  timer stop() const {
    core::stop_timer(here(), id());
    return *this;
  }

 private:
  timer tick(const core::tick_desc& desc) const {
    core::set_tick(here(), id(), desc);
    return *this;
  }
};

// The entity of a system. `disable()` switches it off, and `destruct()` ends it.
class system : public entity {
 public:
  system() = default;
  system(core::engine* world, entity_t e) : entity(world, e) {}

  // Runs it now, on this thread, also if it is disabled. Its changes are carried out at the end.
  void run(float seconds = 0, void* argument = nullptr) const {
    core::run_system(here(), id(), static_cast<double>(seconds), argument);
  }
  // Every so many seconds; 0: each time.
  system interval(float seconds) const { return tick({.seconds = seconds}); }
  float interval() const { return static_cast<float>(core::tick_of(here(), id()).seconds); }
  // Every so many frames, or times that the source happens.
  system rate(std::uint32_t times) const { return tick({.rate = times}); }
  system rate(std::uint32_t times, core::id_arg source) const {
    return tick({.rate = times, .source = core::given(here(), source)});
  }
  // Each time that a timer or another system does.
  system tick_source(core::id_arg source) const {
    return tick({.source = core::given(here(), source)});
  }
  void* ctx() const { return core::context_of(here(), id()); }
  system ctx(void* context) const {
    core::set_context(here(), id(), context);
    return *this;
  }
  // The query whose rows the system visits.
  kith::query<> query() const { return kith::query<>(core::query_of_system(here(), id())); }
  // What it has done since `world.measure()`.
  run_statistics statistics() const { return core::statistics_of(here(), id()); }

 private:
  system tick(const core::tick_desc& desc) const {
    core::set_tick(here(), id(), desc);
    return *this;
  }
};

namespace core {

// A callback whose first argument is the time of the frame, as one without it.
template <class Function>
struct timed_callback {
  Function& function;
  delta_time time;

  template <class... Arguments>
  requires(std::is_invocable_v<Function&, delta_time, Arguments...>) void operator()(
      Arguments&&... arguments) {
    function(time, std::forward<Arguments>(arguments)...);
  }
};

template <class Function, class... Ts>
inline constexpr bool takes_values_alone =
    takes_rows<Function, Ts...> ||
    (!takes_entity<Function, Ts...> && !takes_iter<Function, Ts...> &&
     std::is_invocable_v<Function&, row_value<typename term_type<Ts>::value>...>);

}  // namespace core

template <class... Ts>
class system_builder : public term_builder<system_builder<Ts...>, Ts...> {
 public:
  system_builder(core::engine& world, core::text_arg name)
      : term_builder<system_builder<Ts...>, Ts...>(world) {
    desc_.name = name;
    desc_.phase = OnUpdate;
    desc_.typed = sizeof...(Ts);
  }

  // --- when ---

  // Its phase: OnUpdate unless said otherwise; 0: it runs only when `run()` is called.
  system_builder& kind(core::id_arg phase) {
    desc_.phase = phase.in(this->world());
    return *this;
  }
  system_builder& kind(const kith::id& phase) {
    return kind(core::id_arg(core::given(this->world(), phase)));
  }
  template <class Phase>
  system_builder& kind() {
    return kind(core::id_arg(core::id_of<Phase>(this->world())));
  }
  // In its phase it runs before, or after, another system.
  system_builder& before(core::id_arg system) {
    desc_.before.push_back(system.in(this->world()));
    return *this;
  }
  system_builder& after(core::id_arg system) {
    desc_.after.push_back(system.in(this->world()));
    return *this;
  }
  // Every so many seconds.
  system_builder& interval(float seconds) {
    desc_.tick.seconds = seconds;
    return *this;
  }
  // Every so many frames, or times that the source happens.
  system_builder& rate(std::uint32_t times) {
    desc_.tick.rate = times;
    return *this;
  }
  system_builder& rate(core::id_arg source, std::uint32_t times) {
    desc_.tick.source = core::given(this->world(), source);
    return rate(times);
  }
  // Each time that a timer or another system does.
  system_builder& tick_source(core::id_arg source) {
    desc_.tick.source = core::given(this->world(), source);
    return *this;
  }
  template <class Source>
  system_builder& tick_source() {
    return tick_source(core::id_arg(core::id_of<Source>(this->world())));
  }
  // Only if `holds()` is true when its turn comes.
  template <class Predicate>
  system_builder& run_if(Predicate holds) {
    static_assert(std::is_invocable_r_v<bool, Predicate&>,
                  "the function of run_if takes nothing and returns a bool");
    desc_.run_if = [kept = std::make_shared<Predicate>(std::move(holds))] { return (*kept)(); };
    return *this;
  }

  // --- how ---

  // It runs alone, and what it changes happens at once. Its rows are found before the first one is
  // visited; a row that does not hold any more when its turn comes is left out.
  system_builder& immediate(bool on = true) {
    desc_.immediate = on;
    return *this;
  }
  // Threads may share its rows.
  system_builder& multi_threaded(bool on = true) {
    desc_.multi_threaded = on;
    return *this;
  }
  // The callback takes an entity or an iterator, but changes nothing beyond the values of its
  // terms.
  system_builder& queues_nothing() {
    desc_.queues_nothing = true;
    return *this;
  }
  // What it.ctx() gives. The caller owns it.
  system_builder& ctx(void* context) {
    desc_.ctx = context;
    return *this;
  }

  // The system begins with one of these calls. Each may take the time of the frame first:
  // `(kith::delta_time, Position&)`.

  // Calls `visit` for each row, as `query::each` does. Without terms: once, with
  // `(kith::iter&, size_t)` or without arguments.
  template <class Function>
  kith::system each(Function visit) {
    if constexpr (std::is_invocable_v<Function&, delta_time> ||
                  core::takes_values<timed<Function>, Ts...>() ||
                  core::takes_no_values<timed<Function>>) {
      desc_.sees_world = !core::takes_values_alone<timed<Function>, Ts...>;
      desc_.shows_all = shows_all<timed<Function>>;
      desc_.use = core::use_of<timed<Function>, Ts...>();
      return begin([kept = keep(std::move(visit))](core::query_run& run) {
        timed<Function> with_time{*kept, {static_cast<float>(run.info()->delta_time)}};
        visit_all(with_time, run);
      });
    } else {
      core::check_callback<Function, Ts...>();
      desc_.sees_world = !core::takes_values_alone<Function, Ts...>;
      desc_.shows_all = shows_all<Function>;
      desc_.use = core::use_of<Function, Ts...>();
      return begin(
          [kept = keep(std::move(visit))](core::query_run& run) { visit_all(*kept, run); });
    }
  }
  // Calls `body(iter&)` once, which steps with `while (it.next())`. A task need not step, and its
  // body may take nothing.
  template <class Function>
  kith::system run(Function body) {
    static_assert(std::is_invocable_v<Function&> || std::is_invocable_v<Function&, kith::iter&> ||
                      std::is_invocable_v<Function&, delta_time> ||
                      std::is_invocable_v<Function&, delta_time, kith::iter&>,
                  "the function of `run` takes nothing or a kith::iter&, and before it it may take "
                  "a kith::delta_time");
    desc_.visits_once = true;
    return begin([kept = keep(std::move(body))](core::query_run& run) {
      kith::iter it(run);
      if constexpr (std::is_invocable_v<Function&, delta_time, kith::iter&>)
        (*kept)(delta_time{it.delta_time()}, it);
      else if constexpr (std::is_invocable_v<Function&, kith::iter&>)
        (*kept)(it);
      else if constexpr (std::is_invocable_v<Function&, delta_time>)
        (*kept)(delta_time{it.delta_time()});
      else
        (*kept)();
    });
  }
  // Calls `visit` once per batch, as `query::iter` does.
  template <class Function>
  kith::system iter(Function visit) {
    return begin([kept = keep(std::move(visit))](core::query_run& run) {
      if constexpr (takes_batches<timed<Function>>) {
        timed<Function> with_time{*kept, {static_cast<float>(run.info()->delta_time)}};
        visit_batches(with_time, run);
      } else {
        visit_batches(*kept, run);
      }
    });
  }

 private:
  template <class Function>
  using timed = core::timed_callback<Function>;
  // Does the callback get an iterator, which gives the values of all terms?
  template <class Function>
  static constexpr bool shows_all =
      core::takes_iter<Function, Ts...> || std::is_invocable_v<Function&, kith::iter&, std::size_t>;
  template <class Function>
  static std::shared_ptr<Function> keep(Function&& function) {
    return std::make_shared<Function>(std::move(function));
  }
  template <class Function>
  static void visit_all(Function& visit, core::query_run& run) {
    while (run.next()) core::visit_batch<Ts...>(visit, run, std::index_sequence_for<Ts...>());
  }
  template <class Function>
  static constexpr bool takes_batches =
      std::is_invocable_v<Function&, kith::iter&> ||
      std::is_invocable_v<Function&, kith::iter&, typename core::row_source<Ts>::value*...>;
  template <class Function>
  static void visit_batches(Function& visit, core::query_run& run) {
    static_assert(takes_batches<Function>,
                  "the function of `iter` takes a kith::iter&, and then nothing or pointers to the "
                  "values of all terms; before them it may take a kith::delta_time");
    if constexpr (std::is_invocable_v<Function&, kith::iter&>) {
      kith::iter it(run);
      while (run.next()) visit(it);
    } else {
      while (run.next()) core::visit_arrays<Ts...>(visit, run, std::index_sequence_for<Ts...>());
    }
  }
  kith::system begin(std::function<void(core::query_run&)> visit) {
    desc_.query = this->description();
    for (const access_desc& a : desc_.query.accesses)
      (a.writes ? desc_.writes : desc_.reads).push_back(a.id);
    desc_.visit = std::move(visit);
    return {&this->world(), core::make_system(this->world(), desc_)};
  }

  core::system_desc desc_;
};

// Which systems a pipeline runs: `world.pipeline("Ai").with(kith::System).with(Fixed).build()`.
class pipeline_builder : public term_builder<pipeline_builder> {
 public:
  pipeline_builder(core::engine& world, core::text_arg name)
      : term_builder<pipeline_builder>(world), name_(name) {}

  // The entity of the pipeline, for `run_pipeline` and `set_pipeline`.
  entity build() const {
    return {&this->world(), core::make_pipeline(this->world(), name_, this->description())};
  }

 private:
  std::string name_;
};

}  // namespace kith
