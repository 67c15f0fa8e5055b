// Each method of the builder, shown by the text of the query it makes.
#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace {

using kith::test::bound;
using kith::test::code_of;
using kith::test::found;

struct Position {
  float x, y;
};
struct Velocity {
  float x, y;
};
struct Npc {};
struct Likes {
  int how_much;
};
struct Apples {};

struct query_builder : testing::Test {
  query_builder() {
    // The names that texts use.
    world.component<Position>();
    world.component<Velocity>();
    world.component<Npc>();
  }
  kith::query_builder<> build() { return world.query_builder(); }
  // What the builder made and what the text makes are one query, and its text makes it again.
  template <class... Ts>
  void is(const kith::query_builder<Ts...>& b, const char* text) {
    const std::string built = b.build().str();
    EXPECT_EQ(built, world.query(text).str());
    EXPECT_EQ(built, world.query(built).str());
  }

  kith::world world;
  kith::entity Knows = world.entity("Knows");
  kith::entity bob = world.entity("bob");
  kith::entity Tag = world.entity("Tag");
  kith::entity Other = world.entity("Other");
};

// C2 C3 Q93 Q95 Q96 Q97
TEST_F(query_builder, terms_are_types_entities_pairs_and_texts) {
  is(build().with<Position>(), "Position");
  is(build().with(Tag), "Tag");
  is(build().with(Knows, bob), "(Knows, bob)");
  is(build().with(world.pair(Knows, bob)), "(Knows, bob)");
  is(build().with(world.id<Position>()), "Position");
  is(build().with("Tag"), "Tag");
  is(build().with("(Knows, $x)"), "(Knows, $x)");
  is(build().with("!Tag(bob)"), "!Tag(bob)");
  is(build().with(std::string("Tag || Other")), "Tag || Other");
  is(build().with(Knows, "$x"), "(Knows, $x)");
  is(build().with(Knows, "*"), "(Knows, *)");
  is(build().with(Knows, kith::Wildcard), "(Knows, *)");
  is(build().with(Knows, kith::Any), "(Knows, _)");
  is(build().with(kith::Wildcard, bob), "(*, bob)");
  is(build().with(kith::Wildcard), "*");
  is(build().with("$r", bob), "($r, bob)");
  is(build().with(Knows, "bob"), "(Knows, bob)");
  is(build().with(Knows, "@whom"), "(Knows, @whom)");
}

// Q97 R18
TEST_F(query_builder, pairs_of_types) {
  const std::string pair = world.query_builder().with<Likes, Apples>().build().str();
  EXPECT_EQ((world.query_builder<kith::pair<Likes, Apples>>().build().str()), pair);
  EXPECT_EQ((world.query_builder().with<kith::pair<Likes, Apples>>().build().str()), pair);
  is(build().with<Npc>(bob), "(Npc, bob)");
  is(build().with<Npc>("$x"), "(Npc, $x)");
}

// C2
TEST_F(query_builder, term_is_with_and_without_is_not) {
  is(build().term<Position>().term(Tag).term(Knows, bob).term("Other"),
     "Position, Tag, (Knows, bob), Other");
  is(build().with<Position>().without<Velocity>(), "Position, !Velocity");
  is(build().with(Tag).without(Other), "Tag, !Other");
  is(build().with(Tag).without(Knows, bob), "Tag, !(Knows, bob)");
  is(build().with(Tag).without("Other"), "Tag, !Other");
  is(build().with(Tag).without<Npc>(bob), "Tag, !(Npc, bob)");
}

// Q69 Q70 Q71 Q72 Q79 Q80 Q81
TEST_F(query_builder, operators) {
  is(build().with(Tag).with(Other).not_(), "Tag, !Other");
  is(build().with(Tag).with(Other).oper(kith::Not), "Tag, !Other");
  is(build().with(Tag).with(Other).optional(), "Tag, ?Other");
  is(build().with(Tag).with(Other).oper(kith::Optional), "Tag, ?Other");
  is(build().with(Tag).oper(kith::And), "Tag");
  is(build().with(Tag).and_from(), "AND | Tag");
  is(build().with(Tag).or_from(), "OR | Tag");
  is(build().with(Tag).not_from(), "NOT | Tag");
  is(build().with(Tag).oper(kith::AndFrom), "AND | Tag");
  is(build().with(Tag).oper(kith::OrFrom), "OR | Tag");
  is(build().with(Tag).oper(kith::NotFrom), "NOT | Tag");
}

// C18
TEST_F(query_builder, or_links_to_the_next_term) {
  is(build().with(Tag).or_().with(Other), "Tag || Other");
  is(build().with<Npc>().with(Tag).or_().with(Other).with<Position>(),
     "Npc, Tag || Other, Position");
  is(build().with(Tag).or_().with(Other).or_().with<Npc>(), "Tag || Other || Npc");
  is(build().with(Tag).or_().with(Other).not_(), "Tag || !Other");
}

