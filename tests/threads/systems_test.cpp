// Frames by chance: the world after a frame is the same for any number of threads.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "support/thread_pool.hpp"

namespace {

using kith::entity;
using kith::iter;

struct A {
  int v = 0;
};
struct B {
  int v = 0;
};
struct C {
  int v = 0;
};
struct Sum {
  unsigned long v = 0;
};
struct Weight {
  int v = 0;
};
struct Ping {
  int v = 0;
};
struct Tag {};
struct Mark {};

// A module whose name differs from world to world only by what it makes.
struct extras {
  explicit extras(kith::world& world) {
    world.component<Ping>();
    world.system<A>("Extra").each([](A& a) { a.v += 1; });
  }
};

using dice = std::mt19937;
int roll(dice& d, int sides) { return static_cast<int>(d() % static_cast<unsigned>(sides)); }

#ifdef KITH_SANITIZED
constexpr int worlds = 25;
#else
constexpr int worlds = 150;
#endif

// A world and its systems, by a seed.
struct drawn {
  kith::world world;
  entity Likes = world.entity("Likes"), Owns = world.entity("Owns").add(kith::DontFragment);
  entity Home = world.entity("Home").add(kith::Exclusive);
  std::vector<kith::system> systems;
  bool makes_entities;

  drawn(unsigned seed, bool with_entities, bool with_errors = false)
      : makes_entities(with_entities) {
    dice d(seed);
    world.component<A>();
    world.component<C>();
    if (roll(d, 2)) world.component<B>().add(kith::DontFragment);
    world.component<B>();
    world.component<Tag>();
    world.component<Mark>();
    world.component<Weight>();
    world.add<Sum>();
    const entity base = world.prefab("base").set(B{3});
    // Its copies share a value, so the order of rows matters.
    if (makes_entities) world.prefab().child_of(base).set(A{5});
    std::vector<entity> all;
    const int count = 20 + roll(d, 600);
    for (int i = 0; i < count; ++i) {
      entity e = world.entity();
      if (roll(d, 3)) e.set(A{i});
      if (roll(d, 2)) e.set(B{i % 7});
      if (roll(d, 4) == 0) e.set(C{i});
      if (roll(d, 5) == 0) e.add<Tag>();
      if (roll(d, 9) == 0) e.is_a(base);
      if (!all.empty() && roll(d, 2)) e.add(Likes, all[static_cast<std::size_t>(roll(d, i))]);
      if (!all.empty() && roll(d, 3) == 0) e.add(Owns, all[static_cast<std::size_t>(roll(d, i))]);
      if (!all.empty()) {
        const entity other = all[static_cast<std::size_t>(roll(d, i))];
        if (roll(d, 3) == 0) e.child_of(other);
        if (roll(d, 4) == 0) e.set<Weight>(other, {i % 9});
        if (roll(d, 5) == 0) e.add(Home, other);
      }
      all.push_back(e);
    }
    // What follows from queued changes.
    if (roll(d, 3) == 0)
      world.observer<Tag>().event(kith::OnAdd).each([](entity e, Tag) { e.set(C{1}); });
    if (roll(d, 3) == 0)
      world.observer<const C>().event(kith::OnRemove).each([](entity e, const C& c) {
        if (c.v % 2) e.add<Mark>();
      });
    if (roll(d, 4) == 0)
      world.component<C>().on_set([](entity e, C& c) {
        if (c.v % 5 == 0) e.remove<Mark>();
      });
    if (makes_entities && roll(d, 3) == 0)
      world.observer<const B>().event(kith::OnSet).each([](entity e, const B& b) {
        if (b.v % 50 == 0) e.world().entity().set(C{b.v});
      });
    const int system_count = 3 + roll(d, 10);
    for (int i = 0; i < system_count; ++i) {
      draw_system(d, i);
      if (with_errors && roll(d, 3) == 0) draw_failure(d, i);
    }
  }

