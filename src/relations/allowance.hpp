// What a text of facts may still do. Whatever creates entities asks it before, so that a statement
// that would create very many ends early.
#pragma once

#include <chrono>
#include <cstddef>

#include <kith/detail/budget.hpp>

namespace kith::core {

class allowance {
 public:
  using clock = std::chrono::steady_clock;

  explicit allowance(const budget& b) : given_(b), began_(clock::now()) {}

  // An error if so many more entities are too many, or if time is up.
  void check(std::size_t entities) {
    if (given_.entities && entities > given_.entities - created_) raise_entities();
    if (given_.seconds > 0 && ++asked_ % asked_per_look == 0) look();
  }
  // So many entities are about to be created.
  void spend(std::size_t entities) {
    check(entities);
    created_ += entities;
  }

 private:
  // So many questions take far less than a tenth of a second.
  static constexpr std::size_t asked_per_look = 256;

  void look() const;
  [[noreturn]] void raise_entities() const;

  budget given_;
  clock::time_point began_;
  std::size_t created_ = 0;
  std::size_t asked_ = 0;
};

}  // namespace kith::core
