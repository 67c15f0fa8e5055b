// The ids and values that an entity inherits from its bases.
#include <algorithm>
#include <vector>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class inheritance_in_any_storage : public any_storage {
 protected:
  const thing number = component<Number>(), other = component<Other>(), eats = component<Eats>();
  const thing likes = relation("Likes"), npc = tag("Npc");
  const thing base = entity("base"), kind = entity("kind"), mid = entity("mid");
  const thing ann = entity("ann"), bob = entity("bob"), cyd = entity("cyd");
};
INSTANTIATE_TEST_SUITE_P(, inheritance_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// R72 C37
TEST_P(inheritance_in_any_storage, components_tags_and_relations_are_seen_and_not_owned) {
  base->set(Number{1});
  base->add(npc);
  base->add(likes, ann);
  base->set<Eats>(bob, {2});
  kind->is_a(base);
  EXPECT_EQ(kind->get<Number>()->n, 1);
  EXPECT_EQ(kind.get<Number>(), base.get<Number>());
  EXPECT_TRUE(kind->has<Number>());
  EXPECT_TRUE(kind->has(npc));
  EXPECT_TRUE(kind->has(likes, ann));
  EXPECT_EQ(kind->get<Eats>(bob)->n, 2);
  EXPECT_EQ(kind->target(likes), ann);
  EXPECT_EQ(names(kind->targets(eats)), "bob");
  EXPECT_FALSE(kind->owns<Number>());
  EXPECT_FALSE(kind->owns(likes, ann));
  EXPECT_FALSE(kind->owns(likes, kith::Wildcard));
  EXPECT_EQ(kind->get_mut<Number>(), nullptr);
  EXPECT_EQ(line_of(kind), "kind: (IsA, base)");
  EXPECT_EQ(world->count<Number>(), 1u);
  EXPECT_FALSE(base->has(kith::IsA, kind));
}

// R69
TEST_P(inheritance_in_any_storage, base_does_not_see_its_kinds) {
  kind->is_a(base);
  kind->set(Number{1});
  kind->add(likes, ann);
  EXPECT_EQ(base->get<Number>(), nullptr);
  EXPECT_FALSE(base->has(likes, kith::Wildcard));
}

// R74 C37
TEST_P(inheritance_in_any_storage, changes_of_the_base_are_seen_at_once) {
  kind->is_a(base);
  EXPECT_FALSE(kind->has<Number>());
  EXPECT_FALSE(kind->has(likes, ann));
  base->set(Number{1});
  EXPECT_EQ(kind->get<Number>()->n, 1);
  base->set(Number{2});
  EXPECT_EQ(kind->get<Number>()->n, 2);
  base->add(likes, ann);
  EXPECT_TRUE(kind->has(likes, ann));
  base->remove(likes, ann);
  EXPECT_FALSE(kind->has(likes, ann));
  base->remove<Number>();
  EXPECT_EQ(kind->get<Number>(), nullptr);
  base->add(npc);
  EXPECT_TRUE(kind->has(npc));
  base->clear();
  EXPECT_FALSE(kind->has(npc));
}

TEST_P(inheritance_in_any_storage, what_was_asked_before_is_answered_anew_after_any_change) {
  const thing same = entity("same");
  kind->is_a(base);
  same->is_a(base);
  base->is_a(mid);
  const auto expect = [&](int value, bool named) {
    for (int again = 0; again < 3; ++again)
      for (const thing& one : {kind, same}) {
        const Number* found = one->get<Number>();
        EXPECT_EQ(found ? found->n : 0, value);
        EXPECT_EQ(one->has<Number>(), value != 0);
        EXPECT_EQ(one->has(npc), named);
        EXPECT_EQ(one->has(likes, ann), named);
      }
  };
  expect(0, false);
  mid->set(Number{1});
  expect(1, false);
  base->set(Number{2});
  base->add(npc);
  base->add(likes, ann);
  expect(2, true);
  // Its row moves, and then the column.
  base->set(Other{});
  expect(2, true);
  for (int i = 0; i < 40; ++i) {
    const thing like_base = entity();
    like_base->is_a(mid).add(npc).add(likes, ann).set(Number{5}).set(Other{});
  }
  expect(2, true);
  npc->add(kith::OnInstantiate, kith::DontInherit);
  likes->add(kith::OnInstantiate, kith::DontInherit);
  expect(2, false);
  npc->add(kith::OnInstantiate, kith::Inherit);
  likes->add(kith::OnInstantiate, kith::Inherit);
  expect(2, true);
  number->add(kith::OnInstantiate, kith::DontInherit);
  expect(0, true);
  number->add(kith::OnInstantiate, kith::Inherit);
  base->remove<Number>();
  expect(1, true);
  kind->set(Number{7});
  EXPECT_EQ(kind->get<Number>()->n, 7);
  EXPECT_EQ(same->get<Number>()->n, 1);
  kind->remove<Number>();
  expect(1, true);
  mid->disable<Number>();
  expect(0, true);
  mid->enable<Number>();
  expect(1, true);
  base->remove(kith::IsA, mid);
  expect(0, true);
  base->destruct();
  expect(0, false);
}

TEST_P(inheritance_in_any_storage, many_bases_are_asked_in_turn) {
  constexpr int count = 1100;
  std::vector<thing> heirs;
  for (int i = 1; i <= count; ++i) {
    const thing one = entity();
    one.set(Number{i});
    heirs.push_back(entity());
    heirs.back().is_a(one);
  }
  for (int again = 0; again < 3; ++again)
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(heirs[static_cast<std::size_t>(i)].get<Number>()->n, i + 1);
      ASSERT_FALSE(heirs[static_cast<std::size_t>(i)].has<Other>());
    }
}

