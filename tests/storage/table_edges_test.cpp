#include "storage/table_edges.hpp"

#include <set>

#include <gtest/gtest.h>

namespace {

using namespace kith::core;
using kith::id_t;

// Only addresses matter to edges.
table* table_number(std::size_t n) { return reinterpret_cast<table*>(n * 64); }

class table_edges_of : public ::testing::TestWithParam<std::size_t> {
 protected:
  table_edges edges_;
  std::size_t n_ = GetParam();
  table_edges_of() {
    for (std::size_t i = 1; i <= n_; ++i) edges_.insert(i, table_number(i));
  }
};

// R104 R106
TEST_P(table_edges_of, finds_each_edge_again) {
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 1; i <= n_; ++i) EXPECT_EQ(edges_.find(i), table_number(i));
  EXPECT_EQ(edges_.find(0), nullptr);
  EXPECT_EQ(edges_.find(n_ + 1), nullptr);
}

TEST_P(table_edges_of, edge_inserted_again_leads_to_the_new_table) {
  edges_.insert(1, table_number(99));
  edges_.insert(n_, table_number(99));
  EXPECT_EQ(edges_.find(1), table_number(99));
  EXPECT_EQ(edges_.find(n_), table_number(99));
}

TEST_P(table_edges_of, erased_edges_are_gone_and_the_others_stay) {
  for (std::size_t i = 1; i <= n_; i += 2) {
    edges_.find(i);
    edges_.erase(i);
  }
  for (std::size_t i = 1; i <= n_; ++i)
    EXPECT_EQ(edges_.find(i), i % 2 ? nullptr : table_number(i)) << i;
}

TEST_P(table_edges_of, each_visits_every_edge_once) {
  edges_.erase(1);
  edges_.insert(n_ + 1, table_number(n_ + 1));
  std::multiset<id_t> seen;
  edges_.each([&](id_t id, table*) { seen.insert(id); });
  EXPECT_EQ(seen.size(), n_);
  EXPECT_EQ(std::set<id_t>(seen.begin(), seen.end()).size(), n_);
}

INSTANTIATE_TEST_SUITE_P(few_and_many, table_edges_of, ::testing::Values(1, 2, 7, 8, 9, 10, 500));

}  // namespace
