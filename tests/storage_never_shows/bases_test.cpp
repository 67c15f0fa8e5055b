// Several bases, long chains and cycles of bases, and the order in which they are searched.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class bases_in_any_storage : public any_storage {
 protected:
  const thing number = component<Number>(), eats = component<Eats>(), likes = relation("Likes"),
              npc = tag("Npc");
  const thing a = entity("a"), b = entity("b"), c = entity("c"), d = entity("d"), e = entity("e");
};
INSTANTIATE_TEST_SUITE_P(, bases_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(bases_in_any_storage, base_with_the_lowest_id_comes_first) {
  b->set(Number{2});
  a->set(Number{1});
  e->is_a(b);
  EXPECT_EQ(e->get<Number>()->n, 2);
  e->is_a(a);
  EXPECT_EQ(e->get<Number>()->n, 1);
  EXPECT_EQ(names(e->targets(kith::IsA)), "a, b");
  a->remove<Number>();
  EXPECT_EQ(e->get<Number>()->n, 2);
}

TEST_P(bases_in_any_storage, bases_are_searched_depth_first) {
  d->set(Number{4});
  a->is_a(d);
  b->set(Number{2});
  e->is_a(a);
  e->is_a(b);
  EXPECT_EQ(e->get<Number>()->n, 4);
  a->set(Number{1});
  EXPECT_EQ(e->get<Number>()->n, 1);
  a->remove(kith::IsA, d);
  a->remove<Number>();
  EXPECT_EQ(e->get<Number>()->n, 2);
}

TEST_P(bases_in_any_storage, all_bases_add_to_what_is_seen) {
  a->add(npc);
  b->add(likes, c);
  b->add(likes, d);
  a->add(likes, d);
  e->is_a(a);
  e->is_a(b);
  EXPECT_TRUE(e->has(npc));
  EXPECT_EQ(names(e->targets(likes)), "c, d");
}

TEST_P(bases_in_any_storage, diamond_shows_its_top_once) {
  a->set(Number{1}).add(likes, d);
  b->is_a(a);
  c->is_a(a);
  e->is_a(b);
  e->is_a(c);
  EXPECT_EQ(e->get<Number>()->n, 1);
  EXPECT_EQ(names(e->targets(likes)), "d");
  EXPECT_EQ(names(e->reached(kith::IsA)), "b, c, a");
  c->set(Number{3});
  EXPECT_EQ(e->get<Number>()->n, 1);
  b->remove(kith::IsA, a);
  EXPECT_EQ(e->get<Number>()->n, 3);
}

TEST_P(bases_in_any_storage, cycle_of_kinds_ends) {
  a->is_a(b);
  b->is_a(c);
  c->is_a(a);
  EXPECT_FALSE(a->has<Number>());
  EXPECT_FALSE(a->has(kith::Wildcard, d));
  c->set(Number{3});
  b->add(likes, d);
  for (const thing& each : {a, b, c}) {
    EXPECT_EQ(each->get<Number>()->n, 3);
    EXPECT_EQ(names(each->targets(likes)), "d");
    EXPECT_TRUE(each->related(kith::IsA, each));
  }
  a->add<Number>();
  EXPECT_EQ(a->get<Number>()->n, 3);
  a->set(Number{1});
  EXPECT_EQ(b->get<Number>()->n, 3);
  c->remove<Number>();
  EXPECT_EQ(b->get<Number>()->n, 1);
  EXPECT_EQ(names(a->reached(kith::IsA)), "b, c, a");
}

TEST_P(bases_in_any_storage, who_is_on_a_cycle_comes_first_for_itself_and_in_its_place_for_others) {
  c->set(Number{3});
  d->set(Number{4});
  b->is_a(a);
  b->is_a(d);
  a->is_a(b);
  a->is_a(c);
  e->is_a(b);
  e->is_a(c);
  EXPECT_EQ(a->get<Number>()->n, 4);  // a, b, d
  EXPECT_EQ(e->get<Number>()->n, 3);  // e, b, a, c
  EXPECT_EQ(a->get<Number>()->n, 4);
}

TEST_P(bases_in_any_storage, entity_can_be_a_kind_of_itself) {
  a->is_a(a);
  EXPECT_FALSE(a->has<Number>());
  a->set(Number{1});
  EXPECT_EQ(a->get<Number>()->n, 1);
  EXPECT_TRUE(a->related(kith::IsA, a));
  a->disable<Number>();
  EXPECT_FALSE(a->has<Number>());
  a->destruct();
  EXPECT_FALSE(a.is_alive());
}

// --- Exclusive -----------------------------------------------------------------------------------

class exclusive_bases_in_any_storage : public bases_in_any_storage {
 protected:
  const thing at = exclusive("At");
  const thing home = entity("home"), work = entity("work"), shop = entity("shop");
};
INSTANTIATE_TEST_SUITE_P(, exclusive_bases_in_any_storage,
                         ::testing::ValuesIn(every_storage_and_union), storage_name());

TEST_P(exclusive_bases_in_any_storage, only_the_target_of_the_first_owner_is_seen) {
  a->add(at, home);
  b->is_a(a);
  EXPECT_EQ(b->target(at), home);
  b->add(at, work);
  EXPECT_EQ(names(b->targets(at)), "work");
  EXPECT_FALSE(b->has(at, home));
  c->is_a(b);
  EXPECT_EQ(names(c->targets(at)), "work");
  EXPECT_FALSE(c->has(at, home));
  EXPECT_TRUE(c->has(kith::Wildcard, work));
  EXPECT_FALSE(c->has(kith::Wildcard, home));
  EXPECT_FALSE(c->related(at, home));
  b->remove(at, work);
  EXPECT_EQ(names(c->targets(at)), "home");
}

TEST_P(exclusive_bases_in_any_storage, first_owner_is_found_depth_first) {
  d->add(at, shop);
  a->is_a(d);
  b->add(at, work);
  e->is_a(a);
  e->is_a(b);
  EXPECT_EQ(names(e->targets(at)), "shop");
  EXPECT_FALSE(e->has(at, work));
  d->remove(at, shop);
  EXPECT_EQ(names(e->targets(at)), "work");
}

TEST_P(exclusive_bases_in_any_storage, value_is_that_of_the_first_owner) {
  if (GetParam() == storage::union_) eats->remove(kith::DontFragment);
  eats->add(GetParam() == storage::union_ ? kith::Union : kith::Exclusive);
  a->set<Eats>(home, {1});
  b->is_a(a);
  EXPECT_EQ(b->get<Eats>(home)->n, 1);
  b->set<Eats>(work, {2});
  EXPECT_EQ(b->get<Eats>(home), nullptr);
  EXPECT_EQ(b->get<Eats>(work)->n, 2);
  b->add<Eats>(home);
  EXPECT_EQ(line_of(b), "b: (IsA, a), (Eats, home)=0");
}

TEST_P(exclusive_bases_in_any_storage, owner_that_is_switched_off_hides_the_rest) {
  a->add(at, home);
  b->is_a(a);
  b->add(at, work);
  c->is_a(b);
  b->disable(at, work);
  EXPECT_FALSE(b->target(at));
  EXPECT_FALSE(c->target(at));
  EXPECT_FALSE(c->has(at, kith::Wildcard));
  EXPECT_FALSE(b->has(at, home));
  b->enable(at, work);
  EXPECT_EQ(c->target(at), work);
}

TEST_P(exclusive_bases_in_any_storage, late_trait_narrows_what_is_seen) {
  a->add(likes, home);
  b->is_a(a);
  b->add(likes, work);
  EXPECT_EQ(names(b->targets(likes)), "home, work");
  likes->add(kith::Exclusive);
  EXPECT_EQ(names(b->targets(likes)), "work");
  likes->remove(kith::Exclusive);
  EXPECT_EQ(names(b->targets(likes)), "home, work");
}

// --- on and off ----------------------------------------------------------------------------------

TEST_P(bases_in_any_storage, what_is_off_on_the_entity_hides_what_is_inherited) {
  a->set(Number{1}).add(likes, c);
  b->is_a(a);
  b->set(Number{2}).add(likes, c);
  b->disable<Number>();
  b->disable(likes, c);
  EXPECT_FALSE(b->has<Number>());
  EXPECT_EQ(b->get<Number>(), nullptr);
  EXPECT_EQ(b->get_mut<Number>()->n, 2);
  EXPECT_FALSE(b->has(likes, c));
  EXPECT_FALSE(b->has(likes, kith::Wildcard));
  EXPECT_EQ(names(b->targets(likes)), "");
  d->is_a(b);
  EXPECT_FALSE(d->has<Number>());
  EXPECT_FALSE(d->target(likes));
  b->enable<Number>();
  EXPECT_EQ(d->get<Number>()->n, 2);
  b->remove<Number>();
  EXPECT_EQ(d->get<Number>()->n, 1);
}

TEST_P(bases_in_any_storage, what_is_off_on_one_base_is_seen_through_another) {
  a->set(Number{1});
  b->is_a(a);
  b->set(Number{2});
  b->disable<Number>();
  c->is_a(a);
  e->is_a(b);
  EXPECT_FALSE(e->has<Number>());
  e->is_a(c);
  EXPECT_EQ(e->get<Number>()->n, 1);
}

TEST_P(bases_in_any_storage, base_that_is_switched_off_shows_nothing) {
  a->set(Number{1}).add(likes, c);
  b->is_a(a);
  d->is_a(b);
  b->disable(kith::IsA, a);
  EXPECT_FALSE(b->has<Number>());
  EXPECT_FALSE(d->has(likes, c));
  EXPECT_FALSE(d->related(kith::IsA, a));
  b->enable(kith::IsA, a);
  EXPECT_TRUE(d->has(likes, c));
}

// --- world options -------------------------------------------------------------------------------

class overriding_world_in_any_storage : public any_storage {
 protected:
  overriding_world_in_any_storage() : any_storage({.instantiate = kith::Override}) {}
};
INSTANTIATE_TEST_SUITE_P(, overriding_world_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// C37
TEST_P(overriding_world_in_any_storage, kinds_get_copies_of_all_but_what_says_otherwise) {
  component<Number>();
  component<Other>()->add(kith::OnInstantiate, kith::Inherit);
  component<Eats>()->add(kith::OnInstantiate, kith::DontInherit);
  const thing likes = relation("Likes"), npc = tag("Npc"), base = entity("base"),
              kind = entity("kind"), ann = entity("ann");
  base->set(Number{1}).set(Other{2}).set(Eats{3}).add(npc).add(likes, ann).child_of(ann);
  kind->is_a(base);
  EXPECT_EQ(line_of(kind), "kind: Number=1, Npc, (IsA, ann::base), (Likes, ann)");
  EXPECT_EQ(kind->get<Other>()->n, 2);
  EXPECT_FALSE(kind->has<Eats>());
  base->set(Number{5});
  EXPECT_EQ(kind->get<Number>()->n, 1);
}

class guarded_world_in_any_storage : public any_storage {
 protected:
  guarded_world_in_any_storage() : any_storage({.instantiate = kith::DontInherit}) {}
};
INSTANTIATE_TEST_SUITE_P(, guarded_world_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(guarded_world_in_any_storage, kinds_see_nothing_but_what_says_otherwise) {
  component<Number>();
  component<Other>()->add(kith::OnInstantiate, kith::Inherit);
  component<Eats>()->add(kith::OnInstantiate, kith::Override);
  const thing likes = relation("Likes"), npc = tag("Npc"), base = entity("base"),
              kind = entity("kind"), ann = entity("ann");
  base->set(Number{1}).set(Other{2}).set(Eats{3}).add(npc).add(likes, ann);
  kind->is_a(base);
  EXPECT_EQ(line_of(kind), "kind: Eats=3, (IsA, base)");
  EXPECT_FALSE(kind->has<Number>());
  EXPECT_FALSE(kind->has(npc));
  EXPECT_FALSE(kind->has(likes, kith::Wildcard));
  EXPECT_FALSE(kind->target(likes));
  EXPECT_EQ(kind->get<Other>()->n, 2);
}

}  // namespace
