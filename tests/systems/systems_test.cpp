// Systems, phases, time and frames. That threads change nothing is tested in tests/threads.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/thread_pool.hpp"

namespace {

using kith::entity;
using kith::iter;

struct Position {
  int x = 0;
};
struct Speed {
  int x = 0;
};
struct Health {
  int value = 0;
};
struct Score {
  int value = 0;
};
struct Dead {};

// Notes which systems ran, in their order.
struct noted {
  std::string text;
  auto note(std::string what) {
    return [this, what](iter&) { text += what + " "; };
  }
  std::string take() { return std::exchange(text, {}); }
};

template <class Act>
std::string error_of(Act act) {
  try {
    act();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

// --- what a system is ----------------------------------------------------------------------------

TEST(systems, visit_the_rows_of_their_queries_each_frame) {
  kith::world world;
  entity e = world.entity().set(Position{1}).set(Speed{2});
  world.entity().set(Position{7});
  world.system<Position, const Speed>("Move").each([](Position& p, const Speed& s) { p.x += s.x; });
  EXPECT_TRUE(world.progress(1));
  EXPECT_EQ(e.get<Position>()->x, 3);
  world.progress(1);
  EXPECT_EQ(e.get<Position>()->x, 5);
}

TEST(systems, take_callbacks_in_every_form) {
  kith::world world;
  world.entity("e").set(Position{1}).set(Speed{2});
  std::string seen;
  const auto add = [&](const std::string& what) { seen += what + " "; };
  world.system<Position>().each([&](Position& p) { add(std::to_string(p.x)); });
  world.system<Position>().each([&](entity e, Position&) { add(std::string(e.name())); });
  world.system<Position>().each(
      [&](iter& it, std::size_t row, Position&) { add(std::string(it.entity(row).name()) + "@"); });
  world.system<Position>().each([&](kith::delta_time dt, Position&) { add(std::to_string(dt)); });
  world.system<Position>().each([&](kith::delta_time dt, entity e, Position&) {
    add(std::string(e.name()) + (dt > 0 ? "+" : "-"));
  });
  world.system<Position, const Speed*>().each(
      [&](Position&, const Speed* s) { add(s ? "s" : "-"); });
  world.system<Position>().run([&](iter& it) {
    while (it.next()) add("run" + std::to_string(it.count()));
  });
  world.system<Position>().iter([&](iter& it) { add("iter" + std::to_string(it.count())); });
  world.system().expr("Position, Speed").each([&](entity e) {
    add("text " + std::string(e.name()));
  });
  world.system<>("task").run([&](iter& it) { add("task " + std::string(it.system().name())); });
  world.system<>("once").each([&](iter&, std::size_t) { add("once"); });
  world.progress(0.5f);
  EXPECT_EQ(seen, "1 e e@ 0.500000 e+ s run1 iter1 text e task task once ");
}

TEST(systems, are_entities_that_can_be_disabled_and_deleted) {
  noted ran;
  kith::world world;
  entity parent = world.entity("group");
  kith::system a = world.system("a").run(ran.note("a"));
  kith::system b = world.system("group.b").run(ran.note("b"));
  EXPECT_TRUE(a.has(kith::System));
  EXPECT_TRUE(a.has(kith::DependsOn, kith::OnUpdate));
  EXPECT_EQ(b.parent(), parent);
  world.progress(1);
  EXPECT_EQ(ran.take(), "a b ");
  a.disable();
  world.progress(1);
  EXPECT_EQ(ran.take(), "b ");
  parent.disable();
  a.enable();
  world.progress(1);
  EXPECT_EQ(ran.take(), "a ");
  parent.enable();
  kith::system post = world.system().kind(kith::PostUpdate).run(ran.note("post"));
  world.entity(kith::OnUpdate).disable();
  world.progress(1);
  EXPECT_EQ(ran.take(), "post ");
  post.destruct();
  world.entity(kith::OnUpdate).enable();
  parent.destruct();
  world.progress(1);
  EXPECT_EQ(ran.take(), "a ");
  EXPECT_FALSE(b.is_alive());
}

TEST(systems, know_their_context_parameter_and_entity) {
  kith::world world;
  int number = 5, other = 6, given = 0;
  kith::system s = world.system("s").ctx(&number).run([&](iter& it) {
    given = *it.ctx<int>() + (it.param<int>() ? *it.param<int>() : 0);
    EXPECT_EQ(it.system().name(), "s");
  });
  world.progress(1);
  EXPECT_EQ(given, 5);
  int extra = 100;
  s.run(0, &extra);
  EXPECT_EQ(given, 105);
  s.ctx(&other).run();
  EXPECT_EQ(given, 6);
  EXPECT_EQ(s.ctx(), &other);
}

TEST(systems, of_no_phase_run_when_they_are_called) {
  noted ran;
  kith::world world;
  kith::system s = world.system("s").kind(0).run(ran.note("s"));
  world.progress(1);
  EXPECT_EQ(ran.take(), "");
  s.run();
  EXPECT_EQ(ran.take(), "s ");
  s.disable().destruct();
  EXPECT_NE(error_of([&] { s.run(); }), "");
}

TEST(systems, can_run_inside_others) {
  kith::world world;
  entity e = world.entity().set(Position{1});
  kith::system inner = world.system<const Position>("inner").kind(0).each(
      [](entity of, const Position&) { of.add<Dead>(); });
  bool was_dead = true;
  world.system("outer").run([&](iter&) {
    inner.run();
    was_dead = e.has<Dead>();
  });
  world.progress(1);
  EXPECT_FALSE(was_dead);
  EXPECT_TRUE(e.has<Dead>());
}

// --- phases and order ----------------------------------------------------------------------------

TEST(phases, run_in_their_order) {
  noted ran;
  kith::world world;
  const std::pair<const char*, kith::entity_t> phases[] = {
      {"OnStore", kith::OnStore},       {"PreStore", kith::PreStore},
      {"PostUpdate", kith::PostUpdate}, {"OnValidate", kith::OnValidate},
      {"OnUpdate", kith::OnUpdate},     {"PreUpdate", kith::PreUpdate},
      {"PostLoad", kith::PostLoad},     {"OnLoad", kith::OnLoad},
      {"OnStart", kith::OnStart}};
  for (const auto& [name, phase] : phases) world.system().kind(phase).run(ran.note(name));
  world.progress(1);
  EXPECT_EQ(ran.take(),
            "OnStart OnLoad PostLoad PreUpdate OnUpdate OnValidate PostUpdate PreStore OnStore ");
  world.progress(1);
  EXPECT_EQ(ran.take(),
            "OnLoad PostLoad PreUpdate OnUpdate OnValidate PostUpdate PreStore OnStore ");
  world.system().kind(kith::OnStart).run(ran.note("late"));
  world.progress(1);
  EXPECT_EQ(ran.take().substr(0, 5), "late ");
}

TEST(phases, of_the_user_come_after_those_that_they_depend_on) {
  noted ran;
  kith::world world;
  entity collide = world.entity("Collide").add(kith::Phase).depends_on(kith::OnUpdate);
  entity settle = world.entity("Settle").add(kith::Phase).depends_on(collide);
  world.system().kind(settle).run(ran.note("settle"));
  world.system().kind(kith::PostUpdate).run(ran.note("post"));
  world.system().kind(collide).run(ran.note("collide"));
  world.system().run(ran.note("update"));
  world.progress(1);
  EXPECT_EQ(ran.take(), "update collide settle post ");
  collide.disable();
  world.progress(1);
  EXPECT_EQ(ran.take(), "update post ");
}

TEST(systems, of_a_phase_run_as_before_and_after_say_and_else_as_they_were_made) {
  noted ran;
  kith::world world;
  kith::system a = world.system("a").run(ran.note("a"));
  kith::system b = world.system("b").run(ran.note("b"));
  world.system("c").before(a).run(ran.note("c"));
  world.system("d").after(a).before(b).run(ran.note("d"));
  world.progress(1);
  EXPECT_EQ(ran.take(), "c a d b ");
}

TEST(systems, whose_order_contradicts_itself_are_an_error_that_prints_the_cycle) {
  noted ran;
  kith::world world;
  kith::system a = world.system("a").run(ran.note("a"));
  kith::system b = world.system("b").after(a).run(ran.note("b"));
  kith::system c = world.system("c").after(b).before(a).run(ran.note("c"));
  EXPECT_EQ(error_of([&] { world.progress(1); }),
            "the order of systems contradicts itself: a before b, b before c, c before a");
  EXPECT_EQ(ran.take(), "");
  EXPECT_EQ(world.frame_count(), 0u);
  c.destruct();
  world.progress(1);
  EXPECT_EQ(ran.take(), "a b ");
  world.system("early").kind(kith::OnLoad).after(a).run(ran.note("early"));
  EXPECT_EQ(error_of([&] { world.progress(1); }),
            "a of the phase OnUpdate shall run before early of the phase OnLoad, but its "
            "phase comes later");
}

// --- time ----------------------------------------------------------------------------------------

TEST(frames, have_a_time_that_can_be_scaled) {
  kith::world world;
  std::vector<float> seen;
  world.system().run([&](iter& it) { seen.push_back(it.delta_time()); });
  world.progress(0.5f);
  world.set_time_scale(2);
  world.progress(0.5f);
  world.set_time_scale(0);
  world.progress(0.5f);
  EXPECT_EQ(seen, (std::vector<float>{0.5f, 1, 0}));
  EXPECT_EQ(world.time(), 1.5);
  EXPECT_EQ(world.frame_count(), 3u);
  EXPECT_EQ(world.get_time_scale(), 0.f);
}

TEST(frames, measure_their_time_if_none_is_given) {
  kith::world world;
  world.set_target_fps(200);
  world.progress();
  EXPECT_FLOAT_EQ(world.delta_time(), 0.005f);
  world.progress();
  EXPECT_GE(world.delta_time(), 0.0049f);
}

TEST(frames, refuse_a_time_that_is_none) {
  kith::world world;
  EXPECT_NE(error_of([&] { world.progress(-1); }), "");
  EXPECT_NE(error_of([&] { world.progress(std::nanf("")); }), "");
  EXPECT_NE(error_of([&] { world.progress(INFINITY); }), "");
  EXPECT_NE(error_of([&] { world.set_time_scale(-1); }), "");
  EXPECT_NE(error_of([&] { world.set_target_fps(-1); }), "");
  EXPECT_NE(error_of([&] { world.system("s").interval(-1).run([](iter&) {}); }), "");
  EXPECT_FALSE(world.lookup("s"));
  EXPECT_EQ(world.frame_count(), 0u);
}

TEST(systems, with_an_interval_run_that_often) {
  kith::world world;
  std::vector<float> seen;
  kith::system s =
      world.system().interval(1).run([&](iter& it) { seen.push_back(it.delta_system_time()); });
  for (int i = 0; i < 10; ++i) world.progress(0.3f);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_NEAR(seen[0], 1.2, 1e-5);
  EXPECT_NEAR(seen[1], 0.9, 1e-5);
  EXPECT_EQ(s.interval(), 1.f);
  s.interval(0);
  world.progress(0.3f);
  EXPECT_EQ(seen.size(), 4u);
}

TEST(systems, with_a_rate_run_every_so_many_frames_or_times_of_a_source) {
  noted ran;
  kith::world world;
  kith::system second = world.system("second").rate(2).run(ran.note("2"));
  world.system("sixth").rate(second, 3).run(ran.note("6"));
  for (int i = 0; i < 12; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "2 2 2 6 2 2 2 6 ");
}

TEST(timers, tell_systems_when_to_run) {
  noted ran;
  kith::world world;
  kith::timer t = world.timer("t").interval(2);
  kith::timer once = world.timer("once").timeout(3);
  kith::timer third = world.timer("third").rate(3);
  world.system().tick_source(t).run(ran.note("t"));
  world.system().tick_source(once).run(ran.note("once"));
  world.system().tick_source(third).run(ran.note("third"));
  for (int i = 0; i < 6; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "t once third t t third ");
  t.stop();
  third.disable();
  for (int i = 0; i < 6; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "");
  t.start();
  world.progress(1);
  world.progress(1);
  EXPECT_EQ(ran.take(), "t ");
  t.destruct();
  for (int i = 0; i < 4; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "");
}

TEST(timers, cannot_wait_for_themselves) {
  kith::world world;
  kith::timer a = world.timer("a"), b = world.timer("b").rate(2, a);
  EXPECT_EQ(error_of([&] { a.rate(2, b); }), "a waits for itself");
  EXPECT_NE(error_of([&] { a.rate(2, world.entity("e")); }), "");
}

TEST(systems, with_a_condition_ask_it_when_their_turn_comes) {
  kith::world world;
  entity e = world.entity().set(Position{0});
  noted ran;
  world.system<Position>().each([](Position& p) { ++p.x; });
  world.system().run_if([=] { return e.get<Position>()->x == 2; }).run(ran.note("now"));
  for (int i = 0; i < 4; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "now ");
}

TEST(frames, end_the_program_when_somebody_says_so) {
  kith::world world;
  noted ran;
  world.system().run([](iter& it) { it.world().quit(); });
  world.system().run(ran.note("rest"));
  EXPECT_FALSE(world.progress(1));
  EXPECT_EQ(ran.take(), "rest ");
  EXPECT_TRUE(world.should_quit());
}

TEST(systems, without_rows_sleep_until_there_may_be_some) {
  kith::world world;
  world.component<Speed>();
  noted ran;
  float since = 0;
  world.system<const Speed>("sleeper").each([&](iter& it, std::size_t, const Speed&) {
    ran.text += "! ";
    since = it.delta_system_time();
  });
  // It runs before the sleeper, and wakes it in the same frame.
  bool wakes = false;
  world.system("waker").kind(kith::PreUpdate).run([&](iter& it) {
    if (wakes) it.world().entity("e").set(Speed{1});
  });
  for (int i = 0; i < 10; ++i) world.progress(0.5f);
  EXPECT_EQ(ran.take(), "");
  wakes = true;
  world.progress(0.25f);
  EXPECT_EQ(ran.take(), "! ");
  EXPECT_EQ(since, 0.25f);
  wakes = false;
  world.lookup("e").remove<Speed>();
  for (int i = 0; i < 10; ++i) world.progress(1);
  entity base = world.prefab("base").set(Speed{2});
  entity heir = world.entity("heir").is_a(base);
  world.progress(1);
  EXPECT_EQ(ran.take(), heir.has<Speed>() ? "! " : "");
  base.destruct();
  heir.destruct();
  for (int i = 0; i < 10; ++i) world.progress(1);
  // A kind of what it asks for counts, too.
  entity Animal = world.entity("Animal"), Cat = world.entity("Cat");
  world.system().with(Animal).each([&](entity) { ran.text += "cat "; });
  for (int i = 0; i < 10; ++i) world.progress(1);
  Cat.is_a(Animal);
  world.entity("tom").add(Cat);
  world.progress(1);
  EXPECT_EQ(ran.take(), "cat ");
}

// --- changes -------------------------------------------------------------------------------------

TEST(systems, see_what_earlier_ones_have_queued) {
  kith::world world;
  entity e = world.entity().set(Health{-1});
  int dead = 0;
  world.system<const Health>().each([](entity of, const Health& h) {
    if (h.value < 0) of.add<Dead>();
    EXPECT_FALSE(of.has<Dead>());
  });
  world.system<const Dead>().each([&](entity) { ++dead; });
  world.progress(1);
  EXPECT_EQ(dead, 1);
  EXPECT_TRUE(e.has<Dead>());
}

TEST(systems, that_are_immediate_change_the_world_at_once) {
  kith::world world;
  for (int i = 0; i < 10; ++i) world.entity().set(Health{i});
  int visited = 0;
  world.system<const Health>().immediate().each([&](entity e, const Health& h) {
    ++visited;
    const int value = h.value;
    e.add<Dead>();
    EXPECT_TRUE(e.has<Dead>());
    // A row that does not hold any more when its turn comes is left out.
    std::vector<entity> gone;
    e.world().query<const Health>().each([&](entity other, const Health& o) {
      if (o.value == value + 1) gone.push_back(other);
    });
    for (entity other : gone) other.remove<Health>();
  });
  world.progress(1);
  EXPECT_EQ(visited, 5);
  EXPECT_EQ(world.count<Dead>(), 5);
}

TEST(systems, that_declare_what_they_change_may_change_nothing_else) {
  kith::world world;
  world.component<Position>();
  entity e = world.entity("e").set(Health{1});
  kith::system s =
      world.system<const Health>("s").kind(0).write<Dead>().each([](entity of, const Health& h) {
        of.add<Dead>();
        if (h.value == 2) of.set(Position{1});
        if (h.value == 3) of.destruct();
      });
  s.run();
  EXPECT_TRUE(e.has<Dead>());
  e.set(Health{2});
  EXPECT_EQ(error_of([&] { s.run(); }),
            "the system s changes Position, which it has not declared; add .write<T>() or "
            ".write(id) for Position");
  e.set(Health{3});
  EXPECT_NE(error_of([&] { s.run(); }).find("the system s deletes an entity"), std::string::npos);
  EXPECT_TRUE(e.is_alive());
  e.remove<Dead>();
  kith::system nothing = world.system<const Health>("nothing").kind(0).queues_nothing().each(
      [](entity of, const Health& h) {
        if (h.value == 4) of.world().entity();
        if (h.value == 5) of.add<Dead>();
        if (h.value == 6) of.world().system().run([](iter&) {});
      });
  for (int value : {4, 5, 6}) {
    e.set(Health{value});
    EXPECT_NE(error_of([&] { nothing.run(); }), "") << value;
  }
  EXPECT_FALSE(e.has<Dead>());
  // A callback that gets no entity may still have one.
  kith::system hidden =
      world.system<const Health>("hidden").kind(0).each([e](const Health&) { e.add<Dead>(); });
  EXPECT_NE(error_of([&] { hidden.run(); }), "");
}

TEST(systems, that_throw_end_the_frame_and_what_they_queued_is_dropped) {
  for (bool with_threads : {false, true}) {
    kith::world world;
    kith::test::thread_pool pool(2);
    if (with_threads) world.set_executor(&pool);
    entity e = world.entity().set(Health{1}).set(Position{1}).set(Speed{1});
    noted ran;
    world.system().kind(kith::PreUpdate).run([&](iter&) { e.set(Score{1}); });
    world.system<const Health>().write<Dead>().each([](entity of, const Health&) {
      of.add<Dead>();
      throw std::runtime_error("broken");
    });
    world.system<Position>().each([](Position& p) { ++p.x; });
    world.system<const Speed>().write<Score>().each(
        [](entity of, const Speed&) { of.set(Score{2}); });
    world.system().kind(kith::PostUpdate).run(ran.note("late"));
    EXPECT_EQ(error_of([&] { world.progress(1); }), "broken");
    EXPECT_EQ(ran.take(), "");
    EXPECT_FALSE(e.has<Dead>());
    EXPECT_EQ(e.get<Position>()->x, 2);
    EXPECT_EQ(e.get<Score>()->value, 2);
    EXPECT_EQ(error_of([&] { world.progress(1); }), "broken");
    world.set_executor(nullptr);
  }
}

TEST(systems, whose_changes_fail_do_not_end_the_frame) {
  kith::world world;
  entity a = world.entity("a"), b = world.entity("b").child_of(a);
  noted ran;
  world.system().run([=](iter&) { a.child_of(b); });
  world.system().run(ran.note("next"));
  EXPECT_NE(error_of([&] { world.progress(1); }), "");
  EXPECT_EQ(ran.take(), "next ");
  EXPECT_FALSE(a.has(kith::ChildOf, b));
}

TEST(systems, come_and_go_while_frames_run) {
  noted ran;
  kith::world world;
  kith::system late;
  kith::system first = world.system("first").kind(kith::PreUpdate).run([&](iter& it) {
    ran.text += "first ";
    if (it.world().frame_count() == 1)
      late = it.world().system("late").run(ran.note("late"));
    else if (it.world().frame_count() == 3)
      late.destruct();
    else if (it.world().frame_count() == 4)
      it.system().destruct();
  });
  world.system("last").kind(kith::OnStore).run(ran.note("last"));
  for (int i = 0; i < 5; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "first late last first late last first last first last last ");
  EXPECT_FALSE(first.is_alive());
}

TEST(frames, cannot_begin_inside_each_other_or_while_the_world_is_deferred) {
  kith::world world;
  std::string inside;
  world.system().run([&](iter& it) { inside = error_of([&] { it.world().progress(1); }); });
  world.progress(1);
  EXPECT_EQ(inside, "a frame cannot begin while a frame runs");
  world.defer_begin();
  EXPECT_EQ(error_of([&] { world.progress(1); }),
            "a frame cannot begin while the world is deferred");
  world.defer_end();
  world.readonly_begin();
  EXPECT_NE(error_of([&] { world.progress(1); }), "");
  world.readonly_end();
}

TEST(frames, survive_the_end_of_the_world) {
  noted ran;
  auto* world = new kith::world;
  world->system().run([&](iter&) {
    delete world;
    world = nullptr;
  });
  world->system().run(ran.note("after"));
  EXPECT_NE(error_of([&] { world->progress(1); }), "");
  EXPECT_EQ(ran.take(), "");
}

TEST(systems, of_observers_and_writes_that_wait) {
  kith::world world;
  entity e = world.entity().set(Health{1});
  std::string heard;
  world.observer<Dead>().event(kith::OnAdd).each([&](entity of) { of.set(Score{7}); });
  world.system<const Health>().write<Dead>().each([](entity of, const Health&) { of.add<Dead>(); });
  int seen = 0;
  world.system<const Score>().kind(kith::PostUpdate).each([&](const Score& s) { seen = s.value; });
  world.progress(1);
  EXPECT_EQ(seen, 7);
  EXPECT_TRUE(e.has<Dead>());
}

TEST(systems, see_what_observers_and_hooks_make_of_queued_changes) {
  for (bool with_hook : {false, true}) {
    kith::world world;
    entity e = world.entity().set(Health{1});
    world.component<Position>();
    if (with_hook)
      world.component<Speed>().on_set([](entity of, Speed&) { of.set(Score{7}); });
    else
      world.observer<Speed>().event(kith::OnSet).each([](entity of, Speed&) { of.set(Score{7}); });
    world.system<const Health>().write<Speed>().each(
        [](entity of, const Health&) { of.set(Speed{1}); });
    int seen = 0;
    world.system<const Score>().each([&](const Score& s) { seen = s.value; });
    world.progress(1);
    EXPECT_EQ(seen, 7) << with_hook;
    EXPECT_TRUE(e.has<Speed>());
  }
}

TEST(systems, that_move_to_another_phase_change_nobodys_turn) {
  noted ran;
  kith::world world;
  world.system("x").run([&](iter& it) {
    ran.text += "x ";
    it.system().remove(kith::DependsOn, kith::Wildcard).depends_on(kith::OnLoad);
  });
  world.system("y").run(ran.note("y"));
  world.system("z").kind(kith::PostUpdate).run([&](iter& it) {
    ran.text += "z ";
    it.system().remove(kith::DependsOn, kith::Wildcard).depends_on(kith::OnLoad);
  });
  world.progress(1);
  EXPECT_EQ(ran.take(), "x y z ");
  world.progress(1);
  EXPECT_EQ(ran.take(), "x z y ");
}

TEST(systems, that_cannot_be_made_leave_nothing) {
  kith::world world;
  entity a = world.entity("a");
  EXPECT_NE(error_of([&] { world.system("a").kind(a).run([] {}); }), "");
  EXPECT_FALSE(a.has(kith::System));
  EXPECT_NE(error_of([&] { world.system("b").tick_source(a).run([] {}); }), "");
  EXPECT_NE(error_of([&] { world.system("c").expr("Unknown").run([] {}); }), "");
  EXPECT_NE(error_of([&] { world.system("d").expr("(@x, *)").run([] {}); }), "");
  for (const char* name : {"b", "c", "d"}) EXPECT_FALSE(world.lookup(name)) << name;
  EXPECT_TRUE(world.system("a").run([] {}));
  EXPECT_NE(error_of([&] { world.system("a").run([] {}); }), "");
  world.progress(1);
}

TEST(systems, that_are_taken_back_are_none) {
  noted ran;
  kith::world world;
  EXPECT_NE(error_of([&] {
              world.change([&] {
                world.system().run(ran.note("never"));
                throw std::runtime_error("no");
              });
            }),
            "");
  entity e = world.entity();
  world.progress(1);
  EXPECT_EQ(ran.take(), "");
  EXPECT_NE(error_of([&] { world.system(e).run(); }), "");
}

struct failing_executor final : kith::executor {
  bool throws = true;
  unsigned threads() const override { return 2; }
  void run_pieces(std::size_t, const std::function<void(std::size_t)>&) override {
    if (throws) throw std::runtime_error("no threads");
  }
};

TEST(systems, that_wait_for_one_that_fails_do_not_run) {
  for (bool with_threads : {false, true}) {
    kith::world world;
    kith::test::thread_pool pool(2);
    if (with_threads) world.set_executor(&pool);
    entity e = world.entity().set(Position{1}).set(Speed{1}).set(Health{1});
    world.system<Position>().each([](Position&) { throw std::runtime_error("broken"); });
    world.system<Speed, const Position>().each([](Speed& s, const Position&) { ++s.x; });
    world.system<Health>().each([](Health& h) { ++h.value; });
    EXPECT_EQ(error_of([&] { world.progress(1); }), "broken");
    EXPECT_EQ(e.get<Speed>()->x, 1);
    EXPECT_EQ(e.get<Health>()->value, 2);
    EXPECT_TRUE(world.deferred_errors().empty());
    world.set_executor(nullptr);
  }
}

TEST(systems, of_two_worlds_may_use_each_other) {
  kith::world one, other;
  for (int i = 0; i < 200; ++i) one.entity().set(Position{i});
  one.component<Score>();
  one.system<const Position>().multi_threaded().write<Score>().each(
      [&](entity e, const Position& p) {
        if (p.x == 5) {
          other.readonly_begin();
          other.entity();
          other.readonly_end();
        }
        entity made = e.world().entity().set(Score{p.x});
        EXPECT_TRUE(made.is_alive());
        EXPECT_NE(error_of([&] { e.set(Health{1}); }), "");
      });
  one.component<Health>();
  one.progress(1);
  EXPECT_EQ(one.count<Score>(), 200u);
  EXPECT_EQ(other.entity_count(), 1u);
}

TEST(systems, may_delete_the_same_entity_twice_while_observers_listen) {
  kith::world world;
  entity enemy = world.entity().set(Health{1});
  for (int i = 0; i < 3; ++i) world.entity().set(Position{i});
  int told = 0;
  world.observer<Health>().event(kith::OnRemove).each([&](entity, Health&) { ++told; });
  world.system<const Position>().each([=](entity, const Position&) { enemy.destruct(); });
  world.progress(1);
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(enemy.is_alive());
}

TEST(frames, survive_an_executor_that_fails) {
  kith::world world;
  for (int i = 0; i < 1000; ++i) world.entity().set(Position{i});
  failing_executor broken_one;
  world.set_executor(&broken_one);
  world.system<Position>("Move").multi_threaded().write<Dead>().each([](entity e, Position& p) {
    ++p.x;
    e.add<Dead>();
  });
  EXPECT_EQ(error_of([&] { world.progress(1); }), "no threads");
  broken_one.throws = false;
  EXPECT_EQ(error_of([&] { world.progress(1); }), "the executor has not carried out all tasks");
  world.set_executor(nullptr);
  world.progress(1);
  EXPECT_EQ(world.count<Dead>(), 1000u);
}

TEST(systems, cannot_change_schedules_and_timers_beside_others) {
  kith::world world;
  for (int i = 0; i < 100; ++i) world.entity().set(Position{i});
  kith::timer t = world.timer();
  std::function<void()> act;
  world.system<const Position>().multi_threaded().each([&](entity, const Position&) { act(); });
  const std::vector<std::function<void()>> refused = {[&] { t.interval(1); },
                                                      [&] { t.stop(); },
                                                      [&] { t.start(); },
                                                      [&] { world.set_time_scale(2); },
                                                      [&] { world.measure(); },
                                                      [&] { world.trace("x"); },
                                                      [&] { world.schedule(); },
                                                      [&] { world.system().run([] {}); },
                                                      [&] { world.set_threads(2); },
                                                      [&] { world.timer(); },
                                                      [&] { world.progress(1); }};
  for (std::size_t n = 0; n < refused.size(); ++n) {
    act = refused[n];
    EXPECT_NE(error_of([&] { world.progress(1); }), "") << n;
    world.deferred_errors();
  }
  act = [&] { world.quit(); };
  EXPECT_FALSE(world.progress(1));
}

TEST(timers, that_have_happened_once_can_be_set_again) {
  noted ran;
  kith::world world;
  kith::timer t = world.timer().timeout(1);
  world.system().tick_source(t).run(ran.note("t"));
  kith::system manual = world.system().kind(0).run([] {});
  world.system().tick_source(manual).run(ran.note("after"));
  for (int i = 0; i < 3; ++i) world.progress(1);
  EXPECT_EQ(ran.take(), "t ");
  t.timeout(1);
  world.progress(1);
  EXPECT_EQ(ran.take(), "t ");
}

TEST(frames, set_no_more_ids_aside_than_are_used) {
  kith::world world;
  for (int i = 0; i < 64; ++i) world.entity().set(Position{i});
  world.component<Score>();
  int more = 1000;
  world.system<const Position>().multi_threaded().write<Score>().each(
      [&](entity e, const Position& p) {
        if (p.x == 0)
          for (int i = 0; i < more; ++i) e.world().entity().set(Score{i});
      });
  world.system<const Score>().kind(kith::PostUpdate).each([](entity e, const Score&) {
    e.destruct();
  });
  kith::entity_t highest = 0;
  world.observer<Score>().event(kith::OnSet).each([&](entity e, Score&) {
    highest = std::max<kith::entity_t>(highest, static_cast<std::uint32_t>(e.id()));
  });
  for (int i = 0; i < 20; ++i) world.progress(1);
  const kith::entity_t after_20 = highest;
  for (int i = 0; i < 50; ++i) world.progress(1);
  EXPECT_EQ(highest, after_20) << "indices grow from frame to frame";
}

// --- rows that threads cannot share --------------------------------------------------------------

// The values of A after some frames; threads run the pieces of rows in any order.
template <class Make>
std::string positions_after_frames(kith::executor* with, Make make) {
  kith::world world;
  world.component<Score>();
  entity likes = world.entity("Likes");
  std::vector<entity> all;
  for (int i = 0; i < 400; ++i) {
    entity e = world.entity().set(Position{i});
    if (i) {
      const auto other = static_cast<std::size_t>((i * 2654435761u >> 13) % unsigned(i));
      e.child_of(all[other]).add(likes, all[other]);
    }
    all.push_back(e);
  }
  make(world);
  world.set_executor(with);
  for (int frame = 0; frame < 3; ++frame) world.progress(1);
  world.set_executor(nullptr);
  std::string text;
  for (entity e : all) text += std::to_string(e.get<Position>()->x) + " ";
  return text;
}

TEST(systems, whose_rows_read_what_other_rows_write_are_never_split) {
  const auto mix = [](Position& own, const Position& other) {
    own.x = (own.x * 3 + other.x) % 1000;
  };
  const std::vector<std::function<kith::system(kith::world&)>> all = {
      [&](kith::world& world) {
        return world.system<Position, const Position>("s")
            .term_at(1)
            .parent()
            .multi_threaded()
            .each(mix);
      },
      [&](kith::world& world) {
        return world.system<Position, const Position>("s")
            .term_at(1)
            .parent()
            .cascade()
            .multi_threaded()
            .each(mix);
      },
      [&](kith::world& world) {
        return world.system<Position>("s")
            .expr("(Likes, $x), [in] Position($x)")
            .multi_threaded()
            .each([&](iter& it, std::size_t row, Position& p) {
              mix(p, it.field<const Position>(2)[row]);
            });
      },
      [&](kith::world& world) {
        return world.system<Position>("s")
            .expr("(Likes, $x)")
            .read<Position>()
            .multi_threaded()
            .each([&](iter& it, std::size_t, Position& p) {
              mix(p, *it.get_var("x").get<Position>());
            });
      }};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto make = [&](kith::world& world) {
      all[n](world);
      EXPECT_EQ(world.schedule().systems[0].rows,
                "threads do not share its rows: rows share a value of Position")
          << n;
    };
    const std::string alone = positions_after_frames(nullptr, make);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      kith::test::shuffling_executor shuffled(seed);
      EXPECT_EQ(positions_after_frames(&shuffled, make), alone) << n;
    }
  }
}

TEST(systems, whose_rows_inherit_what_other_rows_write_are_never_split) {
  const auto sums = [](kith::executor* with) {
    kith::world world;
    std::vector<entity> all;
    for (int i = 0; i < 400; ++i) {
      entity e = world.entity().set(Speed{i});
      if (i % 3 == 0) e.set(Position{i});
      if (i % 3) e.is_a(all[static_cast<std::size_t>(i - i % 3)]);
      all.push_back(e);
    }
    world.system<const Position, Speed, Position*>("s").term_at(2).self().multi_threaded().each(
        [](const Position& seen, Speed& s, Position* own) {
          s.x += seen.x;
          if (own) ++own->x;
        });
    world.set_executor(with);
    world.progress(1);
    world.set_executor(nullptr);
    std::string text;
    for (entity e : all) text += std::to_string(e.get<Speed>()->x) + " ";
    return text;
  };
  const std::string alone = sums(nullptr);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    kith::test::shuffling_executor shuffled(seed);
    EXPECT_EQ(sums(&shuffled), alone);
  }
}

