// has, get and target give the same answers on entities with few or many ids, with ids that are off
// and with bases.
#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

class questions_in_any_storage : public any_storage {
 protected:
  // Bob has one of everything that is asked for, and Cyd has nothing.
  questions_in_any_storage() {
    bob->set<Number>({3});
    bob->add(strong).add(likes, alice);
  }
  void expect_answers(std::string_view when) {
    SCOPED_TRACE(when);
    EXPECT_TRUE(bob->has<Number>());
    EXPECT_TRUE(bob->has(strong));
    EXPECT_FALSE(bob->has<Other>());
    EXPECT_FALSE(bob->has(weak));
    EXPECT_TRUE(bob->has(likes, alice));
    EXPECT_FALSE(bob->has(likes, cyd));
    EXPECT_FALSE(bob->has(hates, alice));
    EXPECT_TRUE(bob->has(likes, kith::Wildcard));
    EXPECT_FALSE(bob->has(hates, kith::Wildcard));
    EXPECT_TRUE(bob->has(kith::Wildcard, alice));
    EXPECT_TRUE(bob->has(kith::Wildcard));
    EXPECT_EQ(bob->target(likes), alice);
    EXPECT_FALSE(bob->target(likes, 1));
    EXPECT_FALSE(bob->target(hates));
    const Number* value = bob->get<Number>();
    ASSERT_TRUE(value);
    EXPECT_EQ(value->n, 3);
    EXPECT_FALSE(bob->get<Other>());
    EXPECT_FALSE(cyd->has(likes, alice));
    EXPECT_FALSE(cyd->has(likes, kith::Wildcard));
    EXPECT_FALSE(cyd->has(strong));
    EXPECT_FALSE(cyd->target(likes));
    EXPECT_FALSE(cyd->get<Number>());
    EXPECT_THROW(cyd->has(dead), kith::error);
    EXPECT_THROW(cyd->has(likes, dead), kith::error);
    EXPECT_THROW(cyd->has(dead, kith::Wildcard), kith::error);
    EXPECT_THROW(cyd->target(dead), kith::error);
    EXPECT_THROW(dead->has(strong), kith::error);
    EXPECT_THROW(dead->has(likes, alice), kith::error);
    EXPECT_THROW(dead->target(likes), kith::error);
    EXPECT_THROW(dead->get<Number>(), kith::error);
  }

  const thing number = component<Number>();
  const thing likes = relation("Likes"), hates = relation("Hates");
  const thing strong = tag("Strong"), weak = tag("Weak");
  const thing alice = entity("alice"), bob = entity("bob"), cyd = entity("cyd");
  const thing dead = [this] {
    const thing gone = entity();
    gone->destruct();
    return gone;
  }();
};
INSTANTIATE_TEST_SUITE_P(, questions_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

TEST_P(questions_in_any_storage, have_answers_with_little_else) { expect_answers("alone"); }

TEST_P(questions_in_any_storage, have_answers_with_many_ids_in_tables) {
  for (int i = 0; i < 20; ++i) bob->add(world->entity());
  expect_answers("many tags");
  for (int i = 0; i < 20; ++i) bob->add(world->entity(), alice);
  expect_answers("many pairs");
}

TEST_P(questions_in_any_storage, have_answers_with_ids_in_pools) {
  for (int i = 0; i < 70; ++i) {
    bob->add(world->entity().add(kith::Sparse));
    bob->add(world->entity().add(kith::DontFragment), cyd);
    if (i < 3 || i % 10 == 0) expect_answers(std::to_string(i));
  }
}

TEST_P(questions_in_any_storage, have_answers_where_something_was_off) {
  bob->add(weak);
  bob->disable(weak);
  bob->add(likes, cyd);
  bob->disable(likes, cyd);
  EXPECT_FALSE(bob->has(weak));
  EXPECT_TRUE(bob->owns(weak));
  expect_answers("off");
  bob->disable<Number>();
  EXPECT_FALSE(bob->has<Number>());
  EXPECT_FALSE(bob->get<Number>());
  bob->disable(likes, alice);
  EXPECT_FALSE(bob->has(likes, alice));
  EXPECT_FALSE(bob->has(likes, kith::Wildcard));
  EXPECT_FALSE(bob->target(likes));
}

TEST_P(questions_in_any_storage, have_answers_of_bases) {
  const thing base = entity("base"), kind = entity("kind");
  kind->is_a(base);
  expect_answers("somebody is a kind");
  base->set<Number>({4});
  base->add(strong).add(likes, cyd);
  EXPECT_TRUE(kind->has<Number>());
  EXPECT_TRUE(kind->has(strong));
  EXPECT_FALSE(kind->has(weak));
  EXPECT_TRUE(kind->has(likes, cyd));
  EXPECT_FALSE(kind->has(likes, alice));
  EXPECT_TRUE(kind->has(likes, kith::Wildcard));
  EXPECT_FALSE(kind->has(hates, kith::Wildcard));
  EXPECT_EQ(kind->target(likes), cyd);
  EXPECT_EQ(kind->get<Number>()->n, 4);
  bob->is_a(base);
  EXPECT_EQ(bob->get<Number>()->n, 3);
  EXPECT_TRUE(bob->has(likes, cyd));
  EXPECT_TRUE(bob->has(likes, alice));
}

TEST_P(questions_in_any_storage, about_the_value_of_another_type_are_errors) {
  EXPECT_THROW(static_cast<void>((*world).engine().get(bob.id(), number.id(), strong.id())),
               kith::error);
}

}  // namespace
