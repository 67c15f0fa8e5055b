// Which rows have changed since a query was last iterated.
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "query/api/three_storages.hpp"
#include "support/rows.hpp"

namespace {

using kith::test::Apart;
using kith::test::code_of;
using kith::test::InTable;
using kith::test::Spread;

struct Npc {};

template <class T>
struct changed_rows : testing::Test {
  changed_rows() { kith::test::keep_apart(world); }
  // The names of the rows that changed. Afterwards nothing is new.
  template <class... Ts>
  static std::string changes(const kith::query<Ts...>& of) {
    std::vector<std::string> names;
    of.run([&](kith::iter& it) {
      while (it.next()) {
        bool any = false;
        for (auto i : it) {
          if (!it.changed(i)) continue;
          any = true;
          names.emplace_back(it.entity(i).name());
        }
        EXPECT_EQ(it.changed(), any);
      }
    });
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    return all;
  }
  template <class Change>
  void shows(const char* rows, const char* what, Change change) {
    changes(q);
    change();
    EXPECT_EQ(changes(q), rows) << what;
    EXPECT_EQ(changes(q), "") << what;
  }

  kith::world world;
  kith::entity e = world.entity("e").set(T{1}), f = world.entity("f").set(T{2}),
               g = world.entity("g").set(T{3}).template add<Npc>();
  kith::query<const T> q = world.query_builder<const T>().detect_changes().build();
};
using storages = testing::Types<InTable, Spread, Apart>;
TYPED_TEST_SUITE(changed_rows, storages);

TYPED_TEST(changed_rows, are_all_in_the_first_iteration_and_none_in_the_next) {
  EXPECT_EQ(this->changes(this->q), "e f g");
  EXPECT_EQ(this->changes(this->q), "");
  EXPECT_FALSE(this->q.changed());
}

TYPED_TEST(changed_rows, are_those_whose_values_were_written) {
  this->shows("f", "set", [&] { this->f.set(TypeParam{7}); });
  this->shows("g", "get_mut", [&] { this->g.template get_mut<TypeParam>(); });
  this->shows("e", "ensure", [&] { this->e.template ensure<TypeParam>(); });
  this->shows("e f", "modified", [&] {
    this->e.template modified<TypeParam>();
    this->f.template modified<TypeParam>();
  });
  this->shows("", "get", [&] { this->e.template get<TypeParam>(); });
  this->shows("", "another id", [&] { this->e.template add<Npc>(); });
}

// One writer whose kept results come in a batch for each group.
template <class T>
kith::query<T> one_batch_each(kith::world& world) {
  auto writer =
      world.query_builder<T>().group_by([](kith::entity e) { return e.raw_id(); }).cached().build();
  for (int times = 0; times < 2; ++times) writer.each([](T&) {});
  return writer;
}

TYPED_TEST(changed_rows, are_those_of_the_batches_that_were_written) {
  auto writer = one_batch_each<TypeParam>(this->world);
  const auto write = [&](const std::string& names, bool skips) {
    std::size_t batches = 0;
    writer.run([&](kith::iter& it) {
      for (; it.next(); ++batches) {
        ASSERT_EQ(it.count(), 1u);
        const bool wanted = names.find(it.entity(0).name()) != std::string::npos;
        if (wanted || skips) it.template field<TypeParam>(0);
        if (!wanted && skips) it.skip();
      }
    });
    EXPECT_EQ(batches, 3u);
  };
  for (const char* names : {"e f g", "e f", "e g", "g", ""})
    for (const bool skips : {false, true})
      this->shows(names, skips ? "the others are skipped" : "the others are not asked for",
                  [&] { write(names, skips); });
}

TYPED_TEST(changed_rows, are_seen_while_others_are_still_being_written) {
  auto writer = one_batch_each<TypeParam>(this->world);
  this->changes(this->q);
  std::string seen;
  writer.run([&](kith::iter& it) {
    while (it.next()) {
      it.template field<TypeParam>(0);
      seen += "[" + this->changes(this->q) + "]";
    }
  });
  EXPECT_EQ(seen, "[e][e f][f g]");
  EXPECT_EQ(this->changes(this->q), "g");
}

TYPED_TEST(changed_rows, are_seen_in_an_iteration_that_began_before) {
  auto writer = one_batch_each<TypeParam>(this->world);
  this->changes(this->q);
  int seen = 0;
  this->q.run([&](kith::iter& reader) {
    while (reader.next()) {
      writer.run([&](kith::iter& it) {
        while (it.next()) it.template field<TypeParam>(0);
        EXPECT_TRUE(reader.changed(0));
      });
      ++seen;
    }
  });
  EXPECT_GT(seen, 0);
}

// What a query writes is no news to it, also where an entity comes again.
TYPED_TEST(changed_rows, are_not_those_that_the_query_itself_writes) {
  auto likes = this->world.entity();
  this->e.add(likes, this->f).add(likes, this->g);
  auto twice =
      this->world.template query_builder<TypeParam>().with(likes, "$x").detect_changes().build();
  for (int times = 0; times < 3; ++times) {
    int rows = 0;
    twice.run([&](kith::iter& it) {
      for (; it.next(); ++rows) {
        EXPECT_EQ(it.changed(0), times == 0);
        it.template field<TypeParam>(0);
      }
    });
    EXPECT_EQ(rows, 2);
  }
}

TYPED_TEST(changed_rows, are_those_that_came) {
  this->shows("h", "create", [&] { this->world.entity("h").set(TypeParam{1}); });
  this->shows("", "remove", [&] { this->e.template remove<TypeParam>(); });
  this->shows("e", "add", [&] { this->e.template add<TypeParam>(); });
  this->shows("e", "remove and add", [&] {
    this->e.template remove<TypeParam>();
    this->e.set(TypeParam{5});
  });
  this->shows("", "delete", [&] { this->f.destruct(); });
  this->shows("", "disable", [&] { this->g.disable(); });
  this->shows("g", "enable", [&] { this->g.enable(); });
  // A row that came and one that was written.
  this->shows("e i", "both", [&] {
    this->world.entity("i").set(TypeParam{1});
    this->e.set(TypeParam{6});
  });
}

TYPED_TEST(changed_rows, of_other_queries_are_their_batches) {
  auto writer = this->world.template query<TypeParam>();
  auto npcs = this->world.template query_builder<TypeParam>().template with<Npc>().build();
  auto reader = this->world.template query<const TypeParam>();
  this->shows("", "read", [&] { reader.each([](const TypeParam&) {}); });
  this->shows("g", "one batch", [&] { npcs.each([](TypeParam& t) { ++t.x; }); });
  this->shows("e f g", "all", [&] { writer.each([](TypeParam& t) { ++t.x; }); });
  auto grouped = this->world.template query_builder<TypeParam>()
                     .group_by([](kith::entity one) { return one.name() == "f" ? 1u : 0u; })
                     .build();
  this->shows("f", "one batch that was kept", [&] {
    grouped.run([](kith::iter& it) {
      while (it.next())
        if (it.group_id() == 1) it.template field<TypeParam>(0);
    });
  });
  this->shows("e f g", "all that were kept", [&] { grouped.each([](TypeParam&) {}); });
}

TYPED_TEST(changed_rows, are_not_those_that_were_skipped) {
  auto writer = this->world.template query<TypeParam>();
  auto plain = this->world.template query<const TypeParam>();
  plain.each([](const TypeParam&) {});
  this->shows("", "skip", [&] {
    writer.run([](kith::iter& it) {
      while (it.next()) {
        it.template field<TypeParam>(0);
        it.skip();
      }
    });
  });
  EXPECT_FALSE(plain.changed());
}

// A query that asks during the iteration of another one sees the values of that batch as written.
TYPED_TEST(changed_rows, show_while_they_are_being_written) {
  this->changes(this->q);
  std::string seen;
  this->world.template query<TypeParam>().run([&](kith::iter& it) {
    while (it.next()) {
      it.template field<TypeParam>(0)[0].x = 8;
      if (seen.empty()) seen = this->changes(this->q);
    }
  });
  EXPECT_NE(seen, "");
}

TYPED_TEST(changed_rows, of_one_query_are_not_those_of_another) {
  auto other = this->world.template query_builder<const TypeParam>().detect_changes().build();
  this->changes(this->q);
  this->changes(other);
  this->e.set(TypeParam{4});
  EXPECT_EQ(this->changes(this->q), "e");
  this->f.set(TypeParam{4});
  EXPECT_EQ(this->changes(other), "e f");
  EXPECT_EQ(this->changes(this->q), "f");
}

TYPED_TEST(changed_rows, of_what_is_written_only_do_not_count) {
  auto out = this->world.query_builder().template with<TypeParam>().out().detect_changes().build();
  this->changes(out);
  this->e.set(TypeParam{4});
  EXPECT_EQ(this->changes(out), "");
}

TYPED_TEST(changed_rows, show_values_from_elsewhere) {
  auto base = this->world.prefab("base").set(TypeParam{1});
  auto kind = this->world.entity("kind").is_a(base);
  auto In = this->world.entity("In");
  this->e.add(In, this->f);
  auto joined =
      this->world.query_builder().expr("(In, $x)").template with<TypeParam>().in().src("$x");
  auto by_variable = joined.detect_changes().build();
  this->shows("kind", "the value of a base", [&] { base.set(TypeParam{2}); });
  this->shows("kind", "own instead", [&] { kind.set(TypeParam{3}); });
  this->changes(by_variable);
  this->f.set(TypeParam{9});
  EXPECT_EQ(this->changes(by_variable), "e");
  this->e.set(TypeParam{9});
  EXPECT_EQ(this->changes(by_variable), "");
  this->f.template remove<TypeParam>();
  EXPECT_EQ(this->changes(by_variable), "");
  this->f.set(TypeParam{1});
  EXPECT_EQ(this->changes(by_variable), "e");
}

TYPED_TEST(changed_rows, show_an_optional_value_that_came) {
  auto all = this->world.query_builder().template with<Npc>().template with<TypeParam>().optional();
  auto watched = all.in().detect_changes().build();
  auto h = this->world.entity("h").template add<Npc>();
  EXPECT_EQ(this->changes(watched), "g h");
  h.set(TypeParam{1});
  EXPECT_EQ(this->changes(watched), "h");
  h.template remove<TypeParam>();
  EXPECT_EQ(this->changes(watched), "h");
  EXPECT_EQ(this->changes(watched), "");
}

TYPED_TEST(changed_rows, in_an_order_and_in_groups) {
  auto In = this->world.entity("In"), here = this->world.entity("here");
  this->f.add(In, here);
  auto sorted = this->world.template query_builder<const TypeParam>()
                    .template order_by<TypeParam>(
                        [](const TypeParam& a, const TypeParam& b) { return a.x < b.x; })
                    .detect_changes()
                    .build();
  auto grouped =
      this->world.template query_builder<const TypeParam>().group_by(In).detect_changes().build();
  this->changes(sorted);
  this->changes(grouped);
  this->e.set(TypeParam{100});
  EXPECT_EQ(this->changes(sorted), "e");
  EXPECT_EQ(this->changes(grouped), "e");
  this->world.entity("h").set(TypeParam{2});
  EXPECT_EQ(this->changes(sorted), "h");
  EXPECT_EQ(this->changes(grouped), "h");
  EXPECT_EQ(this->changes(sorted), "");
}

// A part of the results was seen: the rest is as new as before.
TYPED_TEST(changed_rows, stay_new_until_all_were_seen) {
  this->q.first();
  this->world.entity("h").set(TypeParam{2});
  this->q.is_true();
  EXPECT_EQ(this->changes(this->q), "e f g h");
}

TYPED_TEST(changed_rows, that_were_not_asked_for_are_an_error) {
  auto plain = this->world.template query<const TypeParam>();
  for (int times = 0; times < 3; ++times)
    EXPECT_EQ(code_of([&] {
                plain.run([](kith::iter& it) {
                  while (it.next()) it.changed(0);
                });
              }),
              kith::errc::constraint);
  EXPECT_EQ(code_of([&] {
              this->q.run([](kith::iter& it) {
                while (it.next()) it.changed(100);
              });
            }),
            kith::errc::out_of_range);
}

// Every write is another value, so what differs from the last iteration is what changed.
TYPED_TEST(changed_rows, are_right_after_anything) {
  std::mt19937 random(11);
  std::vector<kith::entity> all;
  int next = 100;
  for (int i = 0; i < 60; ++i) all.push_back(this->world.entity());
  std::map<kith::entity_t, int> last;
  for (int step = 0; step < 3000; ++step) {
    kith::entity one = all[random() % all.size()];
    switch (random() % 6) {
      case 0:
      case 1:
        one.set(TypeParam{++next});
        break;
      case 2:
        if (auto* value = one.template get_mut<TypeParam>()) value->x = ++next;
        break;
      case 3:
        one.template remove<TypeParam>();
        break;
      case 4:
        one.has<Npc>() ? one.remove<Npc>() : one.add<Npc>();
        break;
      default:
        one.destruct();
        *std::find(all.begin(), all.end(), one) = this->world.entity().set(TypeParam{++next});
    }
    if (random() % 4) continue;
    std::map<kith::entity_t, int> now;
    this->q.each([&](kith::iter& it, std::size_t row, const TypeParam& value) {
      const kith::entity_t who = it.entity(row).id();
      const auto before = last.find(who);
      EXPECT_EQ(it.changed(row), before == last.end() || before->second != value.x) << step;
      now[who] = value.x;
    });
    last = std::move(now);
  }
}

}  // namespace

namespace {
struct Counter {
  int x = 0;
};
}  // namespace

TEST(changed_rows, writes_of_one_group_are_not_those_of_another) {
  kith::world w;
  const kith::entity R = w.entity("R").add(kith::Exclusive), a = w.entity(), b = w.entity();
  const kith::entity first = w.entity().set(Counter{1}).add(R, a),
                     second = w.entity().set(Counter{2}).add(R, b);
  const auto writer = w.query_builder<Counter>().group_by(R).build();
  const auto watch = w.query_builder<const Counter>().detect_changes().cached().build();
  const auto changed = [&] {
    std::vector<kith::entity> found;
    watch.run([&](kith::iter& it) {
      while (it.next())
        for (std::size_t row = 0; row < it.count(); ++row)
          if (it.changed(row)) found.push_back(it.entity(row));
    });
    return found;
  };
  writer.set_group(b).each([](Counter&) {});
  for (int times = 0; times < 2; ++times) changed();
  writer.set_group(b).each([](Counter& c) { c.x++; });
  EXPECT_EQ(changed(), std::vector<kith::entity>{second});
  writer.set_group(a).each([](Counter& c) { c.x++; });
  EXPECT_EQ(changed(), std::vector<kith::entity>{first});
}
