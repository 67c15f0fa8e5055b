// Rows 1 to 6, 28 and 29: create and delete entities; add, remove and read components.
#include "support/by_hand.hpp"
#include "support/harness.hpp"
#include "support/libraries.hpp"

#ifdef KITH_BENCH_ENTT
#include <entt/entt.hpp>
#endif

namespace {

using namespace bench;

// The sum over Position, Velocity and Mass of a million entities.
constexpr std::uint64_t sum_of_three = 2 * million;

template <class L>
std::uint64_t sum_three(typename L::world& w) {
  std::uint64_t sum = 0;
  auto q = w.template query_builder<const Position, const Velocity, const Mass>().build();
  q.each([&](const Position& p, const Velocity& v, const Mass& m) {
    sum += static_cast<std::uint64_t>(p.x + v.x + m.m);
  });
  return sum;
}

template <class L>
void creating() {
  const std::uint64_t expected = sum_of_small(million) + sum_of_three;
  add("row01_create_empty/" + L::name(), million, [](stopwatch& clock) {
    typename L::world w;
    std::vector<typename L::entity> list(million);
    clock.time([&] {
      for (auto& e : list) e = w.entity();
    });
    return std::all_of(list.begin(), list.end(), [](auto& e) { return e.is_alive(); });
  });
  add("row02_create_chained/" + L::name(), million, [=](stopwatch& clock) {
    typename L::world w;
    register_types<L>(w);
    clock.time([&] { create_with_three<L>(w, million); });
    return sum_three<L>(w) == expected;
  });
  add("row02_create_at_once/" + L::name(), million, [=](stopwatch& clock) {
    typename L::world w;
    register_types<L>(w);
    std::vector<typename L::entity> list(million);
    clock.time([&] {
      for (std::size_t i = 0; i < million; ++i)
        list[i] = L::create(w, Position{small(i), 0, 0}, Velocity{1, 1, 1}, Mass{1});
    });
    return sum_three<L>(w) == expected;
  });
  add("row02b_create_bulk/" + L::name(), million, [=](stopwatch& clock) {
    typename L::world w;
    register_types<L>(w);
    std::vector<Position> p(million);
    for (std::size_t i = 0; i < million; ++i) p[i] = {small(i), 0, 0};
    const std::vector<Velocity> v(million, {1, 1, 1});
    const std::vector<Mass> m(million, {1});
    clock.time([&] { L::bulk(w, p, v, m); });
    return sum_three<L>(w) == expected;
  });
}

template <class L>
void destroying() {
  const auto destroy = [](stopwatch& clock, bool shuffled) {
    typename L::world w;
    register_types<L>(w);
    auto list = create_with_three<L>(w, million);
    if (shuffled) shuffle(list);
    clock.time([&] {
      for (auto& e : list) e.destruct();
    });
    return w.template count<Position>() == 0 &&
           std::none_of(list.begin(), list.end(), [](auto& e) { return e.is_alive(); });
  };
  add("row03_destroy_in_order/" + L::name(), million,
      [=](stopwatch& clock) { return destroy(clock, false); });
  add("row03_destroy_shuffled/" + L::name(), million,
      [=](stopwatch& clock) { return destroy(clock, true); });
}

template <class L>
struct three_each {
  explicit three_each(std::size_t n, bool shuffled = false)
      : list((register_types<L>(w), create_with_three<L>(w, n))) {
    if (shuffled) shuffle(list);
  }
  typename L::world w;
  std::vector<typename L::entity> list;
};

// With `sparse` the components `T` are kept in a sparse set.
template <class L, class T>
struct comes_and_goes : three_each<L> {
  explicit comes_and_goes(bool sparse) : three_each<L>(hundred_thousand) {
    if (sparse) this->w.template component<T>().add(L::Sparse);
  }
  template <class Add>
  bool run(stopwatch& clock, Add give) {
    clock.time([&] {
      for (auto& e : this->list) give(e);
    });
    const bool all = static_cast<std::size_t>(this->w.template count<T>()) == hundred_thousand;
    clock.time([&] {
      for (auto& e : this->list) e.template remove<T>();
    });
    return all && this->w.template count<T>() == 0;
  }
};

// An observer is told of each Force that is added; or many are told of other ids.
template <class L>
struct observed : comes_and_goes<L, Force> {
  explicit observed(int others) : comes_and_goes<L, Force>(false), others_(others) {
    if (!others)
      this->w.template observer<Force>().event(L::OnAdd).each([this](Force&) { ++told_; });
    for (int i = 0; i < others; ++i)
      this->w.observer().with(this->w.entity()).event(L::OnAdd).each([this](typename L::entity) {
        ++told_;
      });
  }
  // Since the last call.
  bool told_all() {
    return std::exchange(told_, 0) == (others_ ? 0 : static_cast<int>(hundred_thousand));
  }

