#include <string>

#include <gtest/gtest.h>

#include "sides.hpp"

namespace {

TEST(shared_library, libraries_have_their_own_copies_of_what_templates_make) {
  ASSERT_NE(left::own_description(), right::own_description());
}

TEST(shared_library, type_seen_from_two_libraries_is_one_component) {
  kith::world w;
  EXPECT_EQ(left::position_in(w), right::position_in(w));
  EXPECT_EQ(left::marker_in(w), right::marker_in(w));
}

TEST(shared_library, value_set_in_one_library_is_found_in_the_other) {
  kith::world w;
  const kith::entity e = w.entity();
  left::set_position(e, 5, 6);
  EXPECT_EQ(right::x_of_position(e), 5);
  right::remove_position(e);
  EXPECT_EQ(e.type().count(), 0u);
}

TEST(shared_library, error_is_caught_in_the_library_that_caused_it) {
  kith::world w;
  EXPECT_TRUE(left::catches_own_mistake(w));
}

TEST(shared_library, type_with_the_same_name_and_another_size_is_a_type_error) {
  kith::world w;
  left::thing_in(w);
  try {
    right::thing_in(w);
    FAIL() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), kith::errc::type);
    EXPECT_NE(std::string(e.what()).find("game::Thing"), std::string::npos) << e.what();
  }
}

TEST(shared_library, either_type_may_be_the_first_of_its_name_in_a_world) {
  kith::world one, other;
  const kith::entity_t in_one = left::thing_in(one);
  right::thing_in(other);
  EXPECT_THROW(left::thing_in(other), kith::error);
  EXPECT_EQ(left::thing_in(one), in_one);
}

TEST(shared_library, type_refused_once_is_refused_again_and_the_first_stays) {
  kith::world w;
  const kith::entity_t first = left::thing_in(w);
  EXPECT_THROW(right::thing_in(w), kith::error);
  EXPECT_THROW(right::thing_in(w), kith::error);
  EXPECT_EQ(left::thing_in(w), first);
}

TEST(shared_library, name_is_free_for_the_other_type_when_the_first_was_deleted) {
  kith::world w;
  w.entity(left::thing_in(w)).destruct();
  EXPECT_NO_THROW(right::thing_in(w));
}

}  // namespace
