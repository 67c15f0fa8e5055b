// Worlds with some shortcuts of the engine switched off; the answers must not change.
//
// Of four seeds one keeps all shortcuts, two switch off a single one, and one switches off several
// and makes random plans.
#pragma once

#include <iterator>
#include <string>

#include "oracle/dice.hpp"
#include "query/plan/shortcuts.hpp"

namespace kith_oracle {

class closed_shortcuts {
 public:
  explicit closed_shortcuts(std::uint64_t seed) {
    using kith::core::shortcuts;
    struct named {
      const char* name;
      bool shortcuts::*member;
    };
    const named all[] = {{"lists", &shortcuts::lists},        {"scans", &shortcuts::scans},
                         {"batches", &shortcuts::batches},    {"proofs", &shortcuts::proofs},
                         {"reach", &shortcuts::reach},        {"tables", &shortcuts::tables},
                         {"index", &shortcuts::index},        {"rows", &shortcuts::rows},
                         {"upkeep", &shortcuts::upkeep},      {"repair", &shortcuts::repair},
                         {"gathering", &shortcuts::gathering}};
    dice random(seed * 4 + 1);
    const auto close = [&](const named& one) {
      open_.*one.member = false;
      text_ += std::string(" ") + one.name;
    };
    if (seed % 4 == 3) {
      for (const named& one : all)
        if (random.chance(30)) close(one);
      open_.chance = 1 + random.below(1'000'000);
      text_ += ", plans by chance " + std::to_string(open_.chance);
    } else if (seed % 4) {
      close(all[random.below(std::size(all))]);
    }
  }

  // The others.
  const kith::core::shortcuts& open() const { return open_; }
  const std::string& text() const { return text_; }

 private:
  kith::core::shortcuts open_;
  std::string text_ = "without";
};

}  // namespace kith_oracle