TEST_P(inheritance_in_any_storage, base_that_goes_takes_what_it_showed) {
  base->set(Number{1});
  kind->is_a(base);
  EXPECT_TRUE(kind->has<Number>());
  kind->remove(kith::IsA, base);
  EXPECT_FALSE(kind->has<Number>());
  kind->is_a(base);
  EXPECT_TRUE(kind->has<Number>());
  base->destruct();
  EXPECT_FALSE(kind->has<Number>());
  EXPECT_EQ(line_of(kind), "kind:");
}

TEST_P(inheritance_in_any_storage, wildcards_see_what_is_inherited) {
  base->add(likes, ann);
  base->add(npc);
  kind->is_a(base);
  EXPECT_TRUE(kind->has(likes, kith::Wildcard));
  EXPECT_TRUE(kind->has(kith::Wildcard, ann));
  EXPECT_TRUE(kind->has(kith::Wildcard));
  EXPECT_FALSE(kind->has(kith::Wildcard, bob));
  base->remove(likes, ann);
  EXPECT_FALSE(kind->has(likes, kith::Wildcard));
}

TEST_P(inheritance_in_any_storage, targets_of_all_come_together_in_ascending_order) {
  base->add(likes, cyd);
  base->add(likes, ann);
  mid->is_a(base);
  mid->add(likes, bob);
  kind->is_a(mid);
  kind->add(likes, ann);
  EXPECT_EQ(names(kind->targets(likes)), "ann, bob, cyd");
  EXPECT_EQ(kind->targets(likes).count(), 3u);
  EXPECT_EQ(kind->target(likes, 1), bob);
  EXPECT_EQ(kind->target(likes, 2), cyd);
  EXPECT_FALSE(kind->target(likes, 3));
  std::string seen;
  kind->each(likes, [&](kith::entity whom) { seen += whom.str() + " "; });
  EXPECT_EQ(seen, "ann bob cyd ");
}

TEST_P(inheritance_in_any_storage, type_each_and_match_show_what_is_owned) {
  base->add(likes, ann);
  base->add(npc);
  kind->is_a(base);
  kind->add(likes, bob);
  EXPECT_EQ(kind->type().str(), "(IsA, base), (Likes, bob)");
  std::string seen;
  kind->match(world->pair(likes, kith::Wildcard), [&](kith::id i) { seen += i.str(); });
  EXPECT_EQ(seen, "(Likes, bob)");
}

