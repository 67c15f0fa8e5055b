// Executors for tests: one with threads of its own, and one that is as unkind as it may be.
#pragma once

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include <kith/executor.hpp>

namespace kith::test {

// Starts its threads for each call, so that the thread sanitizer sees all that they wait for.
class thread_pool final : public executor {
 public:
  explicit thread_pool(unsigned threads) : threads_(threads) {}

  unsigned threads() const override { return threads_; }
  void run_pieces(std::size_t count, const std::function<void(std::size_t)>& piece) override {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t n = next++; n < count; n = next++) piece(n);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads_ && i < count; ++i) others.emplace_back(work);
    work();
    for (std::thread& t : others) t.join();
  }

 private:
  unsigned threads_;
};

// Runs pieces one after the other, in an order by chance.
class shuffling_executor final : public executor {
 public:
  explicit shuffling_executor(unsigned seed) : random_(seed) {}

  unsigned threads() const override { return 2; }
  void run_pieces(std::size_t count, const std::function<void(std::size_t)>& piece) override {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random_);
    for (std::size_t n : order) piece(n);
  }

 private:
  std::mt19937 random_;
};

}  // namespace kith::test
