// kith, and the peers whose interface is close enough to run the same code: most benchmarks are
// templates over one of these classes. A peer takes part if CMake finds it.
#pragma once

#include <string>
#include <vector>

#include <kith/kith.hpp>

#ifdef KITH_BENCH_FLECS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <flecs.h>
#pragma GCC diagnostic pop
#endif

#include "support/data.hpp"

namespace bench {

// Where pairs of a relation are kept: a trait, or 0 for the library's own choice.
struct pin {
  std::string suffix;
  kith::entity_t trait;
};

struct kith_library {
  static std::string name() { return "kith"; }
  using world = kith::world;
  using entity = kith::entity;
  using iter = kith::iter;

  static constexpr auto ChildOf = kith::ChildOf;
  static constexpr auto IsA = kith::IsA;
  static constexpr auto Wildcard = kith::Wildcard;
  static constexpr auto Transitive = kith::Transitive;
  static constexpr auto OnInstantiate = kith::OnInstantiate;
  static constexpr auto Inherit = kith::Inherit;
  static constexpr auto Override = kith::Override;
  static constexpr auto Sparse = kith::Sparse;
  static constexpr auto OnAdd = kith::OnAdd;
  static std::vector<pin> pins() {
    return {{"", 0}, {"_DontFragment", kith::DontFragment}, {"_Fragment", kith::Fragment}};
  }

  template <class T>
  static const T& get(entity e) {
    return *e.get<T>();
  }
  template <class... Values>
  static entity create(world& w, const Values&... values) {
    return w.entity(values...);
  }
  static void bulk(world& w, const std::vector<Position>& p, const std::vector<Velocity>& v,
                   const std::vector<Mass>& m) {
    w.bulk(p.size(), p, v, m);
  }
  static auto parameter(const char*) { return kith::param; }
  template <class Query, class... Values>
  static auto bind(const Query& q, const Values&... values) {
    return q.args(values...);
  }
};

#ifdef KITH_BENCH_FLECS
struct flecs_library {
  static std::string name() { return "flecs"; }
  using world = flecs::world;
  using entity = flecs::entity;
  using iter = flecs::iter;

  static inline const auto ChildOf = flecs::ChildOf;
  static inline const auto IsA = flecs::IsA;
  static inline const auto Wildcard = flecs::Wildcard;
  static inline const auto Transitive = flecs::Transitive;
  static inline const auto OnInstantiate = flecs::OnInstantiate;
  static inline const auto Inherit = flecs::Inherit;
  static inline const auto Override = flecs::Override;
  static inline const auto Sparse = flecs::Sparse;
  static inline const auto OnAdd = flecs::OnAdd;
  static std::vector<pin> pins() { return {{"", 0}, {"_DontFragment", flecs::DontFragment}}; }

  template <class T>
  static const T& get(entity e) {
    return *e.try_get<T>();
  }
  template <class... Values>
  static entity create(world& w, const Values&... values) {
    return w.entity().insert([&](Values&... to) { ((to = values), ...); });
  }
  static void bulk(world& w, const std::vector<Position>& p, const std::vector<Velocity>& v,
                   const std::vector<Mass>& m) {
    ecs_bulk_desc_t all{};
    all.count = static_cast<int32_t>(p.size());
    all.ids[0] = w.id<Position>();
    all.ids[1] = w.id<Velocity>();
    all.ids[2] = w.id<Mass>();
    void* data[] = {const_cast<Position*>(p.data()), const_cast<Velocity*>(v.data()),
                    const_cast<Mass*>(m.data())};
    all.data = data;
    ecs_bulk_init(w, &all);
  }
  static auto parameter(const char* name) { return name; }
  // Variable 0 is $this.
  template <class Query>
  static auto bind(Query& q, entity a) {
    return q.set_var(1, a);
  }
  template <class Query>
  static auto bind(Query& q, entity a, entity b) {
    auto bound = q.set_var(1, a);
    bound.set_var(2, b);
    return bound;
  }
};
#endif

template <class L>
std::vector<typename L::entity> create(typename L::world& w, std::size_t n) {
  std::vector<typename L::entity> list;
  list.reserve(n);
  for (std::size_t i = 0; i < n; ++i) list.push_back(w.entity());
  return list;
}

// Entities with Position, Velocity and Mass; x is small(i).
template <class L>
std::vector<typename L::entity> create_with_three(typename L::world& w, std::size_t n) {
  std::vector<typename L::entity> list;
  list.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    list.push_back(w.entity().set(Position{small(i), 0, 0}).set(Velocity{1, 1, 1}).set(Mass{1}));
  return list;
}

// Registers the types before the time is measured.
template <class L>
void register_types(typename L::world& w) {
  w.template component<Position>();
  w.template component<Velocity>();
  w.template component<Mass>();
  w.template component<Force>();
  w.template component<Marked>();
}

// Calls `rows.operator()<L>()` for each library that CMake found.
template <class Function>
void for_each_library(Function rows) {
  rows.template operator()<kith_library>();
#ifdef KITH_BENCH_FLECS
  rows.template operator()<flecs_library>();
#endif
}

}  // namespace bench