TEST_P(inheritance_in_any_storage, some_ids_are_about_the_base_itself) {
  const thing parent = entity("parent");
  base->child_of(parent);
  base->disable();
  base->add(kith::Exclusive);
  mid->is_a(base);
  kind->is_a(mid);
  EXPECT_FALSE(kind->parent());
  EXPECT_TRUE(kind->enabled());
  EXPECT_FALSE(kind->has(kith::Exclusive));
  EXPECT_FALSE(kind->has(kith::IsA, base));
  EXPECT_FALSE(mid->has(kith::ChildOf, kith::Wildcard));
}

// --- overriding ----------------------------------------------------------------------------------

// R75 R76
TEST_P(inheritance_in_any_storage, set_overrides_for_that_entity_and_its_kinds_only) {
  base->set(Number{1}).set(Other{2});
  mid->is_a(base);
  kind->is_a(mid);
  bob->is_a(base);
  mid->set(Number{5});
  EXPECT_EQ(base->get<Number>()->n, 1);
  EXPECT_EQ(mid->get<Number>()->n, 5);
  EXPECT_EQ(kind->get<Number>()->n, 5);
  EXPECT_EQ(kind->get<Other>()->n, 2);
  EXPECT_EQ(bob->get<Number>()->n, 1);
}

TEST_P(inheritance_in_any_storage, add_overrides_with_a_copy) {
  base->set(Number{4});
  base->set<Eats>(ann, {5});
  mid->is_a(base);
  kind->is_a(mid);
  kind->add<Number>();
  kind->add<Eats>(ann);
  EXPECT_EQ(line_of(kind), "kind: Number=4, (IsA, mid), (Eats, ann)=5");
  base->set(Number{6});
  EXPECT_EQ(kind->get<Number>()->n, 4);
}

TEST_P(inheritance_in_any_storage, ensure_overrides_with_a_copy) {
  base->set(Number{4});
  base->set<Eats>(ann, {5});
  kind->is_a(base);
  kind->ensure<Number>().n += 1;
  kind->ensure<Eats>(ann).n += 1;
  EXPECT_EQ(kind->get<Number>()->n, 5);
  EXPECT_EQ(kind->get<Eats>(ann)->n, 6);
  EXPECT_EQ(base->get<Number>()->n, 4);
  EXPECT_EQ(base->get<Eats>(ann)->n, 5);
}

TEST_P(inheritance_in_any_storage, removal_shows_the_value_of_the_base_again) {
  base->set(Number{4});
  base->add(likes, ann);
  kind->is_a(base);
  kind->set(Number{5});
  kind->add(likes, ann);
  kind->remove<Number>();
  EXPECT_EQ(kind->get<Number>()->n, 4);
  kind->remove(likes, ann);
  EXPECT_TRUE(kind->has(likes, ann));
  kind->remove<Number>();
  EXPECT_EQ(base->get<Number>()->n, 4);
}

TEST_P(inheritance_in_any_storage, entities_in_one_table_answer_for_themselves) {
  const thing second = entity("second");
  base->set(Number{1});
  second->set(Number{2});
  std::vector<thing> kinds;
  for (int i = 0; i < 12; ++i) {
    kinds.push_back(entity());
    kinds.back()->is_a(i % 2 ? base : second);
    if (i % 3 == 0) kinds.back()->set(Number{i});
    if (i % 4 == 0) kinds.back()->add(npc);
  }
  for (std::size_t i = 0; i < 12; ++i)
    ASSERT_EQ(kinds[i]->get<Number>()->n, i % 3 == 0 ? static_cast<int>(i) : i % 2 ? 1 : 2) << i;
}

