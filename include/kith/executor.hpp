// Where systems run: the calling thread, or the threads of a pool.
//
//     world.set_threads(4);        // a pool of oneTBB, if kith was built with it
//     my_jobs jobs;
//     world.set_executor(&jobs);   // a pool of your own; see examples/executor.cpp
//
// The world after a frame is the same whatever the executor does: it decides when and on which
// thread something runs, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace kith {

// Tasks of which some wait for others. Task `n` may begin when `waits_for[n]` others have returned:
// those in whose list of `next` it is. Each waits only for tasks with lower numbers.
struct task_graph {
  std::vector<std::vector<std::uint32_t>> next;
  std::vector<std::uint32_t> waits_for;
  // Carries out one task. It never throws.
  std::function<void(std::size_t)> run;

  std::size_t size() const { return next.size(); }
};

class executor {
 public:
  virtual ~executor() = default;

  // How many threads may work at once, the calling one included.
  virtual unsigned threads() const = 0;

  // Calls `piece(n)` for each n below `count`, in any order, on any threads, and returns when all
  // calls have returned. `piece` never throws, and does not call the executor.
  virtual void run_pieces(std::size_t count, const std::function<void(std::size_t)>& piece) = 0;

  // Carries out all tasks of a graph and returns when the last one has returned. As it is here,
  // tasks with as many steps before them run together, and then the next ones.
  virtual void run_graph(const task_graph& graph);
};

// A pool of oneTBB with so many threads, the calling one included. Null if kith was built without
// oneTBB (`KITH_TBB`).
std::unique_ptr<executor> make_executor(unsigned threads);

}  // namespace kith
