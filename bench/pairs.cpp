// Rows 8 to 10: has, target, add and remove of pairs; and building the worlds of rows 13 and 15.
#include "support/by_hand.hpp"
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;

constexpr std::size_t targets = 1000;

struct Likes {};

template <class L>
struct admirers {
  admirers(const pin& where, bool related) {
    register_types<L>(w);
    likes = w.template component<Likes>();
    if (where.trait) likes.add(where.trait);
    whom = create<L>(w, targets);
    list = create_with_three<L>(w, hundred_thousand);
    if (related) add_all();
  }
  void add_all() {
    for (std::size_t i = 0; i < list.size(); ++i) list[i].add(likes, whom[i % targets]);
  }
  void remove_all() {
    for (std::size_t i = 0; i < list.size(); ++i) list[i].remove(likes, whom[i % targets]);
  }
  typename L::world w;
  typename L::entity likes;
  std::vector<typename L::entity> whom, list;
};

template <class L>
void asking(const pin& where) {
  const std::string who = "/" + L::name() + where.suffix;
  using fixture = admirers<L>;
  // Counts the entities that have a pair with the target `further` positions after their own.
  const auto count = [](fixture& f, stopwatch& clock, std::size_t further) {
    std::size_t n = 0;
    clock.time([&] {
      for (std::size_t i = 0; i < f.list.size(); ++i)
        n += f.list[i].has(f.likes, f.whom[(i + further) % targets]);
    });
    return n;
  };
  add<fixture>(
      "row08_has_pair_hit" + who, hundred_thousand,
      [=](fixture& f, stopwatch& clock) { return count(f, clock, 0) == f.list.size(); }, where,
      true);
  add<fixture>(
      "row08_has_pair_miss" + who, hundred_thousand,
      [=](fixture& f, stopwatch& clock) { return count(f, clock, 1) == 0; }, where, true);
  add<fixture>(
      "row08_has_pair_wildcard" + who, hundred_thousand,
      [](fixture& f, stopwatch& clock) {
        std::size_t n = 0;
        clock.time([&] {
          for (auto& e : f.list) n += e.has(f.likes, L::Wildcard);
        });
        return n == f.list.size();
      },
      where, true);
  add<fixture>(
      "row09_target" + who, hundred_thousand,
      [](fixture& f, stopwatch& clock) {
        std::uint64_t sum = 0, expected = 0;
        for (std::size_t i = 0; i < f.list.size(); ++i) expected += f.whom[i % targets].id();
        clock.time([&] {
          for (auto& e : f.list) sum += e.target(f.likes).id();
        });
        return sum == expected;
      },
      where, true);
  add<fixture>(
      "row10_add_remove_pair" + who, 2 * hundred_thousand,
      [](fixture& f, stopwatch& clock) {
        clock.time([&] { f.add_all(); });
        const bool all = f.list[targets + 1].has(f.likes, f.whom[1]);
        clock.time([&] { f.remove_all(); });
        return all && !f.list[targets + 1].has(f.likes, f.whom[1]);
      },
      where, false);
}

struct admirers_by_hand {
  admirers_by_hand(bool related) {
    for (by_hand::number i = 0; related && i < hundred_thousand; ++i) likes.add(i, i % targets);
  }
  by_hand::relation likes;
};

void asking_by_hand() {
  using fixture = admirers_by_hand;
  for (const by_hand::number further : {0u, 1u})
    add<fixture>(
        further ? "row08_has_pair_miss/hand" : "row08_has_pair_hit/hand", hundred_thousand,
        [=](fixture& f, stopwatch& clock) {
          std::size_t n = 0;
          clock.time([&] {
            for (by_hand::number i = 0; i < hundred_thousand; ++i)
              n += f.likes.has(i, (i + further) % targets);
          });
          return n == (further ? 0 : hundred_thousand);
        },
        true);
  add<fixture>(
      "row09_target/hand", hundred_thousand,
      [](fixture& f, stopwatch& clock) {
        std::size_t sum = 0;
        clock.time([&] {
          for (by_hand::number i = 0; i < hundred_thousand; ++i) sum += f.likes.target(i);
        });
        return sum == hundred_thousand / targets * (targets * (targets - 1) / 2);
      },
      true);
  add<fixture>(
      "row10_add_remove_pair/hand", 2 * hundred_thousand,
      [](fixture& f, stopwatch& clock) {
        clock.time([&] {
          for (by_hand::number i = 0; i < hundred_thousand; ++i) f.likes.add(i, i % targets);
        });
        const bool all = f.likes.size() == hundred_thousand;
        clock.time([&] {
          for (by_hand::number i = 0; i < hundred_thousand; ++i) f.likes.remove(i);
        });
        return all && f.likes.size() == 0;
      },
      false);
}

