// The effects of `define`, and its errors. define_all_or_nothing_test.cpp tests that a text with an
// error changes nothing.
#include <algorithm>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using world_tests::error_of;
using world_tests::message_of;

// "2:5 type: there is no member 'z'"
std::string complaint(kith::world& world, std::string_view text) {
  const auto done = world.try_define(text);
  if (done) return "none";
  const kith::error& e = done.error();
  const std::string_view what = e.what();
  const std::size_t first = what.find(": ") + 2;
  return kith::core::concat(std::to_string(e.position().line), ":",
                            std::to_string(e.position().column), " ", to_text(e.code()), ": ",
                            what.substr(first, what.find('\n') - first));
}

std::string complaint(std::string_view text) {
  kith::world world;
  return complaint(world, text);
}

// Q18 C33
TEST(define, creates_what_is_not_there) {
  kith::world world;
  EXPECT_EQ(world.define("Likes(bob, alice)"), 1u);
  EXPECT_TRUE(world.lookup("bob").has(world.lookup("Likes"), world.lookup("alice")));
  EXPECT_EQ(world.entity_count(), 3u);
}

TEST(define, uses_what_is_there) {
  kith::world world;
  const kith::entity bob = world.entity("bob");
  world.define("Npc(bob)");
  EXPECT_TRUE(bob.has(world.lookup("Npc")));
  EXPECT_EQ(world.entity_count(), 2u);
}

TEST(define, a_name_alone_says_that_there_is_such_an_entity) {
  kith::world world;
  world.define("bob\nship.cockpit");
  EXPECT_TRUE(world.lookup("bob"));
  EXPECT_TRUE(world.lookup("ship.cockpit"));
  EXPECT_EQ(world.entity_count(), 3u);
}

TEST(define, an_empty_text_says_nothing) {
  kith::world world;
  EXPECT_EQ(world.define(""), 0u);
  EXPECT_EQ(world.define("\n // nothing\n\n"), 0u);
  EXPECT_EQ(world.entity_count(), 0u);
}

// Q18
TEST(define, statements_are_separated_by_lines_commas_and_semicolons) {
  kith::world world;
  EXPECT_EQ(world.define("A(x), B(x); C(x)\nD(x)"), 4u);
  EXPECT_EQ(world.lookup("x").type().count(), 4u);
}

TEST(define, a_bare_name_keeps_meaning_the_entity_it_first_named) {
  kith::world world;
  world.define("ChildOf(wheel, car)\nRound(wheel)");
  EXPECT_FALSE(world.lookup("wheel"));
  EXPECT_TRUE(world.lookup("car.wheel").has(world.lookup("Round")));
}

TEST(define, the_order_of_facts_does_not_matter_for_bare_names) {
  kith::world one, other;
  one.define("Round(wheel)\nChildOf(wheel, car)\nChildOf(car, garage)");
  other.define(
      "Round, wheel, car, garage\nChildOf(car, garage)\nChildOf(wheel, car)\nRound(wheel)");
  EXPECT_EQ(world_tests::state_of(one), world_tests::state_of(other));
}

TEST(define, the_first_name_of_a_path_is_such_a_bare_name) {
  kith::world world;
  world.define("ChildOf(car, garage)\nRound(car.wheel)");
  EXPECT_TRUE(world.lookup("garage.car.wheel"));
  EXPECT_FALSE(world.lookup("::car"));
}

TEST(define, a_path_is_created_with_its_parents) {
  kith::world world;
  world.define("Round(bike.wheel)");
  EXPECT_EQ(world.lookup("bike.wheel").parent(), world.lookup("bike"));
}

TEST(define, another_text_looks_names_up_again) {
  kith::world world;
  world.define("ChildOf(wheel, car)");
  world.define("Round(wheel)");
  EXPECT_FALSE(world.lookup("car.wheel").has(world.lookup("Round")));
  EXPECT_TRUE(world.lookup("wheel").has(world.lookup("Round")));
}

