// Events of the user: who is told, in which order, and what becomes of payloads.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

struct Life {
  int value = 10;
};
struct Shield {};
struct Hit {
  int damage = 0;
};
struct Click {
  int x = 0, y = 0;
};
struct Woken {};

TEST(events, call_the_observers_whose_query_has_a_row_about_the_entity) {
  kith::world world;
  world.observer<Life>().event<Hit>().each(
      [](kith::iter& it, std::size_t, Life& h) { h.value -= it.param<Hit>()->damage; });
  kith::entity goblin = world.entity("goblin").set(Life{10});
  kith::entity stone = world.entity("stone");
  world.event<Hit>().id<Life>().entity(goblin).ctx(Hit{7}).emit();
  EXPECT_EQ(goblin.get<Life>()->value, 3);
  world.event<Hit>().id<Shield>().entity(goblin).ctx(Hit{7}).emit();
  EXPECT_EQ(goblin.get<Life>()->value, 3) << "the query shows no Shield";
  world.event<Hit>().entity(stone).ctx(Hit{7}).emit();
  world.event<Hit>().entity(goblin).ctx(Hit{1}).emit();
  EXPECT_EQ(goblin.get<Life>()->value, 2);
}

TEST(events, can_be_entities_and_carry_nothing) {
  int heard = 0;
  kith::world world;
  kith::entity Alarm = world.entity("Alarm"), house = world.entity("house").set(Life{});
  world.observer<Life>().event(Alarm).each([&](kith::iter& it, std::size_t, Life&) {
    EXPECT_EQ(it.event(), world.lookup("Alarm"));
    EXPECT_EQ(it.param<Hit>(), nullptr);
    ++heard;
  });
  world.event(Alarm).entity(house).emit();
  house.emit(Alarm);
  EXPECT_EQ(heard, 2);
}

TEST(events, of_one_entity_are_heard_by_its_functions_alone) {
  std::vector<std::string> lines;
  kith::world world;
  kith::entity a = world.entity("a"), b = world.entity("b");
  a.observe<Click>([&](Click& c) { lines.push_back("a " + std::to_string(c.x)); });
  b.observe<Click>([&](kith::entity e, Click& c) {
    lines.push_back(std::string(e.name()) + " " + std::to_string(c.x));
  });
  b.observe<Woken>([&] { lines.push_back("woken"); });
  a.emit(Click{1, 2});
  b.emit(Click{3, 4});
  b.emit<Woken>();
  EXPECT_EQ(lines, (std::vector<std::string>{"a 1", "b 3", "woken"}));
  a.destruct();
  EXPECT_THROW(a.emit(Click{}), kith::error);
}

TEST(events, propagate_until_they_are_stopped) {
  std::vector<std::string> lines;
  kith::world world;
  kith::entity window = world.entity("window"), panel = world.entity("panel").child_of(window),
               button = world.entity("button").child_of(panel);
  for (kith::entity e : {window, panel, button})
    e.observe<Click>([&](const kith::entity_event& event, Click& c) {
      lines.emplace_back(event.entity().name());
      ++c.x;
      if (c.x == 12) event.stop();
    });
  button.emit(Click{0, 0}).propagate(kith::ChildOf);
  EXPECT_EQ(lines, (std::vector<std::string>{"button", "panel", "window"}));
  lines.clear();
  button.emit(Click{10, 0}).propagate(kith::ChildOf);
  EXPECT_EQ(lines, (std::vector<std::string>{"button", "panel"}));
}

TEST(events, around_a_cycle_come_to_each_entity_once) {
  int heard = 0;
  kith::world world;
  kith::entity Next = world.entity("Next"), a = world.entity("a"), b = world.entity("b");
  a.add(Next, b);
  b.add(Next, a);
  for (kith::entity e : {a, b}) e.observe<Woken>([&] { ++heard; });
  a.emit<Woken>().propagate(Next);
  EXPECT_EQ(heard, 2);
}

