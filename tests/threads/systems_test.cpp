// Frames by chance: the world after a frame is the same for any number of threads.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
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
struct Tag {};
struct Mark {};

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
  std::vector<kith::system> systems;
  bool makes_entities;

  drawn(unsigned seed, bool with_entities) : makes_entities(with_entities) {
    dice d(seed);
    world.component<A>();
    world.component<C>();
    if (roll(d, 2)) world.component<B>().add(kith::DontFragment);
    world.component<B>();
    world.component<Tag>();
    world.component<Mark>();
    world.add<Sum>();
    const entity base = world.prefab("base").set(B{3});
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
      all.push_back(e);
    }
    const int system_count = 3 + roll(d, 10);
    for (int i = 0; i < system_count; ++i) draw_system(d, i);
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
    if (roll(d, 10) == 0 && makes_entities) s.rate(2);
    return s;
  }

  void draw_system(dice& d, int number) {
    const std::string name = "s" + std::to_string(number);
    const int k = 1 + roll(d, 5);
    const auto keep = [&](kith::system s) { systems.push_back(s); };
    switch (roll(d, makes_entities ? 19 : 13)) {
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
        return keep(with_place(d, world.system<A>(name).expr("(Owns, $x), Likes($x, $y)"))
                        .write(likes)
                        .each([likes, k](iter& it, std::size_t row, A& a) {
                          a.v += k;
                          if (a.v % 3 == 0) it.entity(row).add(likes, it.get_var("y"));
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
      case 13: {
        std::vector<kith::system> others = systems;
        return keep(with_place(d, world.system(name)).run([others, k](iter& it) {
          if (others.empty()) return;
          const kith::system& other = others[static_cast<std::size_t>(k) % others.size()];
          if (other.is_alive()) it.world().frame_count() % 2 ? other.disable() : other.enable();
        }));
      }
      case 14:
        return keep(with_place(d, world.system<const A>(name))
                        .each([k](iter& it, std::size_t row, const A& a) {
                          if ((a.v + k) % 13 == 0) it.world().entity().set(B{a.v}).add<Tag>();
                          if ((a.v + k) % 17 == 0) it.entity(row).destruct();
                        }));
      case 15:
        return keep(with_place(d, world.system<const B>(name))
                        .template write<C>()
                        .each([k](iter& it, std::size_t, const B& b) {
                          if ((b.v + k) % 8 == 0) it.world().entity().set(C{b.v});
                        }));
      case 16:
        return keep(with_place(d, world.system<const C>(name)).each([](entity e, const C& c) {
          if (c.v % 6 == 0) e.destruct();
        }));
      case 17: {
        const entity owns = Owns;
        return keep(
            with_place(d, world.system<const Tag>(name)).each([owns, k](iter& it, std::size_t row) {
              if ((it.entity(row).id() + static_cast<unsigned>(k)) % 5 == 0)
                it.world().entity().add(owns, it.entity(row)).set(A{k});
            }));
      }
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
      out << '\n';
    }
    const Sum* sum = world.get<Sum>();
    out << (sum ? sum->v : 0) << '\n';
    for (const char* q : {"A", "B, ?C", "(Likes, $x), A($x)", "Mark || Tag", "(Owns, *)"}) {
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

std::string after_frames(unsigned seed, bool with_entities, kith::executor* with) {
  disturb_memory();
  drawn w(seed, with_entities);
  w.world.set_executor(with);
  std::string text;
  for (int frame = 0; frame < 4; ++frame) {
    w.world.progress(0.1f);
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
    const std::string alone = after_frames(seed, true, nullptr);
    kith::test::shuffling_executor shuffled(seed);
    ASSERT_EQ("", first_difference(alone, after_frames(seed, true, &shuffled)))
        << "KITH_SYSTEMS_SEED=" << seed;
  }
}

TEST(systems_by_chance, give_the_same_world_on_any_number_of_threads) {
  for (unsigned seed = first_seed(); seed < first_seed() + seed_count() / 3 + 1; ++seed) {
    const std::string alone = after_frames(seed, true, nullptr);
    for (unsigned threads : {2u, 4u, 8u}) {
      kith::test::thread_pool pool(threads);
      ASSERT_EQ("", first_difference(alone, after_frames(seed, true, &pool)))
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