// C18 Q76
TEST_F(query_builder, a_run_of_terms_that_are_or_is_one_chain) {
  is(build().with(Tag).oper(kith::Or).with(Other).oper(kith::Or), "Tag || Other");
  is(build().with(Tag).oper(kith::Or).with(Other).oper(kith::Or).with<Npc>(), "Tag || Other, Npc");
  is(build().with<Npc>().with(Tag).oper(kith::Or).with(Other).oper(kith::Or), "Npc, Tag || Other");
  is(build()
         .with(Tag)
         .oper(kith::Or)
         .with(Other)
         .oper(kith::Or)
         .with<Npc>()
         .with<Position>()
         .oper(kith::Or)
         .with<Velocity>()
         .oper(kith::Or),
     "Tag || Other, Npc, Position || Velocity");
  // One alone joins its successor.
  is(build().with(Tag).oper(kith::Or).with(Other), "Tag || Other");
  is(build().with<Npc>().with(Tag).oper(kith::Or).with(Other).with<Position>(),
     "Npc, Tag || Other, Position");
  is(build().with<Npc>().with(Tag).oper(kith::Or), "Npc, Tag");
}

// Q82 Q85
TEST_F(query_builder, access) {
  is(build().with<Position>().in(), "[in] Position");
  is(build().with<Position>().out(), "[out] Position");
  is(build().with<Position>().inout(), "[inout] Position");
  is(build().with<Position>().inout_none(), "[none] Position");
  is(build().with<Position>().filter(), "[filter] Position");
  is(build().with<Position>().inout(kith::In), "[in] Position");
  is(world.query_builder<const Position, Velocity*>(), "[in] Position, ?Velocity");
  is(world.query_builder<const Position*>(), "[in] ?Position");
}

// Q103 C4
TEST_F(query_builder, places) {
  is(build().with(Tag).src(bob), "Tag(bob)");
  is(build().with(Tag).src("bob"), "Tag(bob)");
  is(build().with(Tag).src("$x"), "Tag($x)");
  is(build().with(Tag).src().var("x"), "Tag($x)");
  is(build().with(Tag).subj(bob), "Tag(bob)");
  is(build().with(Tag).src<Position>(), "Tag(Position)");
  is(build().with(Tag).src(kith::This), "Tag($this)");
  is(build().with(Knows).second(bob), "(Knows, bob)");
  is(build().with(Knows).second("$x"), "(Knows, $x)");
  is(build().with(Knows).second().var("x"), "(Knows, $x)");
  is(build().with(Knows).second<Npc>(), "(Knows, Npc)");
  is(build().with(Knows).obj(bob), "(Knows, bob)");
  is(build().with(Knows).object(bob), "(Knows, bob)");
  is(build().with(Knows).target(bob), "(Knows, bob)");
  is(build().with(Knows, bob).src("$x"), "Knows($x, bob)");
  is(build().with(Knows, bob).first("$r"), "($r, bob)");
  is(build().with(Knows, bob).first().var("r"), "($r, bob)");
  is(build().with(world.pair(Knows, bob)).first("$r"), "($r, bob)");
  is(build().with(world.pair(Knows, bob)).second("$x"), "(Knows, $x)");
  is(build().with(Knows, bob).pred(Tag), "(Tag, bob)");
  is(build().with(Knows, bob).relation(Tag), "(Tag, bob)");
  is(build().with(Tag).first("$p"), "$p");
}

// Q101 C20
TEST_F(query_builder, singleton) { is(build().with<Position>().singleton(), "Position($)"); }

// Q122 Q125 Q127 Q128 Q129 Q131 Q134 C26 C28 C29
TEST_F(query_builder, sets_on_the_source) {
  is(build().with(Tag).self(), "Tag(self)");
  is(build().with(Tag).super(), "Tag(super)");
  is(build().with(Tag).super(kith::ChildOf), "Tag(super(ChildOf))");
  is(build().with(Tag).up(), "Tag(up)");
  is(build().with(Tag).up(Knows), "Tag(up(Knows))");
  is(build().with(Tag).sub(), "Tag(sub)");
  is(build().with(Tag).sub(kith::ChildOf), "Tag(sub(ChildOf))");
  is(build().with(Tag).down(), "Tag(down)");
  is(build().with(Tag).parent(), "Tag(parent)");
  is(build().with(Tag).self().up(), "Tag(self|up)");
  is(build().with(Tag).all().up(), "Tag(all|up)");
  is(build().with(Tag).cascade(), "Tag(cascade)");
  is(build().with(Tag).cascade(Knows), "Tag(cascade(Knows))");
  is(build().with(Tag).cascade().desc(), "Tag(cascade|desc)");
  is(build().with(Tag).super(kith::ChildOf).cascade(), "Tag(cascade|super(ChildOf))");
  is(build().with(Tag).up().max_depth(3), "Tag(up(ChildOf, 3))");
  is(build().with(Tag).up().min_depth(2).max_depth(4), "Tag(up(ChildOf, 2, 4))");
  is(build().with(Tag).set(kith::Self | kith::SuperSet, kith::ChildOf), "Tag(self|super(ChildOf))");
  is(build().with(Tag).src(bob).up(), "Tag(bob[up])");
  is(build().with(Tag).src("$x").up(), "Tag($x[up])");
}

