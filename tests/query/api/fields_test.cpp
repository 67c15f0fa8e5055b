// What a field of a result tells: values, the id, the source.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::code_of;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Mass {
  float value;
};
struct Npc {};

struct query_fields : testing::Test {
  // Calls `body(it, row)` for the only result.
  template <class Query, class Function>
  void only(const Query& q, Function body) {
    int times = 0;
    q.each([&](kith::iter& it, std::size_t row) {
      ++times;
      body(it, row);
    });
    EXPECT_EQ(times, 1);
  }
  template <class Function>
  void only(const char* text, Function body) {
    only(world.query(text), body);
  }

  kith::world world;
  kith::entity Likes = world.entity("Likes");
  kith::entity bob = world.entity("bob").set(Position{1, 2}).set(Velocity{3, 4}).add<Npc>();
};

TEST_F(query_fields, count_from_0_in_the_order_they_are_written) {
  only("Velocity, Position, Npc", [&](kith::iter& it, std::size_t row) {
    EXPECT_EQ(it.field_count(), 3u);
    EXPECT_EQ(it.field<Velocity>(0)[row].x, 3);
    EXPECT_EQ(it.field<Position>(1)[row].x, 1);
    EXPECT_EQ(it.id(2), world.id<Npc>());
  });
}

// Q37
TEST_F(query_fields, types_come_before_terms_of_the_builder_and_those_before_the_text) {
  bob.set(Mass{5});
  auto q = world.query_builder<Position>().expr("Velocity").with<Mass>().build();
  only(q, [&](kith::iter& it, std::size_t) {
    EXPECT_EQ(it.id(0), world.id<Position>());
    EXPECT_EQ(it.id(1), world.id<Mass>());
    EXPECT_EQ(it.id(2), world.id<Velocity>());
  });
}

TEST_F(query_fields, can_be_written_to) {
  only("Position", [&](kith::iter& it, std::size_t row) {
    it.field<Position>(0)[row].x = 10;
    it.field_at<Position>(0, row).y = 20;
    EXPECT_EQ(it.field<const Position>(0)[row].x, 10);
    EXPECT_EQ(it.field<Position>(0)->y, 20);
    EXPECT_EQ((*it.field<Position>(0)).y, 20);
    EXPECT_EQ(static_cast<Position*>(it.field(0)[row])->x, 10);
  });
  EXPECT_EQ(bob.get<Position>()->x, 10);
  EXPECT_EQ(bob.get<Position>()->y, 20);
}

// Q38
TEST_F(query_fields, a_wrong_type_is_a_type_error) {
  only("Position, Npc", [&](kith::iter& it, std::size_t row) {
    EXPECT_EQ(code_of([&] { it.field<Velocity>(0); }), kith::errc::type);
    EXPECT_EQ(code_of([&] { it.field<const Velocity>(0); }), kith::errc::type);
    EXPECT_EQ(code_of([&] { it.field_at<Velocity>(0, row); }), kith::errc::type);
    EXPECT_EQ(code_of([&] { it.term<Velocity>(1); }), kith::errc::type);
    // What has no values has none of any type.
    EXPECT_EQ(code_of([&] { it.field<Position>(1); }), kith::errc::type);
    EXPECT_EQ(code_of([&] { it.field<Npc>(1); }), kith::errc::type);
  });
}

// While several threads read, no type can be registered, and none has to be.
TEST_F(query_fields, what_is_not_set_can_be_asked_for_with_a_type_that_nobody_knows) {
  struct Unknown {
    int x;
  };
  auto q = world.query_builder<Position>().with(Likes).optional().build();
  q.count();
  world.readonly_begin();
  only(q, [&](kith::iter& it, std::size_t) { EXPECT_FALSE(it.field<const Unknown>(1)); });
  world.readonly_end();
}

