#include "relations/traits.hpp"

#include <string>

#include <gtest/gtest.h>

#include <kith/builtins.hpp>
#include <kith/error.hpp>

namespace {

using namespace kith::core;
using kith::entity_t;

class traits_test : public ::testing::Test {
 protected:
  traits_test() {
    for (entity_t builtin :
         {kith::ChildOf, kith::IsA, kith::PairIsTag, kith::Exclusive, kith::Acyclic})
      s.make_alive(builtin);
  }
  entity_t named(std::string_view name) {
    const entity_t e = s.create();
    n.set(e, 0, name);
    return e;
  }
  void give(entity_t e, entity_t trait) {
    s.add(e, trait);
    t.update(e);
  }
  void take(entity_t e, entity_t trait) {
    s.remove(e, trait);
    t.update(e);
  }
  void link(entity_t from, entity_t to) { s.add(from, make_pair(likes, to)); }
  // The error of giving or taking a trait of `likes`; empty if there is none.
  std::string refusal(entity_t trait, bool on = true) {
    try {
      if (on)
        t.check_given(likes, trait, t.of_id(likes));
      else
        t.check_taken(likes, trait);
    } catch (const kith::error& e) {
      return e.what();
    }
    return "";
  }
  bool would_close_cycle(entity_t source, entity_t target) {
    return closes_cycle(s, index_of(likes), source, target);
  }

  store s;
  names n;
  traits t{s, n};
  entity_t likes = named("Likes");
  entity_t ann = named("ann"), bob = named("bob"), cyd = named("cyd"), dan = named("dan");
};

TEST_F(traits_test, relation_has_none_at_first) { EXPECT_EQ(t.of_id(make_pair(likes, bob)), 0u); }

TEST_F(traits_test, hold_for_all_pairs_of_the_relation_and_no_others) {
  give(likes, kith::Exclusive);
  EXPECT_EQ(t.of_id(make_pair(likes, bob)), trait::exclusive);
  EXPECT_EQ(t.of_id(make_pair(bob, likes)), 0u);
}

TEST_F(traits_test, can_be_taken_one_by_one) {
  give(likes, kith::Exclusive);
  give(likes, kith::Acyclic);
  take(likes, kith::Exclusive);
  EXPECT_EQ(t.of_id(make_pair(likes, bob)), trait::acyclic);
  take(likes, kith::Acyclic);
  EXPECT_EQ(t.of_id(make_pair(likes, bob)), 0u);
}

TEST_F(traits_test, of_a_deleted_relation_are_forgotten) {
  give(likes, kith::Exclusive);
  t.forget(likes);
  EXPECT_EQ(t.of_id(make_pair(likes, bob)), 0u);
}

// --- Exclusive -----------------------------------------------------------------------------------

TEST_F(traits_test, exclusive_is_refused_where_someone_has_two_targets) {
  link(ann, bob);
  EXPECT_EQ(refusal(kith::Exclusive), "");
  link(ann, cyd);
  EXPECT_EQ(refusal(kith::Exclusive), "Likes cannot be Exclusive: ann has more than one target");
}

TEST_F(traits_test, exclusive_is_refused_wherever_the_pairs_are_kept) {
  link(ann, bob);
  link(ann, cyd);
  s.place(s.ids().group_of(make_pair(likes, 0)), id_group::place::pools);
  EXPECT_EQ(refusal(kith::Exclusive), "Likes cannot be Exclusive: ann has more than one target");
}

// --- Acyclic -------------------------------------------------------------------------------------

TEST_F(traits_test, acyclic_is_refused_where_a_way_leads_back) {
  link(ann, bob);
  link(bob, cyd);
  link(ann, cyd);
  EXPECT_EQ(refusal(kith::Acyclic), "");
  link(cyd, ann);
  EXPECT_NE(refusal(kith::Acyclic), "");
}

TEST_F(traits_test, acyclic_is_refused_where_someone_points_at_itself) {
  link(ann, ann);
  EXPECT_EQ(refusal(kith::Acyclic), "Likes cannot be Acyclic: ann is on a cycle");
}

TEST_F(traits_test, acyclic_allows_two_ways_to_the_same_end) {
  link(ann, bob);
  link(ann, cyd);
  link(bob, dan);
  link(cyd, dan);
  EXPECT_EQ(refusal(kith::Acyclic), "");
}

TEST_F(traits_test, acyclic_is_checked_along_a_very_long_chain) {
  entity_t last = s.create();
  const entity_t first = last;
  s.place(s.ids().group_of(make_pair(likes, 0)), id_group::place::pools);
  for (int i = 0; i < 20'000; ++i) {
    const entity_t next = s.create();
    link(last, next);
    last = next;
  }
  EXPECT_EQ(refusal(kith::Acyclic), "");
  EXPECT_TRUE(would_close_cycle(last, first));
  link(last, first);
  EXPECT_NE(refusal(kith::Acyclic), "");
}

TEST_F(traits_test, cycle_would_close_only_where_the_target_leads_to_the_source) {
  link(ann, bob);
  link(bob, cyd);
  EXPECT_TRUE(would_close_cycle(cyd, ann));
  EXPECT_TRUE(would_close_cycle(bob, ann));
  EXPECT_TRUE(would_close_cycle(ann, ann));
  EXPECT_FALSE(would_close_cycle(ann, cyd));
  EXPECT_FALSE(would_close_cycle(cyd, dan));
}

TEST_F(traits_test, search_for_a_cycle_ends_where_there_is_one_already) {
  link(ann, bob);
  link(bob, ann);
  link(cyd, dan);
  EXPECT_FALSE(would_close_cycle(dan, ann));
}

// --- PairIsTag -----------------------------------------------------------------------------------

TEST_F(traits_test, pair_is_tag_is_refused_where_a_pair_has_values) {
  s.types().insert(likes, describe_type<int>());
  link(ann, bob);
  EXPECT_EQ(refusal(kith::PairIsTag),
            "PairIsTag of Likes would invent or lose values: ann has (Likes, bob)");
}

TEST_F(traits_test, pair_is_tag_is_refused_where_a_target_gives_the_values) {
  s.types().insert(bob, describe_type<int>());
  link(ann, bob);
  EXPECT_NE(refusal(kith::PairIsTag), "");
}

TEST_F(traits_test, pair_is_tag_cannot_be_taken_where_values_would_be_invented) {
  s.types().insert(likes, describe_type<int>());
  give(likes, kith::PairIsTag);
  link(ann, bob);
  EXPECT_NE(refusal(kith::PairIsTag, false), "");
}

TEST_F(traits_test, pair_is_tag_is_allowed_where_no_pair_could_have_values) {
  link(ann, bob);
  EXPECT_EQ(refusal(kith::PairIsTag), "");
}

}  // namespace
