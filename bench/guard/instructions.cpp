// Small workloads. `scripts/instructions` counts their instructions and compares them with
// bench/guard/baseline.json.
//
//     kith_instructions                   lists the workloads and the compiler
//     kith_instructions add_remove_pair   runs one; callgrind counts what is between the marks
//
// A workload prepares a world and returns the function to count, which returns whether its result
// is right. Each workload runs in a process of its own, so that its memory does not depend on
// others.
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <valgrind/callgrind.h>

#include <kith/kith.hpp>

#include "support/data.hpp"

namespace {

using namespace bench;
using kith::entity;

using counted = std::function<bool()>;

constexpr std::size_t many = 1000;

struct setting {
  kith::world w;
  std::vector<entity> list, targets;
  entity R = w.entity(), S = w.entity();

  entity mover(std::size_t i = 0) {
    return w.entity().set(Position{small(i), 0, 0}).set(Velocity{1, 1, 1});
  }
  void movers(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) list.push_back(mover(i));
  }
  void add_targets(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) targets.push_back(w.entity());
  }
};
using shared_setting = std::shared_ptr<setting>;

shared_setting with_movers() {
  auto s = std::make_shared<setting>();
  s->movers(many);
  // Registers these types before the count begins.
  s->w.component<Mass>();
  s->w.component<Marked>();
  return s;
}

shared_setting with_pairs(std::size_t targets, std::size_t each) {
  auto s = with_movers();
  s->add_targets(targets);
  for (std::size_t i = 0; i < many; ++i)
    for (std::size_t k = 0; k < each; ++k) s->list[i].add(s->R, s->targets[(i * 7 + k) % targets]);
  return s;
}

counted create_three_components() {
  auto s = with_movers();
  return [s] {
    for (std::size_t i = 0; i < many; ++i) s->mover(i).set(Mass{1});
    return s->w.count<Mass>() == many;
  };
}

counted add_remove_tag() {
  auto s = with_movers();
  return [s] {
    for (const entity e : s->list) e.add<Marked>();
    const bool all = s->w.count<Marked>() == many;
    for (const entity e : s->list) e.remove<Marked>();
    return all && s->w.count<Marked>() == 0;
  };
}

counted add_remove_pair() {
  auto s = with_movers();
  s->add_targets(100);
  s->R.add(kith::DontFragment);
  return [s] {
    for (std::size_t i = 0; i < many; ++i) s->list[i].add(s->R, s->targets[i % 100]);
    const bool all = s->w.count(s->R, kith::Wildcard) == many;
    for (std::size_t i = 0; i < many; ++i) s->list[i].remove(s->R, s->targets[i % 100]);
    return all && s->w.count(s->R, kith::Wildcard) == 0;
  };
}

counted get_and_has() {
  auto s = with_pairs(100, 1);
  return [s] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < many; ++i)
      sum += static_cast<std::size_t>(s->list[i].get<Velocity>()->x) +
             s->list[i].has(s->R, s->targets[i * 7 % 100]);
    return sum == 2 * many;
  };
}

counted destroy() {
  auto s = with_pairs(100, 2);
  return [s] {
    for (const entity e : s->list) e.destruct();
    return s->w.count<Position>() == 0;
  };
}

counted iterate_many_tables() {
  auto s = std::make_shared<setting>();
  s->add_targets(100);
  s->R.add(kith::Fragment);
  for (std::size_t i = 0; i < many; ++i) s->mover().add(s->R, s->targets[i % 100]);
  auto q = s->w.query_builder<Position, const Velocity>().cached().build();
  q.count();
  return [s, q] {
    std::size_t rows = 0;
    for (int times = 0; times < 10; ++times)
      q.each([&](Position& p, const Velocity& v) {
        p.x += v.x;
        ++rows;
      });
    return rows == 10 * many;
  };
}

counted new_query() {
  auto s = with_movers();
  return [s] {
    std::size_t rows = 0;
    for (int times = 0; times < 20; ++times)
      s->w.query<const Position, const Velocity>().each(
          [&](const Position&, const Velocity&) { ++rows; });
    return rows == 20 * many;
  };
}

