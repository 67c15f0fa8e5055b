// What observers are told, and when. The oracle compares them with evaluations of random queries
// (tests/oracle/observers_test.cpp); these tests are about the rest of the contract.
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Position {
  int x = 0;
};
struct Health {
  int value = 0;
};

// Notes what observers are told, one line each.
struct told {
  std::vector<std::string> lines;

  auto rows(const char* who = "") {
    return [this, who](kith::iter& it, std::size_t row) {
      lines.push_back(std::string(who) + name_of(it.event()) + " " + name_of(it.entity(row)));
    };
  }
  std::string text() {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    lines.clear();
    return all;
  }
  static std::string name_of(kith::entity e) { return e ? std::string(e.name()) : "-"; }
};

TEST(observers, rows_that_come_go_and_are_written) {
  told heard;
  kith::world world;
  world.observer<Position>()
      .event(kith::OnAdd)
      .event(kith::OnSet)
      .event(kith::OnRemove)
      .each(heard.rows());
  kith::entity e = world.entity("e");
  e.set(Position{1});
  EXPECT_EQ(heard.text(), "OnAdd e\nOnSet e\n");
  e.set(Position{2});
  EXPECT_EQ(heard.text(), "OnSet e\n");
  e.add<Position>();
  EXPECT_EQ(heard.text(), "");
  e.remove<Position>();
  EXPECT_EQ(heard.text(), "OnRemove e\n");
  e.add<Position>();
  EXPECT_EQ(heard.text(), "OnAdd e\n");
  e.destruct();
  EXPECT_EQ(heard.text(), "OnRemove e\n");
}

TEST(observers, on_remove_sees_the_world_as_it_was_and_the_others_as_it_is) {
  std::vector<int> seen;
  kith::world world;
  kith::entity e = world.entity("e");
  world.observer<Position>().event(kith::OnRemove).each([&](kith::entity of, Position& p) {
    EXPECT_TRUE(of.is_alive());
    EXPECT_TRUE(of.has<Position>());
    EXPECT_EQ(of.name(), "e");
    seen.push_back(p.x);
  });
  world.observer<Position>().event(kith::OnAdd).each([&](kith::entity of, Position& p) {
    EXPECT_TRUE(of.has<Position>());
    seen.push_back(100 + p.x);
  });
  e.set(Position{7});
  e.destruct();
  EXPECT_EQ(seen, (std::vector<int>{107, 7}));
}

TEST(observers, the_last_missing_part_makes_the_row) {
  told heard;
  kith::world world;
  world.observer<Position, Health>().event(kith::OnAdd).each(heard.rows());
  kith::entity a = world.entity("a").set(Position{});
  EXPECT_EQ(heard.text(), "");
  a.set(Health{});
  EXPECT_EQ(heard.text(), "OnAdd a\n");
  world.entity("b").set(Health{}).set(Position{});
  EXPECT_EQ(heard.text(), "OnAdd b\n");
}

TEST(observers, a_not_is_entered_by_a_removal) {
  told heard;
  kith::world world;
  kith::entity Frozen = world.entity("Frozen");
  world.observer<Position>()
      .expr("!Frozen")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each(heard.rows());
  kith::entity e = world.entity("e").set(Position{});
  EXPECT_EQ(heard.text(), "OnAdd e\n");
  e.add(Frozen);
  EXPECT_EQ(heard.text(), "OnRemove e\n");
  e.remove(Frozen);
  EXPECT_EQ(heard.text(), "OnAdd e\n");
}

TEST(observers, a_join_reports_the_rows_that_a_far_fact_brings) {
  kith::world world;
  world.define("Happy, Likes(bob, alice), Likes(eve, alice), Likes(eve, tom)");
  std::vector<std::string> lines;
  world.observer<>()
      .expr("(Likes, $x), Happy($x)")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each([&](kith::iter& it, std::size_t row) {
        lines.push_back(told::name_of(it.event()) + " " + told::name_of(it.entity(row)) + " " +
                        told::name_of(it.get_var("x")));
      });
  world.define("Happy(alice)");
  EXPECT_EQ(lines, (std::vector<std::string>{"OnAdd bob alice", "OnAdd eve alice"}));
  lines.clear();
  world.lookup("alice").destruct();
  EXPECT_EQ(lines, (std::vector<std::string>{"OnRemove bob alice", "OnRemove eve alice"}));
}

