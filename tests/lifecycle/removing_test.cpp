// Whatever takes values away destroys each of them once, and no others.
#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

template <class T>
class removing : public lifecycle<T> {};
TYPED_TEST_SUITE(removing, every_kind, kind_names);

TYPED_TEST(removing, remove_takes_the_value) {
  using T = TypeParam;
  this->without_a_throw([](auto& s) { s.bob.template remove<T>(); },
                        [](auto& s) {
                          EXPECT_EQ(s.value_of(s.bob), -9);
                          EXPECT_EQ(s.bob.template get<witness>()->value(), 1);
                        });
}

TYPED_TEST(removing, remove_of_a_neighbour_keeps_the_value) {
  this->without_a_throw([](auto& s) { s.bob.template remove<witness>(); },
                        [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(removing, remove_by_a_pattern_takes_all_that_match) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        s.ann.template emplace<kith::pair<T, apples>>(1);
        s.ann.template remove<T>(kith::Wildcard);
      },
      [](auto& s) { EXPECT_EQ(s.ann.type().str(), "(ChildOf, ship)"); });
}

TYPED_TEST(removing, clear_takes_all_values) {
  this->without_a_throw([](auto& s) { s.bob.clear(); },
                        [](auto& s) { EXPECT_EQ(s.bob.type().count(), 0u); });
}

TYPED_TEST(removing, destruct_takes_all_values) {
  this->without_a_throw([](auto& s) { s.bob.destruct(); },
                        [](auto& s) { EXPECT_FALSE(s.bob.is_alive()); });
}

TYPED_TEST(removing, destruct_of_a_parent_takes_the_values_of_its_children) {
  this->without_a_throw([](auto& s) { s.ship.destruct(); },
                        [](auto& s) { EXPECT_FALSE(s.bob.is_alive()); });
}

TYPED_TEST(removing, deleting_the_type_takes_all_its_values) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
      s.bob.template emplace<kith::pair<T, apples>>(2);
      s.bob.template emplace<kith::pair<pears, T>>(3);
      s.w.template entity<T>().destruct();
      EXPECT_EQ(ledger::living(), 1u);  // the witness
      EXPECT_EQ(s.bob.type().count(), 2u) << s.bob.type().str();
  });
}

TYPED_TEST(removing, type_can_be_used_again_after_it_was_deleted) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
      s.w.template entity<T>().destruct();
      s.bob.template emplace<T>(6);
      EXPECT_EQ(s.value_of(s.bob), 6);
      EXPECT_EQ(s.w.template count<T>(), 1u);
  });
}

TYPED_TEST(removing, deleting_a_target_takes_the_values_of_its_pairs) {
  using T = TypeParam;
  this->at_every_throw(
      [](auto& s) {
        s.bob.template emplace<kith::pair<T, apples>>(2);
        s.w.template entity<apples>().destruct();
        s.w.template component<apples>();
      },
      [](auto& s) { EXPECT_FALSE(s.bob.template has<T>(kith::Wildcard)); });
}

TYPED_TEST(removing, remove_all_takes_the_values_of_everyone) {
  using T = TypeParam;
  this->without_a_throw([](auto& s) { s.w.template remove_all<T>(); },
                        [](auto& s) { EXPECT_EQ(s.w.template count<T>(), 0u); });
}

TYPED_TEST(removing, delete_with_takes_the_entities_and_their_values) {
  using T = TypeParam;
  this->without_a_throw([](auto& s) { s.w.template delete_with<T>(); },
                        [](auto& s) {
                          EXPECT_FALSE(s.bob.is_alive());
                          EXPECT_TRUE(s.ann.is_alive());
                        });
}

TYPED_TEST(removing, end_of_the_world_takes_what_is_left) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
      s.bob.template emplace<kith::pair<T, apples>>(2);
      s.w.template entity<T>().template emplace<T>(3);
  });
}

TYPED_TEST(removing, end_of_the_world_takes_values_that_still_wait) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
      s.w.defer_begin();
      s.ann.template emplace<T>(2);
      s.bob.template emplace<T>(3);
      s.ann.template emplace<kith::pair<T, apples>>(2);
  });
}

TYPED_TEST(removing, many_come_and_go_in_any_order) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
      std::vector<kith::entity> all;
      for (int i = 0; i < 60; ++i) all.push_back(s.w.entity().template emplace<T>(i));
      for (std::size_t i = 0; i < all.size(); i += 2) all[i].template remove<T>();
      for (std::size_t i = 1; i < all.size(); i += 4) all[i].destruct();
      for (std::size_t i = 3; i < all.size(); i += 4)
        EXPECT_EQ(s.value_of(all[i]), static_cast<int>(i));
      EXPECT_EQ(ledger::living(), s.tracked_values());
  });
}

}  // namespace
