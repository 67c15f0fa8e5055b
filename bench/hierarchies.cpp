// Rows 20, 21 and 23 to 25: queries along parents and bases; prefabs; deleting trees.
#include "support/by_hand.hpp"
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;

struct Local {
  float x, y, z;
};
struct Global {
  float x, y, z;
};

// --- 20: 1,000 parents with 100 children each ---

template <class L>
struct families {
  families() {
    for (std::size_t p = 0; p < 1000; ++p) {
      auto parent = w.entity().set(Position{small(p), 0, 0});
      for (int i = 0; i < 100; ++i) w.entity().set(Position{0, 0, 0}).child_of(parent);
    }
    q = w.template query_builder<Position, const Position>()
            .term_at(1)
            .up(L::ChildOf)
            .cached()
            .build();
  }
  typename L::world w;
  decltype(w.template query_builder<Position, const Position>().build()) q;
};

template <class L>
void up() {
  add<families<L>>("row20_up_to_parent/" + L::name(), hundred_thousand,
                   [](auto& f, stopwatch& clock) {
                     std::size_t sum = 0;
                     clock.time([&] {
                       f.q.each([&](Position& mine, const Position& parents) {
                         mine.y = parents.x;
                         sum += static_cast<std::size_t>(parents.x);
                       });
                     });
                     return sum == 100 * sum_of_small(1000);
                   });
}

void up_by_hand() {
  struct families_by_hand {
    std::vector<Position> positions;
    std::vector<by_hand::number> parents;
    families_by_hand() {
      for (by_hand::number p = 0; p < 1000; ++p) {
        positions.push_back({small(p), 0, 0});
        parents.push_back(by_hand::none);
      }
      for (by_hand::number p = 0; p < 1000; ++p)
        for (int i = 0; i < 100; ++i) {
          positions.push_back({0, 0, 0});
          parents.push_back(p);
        }
    }
  };
  add<families_by_hand>("row20_up_to_parent/hand", hundred_thousand, [](auto& f, stopwatch& clock) {
    std::size_t sum = 0;
    clock.time([&] {
      for (std::size_t i = 0; i < f.positions.size(); ++i) {
        if (f.parents[i] == by_hand::none) continue;
        f.positions[i].y = f.positions[f.parents[i]].x;
        sum += static_cast<std::size_t>(f.positions[i].y);
      }
    });
    return sum == 100 * sum_of_small(1000);
  });
}

// --- 21: six levels, each parent with ten children ---

constexpr std::size_t tree_size = 111'111;
// The position of an entity is one larger than that of its parent.
std::size_t sum_of_tree() {
  std::size_t sum = 0, n = 1;
  for (std::size_t depth = 1; depth <= 6; ++depth, n *= 10) sum += n * depth;
  return sum;
}

template <class L>
struct scene {
  scene() {
    std::vector<typename L::entity> level{node()};
    for (int depth = 1; depth < 6; ++depth) {
      std::vector<typename L::entity> next;
      for (auto& parent : level)
        for (int i = 0; i < 10; ++i) next.push_back(node().child_of(parent));
      level.swap(next);
    }
    q = w.template query_builder<const Local, const Global*, Global>()
            .term_at(1)
            .cascade(L::ChildOf)
            .cached()
            .build();
  }
  typename L::entity node() { return w.entity().set(Local{1, 1, 1}).set(Global{0, 0, 0}); }
  bool is_right() {
    std::size_t sum = 0;
    auto all = w.template query_builder<const Global>().build();
    all.each([&](const Global& g) { sum += static_cast<std::size_t>(g.x); });
    return sum == sum_of_tree();
  }
  typename L::world w;
  decltype(w.template query_builder<const Local, const Global*, Global>().build()) q;
};

// A lambda has a type of its own, so calls of it are inlined; calls of a function pointer are not.
constexpr auto place = [](const Local& l, const Global* parent, Global& to) {
  to = parent ? Global{l.x + parent->x, l.y + parent->y, l.z + parent->z} : Global{l.x, l.y, l.z};
};

template <class L>
void cascade() {
  add<scene<L>>("row21_cascade/" + L::name(), tree_size, [](auto& f, stopwatch& clock) {
    clock.time([&] { f.q.each(place); });
    return f.is_right();
  });
  add<scene<L>>("row21_cascade/" + L::name() + "_batches", tree_size,
                [](auto& f, stopwatch& clock) {
                  clock.time([&] {
                    f.q.run([](typename L::iter& it) {
                      while (it.next()) {
                        auto l = it.template field<const Local>(0);
                        auto to = it.template field<Global>(2);
                        const Global* parent =
                            it.is_set(1) ? &it.template field<const Global>(1)[0] : nullptr;
                        for (auto i : it) place(l[i], parent, to[i]);
                      }
                    });
                  });
                  return f.is_right();
                });
}

void cascade_by_hand() {
  // Nodes are numbered level by level, so parents come before children.
  struct nodes {
    std::vector<Local> local = std::vector<Local>(tree_size, Local{1, 1, 1});
    std::vector<Global> global = std::vector<Global>(tree_size);
    std::vector<by_hand::number> parent = std::vector<by_hand::number>(tree_size, by_hand::none);
    nodes() {
      for (std::size_t i = 1; i < tree_size; ++i)
        parent[i] = static_cast<by_hand::number>((i - 1) / 10);
    }
  };
  add<nodes>("row21_cascade/hand", tree_size, [](nodes& n, stopwatch& clock) {
    clock.time([&] {
      for (std::size_t i = 0; i < tree_size; ++i)
        place(n.local[i], n.parent[i] == by_hand::none ? nullptr : &n.global[n.parent[i]],
              n.global[i]);
    });
    std::size_t sum = 0;
    for (const Global& g : n.global) sum += static_cast<std::size_t>(g.x);
    return sum == sum_of_tree();
  });
}

