// clone, bulk and entity(values...): many values at once, all or nothing; and values given by a
// reference into the storage that grows to take their copy.
#include <type_traits>
#include <vector>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

template <class T>
class copying : public lifecycle<T> {};
TYPED_TEST_SUITE(copying, copyable_kind, kind_names);

TYPED_TEST(copying, clone_has_all_values_or_does_not_exist) {
  using T = TypeParam;
  const std::size_t throws = this->at_every_throw(
      [](auto& s) { s.bob.clone(); },
      [](auto& s) {
        const kith::entity copy = s.bob.clone();
        EXPECT_EQ(s.value_of(copy), 5);
        EXPECT_EQ(copy.template get<witness>()->value(), 1);
      });
  EXPECT_GT(throws, 0u) << "of " << kith::core::type_name<T>();
}

TYPED_TEST(copying, clone_of_pairs_has_all_their_values_or_does_not_exist) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.bob.template emplace<kith::pair<T, apples>>(1);
    s.bob.template emplace<kith::pair<T, pears>>(2);
    const std::size_t living = ledger::living();
    const std::size_t entities = s.w.entity_count();
    for (std::size_t nth = 1;; ++nth) {
      ledger::throw_at(nth);
      try {
        const kith::entity copy = s.bob.clone();
        ledger::throw_at(0);
        EXPECT_EQ((copy.template get<T, apples>()->value()), 1);
        EXPECT_EQ((copy.template get<T, pears>()->value()), 2);
        break;
      } catch (const planned_throw&) {
        ledger::throw_at(0);
        EXPECT_EQ(ledger::living(), living);
        EXPECT_EQ(s.w.entity_count(), entities);
      }
    }
  });
}

TYPED_TEST(copying, clone_into_an_entity_gives_it_everything_or_nothing) {
  this->at_every_throw(
      [](auto& s) {
        const kith::entity into = s.w.entity("copy");
        s.w.entity("copy").clear();
        try {
          s.bob.clone(true, into);
        } catch (...) {
          EXPECT_EQ(into.type().count(), 0u);
          into.destruct();
          throw;
        }
      },
      [](auto& s) { EXPECT_EQ(s.value_of(s.w.lookup("ship::copy")), 5); });
}

TYPED_TEST(copying, clone_without_values_has_default_ones_or_does_not_exist) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.bob.clone(false); },
                         [](auto& s) { EXPECT_EQ(s.value_of(s.bob.clone(false)), 0); });
}

TYPED_TEST(copying, entity_with_values_has_all_or_does_not_exist) {
  using T = TypeParam;
  const std::size_t throws = this->at_every_throw(
      [](auto& s) {
        const T value{7};
        const witness other{8};
        s.w.entity(other, value, mark{});
      },
      [](auto& s) {
        const kith::entity e = s.w.entity(T{7}, witness{8}, mark{});
        EXPECT_EQ(s.value_of(e), 7);
        EXPECT_EQ(e.template get<witness>()->value(), 8);
        EXPECT_TRUE(e.template has<mark>());
      });
  EXPECT_GT(throws, 0u);
}

TYPED_TEST(copying, entity_with_values_in_a_scope_leaves_no_child_when_it_throws) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        s.ship.scope([&] {
          const T value{7};
          s.w.entity(value, witness{8});
        });
      },
      [](auto&) {});
}

TYPED_TEST(copying, bulk_of_one_value_makes_all_entities_or_none) {
  using T = TypeParam;
  const std::size_t throws = this->at_every_throw(
      [](auto& s) { s.w.bulk(5, witness{3}, T{7}, mark{}); },
      [](auto& s) {
        for (kith::entity e : s.w.bulk(5, witness{3}, T{7}, mark{})) {
          EXPECT_EQ(s.value_of(e), 7);
          EXPECT_EQ(e.template get<witness>()->value(), 3);
        }
      });
  EXPECT_GT(throws, 0u);
}

TYPED_TEST(copying, bulk_of_many_values_gives_each_entity_its_own) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        std::vector<T> values;
        values.reserve(5);
        for (int i = 0; i < 5; ++i) values.push_back(T{i});
        s.w.bulk(5, values, witness{3});
      },
      [](auto& s) {
        std::vector<T> values;
        for (int i = 0; i < 5; ++i) values.push_back(T{i});
        const auto made = s.w.bulk(5, values);
        for (int i = 0; i < 5; ++i)
          EXPECT_EQ(s.value_of(made[static_cast<std::size_t>(i)]), i);
      });
}

