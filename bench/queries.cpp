// Rows 14 to 19: new queries, wildcards, lookups by target, joins, transitive relations.
#include "support/by_hand.hpp"
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;

struct Likes {};
struct Colleague {};
struct OnTeam {};
struct InVehicle {};
struct LocatedIn {};
struct Person {};

template <class L, class R>
typename L::entity relation(typename L::world& w, const pin& where) {
  typename L::entity r = w.template component<R>();
  if (where.trait) r.add(where.trait);
  return r;
}

template <class Query>
std::size_t count_batches(Query&& q) {
  std::size_t n = 0;
  q.run([&](auto& it) {
    while (it.next()) n += it.count();
  });
  return n;
}

// --- 14: four tables with ten entities each ---

template <class L>
struct four_tables {
  four_tables() {
    register_types<L>(w);
    for (std::size_t i = 0; i < 40; ++i) {
      auto e = w.entity().set(Position{1, 0, 0}).set(Velocity{1, 1, 1});
      if (i & 1) e.template add<Marked>();
      if (i & 2) e.template add<Person>();
    }
  }
  typename L::world w;
};

template <class L>
void new_query() {
  constexpr int times = 1000;
  add<four_tables<L>>("row14_new_query/" + L::name(), times, [](auto& f, stopwatch& clock) {
    std::size_t sum = 0;
    clock.time([&] {
      for (int n = 0; n < times; ++n) {
        auto q = f.w.template query<const Position, const Velocity>();
        q.each([&](const Position& p, const Velocity&) { sum += static_cast<std::size_t>(p.x); });
      }
    });
    return sum == 40 * times;
  });
}

// --- 15: one to five of 1,000 targets for each of 100,000 entities ---

const adjacency& likings() {
  static const adjacency data = several_each(hundred_thousand, 1000, 1, 5, 15);
  return data;
}

template <class L>
struct admirers {
  explicit admirers(const pin& where) {
    likes = relation<L, Likes>(w, where);
    const auto whom = create<L>(w, 1000);
    for (const auto& list : likings()) {
      auto e = w.entity().set(Position{1, 0, 0});
      for (const std::size_t x : list) {
        e.add(likes, whom[x]);
        expected += whom[x].id();
      }
    }
  }
  template <class Query>
  bool run(Query& q, stopwatch& clock) {
    std::uint64_t sum = 0;
    clock.time([&] {
      q.run([&](typename L::iter& it) {
        while (it.next()) sum += it.pair(0).second().id() * it.count();
      });
    });
    return sum == expected;
  }
  typename L::world w;
  typename L::entity likes;
  std::uint64_t expected = 0;
};

template <class L>
void wildcard(const pin& where) {
  const std::string who = "/" + L::name() + where.suffix;
  const auto pairs = static_cast<double>(edges_of(likings()));
  struct uncached : admirers<L> {
    explicit uncached(const pin& p) : admirers<L>(p) {}
    decltype(admirers<L>::w.query_builder().build()) q = [this] {
      auto b = this->w.query_builder();
      if constexpr (std::is_same_v<L, kith_library>) b.cache_kind(kith::cache_kind::never);
      return b.with(this->likes, L::Wildcard).build();
    }();
  };
  struct cached : admirers<L> {
    explicit cached(const pin& p) : admirers<L>(p) {}
    decltype(admirers<L>::w.query_builder().build()) q =
        this->w.query_builder().with(this->likes, L::Wildcard).cached().build();
  };
  const auto run = [](auto& f, stopwatch& clock) { return f.run(f.q, clock); };
  add<uncached>("row15_any_target_uncached" + who, pairs, run, where);
  add<cached>("row15_any_target_cached" + who, pairs, run, where);
}

