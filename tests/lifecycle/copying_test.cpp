// clone, bulk and entity(values...): many values at once, all or nothing; and values given by a
// reference into the storage that grows to take their copy.
#include <string>
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

class copying : public lifecycle {};
INSTANTIATE_TEST_SUITE_P(kinds, copying, ::testing::ValuesIn(kinds_that(&kind::copies)), kind_name);

TEST_P(copying, clone_has_all_values_or_does_not_exist) {
  const std::size_t throws = at_every_throw([](stage& s) { s.bob.clone(); },
                                            [](stage& s) {
                                              const kith::entity copy = s.bob.clone();
                                              EXPECT_EQ(s.value_of(copy), 5);
                                              EXPECT_EQ(s.witness_of(copy), 1);
                                            });
  EXPECT_GT(throws, 0u);
}

TEST_P(copying, clone_of_pairs_has_all_their_values) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 1);
    s.emplace_pears(s.bob, 2);
    const kith::entity copy = s.bob.clone();
    EXPECT_EQ(s.value_of(copy, s.the_apples()), 1);
    EXPECT_EQ(s.value_of(copy, s.the_pears()), 2);
    EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

TEST_P(copying, clone_of_pairs_that_throws_leaves_no_entity) {
  on_every_stage([](stage& s) {
    s.emplace_apples(s.bob, 1);
    s.emplace_pears(s.bob, 2);
    const std::string before = s.seen();
    for (std::size_t nth = 1; s.seen() == before; ++nth) {
      ledger::throw_at(nth);
      try {
        s.bob.clone();
      } catch (const planned_throw&) {
      }
      ledger::throw_at(0);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    }
  });
}

TEST_P(copying, clone_into_an_entity_gives_it_everything_or_nothing) {
  on_every_stage([](stage& s) {
    const kith::entity into = s.w.entity("copy");
    const std::string before = s.seen();
    for (std::size_t nth = 1; s.seen() == before; ++nth) {
      ledger::throw_at(nth);
      try {
        s.bob.clone(true, into);
      } catch (const planned_throw&) {
      }
      ledger::throw_at(0);
      EXPECT_EQ(ledger::living(), s.tracked_values());
    }
    EXPECT_EQ(s.value_of(into), 5);
    EXPECT_EQ(into.path(), "ship::copy");
  });
}

TEST_P(copying, clone_without_values_has_default_ones_or_does_not_exist) {
  if (!GetParam().has_default) return;
  at_every_throw([](stage& s) { s.bob.clone(false); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob.clone(false)), 0); });
}

TEST_P(copying, entity_with_values_has_all_or_does_not_exist) {
  const std::size_t throws = at_every_throw([](stage& s) { s.entity_with(7, 8); },
                                            [](stage& s) {
                                              const kith::entity e = s.entity_with(7, 8);
                                              EXPECT_EQ(s.value_of(e), 7);
                                              EXPECT_EQ(s.witness_of(e), 8);
                                              EXPECT_TRUE(e.has<mark>());
                                            });
  EXPECT_GT(throws, 0u);
}

TEST_P(copying, entity_with_values_in_a_scope_leaves_no_child_when_it_throws) {
  at_every_throw([](stage& s) { s.ship.scope([&] { s.entity_with(7, 8); }); },
                 [](stage& s) { EXPECT_EQ(s.w.count(kith::ChildOf, s.ship), 3u); });
}

TEST_P(copying, bulk_of_one_value_makes_all_entities_or_none) {
  const std::size_t throws = at_every_throw([](stage& s) { s.bulk(5, 7, 3); },
                                            [](stage& s) {
                                              for (kith::entity e : s.bulk(5, 7, 3)) {
                                                EXPECT_EQ(s.value_of(e), 7);
                                                EXPECT_EQ(s.witness_of(e), 3);
                                              }
                                            });
  EXPECT_GT(throws, 0u);
}

