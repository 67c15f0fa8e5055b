// Names and paths.
#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// --- names ---

// R65 R84
TEST(names, entity_of_a_name_makes_it_once_and_then_finds_it) {
  kith::world world;
  const kith::entity bob = world.entity("bob");
  EXPECT_EQ(bob.name(), "bob");
  EXPECT_EQ(world.entity("bob"), bob);
  EXPECT_EQ(world.entity(std::string("bob")), bob);
  EXPECT_EQ(world.entity(std::string_view("bob")), bob);
  EXPECT_EQ(world.entity_count(), 1u);
}

// R84
TEST(names, set_name_gives_changes_and_takes_a_name) {
  kith::world world;
  const kith::entity e = world.entity().set_name("bob");
  EXPECT_EQ(world.lookup("bob"), e);
  e.set_name("rob");
  EXPECT_EQ(e.name(), "rob");
  EXPECT_FALSE(world.lookup("bob"));
  EXPECT_EQ(world.lookup("rob"), e);
  e.set_name("");
  EXPECT_EQ(e.name(), "");
  EXPECT_FALSE(world.lookup("rob"));
}

TEST(names, setting_the_name_an_entity_has_changes_nothing) {
  kith::world world;
  const kith::entity bob = world.entity("bob");
  EXPECT_EQ(refusal(world, [&] { bob.set_name("bob"); }), "none");
  EXPECT_EQ(refusal(world, [&] { bob.set_name(bob.name()); }), "none");
}

TEST(names, a_name_is_copied) {
  kith::world world;
  std::string text = "bob";
  const kith::entity bob = world.entity(text);
  text = "xxx";
  EXPECT_EQ(bob.name(), "bob");
}

TEST(names, a_name_is_free_again_when_its_entity_is_deleted) {
  kith::world world;
  const kith::entity old = world.entity("bob");
  old.destruct();
  EXPECT_FALSE(world.lookup("bob"));
  EXPECT_NE(world.entity("bob"), old);
}

TEST(names, a_name_is_not_an_id) {
  kith::world world;
  EXPECT_EQ(world.entity("bob").type().count(), 0u);
}

// R87
TEST(names, equal_names_under_different_parents_do_not_clash) {
  kith::world world;
  const kith::entity left = world.entity("left");
  const kith::entity right = world.entity("right");
  const kith::entity left_arm = world.entity("left::arm");
  const kith::entity right_arm = world.entity("right::arm");
  const kith::entity arm = world.entity("arm");
  EXPECT_EQ(left.lookup("arm"), left_arm);
  EXPECT_EQ(right.lookup("arm"), right_arm);
  EXPECT_EQ(world.lookup("arm"), arm);
}

