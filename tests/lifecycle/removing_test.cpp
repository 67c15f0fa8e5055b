// Every operation that removes values destroys each of them once, and no others.
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

class removing : public lifecycle {};
INSTANTIATE_TEST_SUITE_P(kinds, removing, ::testing::ValuesIn(every_kind()), kind_name);

TEST_P(removing, remove_takes_the_value) {
  without_a_throw([](stage& s) { s.bob.remove(s.type()); },
                  [](stage& s) {
                    EXPECT_EQ(s.value_of(s.bob), stage::none);
                    EXPECT_EQ(s.witness_of(s.bob), 1);
                  });
}

TEST_P(removing, remove_of_a_neighbour_keeps_the_value) {
  without_a_throw([](stage& s) { s.bob.remove<witness>(); },
                  [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TEST_P(removing, remove_by_a_pattern_takes_all_that_match) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 1);
    s.emplace_pears(s.bob, 2);
    s.bob.remove(s.type(), kith::Wildcard);
    EXPECT_FALSE(s.bob.owns(s.type(), kith::Wildcard));
    EXPECT_EQ(s.value_of(s.bob), 5);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(removing, clear_takes_all_values) {
  without_a_throw([](stage& s) { s.bob.clear(); },
                  [](stage& s) { EXPECT_EQ(s.bob.type().count(), 0u); });
}

TEST_P(removing, destruct_takes_all_values) {
  without_a_throw([](stage& s) { s.bob.destruct(); },
                  [](stage& s) { EXPECT_FALSE(s.bob.is_alive()); });
}

TEST_P(removing, destruct_of_a_parent_takes_the_values_of_its_children) {
  without_a_throw([](stage& s) { s.ship.destruct(); },
                  [](stage& s) { EXPECT_FALSE(s.bob.is_alive()); });
}

TEST_P(removing, deleting_the_type_takes_all_its_values) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 2);
    s.emplace_second(s.bob, 3);
    s.type().destruct();
    EXPECT_EQ(s.bob.type().str(), "kith::test::witness, (ChildOf, ship)");
    EXPECT_EQ(ledger::living(), 1u);  // the witness
  });
}

TEST_P(removing, type_can_be_used_again_after_it_was_deleted) {
  on_every_stage([](stage& s) {
    s.type().destruct();
    s.emplace(s.bob, 6);
    EXPECT_EQ(s.value_of(s.bob), 6);
    EXPECT_EQ(s.w.count(s.type()), 1u);
  });
}

TEST_P(removing, deleting_a_target_takes_the_values_of_its_pairs) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 2);
    s.emplace_pears(s.bob, 3);
    s.the_apples().destruct();
    EXPECT_EQ(s.value_of(s.bob, s.the_pears()), 3);
    EXPECT_EQ(s.bob.targets(s.type()).count(), 1u);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(removing, remove_all_takes_the_values_of_everyone) {
  without_a_throw([](stage& s) { s.w.remove_all(s.type()); },
                  [](stage& s) { EXPECT_EQ(s.w.count(s.type()), 0u); });
}

TEST_P(removing, delete_with_takes_the_entities_and_their_values) {
  without_a_throw([](stage& s) { s.w.delete_with(s.type()); },
                  [](stage& s) {
                    EXPECT_FALSE(s.bob.is_alive());
                    EXPECT_TRUE(s.ann.is_alive());
                  });
}

TEST_P(removing, end_of_the_world_takes_what_is_left) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 2);
    s.emplace(s.type(), 3);
  });
  EXPECT_EQ(ledger::living(), 0u);
}

TEST_P(removing, end_of_the_world_takes_values_that_still_wait) {
  on_every_stage([](stage& s) {
    s.w.defer_begin();
    s.emplace(s.ann, 2);
    s.emplace(s.bob, 3);
    s.emplace_apples(s.ann, 4);
  });
  EXPECT_EQ(ledger::living(), 0u);
}

TEST_P(removing, many_come_and_go_in_any_order) {
  on_every_stage([](stage& s) {
    std::vector<kith::entity> all;
    for (int i = 0; i < 60; ++i) s.emplace(all.emplace_back(s.w.entity()), i);
    for (std::size_t i = 0; i < all.size(); i += 2) all[i].remove(s.type());
    for (std::size_t i = 1; i < all.size(); i += 4) all[i].destruct();
    for (std::size_t i = 3; i < all.size(); i += 4)
      EXPECT_EQ(s.value_of(all[i]), static_cast<int>(i));
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

}  // namespace
