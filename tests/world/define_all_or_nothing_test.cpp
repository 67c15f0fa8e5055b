// A text with an error changes nothing, for every kind of statement before the error and in every
// storage.
#include <algorithm>

#include <gtest/gtest.h>

#include "support/lifecycle.hpp"
#include "world/vocabulary.hpp"

namespace {

using kith::core::concat;

// All that can be asked of a world.
std::string everything(kith::world& world) {
  std::string text = concat(world.facts(), "---\n");
  for (kith::entity e : world_tests::entities_of(world)) {
    text += concat(e.path(), ":");
    for (kith::id i : e.type()) {
      text += concat(" ", i.str());
      if (!e.enabled(i)) text += " off";
      // Texts and handles are not comparable as bytes.
      if (i.type_id() == world.lookup("Position"))
        for (int n : {0, 1})
          text += concat(" ", std::to_string(static_cast<float*>(e.get_mut(i))[n]));
    }
    text += " children:";
    std::vector<std::string> children;
    for (kith::entity c : e.children()) children.push_back(c.str());
    if (!e.has(kith::OrderedChildren)) std::sort(children.begin(), children.end());
    for (const std::string& c : children) text += concat(" ", c);
    text += " members:";
    for (const kith::member_info& m : world.members(e)) text += concat(" ", m.type, " ", m.name);
    text += "\n";
  }
  return text;
}

// A world in which everything can go wrong.
constexpr std::string_view setup = R"(
  struct Position {f32 x, f32 y}
  struct Amount {i32 n}
  Position(bob) {1, 2}, Position(alice) {3, 4}
  Npc(bob)
  Unused

  Exclusive(Holds)
  Holds(bob, apple)
  struct Wants {f32 how_much}
  Exclusive(Wants)
  Wants(bob, apple) {0.5}
  Likes(bob, apple), Likes(bob, pear), Likes(alice, apple)
  Amount(bob) {7}

  Symmetric(Married), Exclusive(Married)
  Married(bob, alice), Married(carol, tom)
  With(Power, Responsibility)
  OneOf(Color, colors)
  ChildOf(red, colors), ChildOf(green, colors)
  Color(bob, red)
  Singleton(Game)
  Game($)

  Prefab(Tank)
  ChildOf(turret, Tank), ChildOf(barrel, turret)
  Position(turret) {5, 6}
  OnInstantiate(Position, Override)
  IsA(tank1, Tank)

  OrderedChildren(garage)
  ChildOf(c1, garage), ChildOf(c2, garage), ChildOf(c3, garage)
  ChildOf(loose1, yard)
  Base(base), Position(base) {8, 9}
  IsA(kind, base)
  Final(Sealed)
  Acyclic(Before)
  Before(a, b), Before(b, c)
)";