  // A system that throws now and then, in the midst of its rows or its changes.
  void draw_failure(dice& d, int number) {
    const std::string name = "f" + std::to_string(number);
    const int k = 1 + roll(d, 5);
    const auto fails = [name, k](kith::world w) {
      if (static_cast<int>(w.frame_count()) % 4 == k % 4) throw std::runtime_error(name);
    };
    const auto place = [&](auto&& s) -> auto& {
      with_place(d, s).multi_threaded(false);
      return s;
    };
    switch (roll(d, 5)) {
      case 0:
        return void(place(world.system<A>(name).queues_nothing()).each([fails](entity e, A& a) {
          if (++a.v % 4 == 0) fails(e.world());
        }));
      case 1:
        return void(place(world.system<const A>(name)).each([fails](entity e, const A& a) {
          e.add<Mark>();
          if (a.v % 4 == 0) fails(e.world());
        }));
      case 2:
        return void(
            place(world.system<const B>(name).write<C>()).each([fails](entity e, const B& b) {
              e.world().entity().set(C{b.v});
              if (b.v % 4 == 0) fails(e.world());
            }));
      case 3:  // it queues what it has not declared
        return void(place(world.system<const B>(name).write<C>()).each([k](entity e, const B& b) {
          e.set(C{b.v});
          if (b.v % 4 == k % 4) e.set(A{b.v});
        }));
      default:
        return void(world.system<const A>(name).immediate().each([fails](entity e, const A& a) {
          const int was = a.v;
          e.add<Mark>();
          if (was % 4 == 0) fails(e.world());
        }));
    }
  }

  template <class Builder>
  std::remove_reference_t<Builder>& with_place(dice& d, Builder&& s) {
    const entity phases[] = {world.entity(kith::PreUpdate), world.entity(kith::OnUpdate),
                             world.entity(kith::PostUpdate)};
    s.kind(phases[roll(d, 3)]);
    if (roll(d, 2)) s.multi_threaded();
    if (!systems.empty() && roll(d, 8) == 0) {
      const kith::system other =
          systems[static_cast<std::size_t>(roll(d, static_cast<int>(systems.size())))];
      if (other.has(kith::DependsOn, kith::OnUpdate)) s.kind(kith::OnUpdate).before(other);
    }
    if (!makes_entities) return s;
    if (roll(d, 10) == 0) s.rate(2);
    if (roll(d, 12) == 0) s.interval(0.2f);
    if (roll(d, 12) == 0) s.run_if([this] { return world.count<Mark>() % 3 != 0; });
    if (roll(d, 12) == 0 && !systems.empty() && systems.back().is_alive())
      s.tick_source(systems.back());
    return s;
  }

