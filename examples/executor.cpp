// An executor of your own: systems run on the threads of a small pool.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

#include <kith/kith.hpp>

namespace {

// Its threads are started once and wait between two calls.
class thread_pool final : public kith::executor {
 public:
  // The thread that calls `progress` works too, so the pool has one thread fewer.
  explicit thread_pool(unsigned threads) {
    for (unsigned n = 1; n < threads; ++n) workers_.emplace_back([this] { wait_for_work(); });
  }
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;
  ~thread_pool() override {
    {
      const std::lock_guard lock(guard_);
      ends_ = true;
    }
    work_comes_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  unsigned threads() const override { return static_cast<unsigned>(workers_.size()) + 1; }

  // kith needs no more than this. A job system whose tasks can wait for each other may override
  // `run_graph` too.
  void run_pieces(std::size_t count, const std::function<void(std::size_t)>& piece) override {
    std::unique_lock lock(guard_);
    piece_ = &piece;
    next_ = 0;
    count_ = left_ = count;
    work_comes_.notify_all();
    run_what_is_left(lock);
    work_ends_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  void wait_for_work() {
    std::unique_lock lock(guard_);
    while (true) {
      work_comes_.wait(lock, [this] { return ends_ || next_ < count_; });
      if (ends_) return;
      run_what_is_left(lock);
    }
  }

  // Takes one piece after the other. The lock is open while a piece runs.
  void run_what_is_left(std::unique_lock<std::mutex>& lock) {
    while (next_ < count_) {
      const std::size_t mine = next_++;
      const auto& piece = *piece_;
      lock.unlock();
      piece(mine);
      lock.lock();
      if (--left_ == 0) work_ends_.notify_all();
    }
  }

  std::mutex guard_;  // of all that follows, but for `workers_`
  std::condition_variable work_comes_, work_ends_;
  const std::function<void(std::size_t)>* piece_ = nullptr;
  std::size_t next_ = 0, count_ = 0;  // from next_ to count_: pieces that no thread has begun
  std::size_t left_ = 0;              // pieces that have not returned
  bool ends_ = false;
  std::vector<std::thread> workers_;
};

struct Number {
  std::uint64_t value;
  std::uint64_t steps;
};
struct Done {};

// Follows n -> n / 2 or 3 n + 1 until it reaches 1, a step in each frame.
std::uint64_t play(kith::executor* with) {
  kith::world world;
  world.set_executor(with);
  std::vector<Number> numbers;
  for (std::uint64_t n = 1; n <= 20000; ++n) numbers.push_back({n, 0});
  world.bulk(numbers.size(), numbers);
  world.component<Done>();

  // Threads share the rows of this system. A call writes only to its own row, and what it queues is
  // carried out in the order of the rows, so the result does not depend on threads.
  world.system<Number>("Step").without<Done>().multi_threaded().write<Done>().each(
      [](kith::entity e, Number& n) {
        n.value = n.value % 2 ? 3 * n.value + 1 : n.value / 2;
        ++n.steps;
        if (n.value != 1) return;
        e.add<Done>();
        // Ids of entities that systems make do not depend on threads either.
        if (n.steps < 10) e.world().entity().add<Done>();
      });
  for (int frame = 0; frame < 100; ++frame) world.progress(1);

  // A digest of all entities, in the order in which queries find them.
  std::uint64_t digest = world.entity_count();
  world.query<const Number>().each([&](kith::entity e, const Number& n) {
    digest = digest * 31 + e.id() + n.value * 7 + n.steps;
  });
  world.each(world.id<Done>(), [&](kith::entity e) { digest = digest * 31 + e.id(); });
  std::cout << "  " << world.count<Done>() << " are done after " << world.frame_count()
            << " frames\n";
  return digest;
}

}  // namespace

int main() {
  std::cout << "on one thread:\n";
  const std::uint64_t alone = play(nullptr);
  std::cout << "on four threads:\n";
  thread_pool pool(4);
  const std::uint64_t together = play(&pool);
  std::cout << "the worlds are " << (alone == together ? "the same" : "different") << "\n";
  return alone == together ? 0 : 1;
}