TEST_P(copying, bulk_of_many_values_gives_each_entity_its_own) {
  at_every_throw(
      [](stage& s) {
        s.bulk_each({1, 2, 3, 4, 5});
      },
      [](stage& s) {
        const auto made = s.bulk_each({1, 2, 3});
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(s.value_of(made[i]), static_cast<int>(i) + 1);
      });
}

TEST_P(copying, bulk_of_none_makes_none) {
  on_every_stage([](stage& s) {
    const std::string before = s.seen();
    EXPECT_TRUE(s.bulk(0, 7, 3).empty());
    EXPECT_TRUE(s.bulk_each({}).empty());
    EXPECT_EQ(s.seen(), before);
  });
}

// --- values that are in the storage themselves ---------------------------------------------------

// Often enough that tables and pools grow in the middle.
constexpr int times = 20;

TEST_P(copying, value_of_another_entity_can_be_set) {
  on_every_stage([](stage& s) {
    for (int i = 0; i < times; ++i) {
      const kith::entity e = s.w.entity();
      s.set_from(e, s.bob);
      ASSERT_EQ(s.value_of(e), 5);
    }
  });
}

TEST_P(copying, value_of_another_entity_can_be_emplaced) {
  on_every_stage([](stage& s) {
    for (int i = 0; i < times; ++i) {
      const kith::entity e = s.w.entity();
      s.emplace_from(e, s.bob);
      ASSERT_EQ(s.value_of(e), 5);
    }
  });
}

TEST_P(copying, value_of_another_entity_can_be_set_by_pointer) {
  on_every_stage([](stage& s) {
    for (int i = 0; i < times; ++i) {
      const kith::entity e = s.w.entity().set_ptr(s.type(), s.bob.get(s.type()));
      ASSERT_EQ(s.value_of(e), 5);
    }
  });
}

TEST_P(copying, value_of_another_entity_can_begin_a_new_one) {
  on_every_stage([](stage& s) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(s.value_of(s.entity_from(s.bob)), 5);
  });
}

TEST_P(copying, value_of_another_entity_can_begin_many_new_ones) {
  on_every_stage([](stage& s) {
    for (kith::entity e : s.bulk_from(times, s.bob)) ASSERT_EQ(s.value_of(e), 5);
  });
}

TEST_P(copying, span_over_values_of_the_storage_can_begin_new_entities) {
  on_every_stage([](stage& s) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(s.value_of(s.bulk_from_span(s.bob)), 5);
  });
}

TEST_P(copying, value_of_an_entity_can_be_set_on_itself) {
  on_every_stage([](stage& s) {
    s.set_from(s.bob, s.bob);
    EXPECT_EQ(s.value_of(s.bob), 5);
    s.emplace_from(s.bob, s.bob);
    EXPECT_EQ(s.value_of(s.bob), 5);
  });
}

TEST_P(copying, value_of_a_component_can_become_that_of_a_pair_of_the_same_entity) {
  on_every_stage([](stage& s) {
    s.emplace_apples_from(s.bob, s.bob);
    EXPECT_EQ(s.value_of(s.bob, s.the_apples()), 5);
  });
}

TEST_P(copying, clones_can_be_made_while_the_storage_grows) {
  on_every_stage([](stage& s) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(s.value_of(s.bob.clone()), 5);
  });
}

// --- types that cannot be copied -----------------------------------------------------------------

class not_copying : public lifecycle {};
INSTANTIATE_TEST_SUITE_P(kinds, not_copying, ::testing::ValuesIn(kinds_that(&kind::copies, false)),
                         kind_name);

TEST_P(not_copying, clone_is_a_type_error_that_changes_nothing) {
  on_every_stage([](stage& s) {
    const std::string before = s.seen();
    try {
      s.bob.clone();
      FAIL() << "no error";
    } catch (const kith::error& e) {
      EXPECT_EQ(e.code(), kith::errc::type);
    }
    EXPECT_EQ(s.seen(), before);
  });
}

TEST_P(not_copying, clone_without_values_has_default_ones) {
  on_every_stage([](stage& s) { EXPECT_EQ(s.value_of(s.bob.clone(false)), 0); });
}

}  // namespace
