// Variables and parameters: values from the caller, and values of results.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::bound;
using kith::test::code_of;
using kith::test::found;

struct Position {
  float x, y;
};

struct query_variables : testing::Test {
  query_variables() {
    bob.add(Likes, alice).add(Likes, carl).add(Knows, carl);
    dora.add(Likes, alice);
  }

  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity Knows = world.entity("Knows");
  kith::entity alice = world.entity("alice");
  kith::entity carl = world.entity("carl");
  kith::entity bob = world.entity("bob");
  kith::entity dora = world.entity("dora");
};

TEST_F(query_variables, set_var_gives_a_value_and_leaves_the_query_as_it_is) {
  auto q = world.query("(Likes, $x)");
  EXPECT_EQ(bound(q.set_var("x", alice)), "bob x=alice; dora x=alice;");
  EXPECT_EQ(bound(q.set_var("x", carl)), "bob x=carl;");
  EXPECT_EQ(q.count(), 3u);
}

TEST_F(query_variables, values_chain_and_the_last_one_counts) {
  auto q = world.query("(Likes, $x), (Knows, $y)");
  EXPECT_EQ(found(q.set_var("x", alice).set_var("y", carl)), "bob");
  EXPECT_EQ(found(q.set_var("x", dora).set_var("x", alice)), "bob");
  EXPECT_EQ(found(q.set_var("y", alice)), "");
}

TEST_F(query_variables, a_variable_has_a_number) {
  auto q = world.query("(Likes, $x), ($r, $x)");
  const int x = q.find_var("x");
  ASSERT_GE(x, 0);
  EXPECT_EQ(found(q.set_var(x, carl)), "bob bob");
  q.set_var(x, carl).each([&](kith::iter& it, std::size_t) { EXPECT_EQ(it.get_var(x), carl); });
  EXPECT_EQ(q.find_var("z"), -1);
  EXPECT_EQ(q.vars(), (std::vector<std::string>{"x", "r"}));
}

TEST_F(query_variables, this_can_be_given) {
  auto q = world.query("(Likes, $x)");
  EXPECT_EQ(bound(q.set_var("this", bob)), "bob x=alice; bob x=carl;");
  EXPECT_EQ(found(q.set_var("this", alice)), "");
}

TEST_F(query_variables, an_unknown_name_is_an_error) {
  auto q = world.query("(Likes, $x)");
  EXPECT_EQ(code_of([&] { q.set_var("y", alice); }), kith::errc::out_of_range);
  EXPECT_EQ(code_of([&] { q.set_var(99, alice).count(); }), kith::errc::out_of_range);
  q.each([&](kith::iter& it, std::size_t) {
    EXPECT_EQ(code_of([&] { it.get_var("y"); }), kith::errc::out_of_range);
    EXPECT_EQ(code_of([&] { it.get_var(-1); }), kith::errc::out_of_range);
  });
}

TEST_F(query_variables, null_dead_and_foreign_values_are_errors) {
  auto q = world.query("(Likes, $x)");
  kith::world other;
  auto gone = world.entity();
  gone.destruct();
  EXPECT_EQ(code_of([&] { q.set_var("x", kith::entity()).count(); }), kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { q.set_var("x", gone).count(); }), kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { q.set_var("x", other.entity()).count(); }), kith::errc::not_alive);
}

TEST_F(query_variables, an_unset_variable_is_a_null_entity) {
  alice.add(world.entity("Person"));
  bob.add(world.entity("Person"));
  auto q = world.query("Person, ?(Likes, $x)");
  int unset = 0;
  q.each([&](kith::iter& it, std::size_t i) {
    if (it.get_var("x")) return;
    ++unset;
    EXPECT_EQ(it.entity(i), alice);
  });
  EXPECT_EQ(unset, 1);
}

TEST_F(query_variables, a_variable_inside_not_is_no_part_of_the_results) {
  auto q = world.query("(Likes, $x), !(Knows, $y)");
  EXPECT_EQ(q.vars(), (std::vector<std::string>{"x"}));
  EXPECT_EQ(bound(q), "dora x=alice;");
  EXPECT_EQ(found(q.set_var("y", alice)), "bob bob dora");
}