TEST(names, a_taken_name_is_refused_and_nothing_changes) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  const kith::entity bob = world.entity("bob");
  const kith::entity child = world.entity("ship::bob");
  const kith::entity other = world.entity("ship::other");
  EXPECT_EQ(refusal(world, [&] { ship.set_name("bob"); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { other.set_name("bob"); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.child_of(ship); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.add(kith::ChildOf, ship); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { child.remove(kith::ChildOf, ship); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { child.remove(kith::ChildOf, kith::Wildcard); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { child.clear(); }), "constraint");
  EXPECT_EQ(message_of([&] { ship.set_name("bob"); }), "the name 'bob' is taken at the root");
  EXPECT_EQ(message_of([&] { other.set_name("bob"); }), "the name 'bob' is taken in ship");
}

// --- paths ---

TEST(names, entity_of_a_path_makes_the_parents_too) {
  kith::world world;
  const kith::entity c = world.entity("a::b::c");
  EXPECT_EQ(c.name(), "c");
  EXPECT_EQ(c.parent().name(), "b");
  EXPECT_EQ(c.parent().parent(), world.lookup("a"));
  EXPECT_EQ(world.entity("a::b::c"), c);
  EXPECT_EQ(world.entity_count(), 3u);
}

// R85
TEST(names, a_path_is_looked_up_from_the_root) {
  kith::world world;
  const kith::entity parent = world.entity("Parent");
  const kith::entity child = world.entity("Child").child_of(parent);
  EXPECT_EQ(world.lookup("Parent::Child"), child);
  EXPECT_EQ(world.lookup("::Parent::Child"), child);
  EXPECT_FALSE(world.lookup("Child"));
  EXPECT_FALSE(world.lookup("Parent::Child::x"));
}

// R85 C11
TEST(names, dots_and_colons_separate_alike) {
  kith::world world;
  const kith::entity c = world.entity("a.b::c");
  EXPECT_EQ(world.lookup("a::b::c"), c);
  EXPECT_EQ(world.lookup("a.b.c"), c);
  EXPECT_EQ(world.lookup("a::b.c"), c);
  EXPECT_EQ(world.lookup("a").lookup("b.c"), c);
}

// R86
TEST(names, lookup_of_an_entity_looks_below_it_alone) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  const kith::entity seat = world.entity("ship::cockpit::seat");
  EXPECT_EQ(ship.lookup("cockpit::seat"), seat);
  EXPECT_FALSE(ship.lookup("seat"));
  EXPECT_FALSE(ship.lookup("ship"));
  EXPECT_FALSE(ship.lookup("ChildOf"));
}

// R86
TEST(names, lookup_of_an_entity_does_not_leave_it_by_number) {
  kith::world world;
  const kith::entity ship = world.entity("ship");
  const kith::entity bob = world.entity("bob");
  EXPECT_FALSE(ship.lookup("#" + std::to_string(bob.id())));
  EXPECT_FALSE(ship.lookup(std::to_string(bob.id())));
}

TEST(names, a_path_from_the_root_is_the_same_for_every_lookup) {
  kith::world world;
  const kith::entity ship = world.entity("ship"), bar = world.entity("foo::bar");
  EXPECT_EQ(ship.lookup("::foo::bar"), bar);
  EXPECT_FALSE(ship.lookup("foo::bar"));
}

// R88
TEST(names, a_name_goes_with_its_entity_to_another_parent) {
  kith::world world;
  const kith::entity a = world.entity("a");
  const kith::entity b = world.entity("b");
  const kith::entity child = world.entity("child");
  EXPECT_EQ(world.lookup("child"), child);
  child.child_of(a);
  EXPECT_FALSE(world.lookup("child"));
  EXPECT_EQ(world.lookup("a::child"), child);
  child.child_of(b);
  EXPECT_FALSE(world.lookup("a::child"));
  EXPECT_EQ(world.lookup("b::child"), child);
  child.remove(kith::ChildOf, b);
  EXPECT_EQ(world.lookup("child"), child);
}

TEST(names, a_path_follows_its_parents) {
  kith::world world;
  const kith::entity c = world.entity("a::b::c");
  EXPECT_EQ(c.path(), "a::b::c");
  EXPECT_EQ(c.path("."), "a.b.c");
  c.parent().set_name("B");
  EXPECT_EQ(c.path(), "a::B::c");
  c.parent().child_of(world.entity("z"));
  EXPECT_EQ(c.path(), "z::B::c");
}

TEST(names, a_path_starts_at_the_innermost_nameless_entity) {
  kith::world world;
  const kith::entity nobody = world.entity().child_of(world.entity("a"));
  const kith::entity c = world.entity("c").child_of(nobody);
  EXPECT_EQ(nobody.path(), "#" + std::to_string(nobody.id()));
  EXPECT_EQ(c.path(), nobody.path() + "::c");
  EXPECT_EQ(world.lookup(c.path()), c);
  EXPECT_EQ(world.lookup(nobody.path()), nobody);
}

// C36
TEST(names, a_number_finds_an_entity_unless_somebody_is_called_so) {
  kith::world world;
  const kith::entity e = world.entity();
  const std::string number = std::to_string(e.id());
  EXPECT_EQ(world.lookup("#" + number), e);
  EXPECT_EQ(world.lookup(number), e);
  const kith::entity named = world.entity(number);
  EXPECT_NE(named, e);
  EXPECT_EQ(world.lookup(number), named);
  EXPECT_EQ(world.lookup("#" + number), e);
  EXPECT_EQ(world.entity("#" + number), e);
}

class odd_names : public testing::TestWithParam<const char*> {};

TEST_P(odd_names, any_name_is_found_by_its_path) {
  kith::world world;
  const kith::entity root = world.entity().set_name(GetParam());
  const kith::entity middle = world.entity().child_of(root).set_name(GetParam());
  const kith::entity leaf = world.entity().child_of(middle).set_name(GetParam());
  for (kith::entity e : {root, middle, leaf}) {
    EXPECT_EQ(e.name(), GetParam());
    EXPECT_EQ(world.lookup(e.path()), e) << e.path();
    EXPECT_EQ(world.lookup(e.path(".")), e) << e.path(".");
    EXPECT_EQ(world.lookup("::" + e.path()), e) << e.path();
    EXPECT_EQ(world.entity(e.path()), e) << e.path();
  }
  EXPECT_EQ(world.entity_count(), 3u);
}

INSTANTIATE_TEST_SUITE_P(names, odd_names,
                         testing::Values("a.b", ".", "..", "a.", ".a", "a::b", "::", ":", ":a",
                                         "a:", "a:b", ":::", "\"", "\"\"", "a\"b", "\"a\"", "\\",
                                         "a\\", "\\\"", "#", "#1", "#a", "a#b", "1", "12x", "0",
                                         " ", " a ", "a b", "\t\n", "größe", "名前", "🚀", "*", "_",
                                         "$x", "(a, b)", "a,b", "//"));

TEST(names, malformed_paths_are_parse_errors_that_tell_where) {
  kith::world world;
  for (const char* text : {"", "a::", "a..b", "::", "a::::b", ".a", "a.", "\"a", "a\"b", "\"a\"b",
                           "#", "#x", "#0", "a::#b", "#256x", "\"\""}) {
    EXPECT_EQ(refusal(world, [&] { world.entity(text); }), "parse") << text;
    EXPECT_FALSE(world.lookup(text)) << text;
  }
  try {
    world.entity("größe::");
    FAIL() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.position(), (kith::text_position{1, 8})) << "columns count characters";
  }
}

TEST(names, entity_of_the_number_of_nobody_is_unresolved) {
  kith::world world;
  EXPECT_EQ(refusal(world, [&] { world.entity("#123456"); }), "unresolved");
  EXPECT_EQ(refusal(world, [&] { world.entity("#123456::child"); }), "unresolved");
}

// --- built-in names ---

TEST(names, built_in_entities_are_found_by_their_names) {
  kith::world world;
  EXPECT_EQ(world.lookup("ChildOf").id(), kith::ChildOf);
  EXPECT_EQ(world.lookup("kith::ChildOf").id(), kith::ChildOf);
  EXPECT_EQ(world.lookup("*").id(), kith::Wildcard);
  EXPECT_EQ(world.lookup("_").id(), kith::Any);
  EXPECT_EQ(world.entity(kith::ChildOf).path(), "ChildOf");
  EXPECT_EQ(world.entity(kith::ChildOf).name(), "ChildOf");
}

TEST(names, an_entity_of_the_user_hides_a_built_in_one) {
  kith::world world;
  const kith::entity mine = world.entity("ChildOf");
  EXPECT_NE(mine.id(), kith::ChildOf);
  EXPECT_EQ(world.lookup("ChildOf"), mine);
  EXPECT_EQ(mine.path(), "ChildOf");
  EXPECT_EQ(world.entity(kith::ChildOf).path(), "kith::ChildOf");
  EXPECT_EQ(world.lookup("kith::ChildOf").id(), kith::ChildOf);
  EXPECT_FALSE(mine.child_of(world.entity("x")).has(mine, kith::Wildcard));
  EXPECT_EQ(world.entity(kith::ChildOf).path(), "ChildOf")
      << "x::ChildOf hides nothing at the root";
}

TEST(names, the_name_of_the_built_in_scope_is_taken) {
  kith::world world;
  const kith::entity e = world.entity("e");
  EXPECT_EQ(refusal(world, [&] { e.set_name("kith"); }), "constraint");
  EXPECT_EQ(world.entity("kith").id(), kith::BuiltinScope);
}

TEST(names, every_built_in_entity_is_found_by_its_path) {
  kith::world world;
  for (const char* hidden : {"", "ChildOf", "Disabled", "*"}) {
    if (*hidden) world.entity(hidden);
    for (kith::entity_t e = 1; e < kith::core::first_user_index; ++e)
      if (world.is_alive(e)) {
        EXPECT_EQ(world.lookup(world.entity(e).path()).id(), e) << e;
      }
  }
}

}  // namespace
