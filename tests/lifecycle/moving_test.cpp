// Values that move because the storage does: growth, other ids, other places.
#include <type_traits>
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;
using kith::core::id_group;

template <class T>
class moving : public lifecycle<T> {};
TYPED_TEST_SUITE(moving, every_kind, kind_names);

TYPED_TEST(moving, values_survive_the_growth_of_their_storage) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    std::vector<kith::entity> all;
    for (int i = 0; i < 100; ++i) all.push_back(s.w.entity().template emplace<T>(i));
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(s.value_of(all[static_cast<std::size_t>(i)]), i);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TYPED_TEST(moving, value_survives_every_change_of_its_entity) {
  this->without_a_throw(
      [](auto& s) {
        s.bob.template add<mark>();
        s.bob.template add<apples>();
        s.bob.template add<apples, pears>();
        s.bob.template remove<mark>();
        s.bob.template remove<witness>();
      },
      [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(moving, value_survives_another_value_that_throws) {
  using T = TypeParam;
  this->at_every_throw([](auto& s) { s.bob.template emplace<kith::pair<apples, T>>(6); },
                       [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(moving, value_survives_a_new_parent) {
  this->without_a_throw([](auto& s) { s.bob.child_of(s.ann); },
                        [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(moving, value_survives_a_parent_that_is_refused) {
  this->on_every_stage([](auto& s) {
    const std::string before = s.seen();
    EXPECT_THROW(s.ship.child_of(s.bob), kith::error);
    EXPECT_EQ(s.seen(), before);
  });
}

TYPED_TEST(moving, value_survives_the_deletion_of_its_neighbours) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    std::vector<kith::entity> all;
    for (int i = 0; i < 10; ++i) all.push_back(s.w.entity().template emplace<T>(i));
    for (kith::entity e : all) e.destruct();
    EXPECT_EQ(s.value_of(s.bob), 5);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TYPED_TEST(moving, boxed_value_stays_where_it_is_whatever_happens) {
  using T = TypeParam;
  if constexpr (kith::core::is_boxed_type<T>)
    this->on_every_stage([](auto& s) {
      const T* value = s.bob.template get<T>();
      for (int i = 0; i < 100; ++i) s.w.entity().template emplace<T>(i);
      s.bob.template add<mark>();
      s.keep(s.w.template component<T>().id(), id_group::place::pools);
      s.keep(s.w.template component<T>().id(), id_group::place::tables);
      EXPECT_EQ(s.bob.template get<T>(), value);
    });
}

// --- Exclusive -----------------------------------------------------------------------------------

TYPED_TEST(moving, new_target_takes_the_place_of_an_exclusive_one_or_changes_nothing) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.w.template component<T>().add(kith::Exclusive);
    s.bob.template emplace<kith::pair<T, apples>>(1);
    const std::string before = s.seen();
    const std::size_t living = ledger::living();
    for (std::size_t nth = 1; s.seen() == before; ++nth) {
      ledger::throw_at(nth);
      try {
        s.bob.template emplace<kith::pair<T, pears>>(2);
      } catch (const planned_throw&) {
      }
      ledger::throw_at(0);
      EXPECT_EQ(ledger::living(), living);
    }
    EXPECT_EQ((s.bob.template get<T, pears>()->value()), 2);
    EXPECT_EQ((s.bob.template get<T, apples>()), nullptr);
    EXPECT_EQ(s.value_of(s.bob), 5);
  });
}

TYPED_TEST(moving, exclusive_target_can_be_exchanged_by_its_own_value) {
  using T = TypeParam;
  if constexpr (std::is_copy_constructible_v<T>)
    this->on_every_stage([](auto& s) {
      s.w.template component<T>().add(kith::Exclusive);
      s.bob.template emplace<kith::pair<T, apples>>(1);
      s.bob.template emplace<kith::pair<T, pears>>(*s.bob.template get<T, apples>());
      EXPECT_EQ((s.bob.template get<T, pears>()->value()), 1);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    });
}

// --- between tables and pools --------------------------------------------------------------------

TYPED_TEST(moving, values_survive_a_change_of_place_in_both_directions) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.bob.template emplace<kith::pair<T, apples>>(1);
    s.bob.template emplace<kith::pair<T, pears>>(2);
    s.ann.template emplace<kith::pair<T, pears>>(3);
    s.bob.template disable<T>();
    const std::string before = s.seen();
    for (id_group::place where :
         {id_group::place::pools, id_group::place::tables, id_group::place::pools}) {
      s.keep(s.w.template component<T>().id(), where);
      EXPECT_EQ(s.seen(), before);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    }
  });
}

TYPED_TEST(moving, value_survives_a_change_of_place_of_its_neighbour) {
  this->without_a_throw(
      [](auto& s) { s.keep(s.w.template component<witness>().id(), id_group::place::pools); },
      [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(moving, value_that_makes_its_relation_move_comes_whole_or_not_at_all) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    // The ninth target of one entity sends the relation to pools, if it is in tables.
    s.w.engine().state().store_.ids().group_of(
        kith::core::make_pair(s.w.template component<T>().id(), 0)).pinned = false;
    std::vector<kith::entity> targets;
    for (int i = 0; i < 12; ++i) targets.push_back(s.w.entity());
    for (int i = 0; i < 12; ++i) {
      const kith::id_t pair = s.w.template pair<T>(targets[static_cast<std::size_t>(i)]).raw_id();
      kith::core::argument_source<T, int> source{{std::move(i)}};
      ledger::throw_at(1);
      try {
        s.w.engine().set(s.ann.id(), pair, s.w.template id<T>().raw_id(), source.source());
      } catch (const planned_throw&) {
        EXPECT_EQ(ledger::living(), s.tracked_values());
        EXPECT_FALSE(s.ann.owns(pair));
      }
      ledger::throw_at(0);
      s.w.engine().set(s.ann.id(), pair, s.w.template id<T>().raw_id(), source.source());
    }
    for (int i = 0; i < 12; ++i)
      EXPECT_EQ(s.ann.template get<T>(targets[static_cast<std::size_t>(i)])->value(), i);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TYPED_TEST(moving, reclaiming_empty_tables_leaves_values_alone) {
  using T = TypeParam;
  this->without_a_throw(
      [](auto& s) {
        s.bob.template add<mark>();
        s.bob.template remove<mark>();
        s.w.delete_empty_tables();
      },
      [](auto& s) {
        EXPECT_EQ(s.value_of(s.bob), 5);
        EXPECT_EQ(s.w.template count<T>() > 0, true);
      });
}

}  // namespace
