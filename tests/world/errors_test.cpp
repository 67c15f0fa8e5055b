// Mistakes: each is an error of the right kind that changes nothing.
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using namespace world_tests;

class errors : public testing::Test {
 protected:
  errors() {
    world.component<Health>();
    world.component<Eats>();
    world.component<Npc>();
    world.component<Begin>();
    dead.destruct();
  }

  kith::world world;
  kith::world elsewhere;
  kith::entity Likes = world.entity("Likes");
  kith::entity apples = world.entity("apples");
  kith::entity bob = world.entity("bob").set(Position{1, 2}).add(Likes, apples);
  kith::entity dead = world.entity("dead");
  kith::entity foreign = elsewhere.entity("foreign");
  kith::entity null;
};

// Every call of an entity, as a list of (name, call).
struct call {
  const char* name;
  void (*make)(kith::entity e, kith::entity Likes, kith::entity apples);
};
using E = kith::entity;
const call calls[] = {
    {"add<X>", [](E e, E, E) { e.add<Npc>(); }},
    {"add<R, T>", [](E e, E, E) { e.add<Begin, Npc>(); }},
    {"add<R>(t)", [](E e, E, E a) { e.add<Eats>(a); }},
    {"add(id)", [](E e, E, E a) { e.add(a); }},
    {"add(r, t)", [](E e, E l, E a) { e.add(l, a); }},
    {"remove<X>", [](E e, E, E) { e.remove<Npc>(); }},
    {"remove<R, T>", [](E e, E, E) { e.remove<Begin, Npc>(); }},
    {"remove<R>(t)", [](E e, E, E a) { e.remove<Eats>(a); }},
    {"remove(id)", [](E e, E, E a) { e.remove(a); }},
    {"remove(r, t)", [](E e, E l, E a) { e.remove(l, a); }},
    {"has<X>", [](E e, E, E) { e.has<Npc>(); }},
    {"has<R, T>", [](E e, E, E) { e.has<Begin, Npc>(); }},
    {"has<R>(t)", [](E e, E, E a) { e.has<Eats>(a); }},
    {"has(id)", [](E e, E, E a) { e.has(a); }},
    {"has(r, t)", [](E e, E l, E a) { e.has(l, a); }},
    {"owns<X>", [](E e, E, E) { e.owns<Npc>(); }},
    {"owns(id)", [](E e, E, E a) { e.owns(a); }},
    {"owns(r, t)", [](E e, E l, E a) { e.owns(l, a); }},
    {"set",
     [](E e, E, E) {
       e.set(Position{3, 4});
     }},
    {"set of a tag", [](E e, E, E) { e.set(Npc{}); }},
    {"set<R>(t)", [](E e, E, E a) { e.set<Eats>(a, {1}); }},
    {"set_second", [](E e, E l, E) { e.set_second<Health>(l, {}); }},
    {"emplace", [](E e, E, E) { e.emplace<Health>(1); }},
    {"get<X>", [](E e, E, E) { e.get<Position>(); }},
    {"get<R>(t)", [](E e, E, E a) { e.get<Eats>(a); }},
    {"get(id)", [](E e, E, E a) { e.get(a); }},
    {"get(r, t)", [](E e, E l, E a) { e.get(l, a); }},
    {"get_second", [](E e, E l, E) { e.get_second<Health>(l); }},
    {"try_get", [](E e, E, E) { e.try_get<Position>(); }},
    {"at", [](E e, E, E) { e.at<Position>(); }},
    {"get_mut<X>", [](E e, E, E) { e.get_mut<Position>(); }},
    {"get_mut(id)", [](E e, E, E a) { e.get_mut(a); }},
    {"ensure<X>", [](E e, E, E) { e.ensure<Health>(); }},
    {"ensure<R>(t)", [](E e, E, E a) { e.ensure<Eats>(a); }},
    {"target", [](E e, E l, E) { e.target(l); }},
    {"targets", [](E e, E l, E) { e.targets(l); }},
    {"target_for", [](E e, E l, E a) { e.target_for(l, a); }},
    {"child_of", [](E e, E, E a) { e.child_of(a); }},
    {"parent", [](E e, E, E) { e.parent(); }},
    {"children", [](E e, E, E) { e.children(); }},
    {"each", [](E e, E, E) { e.each([](kith::id) {}); }},
    {"each(r)", [](E e, E l, E) { e.each(l, [](E) {}); }},
    {"match", [](E e, E l, E) { e.match(l, [](kith::id) {}); }},
    {"type", [](E e, E, E) { e.type(); }},
    {"table", [](E e, E, E) { e.table(); }},
    {"set_name", [](E e, E, E) { e.set_name("x"); }},
    {"lookup", [](E e, E, E) { e.lookup("x"); }},
    {"scope", [](E e, E, E) { e.scope([] {}); }},
    {"enable", [](E e, E, E) { e.enable(); }},
    {"disable", [](E e, E, E) { e.disable(); }},
    {"enabled", [](E e, E, E) { e.enabled(); }},
    {"disable<X>", [](E e, E, E) { e.disable<Position>(); }},
    {"enabled<X>", [](E e, E, E) { e.enabled<Position>(); }},
    {"disable(r, t)", [](E e, E l, E a) { e.disable(l, a); }},
    {"enabled(r, t)", [](E e, E l, E a) { e.enabled(l, a); }},
    {"clear", [](E e, E, E) { e.clear(); }},
    {"destruct", [](E e, E, E) { e.destruct(); }},
    {"clone", [](E e, E, E) { e.clone(); }},
};

