// Many worlds in one process, one after the other and side by side.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Position {
  int x = 0, y = 0;
};
struct Mass {
  double kilograms = 0;
};

// --- types ---------------------------------------------------------------------------------------

TEST(many_worlds, type_known_to_one_world_is_unknown_to_the_next) {
  {
    kith::world first;
    first.component<Position>();
  }
  kith::world second;
  EXPECT_FALSE(second.lookup("Position"));
}

TEST(many_worlds, type_deleted_in_one_world_stays_in_the_other) {
  kith::world one, other;
  const kith::entity e = other.entity(Position{3, 4});
  one.component<Position>().destruct();
  EXPECT_EQ(e.get<Position>()->y, 4);
}

kith::core::type_desc thing_of(std::size_t size, std::size_t alignment) {
  kith::core::type_desc desc;
  desc.name = "game::Thing";
  desc.size = size;
  desc.alignment = alignment;
  return desc;
}

// Registers two types of the same name; the message if the second is refused as a wrong type.
std::string refusal(const kith::core::type_desc& first, const kith::core::type_desc& second) {
  kith::world w;
  w.engine().register_component(kith::core::type_slot(first), first, {});
  try {
    w.engine().register_component(kith::core::type_slot(second), second, {});
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), kith::errc::type);
    return e.what();
  }
  return "";
}

TEST(many_worlds, type_of_the_same_name_and_another_size_is_a_type_error) {
  EXPECT_EQ(
      refusal(thing_of(4, 4), thing_of(8, 4)),
      "two types are called game::Thing: one of 4 bytes, aligned to 4, is registered, this one "
      "has 8, aligned to 4");
}

TEST(many_worlds, type_of_the_same_name_and_another_alignment_is_a_type_error) {
  EXPECT_EQ(
      refusal(thing_of(16, 8), thing_of(16, 16)),
      "two types are called game::Thing: one of 16 bytes, aligned to 8, is registered, this one "
      "has 16, aligned to 16");
}

TEST(many_worlds, type_and_tag_of_the_same_name_are_a_type_error) {
  EXPECT_NE(refusal(thing_of(0, 1), thing_of(4, 4)), "");
  EXPECT_NE(refusal(thing_of(4, 4), thing_of(0, 1)), "");
}

TEST(many_worlds, type_of_the_same_name_size_and_alignment_is_the_same_type) {
  EXPECT_EQ(refusal(thing_of(4, 4), thing_of(4, 4)), "");
}

// --- one beside the other ------------------------------------------------------------------------

TEST(many_worlds, constructor_in_one_world_can_change_another_at_once) {
  kith::world one, other;
  static kith::entity there;
  struct messenger {
    int value = 0;
    messenger() { there.set(Mass{3}); }
  };
  there = other.entity();
  one.entity().add<messenger>();
  EXPECT_EQ(there.get<Mass>()->kilograms, 3);
}

TEST(many_worlds, hundred_worlds_live_side_by_side) {
  std::vector<kith::world> all(100);
  std::vector<kith::entity> entities;
  for (std::size_t i = 0; i < 100; ++i)
    entities.push_back(all[i].entity("e").set(Position{static_cast<int>(i), 0}));
  for (std::size_t i = 0; i < 100; i += 2) all[i] = kith::world();
  for (std::size_t i = 1; i < 100; i += 2)
    EXPECT_EQ(entities[i].get<Position>()->x, static_cast<int>(i));
}

}  // namespace