void wildcard_by_hand() {
  struct lists {
    by_hand::sparse_set<std::vector<by_hand::number>> likes;
    std::uint64_t expected = 0;
    lists() {
      for (by_hand::number e = 0; e < likings().size(); ++e) {
        likes.set(e, {likings()[e].begin(), likings()[e].end()});
        for (const std::size_t x : likings()[e]) expected += x;
      }
    }
  };
  add<lists>("row15_any_target_uncached/hand", static_cast<double>(edges_of(likings())),
             [](lists& f, stopwatch& clock) {
               std::uint64_t sum = 0;
               clock.time([&] {
                 for (const auto& list : f.likes.values())
                   for (const auto x : list) sum += x;
               });
               return sum == f.expected;
             });
}

// --- 16: about 100 of 100,000 entities are on a team ---

constexpr std::size_t teams = 1000, vehicles = 5000, lookups = 1000;

// The team and vehicle of each entity, the lookups, and the number of rows that they find.
struct places {
  std::vector<std::size_t> team = one_each(hundred_thousand, teams, 16);
  std::vector<std::size_t> vehicle = one_each(hundred_thousand, vehicles, 17);
  std::vector<std::pair<std::size_t, std::size_t>> asked;
  std::size_t rows = 0;
  places() {
    for (std::size_t i = 0; i < lookups; ++i) asked.emplace_back(team[i * 97], vehicle[i * 97]);
    for (const auto& [t, v] : asked)
      for (std::size_t k = 0; k < hundred_thousand; ++k) rows += team[k] == t && vehicle[k] == v;
  }
};
const places& the_places() {
  static const places data;
  return data;
}

template <class L>
struct league {
  explicit league(const pin& where) {
    register_types<L>(w);
    on = relation<L, OnTeam>(w, where);
    in = relation<L, InVehicle>(w, where);
    team = create<L>(w, teams);
    vehicle = create<L>(w, vehicles);
  }
  // Adds positions and, with `driving`, vehicles.
  void fill(bool driving) {
    const places& p = the_places();
    for (std::size_t i = 0; i < hundred_thousand; ++i) {
      auto e = w.entity().set(Position{small(i), 0, 0}).add(on, team[p.team[i]]);
      if (driving) e.add(in, vehicle[p.vehicle[i]]);
      ids += e.id();
    }
  }
  typename L::world w;
  typename L::entity on, in;
  std::vector<typename L::entity> team, vehicle;
  std::uint64_t ids = 0;  // the sum of all ids
};

// kith makes an index at the second question; flecs and the code by hand have theirs from the
// start.
template <class L>
struct by_team : league<L> {
  explicit by_team(const pin& where) : league<L>(where) {
    this->fill(false);
    for (int times = 0; times < 3; ++times)
      L::bind(q, this->team[0]).each([](typename L::entity) {});
  }
  decltype(league<L>::w.query_builder().build()) q =
      this->w.query_builder().with(this->on, L::parameter("$t")).build();
};

template <class L>
struct by_team_first : league<L> {
  explicit by_team_first(const pin& where) : league<L>(where) {
    this->fill(false);
    for (int times = 0; times < 3; ++times) run(this->team[0]);
  }
  std::size_t run(typename L::entity t) {
    std::size_t sum = 0;
    L::bind(q, t).run([&](typename L::iter& it) {
      while (it.next()) {
        auto p = it.template field<const Position>(1);
        for (auto i : it) sum += static_cast<std::size_t>(p[i].x);
      }
    });
    return sum;
  }
  decltype(league<L>::w.query_builder().build()) q = this->w.query_builder()
                                                         .with(this->on, L::parameter("$t"))
                                                         .template with<Position>()
                                                         .in()
                                                         .build();
};

template <class L>
struct by_team_last : league<L> {
  explicit by_team_last(const pin& where) : league<L>(where) {
    this->fill(false);
    for (int times = 0; times < 3; ++times) run(this->team[0]);
  }
  std::size_t run(typename L::entity t) {
    std::size_t sum = 0;
    L::bind(q, t).each([&](const Position& p) { sum += static_cast<std::size_t>(p.x); });
    return sum;
  }
  decltype(league<L>::w.template query_builder<const Position>().build()) q =
      this->w.template query_builder<const Position>().with(this->on, L::parameter("$t")).build();
};