TEST(define, new_names_are_in_the_current_scope) {
  kith::world world;
  const kith::entity game = world.entity("game");
  world.set_scope(game);
  world.define("Npc(bob)");
  EXPECT_EQ(world.lookup("game.bob").parent(), game);
}

TEST(define, names_are_looked_up_from_the_scope_outwards) {
  kith::world world;
  const kith::entity near = world.entity("a::b::x"), far = world.entity("a::x");
  const kith::entity outer = world.entity("a::y"), root = world.entity("z");
  world.set_scope(world.lookup("a::b"));
  world.define("T(x), T(y), T(z)");
  const kith::entity tag = world.lookup("a::b::T");
  EXPECT_TRUE(near.has(tag) && outer.has(tag) && root.has(tag));
  EXPECT_FALSE(far.has(tag));
}

TEST(define, an_own_name_wins_over_a_built_in_one) {
  kith::world world;
  const kith::entity own = world.entity("Target");
  world.define("Target(bob)\nkith.Exclusive(Likes)");
  EXPECT_TRUE(world.lookup("bob").has(own));
  EXPECT_TRUE(world.lookup("Likes").has(kith::Exclusive));
}

TEST(define, a_path_from_the_root_is_not_a_bare_name) {
  kith::world world;
  world.define("ChildOf(x, a)\nT(::x)\nU(::Target)");
  EXPECT_TRUE(world.lookup("::x").has(world.lookup("T")));
  EXPECT_FALSE(world.lookup("a.x").has(world.lookup("T")));
  EXPECT_NE(world.lookup("::Target"), kith::Target);
}

TEST(define, a_number_names_an_entity) {
  kith::world world;
  const kith::entity e = world.entity();
  world.define("Npc(#" + std::to_string(e.id()) + ")");
  EXPECT_TRUE(e.has(world.lookup("Npc")));
}

TEST(define, a_number_that_nobody_has_is_made_alive) {
  kith::world world;
  world.define("Npc(#5000)\nNpc(#5000.wheel)");
  EXPECT_TRUE(world.is_alive(5000));
  EXPECT_EQ(world.entity(5000).lookup("wheel").name(), "wheel");
}

TEST(define, a_singleton_is_on_its_own_entity) {
  kith::world world;
  world.define("struct Game {i32 level}\nGame($) {3}\nRules($, chess)");
  EXPECT_TRUE(world.lookup("Game").has(world.lookup("Game")));
  EXPECT_TRUE(world.lookup("Rules").has(world.lookup("Rules"), world.lookup("chess")));
}

TEST(define, an_exclamation_mark_removes) {
  kith::world world;
  world.define("Likes(bob, apples), Likes(bob, pears), Npc(bob)");
  world.define("!Likes(bob, apples)\n!Npc(bob)");
  const kith::entity bob = world.lookup("bob");
  EXPECT_EQ(bob.type().str(), "(Likes, pears)");
}

TEST(define, removing_what_is_not_there_does_nothing_and_creates_nothing) {
  kith::world world;
  world.define("!Likes(bob, apples)\n!Npc(bob)\n!Npc(a.b)\n!Npc(#5000)");
  EXPECT_EQ(world.entity_count(), 0u);
}

// Q18
TEST(define, a_value_is_given_in_order_or_by_name) {
  kith::world world;
  world.component<Position>().member("x", &Position::x).member("y", &Position::y);
  world.define(
      "Position(a) {10, 20}\nPosition(b) {y: 20, x: 10}\nPosition(c) {y: 5}\nPosition(d) {7}");
  EXPECT_EQ(*world.lookup("a").get<Position>(), (Position{10, 20}));
  EXPECT_EQ(*world.lookup("b").get<Position>(), (Position{10, 20}));
  EXPECT_EQ(*world.lookup("c").get<Position>(), (Position{0, 5}));
  EXPECT_EQ(*world.lookup("d").get<Position>(), (Position{7, 0}));
}

