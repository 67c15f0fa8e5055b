// Values that wait in the queue: constructed once, moved to their entity or destroyed, never both.
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

template <class T>
class deferring : public lifecycle<T> {};
TYPED_TEST_SUITE(deferring, every_kind, kind_names);

TYPED_TEST(deferring, new_value_arrives_or_was_never_asked_for) {
  using T = TypeParam;
  const std::size_t throws = this->at_every_throw(
      [](auto& s) { s.w.defer([&] { s.ann.template emplace<T>(7); }); },
      [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
  EXPECT_EQ(throws > 0, is_tracked<T>);
}

TYPED_TEST(deferring, new_value_takes_the_place_of_the_old_one_or_was_never_asked_for) {
  using T = TypeParam;
  this->at_every_throw([](auto& s) { s.w.defer([&] { s.bob.template emplace<T>(7); }); },
                       [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TYPED_TEST(deferring, add_gives_the_default_value_or_changes_nothing) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.w.defer([&] { s.ann.template add<T>(); }); },
                         [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
}

TYPED_TEST(deferring, ensure_gives_the_default_value_or_changes_nothing) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.w.defer([&] { s.ann.template ensure<T>(); }); },
                         [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
}

TYPED_TEST(deferring, ensure_gives_the_value_that_waits) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->on_every_stage([](auto& s) {
      s.w.defer([&] {
        s.ann.template emplace<T>(7);
        EXPECT_EQ(s.ann.template ensure<T>().value(), 7);
      });
      EXPECT_EQ(s.value_of(s.ann), 7);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    });
}

TYPED_TEST(deferring, what_is_written_to_an_ensured_value_arrives) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T> && std::is_move_assignable_v<T>)
    this->on_every_stage([](auto& s) {
      s.w.defer([&] {
        s.ann.template ensure<T>() = T{8};
        s.bob.template remove<T>();
        s.bob.template ensure<T>() = T{9};
      });
      EXPECT_EQ(s.value_of(s.ann), 8);
      EXPECT_EQ(s.value_of(s.bob), 9);
    });
}

TYPED_TEST(deferring, last_of_several_values_arrives) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        s.w.defer_begin();
        try {
          for (int i = 1; i <= 3; ++i) s.ann.template emplace<T>(i);
        } catch (const planned_throw&) {
          s.ann.template remove<T>();
          s.w.defer_end();
          throw;
        }
        s.w.defer_end();
      },
      [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 3); });
}

TYPED_TEST(deferring, value_that_is_set_and_removed_is_gone) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        s.w.defer([&] {
          s.ann.template emplace<T>(7);
          s.ann.template remove<T>();
        });
      },
      [](auto& s) { EXPECT_EQ(s.value_of(s.ann), -9); });
}

TYPED_TEST(deferring, value_for_an_entity_that_goes_first_is_destroyed) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.w.defer_begin();
    s.ann.destruct();
    s.ann.template emplace<T>(7);
    EXPECT_THROW(s.w.defer_end(), kith::error);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TYPED_TEST(deferring, value_of_a_type_that_goes_first_is_destroyed) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.w.defer_begin();
    s.w.template entity<T>().destruct();
    s.ann.template emplace<T>(7);
    EXPECT_THROW(s.w.defer_end(), kith::error);
    EXPECT_EQ(ledger::living(), 1u);  // the witness
  });
}

TYPED_TEST(deferring, pair_whose_target_goes_first_is_destroyed) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.w.defer_begin();
    const kith::entity target = s.w.template entity<apples>();
    s.ann.template emplace<kith::pair<T, apples>>(7);
    target.destruct();
    s.bob.template emplace<kith::pair<T, apples>>(8);
    EXPECT_THROW(s.w.defer_end(), kith::error);
    EXPECT_EQ(ledger::living(), s.tracked_values());
    EXPECT_FALSE(s.ann.template owns<T>(kith::Wildcard));
  });
}

TYPED_TEST(deferring, change_that_throws_is_skipped_and_the_others_are_made) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T> && is_tracked<T>)
    this->on_every_stage([](auto& s) {
      s.w.defer_begin();
      s.ann.template add<mark>();
      s.ann.template add<T>();
      s.bob.template add<mark>();
      ledger::throw_at(1);
      EXPECT_THROW(s.w.defer_end(), planned_throw);
      ledger::throw_at(0);
      EXPECT_TRUE(s.ann.template has<mark>());
      EXPECT_FALSE(s.ann.template has<T>());
      EXPECT_TRUE(s.bob.template has<mark>());
      EXPECT_EQ(ledger::living(), s.tracked_values());
    });
}

TYPED_TEST(deferring, error_of_a_visit_left_by_a_throw_waits) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T> && is_tracked<T>)
    this->on_every_stage([](auto& s) {
      const auto leave_early = [&] {
        s.w.defer([&] {
          s.ann.template add<T>();
          s.bob.template add<mark>();
          ledger::throw_at(1);
          throw std::runtime_error("leaving");
        });
      };
      EXPECT_THROW(leave_early(), std::runtime_error);
      ledger::throw_at(0);
      EXPECT_TRUE(s.bob.template has<mark>());
      EXPECT_EQ(s.w.deferred_errors().size(), 1u);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    });
}

TYPED_TEST(deferring, clone_has_all_values_or_none) {
  using T = TypeParam;
  if constexpr (std::is_copy_constructible_v<T>)
    this->on_every_stage([](auto& s) {
      for (std::size_t nth = 1;; ++nth) {
        kith::entity copy;
        bool thrown = false;
        ledger::throw_at(nth);
        try {
          s.w.defer([&] { copy = s.bob.clone(); });
        } catch (const planned_throw&) {
          thrown = true;
        }
        ledger::throw_at(0);
        EXPECT_EQ(ledger::living(), s.tracked_values());
        if (!thrown) {
          EXPECT_EQ(s.value_of(copy), 5);
          return;
        }
        EXPECT_EQ(copy.type().count(), 0u);
      }
    });
}

TYPED_TEST(deferring, entity_with_values_has_all_or_does_not_exist) {
  using T = TypeParam;
  if constexpr (std::is_copy_constructible_v<T>)
    this->at_every_throw(
        [](auto& s) {
          const T value{7};
          const witness other{8};
          s.w.defer([&] { s.w.entity(other, value); });
        },
        [](auto& s) { EXPECT_EQ(ledger::living(), s.tracked_values()); });
}

TYPED_TEST(deferring, bulk_makes_all_entities_or_none) {
  using T = TypeParam;
  if constexpr (std::is_copy_constructible_v<T>)
    this->at_every_throw(
        [](auto& s) {
          const T value{7};
          s.w.defer([&] { s.w.bulk(3, witness{2}, value, mark{}); });
        },
        [](auto& s) { EXPECT_EQ(s.w.template count<mark>(), 3u); });
}

TYPED_TEST(deferring, remove_all_and_delete_with_take_values_that_arrive_before_them) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        s.w.defer([&] {
          s.ann.template emplace<T>(7);
          s.w.template remove_all<T>();
        });
      },
      [](auto& s) { EXPECT_EQ(s.w.template count<T>(), 0u); });
}

TYPED_TEST(deferring, values_of_thousand_commands_arrive) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    std::vector<kith::entity> all;
    s.w.defer([&] {
      for (int i = 0; i < 1000; ++i) all.push_back(s.w.entity().template emplace<T>(i));
    });
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(s.value_of(all[static_cast<std::size_t>(i)]), i);
  });
}

}  // namespace
