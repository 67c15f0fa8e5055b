#include "reactive/plan_frame.hpp"

#include <algorithm>
#include <optional>

namespace kith::core {

namespace {

class cutter {
 public:
  explicit cutter(const std::vector<planned_system>& order)
      : order_(order), waits_for_(order.size()) {}

  frame_plan cut() {
    for (std::size_t n = 0; n < order_.size(); ++n) {
      if (const std::optional<frame_plan::step> begun = begins(n)) {
        plan_.steps.push_back(*begun);
        queuers_.clear();
      }
      frame_plan::step& now = plan_.steps.back();
      ++now.count;
      if (order_[n].what.queues != access::queue::nothing) {
        now.queues = true;
        queuers_.push_back(n);
      }
      add_edges(now.first, n);
    }
    return std::move(plan_);
  }

 private:
  // The step that begins with a system; nothing if it belongs to the step before.
  std::optional<frame_plan::step> begins(std::size_t n) const {
    using cause = frame_plan::cause;
    const planned_system& s = order_[n];
    frame_plan::step begun{.first = n};
    if (n == 0) return begun;
    const auto because = [&](cause why) {
      begun.why = why;
      return begun;
    };
    if (s.immediate) return because(cause::immediate);
    if (s.sees_changes) return because(cause::changes);
    if (runs_alone(s)) return because(cause::alone);
    if (runs_alone(order_[n - 1])) return because(cause::after_alone);
    if (s.has_condition) return because(cause::condition);
    if (!queuers_.empty() && s.phase != order_[n - 1].phase) return because(cause::phase);
    for (std::size_t other : queuers_) {
      const auto seen = seen_by(order_[other].what, s.what);
      if (!seen) continue;
      begun.other = other;
      begun.id = seen->id;
      return because(cause::sees);
    }
    for (std::size_t other = plan_.steps.back().first; s.is_ordered && other < n; ++other) {
      const auto id = s.ordered_by ? written(order_[other].what, s.ordered_by)
                                   : shared_value(order_[other].what, s.what);
      if (!id) continue;
      begun.other = other;
      begun.id = *id;
      return because(cause::order);
    }
    return std::nullopt;
  }

  // A system waits for those before it that share a value with it, but for those for which another
  // one waits that it waits for.
  void add_edges(std::size_t first, std::size_t n) {
    std::vector<bool> is_covered(n - first);
    for (std::size_t other = n; other-- > first;) {
      if (is_covered[other - first]) continue;
      const auto id = shared_value(order_[other].what, order_[n].what);
      if (!id) continue;
      plan_.edges.push_back({other, n, *id});
      waits_for_[n].push_back(other);
      std::vector<std::size_t> open{other};
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (is_covered[at - first]) continue;
        is_covered[at - first] = true;
        open.insert(open.end(), waits_for_[at].begin(), waits_for_[at].end());
      }
    }
  }

  const std::vector<planned_system>& order_;
  frame_plan plan_;
  std::vector<std::size_t> queuers_;  // of the step that is open
  std::vector<std::vector<std::size_t>> waits_for_;
};

}  // namespace

bool runs_alone(const planned_system& s) {
  return s.immediate || s.sees_changes || s.what.queues == access::queue::anything;
}

frame_plan plan_frame(const std::vector<planned_system>& order) { return cutter(order).cut(); }

}  // namespace kith::core
