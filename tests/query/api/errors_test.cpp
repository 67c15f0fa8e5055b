// What is wrong with a query, where, and what was meant.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::code_of;

struct Position {
  float x, y;
};

struct query_errors : testing::Test {
  query_errors() { world.component<Position>(); }
  kith::error error_of(const char* text) {
    auto made = world.try_query(text);
    EXPECT_FALSE(made) << text;
    return made ? kith::error(kith::errc::unsupported, "") : made.error();
  }

  kith::world world;
  kith::entity Likes = world.entity("Likes");
};

// U1 Q2 C32
TEST_F(query_errors, have_a_position_a_caret_and_a_suggestion) {
  const kith::error e = error_of("(Likes, *),\n  Positon");
  EXPECT_EQ(e.code(), kith::errc::unresolved);
  EXPECT_EQ(e.position(), (kith::text_position{2, 3}));
  EXPECT_STREQ(e.what(),
               "2:3: unknown name 'Positon'\n"
               "    Positon\n"
               "    ^^^^^^^ did you mean 'Position'?");
}

TEST_F(query_errors, suggest_names_in_large_and_small_letters) {
  for (const char* text : {"LIKES", "likes", "lIkse"})
    EXPECT_NE(std::string(error_of(text).what()).find("did you mean 'Likes'?"), std::string::npos)
        << text;
}

TEST_F(query_errors, of_a_misspelt_flag_suggest_it) {
  EXPECT_STREQ(error_of("Position(upp)").what(),
               "1:10: unknown name 'upp'\n"
               "  Position(upp)\n"
               "           ^^^ did you mean the flag 'up'?");
  world.entity("uppp");
  EXPECT_STREQ(error_of("Position(upppp)").what(),
               "1:10: unknown name 'upppp'\n"
               "  Position(upppp)\n"
               "           ^^^^^ did you mean 'uppp'?");
  EXPECT_STREQ(error_of("(Likes, selff)").what(),
               "1:9: unknown name 'selff'\n"
               "  (Likes, selff)\n"
               "          ^^^^^");
}

// C25
TEST_F(query_errors, are_thrown_by_build_and_returned_by_try_build) {
  auto b = world.query_builder().expr("Nobody");
  EXPECT_EQ(code_of([&] { b.build(); }), kith::errc::unresolved);
  auto made = b.try_build();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), kith::errc::unresolved);
  EXPECT_EQ(made.error().position(), (kith::text_position{1, 1}));
  EXPECT_EQ(code_of([&] { made.value(); }), kith::errc::unresolved);

  auto good = world.query_builder<Position>().try_build();
  ASSERT_TRUE(good);
  EXPECT_EQ(good->count(), 0u);
  static_assert(std::is_same_v<decltype(good), kith::result<kith::query<Position>>>);
}

// C32
TEST_F(query_errors, nothing_is_ignored) {
  const auto parse = kith::errc::parse;
  for (const char* text :
       {"Position,", "Position Likes", "(Likes, ", "Position(self|foo)", "Position(all)",
        "Position(desc)", "Position(up(ChildOf, 3, 2))", "Position(up(ChildOf, 0, 2))",
        "[read] Position", "(Likes, *[up])", "Position ||", "|| Position", "{Position", "$",
        "Position($this", "!", "Position)", "~", "Position; Position"}) {
    const kith::error e = error_of(text);
    EXPECT_EQ(e.code(), parse) << text << "\n" << e.what();
    EXPECT_GE(e.position().line, 1u) << text;
    EXPECT_GE(e.position().column, 1u) << text;
  }
}

TEST_F(query_errors, of_a_term_of_the_builder_have_a_position_in_its_text) {
  auto made = world.query_builder().with(Likes).with("(Likes, Nobody)").try_build();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), kith::errc::unresolved);
  EXPECT_EQ(made.error().position(), (kith::text_position{1, 9}));
  auto place = world.query_builder().with(Likes, "Nobody").try_build();
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().position(), (kith::text_position{1, 1}));
}

TEST_F(query_errors, dead_and_foreign_entities_are_not_alive) {
  kith::world other;
  auto gone = world.entity();
  gone.destruct();
  const auto code = [&](auto term) {
    return code_of([&] { world.query_builder().with(term).build(); });
  };
  EXPECT_EQ(code(gone), kith::errc::not_alive);
  EXPECT_EQ(code(other.entity()), kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes, gone).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes).src(other.entity()).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(kith::entity()).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes, kith::entity()).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes).src(kith::entity()).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes).up(other.entity()).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes).up(gone).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes).up(kith::entity()).build(); }),
            kith::errc::not_alive);
  EXPECT_EQ(code_of([&] { world.query_builder().with(Likes).cascade(kith::entity()).build(); }),
            kith::errc::not_alive);
}

TEST_F(query_errors, a_failed_build_leaves_the_builder_usable) {
  auto b = world.query_builder().with("Nobody");
  EXPECT_FALSE(b.try_build());
  world.entity("Nobody");
  EXPECT_TRUE(b.try_build());
}

}  // namespace
