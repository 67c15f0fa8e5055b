// Where relations lead: reaches, reached and reached_by after every kind of change.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class reach_in_any_storage : public any_storage {
 protected:
  void chain(const thing& relation) {
    a->add(relation, b);
    b->add(relation, c);
    c->add(relation, d);
  }

  const thing road = relation("Road"), lane = relation("Lane");
  const thing a = entity("a"), b = entity("b"), c = entity("c"), d = entity("d"), e = entity("e");
};
INSTANTIATE_TEST_SUITE_P(, reach_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(reach_in_any_storage, way_of_many_steps_is_a_way) {
  chain(road);
  EXPECT_TRUE(a->reaches(road, b));
  EXPECT_TRUE(a->reaches(road, d));
  EXPECT_FALSE(d->reaches(road, a));
  EXPECT_FALSE(a->reaches(road, a));
  EXPECT_FALSE(a->reaches(lane, b));
  EXPECT_FALSE(a->reaches(road, e));
}

TEST_P(reach_in_any_storage, nearest_come_first) {
  a->add(road, d);
  a->add(road, b);
  b->add(road, c);
  d->add(road, e);
  c->add(road, e);
  EXPECT_EQ(names(a->reached(road)), "b, d, c, e");
  EXPECT_EQ(names(e->reached_by(road)), "c, d, b, a");
  EXPECT_EQ(names(e->reached(road)), "");
  EXPECT_EQ(names(a->reached_by(road)), "");
}

TEST_P(reach_in_any_storage, cycle_leads_back_to_the_start) {
  chain(road);
  d->add(road, b);
  EXPECT_TRUE(b->reaches(road, b));
  EXPECT_FALSE(a->reaches(road, a));
  EXPECT_EQ(names(b->reached(road)), "c, d, b");
  EXPECT_EQ(names(b->reached_by(road)), "a, d, c, b");
  e->add(road, e);
  EXPECT_EQ(names(e->reached(road)), "e");
  EXPECT_TRUE(e->reaches(road, e));
}

TEST_P(reach_in_any_storage, every_kind_of_change_counts_at_once) {
  chain(road);
  EXPECT_TRUE(a->reaches(road, d));
  b->remove(road, c);
  EXPECT_FALSE(a->reaches(road, d));
  a->add(road, c);
  EXPECT_TRUE(a->reaches(road, d));
  c->disable(road, d);
  EXPECT_FALSE(a->reaches(road, d));
  c->enable(road, d);
  EXPECT_TRUE(a->reaches(road, d));
  c->clear();
  EXPECT_FALSE(a->reaches(road, d));
  c->add(road, d);
  c->destruct();
  EXPECT_FALSE(a->reaches(road, d));
  EXPECT_EQ(names(a->reached(road)), "b");
}

TEST_P(reach_in_any_storage, kinds_of_the_relation_lead_too) {
  a->add(lane, b);
  b->add(road, c);
  EXPECT_FALSE(a->reaches(road, c));
  lane->is_a(road);
  EXPECT_TRUE(a->reaches(road, c));
  EXPECT_FALSE(a->reaches(lane, c));
  EXPECT_EQ(names(c->reached_by(road)), "b, a");
  lane->remove(kith::IsA, road);
  EXPECT_FALSE(a->reaches(road, c));
}

TEST_P(reach_in_any_storage, inherited_pairs_lead_too) {
  b->add(road, c);
  a->is_a(b);
  EXPECT_TRUE(a->reaches(road, c));
  EXPECT_EQ(names(c->reached_by(road)), "a, b");
  d->add(road, a);
  EXPECT_EQ(names(c->reached_by(road)), "a, b, d");
  road->add(kith::OnInstantiate, kith::DontInherit);
  EXPECT_FALSE(a->reaches(road, c));
  EXPECT_EQ(names(c->reached_by(road)), "b");
}

TEST_P(reach_in_any_storage, transitive_and_reflexive_do_not_matter_for_steps) {
  road->add(kith::Transitive).add(kith::Reflexive);
  chain(road);
  EXPECT_FALSE(a->reaches(road, a));
  EXPECT_EQ(names(a->reached(road)), "b, c, d");
}

TEST_P(reach_in_any_storage, hierarchy_is_a_relation_like_any_other) {
  chain(as_thing(world->entity(kith::ChildOf)));
  EXPECT_TRUE(a->reaches(kith::ChildOf, d));
  EXPECT_EQ(names(d->reached_by(kith::ChildOf)), "d::c, d::c::b, d::c::b::a");
  b->child_of(e);
  EXPECT_FALSE(a->reaches(kith::ChildOf, d));
  EXPECT_TRUE(a->reaches(kith::ChildOf, e));
}

// --- along Exclusive relations, for which labels are kept ----------------------------------------

class forest_in_any_storage : public any_storage {
 protected:
  // Enough questions that labels are worth while.
  void ask_often() {
    for (int i = 0; i < 100; ++i)
      for (const thing& from : {a, b, c, d, e}) from.reaches(on, from);
  }

  const thing on = exclusive("On");
  const thing a = entity("a"), b = entity("b"), c = entity("c"), d = entity("d"), e = entity("e");
};
INSTANTIATE_TEST_SUITE_P(, forest_in_any_storage, ::testing::ValuesIn(every_storage_and_union),
                         storage_name());

TEST_P(forest_in_any_storage, answers_are_the_same_before_and_after_many_questions) {
  a->add(on, b);
  b->add(on, c);
  d->add(on, c);
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(a->reaches(on, c));
    EXPECT_TRUE(a->reaches(on, b));
    EXPECT_TRUE(d->reaches(on, c));
    EXPECT_FALSE(a->reaches(on, d));
    EXPECT_FALSE(c->reaches(on, a));
    EXPECT_FALSE(c->reaches(on, c));
    EXPECT_FALSE(e->reaches(on, c));
    EXPECT_FALSE(c->reaches(on, e));
    EXPECT_EQ(names(c->reached_by(on)), "b, d, a");
    ask_often();
  }
}

