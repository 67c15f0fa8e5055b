// The systems of a world, and the frames that run them.
//
//   progress ──▶ ticks ──▶ plan ──▶ step by step ──▶ what was queued is carried out
//                          │        │
//                          │        ├── one system: on this thread          steps.cpp
//                          │        └── several units: by the executor
//                          └── order and access of the systems, made anew when one of them comes,
//                              goes or moves to another phase                   plans.cpp
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <kith/detail/system_desc.hpp>
#include <kith/executor.hpp>
#include <kith/schedule.hpp>

#include "base/hash_map.hpp"
#include "entity/command_gate.hpp"
#include "query/cache/query_piece.hpp"
#include "reactive/frame_trace.hpp"
#include "reactive/plan_frame.hpp"
#include "reactive/run_record.hpp"
#include "reactive/sleepers.hpp"
#include "reactive/system_order.hpp"
#include "reactive/tick.hpp"
#include "storage/change_log.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

// What happens now and then: a system or a timer.
struct ticking {
  entity_t entity = 0;
  class tick tick;
  std::uint64_t round = 0;  // in which it was asked last whether it happens
  bool happened = false;
};

// An id that a system has declared, as long as the entities live of which it is made.
struct declared_id {
  id_t id;
  entity_t first, second;
};

struct running_system : ticking {
  std::uint64_t number = 0;  // of the system that was made first it is the lowest
  system_desc desc;
  query_ptr query;
  std::vector<declared_id> reads, writes;  // besides what its terms say
  bool is_task = false;                    // it has no query of its own
  bool has_started = false;                // of a system that runs once
  double ran_at = 0;                       // the time when it ran last
  std::uint64_t turn = 0;                  // the round in which it had its turn last
  std::uint64_t run_by_hand = 0;           // in which `run` was called last
  run_record record;
  // Since then the query has no rows; 0: it may have some.
  std::uint64_t empty_at = 0;
  unsigned idle_runs = 0;  // without rows, one after the other
  bool sleeps = false;
  id_t waits_for = 0;  // the group of which an id wakes it; 0: none
  // How many entities each of its units has made, at most.
  std::vector<std::uint32_t> made;

  // --- as it was planned ---
  access what;
  std::shared_ptr<const command_gate> gate;  // null: it may change anything
};

class frames {
 public:
  explicit frames(engine_state& s);

  entity_t make_system(const system_desc& desc);
  void run(entity_t system, double delta_time, void* param);
  running_system& system_of(entity_t e);
  void make_timer(entity_t e);
  ticking* find_ticking(entity_t e) const;
  ticking& ticking_of(entity_t e);
  // An error if nothing can happen like this; `e`: whom it is for, 0 if that is new.
  void check_tick(entity_t e, const tick_desc& desc);
  void set_tick(entity_t e, const tick_desc& desc);
  void make_pipeline(entity_t e, query_ptr q);
  void set_pipeline(entity_t e);
  entity_t pipeline() const { return pipeline_; }
  void run_pipeline(entity_t e, double delta_time);
  bool progress(double delta_time);
  schedule describe(entity_t pipeline);

  frame_clock clock;
  void set_threads(unsigned n);
  unsigned threads() const { return with_ ? with_->threads() : 1; }
  void set_executor(executor* with);
  void trace(std::string path) { trace_path_ = std::move(path); }
  run_statistics statistics_of(entity_t e) {
    return system_of(e).record.at(run_record::clock::now());
  }
  void check_not_running(const char* what) const;
  // Adds the systems whose queries read a component.
  void add_readers(entity_t component, std::vector<entity_t>& systems) const;

 private:
  using timepoint = std::chrono::steady_clock::time_point;
  using system_ptr = std::shared_ptr<running_system>;

  // --- plans.cpp ---
  // The systems of a pipeline in their order.
  struct placed {
    system_ptr system;
    std::size_t phase = 0;  // its place among the phases, from 1; 0: it has none
  };
  struct planned_phase {
    entity_t entity;
    std::vector<std::size_t> needs;  // phases of the user depend on these, which come before
  };
  struct pipeline_plan {
    std::uint64_t made_for = 0;  // the number of changes of plans then
    std::uint64_t traits = 0;
    std::uint64_t version = 0;  // of the store, if a query chose the systems
    std::vector<placed> order;
    std::vector<planned_phase> phases;
    entity_t phase_of(const placed& o) const { return o.phase ? phases[o.phase - 1].entity : 0; }
    std::vector<std::string> phase_names;  // empty: of systems without a phase
    std::vector<placed_system> declared;
    frame_plan steps;
    std::vector<std::size_t> step_of;  // by place
    // Places of systems that do not sleep, and for which state of them that was found.
    std::vector<std::size_t> awake;
    std::uint64_t awake_for = 0;
  };
  std::vector<planned_phase> find_phases() const;
  bool is_system(entity_t e) const;
  void forget_dead();
  void notice_changes();
  bool is_current(const pipeline_plan& p, entity_t pipeline) const;
  std::shared_ptr<pipeline_plan> plan_of(entity_t pipeline);
  std::shared_ptr<pipeline_plan> make_plan(entity_t pipeline);
  std::vector<entity_t> chosen_by(entity_t pipeline);
  planned_system planned(running_system& s, std::size_t phase);
  std::vector<id_t> with_followers(std::vector<id_t> ids) const;
  std::string name_of(entity_t e) const;
  std::string text_of(id_t id) const;

