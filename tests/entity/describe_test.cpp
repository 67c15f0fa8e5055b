#include "entity/describe.hpp"

#include <string>

#include <gtest/gtest.h>

#include <kith/builtins.hpp>

namespace {

using namespace kith::core;
using kith::entity_t;

// A store whose hierarchy is made by hand.
class describing : public ::testing::Test {
 protected:
  describing() { s.make_alive(kith::ChildOf); }
  entity_t child(entity_t parent, std::string_view name = {}) {
    const entity_t e = s.create();
    if (parent) s.add(e, make_pair(kith::ChildOf, parent));
    if (!name.empty()) n.set(e, index_of(parent), name);
    return e;
  }
  std::string number(entity_t e) { return "#" + std::to_string(e); }
  std::string path(entity_t e) { return path_of(s, n, e); }

  store s;
  names n;
};

TEST_F(describing, parent_is_the_target_of_childof) {
  const entity_t ship = child(0, "ship"), deck = child(ship, "deck");
  EXPECT_EQ(parent_of(s, *s.entities().find(deck)), ship);
  EXPECT_EQ(parent_of(s, *s.entities().find(ship)), 0u);
}

TEST_F(describing, path_has_all_names_from_the_root) {
  EXPECT_EQ(path(child(child(child(0, "harbour"), "ship"), "deck")), "harbour::ship::deck");
}

TEST_F(describing, path_takes_the_separator_it_is_given) {
  EXPECT_EQ(path_of(s, n, child(child(0, "ship"), "deck"), "."), "ship.deck");
}

TEST_F(describing, path_of_a_nameless_entity_is_its_number) {
  const entity_t e = child(child(0, "ship"));
  EXPECT_EQ(path(e), number(e));
}

TEST_F(describing, path_starts_at_the_innermost_ancestor_without_a_name) {
  const entity_t ship = child(child(0, "harbour"));
  EXPECT_EQ(path(child(child(ship, "deck"), "mast")), number(ship) + "::deck::mast");
}

TEST_F(describing, odd_names_are_quoted_in_a_path) {
  EXPECT_EQ(path(child(child(0, "s.s. kith"), "deck")), "\"s.s. kith\"::deck");
}

TEST_F(describing, builtin_entity_has_its_short_name) {
  s.make_alive(kith::BuiltinScope);
  s.make_alive(kith::Disabled);
  n.set(kith::BuiltinScope, 0, "kith");
  n.set(kith::Disabled, index_of(kith::BuiltinScope), "Disabled");
  s.add(kith::Disabled, make_pair(kith::ChildOf, kith::BuiltinScope));
  EXPECT_EQ(path(kith::Disabled), "Disabled");
}

TEST_F(describing, builtin_entity_has_its_long_name_if_a_user_took_the_short_one) {
  s.make_alive(kith::BuiltinScope);
  s.make_alive(kith::Disabled);
  n.set(kith::BuiltinScope, 0, "kith");
  n.set(kith::Disabled, index_of(kith::BuiltinScope), "Disabled");
  s.add(kith::Disabled, make_pair(kith::ChildOf, kith::BuiltinScope));
  child(0, "Disabled");
  EXPECT_EQ(path(kith::Disabled), "kith::Disabled");
}

TEST_F(describing, null_is_nothing) { EXPECT_EQ(describe(s, n, 0), "nothing"); }

TEST_F(describing, dead_entity_is_its_number) {
  const entity_t e = child(0);
  s.destroy(e);
  EXPECT_EQ(describe(s, n, e), number(e));
}

TEST_F(describing, pair_is_written_with_both_parts) {
  const entity_t likes = child(0, "Likes"), bob = child(child(0, "ship"), "bob");
  EXPECT_EQ(describe_id(s, n, make_pair(likes, bob)), "(Likes, ship::bob)");
}

TEST_F(describing, part_of_a_pair_that_is_dead_is_its_index) {
  const entity_t likes = child(0, "Likes"), bob = child(0);
  s.destroy(bob);
  EXPECT_EQ(describe_id(s, n, make_pair(likes, bob)), "(Likes, " + number(index_of(bob)) + ")");
}

}  // namespace