  void draw_system(dice& d, int number) {
    const std::string name = "s" + std::to_string(number);
    const int k = 1 + roll(d, 5);
    const auto keep = [&](kith::system s) { systems.push_back(s); };
    switch (roll(d, makes_entities ? 32 : 18)) {
      case 0:
        return keep(with_place(d, world.system<A, const B>(name)).each([k](A& a, const B& b) {
          a.v += b.v * k;
        }));
      case 1:
        return keep(
            with_place(d, world.system<B>(name)).each([k](B& b) { b.v = (b.v * 3 + k) % 1000; }));
      case 2:
        return keep(with_place(d, world.system<C, const A>(name)).each([](C& c, const A& a) {
          c.v ^= a.v;
        }));
      case 3:
        return keep(with_place(d, world.system<const A>(name)).each([k](entity e, const A& a) {
          if ((a.v + k) % 5 == 0) e.add<Tag>();
          if ((a.v + k) % 7 == 0) e.remove<Tag>();
        }));
      case 4:
        return keep(with_place(d, world.system<const A>(name))
                        .template write<C>()
                        .each([k](entity e, const A& a) {
                          if ((a.v + k) % 3 == 0) e.set(C{a.v});
                          if ((a.v + k) % 11 == 0) e.remove<C>();
                        }));
      case 5:
        return keep(with_place(d, world.system<const C>(name))
                        .template write<Mark>()
                        .each([k](entity e, const C& c) {
                          if (c.v % 2 == k % 2)
                            e.add<Mark>();
                          else
                            e.remove<Mark>();
                        }));
      case 6: {
        const entity likes = Likes;
        return keep(with_place(d, world.system<>(name).expr("(Likes, $x), A($x)"))
                        .each([likes, k](iter& it, std::size_t row) {
                          const entity e = it.entity(row), x = it.get_var("x");
                          const A* a = x.try_get<A>();
                          if (a && (a->v + k) % 6 == 0) e.remove(likes, x);
                        }));
      }
      case 7: {
        const entity likes = Likes;
        return keep(
            with_place(d, world.system<A>(name).expr("(Owns, $x), Likes($x, $y)"))
                .write(likes)
                .each([likes, k, keeps_order = makes_entities](iter& it, std::size_t row, A& a) {
                  a.v += k;
                  const auto y = static_cast<int>(it.get_var("y").id() % 1000);
                  if ((keeps_order ? a.v : y + k) % 3 == 0)
                    it.entity(row).add(likes, it.get_var("y"));
                }));
      }
      case 8:
        return keep(with_place(d, world.system<const A>(name))
                        .template order_by<A>([](const A& x, const A& y) { return x.v < y.v; })
                        .each([k](entity e, const A& a) {
                          if ((a.v + k) % 4 == 0) e.set(B{a.v % 100});
                        }));
      case 9:
        return keep(with_place(d, world.system<const A, Sum>(name))
                        .term_at(1)
                        .singleton()
                        .each([k, keeps_order = makes_entities](const A& a, Sum& s) {
                          // The order of rows is no part of what a frame means.
                          const auto added = static_cast<unsigned long>(a.v + k);
                          s.v = keeps_order ? s.v * 31 + added : s.v + added;
                        }));
      case 10:
        return keep(with_place(d, world.system<const A, const B*>(name))
                        .queues_nothing()
                        .each([](iter&, std::size_t, const A&, const B*) {}));
      case 11:
        return keep(world.system<A>(name).immediate().each([k](entity e, A& a) {
          // What is added moves the entity, and with it the value.
          const int now = a.v += k;
          if (now % 9 == 0) e.add<Mark>();
          if (now % 10 == 0) e.remove<Mark>();
        }));
      case 12:
        return keep(with_place(d, world.system<const Sum>(name)).run([k](iter& it) {
          while (it.next())
            for (std::size_t row : it) it.entity(row).set(A{k});
        }));
      case 13: {  // through the hierarchy
        auto s = world.system<A, const A>(name);
        s.term_at(1).parent();
        // Without it the order of rows matters.
        if (roll(d, 2) || !makes_entities) s.term_at(1).cascade();
        return keep(with_place(d, s).each(
            [k](A& a, const A& of_parent) { a.v = (a.v * 3 + of_parent.v + k) % 1000; }));
      }
      case 14: {  // values of pairs
        const entity of = world.component<Weight>();
        return keep(with_place(d, world.system<A>(name).with(of, kith::Wildcard).inout())
                        .each([k, keeps_order = makes_entities](iter& it, std::size_t row, A& a) {
                          Weight& w = it.field<Weight>(1)[row];
                          w.v = (w.v + (keeps_order ? a.v : 0) + k) % 100;
                          a.v += w.v;
                        }));
      }
      case 15: {  // values of the target
        const entity home = Home;
        return keep(with_place(d, world.system<const A>(name).expr("(Home, $x), [inout] B($x)"))
                        .write(home)
                        .each([home, k, keeps_order = makes_entities](iter& it, std::size_t row,
                                                                      const A& a) {
                          B& b = it.field<B>(2)[row];
                          b.v = keeps_order ? (b.v * 7 + a.v) % 1000 : b.v + a.v;
                          if (a.v % 4 == k % 4) it.entity(row).remove(home, kith::Wildcard);
                        }));
      }
      case 16: {  // one target for another
        const entity home = Home, likes = Likes;
        return keep(with_place(d, world.system<>(name).with(likes, kith::Wildcard))
                        .write(home)
                        .each([home](iter& it, std::size_t row) {
                          it.entity(row).add(home, it.pair(0).second());
                        }));
      }
      case 17:  // batches, and what it may read besides
        return keep(with_place(d, world.system<B, const A*>(name).template read<B>())
                        .iter([k](iter& it, B* b, const A*) {
                          for (std::size_t row : it) b[row].v = (b[row].v + k) % 1000;
                        }));
      case 18: {
        std::vector<kith::system> others = systems;
        return keep(with_place(d, world.system(name)).run([others, k](iter& it) {
          if (others.empty()) return;
          const kith::system& other = others[static_cast<std::size_t>(k) % others.size()];
          if (other.is_alive()) it.world().frame_count() % 2 ? other.disable() : other.enable();
        }));
      }
      case 19:
        return keep(with_place(d, world.system<const A>(name))
                        .each([k](iter& it, std::size_t row, const A& a) {
                          if ((a.v + k) % 13 == 0) it.world().entity().set(B{a.v}).add<Tag>();
                          if ((a.v + k) % 17 == 0) it.entity(row).destruct();
                        }));
      case 20:
        return keep(with_place(d, world.system<const B>(name))
                        .template write<C>()
                        .each([k](iter& it, std::size_t, const B& b) {
                          if ((b.v + k) % 8 == 0) it.world().entity().set(C{b.v});
                        }));
      case 21:
        return keep(with_place(d, world.system<const C>(name)).each([](entity e, const C& c) {
          if (c.v % 6 == 0) e.destruct();
        }));
      case 22: {
        const entity owns = Owns;
        return keep(
            with_place(d, world.system<const Tag>(name)).each([owns, k](iter& it, std::size_t row) {
              if ((it.entity(row).id() + static_cast<unsigned>(k)) % 5 == 0)
                it.world().entity().add(owns, it.entity(row)).set(A{k});
            }));
      }
      case 23: {  // systems are deleted, also the one that runs
        std::vector<kith::system> others = systems;
        return keep(with_place(d, world.system(name)).run([others, k](iter& it) {
          const auto frame = static_cast<int>(it.world().frame_count());
          if (frame == 1 + k % 3 && !others.empty())
            others[static_cast<std::size_t>(k) % others.size()].destruct();
          if (frame == 1 + k % 2) it.system().destruct();
        }));
      }
      case 24:  // systems and components begin in the middle of a frame
        return keep(world.system(name).immediate().run([name, k](iter& it) {
          kith::world w = it.world();
          if (w.frame_count() != static_cast<unsigned>(1 + k % 3)) return;
          w.system<B>((name + "_now").c_str()).multi_threaded().each([k](B& b) { b.v += k; });
          w.component({.name = name + "_type", .size = 8, .alignment = 8});
          w.import <extras>();
        }));
      case 25:  // a module goes
        return keep(world.system(name).immediate().run([](iter& it) {
          if (it.world().frame_count() % 2)
            if (entity module = it.world().lookup("extras")) module.destruct();
        }));
      case 26:  // entities are switched off and on
        return keep(with_place(d, world.system<const A>(name).with(kith::Disabled).optional())
                        .each([k](entity e, const A& a) {
                          if ((a.v + k) % 9 == 0) e.disable();
                          if ((a.v + k) % 9 == 1) e.enable();
                        }));
      case 27: {  // instances with children
        const entity base = world.lookup("base");
        return keep(with_place(d, world.system<const C>(name))
                        .each([base, k](iter& it, std::size_t row, const C& c) {
                          if ((c.v + k) % 9 == 0) it.world().entity().is_a(base).set(A{c.v});
                          if ((c.v + k) % 14 == 0) it.entity(row).clone();
                        }));
      }
      case 28: {  // another system, by hand
        const kith::system inner = world.system<const A>((name + "_inner").c_str())
                                       .kind(0)
                                       .each([k](entity e, const A& a) {
                                         if ((a.v + k) % 4 == 0) e.add<Mark>();
                                       });
        return keep(with_place(d, world.system(name)).run([inner](iter&) { inner.run(); }));
      }
      case 29:  // what has changed
        return keep(with_place(d, world.system<const A>(name).detect_changes()).run([k](iter& it) {
          while (it.next()) {
            if (!it.changed()) continue;
            for (std::size_t row : it) it.entity(row).set(C{k});
          }
        }));
      case 30:  // events
        world.observer<A>().event<Ping>().each(
            [](iter& it, std::size_t, A& a) { a.v += it.param<Ping>()->v; });
        return keep(with_place(d, world.system<const A>(name)).each([k](entity e, const A& a) {
          if ((a.v + k) % 6 == 0) e.world().event<Ping>().id<A>().entity(e).ctx(Ping{k}).enqueue();
        }));
      default: {
        return keep(with_place(d, world.system(name)).run([name, k](iter& it) {
          kith::world w = it.world();
          if (w.frame_count() == 2)
            w.system<A>((name + "_late").c_str()).each([k](A& a) { a.v -= k; });
          if (w.frame_count() == 3)
            if (entity late = w.lookup(name + "_late")) late.destruct();
        }));
      }
    }
  }

