// A query of a world: what the handles of the public API share.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include <kith/detail/query_run.hpp>

#include "base/try_allocate.hpp"
#include "query/cache/result_cursor.hpp"
#include "reactive/run_record.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

class live_query {
 public:
  live_query(engine_state& state, std::shared_ptr<preparation> shared, const query_desc& desc,
             cache_kind cache)
      : state_(state),
        shared_(std::move(shared)),
        prepared(shared_->query),
        accesses(desc.accesses),
        cache_(state.stages.main.meaning, *shared_, cache,
               arrangement(state.graph_, desc.order, desc.group), desc.detect_changes) {
    state_.share();
  }

  engine& world() const { return *state_.shell; }
  // It stays as long as the query, but it has no entities once its world has ended.
  engine_state& state() const { return state_; }

  bool changed() {
    const auto lock = locked();
    state_.stages.main.meaning.refresh();
    prepared.refresh();
    return cache_.changed(prepared.checked());
  }

  // Guards what all threads use, while several read. An error if the world has ended.
  std::unique_lock<std::mutex> locked() const {
    state_.stages.check_not_ended();
    return state_.stages.lock_kept();
  }

  std::string kept() const { return cache_.kept(); }
  // --- while the world measures ---
  void note_run(run_record::clock::time_point began, std::uint64_t rows) noexcept {
    const run_record::clock::time_point end = run_record::clock::now();
    const auto lock = state_.stages.lock_kept();
    if (!record_ && !try_allocate([&] { record_ = std::make_unique<run_record>(); })) return;
    record_->add(end, std::chrono::duration<double>(end - began).count(), rows);
  }
  run_statistics statistics() const {
    const auto lock = locked();
    return record_ ? record_->at(run_record::clock::now()) : run_statistics();
  }

  // From the first use on, results are kept as those of a query that was used before.
  void use_often() { shared_->used_before = true; }

  // The query lives as long as one of its handles or iterations.
  void pin() { count_use(1); }
  void unpin() {
    if (count_use(-1) == 0) destroy();
  }
  // The last handle is gone.
  void let_go() {
    if (uses_.fetch_sub(1) == 1) destroy();
  }

  // Iterations that follow each other share the memory of a cursor.
  std::unique_ptr<result_cursor> take_cursor() {
    const auto lock = locked();
    if (!idle_)
      return std::make_unique<result_cursor>(prepared, cache_, state().graph_, state().store());
    std::unique_ptr<result_cursor> taken = std::move(idle_);
    idle_ = std::move(taken->next_idle);
    return taken;
  }
  // Finds the entities of a question like the last one. False: that takes a cursor.
  template <class Values>
  bool find_again(const Values& parameters, std::span<const entity_t>& found) const {
    return state_.stages.is_open() && idle_ && !state_.measures &&
           idle_->find_again(parameters, found);
  }
  void give_back(std::unique_ptr<result_cursor> c) {
    c->end();
    const auto lock = state_.stages.lock_kept();
    c->next_idle = std::move(idle_);
    idle_ = std::move(c);
  }

 private:
  // Rarely called, so not compiled into each caller.
  void destroy();
  // How many are left. While one thread has the world for itself, counting needs no atomic change.
  int count_use(int by) {
    if (state_.stages.is_reading()) return uses_.fetch_add(by) + by;
    const int now = uses_.load(std::memory_order_relaxed) + by;
    uses_.store(now, std::memory_order_relaxed);
    return now;
  }
  engine_state& state_;
  std::shared_ptr<preparation> shared_;  // perhaps with other queries

 public:
  prepared_query& prepared;
  const std::vector<access_desc> accesses;

 private:
  query_cache cache_;
  std::unique_ptr<result_cursor> idle_;  // a list: cursors that wait for the next iteration
  std::unique_ptr<run_record> record_;
  std::atomic<int> uses_ = 1;  // iterations, and the handles together
};

}  // namespace kith::core
