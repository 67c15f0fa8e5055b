#include "relations/cleanup.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/builtins.hpp>

#include "support/lifecycle.hpp"
#include "support/storage_text.hpp"

namespace {

using namespace kith::core;
using namespace kith::test;
using kith::entity_t;

class cleanup_test : public ::testing::TestWithParam<id_group::place> {
 protected:
  cleanup_test() {
    ledger::clear();
    s.make_alive(kith::ChildOf);
    id_group& children = s.ids().group_of(make_pair(kith::ChildOf, 0));
    children.where = id_group::place::pools;
    children.pinned = true;
    g.traits.be_born_with(kith::ChildOf, trait::on_target_delete);
    likes = s.create();
    id_group& pairs = s.ids().group_of(make_pair(likes, 0));
    pairs.where = GetParam();
    pairs.pinned = true;
  }
  entity_t child(entity_t parent) {
    const entity_t e = s.create();
    s.add(e, make_pair(kith::ChildOf, parent));
    return e;
  }
  void destroy(entity_t e) {
    went.clear();
    delete_entities(g, {e}, [this](entity_t going) { went.push_back(going); });
  }
  bool alive(entity_t e) { return s.entities().is_alive(e); }

  graph g;
  store& s = g.store;
  names& n = g.names;
  entity_t likes;
  std::vector<entity_t> went;
};

INSTANTIATE_TEST_SUITE_P(places, cleanup_test,
                         ::testing::Values(id_group::place::tables, id_group::place::pools));

TEST_P(cleanup_test, children_go_with_their_parent) {
  const entity_t ship = s.create(), deck = child(ship), mast = child(deck), other = s.create();
  destroy(ship);
  EXPECT_FALSE(alive(ship) || alive(deck) || alive(mast));
  EXPECT_TRUE(alive(other));
}

TEST_P(cleanup_test, children_go_before_their_parents) {
  const entity_t ship = s.create(), deck = child(ship), mast = child(deck), hold = child(ship);
  destroy(ship);
  const auto place = [&](entity_t e) { return std::ranges::find(went, e) - went.begin(); };
  EXPECT_EQ(went.size(), 4u);
  EXPECT_LT(place(mast), place(deck));
  EXPECT_LT(place(deck), place(ship));
  EXPECT_LT(place(hold), place(ship));
}

TEST_P(cleanup_test, parent_stays_when_a_child_goes) {
  const entity_t ship = s.create(), deck = child(ship);
  destroy(deck);
  EXPECT_TRUE(alive(ship));
  EXPECT_EQ(went, std::vector<entity_t>{deck});
}

TEST_P(cleanup_test, entity_that_points_at_a_deleted_one_stays_without_the_pair) {
  const entity_t ann = s.create(), bob = s.create(), cyd = s.create();
  s.add(ann, make_pair(likes, bob));
  s.add(ann, make_pair(likes, cyd));
  destroy(bob);
  EXPECT_EQ(to_text(s, ann), "e" + id_text(ann) + ": " + id_text(make_pair(likes, cyd)));
  EXPECT_EQ(s.ids().find(make_pair(likes, bob)), nullptr);
}

TEST_P(cleanup_test, pairs_of_a_deleted_relation_go_from_all) {
  const entity_t ann = s.create(), bob = s.create();
  s.add(ann, make_pair(likes, bob));
  s.add(bob, make_pair(likes, bob));
  destroy(likes);
  EXPECT_EQ(to_text(s, ann), "e" + id_text(ann) + ":");
  EXPECT_EQ(to_text(s, bob), "e" + id_text(bob) + ":");
  EXPECT_EQ(s.ids().find_group(make_pair(likes, 0)), nullptr);
}

TEST_P(cleanup_test, deleted_tag_goes_from_all) {
  const entity_t tag = s.create(), ann = s.create();
  s.add(ann, tag);
  destroy(tag);
  EXPECT_EQ(to_text(s, ann), "e" + id_text(ann) + ":");
}

TEST_P(cleanup_test, deleted_type_takes_its_values_along) {
  s.types().insert(likes, describe_type<tracked>());
  const entity_t ann = s.create(), bob = s.create();
  s.add(ann, likes);
  s.add(bob, likes);
  s.add(ann, make_pair(likes, bob));
  EXPECT_EQ(ledger::living(), 3u);
  destroy(likes);
  EXPECT_EQ(ledger::living(), 0u);
  EXPECT_EQ(s.types().find(index_of(likes)), nullptr);
}

TEST_P(cleanup_test, entity_that_points_at_itself_can_go) {
  const entity_t ann = s.create();
  s.add(ann, make_pair(likes, ann));
  s.add(ann, make_pair(ann, ann));
  s.add(ann, ann);
  destroy(ann);
  EXPECT_FALSE(alive(ann));
  EXPECT_EQ(s.ids().size(), 0u);
}

TEST_P(cleanup_test, names_of_all_that_go_are_free) {
  const entity_t ship = s.create(), deck = child(ship);
  n.set(ship, 0, "ship");
  n.set(deck, index_of(ship), "deck");
  for (entity_t e : {ship, deck}) s.entities().find(e)->named = true;
  destroy(ship);
  EXPECT_EQ(n.find(0, "ship"), 0u);
  EXPECT_EQ(n.find(index_of(ship), "deck"), 0u);
}

TEST_P(cleanup_test, no_id_of_a_deleted_entity_comes_back_with_its_index) {
  const entity_t bob = s.create(), ann = s.create();
  s.add(ann, make_pair(likes, bob));
  destroy(bob);
  const entity_t again = s.create();
  ASSERT_EQ(index_of(again), index_of(bob));
  EXPECT_FALSE(s.owns(*s.entities().find(ann), make_pair(likes, again)));
}

TEST_P(cleanup_test, very_deep_hierarchy_goes_as_a_whole) {
  const entity_t top = s.create();
  entity_t bottom = top;
  for (int i = 0; i < 20'000; ++i) bottom = child(bottom);
  destroy(top);
  EXPECT_EQ(went.size(), 20'001u);
  EXPECT_FALSE(alive(bottom));
}

TEST_P(cleanup_test, hierarchy_that_likes_itself_goes_as_a_whole) {
  const entity_t ship = s.create(), deck = child(ship), mast = child(deck), sea = s.create();
  for (entity_t from : {ship, deck, mast, sea})
    for (entity_t to : {ship, deck, mast}) s.add(from, make_pair(likes, to));
  destroy(ship);
  EXPECT_EQ(to_text(s, sea), "e" + id_text(sea) + ":");
  EXPECT_EQ(s.ids().size(), 0u);
}

}  // namespace
