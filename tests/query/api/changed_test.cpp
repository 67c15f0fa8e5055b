// Whether something has changed since a query was last iterated.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "query/api/three_storages.hpp"
#include "support/rows.hpp"

namespace {

using kith::test::Apart;
using kith::test::InTable;
using kith::test::Spread;
struct Other {
  int x;
};
struct Npc {};

template <class T>
struct changed : testing::Test {
  changed() {
    kith::test::keep_apart(world);
    seen(q);
  }
  // Iterates it, so that nothing is new.
  template <class... Ts>
  static void seen(const kith::query<Ts...>& which) {
    for (int times = 0; times < 2; ++times)
      which.run([](kith::iter& it) {
        while (it.next())
          ;
      });
    EXPECT_FALSE(which.changed());
  }
  // A change shows, until the next iteration.
  template <class Change>
  void shows(const char* what, Change change) {
    seen(q);
    change();
    EXPECT_TRUE(q.changed()) << what;
    EXPECT_TRUE(q.changed()) << what;
    seen(q);
  }
  template <class Change>
  void does_not_show(const char* what, Change change) {
    seen(q);
    change();
    EXPECT_FALSE(q.changed()) << what;
  }

  kith::world world;
  kith::entity e = world.entity("e").set(T{1}).set(Other{1});
  kith::entity f = world.entity("f").set(T{2});
  kith::query<const T> q = world.query_builder<const T>().cached().build();
};

using storages = testing::Types<InTable, Spread, Apart>;
TYPED_TEST_SUITE(changed, storages);

TYPED_TEST(changed, is_true_before_the_first_iteration_and_false_after_it) {
  for (auto kind :
       {kith::cache_kind::automatic, kith::cache_kind::always, kith::cache_kind::never}) {
    auto fresh = this->world.template query_builder<const TypeParam>().cache_kind(kind).build();
    EXPECT_TRUE(fresh.changed());
    EXPECT_TRUE(fresh.changed());
    fresh.each([](const TypeParam&) {});
    EXPECT_FALSE(fresh.changed());
    fresh.each([](const TypeParam&) {});
    EXPECT_FALSE(fresh.changed());
  }
}

// Looking at the beginning of the results is not having seen them.
TYPED_TEST(changed, stays_true_while_only_a_part_was_seen) {
  auto fresh = this->world.template query<const TypeParam>();
  fresh.first();
  fresh.is_true();
  EXPECT_TRUE(fresh.changed());
}

TYPED_TEST(changed, shows_values_that_are_written) {
  this->shows("set", [&] { this->e.set(TypeParam{1}); });
  this->shows("get_mut", [&] { this->e.template get_mut<TypeParam>()->x = 3; });
  this->shows("ensure", [&] { this->e.template ensure<TypeParam>().x = 3; });
  this->shows("emplace", [&] { this->e.template emplace<TypeParam>(4); });
  this->shows("modified", [&] { this->e.template modified<TypeParam>(); });
  this->shows("set_ptr", [&] {
    const TypeParam value{5};
    this->e.set_ptr(this->world.template id<TypeParam>(), &value);
  });
  this->shows("deferred", [&] {
    this->world.defer([&] {
      this->e.set(TypeParam{1});
      EXPECT_FALSE(this->q.changed());
    });
  });
}

TYPED_TEST(changed, shows_results_that_come_and_go) {
  auto g = this->world.entity("g");
  this->shows("add", [&] { g.template add<TypeParam>(); });
  this->shows("remove", [&] { g.template remove<TypeParam>(); });
  this->shows("create", [&] { this->world.entity().set(TypeParam{1}); });
  this->shows("bulk", [&] { this->world.bulk(3, TypeParam{1}); });
  this->shows("clone", [&] { this->e.clone(); });
  this->shows("delete", [&] { this->f.destruct(); });
  this->shows("disable", [&] { this->e.disable(); });
  this->shows("enable", [&] { this->e.enable(); });
  this->shows("disable an id", [&] { this->e.template disable<TypeParam>(); });
  this->shows("enable an id", [&] { this->e.template enable<TypeParam>(); });
  this->shows("clear", [&] { this->e.clear(); });
}

TYPED_TEST(changed, shows_what_other_queries_write) {
  auto writer = this->world.template query<TypeParam>();
  this->shows("each", [&] { writer.each([](TypeParam&) {}); });
  this->shows("each", [&] { writer.each([](TypeParam&) {}); });
  this->shows("arrays", [&] { writer.iter([](kith::iter&, TypeParam*) {}); });
  this->shows("field", [&] {
    for (kith::iter& it : writer) it.field<TypeParam>(0);
  });
  auto out = this->world.query_builder().template with<TypeParam>().out().build();
  this->shows("[out]", [&] {
    for (kith::iter& it : out) it.field(0);
  });
  this->shows("world.each", [&] { this->world.each([](TypeParam&) {}); });
}

TYPED_TEST(changed, does_not_show_what_is_only_read) {
  this->does_not_show("get", [&] { this->e.template get<TypeParam>(); });
  auto reader = this->world.template query<const TypeParam>();
  this->does_not_show("each", [&] { reader.each([](const TypeParam&) {}); });
  this->does_not_show("arrays", [&] { reader.iter([](kith::iter&, const TypeParam*) {}); });
  this->does_not_show("entities",
                      [&] { this->world.template query<TypeParam>().each([](kith::entity) {}); });
  this->does_not_show("count", [&] { this->world.template query<TypeParam>().count(); });
  auto in = this->world.query_builder().template with<TypeParam>().in().build();
  this->does_not_show("[in]", [&] {
    for (kith::iter& it : in) it.field(0);
  });
}

TYPED_TEST(changed, does_not_show_changes_elsewhere) {
  auto g = this->world.entity("g").set(Other{1});
  this->does_not_show("another value", [&] { this->world.lookup("g").set(Other{2}); });
  this->does_not_show("another entity", [&] { this->world.entity().template add<Npc>(); });
  this->does_not_show("another deleted", [&] { g.destruct(); });
  this->does_not_show("another name", [&] { this->e.set_name("h"); });
}

TYPED_TEST(changed, does_not_show_another_value_of_a_result) {
  this->does_not_show("another value", [&] { this->e.set(Other{7}); });
  this->does_not_show("another query",
                      [&] { this->world.template query<Other>().each([](Other&) {}); });
}

// C55
TYPED_TEST(changed, does_not_show_what_the_query_itself_writes) {
  auto own = this->world.template query_builder<TypeParam>().cached().build();
  own.each([](TypeParam& v) { v.x = 2; });
  EXPECT_FALSE(own.changed());
  own.iter([](kith::iter& it, TypeParam* v) {
    for (auto i : it) v[i].x = 3;
  });
  EXPECT_FALSE(own.changed());
  EXPECT_TRUE(this->q.changed());
}

TYPED_TEST(changed, shows_what_was_written_while_it_was_read) {
  this->world.template query<TypeParam>().each([&](TypeParam& v) {
    this->q.each([](const TypeParam&) {});
    v.x = 9;
  });
  EXPECT_TRUE(this->q.changed());
}

TYPED_TEST(changed, shows_changes_that_waited_for_the_end_of_the_iteration) {
  this->q.each([](kith::entity at, const TypeParam& v) { at.set(TypeParam{v.x + 1}); });
  EXPECT_TRUE(this->q.changed());
  this->q.each([&](const TypeParam&) { this->world.entity().set(TypeParam{1}); });
  EXPECT_TRUE(this->q.changed());
}

TYPED_TEST(changed, is_known_to_each_query_on_its_own) {
  auto other = this->world.template query_builder<const TypeParam>().cached().build();
  this->seen(other);
  this->e.set(TypeParam{5});
  EXPECT_TRUE(this->q.changed());
  EXPECT_TRUE(other.changed());
  this->seen(this->q);
  EXPECT_TRUE(other.changed());
}

// --- access --------------------------------------------------------------------------------------

// C54
TYPED_TEST(changed, does_not_show_values_that_the_query_does_not_look_at) {
  const char* name = "";
  const auto with = [&](auto access, bool expected) {
    auto builder = this->world.query_builder();
    builder.template with<TypeParam>();
    access(builder);
    auto asked = builder.cached().build();
    this->seen(asked);
    this->e.set(TypeParam{5});
    EXPECT_EQ(asked.changed(), expected) << name;
    this->seen(asked);
    this->f.template remove<TypeParam>();
    EXPECT_TRUE(asked.changed()) << name;
    this->f.set(TypeParam{1});
  };
  name = "in";
  with([](auto& b) { b.in(); }, true);
  name = "inout";
  with([](auto& b) { b.inout(); }, true);
  name = "default";
  with([](auto&) {}, true);
  name = "none";
  with([](auto& b) { b.inout_none(); }, false);
  name = "filter";
  with([](auto& b) { b.filter(); }, false);
  // What is written without being read.
  name = "out";
  with([](auto& b) { b.out(); }, false);
}

TYPED_TEST(changed, shows_optional_values) {
  auto asked = this->world.template query_builder<const Other, const TypeParam*>().cached().build();
  this->seen(asked);
  this->e.set(TypeParam{3});
  EXPECT_TRUE(asked.changed());
  this->seen(asked);
  this->e.template remove<TypeParam>();
  EXPECT_TRUE(asked.changed());
  this->seen(asked);
  this->f.set(TypeParam{1});
  EXPECT_FALSE(asked.changed());
}

TYPED_TEST(changed, shows_what_a_not_makes_come_and_go) {
  auto asked = this->world.template query_builder<const TypeParam>()
                   .template without<Npc>()
                   .cached()
                   .build();
  this->seen(asked);
  this->e.template add<Npc>();
  EXPECT_TRUE(asked.changed());
  this->seen(asked);
  this->e.template remove<Npc>();
  EXPECT_TRUE(asked.changed());
}

TYPED_TEST(changed, shows_inherited_values) {
  auto base = this->world.prefab("base").set(TypeParam{1});
  this->world.entity("kind").is_a(base);
  this->seen(this->q);
  base.set(TypeParam{2});
  EXPECT_TRUE(this->q.changed());
  this->seen(this->q);
  base.template get_mut<TypeParam>()->x = 3;
  EXPECT_TRUE(this->q.changed());
  this->seen(this->q);
  base.template remove<TypeParam>();
  EXPECT_TRUE(this->q.changed());
}

TYPED_TEST(changed, shows_values_of_parents_and_fixed_sources) {
  auto child = this->world.entity("child").child_of(this->e);
  auto up = this->world.query_builder().template with<TypeParam>().src().up().in().cached().build();
  auto fixed = this->world.query_builder()
                   .template with<Other>()
                   .template with<TypeParam>()
                   .src(this->f)
                   .in()
                   .cached()
                   .build();
  this->seen(up), this->seen(fixed);
  this->e.set(TypeParam{5});
  EXPECT_TRUE(up.changed());
  this->seen(up), this->seen(fixed);
  this->f.set(TypeParam{5});
  EXPECT_TRUE(fixed.changed());
  this->seen(fixed);
  child.child_of(this->f);
  EXPECT_TRUE(up.changed());
}

TYPED_TEST(changed, shows_what_joins_depend_on) {
  auto Likes = this->world.entity("Likes"), Good = this->world.entity("Good");
  this->e.add(Likes, this->f);
  auto asked = this->world.template query_builder<const TypeParam>()
                   .with(Likes, "$x")
                   .with(Good)
                   .src("$x")
                   .cached()
                   .build();
  this->seen(asked);
  this->f.add(Good);
  EXPECT_TRUE(asked.changed());
  this->seen(asked);
  this->e.set(TypeParam{8});
  EXPECT_TRUE(asked.changed());
  this->seen(asked);
  this->e.remove(Likes, this->f);
  EXPECT_TRUE(asked.changed());
  this->seen(asked);
  this->world.entity().set(Other{1});
  EXPECT_FALSE(asked.changed());
}

// --- more ----------------------------------------------------------------------------------------

struct changed_results : testing::Test {
  static void seen(const kith::query<>& q) {
    q.count();
    q.count();
    EXPECT_FALSE(q.changed());
  }
  kith::world world;
};

TEST_F(changed_results, tags_come_and_go) {
  auto a = world.entity().add<Npc>();
  auto q = world.query_builder().with<Npc>().cached().build();
  seen(q);
  a.add<Npc>();
  EXPECT_FALSE(q.changed());
  a.remove<Npc>();
  EXPECT_TRUE(q.changed());
  seen(q);
  a.add<Npc>();
  EXPECT_TRUE(q.changed());
}

// One result goes and another comes in its place.
TEST_F(changed_results, as_many_as_before_are_not_the_same) {
  auto Flies = world.entity("Flies");
  auto one = world.prefab("one").add(Flies), two = world.prefab("two");
  world.entity("a").is_a(one);
  world.entity("b").is_a(two);
  auto q = world.query_builder().with(Flies).cached().build();
  seen(q);
  EXPECT_EQ(kith::test::found(q), "a");
  one.remove(Flies);
  two.add(Flies);
  EXPECT_TRUE(q.changed());
  EXPECT_EQ(kith::test::found(q), "b");
}

TEST_F(changed_results, tables_come_and_go) {
  auto q = world.query_builder().with<Npc>().cached().build();
  seen(q);
  for (int i = 0; i < 100; ++i) world.entity().add<Npc>().add(world.entity());
  EXPECT_TRUE(q.changed());
  seen(q);
  world.entity().add(world.entity());
  EXPECT_FALSE(q.changed());
  world.query("Npc").each([](kith::entity e) { e.destruct(); });
  EXPECT_TRUE(q.changed());
  seen(q);
}

TEST_F(changed_results, names_count_where_they_are_asked_for) {
  auto bob = world.entity("bob").add<Npc>();
  auto q = world.query_builder().with<Npc>().expr("$this ~= \"bo\"").cached().build();
  seen(q);
  EXPECT_EQ(q.count(), 1u);
  bob.set_name("carl");
  EXPECT_TRUE(q.changed());
  EXPECT_EQ(q.count(), 0u);
}

TEST_F(changed_results, a_question_changes_too) {
  auto bob = world.entity("bob").add<Npc>();
  auto q = world.query_builder().with<Npc>().src(bob).cached().build();
  q.count();
  EXPECT_FALSE(q.changed());
  bob.remove<Npc>();
  EXPECT_TRUE(q.changed());
}

TEST_F(changed_results, another_id_of_a_fixed_source_counts) {
  world.component<Other>();
  auto R = world.entity("R"), a = world.entity("a"), b = world.entity("b");
  world.entity("t").add(world.entity("T"));
  a.add(R, b);
  auto q = world.query_builder().expr("_(a, b), T").cached().build();
  seen(q);
  a.set<Other>(b, {1});
  EXPECT_TRUE(q.changed()) << "(Other, b) comes before (R, b)";
  seen(q);
  a.set<Other>(b, {2});
  EXPECT_TRUE(q.changed()) << "the field shows another value";
  seen(q);
  a.add(b);
  EXPECT_FALSE(q.changed());
}

TEST_F(changed_results, an_optional_id_of_a_fixed_source_counts) {
  auto R = world.entity("R"), a = world.entity("a"), b = world.entity("b");
  world.entity("t").add(world.entity("T"));
  auto q = world.query_builder().expr("?R(a, b), T").cached().build();
  seen(q);
  a.add(R, b);
  EXPECT_TRUE(q.changed());
  seen(q);
  a.remove(R, b);
  EXPECT_TRUE(q.changed());
}

TEST_F(changed_results, traits_count) {
  auto In = world.entity("In"), a = world.entity("a"), b = world.entity("b"), c = world.entity("c");
  a.add(In, b);
  b.add(In, c);
  auto q = world.query_builder().with(In, c).cached().build();
  seen(q);
  In.add(kith::Transitive);
  EXPECT_TRUE(q.changed());
  EXPECT_EQ(q.count(), 2u);
}

}  // namespace
