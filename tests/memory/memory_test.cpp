// std::bad_alloc leaves the world as it was, and the next call works.
//
// Each operation runs on a fresh stage while its n-th allocation fails, for every n and both ways
// of failing: that allocation alone, or it and all later ones until the operation returns.
// Afterwards
//
//   1. the operation threw std::bad_alloc and everything that can be seen is as before, or it did
//      not throw and everything is as it should be;
//   2. the operation, repeated with memory, leaves what it leaves where it succeeds at once;
//   3. the destroyed stage has freed everything.
//
// The points of an operation run in a process of their own, so that a crash is a finding like
// others. KITH_MEMORY_ALL=1 tests every point; else a sample. KITH_MEMORY_TRACE=1 shows what
// crashes print.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <new>
#include <set>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/watched_memory.hpp"
#include "memory/failing_memory.hpp"
#include "memory/operations.hpp"

namespace kith::test {

namespace {

// Operations some of whose points fail still. A listed operation that passes everywhere fails the
// test: it is to be taken off the list.
const std::set<std::string> known_failures = {};

// Of how many points a sample has one.
#ifdef KITH_WATCHES_MEMORY
constexpr long sample_step = 61;
#else
constexpr long sample_step = 13;
#endif

struct point {
  long n = 0;
  failing how = failing::once;
};

std::string text_of(point p) {
  return "n=" + std::to_string(p.n) + (p.how == failing::once ? "" : " and all after it");
}

// What the process of an operation tells the one that waits for it.
struct shared_state {
  point now;
  bool is_done;
  long allocations;
};

class points_of {
 public:
  explicit points_of(const operation& o) : o_(o) {
    if (o.parts > 1)
      for (unsigned parts = 0; parts < 1u << o.parts; ++parts) after_.insert(after(parts));
    else
      after_.insert(after(0));
    done_ = after(~0u);
    stage s;
    prepare(s);
    fail_memory(LONG_MAX, failing::once);
    o_.run(s, ~0u);
    allow_memory();
    allocations_ = allocations_tried();
  }

  long allocations() const { return allocations_; }

  // Empty, or what is wrong.
  std::string problem_at(point p) const {
    // Each world leaves its engine behind.
    const auto own_allocations = [] {
      return live_allocations() - static_cast<long>(core::engine::made_so_far());
    };
    const long before = own_allocations();
    std::string problem = run(p);
    problem.shrink_to_fit();
    const long own = problem.capacity() > std::string().capacity() ? 1 : 0;
    if (problem.empty() && own_allocations() - own != before)
      problem = std::to_string(own_allocations() - before) + " allocations are not freed";
    return problem;
  }

 private:
  void prepare(stage& s) const {
    if (o_.prepare) o_.prepare(s);
  }

  std::string after(unsigned parts) const {
    stage s;
    prepare(s);
    if (parts) o_.run(s, parts);
    return text_of(s);
  }

  std::string run(point p) const {
    stage s;
    prepare(s);
    bool threw = false;
    std::string other;
    fail_memory(p.n, p.how);
    try {
      o_.run(s, ~0u);
    } catch (const std::bad_alloc&) {
      threw = true;
    } catch (const std::exception& e) {
      allow_memory();
      other = e.what();
    }
    allow_memory();
    if (!other.empty()) return "another error: " + other;
    s.w.deferred_errors();
    if (threw) {
      s.answer.clear();
      if (o_.parts) {
        const std::string now = text_of(s);
        if (!after_.contains(now))
          return "after bad_alloc: " + first_difference(*after_.begin(), now);
      }
      try {
        o_.run(s, ~0u);
      } catch (const std::exception& e) {
        return std::string("repeated: threw ") + e.what();
      }
    }
    const std::string now = text_of(s);
    if (now != done_) return (threw ? "repeated: " : "not thrown: ") + first_difference(done_, now);
    return {};
  }

