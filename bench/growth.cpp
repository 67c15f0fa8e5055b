// How cost grows: each curve is the time for one entity, pair or row while one number grows.
//
//   entities    in one table
//   targets     of one relation, 10 entities each
//   tables      of 10 entities each
//   relations   each with 10 entities, all of one target
//   depth       of one chain of parents
//   pairs       of one entity
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;
using kith::entity;
using std::size_t;

constexpr size_t steps[] = {100, 1000, 10'000, 100'000, 1'000'000};

using movers_query = kith::query<Position, const Velocity>;

size_t move(const movers_query& q) {
  size_t rows = 0;
  q.each([&](Position& p, const Velocity& v) {
    p.x += v.x;
    ++rows;
  });
  return rows;
}

struct growing {
  kith::world w;
  movers_query q = w.query_builder<Position, const Velocity>().cached().build();
  std::vector<entity> list;  // the entities whose number grows
  entity make() { return w.entity(Position{0, 0, 0}, Velocity{1, 1, 1}); }
};

// `visit` returns the number of entities that it met, which must be n times `per_step`. It is
// repeated if one call is too short for the clock.
template <class Fixture, class Visit>
void curve(const std::string& name, size_t most, size_t per_step, Visit visit,
           size_t most_times = 1000) {
  for (const size_t n : steps) {
    if (n > most) continue;
    const size_t times = std::clamp(hundred_thousand / (n * per_step), size_t{1}, most_times);
    const size_t expected = n * per_step * times;
    add<Fixture>(
        "growth_" + name + "/kith/" + std::to_string(n), static_cast<double>(expected),
        [=](Fixture& f, stopwatch& clock) {
          size_t met = 0;
          clock.time([&] {
            for (size_t i = 0; i < times; ++i) met += visit(f);
          });
          return met == expected;
        },
        n);
  }
}

// A curve for building: `build` makes everything in a world; `list` is the result of `before`.
template <class Before, class Build>
void build_curve(const std::string& name, size_t most, size_t per_step, Before before,
                 Build build) {
  for (const size_t n : steps)
    if (n <= most)
      add("growth_" + name + "/kith/" + std::to_string(n), static_cast<double>(n * per_step),
          [=](stopwatch& clock) {
            growing g;
            before(g, n);
            clock.time([&] { build(g, n); });
            return g.w.count<Position>() == n * per_step;
          });
}

struct many_entities : growing {
  explicit many_entities(size_t n) {
    for (size_t i = 0; i < n; ++i) list.push_back(make());
  }
};

void entities() {
  curve<many_entities>("entities_iterate", 1'000'000, 1, [](auto& f) { return move(f.q); });
  curve<many_entities>("entities_get", 1'000'000, 1, [](auto& f) {
    size_t sum = 0;
    for (const entity e : f.list) sum += static_cast<size_t>(e.get<Velocity>()->x);
    return sum;
  });
  build_curve(
      "entities_create", 1'000'000, 1, [](growing&, size_t) {},
      [](growing& g, size_t n) {
        for (size_t i = 0; i < n; ++i) g.make();
      });
}

// Ten entities with (R, t) for each of n targets t.
struct many_targets : growing {
  explicit many_targets(size_t n, kith::entity_t pinned = 0) : R(w.entity()) {
    if (pinned) R.add(pinned);
    for (size_t i = 0; i < n; ++i) list.push_back(w.entity());
    for (size_t i = 0; i < n * 10; ++i) make().add(R, list[i / 10]);
    of_target = w.query_builder().with(R, kith::param).build();
    for (int times = 0; times < 3; ++times) of_target.args(list[0]).count();
  }
  entity R;
  kith::query<> of_target;
};
struct many_tables : many_targets {
  explicit many_tables(size_t n) : many_targets(n, kith::Fragment) {}
};

size_t look_up(many_targets& f) {
  size_t rows = 0;
  for (const entity t : f.list) f.of_target.each(t, [&](entity) { ++rows; });
  return rows;
}