TEST_F(errors, every_call_on_a_null_dead_or_recycled_entity_is_refused) {
  const kith::entity recycled = world.entity("young");
  ASSERT_EQ(kith::core::index_of(recycled.id()), kith::core::index_of(dead.id()));
  const kith::entity never = world.entity(kith::entity_t{999999});
  for (const call& c : calls) {
    EXPECT_EQ(refusal(world, [&] { c.make(null, Likes, apples); }), "not_alive") << c.name;
    EXPECT_EQ(refusal(world, [&] { c.make(dead, Likes, apples); }), "not_alive") << c.name;
    EXPECT_EQ(refusal(world, [&] { c.make(never, Likes, apples); }), "not_alive") << c.name;
  }
  // Of a null entity both are empty.
  for (const kith::entity& e : {dead, never}) {
    EXPECT_EQ(refusal(world, [&] { e.name(); }), "not_alive");
    EXPECT_EQ(refusal(world, [&] { e.path(); }), "not_alive");
  }
  const Position p{};
  EXPECT_EQ(refusal(world, [&] { dead.set_ptr(world.id<Position>(), &p); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { null.set_ptr(kith::Component, &p); }), "not_alive");
}

TEST_F(errors, every_null_dead_or_foreign_argument_is_refused) {
  const std::pair<const char*, std::function<void(kith::entity)>> with_argument[] = {
      {"add(id)", [&](E x) { bob.add(x); }},
      {"add(x, t)", [&](E x) { bob.add(x, apples); }},
      {"add(r, x)", [&](E x) { bob.add(Likes, x); }},
      {"add<R>(x)", [&](E x) { bob.add<Eats>(x); }},
      {"set<R>(x)", [&](E x) { bob.set<Eats>(x, {1}); }},
      {"set_second(x)", [&](E x) { bob.set_second<Health>(x, {}); }},
      {"ensure(x)", [&](E x) { bob.ensure(x); }},
      {"ensure<R>(x)", [&](E x) { bob.ensure<Eats>(x); }},
      {"child_of(x)", [&](E x) { bob.child_of(x); }},
      {"remove(x)", [&](E x) { bob.remove(x); }},
      {"remove(r, x)", [&](E x) { bob.remove(Likes, x); }},
      {"has(x)", [&](E x) { bob.has(x); }},
      {"has(r, x)", [&](E x) { bob.has(Likes, x); }},
      {"owns(x)", [&](E x) { bob.owns(x); }},
      {"get(x)", [&](E x) { bob.get(x); }},
      {"get(r, x)", [&](E x) { bob.get(Likes, x); }},
      {"get_mut(x)", [&](E x) { bob.get_mut(x); }},
      {"target(x)", [&](E x) { bob.target(x); }},
      {"targets(x)", [&](E x) { bob.targets(x); }},
      {"each(x)", [&](E x) { bob.each(x, [](E) {}); }},
      {"match(x)", [&](E x) { bob.match(x, [](kith::id) {}); }},
      {"target_for(x, id)", [&](E x) { bob.target_for(x, apples); }},
      {"target_for(r, x)", [&](E x) { bob.target_for(Likes, x); }},
      {"enable(x)", [&](E x) { bob.enable(x); }},
      {"disable(x)", [&](E x) { bob.disable(x); }},
      {"disable(r, x)", [&](E x) { bob.disable(Likes, x); }},
      {"enabled(x)", [&](E x) { bob.enabled(x); }},
      {"world.pair(x, t)", [&](E x) { world.pair(x, apples); }},
      {"world.pair<R>(x)", [&](E x) { world.pair<Eats>(x); }},
      {"world.count(x)", [&](E x) { world.count(x); }},
      {"world.count(r, x)", [&](E x) { world.count(Likes, x); }},
      {"world.each(x)", [&](E x) { world.each(x, [](E) {}); }},
      {"world.remove_all(x)", [&](E x) { world.remove_all(x); }},
      {"world.delete_with(x)", [&](E x) { world.delete_with(x); }},
      {"world.delete_with(r, x)", [&](E x) { world.delete_with(Likes, x); }},
  };
  for (const auto& [name, give] : with_argument) {
    EXPECT_EQ(refusal(world, [&, &f = give] { f(null); }), "not_alive") << "null in " << name;
    EXPECT_EQ(refusal(world, [&, &f = give] { f(dead); }), "not_alive") << "dead in " << name;
    EXPECT_EQ(refusal(world, [&, &f = give] { f(foreign); }), "not_alive") << "foreign in " << name;
  }
  EXPECT_EQ(refusal(world, [&] { bob.clone(true, dead); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { bob.clone(true, foreign); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { world.set_scope(foreign); }), "not_alive");
}

TEST_F(errors, a_wildcard_cannot_be_added) {
  for (kith::entity_t wild : {kith::Wildcard, kith::Any}) {
    EXPECT_EQ(refusal(world, [&] { bob.add(wild); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.add(Likes, wild); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.add(wild, apples); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.add<Eats>(wild); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.set<Eats>(wild, {1}); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.ensure<Eats>(wild); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.child_of(wild); }), "constraint");
    EXPECT_EQ(refusal(world, [&] { bob.disable(Likes, wild); }), "constraint");
  }
}

TEST_F(errors, patterns_of_what_is_gone_are_not_alive) {
  bob.add(Likes, apples).add(world.entity());
  const kith::entity_t other = kith::Wildcard | kith::entity_t{5} << 32;
  EXPECT_EQ(refusal(world, [&] { (void)bob.has(other); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { (void)bob.owns(other); }), "not_alive");
  const kith::id gone = world.pair(Likes, kith::Wildcard);
  Likes.destruct();
  EXPECT_EQ(refusal(world, [&] { (void)bob.has(gone); }), "not_alive");
  EXPECT_EQ(refusal(world, [&] { (void)bob.owns(gone); }), "not_alive");
}

TEST_F(errors, a_pair_cannot_be_a_part_of_a_pair) {
  const kith::id pair = world.pair(Likes, apples);
  EXPECT_EQ(refusal(world, [&] { bob.add(Likes, pair); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.add(pair, apples); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.child_of(pair); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.pair(pair, pair); }), "constraint");
}

TEST_F(errors, built_in_entities_keep_their_lives_names_places_and_traits) {
  for (kith::entity_t e = 1; e < kith::core::first_user_index; ++e) {
    const kith::entity builtin = world.entity(e);
    if (!builtin.is_alive()) continue;
    const std::string before = state_of(builtin);
    EXPECT_EQ(refusal(world, [&] { builtin.destruct(); }), "constraint") << builtin;
    EXPECT_EQ(refusal(world, [&] { builtin.set_name("x"); }), "constraint") << builtin;
    EXPECT_EQ(refusal(world, [&] { builtin.clear(); }), "constraint") << builtin;
    EXPECT_EQ(refusal(world, [&] { builtin.child_of(bob); }), "constraint") << builtin;
    EXPECT_EQ(state_of(builtin), before);
  }
  const kith::entity child_of = world.entity(kith::ChildOf);
  EXPECT_EQ(refusal(world, [&] { child_of.remove(kith::Exclusive); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { child_of.remove(kith::Acyclic); }), "constraint");
  world.delete_with(kith::Exclusive);
  world.remove_all(kith::Exclusive);
  EXPECT_TRUE(child_of.has(kith::Exclusive)) << "they pass by what is built in";
}

TEST_F(errors, what_built_in_entities_were_given_later_can_be_taken) {
  for (const kith::id_t trait : {kith::id_t{kith::Acyclic}, kith::id_t{kith::Exclusive},
                                 kith::pair_id(kith::OnInstantiate, kith::Override)}) {
    const kith::entity slot_of = world.entity(kith::SlotOf), with = world.entity(kith::With);
    const kith::entity builtin = trait == kith::Acyclic ? slot_of : with;
    const std::string before = state_of(builtin);
    builtin.add(trait);
    EXPECT_NE(state_of(builtin), before);
    builtin.remove(trait);
    EXPECT_EQ(state_of(builtin), before);
  }
}

TEST_F(errors, a_pair_or_this_is_no_entity) {
  const kith::id pair = world.pair(Likes, apples);
  EXPECT_EQ(refusal(world, [&] { bob.target(pair); }), "constraint");
  EXPECT_EQ(message_of([&] { bob.target(pair); }),
            "(Likes, apples) is a pair, and an entity is meant here");
  EXPECT_EQ(refusal(world, [&] { bob.add(kith::This); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.add(Likes, kith::This); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.add(kith::This, apples); }), "constraint");
}

TEST_F(errors, a_pattern_is_named_as_one_where_one_id_is_meant) {
  const std::string message = "(Likes, *) is a pattern, and one id is meant here";
  EXPECT_EQ(message_of([&] { bob.disable(Likes, kith::Wildcard); }), message);
  EXPECT_EQ(message_of([&] { bob.related(Likes, kith::Wildcard); }), message);
  EXPECT_EQ(message_of([&] { bob.related(world.pair(Likes, kith::Wildcard)); }), message);
}

TEST_F(errors, wildcards_are_no_kinds_of_anything) {
  for (const kith::entity_t e : {kith::Wildcard, kith::Any})
    EXPECT_EQ(refusal(world, [&] { world.entity(e).is_a(bob); }), "constraint");
}

TEST_F(errors, more_entities_than_a_world_can_have_are_refused) {
  EXPECT_EQ(refusal(world, [&] { world.bulk(SIZE_MAX); }), "out_of_range");
  EXPECT_EQ(refusal(world, [&] { world.bulk(SIZE_MAX, Npc{}); }), "out_of_range");
}

TEST_F(errors, defer_end_without_begin_is_refused) {
  EXPECT_EQ(refusal(world, [&] { world.defer_end(); }), "constraint");
  EXPECT_FALSE(world.is_deferred());
}

TEST_F(errors, defer_end_does_not_end_a_visit) {
  int visits = 0;
  for (kith::entity food : bob.targets(Likes)) {
    bob.remove(Likes, food);
    EXPECT_EQ(error_of([&] { world.defer_end(); }), "constraint");
    EXPECT_TRUE(world.is_deferred());
    EXPECT_TRUE(bob.has(Likes, food));
    ++visits;
    break;
  }
  EXPECT_EQ(visits, 1);
  EXPECT_FALSE(world.is_deferred());
  EXPECT_FALSE(bob.has(Likes, apples));
}

TEST_F(errors, a_tag_has_no_value) {
  EXPECT_EQ(refusal(world, [&] { bob.ensure(apples); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.ensure(world.pair(Likes, apples)); }), "type");
  const int five = 5;
  EXPECT_EQ(refusal(world, [&] { bob.set_ptr(world.pair(Likes, apples), &five); }), "type");
  world.entity<Eats>().add(kith::Tag);
  EXPECT_EQ(refusal(world, [&] { bob.set<Eats>(apples, {1}); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.ensure<Eats>(apples); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.set_second<Health>(kith::ChildOf, {}); }), "type");
}

TEST_F(errors, a_value_of_another_type_is_refused) {
  bob.set<Eats, Health>({7});
  const auto eats = world.id<Eats>();
  EXPECT_EQ(refusal(world, [&] { bob.set_second<Health>(eats, {}); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.get_second<Health>(eats); }), "type");
  EXPECT_EQ(message_of([&] { bob.get_second<Health>(eats); }),
            "(Eats, Health) has values of type Eats, not Health");
}

TEST_F(errors, an_entity_becomes_a_component_only_by_being_registered) {
  EXPECT_EQ(refusal(world, [&] { bob.add(kith::Component); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.set(kith::component_info{4, 4}); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { bob.ensure<kith::component_info>(); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.entity(kith::component_info{4, 4}); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.bulk(2, kith::component_info{4, 4}); }), "constraint");
  EXPECT_EQ(refusal(world, [&] { world.entity<Health>().remove(kith::Component); }), "constraint");
  world.entity<Health>().clear();
  EXPECT_TRUE(world.entity<Health>().has(kith::Component));
}

struct NoDefault {
  explicit NoDefault(int v) : value(v) {}
  int value;
};

TEST_F(errors, a_type_without_a_default_value_cannot_just_be_added) {
  world.component<NoDefault>();
  EXPECT_EQ(refusal(world, [&] { bob.add<NoDefault>(); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.ensure<NoDefault>(); }), "type");
  EXPECT_EQ(refusal(world, [&] { bob.add<NoDefault>(apples); }), "type");
  EXPECT_EQ(refusal(world, [&] { world.defer([&] { bob.add<NoDefault>(); }); }), "type");
  EXPECT_EQ(bob.emplace<NoDefault>(3).get<NoDefault>()->value, 3);
}

TEST_F(errors, a_move_only_value_cannot_be_copied) {
  const kith::entity owner = world.entity("owner").set(std::make_unique<int>(3));
  EXPECT_EQ(refusal(world, [&] { owner.clone(); }), "type");
  EXPECT_EQ(refusal(world, [&] { owner.clone(true, apples); }), "type");
  EXPECT_EQ(refusal(world, [&] { world.defer([&] { owner.clone(true, apples); }); }), "type");
  const std::unique_ptr<int> value;
  const auto id = world.id<std::unique_ptr<int>>();
  EXPECT_EQ(refusal(world, [&] { bob.set_ptr(id, &value); }), "type");
  EXPECT_EQ(**owner.get<std::unique_ptr<int>>(), 3);
}

TEST_F(errors, make_alive_of_an_impossible_number_is_refused) {
  const kith::entity young = world.entity("young");  // a later life of `dead`
  for (kith::entity_t number :
       {kith::entity_t{0}, world.pair(Likes, apples).raw_id(), ~kith::entity_t{0},
        kith::core::make_entity(0, 5), kith::core::make_entity(0x8000'0000, 0), dead.id(),
        kith::core::make_entity(kith::core::index_of(young.id()), 77),
        kith::core::make_entity(kith::ChildOf, 1), kith::entity_t{100}})
    EXPECT_EQ(refusal(world, [&] { world.make_alive(number); }), "constraint") << number;
}

TEST_F(errors, an_index_past_the_end_of_a_type_is_out_of_range) {
  EXPECT_EQ(error_of([&] { bob.type().get(2); }), "out_of_range");
  EXPECT_EQ(error_of([&] { null.type(); }), "not_alive");
}

// --- errors as data ---

TEST_F(errors, an_error_is_a_runtime_error_with_a_kind_and_a_place) {
  try {
    world.entity("a::\"b");
    FAIL() << "no error";
  } catch (const std::runtime_error& e) {
    const auto& error = dynamic_cast<const kith::error&>(e);
    EXPECT_EQ(error.code(), kith::errc::parse);
    EXPECT_EQ(error.position(), (kith::text_position{1, 4}));
  }
  try {
    bob.child_of(bob);
    FAIL() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.position(), kith::text_position{}) << "an error without a text has no place";
  }
}

int handled = 0;

TEST_F(errors, the_handler_sees_every_error_before_it_is_thrown) {
  const auto previous = kith::set_error_handler([](const kith::error&) { ++handled; });
  handled = 0;
  EXPECT_EQ(error_of([&] { bob.add(dead); }), "not_alive");
  EXPECT_EQ(handled, 1);
  EXPECT_NE(kith::set_error_handler(previous), nullptr);
  EXPECT_EQ(error_of([&] { bob.add(dead); }), "not_alive");
  EXPECT_EQ(handled, 1);
}

TEST(errors_of_one_call, path_below_what_cannot_be_a_parent_leaves_nothing_behind) {
  kith::world w;
  const std::size_t before = w.entity_count();
  EXPECT_THROW(w.entity("#1::z"), kith::error);
  EXPECT_EQ(w.entity_count(), before);
  EXPECT_FALSE(w.lookup("z"));
}

TEST(errors_of_one_call, slot_of_an_entity_without_a_parent_changes_nothing) {
  kith::world w;
  const kith::entity e = w.entity("e");
  EXPECT_THROW(e.slot(), kith::error);
  EXPECT_EQ(e.type().count(), 0u);
}

TEST(errors_of_one_call, value_to_copy_from_nowhere_is_a_type_error) {
  kith::world w;
  struct Place {
    int x;
  };
  const kith::entity e = w.entity();
  try {
    e.set_ptr(w.id<Place>(), nullptr);
    FAIL() << "no error";
  } catch (const kith::error& problem) {
    EXPECT_EQ(problem.code(), kith::errc::type);
  }
}

TEST(errors_of_one_call, null_name_is_no_name) {
  kith::world w;
  const char* none = nullptr;
  EXPECT_EQ(w.entity(none).name(), "");
}

}  // namespace
