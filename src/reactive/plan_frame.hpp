// Cuts an order of systems into steps, and says which systems of a step wait for each other.
//
//   order   Move   Spin   Spawn | Draw   Log      `|`: what Spawn queued is carried out
//            └──────────────▲             ▲
//             writes Position             └─ waits for nobody in its step
//
// A step ends before a system that may see what an earlier one has queued, after a system that may
// queue anything, and at the end of a phase in which something may be queued. So it depends on what
// systems declare, and on nothing else: not on threads, rows or times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reactive/access.hpp"

namespace kith::core {

struct planned_system {
  access what;
  std::size_t phase = 0;
  bool immediate = false;
  bool sees_changes = false;   // it asks which rows have changed
  bool is_ordered = false;     // its rows come in the order of values
  id_t ordered_by = 0;         // of this id; 0: of any
  bool has_condition = false;  // `run_if` may look at anything
};

struct frame_plan {
  enum class cause : std::uint8_t {
    first,        // nothing is before
    alone,        // it runs alone: it may queue anything
    immediate,    // it runs alone: what it changes happens at once
    changes,      // it runs alone: it asks which rows have changed
    order,        // its rows come in the order of values that `other` writes
    condition,    // its condition may look at anything
    after_alone,  // the system before runs alone
    sees,         // it may see what `other` queued
    phase,        // a phase has ended in which something may be queued
  };
  struct step {
    std::size_t first = 0;
    std::size_t count = 0;
    cause why = cause::first;
    std::size_t other = 0;  // of `sees` and `order`
    id_t id = 0;            // of them; 0: any
    bool queues = false;    // some system of it may queue a change
  };
  struct edge {
    std::size_t from, to;  // places in the order
    id_t id;               // the value because of which `to` waits
  };
  std::vector<step> steps;
  std::vector<edge> edges;  // by `to`
};

bool runs_alone(const planned_system& s);
frame_plan plan_frame(const std::vector<planned_system>& order);

}  // namespace kith::core
