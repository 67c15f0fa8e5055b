// Prefabs: the children that an instance gets, and instances of instances.
#include <algorithm>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class prefabs_in_any_storage : public any_storage {
 protected:
  prefabs_in_any_storage() { keep(world->entity(kith::SlotOf)); }

  // tank, with turret and, in it, gun; and track.
  void make_tank() {
    tank->set(Number{1});
    turret = entity("tank::turret");
    turret->set(Number{2});
    gun = entity("tank::turret::gun");
    gun->set(Number{3}).add(likes, tank);
    track = entity("tank::track");
  }
  // All below an entity: `turret(gun), track`, by name.
  std::string below(kith::entity e) {
    std::string text;
    std::vector<std::string> parts;
    for (kith::entity child : e.children()) {
      const std::string inner = below(child);
      parts.push_back(std::string(child.name()) + (inner.empty() ? "" : "(" + inner + ")"));
    }
    std::sort(parts.begin(), parts.end());
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
  }

  const thing number = component<Number>(), likes = relation("Likes"), npc = tag("Npc");
  const thing tank = prefab("tank"), mine = entity("mine");
  thing turret, gun, track;
};
INSTANTIATE_TEST_SUITE_P(, prefabs_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// M5
TEST_P(prefabs_in_any_storage, child_of_a_prefab_is_one) {
  make_tank();
  EXPECT_TRUE(turret->has(kith::Prefab));
  EXPECT_TRUE(gun->has(kith::Prefab));
  const thing late = entity("late"), inner = entity("late::inner");
  EXPECT_FALSE(late->has(kith::Prefab));
  late->child_of(tank);
  EXPECT_TRUE(late->has(kith::Prefab));
  EXPECT_TRUE(inner->has(kith::Prefab));
}

TEST_P(prefabs_in_any_storage, descendants_become_prefabs_with_the_root) {
  const thing root = entity("root"), child = entity("root::child"),
              grandchild = entity("root::child::grandchild");
  root->add(kith::Prefab);
  EXPECT_TRUE(child->has(kith::Prefab));
  EXPECT_TRUE(grandchild->has(kith::Prefab));
  expect_refused(kith::errc::constraint, {"root::child"}, [&] { child->remove(kith::Prefab); });
  child->remove(kith::ChildOf, root);
  child->remove(kith::Prefab);
  EXPECT_FALSE(child->has(kith::Prefab));
}

// R78 M5 Q155
TEST_P(prefabs_in_any_storage, instance_gets_a_counterpart_of_every_descendant) {
  make_tank();
  mine->is_a(tank);
  EXPECT_EQ(below(mine), "track, turret(gun)");
  const thing my_gun = as_thing(world->lookup("mine::turret::gun"));
  ASSERT_TRUE(my_gun);
  EXPECT_NE(my_gun, gun);
  EXPECT_EQ(line_of(my_gun),
            "mine::turret::gun: (ChildOf, mine::turret), (IsA, tank::turret::gun)");
  EXPECT_EQ(my_gun->get<Number>()->n, 3);
  EXPECT_TRUE(my_gun->has(likes, tank));
  EXPECT_FALSE(my_gun->has(kith::Prefab));
  EXPECT_FALSE(mine->has(kith::Prefab));
  EXPECT_EQ(below(tank), "track, turret(gun)");
  EXPECT_EQ(mine->get<Number>()->n, 1);
}

TEST_P(prefabs_in_any_storage, counterparts_see_later_changes_and_get_no_later_children) {
  make_tank();
  mine->is_a(tank);
  gun->set(Number{9});
  entity("tank::radio");
  EXPECT_EQ(as_thing(world->lookup("mine::turret::gun"))->get<Number>()->n, 9);
  EXPECT_EQ(below(mine), "track, turret(gun)");
  const thing yours = entity("yours");
  yours->is_a(tank);
  EXPECT_EQ(below(yours), "radio, track, turret(gun)");
}

TEST_P(prefabs_in_any_storage, overridden_ids_of_descendants_are_copied) {
  number->add(kith::OnInstantiate, kith::Override);
  make_tank();
  mine->is_a(tank);
  const thing my_gun = as_thing(world->lookup("mine::turret::gun"));
  EXPECT_EQ(my_gun->get_mut<Number>()->n, 3);
  EXPECT_TRUE(mine->owns<Number>());
  gun->set(Number{9});
  EXPECT_EQ(my_gun->get<Number>()->n, 3);
}

TEST_P(prefabs_in_any_storage, instances_are_independent_of_each_other) {
  make_tank();
  const thing yours = entity("yours");
  mine->is_a(tank);
  yours->is_a(tank);
  as_thing(world->lookup("mine::turret"))->set(Number{8});
  EXPECT_EQ(as_thing(world->lookup("yours::turret"))->get<Number>()->n, 2);
  mine->destruct();
  EXPECT_EQ(below(yours), "track, turret(gun)");
  EXPECT_EQ(below(tank), "track, turret(gun)");
}

TEST_P(prefabs_in_any_storage, nameless_descendants_are_made_nameless) {
  const thing part = entity(), inner = entity();
  part->child_of(tank);
  inner->child_of(part);
  inner->set(Number{5});
  mine->is_a(tank);
  std::vector<kith::entity> found;
  for (kith::entity child : mine->children()) found.push_back(child);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].name().empty());
  EXPECT_EQ(as_thing(found[0])->target(kith::IsA), part);
  for (kith::entity child : found[0].children()) EXPECT_EQ(child.get<Number>()->n, 5);
}