TEST_F(query_variables, a_bound_query_is_iterated_in_every_way) {
  auto q = world.query_builder<Position*>().expr("(Likes, $x)").build().set_var("x", alice);
  std::size_t rows = 0;
  q.each([&](kith::entity, Position* p) { rows += p == nullptr; });
  q.run([&](kith::iter& it) {
    while (it.next()) rows += it.count();
  });
  q.iter([&](kith::iter& it) { rows += it.count(); });
  for (auto& batch : q) rows += batch.count();
  EXPECT_EQ(rows, 8u);
  EXPECT_EQ(q.count(), 2u);
  EXPECT_TRUE(q.is_true());
  EXPECT_EQ(q.page(0, 9), (std::vector{bob, dora}));
  EXPECT_TRUE(q.first());
}

TEST_F(query_variables, a_bound_query_outlives_the_query) {
  kith::query_view<> kept;
  {
    auto q = world.query("(Likes, $x)");
    kept = q.set_var("x", carl);
  }
  EXPECT_EQ(found(kept), "bob");
}

// P6 C22
TEST_F(query_variables, parameters_are_given_in_the_order_they_appear) {
  auto q = world.query("(Likes, @liked), (Knows, @known)");
  EXPECT_EQ(found(q.args(alice, carl)), "bob");
  EXPECT_EQ(found(q.args(carl, alice)), "");
  EXPECT_EQ(found(q.set_var("liked", alice).set_var("known", carl)), "bob");
  kith::test::words seen;
  q.each(alice, carl, [&](kith::entity e) { seen += e.name(); });
  q.each(alice, carl, [&](kith::iter& it, std::size_t i) { seen += it.entity(i).name(); });
  EXPECT_EQ(seen.str(), "bob bob");
}

// P6
TEST_F(query_variables, parameters_of_the_builder) {
  auto q = world.query_builder<Position*>().with(Likes, kith::param).with(Knows, "@whom").build();
  kith::test::words seen;
  q.each(alice, carl, [&](kith::entity e, Position*) { seen += e.name(); });
  EXPECT_EQ(seen.str(), "bob");
}

// P6
TEST_F(query_variables, a_wrong_number_of_arguments_is_out_of_range) {
  auto q = world.query("(Likes, @x)");
  const auto out_of_range = kith::errc::out_of_range;
  EXPECT_EQ(code_of([&] { q.count(); }), out_of_range);
  EXPECT_EQ(code_of([&] { q.each([](kith::entity) {}); }), out_of_range);
  EXPECT_EQ(code_of([&] { q.args(); }), out_of_range);
  EXPECT_EQ(code_of([&] { q.args(alice, carl); }), out_of_range);
  EXPECT_EQ(code_of([&] { q.each(alice, carl, [](kith::entity) {}); }), out_of_range);
  EXPECT_EQ(code_of([&] { world.query("(Likes, $x)").args(alice); }), out_of_range);
  EXPECT_FALSE(world.is_deferred());
}

TEST_F(query_variables, params_are_listed_in_the_order_of_their_first_use) {
  EXPECT_EQ(world.query("Likes(@who, $whom), Knows(@other, $whom)").params(),
            (std::vector<std::string>{"who", "other"}));
  EXPECT_TRUE(world.query("Likes($who, $whom)").params().empty());
}

TEST_F(query_variables, a_plan_is_that_of_the_variables_that_have_values) {
  const auto q = world.query("Likes($who, $whom)");
  const auto given = q.set_var("who", bob).set_var("whom", alice);
  EXPECT_EQ(given.count(), 1u);
  EXPECT_EQ(given.plan(), "test Likes($who, $whom)  // 1 seen\nresult  // 1 rows\n");
  EXPECT_TRUE(q.plan().starts_with("bind $who")) << q.plan();
}

}  // namespace