// Q133 Q148
TEST_F(query_builder, sets_on_predicate_and_target) {
  is(build().with(Tag).first().self().sub(), "Tag[self|sub]");
  is(build().with(Knows, bob).second().up(), "(Knows, bob[up])");
  is(build().with(Knows, bob).first().self(), "(Knows[self], bob)");
  is(build().with(Knows, bob).second().self().src().up(), "Knows($this[up], bob[self])");
  is(build().with(Knows, "bob[up]"), "(Knows, bob[up])");
  is(build().with(Tag).src("bob[up]"), "Tag(bob[up])");
}

TEST_F(query_builder, what_is_said_is_about_the_last_term) {
  is(build().with(Tag).with(Other).src(bob), "Tag, Other(bob)");
  is(build().with(Tag).src(bob).with(Other), "Tag(bob), Other");
  is(build().with(Knows, bob).second().with(Other).up(), "(Knows, bob), Other(up)");
}

TEST_F(query_builder, term_at_goes_back) {
  is(build().with(Tag).with(Other).term_at(0).not_().term_at(1).src(bob), "!Tag, Other(bob)");
  is(world.query_builder<Position, Velocity>().term_at(1).optional(), "Position, ?Velocity");
  EXPECT_EQ(code_of([&] { build().with(Tag).term_at(1); }), kith::errc::out_of_range);
  EXPECT_EQ(code_of([&] { build().not_(); }), kith::errc::out_of_range);
  EXPECT_EQ(code_of([&] { build().src(bob); }), kith::errc::out_of_range);
}

// Q23 Q26
TEST_F(query_builder, texts_come_after_terms_and_add_up) {
  is(build().expr("Tag, Other").with<Npc>().expr("!Position"), "Npc, Tag, Other, !Position");
  is(world.query_builder<Position>().expr("(Knows, $x), Tag($x)"),
     "Position, (Knows, $x), Tag($x)");
}

// C35
TEST_F(query_builder, a_comment_ends_with_its_text) {
  is(build().expr("Tag // not").expr("Other // this").expr(""), "Tag, Other");
  is(build().with("Tag // not").with("Other"), "Tag, Other");
}

TEST_F(query_builder, variables_are_shared_between_terms_and_texts) {
  auto alice = world.entity("alice").add(Tag);
  bob.add(Knows, alice).add(Knows, world.entity("carl"));
  auto q = build().with(Knows, "$x").expr("Tag($x)").build();
  EXPECT_EQ(bound(q), "bob x=alice;");
}

// Q22
TEST_F(query_builder, a_builder_can_be_kept_copied_and_used_again) {
  auto b = build().with(Tag);
  auto one = b.build();
  auto copy = b;
  b.with(Other);
  is(copy, "Tag");
  is(b, "Tag, Other");
  EXPECT_EQ(one.str(), "Tag");
}

// C16 C17
TEST_F(query_builder, caching_never_shows) {
  bob.add(Tag);
  for (kith::cache_kind kind :
       {kith::cache_kind::automatic, kith::cache_kind::always, kith::cache_kind::never}) {
    auto q = build().with(Tag).cache_kind(kind).build();
    EXPECT_EQ(found(q), "bob");
    EXPECT_EQ(found(q), "bob");
  }
  EXPECT_EQ(found(build().with(Tag).cached().build()), "bob");
  EXPECT_EQ(found(world.filter_builder().with(Tag).build()), "bob");
  EXPECT_EQ(found(world.filter("Tag")), "bob");
  EXPECT_EQ(world.filter<Position>().count(), 0u);
}

TEST_F(query_builder, a_query_without_terms_has_all_entities) {
  auto q = build().build();
  EXPECT_EQ(q.str(), "");
  EXPECT_EQ(q.field_count(), 0u);
}

// C21 Q78
TEST_F(query_builder, a_type_is_a_list_that_queries_leave_out) {
  auto list = world.type("list").add(Tag).add(Other);
  EXPECT_EQ(world.lookup("list"), list);
  EXPECT_EQ(world.type("list"), list);
  bob.add(Tag).add(Other);
  EXPECT_EQ(found(world.query("AND | list")), "bob");
  EXPECT_EQ(found(world.query("Tag")), "bob");
  EXPECT_EQ(found(build().with(world.type().add(Tag)).and_from().build()), "bob");
  // Any entity will do as a list.
  auto plain = world.entity("plain").add(Tag);
  EXPECT_EQ(found(build().with(plain).and_from().build()), "bob plain");
}

}  // namespace