TEST(events, that_are_enqueued_wait_for_the_changes_before_them) {
  std::vector<int> seen;
  kith::world world;
  kith::entity e = world.entity("e");
  e.observe<Hit>([&](kith::entity of, Hit& h) {
    seen.push_back(h.damage);
    seen.push_back(of.has<Life>());
  });
  world.defer([&] {
    e.set(Life{});
    e.enqueue(Hit{1});
    e.remove<Life>();
    e.emit(Hit{2});
    EXPECT_EQ(seen, (std::vector<int>{2, 0}));
  });
  EXPECT_EQ(seen, (std::vector<int>{2, 0, 1, 1}));
  e.enqueue(Hit{3});
  EXPECT_EQ(seen, (std::vector<int>{2, 0, 1, 1, 3, 0}));
}

TEST(events, destroy_their_payload_once) {
  const auto token = std::make_shared<int>(5);
  struct Parcel {
    std::shared_ptr<int> what;
  };
  kith::world world;
  kith::entity e = world.entity("e");
  int sum = 0;
  e.observe<Parcel>([&](Parcel& p) { sum += *p.what; });
  e.emit(Parcel{token});
  world.defer([&] { e.enqueue(Parcel{token}); });
  world.event<Parcel>().entity(e).ctx(Parcel{token}).emit();
  EXPECT_EQ(sum, 15);
  // One that is never carried out.
  world.defer([&] {
    e.destruct();
    e.enqueue(Parcel{token});
  });
  EXPECT_EQ(sum, 15);
  EXPECT_EQ(token.use_count(), 1);
}

TEST(events, inside_observers_are_heard_at_once_and_changes_wait) {
  std::vector<std::string> lines;
  kith::world world;
  kith::entity e = world.entity("e");
  e.observe<Woken>([&](kith::entity of) {
    lines.push_back(of.has<Shield>() ? "woken with" : "woken without");
    of.add<Shield>();
  });
  world.observer<Life>().event(kith::OnAdd).each([&](kith::entity of, Life&) {
    of.emit<Woken>();
    lines.push_back(of.has<Shield>() ? "then with" : "then without");
  });
  e.set(Life{});
  EXPECT_EQ(lines, (std::vector<std::string>{"woken without", "then without"}));
  EXPECT_TRUE(e.has<Shield>());
}

TEST(events, whose_functions_throw_reach_all_and_raise_the_first_error) {
  int heard = 0;
  kith::world world;
  kith::entity e = world.entity("e");
  e.observe<Woken>([&] {
    ++heard;
    throw std::runtime_error("first");
  });
  e.observe<Woken>([&] {
    ++heard;
    throw std::runtime_error("second");
  });
  EXPECT_THROW(e.emit<Woken>(), std::runtime_error);
  EXPECT_EQ(heard, 2);
  EXPECT_EQ(world.deferred_errors().size(), 1u);
  world.defer([&] { EXPECT_THROW(e.emit<Woken>(), std::runtime_error); });
}

TEST(events, carry_what_their_type_says_or_raise_an_error) {
  bool heard = false;
  kith::world world;
  kith::entity e = world.entity("e").set(Life{});
  e.observe<Hit>([&](Hit&) { heard = true; });
  EXPECT_THROW(world.event<Hit>().entity(e).emit(), kith::error);
  EXPECT_THROW(world.event<Hit>().entity(e).ctx(Click{1, 2}).emit(), kith::error);
  EXPECT_FALSE(heard);
  world.observer<Life>().event<Hit>().each([&](kith::iter& it, std::size_t, Life&) {
    EXPECT_EQ(it.param<Click>(), nullptr);
    EXPECT_EQ(it.param<Hit>()->damage, 4);
  });
  e.emit(Hit{4});
  EXPECT_TRUE(heard);
}

TEST(events, that_observers_enqueue_lead_to_changes_that_are_reported) {
  std::string loaded;
  kith::world world;
  kith::entity X = world.entity("X"), a = world.entity("a"), b = world.entity("b"),
               x = world.entity("x").add(X), y = world.entity("y");
  world.observer<>().with(X).event(kith::OnRemove).each([a](kith::entity) { a.enqueue<Woken>(); });
  world.observer<>().with(X).event(kith::OnAdd).each([b](kith::entity) { b.enqueue<Woken>(); });
  for (kith::entity e : {a, b}) e.observe<Woken>([](kith::entity of) { of.add<Shield>(); });
  world.observer<Shield>().event(kith::OnAdd).each([&](kith::entity e, Shield&) {
    loaded += e.name();
  });
  world.change([&] {
    x.remove(X);
    y.add(X);
  });
  EXPECT_EQ(loaded, "ab");
}