TEST(schedules, give_ambiguities_that_outlive_them) {
  kith::world world;
  world.system<Position>("a").each([](Position&) {});
  world.system<Position>("b").each([](Position&) {});
  std::string text;
  for (const kith::schedule::ambiguity& pair : world.schedule().ambiguities())
    text += pair.first + pair.second;
  EXPECT_EQ(text, "ab");
  static_assert(!std::is_reference_v<decltype(world.schedule().ambiguities())>);
}

TEST(schedules, say_which_rows_threads_share) {
  kith::world world;
  world.component<Position>();
  world.component<Health>();
  world.add<Score>();
  entity likes = world.entity("Likes");
  const auto rows = [&](kith::system s) {
    std::string text = world.schedule().systems.back().rows;
    s.destruct();
    return text;
  };
  const std::string no = "threads do not share its rows: ";
  EXPECT_EQ(rows(world.system<Position>().each([](Position&) {})), "");
  EXPECT_EQ(rows(world.system<Position>().multi_threaded().each([](Position&) {})),
            "threads share its rows");
  EXPECT_EQ(rows(world.system<Position>()
                     .expr("(Likes, $x), Health($x)")
                     .multi_threaded()
                     .each([](Position&) {})),
            "threads share its rows, those of one $this together");
  EXPECT_EQ(
      rows(
          world.system<Position>().with(likes, kith::Wildcard).multi_threaded().each([](Position&) {
          })),
      "threads share its rows, those of one $this together");
  EXPECT_EQ(rows(world.system<Score>().term_at(0).singleton().multi_threaded().each([](Score&) {})),
            no + "its rows are about no $this");
  EXPECT_EQ(rows(world.system<Position, Score>().term_at(1).singleton().multi_threaded().each(
                [](Position&, Score&) {})),
            no + "rows share a value of Score");
  EXPECT_EQ(rows(world.system<Position>().immediate().multi_threaded().each([](Position&) {})),
            no + "it changes the world at once");
  EXPECT_EQ(rows(world.system<Position>().multi_threaded().run([](iter& it) {
              while (it.next()) {
              }
            })),
            no + "it runs once for all");
  EXPECT_EQ(rows(world.system().multi_threaded().each([] {})), no + "it runs once for all");
  EXPECT_EQ(rows(world.system<const Position>().detect_changes().multi_threaded().each(
                [](const Position&) {})),
            no + "it asks which rows have changed");
}

