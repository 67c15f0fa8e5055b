// Components and tags of one entity: every call that adds, reads or removes a value.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

// --- adding, removing, asking ---

TEST(components, a_component_is_there_exactly_while_it_is_added) {
  kith::world world;
  const kith::entity e = world.entity();
  EXPECT_FALSE(e.has<Health>());
  e.add<Health>();
  EXPECT_TRUE(e.has<Health>());
  EXPECT_TRUE(e.owns<Health>());
  e.remove<Health>();
  EXPECT_FALSE(e.has<Health>());
  EXPECT_FALSE(e.owns<Health>());
}

TEST(components, add_gives_the_default_value) {
  kith::world world;
  EXPECT_EQ(world.entity().add<Health>().get<Health>()->points, 100);
  EXPECT_EQ(*world.entity().add<Position>().get<Position>(), (Position{0, 0}));
}

TEST(components, add_of_what_is_there_keeps_the_value) {
  kith::world world;
  EXPECT_EQ(world.entity().set(Health{5}).add<Health>().get<Health>()->points, 5);
}

TEST(components, removing_what_is_not_there_does_nothing) {
  kith::world world;
  const kith::entity e = world.entity().set(Position{1, 2});
  world.component<Velocity>();
  EXPECT_EQ(refusal(world, [&] { e.remove<Velocity>(); }), "none");
}

// R3 R102
TEST(components, any_entity_can_be_added_as_a_tag) {
  kith::world world;
  const kith::entity Hungry = world.entity("Hungry");
  const kith::entity bob = world.entity("bob").add(Hungry);
  EXPECT_TRUE(bob.has(Hungry));
  EXPECT_TRUE(bob.owns(Hungry));
  EXPECT_EQ(bob.get(Hungry), nullptr);
  EXPECT_FALSE(bob.remove(Hungry).has(Hungry));
}

// R101 R4
TEST(components, a_typed_call_is_the_same_as_one_with_the_id_of_the_type) {
  kith::world world;
  const kith::entity e = world.entity().add(world.id<Position>());
  EXPECT_TRUE(e.has<Position>());
  e.set(Position{1, 2});
  EXPECT_EQ(e.get(world.id<Position>()), e.get<Position>());
  EXPECT_EQ(e.get_mut(world.id<Position>()), e.get_mut<Position>());
  EXPECT_FALSE(e.remove(world.component<Position>()).has<Position>());
}

TEST(components, an_entity_can_have_itself_as_a_tag) {
  kith::world world;
  const kith::entity e = world.entity();
  EXPECT_TRUE(e.add(e).has(e));
  e.destruct();
  EXPECT_EQ(world.entity_count(), 0u);
}

// --- values ---

TEST(components, set_adds_the_component_and_then_changes_its_value) {
  kith::world world;
  const kith::entity e = world.entity().set(Position{1, 2});
  EXPECT_EQ(*e.get<Position>(), (Position{1, 2}));
  const Position from_const{3, 4};
  EXPECT_EQ(*e.set(from_const).get<Position>(), (Position{3, 4}));
  Position from_lvalue{5, 6};
  EXPECT_EQ(*e.set(from_lvalue).get<Position>(), (Position{5, 6}));
  EXPECT_EQ(*e.set<Position>({7, 8}).get<Position>(), (Position{7, 8}));
}

// R45
TEST(components, set_of_a_type_without_members_adds_the_tag) {
  kith::world world;
  EXPECT_TRUE(world.entity().set(Npc{}).has<Npc>());
}

// C13
TEST(components, get_of_an_absent_component_is_null) {
  kith::world world;
  const kith::entity e = world.entity();
  EXPECT_EQ(e.get<Position>(), nullptr);
  EXPECT_EQ(e.try_get<Position>(), nullptr);
  EXPECT_EQ(e.get_mut<Position>(), nullptr);
}

