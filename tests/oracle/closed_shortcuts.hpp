// Switches off some shortcuts of the engine while an object lives; the answers must not change.
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
                         {"index", &shortcuts::index},        {"upkeep", &shortcuts::upkeep},
                         {"gathering", &shortcuts::gathering}};
    dice random(seed * 4 + 1);
    shortcuts open;
    const auto close = [&](const named& one) {
      open.*one.member = false;
      text_ += std::string(" ") + one.name;
    };
    if (seed % 4 == 3) {
      for (const named& one : all)
        if (random.chance(30)) close(one);
      open.chance = 1 + random.below(1'000'000);
      text_ += ", plans by chance " + std::to_string(open.chance);
    } else if (seed % 4) {
      close(all[random.below(std::size(all))]);
    }
    kith::core::open_shortcuts = open;
  }
  closed_shortcuts(const closed_shortcuts&) = delete;
  closed_shortcuts& operator=(const closed_shortcuts&) = delete;
  ~closed_shortcuts() { kith::core::open_shortcuts = {}; }

  const std::string& text() const { return text_; }

 private:
  std::string text_ = "without";
};

}  // namespace kith_oracle
