// What `check` says of each term.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/checked.hpp"

namespace {

struct term_shapes : testing::Test {
  term_shapes() {
    world.define(
        "Transitive(In), Reflexive(Same), A(a), Likes(a, b), In(a, b), Same(a, b), ChildOf(c, a)");
  }

  // The terms as they are written: "id on $this, star on fixed".
  std::string shapes(const std::string& text) {
    const kith::test::checked q(world, text);
    std::vector<const kith::core::checked_term*> terms;
    kith::core::each_item(q->root, [&](const kith::core::item& i) {
      if (i.is == kith::core::item::kind::term) terms.push_back(&i.term);
      return true;
    });
    std::ranges::sort(terms, {}, &kith::core::checked_term::number);
    std::string line;
    for (const auto* t : terms) {
      if (!line.empty()) line += ", ";
      line += std::string(to_text(t->shape.is)) + " on " + std::string(to_text(t->shape.on));
    }
    return line;
  }
  bool is_local(const std::string& text) { return kith::test::checked(world, text)->is_local; }
  std::string hidden(const std::string& text) {
    const kith::test::checked q(world, text);
    std::string line;
    for (kith::id_t id : q->hides) line += (line.empty() ? "" : " ") + world.engine().text_of(id);
    return line;
  }

  kith::world world;
};

TEST_F(term_shapes, tell_what_the_id_is) {
  EXPECT_EQ(shapes("A, (Likes, b)"), "id on $this, id on $this");
  EXPECT_EQ(shapes("(Likes, $x), $c, ($r, b)"),
            "variable on $this, variable on $this, variable on $this");
  EXPECT_EQ(shapes("(In, b), (Same, $x)"), "closure on $this, closure on $this");
  EXPECT_EQ(shapes("(Likes, *), (In, *)"), "star on $this, star on $this");
  EXPECT_EQ(shapes("(Likes, _), (*, b), *"), "wild on $this, wild on $this, wild on $this");
  EXPECT_EQ(shapes("Likes($this, $x[up(ChildOf)])"), "walk on $this");
  EXPECT_EQ(shapes("AND | a, A"), "list on $this, id on $this");
  EXPECT_EQ(shapes("A, $this == a, $this == \"a\""), "id on $this, equality on none, text on none");
}

TEST_F(term_shapes, tell_whose_ids_are_asked) {
  EXPECT_EQ(shapes("A($x), A(a), A(_), A"), "id on variable, id on fixed, id on any, id on $this");
  EXPECT_EQ(shapes("A($this[up(ChildOf)])"), "id on walk");
  EXPECT_EQ(shapes("(Likes, $x), A($x.wheel)"), "variable on $this, id on walk");
  EXPECT_EQ(shapes("!A, ?(Likes, b), A || {A(a)}"),
            "id on $this, id on $this, id on $this, id on fixed");
}

TEST_F(term_shapes, follow_the_traits) {
  EXPECT_EQ(shapes("(Likes, b)"), "id on $this");
  world.lookup("Likes").add(kith::Transitive);
  EXPECT_EQ(shapes("(Likes, b)"), "closure on $this");
  world.lookup("Likes").remove(kith::Transitive);
  EXPECT_EQ(shapes("(Likes, b)"), "id on $this");
}

TEST_F(term_shapes, make_a_query_local_if_each_entity_decides_for_itself) {
  EXPECT_TRUE(is_local("A, !(Likes, b)"));
  EXPECT_TRUE(is_local("(Likes, $x), $x != a"));
  EXPECT_TRUE(is_local("(Likes, *), (In, _)"));
  EXPECT_FALSE(is_local("(Likes, $x), A($x)"));
  EXPECT_FALSE(is_local("(In, b)"));
  EXPECT_FALSE(is_local("A($this[up(ChildOf)])"));
  EXPECT_FALSE(is_local("A, $this == \"a\""));
  EXPECT_FALSE(is_local("A(a)"));
}

TEST_F(term_shapes, hide_what_no_term_names) {
  EXPECT_EQ(hidden("A"), "Prefab Disabled");
  EXPECT_EQ(hidden("A, ?Prefab"), "Disabled");
  EXPECT_EQ(hidden("A, !Disabled, Prefab"), "");
  EXPECT_EQ(hidden("A, Prefab($x)"), "Prefab Disabled");
  EXPECT_EQ(hidden("A(a)"), "");
}

}  // namespace