// C13
TEST(components, try_get_is_another_name_for_get) {
  kith::world world;
  const kith::entity e = world.entity().set(Position{1, 2}).set<Begin, Position>({3, 4});
  EXPECT_EQ(e.try_get<Position>(), e.get<Position>());
  EXPECT_EQ((e.try_get<Begin, Position>()), (e.get<Begin, Position>()));
}

// R77
TEST(components, get_is_for_reading_and_get_mut_for_writing) {
  kith::world world;
  const kith::entity e = world.entity().set(Health{5});
  static_assert(std::is_same_v<decltype(e.get<Health>()), const Health*>);
  static_assert(std::is_same_v<decltype(e.get_mut<Health>()), Health*>);
  e.get_mut<Health>()->points = 6;
  EXPECT_EQ(e.get<Health>()->points, 6);
}

// C13
TEST(components, at_is_the_value_or_an_error) {
  kith::world world;
  const kith::entity e = world.entity("bob").set(Health{5});
  EXPECT_EQ(e.at<Health>().points, 5);
  EXPECT_EQ(error_of([&] { e.at<Position>(); }), "out_of_range");
  EXPECT_EQ(message_of([&] { e.at<Position>(); }), "bob has no Position");
}

TEST(components, ensure_adds_the_default_value_once) {
  kith::world world;
  const kith::entity e = world.entity();
  static_assert(std::is_same_v<decltype(e.ensure<Health>()), Health&>);
  EXPECT_EQ(e.ensure<Health>().points, 100);
  e.ensure<Health>().points = 7;
  EXPECT_EQ(e.ensure<Health>().points, 7);
  EXPECT_EQ(e.ensure(world.id<Health>()), e.get<Health>());
}

TEST(components, emplace_constructs_the_value_from_its_arguments) {
  kith::world world;
  const kith::entity e = world.entity().emplace<Position>(1.f, 2.f).emplace<std::string>(3u, 'x');
  EXPECT_EQ(*e.get<Position>(), (Position{1, 2}));
  EXPECT_EQ(*e.get<std::string>(), "xxx");
  EXPECT_EQ(*e.emplace<std::string>("again").get<std::string>(), "again");
}

TEST(components, emplace_of_a_tag_adds_it_at_once_and_deferred) {
  kith::world world;
  EXPECT_TRUE(world.entity().emplace<Npc>().has<Npc>());
  const kith::entity e = world.entity();
  EXPECT_EQ(error_of([&] { world.defer([&] { e.emplace<Npc>(); }); }), "none");
  EXPECT_TRUE(e.has<Npc>());
}

TEST(components, a_pointer_stays_good_while_only_values_change) {
  kith::world world;
  const kith::entity e = world.entity().set(Position{1, 2});
  const kith::entity other = world.entity().set(Position{3, 4});
  const Position* p = e.get<Position>();
  other.set(Position{5, 6});
  e.set(Position{7, 8});
  other.emplace<Position>(9.f, 9.f).get_mut<Position>()->x = 10;
  EXPECT_EQ(e.get<Position>(), p);
  EXPECT_EQ(*p, (Position{7, 8}));
}

// --- kinds of types ---

