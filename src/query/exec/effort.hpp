// The work that queries of one thread do, and where it ends: values listed, rows looked at, terms
// asked.
//
// A run spends units as it goes. Every now and then that looks whether the caller wants the run to
// stop, or whether it has spent what it may; then an error ends the run. The caller can also ask to
// be called while runs work.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

#include <kith/detail/budget.hpp>

namespace kith::core {

class effort {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  void spend(std::uint64_t units) {
    done_ += units;
    if (done_ >= look_at_) look();
  }
  std::uint64_t done() const { return done_; }
  // An error if the caller wants the work to stop.
  void check_stop() const {
    if (stop_ && stop_->load(std::memory_order_relaxed)) raise_stopped();
  }

  // Iterations that begin from now on have at most so many results and take so long.
  void limit(const budget& most) { most_ = most; }
  bool is_limited() const { return most_.rows || most_.seconds > 0; }
  // When an iteration that begins now must end.
  clock::time_point end_of_time() const;
  // The work that follows is that of an iteration that must end then.
  void work_until(clock::time_point deadline) { allow(no_limit, deadline); }
  // How many results an iteration may have.
  std::size_t most_rows() const { return most_.rows ? most_.rows : ~std::size_t{0}; }
  [[noreturn]] void raise_rows() const;

  // From now on so many units may be spent, until `deadline`.
  void allow(std::uint64_t units, clock::time_point deadline = clock::time_point::max());
  // Work ends with an error while `stop` is true. Null: nothing stops it.
  void watch(const std::atomic<bool>* stop);
  // While work is done, calls `tell` about every `every`. Empty: nothing is called.
  void tell(std::function<void()> tell, clock::duration every);

 private:
  void look();
  bool has_deadline() const { return deadline_ != clock::time_point::max(); }
  // Must work be interrupted every now and then?
  bool is_watched() const { return stop_ || tell_ || has_deadline(); }
  [[noreturn]] static void raise_stopped();

  std::uint64_t done_ = 0;
  std::uint64_t look_at_ = no_limit;
  std::uint64_t last_ = no_limit;
  clock::time_point deadline_ = clock::time_point::max();
  const std::atomic<bool>* stop_ = nullptr;
  budget most_;
  std::function<void()> tell_;
  clock::duration every_{};
  clock::time_point next_tell_ = clock::time_point::min();
};

}  // namespace kith::core