TEST(observers, inherited_values_are_rows_of_the_kinds) {
  told heard;
  kith::world world;
  kith::entity base = world.entity("base").add(kith::Prefab), kind = world.entity("kind");
  world.observer<Health>()
      .event(kith::OnAdd)
      .event(kith::OnSet)
      .event(kith::OnRemove)
      .each(heard.rows());
  base.set(Health{3});
  EXPECT_EQ(heard.text(), "");
  kind.is_a(base);
  EXPECT_EQ(heard.text(), "OnAdd kind\n");
  base.set(Health{4});
  EXPECT_EQ(heard.text(), "OnSet kind\n");
  kind.set(Health{5});  // another source than before
  EXPECT_EQ(heard.text(), "OnSet kind\n");
  kind.remove<Health>();
  EXPECT_EQ(heard.text(), "OnSet kind\n");
  base.destruct();
  EXPECT_EQ(heard.text(), "OnRemove kind\n");
}

TEST(observers, monitors_are_about_entities) {
  told heard;
  kith::world world;
  world.define("Likes(bob, alice)");
  kith::entity bob = world.lookup("bob"), Likes = world.lookup("Likes");
  world.observer<>().expr("(Likes, *)").event(kith::Monitor).each(heard.rows());
  bob.add(Likes, world.entity("tom"));
  EXPECT_EQ(heard.text(), "");
  bob.remove(Likes, world.lookup("alice"));
  EXPECT_EQ(heard.text(), "");
  bob.remove(Likes, kith::Wildcard);
  EXPECT_EQ(heard.text(), "OnRemove bob\n");
  bob.add(Likes, world.lookup("tom"));
  EXPECT_EQ(heard.text(), "OnAdd bob\n");
}

TEST(observers, each_hears_all_its_rows_before_the_next_by_priority_and_age) {
  told heard;
  kith::world world;
  const auto watch = [&](const char* who, int priority) {
    world.observer<Position>().event(kith::OnAdd).priority(priority).each(heard.rows(who));
  };
  watch("b ", 1);
  watch("c ", 1);
  watch("a ", -1);
  world.bulk(2, Position{});
  EXPECT_EQ(heard.text(), "a OnAdd \na OnAdd \nb OnAdd \nb OnAdd \nc OnAdd \nc OnAdd \n");
}

TEST(observers, a_bulk_is_one_call_of_run) {
  int calls = 0;
  std::size_t rows = 0;
  kith::world world;
  world.observer<Position>().event(kith::OnAdd).run([&](kith::iter& it) {
    ++calls;
    while (it.next()) rows += it.count();
  });
  world.bulk(1000, Position{});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(rows, 1000u);
}

TEST(observers, a_text_of_facts_is_one_change) {
  told heard;
  kith::world world;
  world.define("Tag0(x), Tag1");
  world.observer<>()
      .expr("Tag0, !Tag1")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each(heard.rows());
  world.define("Tag1(a), Tag0(a), Tag0(b), !Tag0(x)");
  EXPECT_EQ(heard.text(), "OnRemove x\nOnAdd b\n");
  EXPECT_FALSE(world.try_define("Tag0(c), Tag0(d), kith.Component(d)"));
  EXPECT_EQ(heard.text(), "");
  EXPECT_FALSE(world.lookup("c"));
}

TEST(observers, changes_of_observers_wait_and_come_first_in_first_out) {
  told heard;
  kith::world world;
  kith::entity A = world.entity("A"), B = world.entity("B"), C = world.entity("C");
  world.observer<>().with(A).event(kith::OnAdd).each([&](kith::entity e) {
    e.add(B);
    EXPECT_FALSE(e.has(B));
    e.add(C);
  });
  kith::entity D = world.entity("D");
  world.observer<>().with(B).event(kith::OnAdd).each([&](kith::entity e) { e.add(D); });
  for (kith::entity tag : {A, B, C, D})
    world.observer<>().with(tag).event(kith::OnAdd).each([&, tag](kith::entity) {
      heard.lines.push_back(std::string(tag.name()));
    });
  world.entity("e").add(A);
  EXPECT_EQ(heard.text(), "A\nB\nC\nD\n");
  EXPECT_FALSE(world.is_deferred());
}

TEST(observers, reactions_end_before_the_next_waiting_change) {
  told heard;
  kith::world world;
  kith::entity A = world.entity("A"), B = world.entity("B"), C = world.entity("C");
  world.observer<>().with(A).event(kith::OnAdd).each([&](kith::entity e) { e.add(B); });
  for (kith::entity tag : {A, B, C})
    world.observer<>().with(tag).event(kith::OnAdd).each([&, tag](kith::entity) {
      heard.lines.push_back(std::string(tag.name()));
    });
  kith::entity e = world.entity("e");
  world.defer([&] {
    e.add(A);
    e.add(C);
  });
  EXPECT_EQ(heard.text(), "A\nB\nC\n");
}