struct Counted {
  explicit Counted(int v) : value(v) { ++living; }
  Counted(const Counted& other) : value(other.value) { ++living; }
  Counted(Counted&& other) noexcept : value(other.value) { ++living; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { --living; }
  int value;
  static inline int living = 0;
};

TEST(components, every_value_is_destroyed_exactly_once) {
  ASSERT_EQ(Counted::living, 0);
  {
    kith::world world;
    std::vector<kith::entity> all;
    for (int i = 0; i < 100; ++i) all.push_back(world.entity().emplace<Counted>(i));
    EXPECT_EQ(Counted::living, 100);
    for (std::size_t i = 0; i < 100; i += 2) all[i].add<Npc>().set(Counted(7));
    EXPECT_EQ(Counted::living, 100);
    for (std::size_t i = 0; i < 50; ++i) all[i].destruct();
    EXPECT_EQ(Counted::living, 50);
    all[60].remove<Counted>();
    all[61].clear();
    EXPECT_EQ(Counted::living, 48);
    for (std::size_t i = 62; i < 100; ++i)
      EXPECT_EQ(all[i].get<Counted>()->value, i % 2 ? static_cast<int>(i) : 7);
  }
  EXPECT_EQ(Counted::living, 0);
}

TEST(components, a_move_only_value_can_be_set_moved_and_taken) {
  using Owner = std::unique_ptr<int>;
  kith::world world;
  const kith::entity e = world.entity().set(std::make_unique<int>(3)).add<Npc>();
  EXPECT_EQ(**e.get<Owner>(), 3);
  const Owner taken = std::move(*e.get_mut<Owner>());
  EXPECT_EQ(*taken, 3);
  EXPECT_EQ(**world.entity(std::make_unique<int>(4)).get<Owner>(), 4);
}

struct Pinned {
  explicit Pinned(int v) : value(v), self(this) {}
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  int value;
  const Pinned* self;
};

TEST(components, a_value_that_cannot_move_never_does) {
  kith::world world;
  const kith::entity e = world.entity().emplace<Pinned>(3);
  for (int i = 0; i < 100; ++i) world.entity().emplace<Pinned>(i);
  e.add<Npc>().set(Position{1, 2}).remove<Npc>();
  EXPECT_EQ(e.get<Pinned>()->self, e.get<Pinned>());
  EXPECT_EQ(e.emplace<Pinned>(4).get<Pinned>()->value, 4);
}

struct alignas(256) Wide {
  std::array<char, 300> bytes{};
};

TEST(components, an_over_aligned_value_is_aligned_wherever_it_is) {
  kith::world world;
  const auto aligned = [](const Wide* w) { return reinterpret_cast<std::uintptr_t>(w) % 256 == 0; };
  for (int i = 0; i < 20; ++i) {
    const kith::entity e = world.entity().set(Wide{});
    EXPECT_TRUE(aligned(e.get<Wide>()));
    EXPECT_TRUE(aligned(e.add(e).get<Wide>()));
    EXPECT_TRUE(aligned(e.set<Wide>(e, Wide{}).get<Wide>(e)));
    world.defer([&] { EXPECT_TRUE(aligned(&world.entity().ensure<Wide>())); });
  }
}

struct Throws {
  explicit Throws(bool now) {
    if (now) throw std::runtime_error("no");
  }
  int value = 5;
};

TEST(components, a_constructor_that_throws_leaves_everything_as_it_was) {
  kith::world world;
  const kith::entity e = world.entity("e").set(Position{1, 2});
  world.component<Throws>();
  const std::string before = state_of(world);
  EXPECT_THROW(e.emplace<Throws>(true), std::runtime_error);
  EXPECT_EQ(state_of(world), before);
  e.emplace<Throws>(false);
  EXPECT_THROW(e.emplace<Throws>(true), std::runtime_error);
  EXPECT_EQ(e.get<Throws>()->value, 5);
}

enum class Mood : std::uint8_t { calm, angry };

TEST(components, enums_containers_and_numbers_are_types_as_well) {
  kith::world world;
  const kith::entity e = world.entity();
  e.set(Mood::angry).set(std::map<int, std::string>{{1, "one"}}).set(3).set(2.5);
  EXPECT_EQ(*e.get<Mood>(), Mood::angry);
  EXPECT_EQ((e.get<std::map<int, std::string>>()->at(1)), "one");
  EXPECT_EQ(*e.get<int>(), 3);
  EXPECT_EQ(*e.get<double>(), 2.5);
}

// --- singletons ---

// Q99
TEST(components, a_singleton_is_a_component_on_its_own_entity) {
  kith::world world;
  EXPECT_FALSE(world.has<Health>());
  EXPECT_EQ(world.get<Health>(), nullptr);
  EXPECT_EQ(world.get_mut<Health>(), nullptr);
  world.set(Health{5});
  EXPECT_TRUE(world.has<Health>());
  EXPECT_EQ(world.get<Health>()->points, 5);
  EXPECT_EQ(world.entity<Health>().get<Health>(), world.get<Health>());
  world.get_mut<Health>()->points = 6;
  EXPECT_EQ(world.ensure<Health>().points, 6);
  world.remove<Health>();
  EXPECT_FALSE(world.has<Health>());
  world.add<Health>();
  EXPECT_EQ(world.get<Health>()->points, 100);
}

// --- Sparse: fixed addresses ---------------------------------------------------------------------

struct SparseValue {
  int value = 0;
  int more[3]{};
};

TEST(sparse, a_value_has_a_fixed_address_until_it_is_removed) {
  kith::world world;
  world.component<SparseValue>().add(kith::Sparse);
  std::vector<kith::entity> all;
  std::vector<const SparseValue*> places;
  for (int i = 0; i < 1000; ++i) {
    all.push_back(world.entity().set(SparseValue{i}));
    places.push_back(all.back().get<SparseValue>());
  }
  for (std::size_t i = 0; i < all.size(); i += 3) all[i].remove<SparseValue>();
  for (std::size_t i = 0; i < all.size(); ++i) all[i].add(world.entity());
  for (std::size_t i = 1; i < all.size(); i += 3) all[i].set(SparseValue{-1});
  std::vector<kith::entity> bulk = world.bulk(500, SparseValue{7});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 0) continue;
    EXPECT_EQ(all[i].get<SparseValue>(), places[i]);
    EXPECT_EQ(places[i]->value, i % 3 == 1 ? -1 : static_cast<int>(i));
  }
  EXPECT_EQ(bulk.back().get<SparseValue>()->value, 7);
}

