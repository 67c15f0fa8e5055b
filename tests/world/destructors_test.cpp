// Destructors that create entities while their own entity ends.
#include <algorithm>
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

}  // namespace