// Each is well on its own.
const std::vector<std::string>& good_texts() {
  static const std::vector<std::string> texts{
      "Fresh(x1)",
      "deep.new.path, Fresh(deep.new.path)",
      "Position(bob) {10}",
      "Position(x2) {10, 20}, Position(x2) {y: 5}",
      "!Position(bob)",
      "!Position(bob), Position(bob) {1, 1}, !Position(bob), Position(bob) {2, 2}",
      "Holds(bob, pear), Holds(bob, x3)",
      "Wants(bob, pear) {2}, Wants(bob, apple) {3}",
      "!Wants(bob, apple)",
      "!Likes(bob, apple), Likes(bob, x4)",
      "Married(bob, carol)",
      "!Married(bob, alice)",
      "Power(bob), Power(bob, x5)",
      "Color(bob, colors.green)",
      "IsA(tank2, Tank), IsA(tank3, tank2)",
      "ChildOf(bolt, turret), IsA(tank2, Tank)",
      "ChildOf(bob, garage), ChildOf(c1, yard), ChildOf(c4, garage)",
      "!ChildOf(garage.c2, garage), ChildOf(yard.loose1, garage)",
      "ChildOf(garage.c3, yard), ChildOf(yard.c3, garage)",
      "!OrderedChildren(garage), ChildOf(c5, garage)",
      "OrderedChildren(yard), ChildOf(x6, yard)",
      "Transitive(Likes), Reflexive(Likes)",
      "!Exclusive(Holds), Holds(bob, pear), Holds(bob, x7)",
      "!Symmetric(Married), !Married(bob, alice)",
      "Symmetric(Likes)",
      "Symmetric(Knows), Knows(bob, x8)",
      "PairIsTag(Tagged), Tagged(bob, Position)",
      "PairIsTag(Likes)",
      "struct Fresh2 {text t, entity e}, Fresh2(bob) {\"a text that is long enough for memory\", "
      "x9}",
      "struct Unused {f32 x}, Unused(bob) {4}, New(bob, Unused) {5}",
      "struct Inner {text t}, struct Outer {Inner i}, Outer(bob) {{\"t\"}}, !Outer(bob)",
      "Prefab(yard)",
      "!Prefab(Tank), !Prefab(Tank.turret), !Prefab(Tank.turret.barrel)",
      "Sparse(Position), Position(x10) {1, 1}",
      "DontFragment(Likes), Likes(x11, bob)",
      "Fragment(Likes)",
      "Union(Holds)",
      "!Final(Position), Inheritable(Amount), IsA(X12, Amount)",
      "OnInstantiate(Position, DontInherit)",
      "OnInstantiate(Amount, Override), Amount(base) {3}, IsA(kind2, base)",
      "Position(kind) {y: 1}",
      "!IsA(kind, base)",
      "Position(base) {y: 77}",
      "#5000, Npc(#5000), #6000.wheel",
      "Disabled(bob), Game($)",
      "OneOf(Likes2, bob), With(Likes2, Npc), OnDelete(Likes2, Panic), OnDeleteTarget(Likes2, "
      "Delete)",
      "!Before(a, b), Before(c, a)",
      "Traversable(ChildOf), Npc(IsA)",
      "Relationship(Rel), Rel(bob, alice)",
      "!ChildOf(Tank.turret.barrel, Tank.turret), !Prefab(barrel)"};
  return texts;
}

// Each is refused.
constexpr std::array bad_texts{
    "ChildOf(q, q)",
    "IsA(q, Sealed)",
    "Position(q) {z: 1}",
    "Position(bob) {1, 2, 3}",
    "Position(bob) {\"no\"}",
    "Npc(q) {1}",
    "struct Position {f64 x}",
    "struct Npc {f32 x}",
    "struct Q {f32 x, Nope n}",
    "Component(q)",
    "Color(q, q)",
    "Game(q)",
    "Exclusive(Likes3), Likes3(q, a), !Exclusive(Likes3), Likes3(q, b), Exclusive(Likes3)",
    "colors.blue, ChildOf(blue, colors)",
    "Before(c, b)",
    "#100",
    "!Transitive(IsA)",
    "this is no statement",
};

struct keeping {
  const char* name;
  const char* facts;
};
void PrintTo(const keeping& k, std::ostream* out) { *out << k.name; }
constexpr std::array every_keeping{
    keeping{"tables", "Fragment(Position), Fragment(Likes), Fragment(Wants), Fragment(Npc)"},
    keeping{"pools", "Sparse(Position), DontFragment(Likes), DontFragment(Wants), Sparse(Npc)"},
    keeping{"chosen", ""},
};

class define_all_or_nothing : public ::testing::TestWithParam<keeping> {
 protected:
  static std::unique_ptr<kith::world> make() {
    auto world = std::make_unique<kith::world>();
    world->define(setup);
    // A storage that a text asks for may contradict the one that is given.
    world->define(GetParam().facts);
    world->lookup("alice").disable(world->lookup("Position"));
    return world;
  }
};

TEST_P(define_all_or_nothing, what_was_done_before_an_error_is_undone) {
  const auto untouched = make();
  const std::string before = everything(*untouched);
  for (const std::string& good : good_texts()) {
    const auto world = make();
    for (std::string_view bad : bad_texts) {
      const auto done = world->try_define(concat(good, "\n", bad));
      ASSERT_FALSE(done) << good << "\n" << bad;
      ASSERT_EQ(everything(*world), before) << good << "\n" << bad << "\n" << done.error().what();
    }
    // It is as good as new.
    const auto fresh = make();
    const auto in_fresh = fresh->try_define(good), in_used = world->try_define(good);
    ASSERT_EQ(in_fresh.has_value(), in_used.has_value()) << good;
    if (!in_fresh) {
      ASSERT_STREQ(in_fresh.error().what(), in_used.error().what());
      // Only what asks for another storage.
      ASSERT_NE(std::string_view(in_fresh.error().what()).find("storage"), std::string_view::npos)
          << in_fresh.error().what();
    }
    ASSERT_EQ(everything(*world), everything(*fresh)) << good;
  }
}

