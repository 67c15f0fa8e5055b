// Where changes wait, and what may happen to a world at the moment.
//
//   mode        changes
//   open        happen at once, or wait while something is visited
//   reading     wait, in a stage for each thread: between readonly_begin and readonly_end
//   reporting   are errors: `define` calls its progress listener
//   ending      wait and are forgotten: the values of the world are being destroyed
//   ended       are errors, and so are questions
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "entity/command_gate.hpp"
#include "ids/promised_ids.hpp"
#include "query/exec/meaning.hpp"
#include "relations/graph.hpp"
#include "relations/reach.hpp"

namespace kith::core {

// What belongs to one thread: its queue, and what its questions have remembered.
struct stage {
  stage(const graph& g, const shortcuts& open, statistics& samples)
      : reach(g), meaning(g, reach, open, samples) {}
  // Visits that have begun and not ended.
  int visits() const { return defer_depth - begun; }
  // A function of the library that calls constructors or destructors and then goes on to use the
  // state marks itself, because they may end the world.
  class use {
   public:
    explicit use(stage& s) : stage_(s) { ++stage_.uses_; }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ~use() { --stage_.uses_; }

   private:
    stage& stage_;
  };
  bool in_use() const { return visits() != 0 || uses_ != 0; }

  command_queue queue;
  int defer_depth = 0;
  int begun = 0;          // how many levels of defer_depth defer_begin began
  int suspended = 0;      // such levels that count again when defer_resume is called
  promised_ids promised;  // entities made while threads read
  bool is_of_unit = false;
  class reach reach;
  class meaning meaning;

 private:
  int uses_ = 0;
};

// A part of the work of a step (steps.cpp), which one thread carries out: what it queued, and the
// entities that it made.
struct work_unit {
  command_queue queue;
  promised_ids promised;
};

class stages {
 public:
  enum class mode : std::uint8_t { open, reading, reporting, ending, ended };

  // `open`: the shortcuts that queries may take. `samples`: what their plans know of ids.
  stages(graph& g, const shortcuts& open, statistics& samples)
      : main(g, open, samples), graph_(g), open_(open), samples_(samples) {}

  // Queries end with an error while `*stop` is true; null: nothing stops them.
  void stop_queries_when(const std::atomic<bool>* stop) {
    stop_ = stop;
    idle_.clear();
    main.meaning.effort().watch(stop);
  }
  // Calls `tell` about every `every` while queries of the main thread work.
  void watch_queries(std::function<void()> tell, effort::clock::duration every) {
    main.meaning.effort().tell(std::move(tell), every);
  }
  // Iterations of queries end with an error when they have done so much.
  void limit_queries(const budget& most) {
    most_ = most;
    idle_.clear();
    main.meaning.effort().limit(most);
  }

  bool is_open() const { return mode_ == mode::open; }
  bool is_reading() const { return mode_ == mode::reading; }
  bool is_ending() const { return mode_ == mode::ending; }
  bool has_ended() const { return mode_ == mode::ended; }
  void set_mode(mode m) { mode_ = m; }
  mode get_mode() const { return mode_; }
  // Must a change wait?
  bool queueing() const { return !is_open() || main.defer_depth != 0 || graph_.store.busy(); }
  // Is a visit on the stack, or a function that is marked, or a constructor or destructor of a
  // value?
  bool in_use() const;

  // The stage of this thread: `main`, unless several threads read.
  stage& here() { return is_open() ? main : find_stage(); }
  // The queue of this thread, for a change that waits. Raises an error if it cannot.
  command_queue& queue() {
    if (!is_open()) return queue_elsewhere();
    if (!holds_dead_) hold_dead();
    return main.queue;
  }
  // Queues a value for an id of `e` (command_queue::push_value).
  void* push_value(entity_t e, id_t id, const type_info& type, const value_source& source) {
    const stage::use constructing(here());
    return queue().push_value(e, id, type, source);
  }
  // Commands wait outside of the main queue.
  bool waits_elsewhere = false;
  // The main queue may be empty again.
  void release_dead() {
    if (!holds_dead_ || !main.queue.empty() || waits_elsewhere) return;
    holds_dead_ = false;
    graph_.store.entities().release_dead();
  }
  // Takes back the last commands of this thread, down to `size`.
  void truncate_queue(std::size_t size) {
    const stage::use destroying(here());
    here().queue.truncate(size);
    release_dead();
  }
  // Raises an error if the world is not open: `what` has to happen at once.
  void check_open(const char* what) const {
    if (!is_open() || main.queue.gate()) raise_closed(what);
  }
  void check_not_ended() const {
    if (has_ended()) raise_ended();
  }
  [[noreturn]] static void raise_ended();