TEST(change, is_one_change_or_nothing) {
  std::vector<std::string> lines;
  kith::world world;
  world.observer<Life>()
      .with<Shield>()
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each([&](kith::iter& it, std::size_t row, Life& h) {
        lines.push_back(std::string(it.event().name()) + " " + std::string(it.entity(row).name()) +
                        " " + std::to_string(h.value));
      });
  world.component<Shield>();
  kith::entity e = world.entity("e");
  world.change([&] {
    e.set(Life{1});
    e.add<Shield>();
    e.set(Life{2});
  });
  EXPECT_EQ(lines, std::vector<std::string>{"OnAdd e 2"});
  lines.clear();
  world.change([&] {
    e.remove<Shield>();
    e.add<Shield>();
  });
  EXPECT_TRUE(lines.empty());
  EXPECT_THROW(world.change([&] {
    e.destruct();
    world.entity("f").set(Life{});
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  EXPECT_TRUE(e.has<Shield>());
  EXPECT_EQ(e.get<Life>()->value, 2);
  EXPECT_FALSE(world.lookup("f"));
  EXPECT_TRUE(lines.empty());
}

TEST(change, without_observers_is_taken_back_too) {
  kith::world world;
  kith::entity e = world.entity("e").set(Life{1});
  EXPECT_THROW(world.change([&] {
    e.set(Life{5}).add<Shield>();
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  EXPECT_EQ(e.get<Life>()->value, 1);
  EXPECT_FALSE(e.has<Shield>());
}

TEST(change, that_waits_is_one_change) {
  int heard = 0;
  kith::world world;
  world.observer<Life>().without<Shield>().event(kith::OnAdd).each([&](Life&) { ++heard; });
  kith::entity e = world.entity("e");
  world.defer([&] {
    world.change([&] {
      e.set(Life{});
      e.add<Shield>();
    });
  });
  EXPECT_EQ(heard, 0);
}

TEST(change, that_waits_is_carried_out_as_a_whole_or_not_at_all) {
  for (const bool observed : {false, true})
    for (const int refused_part : {0, 1, 2}) {
      SCOPED_TRACE(std::to_string(refused_part) + (observed ? ", observed" : ""));
      int heard = 0;
      kith::world world;
      world.component<Life>();
      world.component<Shield>();
      if (observed)
        world.observer<Life>().event(kith::OnAdd).event(kith::OnSet).each([&](Life&) { ++heard; });
      world.define("Acyclic(Below), Below(a, b)");
      const kith::entity Below = world.lookup("Below"), a = world.lookup("a"),
                         b = world.lookup("b");
      kith::entity e = world.entity("e"), next = world.entity("next");
      const auto part = [&](int n) {
        if (n == refused_part) b.add(Below, a);  // closes a cycle
      };
      EXPECT_THROW(world.defer([&] {
        world.change([&] {
          part(0);
          e.set(Life{1});
          part(1);
          e.add<Shield>();
          part(2);
        });
        next.add<Shield>();
      }),
                   kith::error);
      EXPECT_FALSE(e.has<Life>());
      EXPECT_FALSE(e.has<Shield>());
      EXPECT_TRUE(next.has<Shield>()) << "it is no part of the change";
      EXPECT_EQ(heard, 0);
    }
}

TEST(change, that_creates_an_entity_and_waits_gives_it_all_ids_or_none) {
  kith::world world;
  world.define("Final(Closed), Shut(x)");
  const kith::entity Closed = world.lookup("Closed");
  kith::entity e;
  EXPECT_THROW(world.defer([&] {
    e = world.entity(Life{1}, Shield{});
    world.change([&] {
      world.entity("f").set(Life{2});
      e.add(kith::IsA, Closed);
    });
  }),
               kith::error);
  EXPECT_TRUE(e.has<Life>());
  EXPECT_EQ(world.count<Life>(), 1u);
}

}  // namespace
