// Frames when memory ends: the frame ends with an error, the world is sound, and the next one runs.
#include <cstdlib>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

#include "memory/failing_memory.hpp"
#include "support/thread_pool.hpp"

namespace {

using kith::entity;
using kith::test::allow_memory;
using kith::test::fail_memory;
using kith::test::failing;

struct A {
  int v;
};
struct B {
  int v;
};
struct C {
  int v;
};

// Systems of every kind, and an observer that queues changes.
struct busy_world {
  kith::world world;
  kith::test::shuffling_executor executor{1};

  busy_world() {
    world.component<B>();
    world.component<C>();
    for (int i = 0; i < 100; ++i) world.entity().set(A{i});
    world.observer<C>().event(kith::OnAdd).each([](entity e, C&) { e.set(B{-1}); });
    world.system<A>("spawn").multi_threaded().write<B>().each([](entity e, A& a) {
      ++a.v;
      e.set(B{a.v});
      if (a.v % 10 == 0) e.world().entity().set(B{1});
    });
    world.system<const A>("mark").each([](entity e, const A& a) {
      if (a.v % 2)
        e.set(C{1});
      else
        e.remove<B>();
    });
    world.system<A>("at once").immediate().each([](entity e, A& a) {
      if (a.v % 7 == 0) e.set(C{a.v});
    });
    world.system<const B, const A>("sorted")
        .kind(kith::PostUpdate)
        .order_by<B>([](const B& x, const B& y) { return x.v < y.v; })
        .each([](const B&, const A&) {});
    world.set_executor(&executor);
    world.progress(1);
  }
  // Queries and lookups must agree about all entities.
  std::string disagreement() {
    std::size_t with_a = 0, with_b = 0;
    world.query<const A>().each([&](entity e, const A&) { with_a += e.has<A>(); });
    world.query<const B>().each([&](entity e, const B&) { with_b += e.has<B>(); });
    const auto same = [](std::size_t found, std::size_t counted) {
      return std::to_string(found) + " rows and " + std::to_string(counted) + " entities; ";
    };
    if (with_a == world.count<A>() && with_b == world.count<B>()) return "";
    return "A: " + same(with_a, world.count<A>()) + "B: " + same(with_b, world.count<B>());
  }
};

TEST(memory_of_frames, that_ends_ends_the_frame_alone) {
  const long step = std::getenv("KITH_MEMORY_ALL") ? 1 : 17;
  for (long n = 0;; n += step) {
    busy_world w;
    bool threw = false;
    fail_memory(n, failing::once);
    try {
      w.world.progress(1);
      w.world.system<const B>("late").each([](const B&) {});
      w.world.progress(1);
    } catch (const std::bad_alloc&) {
      threw = true;
    } catch (const kith::error&) {
      // A queued change names an entity that could not begin.
      threw = true;
    }
    const bool failed = allow_memory();
    w.world.deferred_errors();
    ASSERT_EQ(w.disagreement(), "") << "n=" << n;
    ASSERT_NO_THROW(w.world.progress(1)) << "n=" << n << (threw ? ", threw" : "");
    ASSERT_EQ(w.disagreement(), "") << "n=" << n;
    if (!failed) return;
  }
}

}  // namespace
