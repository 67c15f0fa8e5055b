// Systems, timers, pipelines and frames without C++ types: what the typed skin calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <kith/detail/query_run.hpp>
#include <kith/detail/run_statistics.hpp>

namespace kith {

class executor;
struct schedule;

namespace core {

// When something happens: always; every so many seconds; or every so many times that the source
// does.
struct tick_desc {
  double seconds = 0;      // 0: always
  bool is_once = false;    // after so many seconds, and then never again
  std::uint32_t rate = 0;  // 0: each time
  entity_t source = 0;     // a timer or a system; 0: frames
};

struct system_desc {
  std::string name;       // a path; empty: the system has none
  query_desc query;       // without terms: a task
  std::size_t typed = 0;  // so many of its first terms are types of the callback
  entity_t phase = 0;     // 0: only `run` runs it
  std::vector<entity_t> before, after;
  tick_desc tick;
  std::function<bool()> run_if;  // empty: always
  bool immediate = false;
  bool multi_threaded = false;
  // The callback takes an entity or an iterator, so it may change anything, unless it declares what
  // it changes.
  bool sees_world = true;
  bool queues_nothing = false;
  bool shows_all = true;  // it can ask for the values of all terms, not of its types alone
  // What the callback does besides what the terms say.
  std::vector<id_t> reads, writes;
  void* ctx = nullptr;
  query_use use = query_use::batches;
  bool visits_once = false;  // `visit` is to be called once, whatever the rows
  // Visits rows of the query.
  std::function<void(query_run&)> visit;
};

// Returns the entity of the system. An error if the query is wrong or has parameters.
entity_t make_system(engine& world, const system_desc& desc);
query_ptr query_of_system(engine& world, entity_t system);
// Runs a system now. `param`: what it.param() gives.
void run_system(engine& world, entity_t system, double delta_time, void* param);
// Errors if the entity is no system.
void* context_of(engine& world, entity_t system);
void set_context(engine& world, entity_t system, void* ctx);
run_statistics statistics_of(engine& world, entity_t system);

entity_t make_timer(engine& world, std::string_view name);
// Of timers and systems. An error for another entity, and if a source waits for itself.
tick_desc tick_of(engine& world, entity_t e);
void set_tick(engine& world, entity_t e, const tick_desc& tick);
void start_timer(engine& world, entity_t e);
void stop_timer(engine& world, entity_t e);

// A pipeline is an entity with a query for systems.
entity_t make_pipeline(engine& world, std::string_view name, const query_desc& desc);
// The pipeline that `progress` runs; 0: the usual one.
void set_pipeline(engine& world, entity_t pipeline);
entity_t get_pipeline(engine& world);
void run_pipeline(engine& world, entity_t pipeline, double delta_time);

// One frame. Returns false when the program shall end. `delta_time` 0: it is measured.
bool progress(engine& world, double delta_time);
// What all frames share.
struct frame_clock {
  double delta_time = 0;  // of the current frame, scaled
  double seconds = 0;     // the sum of all of them
  double time_scale = 1;
  double target_fps = 0;            // 0: as many as there can be
  std::uint64_t frames = 0;         // that have begun
  std::atomic<bool> quits = false;  // systems on any thread may say so
};
const frame_clock& clock_of(const engine& world);
void set_time_scale(engine& world, double scale);
void set_target_fps(engine& world, double fps);
void quit(engine& world);

void set_threads(engine& world, unsigned threads);
unsigned get_threads(const engine& world);
// Null: the calling thread does everything. The world does not own it.
void set_executor(engine& world, executor* with);
void measure(engine& world, bool on);
void trace_next_frame(engine& world, std::string path);
// `pipeline` 0: the one that `progress` runs.
schedule schedule_of(engine& world, entity_t pipeline);

// --- modules (modules.cpp) ---

// Registers a type, under a name if one is given. While a module is made, as a part of it.
entity_t declare_component(engine& world, std::uint32_t slot, const type_desc& type,
                           std::string_view name);

// The module that stands for a type. `is_new`: it has just been made, and is the current scope.
entity_t begin_module(engine& world, std::uint32_t slot, const type_desc& type, bool& is_new,
                      entity_t& scope_before);
void rename_module(engine& world, entity_t module, std::string_view path);
// While the constructor of a module runs. Without `keep`, what it has made is deleted.
class module_scope {
 public:
  module_scope(engine& world, entity_t module, entity_t scope_before)
      : world_(&world), module_(module), scope_before_(scope_before) {}
  module_scope(const module_scope&) = delete;
  module_scope& operator=(const module_scope&) = delete;
  ~module_scope();
  void keep() { keeps_ = true; }

 private:
  engine* world_;
  entity_t module_;
  entity_t scope_before_;
  bool keeps_ = false;
};

}  // namespace core
}  // namespace kith
