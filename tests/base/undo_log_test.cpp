#include "base/undo_log.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace kith::core {
namespace {

TEST(undo_log, runs_the_steps_backwards_once) {
  undo_log log;
  std::string done;
  for (char c : std::string("abc")) log.push([&done, c](undo_way) { done += c; });
  EXPECT_EQ(log.size(), 3u);
  log.roll_back();
  log.roll_back();
  EXPECT_EQ(done, "cba");
}

TEST(undo_log, forgets_what_steps_own) {
  auto owned = std::make_shared<int>(1);
  {
    undo_log log;
    for (int i = 0; i < 100'000; ++i) log.push([owned](undo_way) {});
    log.forget();
    EXPECT_EQ(owned.use_count(), 1);
    log.push([owned](undo_way) {});
  }
  EXPECT_EQ(owned.use_count(), 1);
}

}  // namespace
}  // namespace kith::core