TEST(define, a_value_without_a_name_follows_the_last_one) {
  kith::world world;
  world.define("struct V {f32 x, f32 y, f32 z}\nV(a) {y: 2, 3}");
  const auto* v = static_cast<const float*>(world.lookup("a").get(world.lookup("V")));
  EXPECT_EQ(v[1], 2);
  EXPECT_EQ(v[2], 3);
}

TEST(define, members_that_are_not_given_stay_as_they_are) {
  kith::world world;
  world.component<Position>().member("x", &Position::x).member("y", &Position::y);
  world.component<Health>().member("points", &Health::points);
  world.entity("a").set(Position{1, 2});
  world.define("Position(a) {y: 5}\nPosition(a) {}\nHealth(a) {}");
  EXPECT_EQ(*world.lookup("a").get<Position>(), (Position{1, 5}));
  EXPECT_EQ(world.lookup("a").get<Health>()->points, 100);
}

TEST(define, a_value_over_an_inherited_one_starts_as_its_copy) {
  kith::world world;
  world.define("struct P {f32 x, f32 y}\nP(base) {1, 2}\nIsA(e, base)\nP(e) {y: 5}");
  const auto* v = static_cast<const float*>(world.lookup("e").get(world.lookup("P")));
  EXPECT_EQ(v[0], 1);
  EXPECT_EQ(v[1], 5);
  EXPECT_EQ(static_cast<const float*>(world.lookup("base").get(world.lookup("P")))[1], 2);
}

TEST(define, pairs_have_values) {
  kith::world world;
  world.component<Eats>().member("amount", &Eats::amount);
  world.define("Eats(bob, apples) {amount: 2}\nstruct P {f32 x}\nBegin(bob, P) {4}");
  EXPECT_EQ(world.lookup("bob").get<Eats>(world.lookup("apples"))->amount, 2);
  const kith::entity bob = world.lookup("bob");
  EXPECT_EQ(*static_cast<const float*>(bob.get(world.lookup("Begin"), world.lookup("P"))), 4);
}

TEST(define, a_fact_without_a_value_leaves_the_value) {
  kith::world world;
  world.component<Position>().member("x", &Position::x);
  world.entity("a").set(Position{1, 2});
  world.define("Position(a)");
  EXPECT_EQ(*world.lookup("a").get<Position>(), (Position{1, 2}));
}

struct Shape {
  bool filled = false;
  std::int8_t a = 0;
  std::uint64_t b = 0;
  double c = 0;
  std::string label;
  kith::entity owner;
  kith::entity_t other = 0;
  Position at{};
  enum class color : std::uint8_t { red, green } tint = color::red;
};

void describe_shape(kith::world& world) {
  world.component<Position>().member("x", &Position::x).member("y", &Position::y);
  world.component<Shape>("Shape")
      .member("filled", &Shape::filled)
      .member("a", &Shape::a)
      .member("b", &Shape::b)
      .member("c", &Shape::c)
      .member("label", &Shape::label)
      .member("owner", &Shape::owner)
      .member("other", &Shape::other, kith::member_kind::entity)
      .member("at", &Shape::at)
      .member("tint", &Shape::tint);
}

TEST(define, every_kind_of_member_has_a_value) {
  kith::world world;
  describe_shape(world);
  world.define(
      "Shape(s) {true, -128, 18446744073709551615, -2.5e3, \"a \\\"b\\\"\\n\", bob, game.alice, "
      "{1, y: "
      "2}, 1}");
  const Shape& s = world.lookup("s").at<Shape>();
  EXPECT_TRUE(s.filled);
  EXPECT_EQ(s.a, -128);
  EXPECT_EQ(s.b, 18446744073709551615u);
  EXPECT_EQ(s.c, -2500);
  EXPECT_EQ(s.label, "a \"b\"\n");
  EXPECT_EQ(s.owner, world.lookup("bob"));
  EXPECT_EQ(s.other, world.lookup("game.alice").id());
  EXPECT_EQ(s.at, (Position{1, 2}));
  EXPECT_EQ(s.tint, Shape::color::green);
}