  // --- several readers ---
  void begin_reading();
  // All promised entities begin. Returns the queues of the threads, in the order in which they
  // came. Adds the entities to `begun`.
  std::vector<command_queue> end_reading(std::vector<entity_t>& begun);
  bool is_promised(entity_t e) const { return is_reading() && find_stage().promised.contains(e); }
  // A promised entity has no ids.
  entity_record& promised_record() { return promised_record_; }

  // A new entity; while threads read it is promised, and begins when the reading ends.
  entity_t make_entity() {
    return is_open() && !makes_elsewhere_ ? graph_.store.create() : make_elsewhere();
  }
  // From now on entities begin at this index or at a later one, which no entity has had; 0: where
  // they usually do. For while changes are taken back that will be carried out again.
  void begin_beyond(std::uint32_t index) {
    beyond_ = index;
    makes_elsewhere_ = beyond_ || main.queue.gate();
  }
  bool begins_beyond() const { return beyond_ != 0; }
  // Is making an entity more than a call of the store?
  bool makes_elsewhere() const { return makes_elsewhere_; }
  // The way back, unless an id is made of the entity by now.
  void unmake_entity(entity_t e);

  // --- work of systems ---
  // While one exists, a system that has declared what it changes runs on the main stage.
  class gate_scope {
   public:
    gate_scope(stages& s, const command_gate* gate) : s_(s), before_(s.main.queue.gate()) {
      set(gate);
    }
    gate_scope(const gate_scope&) = delete;
    gate_scope& operator=(const gate_scope&) = delete;
    ~gate_scope() { set(before_); }

   private:
    void set(const command_gate* gate) {
      s_.main.queue.set_gate(gate);
      s_.begin_beyond(s_.beyond_);
    }
    stages& s_;
    const command_gate* before_;
  };
  // While one exists, this thread carries out a unit. Requires: several threads read.
  class unit_scope {
   public:
    unit_scope(stages& s, work_unit& unit, const command_gate* gate);
    unit_scope(const unit_scope&) = delete;
    unit_scope& operator=(const unit_scope&) = delete;
    ~unit_scope();

   private:
    friend class stages;
    stages& s_;
    work_unit& unit_;
    std::unique_ptr<stage> own_;
    std::uint64_t session_before_;
    stage* stage_before_;
    unit_scope* outer_;  // of this thread: of another world, whose unit uses this one
  };

  // Destroys the values that wait.
  void forget_waiting();

  stage main;
  // Guards what queries keep while several threads read.
  std::mutex kept_by_queries;
  std::unique_lock<std::mutex> lock_kept() {
    return is_reading() ? std::unique_lock(kept_by_queries) : std::unique_lock<std::mutex>();
  }

 private:
  // The stage that a thread has asked for last.
  struct last_stage {
    std::uint64_t session = 0;
    stage* own = nullptr;
    unit_scope* unit = nullptr;  // the innermost one of this thread
  };
  static last_stage& last_of_thread();
  stage& find_stage() const;
  stage& stage_of_thread() const;
  std::unique_ptr<stage> make_stage() const;
  entity_t make_elsewhere();
  command_queue& queue_elsewhere();
  void hold_dead() {
    holds_dead_ = true;
    graph_.store.entities().hold_dead();
  }
  void raise_closed(const char* what) const;

  graph& graph_;
  const shortcuts& open_;
  statistics& samples_;
  const std::atomic<bool>* stop_ = nullptr;
  budget most_;
  std::atomic<mode> mode_ = mode::open;
  // Commands wait in the main queue, so no index that dies is used again (entity_index::hold_dead).
  bool holds_dead_ = false;
  // The stages of the threads that have asked something since the reading began, in that order.
  struct thread_stage {
    std::thread::id thread;
    std::unique_ptr<stage> own;
  };
  mutable std::vector<thread_stage> of_threads_;
  mutable std::mutex guard_;   // of of_threads_, next_promised_ and idle_
  std::uint64_t session_ = 0;  // of the reading that lasts: no two have the same, in any world
  std::uint32_t next_promised_ = 0;
  std::uint32_t beyond_ = 0;
  bool makes_elsewhere_ = false;
  // Of threads that carry out units, between two of them: what they remember serves again.
  std::vector<std::unique_ptr<stage>> idle_;
  std::atomic<int> units_in_work_ = 0;
  entity_record promised_record_{};
};

}  // namespace kith::core
