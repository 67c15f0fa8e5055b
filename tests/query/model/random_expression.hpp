// Random expressions that a text can express.
#pragma once

#include <random>

#include "query/model/expression.hpp"

namespace kith::test {

class random_expressions {
 public:
  explicit random_expressions(std::uint32_t seed) : random_(seed) {}

  core::expression next();

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool chance(std::size_t percent) { return below(100) < percent; }
  std::string name();
  core::entity_name entity();
  core::walk walk();
  core::substitution flags();
  core::ref ref(bool with_flags = true);
  core::ref right();
  core::expression expression(std::size_t depth);
  core::term term(std::size_t depth);

  std::mt19937 random_;
};

}  // namespace kith::test
