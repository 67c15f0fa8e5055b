#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

using kith::entity;

// A prefab with a slot, a variant of it, and an instance of the variant.
struct variants {
  explicit variants(const kith::world_options& options = {}) : world(options) {}
  void make() {
    heavy = world.prefab("heavy").is_a(tank);
    one = world.entity("one").is_a(heavy);
  }

  kith::world world;
  entity tank = world.prefab("tank"), gun = world.entity("tank::gun");
  entity heavy, one;
};

TEST(slots, the_slot_of_a_variant_is_the_child_of_the_instance_where_ids_are_overridden) {
  variants v({.instantiate = kith::Override});
  v.gun.slot();
  v.make();
  EXPECT_EQ(v.one.target(v.gun).path(), "one::gun");
  EXPECT_EQ(v.heavy.target(v.gun).path(), "heavy::gun");
}

TEST(slots, the_pair_alone_makes_a_slot) {
  variants v;
  v.gun.add(kith::SlotOf, v.tank);
  v.make();
  EXPECT_EQ(v.one.target(v.gun).path(), "one::gun");
}

TEST(slots, a_fact_makes_a_slot) {
  variants v;
  v.world.define("SlotOf(tank.gun, tank)");
  v.make();
  EXPECT_EQ(v.one.target(v.gun).path(), "one::gun");
}

TEST(slots, an_id_with_two_targets_on_one_entity_is_no_slot) {
  variants v;
  const entity e = v.world.entity().add(v.gun, v.tank).add(v.gun, v.world.entity());
  EXPECT_THROW(v.gun.slot(), kith::error);
  EXPECT_FALSE(v.gun.has(kith::SlotOf, v.tank));
  EXPECT_EQ(e.targets(v.gun).count(), 2u);
}

TEST(slots, an_id_is_no_longer_exclusive_when_it_is_no_slot_any_more) {
  variants v;
  v.gun.slot().remove(kith::SlotOf, v.tank);
  const entity e = v.world.entity().add(v.gun, v.tank).add(v.gun, v.world.entity());
  EXPECT_EQ(e.targets(v.gun).count(), 2u);
}

}  // namespace
