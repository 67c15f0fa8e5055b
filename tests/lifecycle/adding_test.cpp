// add, set, emplace and ensure: all or nothing, whatever throws.
#include "lifecycle/fixture.hpp"

namespace {

using namespace kith::test;

class adding : public lifecycle {};
INSTANTIATE_TEST_SUITE_P(kinds, adding, ::testing::ValuesIn(every_kind()), kind_name);

TEST_P(adding, add_gives_the_default_value_or_nothing) {
  if (!GetParam().has_default) return;
  const std::size_t throws = at_every_throw([](stage& s) { s.add(s.ann); },
                                            [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
  EXPECT_EQ(throws > 0, GetParam().throws);
}

TEST_P(adding, add_without_a_default_value_is_a_type_error_that_changes_nothing) {
  if (GetParam().has_default) return;
  on_every_stage([](stage& s) {
    const std::string before = s.seen();
    EXPECT_THROW(s.add(s.ann), kith::error);
    EXPECT_THROW(s.ensure(s.ann), kith::error);
    EXPECT_EQ(s.seen(), before);
  });
}

TEST_P(adding, add_of_what_is_there_keeps_the_value) {
  without_a_throw([](stage& s) { s.add(s.bob); },
                  [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TEST_P(adding, set_by_copy_gives_the_value_or_nothing) {
  if (!GetParam().copies) return;
  const std::size_t throws = at_every_throw([](stage& s) { s.set_by_copy(s.ann, 7); },
                                            [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
  EXPECT_EQ(throws > 0, GetParam().throws);
}

TEST_P(adding, set_by_move_gives_the_value_or_nothing) {
  if (!GetParam().moves) return;
  at_every_throw([](stage& s) { s.set_by_move(s.ann, 7); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
}

TEST_P(adding, set_by_copy_replaces_a_value_or_leaves_it) {
  if (!GetParam().copies) return;
  at_every_throw([](stage& s) { s.set_by_copy(s.bob, 7); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TEST_P(adding, set_by_move_replaces_a_value_or_leaves_it) {
  if (!GetParam().moves) return;
  at_every_throw([](stage& s) { s.set_by_move(s.bob, 7); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TEST_P(adding, set_by_pointer_gives_the_value_or_nothing) {
  if (!GetParam().copies) return;
  at_every_throw([](stage& s) { s.set_by_pointer(s.ann, 7); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
}

TEST_P(adding, set_by_pointer_replaces_a_value_or_leaves_it) {
  if (!GetParam().copies) return;
  at_every_throw([](stage& s) { s.set_by_pointer(s.bob, 7); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TEST_P(adding, set_by_pointer_of_what_cannot_be_copied_is_a_type_error) {
  if (GetParam().copies) return;
  on_every_stage([](stage& s) { EXPECT_THROW(s.set_by_pointer(s.ann, 7), kith::error); });
}

TEST_P(adding, emplace_constructs_the_value_in_its_place_or_nothing) {
  const std::size_t throws = at_every_throw([](stage& s) { s.emplace(s.ann, 7); },
                                            [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 7); });
  EXPECT_EQ(throws > 0, GetParam().throws);
}

TEST_P(adding, emplace_replaces_a_value_or_leaves_it) {
  at_every_throw([](stage& s) { s.emplace(s.bob, 7); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 7); });
}

TEST_P(adding, ensure_gives_the_default_value_or_nothing) {
  if (!GetParam().has_default) return;
  at_every_throw([](stage& s) { s.ensure(s.ann); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.ann), 0); });
}

TEST_P(adding, ensure_of_what_is_there_gives_its_value) {
  without_a_throw([](stage& s) { EXPECT_EQ(s.ensure(s.bob), 5); },
                  [](stage& s) { EXPECT_EQ(s.value_of(s.bob), 5); });
}

TEST_P(adding, pair_with_a_value_comes_whole_or_not_at_all) {
  at_every_throw([](stage& s) { s.emplace_apples(s.bob, 8); },
                 [](stage& s) {
                   EXPECT_EQ(s.value_of(s.bob, s.the_apples()), 8);
                   EXPECT_EQ(s.value_of(s.bob), 5);
                 });
}

TEST_P(adding, value_of_a_pair_can_come_from_its_target) {
  at_every_throw([](stage& s) { s.emplace_second(s.bob, 8); },
                 [](stage& s) {
                   EXPECT_EQ(s.w.pair(s.the_apples(), s.type()).type_id(), s.type());
                   EXPECT_TRUE(s.bob.has(s.the_apples(), s.type()));
                 });
}

TEST_P(adding, singleton_comes_whole_or_not_at_all) {
  if (!GetParam().moves) return;
  at_every_throw([](stage& s) { s.set_singleton(9); },
                 [](stage& s) { EXPECT_EQ(s.value_of(s.type()), 9); });
}

TEST_P(adding, value_that_is_off_can_be_set_and_stays_off) {
  on_every_stage([](stage& s) {
    s.bob.disable(s.type());
    s.emplace(s.bob, 7);
    EXPECT_EQ(s.value_of(s.bob), stage::none);
    s.bob.enable(s.type());
    EXPECT_EQ(s.value_of(s.bob), 7);
  });
}

}  // namespace