template <class L>
struct by_team_and_vehicle : league<L> {
  explicit by_team_and_vehicle(const pin& where) : league<L>(where) {
    this->fill(true);
    for (int times = 0; times < 3; ++times)
      L::bind(q, this->team[0], this->vehicle[0]).each([](typename L::entity) {});
  }
  decltype(league<L>::w.query_builder().build()) q = this->w.query_builder()
                                                         .with(this->on, L::parameter("$t"))
                                                         .with(this->in, L::parameter("$v"))
                                                         .build();
};

template <class L>
void lookup(const pin& where) {
  const std::string who = "/" + L::name() + where.suffix;
  add<by_team<L>>(
      "row16_by_team" + who, teams,
      [](auto& f, stopwatch& clock) {
        std::uint64_t sum = 0;
        clock.time([&] {
          for (auto& t : f.team) L::bind(f.q, t).each([&](typename L::entity e) { sum += e.id(); });
        });
        return sum == f.ids;
      },
      where);
  const auto positions = [](auto& f, stopwatch& clock) {
    std::size_t sum = 0;
    clock.time([&] {
      for (auto& t : f.team) sum += f.run(t);
    });
    return sum == sum_of_small(hundred_thousand);
  };
  add<by_team_first<L>>("row16_by_team_then_position" + who, teams, positions, where);
  add<by_team_last<L>>("row16_position_then_by_team" + who, teams, positions, where);
  add<by_team_and_vehicle<L>>(
      "row16b_by_team_and_vehicle" + who, lookups,
      [](auto& f, stopwatch& clock) {
        std::size_t n = 0;
        clock.time([&] {
          for (const auto& [t, v] : the_places().asked)
            L::bind(f.q, f.team[t], f.vehicle[v]).each([&](typename L::entity) { ++n; });
        });
        return n == the_places().rows;
      },
      where);
}

struct league_by_hand {
  league_by_hand() {
    for (by_hand::number e = 0; e < hundred_thousand; ++e) {
      positions.set(e, {small(e), 0, 0});
      on.add(e, static_cast<by_hand::number>(the_places().team[e]));
      in.add(e, static_cast<by_hand::number>(the_places().vehicle[e]));
    }
  }
  by_hand::sparse_set<Position> positions;
  by_hand::relation on, in;
};

void lookup_by_hand() {
  using fixture = league_by_hand;
  add<fixture>("row16_by_team/hand", teams, [](fixture& f, stopwatch& clock) {
    std::uint64_t sum = 0;
    clock.time([&] {
      for (by_hand::number t = 0; t < teams; ++t)
        for (const auto e : f.on.who_has(t)) sum += e;
    });
    return sum == hundred_thousand * (hundred_thousand - 1) / 2;
  });
  add<fixture>("row16_by_team_then_position/hand", teams, [](fixture& f, stopwatch& clock) {
    std::size_t sum = 0;
    clock.time([&] {
      for (by_hand::number t = 0; t < teams; ++t)
        for (const auto e : f.on.who_has(t)) sum += static_cast<std::size_t>(f.positions.at(e).x);
    });
    return sum == sum_of_small(hundred_thousand);
  });
  add<fixture>("row16b_by_team_and_vehicle/hand", lookups, [](fixture& f, stopwatch& clock) {
    std::size_t n = 0;
    clock.time([&] {
      for (const auto& [t, v] : the_places().asked)
        for (const auto e : f.in.who_has(static_cast<by_hand::number>(v))) n += f.on.target(e) == t;
    });
    return n == the_places().rows;
  });
}

// --- 17: targets that an entity both likes and works with ---