// --- handles and callbacks -----------------------------------------------------------------------

TEST(systems, of_null_handles_are_errors) {
  kith::world world;
  const std::vector<std::function<void()>> mistakes = {
      [] { kith::system().run(); },
      [] { kith::system().interval(1); },
      [] { kith::system().statistics(); },
      [] { kith::system().ctx(nullptr); },
      [] { kith::timer().start(); },
      [] { kith::timer().stop(); },
      [] { kith::timer().timeout(1); },
      [&] { world.timer("t").rate(2, kith::timer()); },
      [&] { world.system("s").tick_source(kith::timer()).run([] {}); },
      [&] { world.system("s").rate(kith::timer(), 2).run([] {}); },
      [&] { world.system("s").kind(world.lookup("Phisics")).run([] {}); },
      [&] { world.system("s").before(entity()).run([] {}); }};
  for (std::size_t n = 0; n < mistakes.size(); ++n)
    EXPECT_EQ(error_of(mistakes[n]), "no entity was given") << n;
  EXPECT_FALSE(world.lookup("s"));
}

TEST(systems, tell_batches_the_time) {
  kith::world world;
  entity e = world.entity().set(Position{1});
  world.system<Position>().iter([](kith::delta_time dt, iter& it, Position* p) {
    for (std::size_t row : it) p[row].x += static_cast<int>(dt);
  });
  float seen = 0;
  world.system<Position>().iter([&](kith::delta_time dt, iter&) { seen = dt; });
  world.progress(5);
  EXPECT_EQ(e.get<Position>()->x, 6);
  EXPECT_EQ(seen, 5);
}