TEST(define, an_entity_in_a_value_may_be_none_or_in_quotes) {
  kith::world world;
  world.define("struct A {entity e, entity f, entity g}\nA(x) {0, \"odd name\", 12}");
  const auto* v = static_cast<const kith::entity_t*>(world.lookup("x").get(world.lookup("A")));
  EXPECT_EQ(v[0], 0u);
  EXPECT_EQ(world.entity(v[1]).name(), "odd name");
  EXPECT_EQ(world.entity(v[2]).name(), "12");
}

TEST(define, a_struct_is_laid_out_as_in_cpp) {
  struct in_cpp {
    bool a;
    double b;
    char c;
    std::string d;
    std::uint16_t e;
  };
  kith::world world;
  world.define("struct S {bool a, f64 b, i8 c, text d, u16 e}");
  const auto* info = world.lookup("S").get<kith::component_info>();
  EXPECT_EQ(info->size, sizeof(in_cpp));
  EXPECT_EQ(info->alignment, alignof(in_cpp));
  EXPECT_EQ(world.members(world.lookup("S"))[3].offset, offsetof(in_cpp, d));
}

TEST(define, structs_are_made_of_structs) {
  kith::world world;
  world.define(
      "struct Name {text first, text last}\nstruct Person {Name name, u8 age}\n"
      "Person(bob) {{\"Bob\", \"a long name that needs memory of its own\"}, 7}\nPerson(tom)");
  const kith::entity person = world.lookup("Person");
  const auto name_of = [&](const char* who) {
    return *(static_cast<const std::string*>(world.lookup(who).get(person)) + 1);
  };
  EXPECT_EQ(name_of("bob"), "a long name that needs memory of its own");
  EXPECT_EQ(name_of("tom"), "");
  const kith::entity copy = world.lookup("bob").clone();
  EXPECT_EQ(*(static_cast<const std::string*>(copy.get(person))), "Bob");
}

TEST(define, a_struct_may_have_a_cpp_type_as_a_member) {
  kith::world world;
  world.component<Health>().member("points", &Health::points);
  world.define("struct Unit {Health health, f32 speed}\nUnit(a) {speed: 2}");
  EXPECT_EQ(static_cast<const Health*>(world.lookup("a").get(world.lookup("Unit")))->points, 100);
}

TEST(define, the_same_struct_may_be_told_twice) {
  kith::world world;
  world.component<Position>().member("x", &Position::x).member("y", &Position::y);
  world.define("struct Position {f32 x, f32 y}\nstruct A {i8 x}\nstruct A {i8 x}");
  EXPECT_EQ(world.members(world.lookup("A")).size(), 1u);
}

TEST(define, a_struct_without_members_is_a_tag) {
  kith::world world;
  world.define("struct Npc {}\nNpc(bob)");
  EXPECT_TRUE(world.lookup("bob").has(world.lookup("Npc")));
  EXPECT_FALSE(world.id(world.lookup("Npc")).type_id());
}

// M10
TEST(define, members_can_be_listed) {
  kith::world world;
  describe_shape(world);
  std::string text;
  for (const kith::member_info& m : world.members(world.component<Shape>()))
    text += m.type + " " + m.name + ", ";
  EXPECT_EQ(
      text,
      "bool filled, i8 a, u64 b, f64 c, text label, entity owner, entity other, Position at, u8 "
      "tint, ");
  EXPECT_TRUE(world.members(world.entity("none")).empty());
}

TEST(define, a_member_can_be_described_twice_but_not_differently) {
  kith::world world;
  world.component<Position>().member("x", &Position::x);
  world.component<Position>().member("x", &Position::x);
  EXPECT_EQ(world.members(world.component<Position>()).size(), 1u);
  EXPECT_EQ(error_of([&] { world.component<Position>().member("x", &Position::y); }), "type");
}

TEST(define, prefabs_are_instantiated) {
  kith::world world;
  world.define("Prefab(Tank)\nChildOf(turret, Tank)\nIsA(tank1, Tank)");
  EXPECT_TRUE(world.lookup("tank1.turret"));
}