TEST_P(prefabs_in_any_storage, children_of_a_base_that_is_no_prefab_are_not_made) {
  const thing base = entity("base");
  entity("base::part");
  mine->is_a(base);
  EXPECT_EQ(below(mine), "");
}

TEST_P(prefabs_in_any_storage, variant_is_a_prefab_with_parts_of_its_own) {
  make_tank();
  const thing big = prefab("big");
  big->is_a(tank);
  EXPECT_EQ(below(big), "track, turret(gun)");
  const thing big_gun = as_thing(world->lookup("big::turret::gun"));
  EXPECT_TRUE(big_gun->has(kith::Prefab));
  big_gun->set(Number{30});
  entity("big::radio");
  mine->is_a(big);
  EXPECT_EQ(below(mine), "radio, track, turret(gun)");
  const thing my_gun = as_thing(world->lookup("mine::turret::gun"));
  EXPECT_EQ(my_gun->target(kith::IsA), big_gun);
  EXPECT_EQ(my_gun->get<Number>()->n, 30);
  EXPECT_TRUE(my_gun->related(kith::IsA, gun));
  EXPECT_EQ(as_thing(world->lookup("mine::turret"))->get<Number>()->n, 2);
}

TEST_P(prefabs_in_any_storage, prefab_in_a_prefab_is_made_with_its_parts) {
  make_tank();
  const thing squad = prefab("squad"), first = entity("squad::first"),
              second = entity("squad::second");
  first->is_a(tank);
  second->is_a(tank);
  EXPECT_TRUE(as_thing(world->lookup("squad::first::turret"))->has(kith::Prefab));
  mine->is_a(squad);
  EXPECT_EQ(below(mine), "first(track, turret(gun)), second(track, turret(gun))");
  const thing my_gun = as_thing(world->lookup("mine::second::turret::gun"));
  EXPECT_EQ(my_gun->get<Number>()->n, 3);
  EXPECT_EQ(my_gun->target(kith::IsA), world->lookup("squad::second::turret::gun"));
  EXPECT_FALSE(my_gun->has(kith::Prefab));
}

TEST_P(prefabs_in_any_storage, kind_of_an_instance_gets_no_parts) {
  make_tank();
  mine->is_a(tank);
  const thing copy = entity("copy");
  copy->is_a(mine);
  EXPECT_EQ(below(copy), "");
  EXPECT_EQ(copy->get<Number>()->n, 1);
}

TEST_P(prefabs_in_any_storage, instance_in_a_prefab_is_a_prefab) {
  make_tank();
  mine->child_of(prefab("army"));
  mine->is_a(tank);
  EXPECT_TRUE(as_thing(world->lookup("army::mine::turret::gun"))->has(kith::Prefab));
}

TEST_P(prefabs_in_any_storage, part_can_be_a_kind_of_the_whole) {
  make_tank();
  track->is_a(tank);
  EXPECT_EQ(below(tank), "track(track, turret(gun)), turret(gun)");
  mine->is_a(tank);
  EXPECT_EQ(below(mine), "track(track, turret(gun)), turret(gun)");
}

TEST_P(prefabs_in_any_storage, two_prefabs_give_the_parts_of_both) {
  make_tank();
  const thing boat = prefab("boat");
  entity("boat::sail");
  mine->is_a(tank);
  mine->is_a(boat);
  EXPECT_EQ(below(mine), "sail, track, turret(gun)");
}

TEST_P(prefabs_in_any_storage, relation_that_brings_isa_along_makes_the_parts_too) {
  make_tank();
  const thing made_of = relation("MadeOf");
  made_of->add(kith::With, kith::IsA);
  mine->add(made_of, tank);
  EXPECT_EQ(below(mine), "track, turret(gun)");
}

TEST_P(prefabs_in_any_storage, parts_come_in_the_order_of_the_prefab) {
  tank->add(kith::OrderedChildren);
  for (const char* name : {"tank::c", "tank::a", "tank::b"}) entity(name);
  mine->add(kith::OrderedChildren);
  mine->is_a(tank);
  EXPECT_EQ(names(mine->children()), "mine::c, mine::a, mine::b");
}

TEST_P(prefabs_in_any_storage, clearing_a_part_of_a_prefab_takes_it_out) {
  make_tank();
  track->clear();
  EXPECT_EQ(line_of(track), "track:");
  EXPECT_EQ(below(tank), "turret(gun)");
}

TEST_P(prefabs_in_any_storage, all_prefabs_can_be_freed_at_once) {
  const thing early = prefab("early"), parent = prefab("parent");
  early->child_of(parent);
  make_tank();
  world->remove_all(kith::Prefab);
  EXPECT_EQ(world->count(kith::Prefab), 0u);
  EXPECT_EQ(below(parent), "early");
}

TEST_P(prefabs_in_any_storage, deep_prefab_is_made_whole) {
  thing at = tank;
  for (int i = 0; i < 500; ++i) {
    const thing next = as_thing(world->entity());
    next.child_of(at);
    next.set(Number{i});
    at = next;
  }
  mine->is_a(tank);
  kith::entity copy = mine;
  for (int i = 0; i < 500; ++i) {
    kith::entity next;
    for (kith::entity child : copy.children()) next = child;
    ASSERT_TRUE(next) << i;
    copy = next;
    ASSERT_EQ(copy.get<Number>()->n, i);
  }
  EXPECT_EQ(copy.target(kith::IsA), at);
}

}  // namespace
