// Many entities at once, and copies of one.
#include <array>
#include <memory>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// --- bulk ---

TEST(bulk, makes_as_many_entities_as_asked_for) {
  kith::world world;
  const std::vector<kith::entity> made = world.bulk(1000);
  EXPECT_EQ(made.size(), 1000u);
  EXPECT_EQ(world.entity_count(), 1000u);
  for (kith::entity e : made) EXPECT_TRUE(e.is_alive() && e.type().count() == 0);
  EXPECT_TRUE(world.bulk(0).empty());
  EXPECT_TRUE(world.bulk(0, Position{1, 2}).empty());
}

TEST(bulk, a_value_is_given_to_each) {
  kith::world world;
  for (kith::entity e : world.bulk(10, Position{1, 2}, Npc{}, std::string("x"))) {
    EXPECT_EQ(*e.get<Position>(), (Position{1, 2}));
    EXPECT_EQ(*e.get<std::string>(), "x");
    EXPECT_TRUE(e.has<Npc>());
  }
}

TEST(bulk, of_a_vector_or_span_each_gets_its_own) {
  kith::world world;
  const std::vector<Health> health{{1}, {2}, {3}};
  std::array<std::string, 3> names{"a", "b", "c"};
  const auto made = world.bulk(3, health, std::span(names), std::vector<Position>(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(made[i].get<Health>()->points, static_cast<int>(i) + 1);
    EXPECT_EQ(*made[i].get<std::string>(), names[i]);
    EXPECT_EQ(*made[i].get<Position>(), (Position{0, 0}));
  }
}

TEST(bulk, gives_what_single_creation_gives) {
  kith::world one, many;
  for (int i = 0; i < 5; ++i) one.entity(Position{1, 2}, Health{i}, Npc{});
  many.bulk(5, Position{1, 2}, std::vector<Health>{{0}, {1}, {2}, {3}, {4}}, Npc{});
  EXPECT_EQ(one.count<Position>(), many.count<Position>());
  std::string left, right;
  one.each<Npc>([&](kith::entity e) { left += e.type().str() + ";"; });
  many.each<Npc>([&](kith::entity e) { right += e.type().str() + ";"; });
  EXPECT_EQ(left, right);
}

TEST(bulk, uses_the_numbers_of_deleted_entities_again) {
  kith::world world;
  for (kith::entity e : world.bulk(100)) e.destruct();
  for (kith::entity e : world.bulk(100))
    EXPECT_LT(kith::core::index_of(e.id()), kith::core::first_user_index + 100);
}

TEST(bulk, a_wrong_number_of_values_is_refused_and_makes_nothing) {
  kith::world world;
  world.component<Health>();
  EXPECT_EQ(refusal(world, [&] { world.bulk(3, std::vector<Health>(2)); }), "out_of_range");
  EXPECT_EQ(refusal(world, [&] { world.bulk(3, std::vector<Health>(4)); }), "out_of_range");
  EXPECT_EQ(message_of([&] { world.bulk(3, std::vector<Health>(2)); }),
            "2 values were given for 3 entities");
}

TEST(bulk, the_same_type_twice_is_refused_and_makes_nothing) {
  kith::world world;
  world.component<Health>();
  EXPECT_EQ(refusal(world, [&] { world.bulk(3, Health{1}, Health{2}); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.entity(Health{1}, Health{2}); }), "constraint");
}

struct Fragile {
  Fragile() = default;
  Fragile(const Fragile& other) : budget(other.budget) {
    if (--*budget < 0) throw std::runtime_error("no more");
    ++living;
  }
  Fragile(Fragile&& other) noexcept : budget(other.budget) { ++living; }
  explicit Fragile(int* b) : budget(b) { ++living; }
  ~Fragile() { --living; }
  int* budget = nullptr;
  static inline int living = 0;
};

TEST(bulk, a_copy_that_throws_leaves_nothing_behind) {
  kith::world world;
  world.component<Fragile>();
  world.component<Position>();
  int budget = 5;
  {
    const Fragile value(&budget);
    const std::string before = state_of(world);
    EXPECT_THROW(world.bulk(10, Position{1, 2}, value), std::runtime_error);
    EXPECT_EQ(state_of(world), before);
    EXPECT_EQ(Fragile::living, 1);
    budget = 0;
    EXPECT_THROW(world.entity(Position{1, 2}, value), std::runtime_error);
    EXPECT_EQ(state_of(world), before);
  }
  EXPECT_EQ(Fragile::living, 0);
}

// --- clone ---

class clones : public testing::Test {
 protected:
  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity ship = world.entity("ship");
  kith::entity bob = world.entity("bob")
                         .set(Position{1, 2})
                         .set<Eats>(Likes, {3})
                         .add(Likes, ship)
                         .add<Npc>()
                         .child_of(ship);
};

TEST_F(clones, a_clone_has_the_same_ids_and_values_but_no_name) {
  const kith::entity copy = bob.clone();
  EXPECT_NE(copy, bob);
  EXPECT_EQ(copy.name(), "");
  EXPECT_EQ(copy.type().str(), bob.type().str());
  EXPECT_EQ(*copy.get<Position>(), (Position{1, 2}));
  EXPECT_EQ(copy.get<Eats>(Likes)->amount, 3);
  EXPECT_EQ(copy.parent(), ship);
}

TEST_F(clones, values_are_copies) {
  const kith::entity copy = bob.clone();
  copy.get_mut<Position>()->x = 9;
  EXPECT_EQ(bob.get<Position>()->x, 1);
  bob.set(std::string(100, 'x'));
  EXPECT_EQ(*bob.clone().get<std::string>(), std::string(100, 'x'));
}

TEST_F(clones, a_clone_without_values_has_default_ones) {
  bob.set(Health{5});
  const kith::entity copy = bob.clone(false);
  EXPECT_EQ(copy.type().str(), bob.type().str());
  EXPECT_EQ(copy.get<Health>()->points, 100);
}

TEST_F(clones, a_clone_can_be_made_into_an_entity_that_has_nothing) {
  const kith::entity into = world.entity("into");
  EXPECT_EQ(bob.clone(true, into), into);
  EXPECT_EQ(into.path(), "ship::into") << "it keeps its name and gets the parent";
  EXPECT_EQ(world.lookup("ship::into"), into);
  EXPECT_EQ(*into.get<Position>(), (Position{1, 2}));
}

TEST_F(clones, a_clone_into_an_entity_that_has_something_is_refused) {
  const kith::entity full = world.entity("full").add<Npc>();
  EXPECT_EQ(refusal(world, [&] { bob.clone(true, full); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.clone(true, bob); }), "constraint");
}

TEST_F(clones, a_clone_into_a_name_that_is_taken_under_the_parent_is_refused) {
  const kith::entity root_bob = world.entity("::bob");
  ASSERT_NE(root_bob, bob);
  EXPECT_EQ(refusal(world, [&] { bob.clone(true, root_bob); }), "constraint");
}

TEST_F(clones, a_clone_that_would_close_a_cycle_is_refused) {
  EXPECT_EQ(refusal(world, [&] { bob.clone(true, ship); }), "constraint");
  const kith::entity Under = world.entity("Under").add(kith::Acyclic);
  const kith::entity top = world.entity("top");
  const kith::entity low = world.entity("low").add(Under, top);
  EXPECT_EQ(refusal(world, [&] { low.clone(true, top); }), "constraint");
}

TEST_F(clones, a_clone_whose_traits_the_data_contradicts_is_refused) {
  const kith::entity One = world.entity("One").add(kith::Exclusive);
  bob.add(Likes, bob);
  EXPECT_EQ(refusal(world, [&] { One.clone(true, Likes); }), "constraint");
  const kith::entity free = world.entity("free");
  One.clone(true, free);
  bob.add(free, ship).add(free, bob);
  EXPECT_EQ(bob.targets(free).count(), 1u) << "the copy is Exclusive too";
}

TEST_F(clones, a_clone_of_a_component_is_no_component) {
  const kith::entity copy = world.component<Position>().clone();
  EXPECT_FALSE(copy.has(kith::Component));
  EXPECT_EQ(bob.add(copy).get(copy), nullptr);
}

TEST_F(clones, what_is_switched_off_is_off_in_the_clone) {
  bob.disable<Position>();
  const kith::entity copy = bob.clone();
  EXPECT_TRUE(copy.owns<Position>());
  EXPECT_FALSE(copy.has<Position>());
}

TEST_F(clones, a_value_that_cannot_be_copied_can_be_left_out) {
  bob.set(std::make_unique<int>(3));
  EXPECT_EQ(error_of([&] { bob.clone(); }), "type");
  EXPECT_EQ(*bob.clone(false).get<std::unique_ptr<int>>(), nullptr);
}

TEST_F(clones, a_copy_that_throws_leaves_nothing_behind) {
  int budget = 1;
  bob.set(Fragile(&budget));
  const std::string before = state_of(world);
  budget = 0;
  EXPECT_THROW(bob.clone(), std::runtime_error);
  EXPECT_EQ(state_of(world), before);
}

}  // namespace