// Row 13: ten entities for each of 100,000 targets.
template <class L>
void ten_per_target(const std::string& suffix, std::uint64_t relation, std::uint64_t trait) {
  add("row13_create_100k_targets/" + L::name() + suffix, million, [=](stopwatch& clock) {
    typename L::world w;
    register_types<L>(w);
    typename L::entity r = relation ? typename L::entity(w.entity(relation)) : w.entity();
    if (trait) r.add(trait);
    const auto groups = create<L>(w, hundred_thousand);
    clock.time([&] {
      for (std::size_t i = 0; i < million; ++i)
        w.entity().set(Position{0, 0, 0}).set(Velocity{1, 1, 1}).add(r, groups[i / 10]);
    });
    return static_cast<std::size_t>(w.template count<Position>()) == million &&
           static_cast<std::size_t>(w.count(r, groups[77])) == 10;
  });
}

void ten_per_target_by_hand() {
  add("row13_create_100k_targets/hand", million, [](stopwatch& clock) {
    by_hand::entities ids;
    by_hand::sparse_set<Position> positions;
    by_hand::sparse_set<Velocity> velocities;
    by_hand::relation in;
    clock.time([&] {
      for (std::size_t i = 0; i < million; ++i) {
        const by_hand::number e = ids.create();
        positions.set(e, {0, 0, 0});
        velocities.set(e, {1, 1, 1});
        in.add(e, static_cast<by_hand::number>(i / 10));
      }
    });
    return positions.size() == million && in.who_has(77).size() == 10;
  });
}

// Row 15: one to five of 1,000 targets for each of 100,000 entities.
const adjacency& likings() {
  static const adjacency data = several_each(hundred_thousand, targets, 1, 5, 15);
  return data;
}

template <class L>
void several_targets(const pin& where) {
  add("row15_build_pairs/" + L::name() + where.suffix, static_cast<double>(edges_of(likings())),
      [=](stopwatch& clock) {
        typename L::world w;
        register_types<L>(w);
        typename L::entity likes = w.template component<Likes>();
        if (where.trait) likes.add(where.trait);
        const auto whom = create<L>(w, targets);
        typename L::entity last;
        clock.time([&] {
          for (const auto& list : likings()) {
            last = w.entity().set(Position{1, 0, 0});
            for (const std::size_t x : list) last.add(likes, whom[x]);
          }
        });
        return last.has(likes, whom[likings().back().back()]);
      });
}

void several_targets_by_hand() {
  add("row15_build_pairs/hand", static_cast<double>(edges_of(likings())), [](stopwatch& clock) {
    by_hand::entities ids;
    by_hand::sparse_set<Position> positions;
    by_hand::sparse_set<std::vector<by_hand::number>> likes;
    std::unordered_map<by_hand::number, std::vector<by_hand::number>> liked_by;
    clock.time([&] {
      for (const auto& list : likings()) {
        const by_hand::number e = ids.create();
        positions.set(e, {1, 0, 0});
        likes.set(e, {});
        for (const std::size_t x : list) {
          likes.at(e).push_back(static_cast<by_hand::number>(x));
          liked_by[static_cast<by_hand::number>(x)].push_back(e);
        }
      }
    });
    return likes.size() == hundred_thousand && liked_by.size() == targets;
  });
}

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() {
    for (const pin& where : L::pins()) asking<L>(where);
    ten_per_target<L>("_ChildOf", L::ChildOf, 0);
    ten_per_target<L>("", 0, 0);
    several_targets<L>(L::pins().front());
  });
  // Takes minutes in flecs, so only kith is measured.
  for (const pin& where : kith_library::pins()) {
    if (!where.trait) continue;
    ten_per_target<kith_library>(where.suffix, 0, where.trait);
    several_targets<kith_library>(where);
  }
  asking_by_hand();
  ten_per_target_by_hand();
  several_targets_by_hand();
}