counted any_target() {
  auto s = with_pairs(100, 3);
  auto q = s->w.filter_builder().with(s->R, kith::Wildcard).build();
  q.count();
  return [s, q] {
    std::size_t rows = 0;
    q.run([&](kith::iter& it) {
      while (it.next()) rows += it.pair(0).second() ? it.count() : 0;
    });
    return rows == 3 * many;
  };
}

counted lookup() {
  auto s = with_pairs(100, 1);
  auto q = s->w.query_builder<const Position>().with(s->R, kith::param).build();
  for (int times = 0; times < 3; ++times) q.args(s->targets[0]).count();
  return [s, q] {
    std::size_t rows = 0;
    for (const entity t : s->targets) q.each(t, [&](const Position&) { ++rows; });
    return rows == many;
  };
}

counted join() {
  auto s = with_pairs(20, 3);
  for (std::size_t i = 0; i < many; ++i) s->list[i].add(s->S, s->targets[i * 7 % 20]);
  auto q = s->w.filter_builder().with(s->R, "$x").with(s->S, "$x").build();
  q.count();
  return [s, q] { return q.count() == many; };
}

counted triangles() {
  auto s = std::make_shared<setting>();
  s->add_targets(200);
  const adjacency edges = random_graph(200, 1000, 18);
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (const std::size_t x : edges[i]) s->targets[i].add(s->R, s->targets[x]);
  auto q = s->w.filter_builder()
               .with(s->R, "$y")
               .with(s->R, "$z")
               .src("$y")
               .with(s->R, "$this")
               .src("$z")
               .build();
  const std::size_t expected = q.count();
  return [s, q, expected] { return expected % 3 == 0 && q.count() == expected; };
}

counted transitive() {
  auto s = std::make_shared<setting>();
  s->R.add(kith::Transitive);
  s->targets = {s->w.entity()};
  for (std::size_t i = 1; i < many; ++i)
    s->targets.push_back(s->w.entity().add(s->R, s->targets[(i - 1) / 10]));
  auto q = s->w.filter_builder().with(s->R, s->targets[0]).build();
  q.count();
  return [s, q] { return q.count() == many - 1; };
}

counted cascade() {
  auto s = std::make_shared<setting>();
  for (std::size_t i = 0; i < many; ++i) {
    s->list.push_back(s->mover());
    if (i) s->list[i].child_of(s->list[(i - 1) / 10]);
  }
  auto q = s->w.query_builder<Position, const Position*>()
               .term_at(1)
               .cascade(kith::ChildOf)
               .cached()
               .build();
  q.count();
  return [s, q] {
    std::size_t rows = 0;
    q.each([&](Position& p, const Position* parent) {
      p.x = parent ? parent->x + 1 : 0;
      ++rows;
    });
    return rows == many && s->list.back().get<Position>()->x == 3;
  };
}

counted sorted_after_a_set() {
  auto s = with_movers();
  auto q = s->w.query_builder<const Position>()
               .order_by<Position>([](const Position& a, const Position& b) { return a.x < b.x; })
               .build();
  q.count();
  q.count();
  return [s, q] {
    std::size_t rows = 0;
    for (int times = 0; times < 10; ++times) {
      s->list[77].set(Position{static_cast<float>(times), 0, 0});
      float last = -1;
      q.each([&](const Position& p) {
        rows += p.x >= last;
        last = p.x;
      });
    }
    return rows == 10 * many;
  };
}

counted instantiate_with_children() {
  auto s = with_movers();
  s->R.add(kith::Prefab).set(Position{1, 0, 0});
  for (int i = 0; i < 3; ++i) s->w.prefab().child_of(s->R).set(Velocity{1, 1, 1});
  return [s] {
    for (std::size_t i = 0; i < 100; ++i) s->w.entity().is_a(s->R);
    return s->w.count(kith::ChildOf, kith::Wildcard) >= 300;
  };
}

counted delete_parents() {
  auto s = std::make_shared<setting>();
  for (std::size_t i = 0; i < many; ++i) {
    if (i % 50 == 0) s->targets.push_back(s->w.entity());
    s->mover().child_of(s->targets.back());
  }
  return [s] {
    for (const entity e : s->targets) e.destruct();
    return s->w.count<Position>() == 0;
  };
}

