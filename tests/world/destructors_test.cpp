// Destructors that create entities while their own entity ends, or ask the world.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Creator {
  kith::world* in = nullptr;
  std::vector<kith::entity>* made = nullptr;

  Creator() = default;
  Creator(kith::world& w, std::vector<kith::entity>& list) : in(&w), made(&list) {}
  Creator(Creator&& other) noexcept : in(std::exchange(other.in, nullptr)), made(other.made) {}
  Creator& operator=(Creator&& other) noexcept {
    std::swap(in, other.in);
    std::swap(made, other.made);
    return *this;
  }
  ~Creator() {
    if (in) made->push_back(in->entity());
  }
};
struct Neighbour {
  std::vector<int> list;
};

TEST(destructors, entities_that_a_destructor_creates_are_found) {
  std::vector<kith::entity> made;
  kith::world world;
  world.component<Creator>().add(kith::Sparse);
  const kith::entity Tag = world.entity("Tag");
  for (int i = 0; i < 50; ++i) {
    const kith::entity e = world.entity();
    e.set(Creator{world, made});
    e.set(Neighbour{{i}});
    e.destruct();
  }
  ASSERT_EQ(made.size(), 50u);
  for (kith::entity e : made) EXPECT_TRUE(e.is_alive());
  std::size_t found = 0;
  world.query("!Tag").each(
      [&](kith::entity e) { found += std::ranges::find(made, e) != made.end(); });
  EXPECT_EQ(found, made.size());
  for (kith::entity e : made) e.add(Tag);
  EXPECT_EQ(world.count(Tag), made.size());
}

TEST(destructors, an_entity_that_a_destructor_creates_is_no_type_that_went_before_it) {
  std::vector<kith::entity> made;
  kith::world world;
  const kith::entity parent = world.entity("parent");
  world.component<Neighbour>("parent::Neighbour");
  parent.set(Creator{world, made});
  parent.destruct();
  ASSERT_EQ(made.size(), 1u);
  const kith::entity e = world.entity().add(made[0]);
  EXPECT_TRUE(e.has(made[0]));
  EXPECT_FALSE(world.id(made[0]).type_id());
}

// Calls a function when its value ends, but not when it was moved from.
struct Witness {
  std::function<void()> see;

  Witness() = default;
  explicit Witness(std::function<void()> f) : see(std::move(f)) {}
  Witness(Witness&& other) noexcept : see(std::exchange(other.see, nullptr)) {}
  Witness& operator=(Witness&& other) noexcept {
    see.swap(other.see);
    return *this;
  }
  ~Witness() {
    if (see) see();
  }
};

// A world in which `Witness` is kept in tables, or in a pool.
class destructors_that_ask : public ::testing::TestWithParam<bool> {
 protected:
  destructors_that_ask() {
    const kith::entity type = w.component<Witness>("Witness");
    if (GetParam()) type.add(kith::Sparse);
  }
  kith::world w;
  int seen = -1;
};

INSTANTIATE_TEST_SUITE_P(storages, destructors_that_ask, ::testing::Bool(),
                         [](const auto& p) { return p.param ? "pool" : "table"; });

TEST_P(destructors_that_ask, find_what_a_kept_query_finds_without_the_value) {
  // A join, so the rows are kept one by one.
  const kith::entity Likes = w.entity("Likes"), Fruit = w.entity("Fruit");
  const kith::entity apples = w.entity().add(Fruit);
  const auto q = w.query_builder<>().expr("Witness, (Likes, $x), Fruit($x)").cached().build();
  const kith::entity e = w.entity().add(Likes, apples), other = w.entity().add(Likes, apples);
  other.set(Witness());
  const auto count = [&] { return static_cast<int>(q.count()); };
  e.set(Witness([&] { seen = count(); }));
  EXPECT_EQ(count(), 2);
  e.remove<Witness>();
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(count(), 1);

  e.set(Witness([&] { seen = count() + 10; }));
  EXPECT_EQ(count(), 2);
  e.destruct();
  EXPECT_EQ(seen, 11);
  EXPECT_EQ(count(), 1);

  other.set(Witness([&] { seen = count() + 20; }));
  EXPECT_EQ(count(), 1);
  w.remove_all<Witness>();
  EXPECT_EQ(seen, 20);
  EXPECT_EQ(count(), 0);
}

TEST_P(destructors_that_ask, leave_no_entity_that_ends_in_a_kept_query) {
  w.entity("Tag"), w.entity("Likes"), w.entity("Fruit");
  const auto q =
      w.query_builder<>().expr("!Tag, !Witness, ?(Likes, $x), !Fruit($x)").cached().build();
  const auto count = [&] { return static_cast<int>(q.count()); };
  const kith::entity e = w.entity();
  const int before = count();
  e.set(Witness([&] { seen = count(); }));
  EXPECT_EQ(count(), before - 1);
  e.destruct();
  EXPECT_NE(seen, -1);
  EXPECT_EQ(count(), before - 1);
}

TEST_P(destructors_that_ask, find_that_instances_have_lost_what_their_base_lost) {
  w.component<Witness>().add(kith::Inheritable).add(kith::OnInstantiate, kith::Inherit);
  const kith::entity base = w.entity("base"), instance = w.entity("instance").is_a(base);
  base.set(Witness([&] { seen = instance.has<Witness>(); }));
  EXPECT_TRUE(instance.has<Witness>());
  base.remove<Witness>();
  EXPECT_EQ(seen, 0);
  EXPECT_FALSE(instance.has<Witness>());

  seen = -1;
  base.set(Witness([&] { seen = instance.has<Witness>(); }));
  EXPECT_TRUE(instance.has<Witness>());
  base.clear();
  EXPECT_EQ(seen, 0);

  seen = -1;
  base.set(Witness([&] { seen = instance.has<Witness>(); }));
  EXPECT_TRUE(instance.has<Witness>());
  w.remove_all<Witness>();
  EXPECT_EQ(seen, 0);

  seen = -1;
  base.set(Witness([&] { seen = instance.has<Witness>(); }));
  EXPECT_TRUE(instance.has<Witness>());
  base.destruct();
  EXPECT_EQ(seen, 0);
  EXPECT_FALSE(instance.has<Witness>());
}

TEST_P(destructors_that_ask, find_that_instances_have_lost_a_type_that_ends) {
  w.component<Witness>().add(kith::Inheritable).add(kith::OnInstantiate, kith::Inherit);
  const kith::entity base = w.entity("base"), instance = w.entity("instance").is_a(base);
  const kith::entity type = w.component<Witness>();
  base.set(Witness([&] { seen = !type.is_alive() ? 0 : instance.has(type); }));
  EXPECT_TRUE(instance.has(type));
  type.destruct();
  EXPECT_EQ(seen, 0);
}

}  // namespace