  // All that there is, with ids, and the order in which queries find it.
  std::string text() {
    std::ostringstream out;
    kith::core::engine& engine = world.engine();
    for (std::uint32_t i = kith::core::first_user_index; i < 20'000; ++i) {
      const kith::entity_t e = engine.alive_at(i);
      if (!e) continue;
      out << e;
      for (kith::id_t id : engine.owned_ids(e)) out << ' ' << id;
      const entity handle = world.entity(e);
      if (const A* a = handle.try_get<A>()) out << " A" << a->v;
      if (const B* b = handle.try_get<B>()) out << " B" << b->v;
      if (const C* c = handle.try_get<C>()) out << " C" << c->v;
      for (entity target : handle.targets(world.component<Weight>()))
        out << " W" << target.id() << '=' << handle.get<Weight>(target)->v;
      out << '\n';
    }
    const Sum* sum = world.get<Sum>();
    out << (sum ? sum->v : 0) << '\n';
    for (const char* q : {"A", "B, ?C", "(Likes, $x), A($x)", "Mark || Tag", "(Owns, *)",
                          "(Home, $x)", "(Weight, *)", "A, A(up)"}) {
      out << q << ':';
      world.filter(q).each([&](entity e) { out << ' ' << e.id(); });
      out << '\n';
    }
    return out.str();
  }
};

// Memory that is taken and kept, so that no two worlds lie at the same addresses.
void disturb_memory() {
  static std::vector<std::unique_ptr<char[]>> kept;
  static dice d(1);
  for (int i = 0; i < 200; ++i)
    kept.push_back(std::make_unique<char[]>(static_cast<std::size_t>(1 + roll(d, 3000))));
  std::shuffle(kept.begin(), kept.end(), d);
  kept.resize(kept.size() / 2);
}

std::string after_frames(unsigned seed, bool with_errors, kith::executor* with) {
  disturb_memory();
  drawn w(seed, true, with_errors);
  w.world.set_executor(with);
  std::string text;
  for (int frame = 0; frame < 4; ++frame) {
    try {
      w.world.progress(0.1f);
    } catch (const std::exception& e) {
      text += e.what() + std::string("\n");
    }
    for (const kith::error& e : w.world.deferred_errors()) text += e.what() + std::string("\n");
    text += w.text();
  }
  w.world.set_executor(nullptr);
  return text;
}

std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream first(a), second(b);
  std::string x, y;
  for (int line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(first, x));
    const bool other = static_cast<bool>(std::getline(second, y));
    if (!more && !other) return "";
    if (!more || !other || x != y)
      return "line " + std::to_string(line) + ": " + x.substr(0, 300) + " / " + y.substr(0, 300);
  }
}

