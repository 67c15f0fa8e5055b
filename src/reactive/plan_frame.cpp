#include "reactive/plan_frame.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include <kith/detail/builtins.hpp>

#include "base/hash_map.hpp"

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

  // Those before it in the step with which a system may share a value, latest first.
  std::vector<std::size_t> neighbours(std::size_t first, std::size_t n) {
    std::vector<std::size_t> found;
    const auto add = [&](const std::vector<std::size_t>& list) {
      for (std::size_t other : list)
        if (other >= first) found.push_back(other);
    };
    add(of_patterns_);
    for (const access::touched& t : order_[n].what.values) {
      if (has_wildcard(t.id)) {
        for (std::size_t other = first; other < n; ++other) found.push_back(other);
        break;
      }
      const value_users& users = users_[t.id];
      add(users.writers);
      if (t.writes) add(users.readers);
    }
    std::ranges::sort(found, std::greater());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }
  // What writes a value waits for all that have used it, so later ones need to know of that alone.
  void note_uses(std::size_t n) {
    bool has_pattern = false;
    for (const access::touched& t : order_[n].what.values) {
      if (has_wildcard(t.id)) {
        has_pattern = true;
        continue;
      }
      value_users& users = users_[t.id];
      if (t.writes)
        users = {{n}, {}};
      else
        users.readers.push_back(n);
    }
    if (has_pattern) of_patterns_.push_back(n);
  }

  // A system waits for those before it that share a value with it, but for those for which another
  // one waits that it waits for.
  void add_edges(std::size_t first, std::size_t n) {
    if (n == first) {
      users_.clear();
      of_patterns_.clear();
    }
    std::vector<bool> is_covered;
    for (std::size_t other : neighbours(first, n)) {
      if (!is_covered.empty() && is_covered[other - first]) continue;
      const auto id = shared_value(order_[other].what, order_[n].what);
      if (!id) continue;
      is_covered.resize(n - first);
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
    note_uses(n);
  }

  struct value_users {
    std::vector<std::size_t> writers;  // the last one
    std::vector<std::size_t> readers;  // since
  };
  hash_map<id_t, value_users> users_;     // of the step
  std::vector<std::size_t> of_patterns_;  // systems of the step that touch all that fits a pattern
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
