// Names of entities in queries where several are called alike.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::found;

struct query_names : testing::Test {
  query_names() {
    world.define(
        "Tag(top), ChildOf(kid, top), IsA(heir, top), Old(top)\n"
        "game.ChildOf, game.IsA, game.Tag(other)");
    world.set_scope(world.lookup("game"));
  }

  kith::world world;
};

// C29
TEST_F(query_names, flag_words_follow_the_built_in_relations_whatever_else_is_called_so) {
  EXPECT_EQ(found(world.query("Old(up)")), "kid");
  EXPECT_EQ(found(world.query("Old(parent)")), "kid");
  EXPECT_EQ(found(world.query("Old(cascade)")), "kid");
  EXPECT_EQ(found(world.query("Old(super)")), "heir");
  EXPECT_EQ(found(world.query("Old(up(ChildOf))")), "");
  EXPECT_EQ(found(world.query("Old(super(IsA))")), "");
  EXPECT_EQ(found(world.query("Old(up(kith.ChildOf))")), "kid");
}

TEST_F(query_names, str_reads_back_in_the_scope_it_was_printed_in) {
  for (const char* text : {"Old(up)", "Old(super)", "Tag", "::Tag", "Old(up(ChildOf))",
                           "(::kith.ChildOf, top)", "(ChildOf, top)"}) {
    const auto q = world.query(text);
    const auto back = world.query(q.str());
    EXPECT_EQ(back.str(), q.str()) << text;
    EXPECT_EQ(found(back), found(q)) << text;
  }
  EXPECT_EQ(world.query("::Tag").str(), "::Tag");
  EXPECT_EQ(world.query("Tag").str(), "game.Tag");
  EXPECT_EQ(world.query("Old(up)").str(), "Old(up(::kith.ChildOf))");
}

}  // namespace