TEST(observers, an_error_stops_neither_the_change_nor_the_others) {
  told heard;
  kith::world world;
  world.observer<Position>().event(kith::OnAdd).each([](Position&) {
    throw std::runtime_error("first");
  });
  world.observer<Position>().event(kith::OnAdd).each([](Position&) {
    throw std::runtime_error("second");
  });
  world.observer<Position>().event(kith::OnAdd).each(heard.rows());
  kith::entity e = world.entity("e");
  try {
    e.set(Position{});
    ADD_FAILURE() << "the error was lost";
  } catch (const std::runtime_error& first) {
    EXPECT_STREQ(first.what(), "first");
  }
  EXPECT_TRUE(e.has<Position>());
  EXPECT_EQ(heard.text(), "OnAdd e\n");
  const auto others = world.deferred_errors();
  ASSERT_EQ(others.size(), 1u);
  EXPECT_NE(std::string(others[0].what()).find("second"), std::string::npos);
  e.remove<Position>();
}

TEST(observers, a_loop_ends_with_an_error_that_names_the_observers) {
  kith::world world({.max_reactions = 50});
  kith::entity A = world.entity("A"), B = world.entity("B"), e = world.entity("e");
  int calls = 0;
  world.observer("to_b").with(A).event(kith::OnAdd).each([&](kith::entity on) {
    ++calls;
    on.remove(A).add(B);
  });
  world.observer("to_a").with(B).event(kith::OnAdd).each([&](kith::entity on) {
    on.remove(B).add(A);
  });
  try {
    e.add(A);
    ADD_FAILURE() << "the loop had no end";
  } catch (const kith::error& problem) {
    const std::string text = problem.what();
    EXPECT_NE(text.find("to_a"), std::string::npos) << text;
    EXPECT_NE(text.find("to_b"), std::string::npos) << text;
  }
  EXPECT_EQ(calls, 26);
  e.add(world.entity("C"));  // the world goes on
}

TEST(observers, come_and_go_inside_observers) {
  told heard;
  kith::world world;
  kith::entity inner;
  kith::entity outer = world.observer<Position>().event(kith::OnAdd).each([&](kith::entity) {
    if (!inner) inner = world.observer<Position>().event(kith::OnAdd).each(heard.rows());
  });
  world.entity("a").set(Position{});
  EXPECT_EQ(heard.text(), "");  // it sees the next change
  world.entity("b").set(Position{});
  EXPECT_EQ(heard.text(), "OnAdd b\n");
  outer.destruct();
  inner.destruct();
  world.entity("c").set(Position{});
  EXPECT_EQ(heard.text(), "");
}

TEST(observers, are_entities) {
  told heard;
  kith::world world;
  kith::entity module = world.entity("module");
  kith::entity o = world.observer<Position>("module::watch").event(kith::OnAdd).each(heard.rows());
  EXPECT_TRUE(o.has(kith::Observer));
  EXPECT_EQ(o.path(), "module::watch");
  o.add(kith::Disabled);
  world.entity("a").set(Position{});
  EXPECT_EQ(heard.text(), "");
  o.remove(kith::Disabled);
  world.entity("b").set(Position{});
  EXPECT_EQ(heard.text(), "OnAdd b\n");
  module.destruct();
  EXPECT_FALSE(o.is_alive());
  world.entity("c").set(Position{});
  EXPECT_EQ(heard.text(), "");
}

TEST(observers, yield_what_is_there_when_they_come_and_go) {
  told heard;
  kith::world world;
  world.entity("a").set(Position{});
  kith::entity o = world.observer<Position>()
                       .event(kith::OnAdd)
                       .event(kith::OnRemove)
                       .yield_existing()
                       .yield_on_delete()
                       .each(heard.rows());
  EXPECT_EQ(heard.text(), "OnAdd a\n");
  o.destruct();
  EXPECT_EQ(heard.text(), "OnRemove a\n");
}

