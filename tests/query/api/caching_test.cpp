// The results of a query do not depend on whether it keeps them.
#include <vector>

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::words;

// Every result with its variables, ids and sources.
std::string results(const kith::query<>& q) {
  words rows;
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        std::string row = it.entity(i).str();
        for (const std::string& name : q.vars()) row += "," + name + "=" + it.get_var(name).str();
        for (auto f : it.fields()) row += "," + f.id().str() + "@" + f.src().str();
        rows += row + "\n";
      }
  });
  return rows.str();
}

struct caching : testing::Test {
  caching() {
    world.define(
        "struct Position {f32 x, f32 y}, struct Velocity {f32 x, f32 y}\n"
        "Transitive(LocatedIn), Symmetric(Knows), Exclusive(OnTeam)\n"
        "LocatedIn(SanFrancisco, US), LocatedIn(Mission, SanFrancisco), LocatedIn(bob, Mission)\n"
        "IsA(Painting, Artwork), IsA(Portrait, Painting), Portrait(MonaLisa)\n"
        "Prefab(Ship), Velocity(Ship), IsA(titanic, Ship), Position(titanic)\n"
        "ChildOf(mid, root), ChildOf(leaf, mid), Position(root), Velocity(root.mid)\n"
        "Likes(bob, alice), Likes(bob, carl), Likes(alice, carl), Knows(bob, carl)\n"
        "Npc(bob), Position(bob), Position(alice), Enemy(carl), OnTeam(bob, red)\n"
        "Npc(List), Position(List)");
  }
  kith::world world;
};

const char* const texts[] = {
    "Position",
    "Position, !Velocity",
    "Position, ?Velocity",
    "Position || Velocity",
    "Npc || Enemy, Position",
    "(Likes, *)",
    "(*, carl)",
    "(*, *) || *",
    "(Likes, $x), Likes($x, $y)",
    "(Likes, $x), ($r, $x)",
    "$c, !(Likes, $c), Npc",
    "(LocatedIn, US)",
    "(LocatedIn, $where)",
    "Artwork",
    "(IsA, Artwork)",
    "Artwork[self|all|sub]",
    "Velocity",
    "Velocity(self)",
    "Position(up)",
    "Position(self|up)",
    "Velocity(down)",
    "Position(all|up)",
    "Position(cascade)",
    "Position(root), Npc",
    "Position(bob)",
    "Likes(bob, $x)",
    "(Likes, $x), !{Npc($x), Position($x)}",
    "Npc, ?{(Likes, $x), Enemy($x)}",
    "{Npc, Position} || Enemy",
    "AND | List",
    "OR | List",
    "Position, NOT | List",
    "(Likes, $x), $x != carl",
    "$this ~= \"li\", Position",
    "Prefab, Velocity",
    "_",
};

// Q14 U2 U3 U4 U5 U6 U7 U8 U9
TEST_F(caching, every_query_can_be_cached) {
  for (const char* text : texts) {
    auto cached = world.query_builder().expr(text).cached().build();
    auto uncached = world.filter(text);
    auto automatic = world.query(text);
    for (int times = 0; times < 3; ++times) {
      EXPECT_EQ(results(cached), results(uncached)) << text;
      EXPECT_EQ(results(automatic), results(uncached)) << text;
    }
  }
}

// U17
TEST_F(caching, cached_queries_follow_every_change) {
  std::vector<kith::query<>> cached, uncached;
  for (const char* text : texts) {
    cached.push_back(world.query_builder().expr(text).cached().build());
    cached.back().count();
    uncached.push_back(world.filter(text));
  }
  const auto all_agree = [&](const char* after) {
    for (std::size_t i = 0; i < cached.size(); ++i)
      EXPECT_EQ(results(cached[i]), results(uncached[i])) << texts[i] << "\nafter " << after;
  };
  for (const char* change : {
           "Position(dora), Npc(dora)",
           "!Position(root)",
           "IsA(Print, Artwork), Print(hare)",
           "Velocity(root.mid.leaf)",
           "!LocatedIn(Mission, SanFrancisco)",
           "LocatedIn(US, bob)",
           "!Velocity(Ship)",
           "Likes(carl, carl), !Likes(bob, alice)",
           "ChildOf(root, world)",
           "!Npc(List)",
           "Prefab(alice)",
           "Position(root)",
       }) {
    world.define(change);
    all_agree(change);
  }
  world.lookup("carl").destruct();
  all_agree("deleting carl");
  world.lookup("LocatedIn").remove(kith::Transitive);
  all_agree("taking Transitive");
  world.lookup("bob").disable();
  all_agree("disabling bob");
  world.lookup("Likes").destruct();
  all_agree("deleting Likes");
  world.lookup("Artwork").destruct();
  all_agree("deleting Artwork");
}

TEST_F(caching, a_plan_can_be_read) {
  EXPECT_FALSE(world.query("(Likes, $x), Likes($x, $y)").plan().empty());
}

}  // namespace