TEST(sparse, the_address_is_fixed_from_the_moment_the_id_becomes_sparse) {
  kith::world world;
  const kith::entity e = world.entity().set(SparseValue{5});
  world.component<SparseValue>().add(kith::Sparse);
  const SparseValue* const place = e.get<SparseValue>();
  EXPECT_EQ(place->value, 5);
  for (int i = 0; i < 1000; ++i) world.entity().set(SparseValue{i});
  EXPECT_EQ(e.get<SparseValue>(), place);
  EXPECT_EQ(place->value, 5);
}

TEST(sparse, pairs_with_values_have_fixed_addresses_too) {
  kith::world world;
  world.component<SparseValue>().add(kith::Sparse);
  const kith::entity target = world.entity();
  const kith::entity e = world.entity().set<SparseValue>(target, {3});
  const SparseValue* const place = e.get<SparseValue>(target);
  for (int i = 0; i < 1000; ++i) world.entity().set<SparseValue>(target, {i});
  EXPECT_EQ(e.get<SparseValue>(target), place);
}

TEST(sparse, queries_show_and_write_each_value) {
  kith::world world;
  world.component<SparseValue>().add(kith::Sparse);
  std::vector<kith::entity> all;
  for (int i = 0; i < 100; ++i) all.push_back(world.entity().set(SparseValue{i}));
  for (std::size_t i = 0; i < 100; i += 2) all[i].remove<SparseValue>();
  for (int i = 0; i < 10; ++i) world.entity().set(SparseValue{1000});
  int sum = 0;
  world.query<SparseValue>().each([&](SparseValue& p) { sum += p.value; });
  EXPECT_EQ(sum, 2500 + 10'000);
  auto q = world.query_builder<SparseValue>().cached().build();
  for (int round = 0; round < 3; ++round)
    q.iter([](kith::iter& it, SparseValue* p) {
      for (std::size_t i = 0; i < it.count(); ++i) p[i].value += 1;
    });
  sum = 0;
  q.each([&](const SparseValue& p) { sum += p.value; });
  EXPECT_EQ(sum, 2500 + 10'000 + 3 * 60);
}

}  // namespace