TEST(observers, that_are_monitors_yield_one_row_of_each_entity) {
  told heard;
  {
    kith::world world;
    world.define("Likes(bob, alice), Likes(bob, tom), Likes(eve, tom)");
    const auto monitor = [&] {
      return world.observer<>()
          .expr("(Likes, $whom)")
          .event(kith::Monitor)
          .yield_existing()
          .yield_on_delete()
          .each(heard.rows());
    };
    kith::entity o = monitor();
    EXPECT_EQ(heard.text(), "OnAdd bob\nOnAdd eve\n");
    o.destruct();
    EXPECT_EQ(heard.text(), "OnRemove bob\nOnRemove eve\n");
    monitor();
    heard.text();
  }
  EXPECT_EQ(heard.text(), "OnRemove bob\nOnRemove eve\n") << "the world ends";
}

TEST(observers, say_why_rows_went) {
  kith::world world;
  world.define("Exclusive(In), In(a, x), In(b, x), In(c, x), In(d, x)");
  std::vector<kith::event_cause> causes;
  world.observer<>().expr("(In, x)").event(kith::OnRemove).each([&](kith::iter& it, std::size_t) {
    causes.push_back(it.event_cause());
    const bool hidden = it.event_cause() == kith::event_cause::disabled;
    const kith::id in_x = world.pair(world.lookup("In"), world.lookup("x"));
    EXPECT_EQ(it.event_id(), hidden ? world.id(kith::Disabled) : in_x);
  });
  kith::entity In = world.lookup("In");
  world.lookup("a").remove(In, world.lookup("x"));
  world.lookup("b").destruct();
  world.lookup("c").add(In, world.lookup("y") ? world.lookup("y") : world.entity("y"));
  world.lookup("d").add(kith::Disabled);
  using enum kith::event_cause;
  EXPECT_EQ(causes, (std::vector{removed, deleted, replaced, disabled}));
}

TEST(observers, hear_of_the_end_of_the_world) {
  told heard;
  {
    kith::world world;
    world.entity("a").set(Position{});
    world.observer<Position>().event(kith::OnRemove).each([&](kith::iter& it, std::size_t row) {
      EXPECT_EQ(it.event_cause(), kith::event_cause::world_ends);
      heard.lines.push_back(std::string(it.entity(row).name()));
      it.entity(row).remove<Position>();
    });
  }
  EXPECT_EQ(heard.text(), "a\n");
}

TEST(observers, on_set_of_modified_and_not_of_references) {
  told heard;
  kith::world world;
  kith::entity e = world.entity("e").set(Position{1});
  world.observer<Position>().event(kith::OnSet).each(heard.rows());
  e.get_mut<Position>()->x = 2;
  world.query<Position>().each([](Position& p) { p.x = 3; });
  EXPECT_EQ(heard.text(), "");
  e.modified<Position>();
  EXPECT_EQ(heard.text(), "OnSet e\n");
}

TEST(observers, that_throw_undo_no_creation) {
  enum class by { plain_terms, join, hook, life };
  for (const by heard_by : {by::plain_terms, by::join, by::hook, by::life}) {
    SCOPED_TRACE(static_cast<int>(heard_by));
    kith::world world;
    world.define("Likes");
    world.component<Position>();
    world.component<Health>();
    const auto fail = [](auto&&...) { throw std::runtime_error("no"); };
    const auto observe = [&](const char* text) {
      world.observer<>().expr(text).event(kith::OnAdd).run([](kith::iter&) {
        throw std::runtime_error("no");
      });
    };
    kith::entity scope = world.entity("scope"), original = world.entity().set(Position{});
    if (heard_by == by::plain_terms) world.observer<Position>().event(kith::OnAdd).each(fail);
    if (heard_by == by::hook)
      world.component<Position>().on_add([](Position&) { throw std::runtime_error("no"); });
    kith::entity name = world.component<Position>();
    if (heard_by == by::join) {
      name.set_name("Position");
      observe("Position || (Likes, $x)");
    }
    if (heard_by == by::life) observe("!Likes");
    std::size_t entities = world.entity_count();
    const auto makes_one = [&](auto make) {
      EXPECT_THROW(make(), std::runtime_error);
      EXPECT_EQ(world.entity_count(), ++entities);
    };
    makes_one([&] { world.entity(Position{1}); });
    makes_one([&] { world.entity(Position{1}, Health{}); });
    makes_one([&] { scope.scope([&] { world.entity(Position{1}); }); });
    makes_one([&] { original.clone(); });
    makes_one([&] { world.bulk(1, Position{}); });
    if (heard_by == by::life) makes_one([&] { world.entity(); });
    EXPECT_EQ(world.count<Position>(), 6u);
  }
}

