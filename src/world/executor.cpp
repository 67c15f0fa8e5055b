#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include <kith/executor.hpp>

#ifdef KITH_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#endif

namespace kith {

void executor::run_graph(const task_graph& graph) {
  std::vector<std::uint32_t> level(graph.size());
  std::uint32_t last = 0;
  for (std::size_t n = 0; n < graph.size(); ++n) {
    last = std::max(last, level[n]);
    for (std::uint32_t next : graph.next[n]) level[next] = std::max(level[next], level[n] + 1);
  }
  std::vector<std::vector<std::size_t>> tasks(graph.size() ? last + 1 : 0);
  for (std::size_t n = 0; n < graph.size(); ++n) tasks[level[n]].push_back(n);
  for (const std::vector<std::size_t>& together : tasks)
    run_pieces(together.size(), [&](std::size_t n) { graph.run(together[n]); });
}

#ifdef KITH_TBB

namespace {

class tbb_executor final : public executor {
 public:
  explicit tbb_executor(unsigned threads) : threads_(threads), arena_(static_cast<int>(threads)) {
    if (threads > static_cast<unsigned>(tbb::info::default_concurrency()))
      allowed_.emplace(tbb::global_control::max_allowed_parallelism, threads);
  }

  unsigned threads() const override { return threads_; }

  void run_pieces(std::size_t count, const std::function<void(std::size_t)>& piece) override {
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, count, piece); });
  }

  // A task goes on with the first one that has waited for it, so that a chain stays on one thread.
  void run_graph(const task_graph& graph) override {
    const std::unique_ptr<std::atomic<std::uint32_t>[]> waits(
        new std::atomic<std::uint32_t>[graph.size()]);
    for (std::size_t n = 0; n < graph.size(); ++n) waits[n] = graph.waits_for[n];
    arena_.execute([&] {
      tbb::task_group group;
      const std::function<void(std::size_t)> run = [&](std::size_t task) {
        constexpr std::size_t none = ~std::size_t{0};
        while (task != none) {
          graph.run(task);
          std::size_t mine = none;
          for (std::uint32_t next : graph.next[task]) {
            if (--waits[next] != 0) continue;
            if (mine == none)
              mine = next;
            else
              group.run([&run, next] { run(next); });
          }
          task = mine;
        }
      };
      for (std::size_t n = 0; n < graph.size(); ++n)
        if (graph.waits_for[n] == 0) group.run([&run, n] { run(n); });
      group.wait();
    });
  }

 private:
  unsigned threads_;
  // Without it there are no more threads than the machine has cores. It is about the whole program,
  // so a pool that needs no more leaves it alone.
  std::optional<tbb::global_control> allowed_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<executor> make_executor(unsigned threads) {
  return std::make_unique<tbb_executor>(threads);
}

#else

std::unique_ptr<executor> make_executor(unsigned) { return nullptr; }

#endif

}  // namespace kith