TEST_P(forest_in_any_storage, every_kind_of_change_counts_after_many_questions) {
  a->add(on, b);
  b->add(on, c);
  c->add(on, d);
  ask_often();
  EXPECT_TRUE(a->reaches(on, d));
  b->add(on, e);
  EXPECT_FALSE(a->reaches(on, d));
  EXPECT_TRUE(a->reaches(on, e));
  ask_often();
  b->remove(on, e);
  EXPECT_FALSE(a->reaches(on, e));
  b->add(on, c);
  ask_often();
  EXPECT_TRUE(a->reaches(on, d));
  b->disable(on, c);
  EXPECT_FALSE(a->reaches(on, d));
  ask_often();
  b->enable(on, c);
  EXPECT_TRUE(a->reaches(on, d));
  ask_often();
  c->destruct();
  EXPECT_FALSE(a.reaches(on, d));
  EXPECT_EQ(names(d->reached_by(on)), "");
}

TEST_P(forest_in_any_storage, cycle_counts_before_and_after_many_questions) {
  a->add(on, b);
  b->add(on, c);
  c->add(on, b);
  d->add(on, e);
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(b->reaches(on, b));
    EXPECT_TRUE(c->reaches(on, c));
    EXPECT_FALSE(a->reaches(on, a));
    EXPECT_TRUE(a->reaches(on, c));
    EXPECT_FALSE(a->reaches(on, d));
    EXPECT_TRUE(d->reaches(on, e));
    EXPECT_FALSE(d->reaches(on, b));
    ask_often();
  }
  c->add(on, c);
  EXPECT_TRUE(c->reaches(on, c));
  EXPECT_FALSE(b->reaches(on, b));
}

TEST_P(forest_in_any_storage, bases_and_kinds_count_as_soon_as_there_are_any) {
  a->add(on, b);
  b->add(on, c);
  ask_often();
  e->is_a(a);
  EXPECT_TRUE(e->reaches(on, c));
  e->remove(kith::IsA, a);
  ask_often();
  EXPECT_FALSE(e->reaches(on, c));
  const thing above = relation("Above");
  above->is_a(on);
  e->add(above, a);
  EXPECT_TRUE(e->reaches(on, c));
  above->remove(kith::IsA, on);
  EXPECT_FALSE(e->reaches(on, c));
}

TEST_P(forest_in_any_storage, trait_can_come_and_go_between_questions) {
  a->add(on, b);
  ask_often();
  on->remove(kith::Exclusive);
  on->remove(kith::Union);
  a->add(on, c);
  c->add(on, d);
  EXPECT_TRUE(a->reaches(on, b));
  EXPECT_TRUE(a->reaches(on, d));
  a->remove(on, b);
  on->add(kith::Exclusive);
  EXPECT_FALSE(a->reaches(on, b));
  EXPECT_TRUE(a->reaches(on, d));
}

TEST_P(forest_in_any_storage, next_life_of_an_entity_is_not_where_the_last_one_was) {
  a->add(on, b);
  b->add(on, c);
  ask_often();
  EXPECT_TRUE(a->reaches(on, c));
  c->destruct();
  const thing next = entity("next");
  ASSERT_EQ(kith::core::index_of(next.id()), kith::core::index_of(c.id()));
  EXPECT_FALSE(a->reaches(on, next));
  EXPECT_TRUE(a->reaches(on, b));
}

}  // namespace