TEST_P(inheritance_in_any_storage, answers_are_not_mixed_up_when_tables_come_and_go) {
  const thing second = entity("second"), extra = tag("Extra");
  base->set(Number{1});
  base->add(npc);
  for (int round = 0; round < 6; ++round) {
    const thing one = entity(), two = entity();
    one->is_a(base);
    two->is_a(second);
    EXPECT_TRUE(one->has(npc));
    EXPECT_EQ(one->get<Number>()->n, 1);
    EXPECT_FALSE(two->has(npc));
    one->destruct();
    world->delete_empty_tables();
    two->add(extra);
    EXPECT_FALSE(two->has(npc)) << round;
    EXPECT_EQ(two->get<Number>(), nullptr) << round;
    two->add(likes, ann);
    EXPECT_FALSE(two->has(npc)) << round;
    world->remove_all(extra);
    world->delete_empty_tables();
  }
}

// --- OnInstantiate -------------------------------------------------------------------------------

// C37
TEST_P(inheritance_in_any_storage, overridden_ids_are_copied_when_the_kind_becomes_one) {
  number->add(kith::OnInstantiate, kith::Override);
  npc->add(kith::OnInstantiate, kith::Override);
  eats->add(kith::OnInstantiate, kith::Override);
  base->set(Number{1}).set(Other{2}).add(npc).set<Eats>(ann, {3}).set<Eats>(bob, {4});
  kind->is_a(base);
  EXPECT_EQ(line_of(kind), "kind: Number=1, Npc, (IsA, base), (Eats, ann)=3, (Eats, bob)=4");
  base->set(Number{5}).set(Other{6});
  EXPECT_EQ(kind->get<Number>()->n, 1);
  EXPECT_EQ(kind->get<Other>()->n, 6);
}

TEST_P(inheritance_in_any_storage, override_copies_what_the_base_itself_inherits) {
  base->set(Number{1});
  mid->is_a(base);
  number->add(kith::OnInstantiate, kith::Override);
  kind->is_a(mid);
  EXPECT_EQ(line_of(kind), "kind: Number=1, (IsA, mid)");
}

TEST_P(inheritance_in_any_storage, override_leaves_what_the_kind_owns) {
  number->add(kith::OnInstantiate, kith::Override);
  base->set(Number{1});
  kind->set(Number{2});
  kind->is_a(base);
  EXPECT_EQ(kind->get<Number>()->n, 2);
}

TEST_P(inheritance_in_any_storage, override_affects_later_changes_only) {
  base->set(Number{1});
  kind->is_a(base);
  number->add(kith::OnInstantiate, kith::Override);
  EXPECT_FALSE(kind->owns<Number>());
  EXPECT_EQ(kind->get<Number>()->n, 1);
  mid->is_a(base);
  EXPECT_TRUE(mid->owns<Number>());
  number->remove(kith::OnInstantiate, kith::Override);
  EXPECT_TRUE(mid->owns<Number>());
  bob->is_a(base);
  EXPECT_FALSE(bob->owns<Number>());
}

// C37
TEST_P(inheritance_in_any_storage, ids_that_are_not_inherited_are_not_seen) {
  number->add(kith::OnInstantiate, kith::DontInherit);
  likes->add(kith::OnInstantiate, kith::DontInherit);
  base->set(Number{1}).set(Other{2}).add(likes, ann);
  kind->is_a(base);
  EXPECT_FALSE(kind->has<Number>());
  EXPECT_EQ(kind->get<Number>(), nullptr);
  EXPECT_TRUE(kind->has<Other>());
  EXPECT_FALSE(kind->has(likes, ann));
  EXPECT_FALSE(kind->has(likes, kith::Wildcard));
  EXPECT_FALSE(kind->target(likes));
  EXPECT_FALSE(kind->has(kith::Wildcard, ann));
  kind->add<Number>();
  EXPECT_EQ(kind->get<Number>()->n, 0);
}

TEST_P(inheritance_in_any_storage, one_policy_takes_the_place_of_another) {
  number->add(kith::OnInstantiate, kith::DontInherit);
  number->add(kith::OnInstantiate, kith::Override);
  EXPECT_EQ(number->target(kith::OnInstantiate), world->entity(kith::Override));
  base->set(Number{1});
  kind->is_a(base);
  EXPECT_TRUE(kind->owns<Number>());
  EXPECT_THROW(number->add(kith::OnInstantiate, kith::Exclusive), kith::error);
}

}  // namespace