TEST(observers, hear_of_no_write_where_a_field_has_the_same_source_in_another_way) {
  told heard;
  kith::world world;
  world.define("Clock");
  kith::entity clock = world.component<Health>().add(kith::Singleton);
  clock.set(Health{1});
  world.observer<Health>().with(kith::Component).event(kith::OnSet).each(heard.rows());
  clock.remove(kith::Singleton);
  EXPECT_EQ(heard.text(), "");
}

TEST(observers, hear_of_no_write_where_an_id_only_begins_with_a_value) {
  for (const bool waits : {false, true})
    for (const bool inherits : {false, true}) {
      SCOPED_TRACE(std::string(waits ? "waits" : "at once") + (inherits ? ", inherits" : ""));
      told heard;
      kith::world world;
      std::string hooks;
      world.component<Position>()
          .on_add([&](Position&) { hooks += "add "; })
          .on_set([&](Position&) { hooks += "set "; })
          .on_validate([&](const Position&) { hooks += "validate "; });
      kith::entity e = world.entity("e");
      if (inherits) e.is_a(world.prefab().set(Position{5}));
      hooks.clear();
      world.observer<Position>().event(kith::OnSet).each(heard.rows());
      const auto ensure = [&] {
        e.ensure<Position>().x += 1;
        e.ensure<Position>().x += 1;
      };
      waits ? world.defer(ensure) : ensure();
      EXPECT_EQ(e.get<Position>()->x, inherits ? 7 : 2);
      EXPECT_EQ(heard.text(), inherits ? "OnSet e\n" : "");
      EXPECT_EQ(hooks, inherits ? "validate add set " : "add ");
      hooks.clear();
      kith::entity f = world.entity("f");
      world.defer([&] {
        f.add<Position>();
        f.ensure<Position>().x = 9;
      });
      EXPECT_EQ(f.get<Position>()->x, 9);
      EXPECT_EQ(heard.text(), "");
      EXPECT_EQ(hooks, "add ");
    }
}

TEST(observers, without_this_are_about_the_whole) {
  told heard;
  kith::world world;
  world.define("game, Paused");
  world.observer<>()
      .expr("Paused(game)")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .run([&](kith::iter& it) { heard.lines.push_back(told::name_of(it.event())); });
  world.define("Paused(game)");
  world.define("!Paused(game)");
  EXPECT_EQ(heard.text(), "OnAdd\nOnRemove\n");
}

TEST(observers, mistakes_are_errors) {
  kith::world world;
  const auto nothing = [](kith::iter&, std::size_t) {};
  EXPECT_THROW(world.observer<Position>().each(nothing), kith::error);
  EXPECT_THROW(world.observer<>().expr("(Likes, @p)").event(kith::OnAdd).each(nothing),
               kith::error);
  EXPECT_THROW(world.observer<>().expr("NoSuchThing").event(kith::OnAdd).each(nothing),
               kith::error);
  const std::size_t before = world.entity_count();
  EXPECT_THROW(world.observer<>("x").expr("Nothing").event(kith::OnAdd).each(nothing), kith::error);
  EXPECT_EQ(world.entity_count(), before);
}

TEST(observers, fields_of_told_rows_are_set) {
  std::string heard;
  kith::world world;
  kith::entity Tag = world.entity("Tag"), More = world.entity("More");
  world.entity("Other");
  world.observer<>()
      .expr("Tag, !Other, ?More")
      .event(kith::OnAdd)
      .each([&](kith::iter& it, std::size_t) {
        for (std::size_t n = 0; n < it.field_count(); ++n) heard += it.is_set(n) ? "set " : "- ";
      });
  world.entity().add(Tag);
  EXPECT_EQ(heard, "set - - ");
  heard.clear();
  world.entity().add(More).add(Tag);
  EXPECT_EQ(heard, "set - set ");
}

TEST(observers, of_a_predicate_that_is_followed_hear_of_what_it_leads_to_now) {
  int heard = 0;
  kith::world world;
  kith::entity R = world.entity("R"), start = world.entity("start"), end = world.entity("end");
  world.observer<>()
      .expr("start[up(R)]($this)")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each([&](kith::entity) { ++heard; });
  kith::entity e = world.entity();
  e.add(end);
  EXPECT_EQ(heard, 0);
  start.add(R, end);
  EXPECT_EQ(heard, 1);
  e.remove(end);
  EXPECT_EQ(heard, 2);
  e.add(end);
  EXPECT_EQ(heard, 3);
}

}  // namespace
