// Filter terms, the order of rows in a deletion, and parts of changes that are taken back.
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Place {
  int x = 0;
};
struct Heavy {};

struct heard_rows {
  std::vector<std::string> lines;
  auto note() {
    return [this](kith::iter& it, std::size_t row) {
      const kith::entity e = it.entity(row);
      lines.push_back(std::string(it.event().name()) + " " + std::string(e ? e.name() : "-"));
    };
  }
  std::string text() {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    lines.clear();
    return all;
  }
};

TEST(filter_terms, must_hold_and_report_nothing_by_themselves) {
  heard_rows heard;
  kith::world world;
  world.observer<Place>()
      .with<Heavy>()
      .filter()
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each(heard.note());
  kith::entity e = world.entity("e").set(Place{});
  e.add<Heavy>();
  EXPECT_EQ(heard.text(), "") << "only the filter changed";
  e.remove<Heavy>();
  EXPECT_EQ(heard.text(), "");
  e.remove<Place>();
  EXPECT_EQ(heard.text(), "") << "the filter does not hold";
  e.add<Heavy>();
  e.set(Place{});
  EXPECT_EQ(heard.text(), "OnAdd e\n");
  e.remove<Place>();
  EXPECT_EQ(heard.text(), "OnRemove e\n");
  world.change([&] {
    e.remove<Heavy>();
    e.set(Place{});
    e.add<Heavy>();
  });
  EXPECT_EQ(heard.text(), "OnAdd e\n");
}

TEST(filter_terms, in_a_join_are_about_the_same_variables) {
  heard_rows heard;
  kith::world world;
  world.define("Likes(bob, alice), Happy, Rich");
  world.observer<>()
      .expr("(Likes, $x), Happy($x), [filter] Rich($x)")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each(heard.note());
  world.define("Happy(alice)");
  EXPECT_EQ(heard.text(), "");
  world.define("Rich(alice)");
  EXPECT_EQ(heard.text(), "");
  world.define("!Happy(alice)");
  EXPECT_EQ(heard.text(), "OnRemove bob\n");
  world.define("Happy(alice)");
  EXPECT_EQ(heard.text(), "OnAdd bob\n");
}

TEST(deletion, tells_of_children_before_their_parents) {
  for (const char* text : {"Mark", "Mark || (Mark, *)"}) {
    heard_rows heard;
    kith::world world;
    world.define("Mark(a), Mark(b), Mark(c), ChildOf(b, a), ChildOf(c, b), Other(a)");
    world.observer<>().expr(text).event(kith::OnRemove).each(heard.note());
    world.lookup("a").destruct();
    EXPECT_EQ(heard.text(), "OnRemove c\nOnRemove b\nOnRemove a\n") << text;
  }
}

TEST(cascades, order_the_rows_of_each_report) {
  for (const bool descends : {false, true}) {
    heard_rows heard;
    kith::world world;
    world.define(
        "d, c, b, a, Mark, Top, Top(a)\n"
        "ChildOf(b, a), ChildOf(c, a.b), ChildOf(d, a.b.c)");
    const std::string text =
        std::string("Mark, Top(self|up(ChildOf)|cascade") + (descends ? "|desc)" : ")");
    const auto observe = [&](bool yields) {
      return world.observer<>()
          .expr(text)
          .event(kith::OnAdd)
          .event(kith::OnRemove)
          .yield_existing(yields)
          .yield_on_delete(yields)
          .each(heard.note());
    };
    const auto lines = [&](const std::string& event) {
      std::string all;
      for (const char* name : {"a", "b", "c", "d"}) {
        const std::string line = event + " " + name + "\n";
        all = descends ? line + all : all + line;
      }
      return all;
    };
    kith::entity first = observe(false);
    world.define("Mark(a), Mark(a.b), Mark(a.b.c), Mark(a.b.c.d)");
    EXPECT_EQ(heard.text(), lines("OnAdd"));
    first.destruct();
    kith::entity second = observe(true);
    EXPECT_EQ(heard.text(), lines("OnAdd"));
    second.destruct();
    EXPECT_EQ(heard.text(), lines("OnRemove"));
    observe(false);
    world.remove_all(world.lookup("Mark"));
    EXPECT_EQ(heard.text(), lines("OnRemove"));
  }
}

TEST(change, inside_another_is_taken_back_alone) {
  for (const bool observed : {false, true}) {
    heard_rows heard;
    kith::world world;
    world.component<Place>().member("x", &Place::x);
    world.component<Heavy>();
    if (observed)
      world.observer<Place>()
          .event(kith::OnAdd)
          .event(kith::OnSet)
          .event(kith::OnRemove)
          .each(heard.note());
    kith::entity e = world.entity("e").set(Place{1}), f = world.entity("f");
    heard.text();
    world.change([&] {
      f.add<Heavy>();
      EXPECT_THROW(world.change([&] {
        e.set(Place{7});
        f.set(Place{8});
        world.entity("g");
        throw std::runtime_error("no");
      }),
                   std::runtime_error);
      EXPECT_EQ(e.get<Place>()->x, 1);
      EXPECT_FALSE(world.try_define("Place(h) {3}\nChildOf(h, h)"));
      EXPECT_FALSE(world.lookup("h"));
      world.define("Place(k) {4}");
    });
    EXPECT_TRUE(f.has<Heavy>());
    EXPECT_FALSE(f.has<Place>());
    EXPECT_FALSE(world.lookup("g"));
    EXPECT_EQ(world.lookup("k").get<Place>()->x, 4);
    EXPECT_EQ(heard.text(), observed ? "OnAdd k\nOnSet k\n" : "");
  }
}

TEST(observers_are_refused, with_events_that_cannot_be_heard) {
  kith::world world;
  world.component<Place>();
  const auto listen = [&](auto... events) {
    auto made = world.observer<Place>();
    (made.event(events), ...);
    made.each([](Place&) {});
  };
  EXPECT_THROW(listen(), kith::error);
  EXPECT_THROW(listen(kith::Wildcard), kith::error);
  EXPECT_THROW(listen(kith::Monitor, kith::OnAdd), kith::error);
  kith::entity dead = world.entity();
  dead.destruct();
  EXPECT_THROW(listen(dead), kith::error);
  EXPECT_THROW(world.observer<>().event(kith::OnAdd).each([](kith::entity) {}), kith::error);
  EXPECT_THROW(world.event(kith::OnAdd).entity(world.entity()).emit(), kith::error);
}

}  // namespace
