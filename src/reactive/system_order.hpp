// The order in which the systems of a frame run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kith/detail/error.hpp>
#include <kith/detail/id.hpp>

namespace kith::core {

struct placed_system {
  entity_t system = 0;
  std::string name;
  std::size_t phase = 0;     // its place among the phases
  std::string phase_name;    // empty: it has none
  std::uint64_t number = 0;  // of the system that was made first it is the lowest
  std::vector<entity_t> before, after;
};

// Systems by phase; those of a phase as `before` and `after` say, and else as they were made.
// Returns places in `systems`. A contradiction is an error that names the systems on the way.
// Systems that `before` and `after` name and that are not among `systems` do not count.
result<std::vector<std::size_t>> order_systems(const std::vector<placed_system>& systems);

// (a, b): system `a` shall run before `b`.
std::vector<std::pair<std::size_t, std::size_t>> declared_order(
    const std::vector<placed_system>& systems);

// Phases behind those that they depend on. Built-in ones, which come first in `phases`, keep their
// order; another one comes as soon as it can, behind those that were made before it.
// `depends_on[n]`: places of the phases that phase `n` depends on.
std::vector<std::size_t> order_phases(const std::vector<entity_t>& phases,
                                      const std::vector<std::vector<std::size_t>>& depends_on);

}  // namespace kith::core
