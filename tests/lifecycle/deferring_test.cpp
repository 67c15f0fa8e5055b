// Values that wait in the queue: constructed once, moved to their entity or destroyed, never both.
#include <stdexcept>
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

class deferring : public lifecycle {};
INSTANTIATE_TEST_SUITE_P(kinds, deferring, ::testing::ValuesIn(every_kind()), kind_name);

TEST_P(deferring, new_value_arrives_or_was_never_asked_for) {
  const std::size_t throws =
      at_every_throw([](stage& s) { s.w.defer([&] { s.emplace(s.ann, 7); }); },
                     [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
  EXPECT_EQ(throws > 0, GetParam().throws);
}

TEST_P(deferring, new_value_takes_the_place_of_the_old_one_or_was_never_asked_for) {
  at_every_throw([](stage& s) { s.w.defer([&] { s.emplace(s.bob, 7); }); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TEST_P(deferring, add_gives_the_default_value_or_changes_nothing) {
  if (!GetParam().has_default) return;
  at_every_throw([](stage& s) { s.w.defer([&] { s.add(s.ann); }); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
}

TEST_P(deferring, ensure_gives_the_default_value_or_changes_nothing) {
  if (!GetParam().has_default) return;
  at_every_throw([](stage& s) { s.w.defer([&] { s.ensure(s.ann); }); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
}

TEST_P(deferring, ensure_gives_the_value_that_waits) {
  on_every_stage([](stage& s) {
    s.w.defer([&] {
      s.emplace(s.ann, 7);
      EXPECT_EQ(s.ensure(s.ann), 7);
    });
    EXPECT_EQ(s.value_of(s.ann), 7);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(deferring, what_is_written_to_an_ensured_value_arrives) {
  if (!GetParam().has_default || !GetParam().assigns) return;
  on_every_stage([](stage& s) {
    s.w.defer([&] {
      s.ensure_and_assign(s.ann, 8);
      s.bob.remove(s.type());
      s.ensure_and_assign(s.bob, 9);
    });
    EXPECT_EQ(s.value_of(s.ann), 8);
    EXPECT_EQ(s.value_of(s.bob), 9);
  });
}

TEST_P(deferring, last_of_several_values_arrives) {
  on_every_stage([](stage& s) {
    s.w.defer([&] {
      for (int i = 1; i <= 3; ++i) s.emplace(s.ann, i);
    });
    EXPECT_EQ(s.value_of(s.ann), 3);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(deferring, value_that_is_set_and_removed_is_gone) {
  at_every_throw(
      [](stage& s) {
        s.w.defer([&] {
          s.emplace(s.ann, 7);
          s.ann.remove(s.type());
        });
      },
      [](stage& s) { EXPECT_EQ(s.value_of(s.ann), stage::none); });
}

TEST_P(deferring, value_that_arrives_before_remove_all_is_gone) {
  at_every_throw(
      [](stage& s) {
        s.w.defer([&] {
          s.emplace(s.ann, 7);
          s.w.remove_all(s.type());
        });
      },
      [](stage& s) { EXPECT_EQ(s.w.count(s.type()), 0u); });
}

TEST_P(deferring, value_for_an_entity_that_goes_first_is_destroyed) {
  on_every_stage([](stage& s) {
    s.w.defer_begin();
    s.ann.destruct();
    s.emplace(s.ann, 7);
    EXPECT_NO_THROW(s.w.defer_end());
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(deferring, value_of_a_type_that_goes_first_is_destroyed) {
  on_every_stage([](stage& s) {
    s.w.defer_begin();
    s.type().destruct();
    s.emplace(s.ann, 7);
    EXPECT_NO_THROW(s.w.defer_end());
    EXPECT_EQ(ledger::living(), 1u);  // the witness
  });
}

TEST_P(deferring, value_of_a_pair_whose_target_goes_first_is_destroyed) {
  on_every_stage([](stage& s) {
    s.w.defer_begin();
    s.emplace_apples(s.ann, 7);
    s.the_apples().destruct();
    s.emplace_apples(s.bob, 8);
    EXPECT_NO_THROW(s.w.defer_end());
    EXPECT_FALSE(s.ann.owns(s.type(), kith::Wildcard));
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(deferring, change_that_throws_is_skipped_and_the_others_are_made) {
  if (!GetParam().has_default || !GetParam().throws) return;
  on_every_stage([](stage& s) {
    s.w.defer_begin();
    s.ann.add<mark>();
    s.add(s.ann);
    s.bob.add<mark>();
    ledger::throw_at(1);
    EXPECT_THROW(s.w.defer_end(), planned_throw);
    ledger::throw_at(0);
    EXPECT_TRUE(s.ann.has<mark>());
    EXPECT_FALSE(s.ann.has(s.type()));
    EXPECT_TRUE(s.bob.has<mark>());
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(deferring, error_of_a_visit_left_by_a_throw_waits) {
  if (!GetParam().has_default || !GetParam().throws) return;
  on_every_stage([](stage& s) {
    const auto leave_early = [&] {
      s.w.defer([&] {
        s.add(s.ann);
        s.bob.add<mark>();
        ledger::throw_at(1);
        throw std::runtime_error("leaving");
      });
    };
    EXPECT_THROW(leave_early(), std::runtime_error);
    ledger::throw_at(0);
    EXPECT_TRUE(s.bob.has<mark>());
    EXPECT_EQ(s.w.deferred_errors().size(), 1u);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(deferring, clone_has_all_values_or_none) {
  if (!GetParam().copies) return;
  on_every_stage([](stage& s) {
    kith::entity copy;
    bool thrown = true;
    for (std::size_t nth = 1; thrown; ++nth) {
      thrown = false;
      ledger::throw_at(nth);
      try {
        s.w.defer([&] { copy = s.bob.clone(); });
      } catch (const planned_throw&) {
        thrown = true;
      }
      ledger::throw_at(0);
      EXPECT_EQ(copy.type().count(), thrown ? 0u : s.bob.type().count());
      EXPECT_EQ(ledger::living(), s.tracked_values());
    }
    EXPECT_EQ(s.value_of(copy), 5);
  });
}

TEST_P(deferring, entity_with_values_has_all_or_does_not_exist) {
  if (!GetParam().copies) return;
  at_every_throw([](stage& s) { s.w.defer([&] { s.entity_with(7, 8); }); },
                 [](stage& s) { EXPECT_EQ(s.w.count<mark>(), 1u); });
}

TEST_P(deferring, bulk_makes_all_entities_or_none) {
  if (!GetParam().copies) return;
  at_every_throw([](stage& s) { s.w.defer([&] { s.bulk(3, 7, 2); }); },
                 [](stage& s) { EXPECT_EQ(s.w.count<mark>(), 3u); });
}

TEST_P(deferring, values_of_thousand_commands_arrive) {
  on_every_stage([](stage& s) {
    std::vector<kith::entity> all;
    s.w.defer([&] {
      for (int i = 0; i < 1000; ++i) s.emplace(all.emplace_back(s.w.entity()), i);
    });
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(s.value_of(all[i]), static_cast<int>(i));
  });
}

// What is thrown need not be a std::exception.
struct throws_a_number {
  int value = 0;
  throws_a_number() { throw 5; }
};

TEST(deferring_anything, whatever_a_constructor_throws_only_its_change_is_skipped) {
  kith::world w;
  const kith::entity ann = w.entity(), bob = w.entity();
  w.component<throws_a_number>();
  w.defer_begin();
  ann.add<throws_a_number>();
  bob.add<mark>();
  EXPECT_THROW(w.defer_end(), int);
  EXPECT_TRUE(bob.has<mark>());
}

TEST(deferring_anything, whatever_a_constructor_throws_waits_when_a_visit_is_left_by_a_throw) {
  kith::world w;
  const kith::entity ann = w.entity();
  w.component<throws_a_number>();
  const auto leave_early = [&] {
    w.defer([&] {
      ann.add<throws_a_number>();
      throw std::runtime_error("leaving");
    });
  };
  EXPECT_THROW(leave_early(), std::runtime_error);
  EXPECT_EQ(w.deferred_errors().size(), 1u);
}

}  // namespace