 private:
  int others_;
  int told_ = 0;
};

template <class L>
void changing() {
  for (const bool sparse : {false, true}) {
    const std::string who = L::name() + (sparse ? "_Sparse" : "");
    add<comes_and_goes<L, Marked>>(
        "row04_add_remove_tag/" + who, 2 * hundred_thousand,
        [](auto& f, stopwatch& clock) {
          return f.run(clock, [](auto& e) { e.template add<Marked>(); });
        },
        sparse);
    add<comes_and_goes<L, Force>>(
        "row05_set_remove_component/" + who, 2 * hundred_thousand,
        [](auto& f, stopwatch& clock) {
          return f.run(clock, [](auto& e) { e.set(Force{1, 1, 1}); });
        },
        sparse);
  }
  add<comes_and_goes<L, Force>>(
      "row28_add_without_observer/" + L::name(), hundred_thousand,
      [](auto& f, stopwatch& clock) {
        clock.time([&] {
          for (auto& e : f.list) e.template add<Force>();
        });
        stopwatch unused(stopwatch::use::trial);
        return f.run(unused, [](auto&) {});
      },
      false);
  for (const int others : {0, 1000})
    add<observed<L>>(
        (others ? "row35_add_with_1000_other_observers/" : "row28_add_with_an_observer/") +
            L::name(),
        hundred_thousand,
        [](auto& f, stopwatch& clock) {
          clock.time([&] {
            for (auto& e : f.list) e.template add<Force>();
          });
          stopwatch unused(stopwatch::use::trial);
          return f.run(unused, [](auto&) {}) && f.told_all();
        },
        others);
  add<three_each<L>>(
      "row29_deferred_add_and_set/" + L::name(), hundred_thousand,
      [](auto& f, stopwatch& clock) {
        clock.time([&] {
          f.w.defer_begin();
          for (auto& e : f.list) {
            e.template add<Marked>();
            e.set(Force{1, 1, 1});
          }
          f.w.defer_end();
        });
        const auto there =
            static_cast<std::size_t>(f.w.template count<Marked>() + f.w.template count<Force>());
        for (auto& e : f.list) e.template remove<Marked>().template remove<Force>();
        return there == 2 * hundred_thousand;
      },
      hundred_thousand);
}

template <class L>
void reading() {
  const std::uint64_t expected = sum_of_small(million);
  for (const bool shuffled : {false, true}) {
    const std::string order = shuffled ? "shuffled/" : "in_order/";
    add<three_each<L>>(
        "row06_get_" + order + L::name(), million,
        [=](auto& f, stopwatch& clock) {
          std::uint64_t sum = 0;
          clock.time([&] {
            for (auto& e : f.list)
              sum += static_cast<std::uint64_t>(L::template get<Position>(e).x);
          });
          return sum == expected;
        },
        million, shuffled);
    add<three_each<L>>(
        "row07_set_" + order + L::name(), million,
        [](auto& f, stopwatch& clock) {
          clock.time([&] {
            for (auto& e : f.list) e.set(Position{2, 2, 2});
          });
          return L::template get<Position>(f.list[million / 2]).z == 2;
        },
        million, shuffled);
  }
}

// The same by hand.
struct three_by_hand {
  explicit three_by_hand(std::size_t n = 0, bool shuffled = false) {
    for (std::size_t i = 0; i < n; ++i) list.push_back(create(i));
    if (shuffled) shuffle(list);
  }
  by_hand::number create(std::size_t i) {
    const by_hand::number e = ids.create();
    positions.set(e, {small(i), 0, 0});
    velocities.set(e, {1, 1, 1});
    masses.set(e, {1});
    return e;
  }
  by_hand::entities ids;
  by_hand::sparse_set<Position> positions;
  by_hand::sparse_set<Velocity> velocities;
  by_hand::sparse_set<Mass> masses;
  by_hand::sparse_set<Force> forces;
  std::vector<by_hand::number> list;
};

void written_by_hand() {
  add("row01_create_empty/hand", million, [](stopwatch& clock) {
    by_hand::entities ids;
    std::vector<by_hand::number> list(million);
    clock.time([&] {
      for (auto& e : list) e = ids.create();
    });
    return std::all_of(list.begin(), list.end(), [&](auto e) { return ids.is_alive(e); });
  });
  add("row02_create_at_once/hand", million, [](stopwatch& clock) {
    three_by_hand h;
    clock.time([&] {
      for (std::size_t i = 0; i < million; ++i) h.create(i);
    });
    return h.masses.size() == million;
  });
  for (const bool shuffled : {false, true}) {
    const std::string order = shuffled ? "shuffled/" : "in_order/";
    add("row03_destroy_" + order + "hand", million, [=](stopwatch& clock) {
      three_by_hand h(million, shuffled);
      clock.time([&] {
        for (const auto e : h.list) {
          h.positions.erase(e);
          h.velocities.erase(e);
          h.masses.erase(e);
          h.ids.destroy(e);
        }
      });
      return h.masses.size() == 0;
    });
    add<three_by_hand>(
        "row06_get_" + order + "hand", million,
        [](auto& h, stopwatch& clock) {
          std::uint64_t sum = 0;
          clock.time([&] {
            for (const auto e : h.list) sum += static_cast<std::uint64_t>(h.positions.at(e).x);
          });
          return sum == sum_of_small(million);
        },
        million, shuffled);
  }
  add<three_by_hand>(
      "row05_set_remove_component/hand", 2 * hundred_thousand,
      [](auto& h, stopwatch& clock) {
        clock.time([&] {
          for (const auto e : h.list) h.forces.set(e, {1, 1, 1});
        });
        const bool all = h.forces.size() == hundred_thousand;
        clock.time([&] {
          for (const auto e : h.list) h.forces.erase(e);
        });
        return all && h.forces.size() == 0;
      },
      hundred_thousand);
}

#ifdef KITH_BENCH_ENTT
// The rows that EnTT can do. It has no relations; rows with relations are compared with code by
// hand.
struct three_in_entt {
  explicit three_in_entt(std::size_t n = 0, bool shuffled = false) {
    for (std::size_t i = 0; i < n; ++i) list.push_back(create(i));
    if (shuffled) shuffle(list);
  }
  entt::entity create(std::size_t i) {
    const entt::entity e = registry.create();
    registry.emplace<Position>(e, small(i), 0.f, 0.f);
    registry.emplace<Velocity>(e, 1.f, 1.f, 1.f);
    registry.emplace<Mass>(e, 1.f);
    return e;
  }
  template <class T>
  std::size_t count() {
    return registry.view<T>().size();
  }
  template <class T, class... Values>
  bool come_and_go(stopwatch& clock, Values... values) {
    clock.time([&] {
      for (const auto e : list) registry.emplace<T>(e, values...);
    });
    const bool all = count<T>() == list.size();
    clock.time([&] {
      for (const auto e : list) registry.remove<T>(e);
    });
    return all && count<T>() == 0;
  }
  entt::registry registry;
  std::vector<entt::entity> list;
};

void written_for_entt() {
  add("row01_create_empty/entt", million, [](stopwatch& clock) {
    entt::registry r;
    std::vector<entt::entity> list(million);
    clock.time([&] {
      for (auto& e : list) e = r.create();
    });
    return std::all_of(list.begin(), list.end(), [&](auto e) { return r.valid(e); });
  });
  add("row02_create_at_once/entt", million, [](stopwatch& clock) {
    three_in_entt h;
    std::vector<entt::entity> list(million);
    clock.time([&] {
      for (std::size_t i = 0; i < million; ++i) list[i] = h.create(i);
    });
    return h.count<Mass>() == million;
  });
  for (const bool shuffled : {false, true}) {
    const std::string order = shuffled ? "shuffled/" : "in_order/";
    add("row03_destroy_" + order + "entt", million, [=](stopwatch& clock) {
      three_in_entt h(million, shuffled);
      clock.time([&] {
        for (const auto e : h.list) h.registry.destroy(e);
      });
      return h.count<Mass>() == 0;
    });
    add<three_in_entt>(
        "row06_get_" + order + "entt", million,
        [](auto& h, stopwatch& clock) {
          std::uint64_t sum = 0;
          clock.time([&] {
            for (const auto e : h.list)
              sum += static_cast<std::uint64_t>(h.registry.template get<Position>(e).x);
          });
          return sum == sum_of_small(million);
        },
        million, shuffled);
  }
  add<three_in_entt>(
      "row04_add_remove_tag/entt", 2 * hundred_thousand,
      [](auto& h, stopwatch& clock) { return h.template come_and_go<Marked>(clock); },
      hundred_thousand);
  add<three_in_entt>(
      "row05_set_remove_component/entt", 2 * hundred_thousand,
      [](auto& h, stopwatch& clock) { return h.template come_and_go<Force>(clock, 1.f, 1.f, 1.f); },
      hundred_thousand);
}
#endif

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() {
    creating<L>();
    destroying<L>();
    changing<L>();
    reading<L>();
  });
  written_by_hand();
#ifdef KITH_BENCH_ENTT
  written_for_entt();
#endif
}
