// Slots of prefabs, and instantiation as all or nothing.
#include <memory>
#include <stdexcept>
#include <string>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

// Copies may be forbidden, by count.
struct Brittle {
  Brittle() { ++living; }
  Brittle(const Brittle& other) : text(other.text) {
    if (copies_left-- == 0) throw std::runtime_error("no more copies");
    ++living;
  }
  Brittle(Brittle&& other) noexcept : text(std::move(other.text)) { ++living; }
  Brittle& operator=(const Brittle&) = default;
  Brittle& operator=(Brittle&&) noexcept = default;
  ~Brittle() { --living; }

  std::string text = "a text that is long enough to be on the heap";
  static inline int copies_left = -1;
  static inline int living = 0;
};
struct Unique {
  std::unique_ptr<int> p = std::make_unique<int>(1);
};

class slots_in_any_storage : public any_storage {
 protected:
  slots_in_any_storage() { keep(world->entity(kith::SlotOf)); }
  ~slots_in_any_storage() override { Brittle::copies_left = -1; }

  kith::entity find(std::string_view path) { return world->lookup(path); }

  const thing number = component<Number>(), npc = tag("Npc");
  const thing tank = prefab("tank"), turret = entity("tank::turret"),
              gun = entity("tank::turret::gun"), mine = entity("mine");
};
INSTANTIATE_TEST_SUITE_P(, slots_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(slots_in_any_storage, instance_finds_its_own_part) {
  turret->slot();
  mine->is_a(tank);
  EXPECT_EQ(mine->target(turret), find("mine::turret"));
  EXPECT_FALSE(mine->target(turret, 1));
  const thing yours = entity("yours");
  yours->is_a(tank);
  EXPECT_EQ(yours->target(turret), find("yours::turret"));
  EXPECT_EQ(mine->target(turret), find("mine::turret"));
}

TEST_P(slots_in_any_storage, deep_part_can_be_a_slot_of_the_whole) {
  gun->slot_of(tank);
  mine->is_a(tank);
  EXPECT_EQ(mine->target(gun), find("mine::turret::gun"));
  EXPECT_FALSE(as_thing(find("mine::turret"))->target(gun));
}

TEST_P(slots_in_any_storage, slot_of_a_variant_is_its_own_part) {
  turret->slot();
  const thing big = prefab("big");
  big->is_a(tank);
  EXPECT_EQ(big->target(turret), find("big::turret"));
  mine->is_a(big);
  EXPECT_EQ(mine->target(turret), find("mine::turret"));
}

TEST_P(slots_in_any_storage, slot_goes_with_the_part) {
  turret->slot();
  mine->is_a(tank);
  as_thing(find("mine::turret"))->destruct();
  EXPECT_FALSE(mine->target(turret));
}

// --- all or nothing ------------------------------------------------------------------------------

TEST_P(slots_in_any_storage, name_that_is_taken_refuses_the_whole_instance) {
  entity("mine::turret");
  entity("tank::aerial");
  expect_refused(kith::errc::constraint, {"turret", "mine"}, [&] { mine->is_a(tank); });
  EXPECT_FALSE(mine->has(kith::IsA, kith::Wildcard));
}

TEST_P(slots_in_any_storage, same_prefab_again_changes_nothing) {
  mine->is_a(tank);
  const std::string before = state();
  mine->is_a(tank);
  EXPECT_EQ(state(), before);
}

TEST_P(slots_in_any_storage, two_prefabs_with_parts_of_one_name_exclude_each_other) {
  const thing boat = prefab("boat");
  entity("boat::sail");
  entity("boat::turret");
  mine->is_a(tank);
  expect_refused(kith::errc::constraint, {"turret"}, [&] { mine->is_a(boat); });
}

TEST_P(slots_in_any_storage, copy_that_throws_undoes_the_whole_instance) {
  component<Brittle>()->add(kith::OnInstantiate, kith::Override);
  tank->add<Brittle>();
  turret->add<Brittle>();
  gun->add<Brittle>();
  gun->add<Brittle>(npc);
  const std::string before = state();
  for (int allowed = 0; allowed < 4; ++allowed) {
    Brittle::copies_left = allowed;
    EXPECT_THROW(mine->is_a(tank), std::runtime_error);
    Brittle::copies_left = -1;
    EXPECT_EQ(state(), before);
    EXPECT_EQ(Brittle::living, 4);
  }
  Brittle::copies_left = 4;
  mine->is_a(tank);
  EXPECT_EQ(Brittle::living, 8);
  EXPECT_TRUE(as_thing(find("mine::turret::gun"))->owns<Brittle>(npc));
}

TEST_P(slots_in_any_storage, values_that_cannot_be_copied_refuse_the_whole_instance) {
  component<Unique>()->add(kith::OnInstantiate, kith::Override);
  gun->add<Unique>();
  expect_refused(kith::errc::type, {"Unique"}, [&] { mine->is_a(tank); });
  gun->remove<Unique>();
  mine->is_a(tank);
  EXPECT_TRUE(find("mine::turret::gun"));
}

TEST_P(slots_in_any_storage, values_that_cannot_be_copied_are_shared_and_cannot_be_overridden) {
  component<Unique>();
  gun->add<Unique>();
  mine->is_a(gun);
  EXPECT_EQ(*mine->get<Unique>()->p, 1);
  expect_refused(kith::errc::type, {"Unique"}, [&] { mine->add<Unique>(); });
  expect_refused(kith::errc::type, {"Unique"}, [&] { mine->ensure<Unique>(); });
  mine->set(Unique{std::make_unique<int>(2)});
  EXPECT_EQ(*mine->get<Unique>()->p, 2);
  EXPECT_EQ(*gun->get<Unique>()->p, 1);
}

TEST_P(slots_in_any_storage, copy_that_throws_while_overriding_changes_nothing) {
  component<Brittle>();
  const int before = Brittle::living;
  gun->add<Brittle>();
  mine->is_a(gun);
  Brittle::copies_left = 0;
  EXPECT_THROW(mine->add<Brittle>(), std::runtime_error);
  Brittle::copies_left = 0;
  EXPECT_THROW(mine->ensure<Brittle>(), std::runtime_error);
  EXPECT_FALSE(mine->owns<Brittle>());
  EXPECT_EQ(Brittle::living, before + 1);
}

TEST_P(slots_in_any_storage, final_prefab_makes_no_instances) {
  tank->add(kith::Final);
  expect_refused(kith::errc::constraint, {"tank"}, [&] { mine->is_a(tank); });
}

// --- deferred ------------------------------------------------------------------------------------

TEST_P(slots_in_any_storage, instances_asked_for_while_deferred_are_made_at_the_end) {
  turret->slot();
  const thing yours = entity("yours");
  entity("yours::turret");
  world->defer_begin();
  mine->is_a(tank);
  yours->is_a(tank);
  const thing third = as_thing(world->entity("third"));
  third->is_a(tank);
  EXPECT_FALSE(mine->has(kith::IsA, tank));
  EXPECT_FALSE(find("mine::turret"));
  EXPECT_THROW(world->defer_end(), kith::error);
  EXPECT_EQ(mine->target(turret), find("mine::turret"));
  EXPECT_EQ(third->target(turret), find("third::turret"));
  EXPECT_FALSE(yours->has(kith::IsA, tank));
}

}  // namespace
