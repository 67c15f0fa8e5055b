// A text of facts ends early when it does more than its budget allows, and then changes nothing.
#include <string>

#include <gtest/gtest.h>

#include "world/vocabulary.hpp"

namespace {

using kith::errc;

struct facts_with_a_budget : testing::Test {
  kith::world world;

  // The code of the error that ends the text, which must change nothing.
  std::string outcome(const std::string& text, const kith::budget& most) {
    const std::string before = world.facts();
    const std::size_t entities = world.entity_count();
    const kith::result<std::size_t> done = world.try_define(text, most);
    if (done) return "done";
    EXPECT_EQ(world.facts(), before);
    EXPECT_EQ(world.entity_count(), entities);
    return std::string(to_text(done.error().code())) + ": " + done.error().what();
  }
};

// Each prefab has two children that are kinds of the one before, so that it has twice as many.
std::string nested_prefabs(int count) {
  std::string text = "Prefab(p0)\n";
  for (int i = 1; i <= count; ++i) {
    const std::string me = std::to_string(i), last = std::to_string(i - 1);
    text += "Prefab(p" + me + ")\n";
    for (const char* child : {"a", "b"})
      text +=
          "IsA(" + (child + me) + ", p" + last + "), ChildOf(" + (child + me) + ", p" + me + ")\n";
  }
  return text;
}

TEST_F(facts_with_a_budget, create_as_many_entities_as_it_says) {
  EXPECT_EQ(outcome("A(x), A(y)", {.entities = 3}), "done");
  EXPECT_EQ(outcome("A(x), A(y)", {.entities = 1}), "done");
  EXPECT_EQ(outcome("A(x), A(y2), A(z2)", {.entities = 2}), "done");
}

TEST_F(facts_with_a_budget, create_no_more) {
  EXPECT_EQ(outcome("A(x)\nA(y), A(z)", {.entities = 3}),
            "budget: 2:7: the facts create more than 3 entities, the limit that budget::entities "
            "sets\n  A(y), A(z)\n        ^^^^");
  EXPECT_FALSE(world.lookup("A"));
  EXPECT_EQ(outcome("#5000\n#5001\n#5002", {.entities = 2}).substr(0, 11), "budget: 3:1");
  EXPECT_EQ(outcome("a.b.c.d", {.entities = 3}).substr(0, 6), "budget");
  EXPECT_EQ(outcome("struct P {f32 x}\nstruct Q {f32 x}", {.entities = 1}).substr(0, 6), "budget");
}

TEST_F(facts_with_a_budget, have_no_limit_where_it_says_nothing) {
  EXPECT_EQ(outcome(nested_prefabs(8), {}), "done");
  EXPECT_GT(world.entity_count(), 500u);
}

TEST_F(facts_with_a_budget, may_be_more_than_it_says_after_they_were_too_many) {
  EXPECT_NE(outcome(nested_prefabs(20), {.entities = 1000}), "done");
  EXPECT_EQ(world.define("A(x), A(y)"), 2u);
  EXPECT_EQ(world.entity("x").is_alive(), true);
  for (int i = 0; i < 10; ++i) world.entity("e" + std::to_string(i));
}

// Millions of copies are neither made nor listed before the limit is looked at.
TEST_F(facts_with_a_budget, end_in_the_middle_of_a_statement) {
  world.define(nested_prefabs(12));
  const auto next_index = [&] { return static_cast<std::uint32_t>(world.entity().id()); };
  const std::uint32_t before = next_index();
  EXPECT_EQ(outcome("IsA(x, p12)", {.entities = 100}).substr(0, 6), "budget");
  EXPECT_LE(next_index(), before + 102);
  EXPECT_EQ(outcome("IsA(x, p12)", {.entities = 20'000}), "done");
}

TEST_F(facts_with_a_budget, end_when_their_time_is_up) {
  const std::string found = outcome(nested_prefabs(14), {.seconds = 1e-6});
  EXPECT_EQ(found.substr(0, 6), "budget");
  EXPECT_NE(found.find("the facts take more than 1e-06 seconds, the limit that budget::seconds"),
            found.npos)
      << found;
  EXPECT_EQ(outcome("A(x)", {.seconds = 1000}), "done");
}

TEST_F(facts_with_a_budget, may_have_a_listener) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "A(e" + std::to_string(i) + ")\n";
  int heard = 0;
  const auto hear = [&](const kith::define_progress&) { ++heard; };
  const auto done = world.try_define(text, hear, {.entities = 9'000});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), errc::budget);
  EXPECT_EQ(heard, 2);
  EXPECT_TRUE(world.try_define(text, hear, {.entities = 10'001}));
}

TEST_F(facts_with_a_budget, are_an_error_that_define_throws) {
  try {
    world.define("A(x)", {.entities = 1});
    FAIL();
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), errc::budget);
    EXPECT_EQ(e.position(), (kith::text_position{1, 1}));
  }
}

// The budget of one text is not that of the changes after it.
TEST_F(facts_with_a_budget, leave_other_changes_alone) {
  world.define(nested_prefabs(6));
  EXPECT_NE(outcome("IsA(x, p6)", {.entities = 2}), "done");
  world.entity().is_a(world.lookup("p6"));
  EXPECT_EQ(outcome("IsA(y, p6)", {.entities = 200}), "done");
}

}  // namespace