TEST_F(query_fields, a_number_that_is_none_of_them_is_out_of_range) {
  only("Position", [&](kith::iter& it, std::size_t row) {
    const auto out_of_range = kith::errc::out_of_range;
    EXPECT_EQ(code_of([&] { it.field<Position>(1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.field(1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.id(1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.src(1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.is_set(1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.field_at<Position>(0, row + 1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.entity(row + 1); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.term<Position>(0); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.term<Position>(2); }), out_of_range);
    EXPECT_EQ(code_of([&] { it.term_id(0); }), out_of_range);
  });
}

// Q36 C19
TEST_F(query_fields, terms_count_from_1_and_alternatives_count) {
  world.component<Mass>();
  only("Position, Mass || Velocity, Npc", [&](kith::iter& it, std::size_t row) {
    EXPECT_EQ(it.field_count(), 3u);
    EXPECT_EQ(it.term_count(), 4u);
    EXPECT_EQ(it.term<Position>(1)[row].x, 1);
    EXPECT_EQ(it.term<Velocity>(2)[row].x, 3);
    EXPECT_EQ(it.term<Velocity>(3)[row].x, 3);
    EXPECT_EQ(code_of([&] { it.term<Mass>(2); }), kith::errc::type);
    EXPECT_EQ(it.term_id(4), world.id<Npc>());
  });
}

// Q39 C19
TEST_F(query_fields, the_field_of_a_chain_is_the_first_alternative_that_holds) {
  world.component<Mass>();
  only("Mass || Velocity", [&](kith::iter& it, std::size_t) {
    EXPECT_EQ(it.id(0), world.id<Velocity>());
    EXPECT_TRUE(it.is_set(0));
  });
  only("Position || Velocity",
       [&](kith::iter& it, std::size_t) { EXPECT_EQ(it.id(0), world.id<Position>()); });
}

TEST_F(query_fields, what_did_not_match_is_not_set) {
  world.component<Mass>();
  only("Position, ?Mass, !Mass, {Velocity}, $this != Likes", [&](kith::iter& it, std::size_t row) {
    EXPECT_TRUE(it.is_set(0));
    for (std::size_t n = 1; n < 5; ++n) {
      EXPECT_FALSE(it.is_set(n)) << n;
      EXPECT_FALSE(it.id(n)) << n;
      EXPECT_FALSE(it.src(n)) << n;
      EXPECT_FALSE(it.field(n)) << n;
      EXPECT_EQ(it.field(n)[row], nullptr) << n;
    }
    EXPECT_FALSE(it.field<Mass>(1));
    EXPECT_EQ(code_of([&] { it.field_at<Mass>(1, row); }), kith::errc::out_of_range);
    EXPECT_EQ(code_of([&] { it.pair(1); }), kith::errc::type);
  });
}

// R55
TEST_F(query_fields, a_pair_is_taken_apart) {
  auto alice = world.entity("alice");
  bob.add(Likes, alice);
  only("Position, (Likes, *)", [&](kith::iter& it, std::size_t) {
    EXPECT_EQ(it.pair(1), world.pair(Likes, alice));
    EXPECT_EQ(it.pair(1).first(), Likes);
    EXPECT_EQ(it.pair(1).second(), alice);
    EXPECT_EQ(code_of([&] { it.pair(0); }), kith::errc::type);
  });
}

TEST_F(query_fields, the_source_is_null_on_this_and_else_where_it_was_found) {
  auto base = world.entity("base").set(Mass{9});
  auto home = world.entity("home").set(Mass{5});
  bob.is_a(base).child_of(home);
  only("Position, Mass, Mass(up), Mass(home), Mass(self|up)", [&](kith::iter& it, std::size_t row) {
    EXPECT_FALSE(it.src(0));
    EXPECT_TRUE(it.is_self(0));
    EXPECT_EQ(it.src(1), base);
    EXPECT_FALSE(it.is_self(1));
    EXPECT_EQ(it.src(2), home);
    EXPECT_EQ(it.src(3), home);
    EXPECT_EQ(it.src(4), base);
    EXPECT_EQ(it.field_at<Mass>(1, row).value, 9);
    EXPECT_EQ(it.field_at<Mass>(2, row).value, 5);
    EXPECT_EQ(it.field_at<Mass>(3, row).value, 5);
    EXPECT_TRUE(it.field<Mass>(1).is_shared());
    EXPECT_FALSE(it.field<Position>(0).is_shared());
  });
}

TEST_F(query_fields, a_variable_source_has_its_own_value) {
  auto alice = world.entity("alice").set(Mass{6});
  bob.add(Likes, alice);
  only("(Likes, $x), Mass($x)", [&](kith::iter& it, std::size_t row) {
    EXPECT_EQ(it.src(1), alice);
    EXPECT_EQ(it.field<Mass>(1)[row].value, 6);
  });
}

// Q148
TEST_F(query_fields, the_id_is_the_one_that_made_the_term_hold) {
  auto Artwork = world.entity("Artwork");
  auto Portrait = world.entity("Portrait").is_a(Artwork);
  bob.add(Portrait);
  only("Artwork", [&](kith::iter& it, std::size_t) { EXPECT_EQ(it.id(0), Portrait); });
}

}  // namespace
