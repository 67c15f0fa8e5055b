// What the answer to a query depends on.
#include <string>

#include <gtest/gtest.h>

#include "query/cache/read_watch.hpp"
#include "support/checked.hpp"

namespace {

using kith::core::read_watch;

struct query_reads : testing::Test {
  query_reads() { world.define("A(a), B(b), Likes(a, b), ChildOf(c, a), IsA(Loves, Likes)"); }

  kith::core::reads reads(const std::string& text) {
    return reads_of(*kith::test::checked(world, text), kith::test::meaning_of(world));
  }
  std::string text(const std::string& query) {
    return to_text(reads(query), world.engine().state().graph_);
  }

  kith::world world;
};

TEST_F(query_reads, are_the_groups_of_its_ids) {
  EXPECT_EQ(text("A"), "A, (IsA, *), Prefab, Disabled");
  EXPECT_EQ(text("A, !B"), "A, B, (IsA, *), Prefab, Disabled");
  EXPECT_EQ(text("A(a)"), "A, (IsA, *)");
  EXPECT_EQ(text("A, Prefab"), "A, Prefab, (IsA, *), Disabled");
}

TEST_F(query_reads, include_kinds_and_relations_of_flags) {
  EXPECT_EQ(text("(Likes, $x)"), "(Likes, *), (Loves, *), (IsA, *), Prefab, Disabled");
  EXPECT_EQ(text("A($this[up(ChildOf)])"), "(ChildOf, *), A, (IsA, *), Prefab, Disabled");
}

TEST_F(query_reads, are_all_ids_or_names_where_the_query_asks_for_any) {
  EXPECT_EQ(text("$c"), "(IsA, *), Prefab, Disabled, all ids");
  EXPECT_EQ(text("AND | a"), "(IsA, *), Prefab, Disabled, all ids, life");
  EXPECT_EQ(text("A, $this == \"a\""), "A, (IsA, *), Prefab, Disabled, names");
}

TEST_F(query_reads, are_watched) {
  read_watch watch(reads("A, !B"), kith::test::meaning_of(world));
  EXPECT_TRUE(watch.unchanged());
  world.define("C(a)");
  EXPECT_TRUE(watch.unchanged());
  const kith::entity a = world.lookup("a"), b = world.lookup("b");
  b.add(world.lookup("A"));
  a.add(world.lookup("B")).remove(world.lookup("B"));
  EXPECT_FALSE(watch.unchanged());
  const auto news = watch.changes(10);
  ASSERT_TRUE(news);
  EXPECT_EQ(news->entities, (std::vector<kith::entity_t>{a.id(), b.id()}));
  EXPECT_FALSE(news->kinds);
  EXPECT_FALSE(watch.changes(1)) << "more than one entity changed";
  watch.mark();
  EXPECT_TRUE(watch.unchanged());
  world.define("IsA(b, a)");
  EXPECT_TRUE(watch.changes(10)->kinds);
}

TEST_F(query_reads, include_which_entities_there_are_until_that_is_forgotten) {
  kith::core::reads what = reads("A");
  what.life = true;
  read_watch watch(what, kith::test::meaning_of(world));
  world.entity();
  EXPECT_FALSE(watch.unchanged());
  watch.forget_life();
  EXPECT_TRUE(watch.unchanged());
}

}  // namespace