TEST(define, traits_do_what_they_do) {
  kith::world world;
  world.define("Symmetric(Married)\nExclusive(Married)\nMarried(a, b)\nMarried(a, c)");
  EXPECT_FALSE(world.lookup("b").has(world.lookup("Married"), kith::Wildcard));
  EXPECT_TRUE(world.lookup("c").has(world.lookup("Married"), world.lookup("a")));
}

TEST(define, a_type_of_the_program_takes_the_place_of_a_struct_of_its_name) {
  kith::world world;
  world.define("struct Position {f32 x, f32 y}\nPosition(bob) {1, 2}");
  EXPECT_EQ(*world.lookup("bob").get<Position>(), (Position{1, 2}));
  world.component<Position>().member("x", &Position::x).member("y", &Position::y);
  EXPECT_EQ(world.members(world.component<Position>()).size(), 2u);
}

TEST(define, a_type_of_another_size_than_a_struct_of_its_name_is_refused) {
  kith::world world;
  world.define("struct Position {f64 x, f64 y}");
  EXPECT_EQ(error_of([&] { world.component<Position>(); }), "type");
  EXPECT_EQ(error_of([&] { world.component<Position>(); }), "type");
}

struct Pointer {
  std::unique_ptr<int> p;
};

TEST(define, a_type_that_owns_something_is_not_a_struct_of_numbers) {
  kith::world world;
  world.define("struct Pointer {u64 p}");
  EXPECT_EQ(error_of([&] { world.component<Pointer>("Pointer"); }), "type");
}

struct Named {
  std::string name;
};

TEST(define, texts_are_strings_of_the_program) {
  kith::world world;
  world.define("struct Named {text name}\nNamed(a) {\"a name that is too long to be short\"}");
  EXPECT_EQ(world.lookup("a").at<Named>().name, "a name that is too long to be short");
  world.lookup("a").set(Named{"another"});
  EXPECT_NE(world.facts().find("Named(a) {\"another\"}"), std::string::npos);
}

TEST(define, is_refused_while_the_world_is_deferred) {
  kith::world world;
  world.defer_begin();
  EXPECT_EQ(error_of([&] { world.define("A(b)"); }), "constraint");
  EXPECT_EQ(world.try_define("A(b)").error().code(), kith::errc::constraint);
  world.defer_end();
  EXPECT_EQ(world.entity_count(), 0u);
}

TEST(define, what_throws_says_the_same_as_what_returns) {
  kith::world world;
  const auto refused = world.try_define("A(b)\nChildOf(c, c)");
  ASSERT_FALSE(refused);
  EXPECT_EQ(message_of([&] { world.define("A(b)\nChildOf(c, c)"); }), refused.error().what());
}

TEST(define, a_text_with_an_error_shows_the_place) {
  kith::world world;
  EXPECT_EQ(message_of([&] { world.define("A(b)\n  Likes(bob, apples) {1}"); }),
            "2:22: (Likes, apples) is a tag and has no value\n"
            "    Likes(bob, apples) {1}\n"
            "                       ^^^");
}

TEST(define, a_struct_that_was_made_inheritable_before_is_not_final) {
  kith::world world;
  world.define("Inheritable(P)\nstruct P {f32 x}\nIsA(Q, P)\nQ(b)");
  EXPECT_TRUE(world.lookup("P").owns(kith::Inheritable));
  EXPECT_FALSE(world.lookup("P").owns(kith::Final));
  EXPECT_EQ(world.query("P").first(), world.lookup("b"));
}

TEST(define, true_and_false_have_no_case) {
  kith::world world;
  world.define("struct P {bool a, bool b}\nP(e) {TRUE, False}");
  EXPECT_NE(world.facts().find("P(e) {true, false}"), std::string::npos) << world.facts();
}

// --- errors and their places ---