struct office {
  adjacency likes = several_each(hundred_thousand, 100, 1, 5, 171);
  adjacency colleagues = several_each(hundred_thousand, 100, 1, 5, 172);
  std::size_t both = 0;
  office() {
    for (std::size_t i = 0; i < likes.size(); ++i)
      for (const std::size_t x : colleagues[i])
        both += static_cast<std::size_t>(std::count(likes[i].begin(), likes[i].end(), x));
  }
};
const office& the_office() {
  static const office data;
  return data;
}

template <class L>
struct people {
  people(const pin& where, bool cached) {
    auto likes = relation<L, Likes>(w, where), works = relation<L, Colleague>(w, where);
    const auto whom = create<L>(w, 100);
    for (std::size_t i = 0; i < hundred_thousand; ++i) {
      auto e = w.entity();
      for (const std::size_t x : the_office().likes[i]) e.add(likes, whom[x]);
      for (const std::size_t x : the_office().colleagues[i]) e.add(works, whom[x]);
    }
    auto b = w.query_builder();
    b.with(likes, "$x").with(works, "$x");
    if (cached) b.cached();
    if constexpr (std::is_same_v<L, kith_library>)
      if (!cached) b.cache_kind(kith::cache_kind::never);
    q = b.build();
  }
  typename L::world w;
  decltype(w.query_builder().build()) q;
};

template <class L>
void join(const pin& where, bool cached) {
  const auto n = cached ? static_cast<double>(the_office().both) : double{hundred_thousand};
  add<people<L>>((cached ? "row17_join_cached/" : "row17_join/") + L::name() + where.suffix, n,
                 [](auto& f, stopwatch& clock) {
                   std::size_t rows = 0;
                   clock.time([&] { rows = count_batches(f.q); });
                   return rows == the_office().both;
                 },
                 where, cached);
}

void join_by_hand() {
  add("row17_join/hand", hundred_thousand, [](stopwatch& clock) {
    const office& o = the_office();
    std::size_t rows = 0;
    clock.time([&] {
      for (std::size_t i = 0; i < o.likes.size(); ++i)
        for (const std::size_t a : o.likes[i])
          for (const std::size_t b : o.colleagues[i]) rows += a == b;
    });
    return rows == o.both;
  });
}

// --- 18: three that like each other in a circle ---

const adjacency& edges() {
  static const adjacency data = random_graph(10'000, 100'000, 18);
  return data;
}

// A nested loop; the edges of a node are not sorted.
std::size_t count_circles(const adjacency& to) {
  std::size_t n = 0;
  for (std::size_t x = 0; x < to.size(); ++x)
    for (const std::size_t y : to[x])
      for (const std::size_t z : to[y])
        for (const std::size_t end : to[z]) n += end == x;
  return n;
}

std::size_t circles_of_edges() {
  static const std::size_t n = count_circles(edges());
  return n;
}

template <class L>
struct circles {
  explicit circles(const pin& where) {
    auto likes = relation<L, Likes>(w, where);
    const auto nodes = create<L>(w, edges().size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const std::size_t x : edges()[i]) nodes[i].add(likes, nodes[x]);
    auto b = w.query_builder();
    if constexpr (std::is_same_v<L, kith_library>) b.cache_kind(kith::cache_kind::never);
    q = b.with(likes, "$y").with(likes, "$z").src("$y").with(likes, "$this").src("$z").build();
  }
  typename L::world w;
  decltype(w.query_builder().build()) q;
};

template <class L>
void triangles(const pin& where) {
  add<circles<L>>(
      "row18_triangles/" + L::name() + where.suffix, 1,
      [](auto& f, stopwatch& clock) {
        std::size_t rows = 0;
        clock.time([&] { rows = count_batches(f.q); });
        return rows == circles_of_edges();
      },
      where);
}

