// How much more work a plan does than the best order of its variables would have done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plans/skewed_world.hpp"

namespace kith_plans {

struct regret {
  std::string query;
  std::string plan;  // of the chosen order, with rows
  std::string best_plan;
  std::uint64_t chosen = 0;  // work of the plan that the planner chose
  std::uint64_t best = 0;    // the least work of the orders that were tried
  std::size_t orders = 0;    // how many were tried
  std::size_t results = 0;
  bool measured = false;  // false: every order takes too much work
  bool agree = true;      // all orders had the same number of results

  // Very little work is never a regret.
  double ratio() const {
    constexpr double little = 64;
    return (static_cast<double>(chosen) + little) / (static_cast<double>(best) + little);
  }
};

// Runs a query by the order that the planner chooses, and by all others, or by `tries` random ones
// if there are more than that. Work beyond `most` is not done.
regret measure(skewed_world& world, const std::string& query, std::uint64_t seed, std::size_t tries,
               std::uint64_t most);

}  // namespace kith_plans
