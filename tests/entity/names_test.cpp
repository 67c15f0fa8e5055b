#include "entity/names.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace {

using namespace kith::core;
using kith::entity_t;

constexpr std::uint32_t root = 0, ship = 300, harbour = 301;
constexpr entity_t bob = 310, tom = 311;

// All names with the entity found by each: "310 bob, 311 tom".
std::string to_text(const names& n) {
  std::map<entity_t, std::string> sorted;
  n.each([&](entity_t e, std::string_view name) { sorted[e] = name; });
  std::string text;
  for (const auto& [e, name] : sorted)
    text += (text.empty() ? "" : ", ") + std::to_string(e) + " " + name;
  return text;
}

TEST(entity_names, name_leads_to_its_entity_and_back) {
  names n;
  n.set(bob, ship, "bob");
  EXPECT_EQ(n.find(ship, "bob"), bob);
  EXPECT_EQ(n.name_of(310), "bob");
}

TEST(entity_names, belong_to_one_parent) {
  names n;
  n.set(bob, ship, "bob");
  EXPECT_EQ(n.find(root, "bob"), 0u);
  EXPECT_EQ(n.find(harbour, "bob"), 0u);
  EXPECT_EQ(n.parent_of(310), ship);
}

TEST(entity_names, may_be_the_same_under_different_parents) {
  names n;
  n.set(bob, ship, "mate");
  n.set(tom, harbour, "mate");
  EXPECT_EQ(n.find(ship, "mate"), bob);
  EXPECT_EQ(n.find(harbour, "mate"), tom);
}

TEST(entity_names, entity_without_a_name_has_an_empty_one) {
  const names n;
  EXPECT_EQ(n.name_of(310), "");
}

TEST(entity_names, new_name_takes_the_place_of_the_old_one) {
  names n;
  n.set(bob, ship, "bob");
  n.set(bob, ship, "robert");
  EXPECT_EQ(n.find(ship, "bob"), 0u);
  EXPECT_EQ(n.find(ship, "robert"), bob);
  EXPECT_EQ(to_text(n), "310 robert");
}

TEST(entity_names, name_set_from_the_entitys_own_name_is_kept) {
  names n;
  n.set(bob, ship, "a name that is too long to be kept inside a string");
  n.set(bob, harbour, n.name_of(310));
  EXPECT_EQ(to_text(n), "310 a name that is too long to be kept inside a string");
}

TEST(entity_names, moved_name_is_found_under_the_new_parent_alone) {
  names n;
  n.set(bob, ship, "bob");
  n.move(bob, harbour);
  EXPECT_EQ(n.find(ship, "bob"), 0u);
  EXPECT_EQ(n.find(harbour, "bob"), bob);
}

TEST(entity_names, move_to_the_parent_it_has_changes_nothing) {
  names n;
  n.set(bob, ship, "bob");
  n.move(bob, ship);
  EXPECT_EQ(n.find(ship, "bob"), bob);
}

TEST(entity_names, erased_name_is_free_again) {
  names n;
  n.set(bob, ship, "bob");
  n.erase(bob);
  EXPECT_EQ(n.name_of(310), "");
  n.set(tom, ship, "bob");
  EXPECT_EQ(n.find(ship, "bob"), tom);
}

TEST(entity_names, erasing_a_name_that_is_not_there_does_nothing) {
  names n;
  n.set(bob, ship, "bob");
  n.erase(tom);
  EXPECT_EQ(to_text(n), "310 bob");
}

TEST(entity_names, thousand_names_are_each_found) {
  names n;
  for (entity_t e = 1000; e < 2000; ++e) n.set(e, ship, "entity number " + std::to_string(e));
  for (entity_t e = 1000; e < 2000; e += 2) n.erase(e);
  for (entity_t e = 1000; e < 2000; ++e)
    EXPECT_EQ(n.find(ship, "entity number " + std::to_string(e)), e % 2 ? e : 0);
}

}  // namespace