unsigned first_seed() {
  const char* given = std::getenv("KITH_SYSTEMS_SEED");
  return given ? static_cast<unsigned>(std::atoi(given)) : 1;
}

unsigned seed_count() {
  const char* given = std::getenv("KITH_SYSTEMS_WORLDS");
  return given ? static_cast<unsigned>(std::atoi(given)) : worlds;
}

TEST(systems_by_chance, give_the_same_world_in_any_order_of_their_units) {
  for (unsigned seed = first_seed(); seed < first_seed() + seed_count(); ++seed) {
    const std::string alone = after_frames(seed, false, nullptr);
    kith::test::shuffling_executor shuffled(seed);
    ASSERT_EQ("", first_difference(alone, after_frames(seed, false, &shuffled)))
        << "KITH_SYSTEMS_SEED=" << seed;
  }
}

// All that a frame leaves is the same, also where systems throw; but for those whose rows threads
// share, of which some pieces may have run.
TEST(systems_by_chance, that_throw_leave_the_same_world) {
  for (unsigned seed = first_seed(); seed < first_seed() + seed_count(); ++seed) {
    const std::string alone = after_frames(seed, true, nullptr);
    kith::test::shuffling_executor shuffled(seed);
    ASSERT_EQ("", first_difference(alone, after_frames(seed, true, &shuffled)))
        << "KITH_SYSTEMS_SEED=" << seed;
  }
}

TEST(systems_by_chance, give_the_same_world_on_any_number_of_threads) {
  for (unsigned seed = first_seed(); seed < first_seed() + seed_count() / 3 + 1; ++seed) {
    const std::string alone = after_frames(seed, seed % 3 == 0, nullptr);
    for (unsigned threads : {2u, 4u, 8u}) {
      kith::test::thread_pool pool(threads);
      ASSERT_EQ("", first_difference(alone, after_frames(seed, seed % 3 == 0, &pool)))
          << "KITH_SYSTEMS_SEED=" << seed << ", " << threads << " threads";
    }
  }
}

// The facts of the world, without their order.
std::string facts_of(drawn& w) {
  const std::string text = w.text();
  return text.substr(0, text.find("A:"));
}

TEST(systems_by_chance, mean_one_system_after_the_other) {
  for (unsigned seed = first_seed(); seed < first_seed() + seed_count(); ++seed) {
    drawn frames(seed, false), one_by_one(seed, false);
    kith::test::shuffling_executor shuffled(seed);
    frames.world.set_executor(&shuffled);
    for (int frame = 0; frame < 4; ++frame) {
      const kith::schedule order = frames.world.schedule();
      frames.world.progress(0.1f);
      for (const kith::schedule::system& s : order.systems)
        one_by_one.world.system(one_by_one.world.lookup(s.name)).run(0.1f);
      ASSERT_EQ("", first_difference(facts_of(frames), facts_of(one_by_one)))
          << "KITH_SYSTEMS_SEED=" << seed << "\n"
          << order;
    }
    frames.world.set_executor(nullptr);
  }
}

}  // namespace