// The calling thread runs nothing itself.
struct elsewhere final : kith::executor {
  unsigned threads() const override { return 2; }
  void run_pieces(std::size_t count, const std::function<void(std::size_t)>& piece) override {
    std::thread([&] {
      for (std::size_t n = 0; n < count; ++n) piece(n);
    }).join();
  }
};

TEST(frames, that_are_recorded_name_the_thread_that_called_main) {
  kith::world world;
  for (int i = 0; i < 1000; ++i) world.entity().set(Position{1});
  world.system<Position>("Move").multi_threaded().each([](Position&) {});
  elsewhere others;
  world.set_executor(&others);
  const std::string path = testing::TempDir() + "kith_trace_elsewhere.json";
  world.trace(path);
  world.progress(1);
  world.set_executor(nullptr);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  EXPECT_NE(text.str().find(R"("tid": 0, "name": "frame 1")"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find(R"("tid": 1, "name": "Move")"), std::string::npos) << text.str();
}

// --- pipelines -----------------------------------------------------------------------------------

TEST(pipelines, run_the_systems_that_their_queries_find) {
  noted ran;
  kith::world world;
  entity Ai = world.entity("Ai"), Physics = world.entity("Physics");
  world.system("think").kind(Ai).run(ran.note("think"));
  world.system("push").kind(Physics).run(ran.note("push"));
  world.system("draw").kind(kith::OnStore).run(ran.note("draw"));
  entity ai = world.pipeline("ai").with(kith::System).with(Ai).build();
  entity all = world.pipeline("all").with(kith::System).build();
  world.progress(1);
  EXPECT_EQ(ran.take(), "draw ");
  world.run_pipeline(ai, 1);
  EXPECT_EQ(ran.take(), "think ");
  world.run_pipeline(all);
  EXPECT_EQ(ran.take(), "think push draw ");
  world.system("plan").kind(Ai).run(ran.note("plan"));
  world.run_pipeline(ai, 1);
  EXPECT_EQ(ran.take(), "think plan ");
  world.set_pipeline(ai);
  EXPECT_EQ(world.get_pipeline(), ai);
  world.progress(1);
  EXPECT_EQ(ran.take(), "think plan ");
  EXPECT_NE(error_of([&] { world.run_pipeline(Ai); }), "");
  EXPECT_NE(error_of([&] { world.set_pipeline(Ai); }), "");
}

// --- the schedule --------------------------------------------------------------------------------

TEST(schedules, say_what_systems_do_and_why_they_wait) {
  kith::world world;
  world.component<Position>();
  world.component<Speed>();
  world.component<Health>();
  world.component<Score>();
  world.component<Dead>();
  world.system<Position, const Speed>("Move").multi_threaded().each([](Position&, const Speed&) {});
  world.system<const Position, Score>("Rate").each([](const Position&, Score&) {});
  world.system<const Health>("Die").write<Dead>().each([](entity, const Health&) {});
  world.system<const Dead>("Bury").each([](entity) {});
  world.system("Draw").kind(kith::OnStore).interval(0.5f).queues_nothing().run([](iter&) {});
  const kith::schedule s = world.schedule();
  EXPECT_EQ(s.str(), R"(5 systems in 3 steps

step 1
  OnUpdate
    Move: reads Speed; writes Position; threads share its rows
    Rate: reads Position; writes Score
      waits for Move: both use Position
    Die: reads Health; queues changes of Dead

step 2: Bury may change anything, so it runs alone
  OnUpdate
    Bury: queues changes of anything

step 3: Bury runs alone
  OnStore
    Draw: runs every 0.5 s

order by nothing but creation
  Move, Rate: both use Position
  Move, Bury: Move may see what Bury queues: anything
  Rate, Bury: Rate may see what Bury queues: anything
  Die, Bury: Bury may see what Die queues: anything
)");
  EXPECT_EQ(s.ambiguities().size(), 4u);
  EXPECT_NE(s.dot().find("digraph schedule {"), std::string::npos);
}

TEST(frames, can_be_recorded_for_trace_viewers) {
  kith::world world;
  world.entity().set(Position{1});
  world.system<Position>("Move").each([](Position&) {});
  const std::string path = testing::TempDir() + "kith_trace.json";
  world.trace(path);
  world.progress(1);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("\"name\": \"Move\""), std::string::npos) << text.str();
  std::remove(path.c_str());
  world.trace("/no/such/folder/trace.json");
  EXPECT_NE(error_of([&] { world.progress(1); }).find("/no/such/folder/trace.json"),
            std::string::npos);
  world.progress(1);
}

