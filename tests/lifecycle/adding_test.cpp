// add, set, emplace and ensure: all or nothing, whatever throws.
#include <type_traits>

#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

template <class T>
class adding : public lifecycle<T> {};
TYPED_TEST_SUITE(adding, every_kind, kind_names);

TYPED_TEST(adding, add_gives_the_default_value_or_nothing) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>) {
    const std::size_t throws = this->at_every_throw([](auto& s) { s.ann.template add<T>(); },
                                                    [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
    EXPECT_EQ(throws > 0, is_tracked<T>);
  }
}

TYPED_TEST(adding, add_without_a_default_value_is_a_type_error_that_changes_nothing) {
  using T = TypeParam;
  if constexpr (!std::is_default_constructible_v<T>)
    this->on_every_stage([](auto& s) {
      const std::string before = s.seen();
      EXPECT_THROW(s.ann.template add<T>(), kith::error);
      EXPECT_THROW(s.ann.template ensure<T>(), kith::error);
      EXPECT_EQ(s.seen(), before);
    });
}

TYPED_TEST(adding, add_of_what_is_there_keeps_the_value) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->without_a_throw([](auto& s) { s.bob.template add<T>(); },
                          [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(adding, set_by_copy_gives_the_value_or_nothing) {
  using T = TypeParam;
  if constexpr (std::is_copy_constructible_v<T>) {
    const std::size_t throws = this->at_every_throw(
        [](auto& s) {
          const T value{7};
          s.ann.set(value);
        },
        [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
    EXPECT_EQ(throws > 0, is_tracked<T>);
  }
}

TYPED_TEST(adding, set_by_move_gives_the_value_or_nothing) {
  using T = TypeParam;
  if constexpr (std::is_move_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.ann.set(T{7}); },
                         [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
}

TYPED_TEST(adding, set_by_copy_replaces_a_value_or_leaves_it) {
  using T = TypeParam;
  if constexpr (std::is_copy_constructible_v<T>)
    this->at_every_throw(
        [](auto& s) {
          const T value{7};
          s.bob.set(value);
        },
        [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TYPED_TEST(adding, set_by_move_replaces_a_value_or_leaves_it) {
  using T = TypeParam;
  if constexpr (std::is_move_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.bob.set(T{7}); },
                         [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TYPED_TEST(adding, emplace_constructs_the_value_in_its_place_or_nothing) {
  using T = TypeParam;
  const std::size_t throws =
      this->at_every_throw([](auto& s) { s.ann.template emplace<T>(7); },
                           [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
  EXPECT_EQ(throws > 0, is_tracked<T>);
}

TYPED_TEST(adding, emplace_replaces_a_value_or_leaves_it) {
  using T = TypeParam;
  this->at_every_throw([](auto& s) { s.bob.template emplace<T>(7); },
                       [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TYPED_TEST(adding, ensure_gives_the_default_value_or_nothing) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.ann.template ensure<T>(); },
                         [](auto& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
}

TYPED_TEST(adding, ensure_of_what_is_there_gives_its_value) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->without_a_throw([](auto& s) { EXPECT_EQ(s.bob.template ensure<T>().value(), 5); },
                          [](auto& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TYPED_TEST(adding, ensure_gives_the_address_that_get_gives) {
  using T = TypeParam;
  if constexpr (std::is_default_constructible_v<T>)
    this->without_a_throw([](auto&) {},
                          [](auto& s) {
                            const T* made = &s.ann.template ensure<T>();
                            EXPECT_EQ(made, s.ann.template get<T>());
                          });
}

TYPED_TEST(adding, pair_with_a_value_comes_whole_or_not_at_all) {
  using T = TypeParam;
  using pair = kith::pair<T, apples>;
  this->at_every_throw([](auto& s) { s.bob.template emplace<pair>(8); },
                       [](auto& s) {
                         EXPECT_EQ(s.bob.template get<pair>()->value(), 8);
                         EXPECT_EQ(s.value_of(s.bob), 5);
                       });
}

TYPED_TEST(adding, value_of_a_pair_can_come_from_its_target) {
  using T = TypeParam;
  using pair = kith::pair<apples, T>;
  this->at_every_throw([](auto& s) { s.bob.template emplace<pair>(8); },
                       [](auto& s) { EXPECT_EQ(s.bob.template get<pair>()->value(), 8); });
}

TYPED_TEST(adding, singleton_comes_whole_or_not_at_all) {
  using T = TypeParam;
  if constexpr (std::is_move_constructible_v<T>)
    this->at_every_throw([](auto& s) { s.w.set(T{9}); },
                         [](auto& s) { EXPECT_EQ(s.w.template get<T>()->value(), 9); });
}

TYPED_TEST(adding, value_that_is_off_can_be_set_and_stays_off) {
  using T = TypeParam;
  this->on_every_stage([](auto& s) {
    s.bob.template disable<T>();
    s.bob.template emplace<T>(7);
    EXPECT_EQ(s.bob.template get<T>(), nullptr);
    EXPECT_EQ(s.bob.template get_mut<T>()->value(), 7);
  });
}

}  // namespace
