// Variables that several terms share. The query intersects sorted lists where pairs are plain, and
// uses other ways where they are inherited, switched off or kinds of each other.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

class joins : public testing::TestWithParam<const char*> {
 protected:
  joins() {
    const std::string trait = GetParam();
    for (const char* relation : {"Likes", "Knows"}) {
      kith::entity r = world_.entity(relation);
      if (trait == "Fragment") r.add(kith::Fragment);
      if (trait == "DontFragment") r.add(kith::DontFragment);
    }
  }

  // Each result as "a b c": the values of the variables, $this first.
  std::vector<std::string> rows(const std::string& text, std::vector<std::string> variables) {
    std::vector<std::vector<std::string>> ways;
    for (int times = 0; times < 2; ++times) {
      const auto add = [&](const kith::query<>& q) {
        std::vector<std::string>& found = ways.emplace_back();
        q.run([&](kith::iter& it) {
          while (it.next())
            for (std::size_t row = 0; row < it.count(); ++row) {
              std::string one = it.entity(row).str();
              for (const std::string& v : variables) one += " " + it.get_var(v).str();
              found.push_back(one);
            }
        });
        std::sort(found.begin(), found.end());
      };
      add(world_.filter(text));
      add(world_.query_builder<>().expr(text).cached().build());
    }
    for (const auto& way : ways) EXPECT_EQ(way, ways.front()) << text;
    return ways.front();
  }
  using list = std::vector<std::string>;

  kith::world world_;
};

}  // namespace

TEST_P(joins, what_one_has_in_common_by_two_relations) {
  world_.define(
      "Likes(a, x), Likes(a, y), Likes(a, z), Knows(a, y), Knows(a, z), Knows(a, w), "
      "Likes(b, x), Knows(b, y), Likes(c, z), Knows(c, z), Knows(d, z)");
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a y", "a z", "c z"}));
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t), !Knows(d, $t)", {"t"}), (list{"a y"}));
}

TEST_P(joins, circles) {
  world_.define("Likes(a, b), Likes(b, c), Likes(c, a), Likes(c, d), Likes(d, a), Likes(a, a)");
  EXPECT_EQ(rows("(Likes, $y), Likes($y, $z), Likes($z, $this)", {"y", "z"}),
            (list{"a a a", "a b c", "b c a", "c a b"}));
}

TEST_P(joins, one_variable_twice_in_a_term) {
  world_.define("Likes(a, a), Likes(a, b), Likes(b, a), Knows(a, b), Knows(a, a)");
  EXPECT_EQ(rows("(Likes, $x), Likes($x, $x)", {"x"}), (list{"a a", "b a"}));
  EXPECT_EQ(rows("(Likes, $x), (Knows, $x), Likes($x, $x)", {"x"}), (list{"a a"}));
}

TEST_P(joins, what_is_inherited_counts) {
  for (const char* relation : {"Likes", "Knows"})
    world_.lookup(relation).add(kith::OnInstantiate, kith::Inherit);
  world_.define(
      "Likes(base, x), Likes(base, y), IsA(a, base), Knows(a, y), Likes(b, y), Knows(b, y)");
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a y", "b y"}));
  // b is a kind of c, so it inherits the pairs of c.
  world_.define("IsA(b, c), Likes(c, w), Knows(c, w)");
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a y", "b w", "b y", "c w"}));
}

TEST_P(joins, what_is_switched_off_does_not) {
  world_.define("Likes(a, x), Knows(a, x), Likes(a, y), Knows(a, y)");
  world_.lookup("a").disable(world_.lookup("Likes"), world_.lookup("x"));
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a y"}));
}

// Rows with the same pair differ if it is off for one of them.
TEST_P(joins, an_optional_transitive_term_is_asked_for_each_row) {
  world_.define(
      "Transitive(Likes), Likes(m, t), Likes(e0, m), Likes(e1, m), Likes(e2, t), Likes(e3, t), "
      "Pos(e0), Pos(e1), Pos(e2), Pos(e3), Pos(e4)");
  const auto who_likes = [&] {
    std::vector<std::string> ways;
    for (const kith::query<>& q :
         {world_.filter("Pos, ?(Likes, t)"),
          world_.query_builder<>().expr("Pos, ?(Likes, t)").cached().build()})
      for (int times = 0; times < 2; ++times) {
        list found;
        for (kith::iter& it : q)
          for (auto row : it)
            if (it.is_set(1)) found.push_back(it.entity(row).str());
        std::sort(found.begin(), found.end());
        std::string& all = ways.emplace_back();
        for (const std::string& one : found) all += one + " ";
      }
    for (const std::string& way : ways) EXPECT_EQ(way, ways.front());
    return ways.front();
  };
  EXPECT_EQ(who_likes(), "e0 e1 e2 e3 ");
  const kith::entity Likes = world_.lookup("Likes");
  world_.lookup("e1").disable(Likes, world_.lookup("m"));
  world_.lookup("e2").disable(Likes, world_.lookup("t"));
  EXPECT_EQ(who_likes(), "e0 e3 ");
}