TEST(systems, count_their_runs_if_they_are_asked_to) {
  kith::world world;
  for (int i = 0; i < 5; ++i) world.entity().set(Position{1});
  kith::system s = world.system<Position>().each([](Position&) {});
  world.progress(1);
  EXPECT_EQ(s.statistics().runs, 0u);
  world.measure();
  world.progress(1);
  world.progress(1);
  const kith::run_statistics counted = s.statistics();
  EXPECT_EQ(counted.runs, 2u);
  EXPECT_EQ(counted.rows, 10u);
  EXPECT_EQ(counted.last_minute.runs, 2u);
  EXPECT_LE(counted.last_minute.min, counted.last_minute.max);
  world.measure(false);
  world.progress(1);
  EXPECT_EQ(s.statistics().runs, 2u);
}

TEST(queries, count_their_runs_if_they_are_asked_to) {
  kith::world world;
  entity team = world.entity("team");
  for (int i = 0; i < 5; ++i) world.entity().set(Position{i}).add(team, team);
  auto q = world.query<const Position>();
  auto given = world.query("Position, (team, @which)");
  const auto ask = [&] {
    q.each([](const Position&) {});
    for (int i = 0; i < 3; ++i) given.each(team, [](entity) {});
  };
  ask();
  EXPECT_EQ(q.statistics().runs, 0u);
  world.measure();
  ask();
  EXPECT_EQ(q.statistics().runs, 1u);
  EXPECT_EQ(q.statistics().rows, 5u);
  EXPECT_EQ(given.statistics().runs, 3u);
  EXPECT_EQ(given.statistics().rows, 15u);
  EXPECT_EQ(q.statistics().last_second.runs, q.statistics().last_minute.runs);
  world.measure(false);
  ask();
  EXPECT_EQ(q.statistics().runs, 1u);
}