TYPED_TEST(copying, bulk_of_none_makes_none) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    const std::string before = s.seen();
    EXPECT_TRUE(s.w.bulk(0, T{7}).empty());
    EXPECT_TRUE(s.w.bulk(0, std::vector<T>()).empty());
    EXPECT_EQ(s.seen(), before);
  });
}

TYPED_TEST(copying, set_ptr_copies_the_value_or_changes_nothing) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        const T value{7};
        s.ann.set_ptr(s.w.template id<T>(), &value);
      },
      [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
}

TYPED_TEST(copying, set_ptr_replaces_the_value_or_changes_nothing) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        const T value{7};
        s.bob.set_ptr(s.w.template id<T>(), &value);
      },
      [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

// --- values that are in the storage themselves ---------------------------------------------------

// Often enough that tables and pools grow in the middle.
constexpr int times = 20;

TYPED_TEST(copying, value_of_another_entity_can_be_set) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(s.value_of(s.w.entity().set(*s.bob.template get<T>())), 5);
  });
}

TYPED_TEST(copying, value_of_another_entity_can_be_emplaced) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(s.value_of(s.w.entity().template emplace<T>(*s.bob.template get<T>())), 5);
  });
}

TYPED_TEST(copying, value_of_another_entity_can_begin_a_new_one) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(s.value_of(s.w.entity(*s.bob.template get<T>(), witness{2})), 5);
  });
}

TYPED_TEST(copying, value_of_another_entity_can_begin_many_new_ones) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    for (kith::entity e : s.w.bulk(times, *s.bob.template get<T>())) EXPECT_EQ(s.value_of(e), 5);
  });
}

TYPED_TEST(copying, values_of_other_entities_can_begin_many_new_ones) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    const auto first = s.w.bulk(4, T{5});
    const std::span<const T> values(first[0].template get<T>(), 1);
    for (int i = 0; i < times; ++i) EXPECT_EQ(s.value_of(s.w.bulk(1, values)[0]), 5);
  });
}

TYPED_TEST(copying, value_of_another_entity_can_be_set_by_pointer) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    const kith::id id = s.w.template id<T>();
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(s.value_of(s.w.entity().set_ptr(id, s.bob.get(id))), 5);
  });
}

TYPED_TEST(copying, value_of_an_entity_can_be_set_on_itself) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.bob.set(*s.bob.template get<T>());
    EXPECT_EQ(s.value_of(s.bob), 5);
    s.bob.template emplace<T>(*s.bob.template get<T>());
    EXPECT_EQ(s.value_of(s.bob), 5);
  });
}

TYPED_TEST(copying, value_of_a_component_can_become_the_value_of_a_pair_of_the_same_entity) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.bob.template emplace<kith::pair<T, apples>>(*s.bob.template get<T>());
    EXPECT_EQ((s.bob.template get<T, apples>()->value()), 5);
  });
}

TYPED_TEST(copying, clones_can_be_made_while_the_storage_grows) {
  this->on_every_stage([](auto& s) {
    for (int i = 0; i < times; ++i) EXPECT_EQ(s.value_of(s.bob.clone()), 5);
  });
}

// --- types that cannot be copied -----------------------------------------------------------------

template <class T>
class not_copying : public lifecycle<T> {};
using not_copyable_kind = ::testing::Types<move_only, immovable>;
TYPED_TEST_SUITE(not_copying, not_copyable_kind, kind_names);

TYPED_TEST(not_copying, clone_is_a_type_error_that_changes_nothing) {
  this->on_every_stage([](auto& s) {
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

TYPED_TEST(not_copying, clone_without_values_has_default_ones) {
  this->on_every_stage([](auto& s) { EXPECT_EQ(s.value_of(s.bob.clone(false)), 0); });
}

TYPED_TEST(not_copying, set_ptr_is_a_type_error) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    const T value{7};
    EXPECT_THROW(s.ann.set_ptr(s.w.template id<T>(), &value), kith::error);
  });
}

}  // namespace