TEST(define_errors, values_point_at_the_value) {
  const std::string types = "struct P {f32 x, u8 n, text t, bool b, entity e}\nstruct Q {P p}\n";
  const auto in_p = [&](std::string_view value) {
    return complaint(types + "P(a) " + std::string(value));
  };
  EXPECT_EQ(in_p("{z: 1}"), "3:7 type: there is no member 'z'");
  EXPECT_EQ(in_p("{1, x: 2}"), "3:10 type: the member 'x' is given twice");
  EXPECT_EQ(in_p("{1, 2, \"\", true, a, 6}"), "3:26 type: too many values: there are 5 members");
  EXPECT_EQ(in_p("{true}"), "3:7 type: the member 'x' is of type f32: expected a number");
  EXPECT_EQ(in_p("{1e39}"), "3:7 type: 1e39 is out of range for f32");
  EXPECT_EQ(in_p("{n: 256}"), "3:10 type: 256 is out of range for u8");
  EXPECT_EQ(in_p("{n: -1}"), "3:10 type: -1 is out of range for u8");
  EXPECT_EQ(in_p("{n: 1.5}"),
            "3:10 type: expected a number for u8, which holds whole numbers, found '1.5'");
  EXPECT_EQ(in_p("{t: 1}"), "3:10 type: the member 't' is a text: expected it in quotes");
  EXPECT_EQ(in_p("{b: 1}"), "3:10 type: the member 'b' is a bool: expected true or false");
  EXPECT_EQ(in_p("{e: {}}"),
            "3:10 type: the member 'e' is an entity: expected a name, or 0 for none");
  EXPECT_EQ(complaint(types + "Q(a) {1}"), "3:7 type: the member 'p' is a struct: expected '{'");
  EXPECT_EQ(complaint(types + "Q(a) {{1, 2, q: 3}}"), "3:14 type: there is no member 'q'");
}

TEST(define_errors, a_value_for_what_has_none_points_at_the_value) {
  EXPECT_EQ(complaint("Npc(a) {1}"), "1:8 type: Npc is a tag and has no value");
  EXPECT_EQ(complaint("Npc(a) {}"), "1:8 type: Npc is a tag and has no value");
  kith::world world;
  world.component<Position>();
  EXPECT_EQ(complaint(world, "Position(a) {1}"),
            "1:13 type: Position has no members, so its value cannot be written");
}

TEST(define_errors, structs_point_at_the_member_or_the_statement) {
  EXPECT_EQ(complaint("struct A {f32 x, Nope y}"), "1:18 unresolved: unknown type 'Nope'");
  EXPECT_EQ(complaint("Npc\nstruct A {f32 x, Npc y}"), "2:18 type: 'Npc' is no type with members");
  EXPECT_EQ(complaint("struct A {f32 x, f32 x}"), "1:18 type: there are two members 'x'");
  EXPECT_EQ(complaint("struct A {A a}"), "1:11 type: 'A' is no type with members");
  EXPECT_EQ(complaint("struct A {f32 x}\n  struct A {f32 y}"),
            "2:3 type: A has other members already");
  EXPECT_EQ(complaint("struct A {f32 x}\nstruct A {}"), "2:1 type: A has other members already");
  EXPECT_EQ(complaint("struct Exclusive {f32 x}"), "1:8 constraint: Exclusive is built in");
  EXPECT_EQ(complaint("A(b), struct A {f32 x}"),
            "1:7 type: A cannot become a type with values: A is in use as a tag");
}

TEST(define_errors, too_large_structs_are_refused) {
  std::string text = "struct S0 {f64 a}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "S" + std::to_string(i - 1);
    text += "struct S" + std::to_string(i) + " {" + before + " a, " + before + " b}\n";
  }
  EXPECT_EQ(complaint(text), "23:1 type: a struct has at most 16777216 bytes");
  text = "struct S0 {u8 a}\n";
  for (int i = 1; i < 1000; ++i)
    text += "struct S" + std::to_string(i) + " {S" + std::to_string(i - 1) + " a}\n";
  EXPECT_EQ(complaint(text), "501:1 type: structs are nested at most 500 deep");
}