TEST_P(define_all_or_nothing, what_was_done_in_many_steps_is_undone) {
  const auto world = make();
  const std::string before = everything(*world);
  std::string all;
  for (const std::string& good : good_texts()) {
    const auto alone = make();
    if (!alone->try_define(concat(all, good, "\n"))) continue;
    all += concat(good, "\n");
    ASSERT_FALSE(world->try_define(concat(all, "ChildOf(q, q)")));
    ASSERT_EQ(everything(*world), before) << all;
  }
  EXPECT_GT(std::count(all.begin(), all.end(), '\n'), 30);
  const auto fresh = make();
  fresh->define(all);
  world->define(all);
  EXPECT_EQ(everything(*world), everything(*fresh));
}

INSTANTIATE_TEST_SUITE_P(all, define_all_or_nothing, ::testing::ValuesIn(every_keeping),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(define_all_or_nothing, queries_see_what_is_left) {
  const auto world = make();
  auto pairs = world->query("(Likes, $what), Position");
  auto kinds = world->query("Position, !Npc");
  const std::size_t pairs_before = pairs.count(), kinds_before = kinds.count();
  for (const std::string& good : good_texts()) {
    ASSERT_FALSE(world->try_define(concat(good, "\nPosition(x), Likes(x, y)\nChildOf(q, q)")));
    ASSERT_EQ(pairs.count(), pairs_before) << good;
    ASSERT_EQ(kinds.count(), kinds_before) << good;
  }
  world->define("Position(x), Likes(x, y)");
  EXPECT_EQ(pairs.count(), pairs_before + 1);
  EXPECT_EQ(kinds.count(), kinds_before + 1);
}

// --- values of the program ---

using kith::test::ledger;

template <class Part>
struct counted {
  Part part;
  int n = 0;
  int value() const { return part.value(); }
};

template <class T>
class define_and_values : public ::testing::Test {};
using value_types =
    ::testing::Types<counted<kith::test::tracked>, counted<kith::test::self_pointing>,
                     counted<kith::test::risky_move>, counted<kith::test::aligned<64>>>;
TYPED_TEST_SUITE(define_and_values, value_types);

TYPED_TEST(define_and_values, are_where_they_were_and_nothing_is_lost) {
  using T = TypeParam;
  ledger::clear();
  {
    kith::world world;
    const kith::entity type = world.component<T>("T").member("n", &T::n);
    const kith::entity holds = world.entity("Holds").add(kith::Exclusive);
    for (const char* how : {"tables", "pools"}) {
      if (how[0] == 'p') type.add(kith::Sparse), holds.add(kith::DontFragment);
      const kith::entity a = world.entity("a").set(T{41, 1}), b = world.entity("b");
      b.template set<T>(world.entity("x"), T{42, 2});
      const std::size_t living = ledger::living();
      for (const char* text :
           {"T(a) {5}", "!T(a)", "!T(a), T(a) {3}", "T(a) {5}, T(a) {6}, !T(a)", "T(c) {1}",
            "!T(b, x), T(b, y) {4}, T(b, x) {5}", "T(b, x) {5}, !T(b, x)"}) {
        ASSERT_FALSE(world.try_define(std::string(text) + "\nChildOf(q, q)")) << text;
        ASSERT_EQ(ledger::living(), living) << text;
        ASSERT_EQ(a.template at<T>().value(), 41) << text;
        ASSERT_EQ(a.template at<T>().n, 1) << text;
        ASSERT_EQ(b.template at<T>(world.lookup("x")).value(), 42) << text;
        ASSERT_EQ(b.template at<T>(world.lookup("x")).n, 2) << text;
      }
      world.define("T(a) {8}, !T(b, x)");
      EXPECT_EQ(a.template at<T>().value(), 41);
      EXPECT_EQ(a.template at<T>().n, 8);
      EXPECT_EQ(ledger::living(), living - 1);
    }
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

TYPED_TEST(define_and_values, a_constructor_that_throws_leaves_nothing) {
  using T = TypeParam;
  ledger::clear();
  {
    kith::world world;
    world.component<T>("T").member("n", &T::n);
    world.entity("a").set(T{41, 1});
    const std::string before = world.facts();
    const char* text = "Fresh(x), T(b) {1}, T(a) {2}, !T(b), T(c), T(a) {n: 3}";
    bool threw = true;
    for (std::size_t nth = 1; threw; ++nth) {
      ASSERT_LT(nth, 100u);
      ledger::throw_at(nth);
      threw = false;
      try {
        world.define(text);
      } catch (const kith::test::planned_throw&) {
        threw = true;
      }
      ledger::throw_at(0);
      if (threw) {
        ASSERT_EQ(world.facts(), before) << nth;
        ASSERT_EQ(world.entity("a").template at<T>().value(), 41) << nth;
      }
    }
    EXPECT_EQ(world.entity("a").template at<T>().n, 3);
  }
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(ledger::mistakes(), "");
}

TEST(define_values, a_value_that_cannot_be_copied_cannot_be_changed_but_made) {
  using T = counted<kith::test::move_only>;
  kith::world world;
  world.component<T>("T").member("n", &T::n);
  world.define("T(a) {5}");
  EXPECT_EQ(world.lookup("a").at<T>().n, 5);
  EXPECT_EQ(world.try_define("\n T(a) {6}").error().position().column, 2u);
  EXPECT_EQ(world.try_define("T(a) {6}").error().code(), kith::errc::type);
  EXPECT_FALSE(world.try_define("!T(a)\nChildOf(q, q)"));
  EXPECT_EQ(world.lookup("a").at<T>().n, 5);
}

struct Greedy {
  int n = 0;
  static inline kith::world* world = nullptr;
  Greedy() {
    if (world) world->entity("made").add(world->entity("By"));
  }
};

TEST(define_values, what_a_constructor_asks_for_goes_with_the_text) {
  kith::world world;
  world.component<Greedy>("Greedy").member("n", &Greedy::n);
  Greedy::world = &world;
  EXPECT_FALSE(world.try_define("Greedy(a) {1}\nChildOf(q, q)"));
  EXPECT_FALSE(world.lookup("made"));
  EXPECT_FALSE(world.lookup("By"));
  world.define("Greedy(a) {1}");
  EXPECT_TRUE(world.lookup("made").has(world.lookup("By")));
  Greedy::world = nullptr;
}

struct Late {
  int n = 0;
};
struct Registering {
  int n = 0;
  static inline kith::world* world = nullptr;
  Registering() {
    if (world) world->component<Late>("Late");
  }
};

TEST(define_values, a_type_that_a_constructor_met_can_be_met_again) {
  kith::world world;
  world.component<Registering>("Registering").member("n", &Registering::n);
  Registering::world = &world;
  EXPECT_FALSE(world.try_define("Registering(a) {1}\nChildOf(q, q)"));
  EXPECT_FALSE(world.lookup("Late"));
  Registering::world = nullptr;
  EXPECT_EQ(world.entity("b").set(Late{3}).at<Late>().n, 3);
  EXPECT_TRUE(world.component<Late>().has(kith::Component));
}

TEST(define_values, a_type_that_is_refused_is_none) {
  kith::world world;
  const kith::entity a = world.entity("A"), c = world.entity("c");
  world.entity("b").is_a(a);
  EXPECT_EQ(
      world_tests::error_of([&] { world.component({.name = "A", .size = 4, .alignment = 4}); }),
      "constraint");
  EXPECT_EQ(world.try_define("struct A {f32 x}").error().code(), kith::errc::constraint);
  EXPECT_EQ(c.add(a).type().str(), "A");
  EXPECT_FALSE(a.has(kith::Component));
}

TEST(define_values, a_handle_from_a_text_that_was_undone_is_dead) {
  kith::world world;
  const auto now = [&] { return world.engine().alive_at(kith::core::first_user_index); };
  EXPECT_FALSE(world.try_define("a\nChildOf(q, q)"));
  EXPECT_EQ(now(), 0u);
  world.define("b");
  EXPECT_NE(now(), kith::entity_t{kith::core::first_user_index});
}

}  // namespace