// --- modules -------------------------------------------------------------------------------------

struct physics {
  explicit physics(kith::world& world) {
    ++made;
    world.component<Speed>();
    world.system<Position, const Speed>("Move").each(
        [](Position& p, const Speed& s) { p.x += s.x; });
  }
  static inline int made = 0;
};
struct broken {
  explicit broken(kith::world& world) {
    world.entity("inside");
    if (fails) throw std::runtime_error("not today");
  }
  static inline bool fails = true;
};
struct counted {
  explicit counted(kith::world& world) : numbers{1, 2, 3} {
    world.import <physics>();
    entity e = world.entity("part").set(Health{3});
    sees_at_once = e.get<Health>() && e.get<Health>()->value == 3;
    ++alive;
  }
  counted(const counted&) = delete;
  ~counted() { --alive; }
  std::vector<int> numbers;
  bool sees_at_once = false;
  static inline int alive = 0;
};
struct movable {
  explicit movable(kith::world& world) : name("movable") { world.entity("part"); }
  std::string name;
};
struct renamed {
  explicit renamed(kith::world& world) {
    world.module<renamed>("game.rules");
    world.entity("inside");
  }
};

TEST(modules, make_what_belongs_together_once) {
  physics::made = 0;
  kith::world world;
  entity module = world.import <physics>();
  EXPECT_EQ(world.import <physics>(), module);
  EXPECT_EQ(physics::made, 1);
  EXPECT_TRUE(module.has(kith::Module));
  entity move = module.lookup("Move");
  ASSERT_TRUE(move);
  EXPECT_TRUE(move.has(kith::System));
  entity e = world.entity("e").set(Position{1}).set(Speed{1});
  EXPECT_FALSE(e.parent());
  world.progress(1);
  EXPECT_EQ(e.get<Position>()->x, 2);
}