counted deferred_changes() {
  auto s = with_movers();
  return [s] {
    s->w.defer([&] {
      for (const entity e : s->list) e.add<Marked>().set(Mass{1});
    });
    return s->w.count<Marked>() == many && s->w.count<Mass>() == many;
  };
}

// Adds and removes a component of which an observer with plain terms is told.
counted observed_changes() {
  auto s = with_movers();
  auto told = std::make_shared<std::size_t>(0);
  s->w.observer<Mass>().event(kith::OnAdd).event(kith::OnRemove).each([told](Mass&) { ++*told; });
  return [s, told] {
    for (const entity e : s->list) e.add<Mass>();
    for (const entity e : s->list) e.remove<Mass>();
    return *told == 2 * many;
  };
}

// The same, of which none of a thousand observers is told.
counted unobserved_changes() {
  auto s = with_movers();
  for (int i = 0; i < 1000; ++i)
    s->w.observer<>().with(s->w.entity()).event(kith::OnAdd).event(kith::OnRemove).each([](entity) {
    });
  return [s] {
    for (const entity e : s->list) e.add<Mass>();
    const bool all = s->w.count<Mass>() == many;
    for (const entity e : s->list) e.remove<Mass>();
    return all && s->w.count<Mass>() == 0;
  };
}

// A pair comes and goes of which an observer of a join is told.
counted observed_join() {
  auto s = with_pairs(100, 1);
  for (std::size_t i = 0; i < 100; i += 2) s->targets[i].add<Marked>();
  auto told = std::make_shared<std::size_t>(0);
  s->w.observer<>()
      .with(s->R, "$x")
      .with<Marked>()
      .src("$x")
      .event(kith::OnAdd)
      .event(kith::OnRemove)
      .each([told](entity) { ++*told; });
  return [s, told] {
    constexpr std::size_t few = many / 20;
    for (std::size_t i = 0; i < few; ++i) s->list[i].remove(s->R, s->targets[i * 7 % 100]);
    for (std::size_t i = 0; i < few; ++i) s->list[i].add(s->R, s->targets[i * 7 % 100]);
    return *told == few;
  };
}

counted start_and_stop() {
  return [] { return kith::world().entity().is_alive(); };
}

struct workload {
  const char* name;
  counted (*prepare)();
};

constexpr workload workloads[] = {
    {"create_three_components", create_three_components},
    {"add_remove_tag", add_remove_tag},
    {"add_remove_pair", add_remove_pair},
    {"get_and_has", get_and_has},
    {"destroy", destroy},
    {"iterate_many_tables", iterate_many_tables},
    {"new_query", new_query},
    {"any_target", any_target},
    {"lookup", lookup},
    {"join", join},
    {"triangles", triangles},
    {"transitive", transitive},
    {"cascade", cascade},
    {"sorted_after_a_set", sorted_after_a_set},
    {"instantiate_with_children", instantiate_with_children},
    {"delete_parents", delete_parents},
    {"deferred_changes", deferred_changes},
    {"observed_changes", observed_changes},
    {"unobserved_changes", unobserved_changes},
    {"observed_join", observed_join},
    {"start_and_stop", start_and_stop},
};

#ifdef __clang__
constexpr const char* compiler = "clang";
constexpr int compiler_version = __clang_major__;
#else
constexpr const char* compiler = "gcc";
constexpr int compiler_version = __GNUC__;
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("compiler %s %d\n", compiler, compiler_version);
    for (const workload& w : workloads) std::printf("workload %s\n", w.name);
    return 0;
  }
  for (const workload& w : workloads) {
    if (std::strcmp(w.name, argv[1]) != 0) continue;
    const counted run = w.prepare();
    CALLGRIND_START_INSTRUMENTATION;
    const bool right = run();
    CALLGRIND_STOP_INSTRUMENTATION;
    if (!right) std::fprintf(stderr, "%s: the result is wrong\n", w.name);
    return right ? 0 : 1;
  }
  std::fprintf(stderr, "there is no workload '%s'\n", argv[1]);
  return 64;
}