void targets() {
  const auto iterate = [](auto& f) { return move(f.q); };
  const auto list = [](growing& g, size_t n) {
    for (size_t i = 0; i <= n; ++i) g.list.push_back(g.w.entity());
  };
  // The last entity of the list is the relation.
  const auto build = [](growing& g, size_t n) {
    for (size_t i = 0; i < n * 10; ++i) g.make().add(g.list.back(), g.list[i / 10]);
  };
  const auto pinned_list = [=](growing& g, size_t n) {
    list(g, n);
    g.list.back().add(kith::Fragment);
  };
  curve<many_targets>("targets_iterate", 100'000, 10, iterate);
  curve<many_targets>("targets_lookup", 100'000, 10, look_up);
  build_curve("targets_create", 100'000, 10, list, build);
  curve<many_tables>("tables_iterate", 100'000, 10, iterate);
  curve<many_tables>("tables_lookup", 100'000, 10, look_up);
  build_curve("tables_create", 100'000, 10, pinned_list, build);
  // One entity for each target, up to a million.
  for (const size_t n : steps)
    add("growth_targets_of_one_entity_each/kith/" + std::to_string(n), static_cast<double>(n),
        [=](stopwatch& clock) {
          growing g;
          list(g, n);
          clock.time([&] {
            for (size_t i = 0; i < n; ++i) g.w.entity().add(g.list.back(), g.list[i]);
          });
          return g.w.count(g.list.back(), kith::Wildcard) == n;
        });
}

struct many_relations : growing {
  explicit many_relations(size_t n) : target(w.entity()) {
    for (size_t i = 0; i < n; ++i) list.push_back(w.entity());
    for (size_t i = 0; i < n * 10; ++i) make().add(list[i / 10], target);
    all = w.query_builder().with(kith::Wildcard, target).cached().build();
  }
  entity target;
  kith::query<> all;
};

void relations() {
  curve<many_relations>("relations_iterate", 100'000, 10, [](auto& f) { return move(f.q); });
  curve<many_relations>("relations_any", 100'000, 10, [](auto& f) { return f.all.count(); });
  build_curve(
      "relations_create", 100'000, 10,
      [](growing& g, size_t n) {
        for (size_t i = 0; i <= n; ++i) g.list.push_back(g.w.entity());
      },
      [](growing& g, size_t n) {
        for (size_t i = 0; i < n * 10; ++i) g.make().add(g.list[i / 10], g.list.back());
      });
}

struct deep_chain : growing {
  explicit deep_chain(size_t n) {
    for (size_t i = 0; i < n; ++i) {
      list.push_back(make());
      if (i) list[i].child_of(list[i - 1]);
    }
  }
};

struct cascade_chain : deep_chain {
  explicit cascade_chain(size_t n) : deep_chain(n) {
    cascade = w.query_builder<Position, const Position*>()
                  .term_at(1)
                  .cascade(kith::ChildOf)
                  .cached()
                  .build();
    cascade.count();
  }
  kith::query<Position, const Position*> cascade;
};

void depth() {
  curve<cascade_chain>("depth_cascade", 1'000'000, 1, [](auto& f) {
    size_t rows = 0;
    f.cascade.each([&](Position& p, const Position* parent) {
      p.y = parent ? parent->x : 0;
      ++rows;
    });
    return rows;
  });
  curve<cascade_chain>(
      "depth_cascade_anew", 1'000'000, 1,
      [](auto& f) {
        return f.w.template query_builder<Position, const Position*>()
            .term_at(1)
            .cascade(kith::ChildOf)
            .build()
            .count();
      },
      1);
  build_curve(
      "depth_create", 1'000'000, 1, [](growing&, size_t) {},
      [](growing& g, size_t n) {
        entity last;
        for (size_t i = 0; i < n; ++i) {
          const entity e = g.make();
          if (last) e.child_of(last);
          last = e;
        }
      });
  for (const size_t n : steps)
    add("growth_depth_delete/kith/" + std::to_string(n), static_cast<double>(n),
        [=](stopwatch& clock) {
          deep_chain chain(n);
          clock.time([&] { chain.list[0].destruct(); });
          return chain.w.count<Position>() == 0;
        });
}

// One entity with n pairs.
struct many_pairs : growing {
  explicit many_pairs(size_t n) : R(w.entity()), owner(w.entity()) {
    for (size_t i = 0; i < n; ++i) list.push_back(w.entity());
    for (const entity t : list) owner.add(R, t);
  }
  entity R, owner;
};

void pairs() {
  curve<many_pairs>("pairs_has", 1'000'000, 1, [](auto& f) {
    size_t there = 0;
    for (const entity t : f.list) there += f.owner.has(f.R, t);
    return there;
  });
  curve<many_pairs>("pairs_targets", 1'000'000, 1, [](auto& f) {
    size_t there = 0;
    f.owner.each(f.R, [&](entity) { ++there; });
    return there;
  });
  curve<many_pairs>("pairs_remove_add", 1'000'000, 1, [](auto& f) {
    for (const entity t : f.list) f.owner.remove(f.R, t).add(f.R, t);
    return f.owner.has(f.R, f.list.back()) ? f.list.size() : 0;
  });
}

}  // namespace

void bench::register_rows() {
  entities();
  targets();
  relations();
  depth();
  pairs();
}