  const operation& o_;
  std::set<std::string> after_;  // what may be seen after a failure
  std::string done_;
  long allocations_ = 0;
};

bool wants_all() { return std::getenv("KITH_MEMORY_ALL") != nullptr; }

// Runs the points from `first` on, and writes a line for each that fails.
void run_points(const operation& o, long number, point first, bool until_failure, int output,
                shared_state& shared) {
  const points_of points(o);
  shared.allocations = points.allocations();
  const long step = wants_all() || until_failure ? 1 : sample_step;
  // What is made once and kept, such as numbers of types, is made now.
  points.problem_at({0, failing::once});
  for (point p = first; p.n < points.allocations(); p.how = failing::once, ++p.n) {
    if ((p.n + number) % step != 0) continue;
    for (;;) {
      shared.now = p;
      const std::string problem = points.problem_at(p);
      if (!problem.empty()) {
        const std::string line = text_of(p) + ": " + problem + "\n";
        if (write(output, line.data(), line.size()) < 0) return;
        if (until_failure) return;
      }
      if (p.how == failing::from_then_on) break;
      p.how = failing::from_then_on;
    }
  }
  shared.is_done = true;
}

std::string read_all(int input) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(input, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

std::string crash_of(int status) {
  return WIFSIGNALED(status) ? "crashed by signal " + std::to_string(WTERMSIG(status))
                             : "ended the process with " + std::to_string(WEXITSTATUS(status));
}

// A line for each failing point of the operation.
std::string failures_of(const operation& o, long number, bool until_failure, long& allocations) {
  auto* shared = static_cast<shared_state*>(mmap(
      nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::string failures;
  point first;
  for (;;) {
    *shared = {};
    shared->now.n = -1;
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
      if (!std::getenv("KITH_MEMORY_TRACE")) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
      }
      alarm(120);
      run_points(o, number, first, until_failure, ends[1], *shared);
      _exit(0);
    }
    close(ends[1]);
    failures += read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    failures += text_of(shared->now) + ": " + crash_of(status) + "\n";
    if (shared->now.n < 0 || until_failure) break;
    first = shared->now.how == failing::once ? point{shared->now.n, failing::from_then_on}
                                             : point{shared->now.n + 1, failing::once};
  }
  allocations = shared->allocations;
  munmap(shared, sizeof(shared_state));
  return failures;
}

class memory : public testing::TestWithParam<std::size_t> {};

}  // namespace

TEST_P(memory, that_ends_leaves_the_world_as_it_was) {
  const operation& o = operations()[GetParam()];
  const bool is_known = known_failures.contains(o.name);
  long allocations = 0;
  std::string failures =
      failures_of(o, static_cast<long>(GetParam()), is_known && !wants_all(), allocations);
  // A kept handle of a world may have allocated nothing at all.
  RecordProperty("allocations", std::to_string(allocations));
  if (is_known && !failures.empty() && !wants_all()) return;
  if (is_known) {
    EXPECT_FALSE(failures.empty())
        << "'" << o.name << "' passes: take it from known_failures in memory_test.cpp";
  }
  std::string lines;
  for (std::size_t at = 0; at < failures.size();) {
    const std::size_t end = failures.find('\n', at);
    lines += "  " + std::string(o.name) + " " + failures.substr(at, end - at) + "\n";
    at = end == failures.npos ? failures.size() : end + 1;
  }
  EXPECT_TRUE(lines.empty()) << lines << "  of " << allocations << " allocations";
}

TEST(memory_operations, known_failures_name_operations) {
  std::set<std::string> names;
  for (const operation& o : operations()) EXPECT_TRUE(names.insert(o.name).second) << o.name;
  for (const std::string& name : known_failures) EXPECT_TRUE(names.contains(name)) << name;
}

INSTANTIATE_TEST_SUITE_P(all, memory, testing::Range<std::size_t>(0, operations().size()),
                         [](const testing::TestParamInfo<std::size_t>& i) {
                           std::string name = operations()[i.param].name;
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace kith::test
