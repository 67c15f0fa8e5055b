// Rows 10b to 13: Position += Velocity for a million entities, in more and more tables.
//
// The bandwidth of the memory is the limit: 36 bytes for each entity. `copy` copies as many bytes.
#include <cstring>

#include "support/by_hand.hpp"
#include "support/harness.hpp"
#include "support/libraries.hpp"

namespace {

using namespace bench;

constexpr double moved_bytes = 2 * sizeof(Position) + sizeof(Velocity);

// A lambda has a type of its own, so calls of it are inlined; calls of a function pointer are not.
constexpr auto move = [](Position& p, const Velocity& v) {
  p.x += v.x;
  p.y += v.y;
  p.z += v.z;
};

template <int>
struct Bit {};
// Adds a tag for each bit that is set in a number, which makes 2^n different tables.
template <class Entity, int... N>
void add_bits(Entity e, std::size_t bits, std::integer_sequence<int, N...>) {
  ((bits >> N & 1 ? void(e.template add<Bit<N>>()) : void()), ...);
}

template <class L>
struct movers {
  movers() {
    register_types<L>(w);
    query = w.template query_builder<Position, const Velocity>().cached().build();
  }
  auto add() { return w.entity().set(Position{0, 0, 0}).set(Velocity{1, 1, 1}); }

  bool run(stopwatch& clock) {
    clock.time([&] { query.each(move); });
    return is_right(1);
  }
  bool run_batches(stopwatch& clock) {
    clock.time([&] {
      query.run([](typename L::iter& it) {
        while (it.next()) {
          Position* p = &it.template field<Position>(0)[0];
          const Velocity* v = &it.template field<const Velocity>(1)[0];
          for (std::size_t i = 0, n = it.count(); i < n; ++i) move(p[i], v[i]);
        }
      });
    });
    return is_right(1);
  }
  // Whether all entities have moved `times` times since the last call.
  bool is_right(float times) {
    moved += times;
    std::size_t right = 0;
    auto positions = w.template query_builder<const Position>().build();
    positions.each([&](const Position& p) { right += p.x == moved && p.z == moved; });
    return right == million;
  }

  typename L::world w;
  decltype(std::declval<typename L::world&>()
               .template query_builder<Position, const Velocity>()
               .build()) query;
  float moved = 0;
};

template <class L>
struct in_tables : movers<L> {
  explicit in_tables(std::size_t tables) {
    for (std::size_t i = 0; i < million; ++i)
      add_bits(this->add(), i % tables, std::make_integer_sequence<int, 8>());
  }
};

// Ten entities for each target; or a million for 16 teams, and the query then asks for the team.
template <class L>
struct related : movers<L> {
  related(std::size_t targets, std::uint64_t relation, std::uint64_t trait) {
    typename L::entity r =
        relation ? typename L::entity(this->w.entity(relation)) : this->w.entity();
    if (trait) r.add(trait);
    const auto groups = create<L>(this->w, targets);
    for (std::size_t i = 0; i < million; ++i) this->add().add(r, groups[i * targets / million]);
    with_target = this->w.template query_builder<Position, const Velocity>()
                      .with(r, L::Wildcard)
                      .cached()
                      .build();
  }
  bool run_with_target(stopwatch& clock) {
    clock.time([&] { with_target.each(move); });
    return this->is_right(1);
  }
  decltype(movers<L>::query) with_target;
};

template <class L>
void rows() {
  const auto each = [](auto& f, stopwatch& clock) { return f.run(clock); };
  const auto batches = [](auto& f, stopwatch& clock) { return f.run_batches(clock); };
  for (const std::size_t tables : {std::size_t{1}, std::size_t{256}}) {
    const std::string name =
        tables == 1 ? "row11_iterate_two_components/" : "row12_iterate_256_tables/";
    add<in_tables<L>>(name + L::name(), million, each, tables).bytes = moved_bytes;
    add<in_tables<L>>(name + L::name() + "_batches", million, batches, tables).bytes = moved_bytes;
  }
  const auto fragmented = [&](const std::string& suffix, std::uint64_t relation,
                              std::uint64_t trait) {
    add<related<L>>("row13_iterate_100k_targets/" + L::name() + suffix, million, each,
                    hundred_thousand, relation, trait)
        .bytes = moved_bytes;
  };
  fragmented("_ChildOf", L::ChildOf, 0);
  fragmented("", 0, 0);
  if (L::name() == "kith")  // takes minutes in flecs
    for (const pin& where : L::pins())
      if (where.trait) fragmented(where.suffix, 0, where.trait);
  add<related<L>>(
      "row10b_iterate_16_teams/" + L::name(), million,
      [](auto& f, stopwatch& clock) { return f.run_with_target(clock); }, std::size_t{16},
      std::uint64_t{0}, std::uint64_t{0})
      .bytes = moved_bytes;
}

struct arrays {
  std::vector<Position> positions = std::vector<Position>(million);
  std::vector<Velocity> velocities = std::vector<Velocity>(million, {1, 1, 1});
  float moved = 0;
};

void plain() {
  add<arrays>("row11_iterate_two_components/plain", million, [](arrays& a, stopwatch& clock) {
    clock.time([&] {
      for (std::size_t i = 0; i < million; ++i) move(a.positions[i], a.velocities[i]);
    });
    a.moved += 1;
    return a.positions[million / 2].y == a.moved;
  }).bytes = moved_bytes;
  // Reads 18 and writes 18 bytes for each entity, as many as the rows above.
  struct buffers {
    std::vector<char> from = std::vector<char>(million * 18, 1),
                      to = std::vector<char>(million * 18);
  };
  add<buffers>("row11_iterate_two_components/copy", million, [](buffers& b, stopwatch& clock) {
    clock.time([&] { std::memcpy(b.to.data(), b.from.data(), b.from.size()); });
    return b.to[million] == 1;
  }).bytes = moved_bytes;
}

}  // namespace

void bench::register_rows() {
  for_each_library([]<class L>() { rows<L>(); });
  plain();
}