  // --- schedule.cpp ---
  std::string text_of_change(id_t id) const;
  std::string why(const pipeline_plan& p, const frame_plan::step& step) const;
  std::string when_text(const running_system& s) const;
  std::string rows_text(const running_system& s) const;
  schedule::system describe(const running_system& s, const std::string& phase) const;
  std::string conflict(const access& a, const access& b, const std::string& first,
                       const std::string& second) const;

  // --- sleep.cpp ---
  std::optional<id_t> missing_id(running_system& s) const;
  void note_rows(running_system& s, std::uint64_t rows, std::uint64_t version);
  void wake_systems();
  const std::vector<std::size_t>& awake(pipeline_plan& p);

  // --- frames.cpp ---
  bool happens(ticking& t);
  double begin_frame(double delta_time);
  void begin_round(double seconds);
  // False: the world has ended, and this object with it.
  bool run_plan(entity_t pipeline);
  bool is_plan_current(const pipeline_plan& p, entity_t pipeline);
  static std::size_t place_after(const pipeline_plan& old, std::size_t at,
                                 const pipeline_plan& next);
  void note_error(std::exception_ptr thrown);

  // --- steps.cpp ---
  // A system that has its turn.
  struct due_system {
    system_ptr of;
    double delta_system_time;
    std::size_t place;  // in the order
    std::size_t first_unit = 0, unit_count = 0;
  };
  // One of the units in which a step is carried out: a part of the rows of a system.
  struct unit {
    running_system* of;
    std::size_t place;  // of the system in the order
    query_piece piece;
    work_unit work = {};
    run_info info;
    bool has_run = false;
    bool is_left_out = false;  // a system for which it waits has failed
    std::exception_ptr thrown = {};
    timepoint began = {}, ended = {};
  };
  // `from`: systems before it have had their turn.
  void run_step(pipeline_plan& p, const frame_plan::step& step, std::size_t from);
  bool is_due(const pipeline_plan& p, const placed& o);
  bool is_off(entity_t e) const;
  void find_phases_that_are_off(const pipeline_plan& p);
  bool finds_nothing(const running_system& s) const;
  // Why threads cannot share the rows of a system that is `multi_threaded`; null if they can.
  struct obstacle {
    const char* why = nullptr;
    id_t id = 0;  // what it is about
  };
  static obstacle keeps_rows_together(const running_system& s);
  static bool shares_rows(const running_system& s) {
    return s.desc.multi_threaded && !keeps_rows_together(s).why;
  }
  bool run_alone(const due_system& d);
  void run_here(running_system& s, run_info& info);
  std::exception_ptr run_and_settle(running_system& s, run_info& info, bool& has_failed);
  void run_in_units(const pipeline_plan& p, const frame_plan::step& step);
  query_piece find_rows(const running_system& s);
  void find_units(due_system& d);
  void promise_ids();
  bool is_worth_sharing() const;
  bool follows_a_failure(const frame_plan& plan, std::size_t place) const;
  void note_failure(std::size_t place);
  void run_unit(const pipeline_plan& p, unit& u);
  task_graph graph_of(const pipeline_plan& p, const frame_plan::step& step);
  void merge();
  run_info info_for(const running_system& s, double delta_system_time, void* param) const;
  bool watches_time() const { return s_.measures || trace_; }
  void note_run(running_system& s, timepoint begin, timepoint end, std::uint64_t rows);

  engine_state& s_;
  hash_map<entity_t, system_ptr> systems_;
  hash_map<entity_t, std::shared_ptr<ticking>> timers_;
  hash_map<entity_t, query_ptr> pipelines_;
  hash_map<entity_t, std::shared_ptr<pipeline_plan>> plans_;
  std::uint64_t last_number_ = 0;
  std::size_t forget_at_ = 64;
  sleepers sleepers_;
  std::uint64_t sleep_changes_ = 1;  // how often a system fell asleep or woke
  double time_before_ = 0;           // when the round before this one began
  log_reader with_system_, phases_, depends_, follows_, kinds_;
  std::uint64_t reactions_ = 0;  // how many observers and hooks had come and gone
  std::uint64_t changes_ = 1;    // how often plans became outdated
  std::uint64_t round_ = 0;
  entity_t pipeline_ = 0;
  bool in_frame_ = false;
  bool frame_ends_ = false;  // a system has failed
  double round_time_ = 0;
  double time_ = 0;              // of all frames and pipelines together
  std::vector<due_system> due_;  // of the step that runs
  std::vector<unit> units_;
  std::atomic<bool> any_failed_ = false;
  std::vector<std::atomic<bool>> has_failed_;  // by place in the order
  bool any_off_ = false;                       // some entity is disabled
  std::vector<bool> phase_is_off_;
  std::vector<work_unit*> works_;  // of units whose changes are to be carried out
  std::exception_ptr error_;
  timepoint frame_began_{};
  bool has_measured_ = false;
  std::unique_ptr<executor> own_executor_;
  executor* with_ = nullptr;  // null: this thread
  std::optional<std::string> trace_path_;
  std::unique_ptr<frame_trace> trace_;
};

}  // namespace kith::core