TEST(define_errors, the_rules_of_the_world_point_at_the_statement) {
  EXPECT_EQ(
      complaint("A(b)\n ChildOf(x, y), ChildOf(y, x)"),
      "2:17 constraint: adding (ChildOf, y::x) to y would close a cycle, and ChildOf is Acyclic");
  EXPECT_EQ(complaint("Final(A)\nIsA(b, A)"),
            "2:1 constraint: A is Final: nothing can be a kind of it");
  EXPECT_EQ(complaint("R(a, b), R(a, c)\nExclusive(R)"),
            "2:1 constraint: R cannot be Exclusive: a has more than one target");
  EXPECT_EQ(complaint("OneOf(R, P)\nR(a, b)"),
            "2:1 constraint: (R, b): the target must be a child of P");
  EXPECT_EQ(complaint("Singleton(S)\nS(a)"),
            "2:1 constraint: S is a Singleton and can only be on its own entity");
  EXPECT_EQ(complaint("a.x\nChildOf(x, a)"), "2:1 constraint: the name 'x' is taken in a");
  EXPECT_EQ(complaint("Component(a)"),
            "1:1 constraint: an entity becomes a component when it is registered as one");
  EXPECT_EQ(complaint("A(b)\n\"*\"(b)"),
            "2:1 constraint: * is a pattern and cannot be added to an entity");
  EXPECT_EQ(complaint("ChildOf(ChildOf, a)"),
            "1:1 constraint: ChildOf is built in and keeps its place");
}

TEST(define_errors, numbers_that_cannot_be_point_at_the_number) {
  EXPECT_EQ(
      complaint("A(#100)"),
      "1:3 constraint: #100 cannot be made alive: it is no entity, or another entity lives at its "
      "index");
  EXPECT_EQ(complaint("A(b)\nA(#9223372036854775808)").substr(0, 15), "2:3 constraint:");
  EXPECT_EQ(complaint("a\nA(#4294967552)").substr(0, 15), "2:3 constraint:");
}

TEST(define_errors, the_language_points_at_the_word) {
  EXPECT_EQ(complaint("A(b)\nA($x)").substr(0, 9), "2:3 parse");
  EXPECT_EQ(complaint("A(*)").substr(0, 9), "1:3 parse");
  EXPECT_EQ(complaint("A(b").substr(0, 9), "1:4 parse");
  EXPECT_EQ(complaint("?A(b)").substr(0, 9), "1:1 parse");
}

TEST(define_errors, columns_count_characters) {
  EXPECT_EQ(complaint("Größe(\"ü\"), Npc(a) {1}").substr(0, 10), "1:20 type:");
}

TEST(define, a_long_text_takes_its_time_in_proportion) {
  std::string text = "struct Position {f32 x, f32 y}\n";
  constexpr int count = 20'000;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "Position(e" + n + ") {" + n + ", 1}\nLikes(e" + n + ", e" + std::to_string(i / 2) +
            ")\nChildOf(e" + n + ", p" + std::to_string(i % 100) + ")\n";
  }
  kith::world world;
  world.define(text);
  EXPECT_EQ(world.entity_count(), count + 100u + 2);
  EXPECT_EQ(world.count(world.lookup("Position")), std::size_t{count});
}

TEST(define, tells_how_far_it_is) {
  std::string text;
  constexpr std::size_t lines = 20'000;
  for (std::size_t i = 1; i <= lines; ++i) text += "Npc(e" + std::to_string(i) + ")\n";
  kith::world world;
  std::vector<std::size_t> heard;
  auto done = world.try_define(text, [&](const kith::define_progress& p) {
    EXPECT_EQ(p.statements, p.line);
    heard.push_back(p.line);
  });
  EXPECT_EQ(*done, lines);
  EXPECT_GT(heard.size(), 2u);
  EXPECT_TRUE(std::is_sorted(heard.begin(), heard.end()));
  EXPECT_LE(heard.back(), lines);
}

}  // namespace
