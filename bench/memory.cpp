// Rows 26 and 27: the memory of a world, and the time to construct and destroy one.
//
// The memory is the growth of the process, so each row is measured in a process of its own.
#include <cstdio>

#include <unistd.h>

#include "support/by_hand.hpp"
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;

double resident_bytes() {
  long all = 0, resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &all, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

template <class L>
void related(const std::string& suffix, std::uint64_t relation, std::uint64_t trait) {
  add_figure("row26_bytes_per_related_entity/" + L::name() + suffix, [=] {
    typename L::world w;
    register_types<L>(w);
    typename L::entity r = relation ? typename L::entity(w.entity(relation)) : w.entity();
    if (trait) r.add(trait);
    const auto groups = create<L>(w, hundred_thousand);
    const double before = resident_bytes();
    for (std::size_t i = 0; i < million; ++i)
      w.entity().set(Position{0, 0, 0}).set(Velocity{1, 1, 1}).add(r, groups[i / 10]);
    const double after = resident_bytes();
    return w.template count<Position>() == million ? (after - before) / million : -1.0;
  });
}

template <class L>
void rows() {
  // Measures the second world: the first one also loads pages of the code of the library.
  add_figure("row26_bytes_of_empty_world/" + L::name(), [] {
    typename L::world first;
    const double before = resident_bytes();
    typename L::world w;
    return resident_bytes() - before;
  });
  add_figure("row26_bytes_per_entity/" + L::name(), [] {
    typename L::world w;
    register_types<L>(w);
    const double before = resident_bytes();
    for (std::size_t i = 0; i < million; ++i)
      w.entity().set(Position{small(i), 0, 0}).set(Velocity{1, 1, 1}).set(Mass{1});
    const double after = resident_bytes();
    return w.template count<Mass>() == million ? (after - before) / million : -1.0;
  });
  related<L>("", 0, 0);
  related<L>("_ChildOf", L::ChildOf, 0);
  if (L::name() == "kith")  // takes 15 GB in flecs
    for (const pin& where : L::pins())
      if (where.trait) related<L>(where.suffix, 0, where.trait);
  add("row27_start_and_stop/" + L::name(), 1, [](stopwatch& clock) {
    bool alive = false;
    clock.time([&] {
      typename L::world w;
      alive = w.entity().is_alive();
    });
    return alive;
  });
}

void by_hand_too() {
  add_figure("row26_bytes_per_entity/hand", [] {
    const double before = resident_bytes();
    by_hand::entities ids;
    by_hand::sparse_set<Position> positions;
    by_hand::sparse_set<Velocity> velocities;
    by_hand::sparse_set<Mass> masses;
    for (std::size_t i = 0; i < million; ++i) {
      const auto e = ids.create();
      positions.set(e, {small(i), 0, 0});
      velocities.set(e, {1, 1, 1});
      masses.set(e, {1});
    }
    return (resident_bytes() - before) / million;
  });
  add_figure("row26_bytes_per_related_entity/hand", [] {
    const double before = resident_bytes();
    by_hand::entities ids;
    by_hand::sparse_set<Position> positions;
    by_hand::sparse_set<Velocity> velocities;
    by_hand::relation in;
    for (std::size_t i = 0; i < million; ++i) {
      const auto e = ids.create();
      positions.set(e, {0, 0, 0});
      velocities.set(e, {1, 1, 1});
      in.add(e, static_cast<by_hand::number>(i / 10));
    }
    return (resident_bytes() - before) / million;
  });
}

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() { rows<L>(); });
  by_hand_too();
}
