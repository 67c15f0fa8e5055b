// Values of components and pairs, and which pairs have one.
#include <memory>
#include <string>
#include <utility>

#include "storage_never_shows/fixture.hpp"

namespace {

using namespace storage_tests;

// Not trivial, so that a value that is lost, doubled or copied byte by byte shows.
struct Text {
  std::string s = "none";
};
struct MoveOnly {
  std::unique_ptr<int> p = std::make_unique<int>(5);
};
// Cannot move: kept in a box.
struct Fixed {
  explicit Fixed(int v = 3) : n(v) {}
  Fixed(const Fixed&) = delete;
  Fixed& operator=(const Fixed&) = delete;
  int n;
};

class values_in_any_storage : public any_storage {
 protected:
  const thing number = component<Number>(), other = component<Other>(), eats = component<Eats>();
  const thing begin = component<Begin>(), end = component<End>();
  const thing likes = relation("Likes");
  const thing apples = entity("apples"), pears = entity("pears"), bob = entity("bob"),
              cyd = entity("cyd");
};
INSTANTIATE_TEST_SUITE_P(, values_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// --- which type ----------------------------------------------------------------------------------

// R41
TEST_P(values_in_any_storage, pair_of_two_plain_entities_is_a_tag) {
  EXPECT_FALSE(world->pair(likes, apples).type_id());
  bob->add(likes, apples);
  EXPECT_EQ(bob->get(likes, apples), nullptr);
  EXPECT_THROW(bob->ensure(world->pair(likes, apples)), kith::error);
}

// R42 M2 C6
TEST_P(values_in_any_storage, pair_of_a_relation_that_is_a_tag_has_no_value_whatever_the_target) {
  likes->add(kith::PairIsTag);
  bob->add(likes, number);
  EXPECT_FALSE(world->pair(likes, number).type_id());
  EXPECT_EQ(bob->get(likes, number), nullptr);
  EXPECT_EQ(line_of(bob), "bob: (Likes, Number)");
}

// R43
TEST_P(values_in_any_storage, first_type_decides) {
  bob->set<Eats>(apples, {2});
  EXPECT_EQ(world->pair(eats, apples).type_id(), eats);
  EXPECT_EQ(bob->get<Eats>(apples)->n, 2);
  bob->set<Eats, Number>({3});
  EXPECT_EQ((world->pair<Eats, Number>().type_id()), eats);
  EXPECT_EQ((bob->get<Eats, Number>()->n), 3);
  EXPECT_EQ(bob->get<Eats>(apples)->n, 2);
}

// R44
TEST_P(values_in_any_storage, second_type_decides_if_the_first_is_none) {
  bob->set_second<Number>(likes, {4});
  EXPECT_EQ(world->pair(likes, number).type_id(), number);
  EXPECT_EQ(bob->get_second<Number>(likes)->n, 4);
}

TEST_P(values_in_any_storage, type_without_members_does_not_count) {
  bob->set<Begin, Number>({1});
  bob->set<End, Number>({2});
  bob->set(Number{3});
  EXPECT_EQ((bob->get<Begin, Number>()->n), 1);
  EXPECT_EQ((bob->get<End, Number>()->n), 2);
  EXPECT_EQ(bob->get<Number>()->n, 3);
  EXPECT_EQ((world->pair<Begin, End>().type_id()), kith::entity());
}

TEST_P(values_in_any_storage, value_of_another_type_is_refused) {
  bob->set<Eats>(apples, {2});
  expect_refused(kith::errc::type, {"Eats", "Number"}, [&] { bob->set_second<Number>(eats, {4}); });
  bob->add(eats, number);
  EXPECT_THROW(bob->get_second<Number>(eats), kith::error);
}

// --- values that stay with their id --------------------------------------------------------------

// R48 R52
TEST_P(values_in_any_storage, each_pair_has_a_value_of_its_own) {
  bob->set<Eats>(apples, {1});
  bob->set<Eats>(pears, {2});
  cyd->set<Eats>(apples, {3});
  bob->get_mut<Eats>(pears)->n = 5;
  EXPECT_EQ(bob->get<Eats>(apples)->n, 1);
  EXPECT_EQ(bob->get<Eats>(pears)->n, 5);
  EXPECT_EQ(cyd->get<Eats>(apples)->n, 3);
  EXPECT_EQ(line_of(bob), "bob: (Eats, apples)=1, (Eats, pears)=5");
}

TEST_P(values_in_any_storage, added_value_is_the_default_one) {
  bob->add<Other>();
  bob->add<Other>(apples);
  EXPECT_EQ(bob->get<Other>()->n, 7);
  EXPECT_EQ(bob->get<Other>(apples)->n, 7);
  bob->set(Other{1});
  bob->add<Other>();
  EXPECT_EQ(bob->get<Other>()->n, 1);
}

TEST_P(values_in_any_storage, ensure_adds_once_and_then_shows_the_same_value) {
  bob->ensure<Other>(apples).n += 1;
  bob->ensure<Other>(apples).n += 1;
  EXPECT_EQ(bob->get<Other>(apples)->n, 9);
  EXPECT_EQ(line_of(bob), "bob: (Other, apples)=9");
}

TEST_P(values_in_any_storage, value_goes_with_the_pair) {
  bob->set<Eats>(apples, {1});
  bob->set<Eats>(pears, {2});
  bob->remove<Eats>(apples);
  EXPECT_EQ(bob->get<Eats>(apples), nullptr);
  EXPECT_EQ(bob->get_mut<Eats>(apples), nullptr);
  EXPECT_EQ(bob->get<Eats>(pears)->n, 2);
  bob->add<Eats>(apples);
  EXPECT_EQ(bob->get<Eats>(apples)->n, 0);
}

TEST_P(values_in_any_storage, at_is_an_error_where_nothing_is) {
  bob->set<Eats>(apples, {1});
  EXPECT_EQ(bob->at<Eats>(apples).n, 1);
  EXPECT_EQ(message_of([&] { bob->at<Eats>(pears); }), "bob has no (Eats, pears)");
  EXPECT_THROW(bob->at<Number>(), kith::error);
}

TEST_P(values_in_any_storage, values_with_constructors_survive_all_changes) {
  component<Text>();
  std::vector<thing> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(entity());
    all.back()->set(Text{"text number " + std::to_string(i) + " of this world"});
    all.back()->set<Text>(apples, {std::to_string(i)});
    if (i % 2) all.back()->add(likes, pears);
    if (i % 3) all.back()->set(Number{i});
  }
  for (std::size_t i = 0; i < 20; i += 4) all[i]->destruct();
  for (std::size_t i = 0; i < 20; ++i) {
    if (i % 4 == 0) continue;
    ASSERT_EQ(all[i]->get<Text>()->s, "text number " + std::to_string(i) + " of this world");
    ASSERT_EQ(all[i]->get<Text>(apples)->s, std::to_string(i));
    const Number* n = all[i]->get<Number>();
    ASSERT_EQ(n ? n->n : 0, i % 3 ? static_cast<int>(i) : 0);
    all[i]->remove<Text>();
    ASSERT_EQ(all[i]->get<Text>(apples)->s, std::to_string(i));
  }
  world->remove_all(world->pair<Text>(apples));
  EXPECT_EQ(world->count(world->pair<Text>(apples)), 0u);
}

TEST_P(values_in_any_storage, values_that_cannot_be_copied_or_moved_are_kept_too) {
  component<MoveOnly>();
  component<Fixed>();
  bob->add<MoveOnly>();
  bob->emplace<Fixed>(8);
  bob->emplace<kith::pair<Fixed, Begin>>(9);
  *bob->get_mut<MoveOnly>()->p = 6;
  bob->add(likes, apples);
  bob->remove(likes, apples);
  EXPECT_EQ(*bob->get<MoveOnly>()->p, 6);
  EXPECT_EQ(bob->get<Fixed>()->n, 8);
  EXPECT_EQ((bob->get<Fixed, Begin>()->n), 9);
}

TEST_P(values_in_any_storage, new_entity_can_be_given_values_at_once) {
  const thing ann = as_thing(world->entity(Number{1}, Other{2}, Begin{}));
  EXPECT_EQ(ann->get<Number>()->n, 1);
  EXPECT_EQ(ann->get<Other>()->n, 2);
  EXPECT_TRUE(ann->has<Begin>());
  const auto many = world->bulk(3, Begin{}, std::vector<Number>{{1}, {2}, {3}});
  EXPECT_EQ(world->count<Begin>(), 4u);
  EXPECT_EQ(as_thing(many[2])->get<Number>()->n, 3);
}

// --- PairIsTag, early and late -------------------------------------------------------------------

TEST_P(values_in_any_storage, pair_is_tag_is_refused_where_a_value_would_be_lost) {
  bob->set<Eats>(apples, {2});
  expect_refused(kith::errc::constraint, {"Eats", "bob", "(Eats, apples)"},
                 [&] { eats->add(kith::PairIsTag); });
  EXPECT_EQ(bob->get<Eats>(apples)->n, 2);
}

TEST_P(values_in_any_storage, pair_is_tag_is_refused_where_the_target_gave_the_value) {
  bob->set_second<Number>(likes, {2});
  expect_refused(kith::errc::constraint, {"Likes", "bob", "(Likes, Number)"},
                 [&] { likes->add(kith::PairIsTag); });
}

TEST_P(values_in_any_storage, pair_is_tag_is_allowed_where_no_pair_has_a_value) {
  bob->add(likes, apples);
  likes->add(kith::PairIsTag);
  bob->add(likes, number);
  EXPECT_EQ(bob->get(likes, number), nullptr);
}

TEST_P(values_in_any_storage, pair_is_tag_cannot_be_taken_where_a_value_would_be_invented) {
  eats->add(kith::PairIsTag);
  bob->add(eats, apples);
  expect_refused(kith::errc::constraint, {"Eats", "bob", "(Eats, apples)"},
                 [&] { eats->remove(kith::PairIsTag); });
}

TEST_P(values_in_any_storage, pair_that_left_follows_pair_is_tag) {
  bob->set<Eats>(apples, {2});
  bob->remove<Eats>(apples);
  eats->add(kith::PairIsTag);
  bob->add(eats, apples);
  EXPECT_EQ(bob->get(eats, apples), nullptr);
  bob->remove(eats, apples);
  eats->remove(kith::PairIsTag);
  bob->set<Eats>(apples, {3});
  EXPECT_EQ(bob->get<Eats>(apples)->n, 3);
}

TEST_P(values_in_any_storage, pair_is_tag_leaves_the_component_itself_its_values) {
  bob->set(Eats{4});
  eats->add(kith::PairIsTag);
  EXPECT_EQ(bob->get<Eats>()->n, 4);
  bob->add(eats, apples);
  bob->set(Eats{5});
  EXPECT_EQ(line_of(bob), "bob: Eats=5, (Eats, apples)");
}

TEST_P(values_in_any_storage, id_in_use_as_a_tag_cannot_become_a_type) {
  bob->add(likes, apples);
  expect_refused(kith::errc::type, {"Likes"}, [&] {
    world->component(kith::component_desc{.name = "Likes", .size = 4, .alignment = 4});
  });
  bob->remove(likes, apples);
  world->component(kith::component_desc{.name = "Likes", .size = 4, .alignment = 4});
  bob->add(likes, apples);
  EXPECT_EQ(line_of(bob), "bob: (Likes, apples)=0");
}

}  // namespace
