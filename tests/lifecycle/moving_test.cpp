// Values that move because the storage does: growth, other ids, other places.
#include <string>
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;
using kith::core::id_group;

class moving : public lifecycle {};
INSTANTIATE_TEST_SUITE_P(kinds, moving, ::testing::ValuesIn(every_kind()), kind_name);

TEST_P(moving, values_survive_the_growth_of_their_storage) {
  on_every_stage([](stage& s) {
    std::vector<kith::entity> all;
    for (int i = 0; i < 100; ++i) s.emplace(all.emplace_back(s.w.entity()), i);
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(s.value_of(all[i]), static_cast<int>(i));
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(moving, value_survives_every_change_of_its_entity) {
  without_a_throw(
      [](stage& s) {
        s.bob.add<mark>();
        s.bob.add<apples>();
        s.bob.add<apples, pears>();
        s.bob.remove<mark>();
        s.bob.remove<witness>();
      },
      [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TEST_P(moving, value_survives_another_value_that_throws) {
  at_every_throw([](stage& s) { s.bob.emplace<kith::pair<pears, witness>>(6); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TEST_P(moving, value_survives_a_new_parent) {
  without_a_throw([](stage& s) { s.bob.child_of(s.ann); },
                  [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TEST_P(moving, value_survives_a_parent_that_is_refused) {
  on_every_stage([](stage& s) {
    const std::string before = s.seen();
    EXPECT_THROW(s.ship.child_of(s.bob), kith::error);
    EXPECT_EQ(s.seen(), before);
  });
}

TEST_P(moving, value_survives_the_deletion_of_its_neighbours) {
  on_every_stage([](stage& s) {
    std::vector<kith::entity> all;
    for (int i = 0; i < 10; ++i) s.emplace(all.emplace_back(s.w.entity()), i);
    for (kith::entity e : all) e.destruct();
    EXPECT_EQ(s.value_of(s.bob), 5);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(moving, boxed_value_stays_where_it_is_whatever_happens) {
  if (!GetParam().boxed) return;
  on_every_stage([](stage& s) {
    const void* value = s.bob.get(s.type());
    for (int i = 0; i < 100; ++i) s.emplace(s.w.entity(), i);
    s.bob.add<mark>();
    s.keep(s.type(), id_group::place::pools);
    s.keep(s.type(), id_group::place::tables);
    EXPECT_EQ(s.bob.get(s.type()), value);
  });
}

TEST_P(moving, reclaiming_empty_tables_leaves_values_alone) {
  without_a_throw(
      [](stage& s) {
        s.bob.add<mark>();
        s.bob.remove<mark>();
        s.w.delete_empty_tables();
      },
      [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

// --- Exclusive -----------------------------------------------------------------------------------

TEST_P(moving, new_target_takes_the_place_of_an_exclusive_one_or_changes_nothing) {
  on_every_stage([](stage& s) {
    s.type().add(kith::Exclusive);
    s.emplace_apples(s.bob, 1);
    const std::string before = s.seen();
    const std::size_t living = ledger::living();
    for (std::size_t nth = 1; s.seen() == before; ++nth) {
      ledger::throw_at(nth);
      try {
        s.emplace_pears(s.bob, 2);
      } catch (const planned_throw&) {
      }
      ledger::throw_at(0);
      EXPECT_EQ(ledger::living(), living);
    }
    EXPECT_EQ(s.value_of(s.bob, s.the_pears()), 2);
    EXPECT_EQ(s.value_of(s.bob, s.the_apples()), stage::none);
    EXPECT_EQ(s.value_of(s.bob), 5);
  });
}

TEST_P(moving, exclusive_target_can_be_exchanged_by_its_own_value) {
  if (!GetParam().copies) return;
  on_every_stage([](stage& s) {
    s.type().add(kith::Exclusive);
    s.emplace_apples(s.bob, 1);
    s.emplace_pears_from_apples(s.bob);
    EXPECT_EQ(s.value_of(s.bob, s.the_pears()), 1);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

// --- between tables and pools --------------------------------------------------------------------

TEST_P(moving, values_and_toggles_survive_a_change_of_place_in_both_directions) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 1);
    s.emplace_pears(s.bob, 2);
    s.emplace_pears(s.ann, 3);
    s.bob.disable(s.type());
    s.ann.disable(s.type(), s.the_pears());
    const std::string before = s.seen();
    for (id_group::place where :
         {id_group::place::pools, id_group::place::tables, id_group::place::pools}) {
      s.keep(s.type(), where);
      EXPECT_EQ(s.seen(), before);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    }
  });
}

TEST_P(moving, value_survives_a_change_of_place_of_its_neighbour) {
  without_a_throw([](stage& s) { s.keep(s.w.component<witness>(), id_group::place::pools); },
                  [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

// The ninth target of one entity sends a relation to pools.
TEST_P(moving, value_that_makes_its_relation_move_comes_whole_or_not_at_all) {
  if (!GetParam().has_default) return;
  on_every_stage([](stage& s) {
    auto& ids = s.w.engine().state().store().ids();
    ids.group_of(kith::core::make_pair(s.type().id(), 0)).pinned = false;
    for (int i = 0; i < 8; ++i) s.ann.add(s.type(), s.w.entity());
    const std::size_t living = ledger::living();
    ledger::throw_at(1);
    try {
      s.emplace_pears(s.ann, 7);
    } catch (const planned_throw&) {
      EXPECT_EQ(ledger::living(), living);
      EXPECT_FALSE(s.ann.owns(s.type(), s.the_pears()));
    }
    ledger::throw_at(0);
    s.emplace_pears(s.ann, 7);
    EXPECT_EQ(s.value_of(s.ann, s.the_pears()), 7);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

}  // namespace