// --- 23: 100 bases, of which 100,000 inherit ---

template <class L>
struct heirs {
  heirs() {
    register_types<L>(w);
    w.template component<Mass>().add(L::OnInstantiate, L::Inherit);
    std::vector<typename L::entity> bases;
    for (std::size_t i = 0; i < 100; ++i) bases.push_back(w.prefab().set(Mass{small(i)}));
    for (std::size_t i = 0; i < hundred_thousand; ++i) {
      list.push_back(w.entity().is_a(bases[i % 100]).set(Position{0, 0, 0}));
      expected += (i % 100) & 7;
    }
    q = w.template query_builder<Position, const Mass>().cached().build();
  }
  typename L::world w;
  std::vector<typename L::entity> list;
  std::size_t expected = 0;
  decltype(w.template query_builder<Position, const Mass>().build()) q;
};

template <class L>
void inheriting() {
  add<heirs<L>>("row23_inherited_get/" + L::name(), hundred_thousand,
                [](auto& f, stopwatch& clock) {
                  std::size_t sum = 0;
                  clock.time([&] {
                    for (auto& e : f.list)
                      sum += static_cast<std::size_t>(L::template get<Mass>(e).m);
                  });
                  return sum == f.expected;
                });
  add<heirs<L>>("row23_inherited_query/" + L::name(), hundred_thousand,
                [](auto& f, stopwatch& clock) {
                  std::size_t sum = 0;
                  clock.time([&] {
                    f.q.each([&](Position& p, const Mass& m) {
                      p.x = m.m;
                      sum += static_cast<std::size_t>(m.m);
                    });
                  });
                  return sum == f.expected;
                });
}

// --- 24: instances of a prefab ---

template <class L>
std::size_t count_positions(typename L::world& w) {
  std::size_t sum = 0;
  auto q = w.template query_builder<const Position>().build();
  q.each([&](const Position& p) { sum += static_cast<std::size_t>(p.x); });
  return sum;
}

template <class L>
void instantiating() {
  // Instances get copies in both libraries.
  const auto copied = [](typename L::world& w) {
    register_types<L>(w);
    w.template component<Position>().add(L::OnInstantiate, L::Override);
    w.template component<Velocity>().add(L::OnInstantiate, L::Override);
    w.template component<Mass>().add(L::OnInstantiate, L::Override);
    return w.prefab().set(Position{1, 0, 0});
  };
  add("row24_instantiate/" + L::name(), hundred_thousand, [=](stopwatch& clock) {
    typename L::world w;
    auto model = copied(w).set(Velocity{1, 1, 1}).set(Mass{1});
    clock.time([&] {
      for (std::size_t i = 0; i < hundred_thousand; ++i) w.entity().is_a(model);
    });
    return count_positions<L>(w) == hundred_thousand;
  });
  add("row24_instantiate_3_children/" + L::name(), 10'000, [=](stopwatch& clock) {
    typename L::world w;
    auto model = copied(w);
    for (int i = 0; i < 3; ++i)
      w.prefab().child_of(model).set(Position{1, 0, 0}).set(Velocity{1, 1, 1});
    clock.time([&] {
      for (int i = 0; i < 10'000; ++i) w.entity().is_a(model);
    });
    return count_positions<L>(w) == 40'000;
  });
}

// --- 25: 1,000 parents with 100 children each are deleted ---

template <class L>
void deleting() {
  add("row25_delete_parents/" + L::name(), 101'000, [](stopwatch& clock) {
    typename L::world w;
    std::vector<typename L::entity> parents;
    for (int p = 0; p < 1000; ++p) {
      parents.push_back(w.entity().set(Position{1, 0, 0}));
      for (int i = 0; i < 100; ++i)
        w.entity().set(Position{1, 0, 0}).set(Velocity{1, 1, 1}).child_of(parents.back());
    }
    clock.time([&] {
      for (auto& p : parents) p.destruct();
    });
    return w.template count<Position>() == 0;
  });
}

void deleting_by_hand() {
  add("row25_delete_parents/hand", 101'000, [](stopwatch& clock) {
    by_hand::entities ids;
    by_hand::sparse_set<Position> positions;
    by_hand::sparse_set<Velocity> velocities;
    by_hand::sparse_set<std::vector<by_hand::number>> children;
    for (int p = 0; p < 1000; ++p) {
      const auto parent = ids.create();
      positions.set(parent, {1, 0, 0});
      std::vector<by_hand::number> list;
      for (int i = 0; i < 100; ++i) {
        const auto e = list.emplace_back(ids.create());
        positions.set(e, {1, 0, 0});
        velocities.set(e, {1, 1, 1});
      }
      children.set(parent, list);
    }
    const std::vector<by_hand::number> parents = children.owners();
    clock.time([&] {
      for (const auto p : parents) {
        for (const auto e : children.at(p)) {
          positions.erase(e);
          velocities.erase(e);
          ids.destroy(e);
        }
        positions.erase(p);
        children.erase(p);
        ids.destroy(p);
      }
    });
    return positions.size() == 0;
  });
}

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() {
    up<L>();
    cascade<L>();
    inheriting<L>();
    instantiating<L>();
    deleting<L>();
  });
  up_by_hand();
  cascade_by_hand();
  deleting_by_hand();
}