void triangles_by_hand() {
  add("row18_triangles/hand", 1, [](stopwatch& clock) {
    std::size_t n = 0;
    clock.time([&] { n = count_circles(edges()); });
    return n > 0;
  });
}

// --- 19: a root, 10 countries, 100 states, 1,000 cities, 100,000 persons ---

enum class place { root, country, city };

template <class L>
struct geography {
  geography(place asked, bool persons_only) {
    auto in = w.template component<LocatedIn>().add(L::Transitive);
    auto root = w.entity();
    typename L::entity country, city;
    for (int a = 0; a < 10; ++a) {
      country = w.entity().add(in, root);
      for (int b = 0; b < 10; ++b) {
        auto state = w.entity().add(in, country);
        for (int c = 0; c < 10; ++c) {
          city = w.entity().add(in, state);
          for (int p = 0; p < 100; ++p) w.entity().template add<Person>().add(in, city);
        }
      }
    }
    auto b = w.query_builder();
    if (persons_only) b.template with<Person>();
    b.with(in, asked == place::root ? root : asked == place::country ? country : city);
    q = b.build();
  }
  typename L::world w;
  decltype(w.query_builder().build()) q;
};

template <class L>
void transitive() {
  const auto ask = [](const std::string& name, place asked, bool persons, std::size_t rows,
                      int times) {
    add<geography<L>>(
        "row19_transitive_" + name + "/" + L::name(), times,
        [=](auto& f, stopwatch& clock) {
          std::size_t n = 0;
          clock.time([&] {
            for (int i = 0; i < times; ++i) n += count_batches(f.q);
          });
          return n == rows * static_cast<std::size_t>(times);
        },
        asked, persons);
  };
  ask("root", place::root, false, 101'110, 1);
  ask("country", place::country, false, 10'110, 10);
  ask("city", place::city, false, 100, 1000);
  ask("city_persons", place::city, true, 100, 100);
}

void transitive_by_hand() {
  // The nodes of the tree are numbered level by level; children[i] lists the children of node i.
  struct tree {
    std::vector<std::vector<by_hand::number>> children = {{}};
    std::vector<std::size_t> level = {0};
    tree() {
      for (const std::size_t each : {10, 10, 10, 100}) {
        const std::size_t from = level.back(), to = children.size();
        level.push_back(to);
        for (std::size_t p = from; p < to; ++p)
          for (std::size_t i = 0; i < each; ++i) {
            children[p].push_back(static_cast<by_hand::number>(children.size()));
            children.emplace_back();
          }
      }
    }
    std::size_t below(std::size_t node) const {
      std::size_t n = 0;
      std::vector<by_hand::number> open{static_cast<by_hand::number>(node)};
      while (!open.empty()) {
        const auto at = open.back();
        open.pop_back();
        for (const auto child : children[at]) {
          ++n;
          open.push_back(child);
        }
      }
      return n;
    }
  };
  const auto ask = [](const std::string& name, std::size_t level, std::size_t rows) {
    add<tree>("row19_transitive_" + name + "/hand", 1, [=](tree& t, stopwatch& clock) {
      std::size_t n = 0;
      clock.time([&] { n = t.below(t.level[level]); });
      return n == rows;
    });
  };
  ask("root", 0, 101'110);
  ask("country", 1, 10'110);
  ask("city", 3, 100);
}

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() {
    new_query<L>();
    const pin unpinned = L::pins().front();
    wildcard<L>(unpinned);
    lookup<L>(unpinned);
    join<L>(unpinned, false);
    join<L>(unpinned, true);
    triangles<L>(unpinned);
    transitive<L>();
  });
  for (const pin& where : kith_library::pins()) {
    if (!where.trait) continue;
    wildcard<kith_library>(where);
    lookup<kith_library>(where);
    triangles<kith_library>(where);
  }
  wildcard_by_hand();
  lookup_by_hand();
  join_by_hand();
  triangles_by_hand();
  transitive_by_hand();
}
