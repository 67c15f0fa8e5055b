#include "storage/change_log.hpp"

#include <gtest/gtest.h>

namespace {

using namespace kith::core;

TEST(change_log, lists_who_changed_for_who_watches) {
  const entity_index entities;
  change_logs logs(entities);
  logs.note(7, 1);
  const auto log = logs.watch(7);
  EXPECT_EQ(log->end(), 0u);
  logs.note(7, 2);
  logs.note(8, 3);
  logs.note(7, 4);
  EXPECT_EQ(log->entities, (std::vector<kith::entity_t>{2, 4}));
  EXPECT_EQ(log->end(), 2u);
}

TEST(change_log, loses_nothing_for_readers_that_keep_up) {
  const entity_index entities;
  change_logs logs(entities);
  const auto log = logs.watch(7);
  std::uint64_t seen = 0;
  for (kith::entity_t e = 0; e < 10 * logs.max_listed(); ++e) {
    logs.note(7, e);
    if (e % 100 != 0) continue;
    ASSERT_GE(seen, log->first);
    ASSERT_EQ(log->entities.back(), e);
    seen = log->end();
  }
  EXPECT_LE(log->entities.size(), logs.max_listed());
}

TEST(change_log, says_when_it_does_not_know_who) {
  const entity_index entities;
  change_logs logs(entities);
  const auto log = logs.watch(7);
  logs.note(7, 1);
  const std::uint64_t seen = log->end();
  logs.note_many(7);
  EXPECT_LT(seen, log->first);
}

TEST(change_log, ends_with_its_last_reader) {
  const entity_index entities;
  change_logs logs(entities);
  { const auto log = logs.watch(7); }
  EXPECT_TRUE(logs.any());
  logs.note(7, 1);
  EXPECT_FALSE(logs.any());
}

}  // namespace
