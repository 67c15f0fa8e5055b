// A frame as a list of spans, written in the format that trace viewers of browsers open.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace kith::core {

class frame_trace {
 public:
  using clock = std::chrono::steady_clock;

  explicit frame_trace(std::string path) : path_(std::move(path)) {}

  // Something went on from `begin` to `end` on this thread. Any thread may call it.
  void add(std::string name, std::string_view kind, clock::time_point begin, clock::time_point end,
           std::uint64_t rows = 0);
  std::string to_json() const;
  // An `io` error if the file cannot be written.
  void write() const;

 private:
  struct span {
    std::string name;
    std::string_view kind;
    clock::time_point begin, end;
    std::size_t thread;
    std::uint64_t rows;
  };

  std::string path_;
  clock::time_point start_ = clock::now();
  std::mutex guard_;
  // The calling thread, and others by their first span.
  std::vector<std::thread::id> threads_{std::this_thread::get_id()};
  std::vector<span> spans_;
};

}  // namespace kith::core