TEST_P(joins, kinds_of_a_relation_count) {
  world_.define("IsA(Adores, Likes), Adores(a, x), Knows(a, x), Likes(b, x), Knows(b, x)");
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a x", "b x"}));
}

TEST_P(joins, transitive_and_reflexive_relations_lead_on) {
  world_.define("Transitive(Likes), Likes(a, b), Likes(b, c), Knows(a, c), Knows(a, a)");
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a c"}));
  world_.define("Reflexive(Likes)");
  EXPECT_EQ(rows("(Likes, $t), (Knows, $t)", {"t"}), (list{"a a", "a c"}));
}

TEST_P(joins, long_lists_and_many_owners) {
  const kith::entity likes = world_.lookup("Likes"), knows = world_.lookup("Knows"),
                     hub = world_.entity("hub");
  std::vector<kith::entity> all;
  for (int i = 0; i < 500; ++i) all.push_back(world_.entity());
  for (std::size_t i = 0; i < all.size(); ++i) {
    hub.add(likes, all[i]);
    if (i % 7 == 0) all[i].add(likes, hub);
    if (i % 100 == 0) hub.add(knows, all[i]);
    all[i].add(knows, all[(i * 3) % all.size()]);
  }
  const auto count = [&](const char* text) {
    const std::size_t uncached = world_.filter(text).count();
    EXPECT_EQ(world_.query_builder<>().expr(text).cached().build().count(), uncached) << text;
    return uncached;
  };
  EXPECT_EQ(count("Likes(hub, $x), Knows(hub, $x)"), 5u);
  EXPECT_EQ(count("Likes(hub, $x), Likes($x, hub)"), 72u);
  // Of x with 3x: those that like the hub are the multiples of 7.
  std::size_t expected = 0;
  for (int i = 0; i < 500; ++i) expected += i % 7 == 0 && (i * 3) % 500 % 7 == 0;
  EXPECT_EQ(count("Likes($x, hub), Knows($x, $y), Likes($y, hub)"), expected);
}

TEST_P(joins, kept_rows_that_share_variables_come_together) {
  world_.define(
      "Likes(a, x), Knows(a, x), Likes(a, y), Knows(a, y), Likes(b, x), Knows(b, x), "
      "Likes(c, y), Knows(c, y), Likes(d, x), Knows(d, x)");
  const auto q = world_.query_builder<>().expr("(Likes, $t), (Knows, $t)").cached().build();
  for (int times = 0; times < 2; ++times) {
    std::vector<std::string> batches;
    q.run([&](kith::iter& it) {
      while (it.next()) {
        std::vector<std::string> names;
        for (std::size_t row = 0; row < it.count(); ++row) names.push_back(it.entity(row).str());
        std::sort(names.begin(), names.end());
        std::string& text = batches.emplace_back(it.get_var("t").str() + ":");
        for (const std::string& name : names) text += " " + name;
      }
    });
    EXPECT_EQ(batches, (list{"x: a b d", "y: a c"}));
  }
}

INSTANTIATE_TEST_SUITE_P(storages, joins, testing::Values("plain", "Fragment", "DontFragment"),
                         [](const auto& storage) { return std::string(storage.param); });

// Few owners among many targets, and few values of a term that is no list.
TEST(joins_of_many, begin_with_the_fewest) {
  kith::world w;
  w.define("hub, x, Reflexive(Near)");
  const kith::entity likes = w.entity("Likes"), of = w.entity("Of"), hub = w.lookup("hub"),
                     x = w.lookup("x"), near = w.lookup("Near");
  std::vector<kith::entity> all;
  for (int i = 0; i < 5000; ++i) hub.add(likes, all.emplace_back(w.entity()));
  all[7].add(of, x);
  all[4000].add(of, x).add(near, x);
  w.entity().add(of, x);
  for (const char* text : {"Likes(hub, $z), Of($z, x)", "Of($z, x), Likes(hub, $z)"})
    EXPECT_EQ(w.filter(text).count(), 2u) << text;
  EXPECT_EQ(w.filter("Likes(hub, $z), Of($z, x), Near($z, x)").count(), 1u);
  EXPECT_EQ(w.filter("Likes(hub, $z), Near($z, x)").count(), 1u);
}

// Contexts that differ in their sources alone are told apart without comparing each with all.
TEST(joins_of_many, kept_rows_with_a_source_each) {
  kith::world w;
  const kith::entity local = w.entity("Local"), place = w.entity("Place");
  constexpr int many = 20'000;
  for (int i = 0; i < many; ++i) {
    const kith::entity parent = w.entity().add(place);
    for (int k = 0; k < 2; ++k) w.entity().add(local).child_of(parent);
  }
  const auto q = w.query_builder<>().expr("Local, Place(up(ChildOf))").cached().build();
  EXPECT_EQ(q.count(), std::size_t{2 * many});
  EXPECT_EQ(q.count(), std::size_t{2 * many});
}
