#include "storage/change_log.hpp"

#include <gtest/gtest.h>

namespace {

using namespace kith::core;

class change_log_test : public ::testing::Test {
 protected:
  void change(kith::id_t id, kith::entity_t e, delta::kind what = delta::kind::gained) {
    sinks.hear(sinks.wanting(id), what, e, id);
  }
  void change_many(kith::id_t id) { sinks.hear_many(sinks.wanting(id), id); }

  entity_index entities;
  change_sinks sinks;
  change_logs logs{entities, sinks, change_logs::about::membership};
  change_logs values{entities, sinks, change_logs::about::values};
};

TEST_F(change_log_test, lists_entities_that_changed_for_readers_that_watch) {
  change(7, 1);
  const auto log = logs.watch(7);
  EXPECT_EQ(log->end(), 0u);
  change(7, 2);
  change(8, 3);
  change(7, 4, delta::kind::lost);
  EXPECT_EQ(log->entities, (std::vector<kith::entity_t>{2, 4}));
  EXPECT_EQ(log->end(), 2u);
}

TEST_F(change_log_test, membership_is_of_a_relation_and_values_are_of_one_pair) {
  const kith::id_t a = make_pair_of(9, 1), b = make_pair_of(9, 2);
  const auto members = logs.watch(group_key(a));
  const auto written = values.watch(a);
  change(a, 1);
  change(b, 2);
  change(a, 3, delta::kind::written);
  change(a, 4, delta::kind::lost);
  EXPECT_EQ(members->entities, (std::vector<kith::entity_t>{1, 2, 4}));
  EXPECT_EQ(written->entities, (std::vector<kith::entity_t>{1, 3}));
}

TEST_F(change_log_test, loses_nothing_for_readers_that_keep_up) {
  const auto log = logs.watch(7);
  std::uint64_t seen = 0;
  for (kith::entity_t e = 0; e < 10 * logs.max_listed(); ++e) {
    change(7, e);
    if (e % 100 != 0) continue;
    ASSERT_GE(seen, log->first);
    ASSERT_EQ(log->entities.back(), e);
    seen = log->end();
  }
  EXPECT_LE(log->entities.size(), logs.max_listed());
}

TEST_F(change_log_test, says_when_it_cannot_list_the_entities) {
  const auto log = logs.watch(7);
  change(7, 1);
  const std::uint64_t seen = log->end();
  change_many(7);
  EXPECT_LT(seen, log->first);
}

TEST_F(change_log_test, ends_with_its_last_reader) {
  { const auto log = logs.watch(7); }
  EXPECT_TRUE(logs.any());
  EXPECT_TRUE(sinks.wanting(7));
  change(7, 1);
  EXPECT_FALSE(logs.any());
  EXPECT_FALSE(sinks.wanting(7));
}

}  // namespace