TEST(modules, that_are_known_can_be_asked_for_in_a_system) {
  kith::world world;
  entity module = world.import <physics>(), found;
  world.system("ask").run([&](iter& it) { found = it.world().import <physics>(); });
  world.progress(1);
  EXPECT_EQ(found, module);
  world.system("ask_more").run([&](iter& it) { it.world().import <movable>(); });
  EXPECT_EQ(error_of([&] { world.progress(1); }),
            "a module cannot be imported while the world is deferred");
}

TEST(modules, whose_constructor_throws_leave_nothing) {
  kith::world world;
  broken::fails = true;
  EXPECT_EQ(error_of([&] { world.import <broken>(); }), "not today");
  EXPECT_EQ(world.get_scope(), entity());
  broken::fails = false;
  entity module = world.import <broken>();
  EXPECT_TRUE(module.lookup("inside"));
}

TEST(modules, with_members_are_objects_as_long_as_their_entities) {
  counted::alive = 0;
  {
    kith::world world;
    entity module = world.import <counted>();
    EXPECT_EQ(counted::alive, 1);
    EXPECT_TRUE(module.get<counted>()->sees_at_once);
    EXPECT_EQ(module.get<counted>()->numbers.size(), 3u);
    EXPECT_TRUE(module.lookup("part"));
    EXPECT_EQ(world.component<physics>().parent(), entity());
    EXPECT_EQ(world.import <movable>().get<movable>()->name, "movable");
    module.destruct();
    EXPECT_EQ(counted::alive, 0);
    world.import <counted>();
    EXPECT_EQ(counted::alive, 1);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(modules, are_kept_while_systems_and_observers_use_their_components) {
  kith::world world;
  entity module = world.import <physics>();
  kith::system s = world.system<Speed>("user").each([](Speed&) {});
  EXPECT_EQ(error_of([&] { module.destruct(); }),
            "the module physics cannot be deleted: user uses physics::Speed");
  s.destruct();
  entity o = world.observer<Speed>("watcher").event(kith::OnAdd).each([](entity, Speed&) {});
  EXPECT_NE(error_of([&] { module.destruct(); }).find("watcher uses"), std::string::npos);
  entity outer = world.entity("outer");
  module.child_of(outer);
  EXPECT_NE(error_of([&] { outer.destruct(); }).find("watcher uses"), std::string::npos);
  o.destruct();
  outer.destruct();
  EXPECT_FALSE(module.is_alive());
}

TEST(modules, may_have_another_path) {
  kith::world world;
  entity module = world.import <renamed>();
  EXPECT_EQ(module.path(), "game::rules");
  EXPECT_TRUE(world.lookup("game.rules.inside"));
}

TEST(modules, take_their_systems_with_them) {
  noted ran;
  kith::world world;
  entity module = world.import <physics>();
  entity e = world.entity("e").set(Position{1}).set(Speed{1});
  EXPECT_EQ(world.component<Speed>().parent(), module);
  EXPECT_EQ(error_of([&] { module.destruct(); }),
            "the module physics cannot be deleted: e uses physics::Speed");
  EXPECT_TRUE(module.is_alive());
  e.remove<Speed>();
  module.destruct();
  world.progress(1);
  EXPECT_EQ(e.get<Position>()->x, 1);
}

}  // namespace
