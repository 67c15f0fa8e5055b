// What a system may queue that has declared what it changes.
#pragma once

#include <string>
#include <vector>

#include "entity/commands.hpp"
#include "entity/names.hpp"
#include "storage/store.hpp"

namespace kith::core {

class command_gate {
 public:
  // `may_create`: entities may begin. `listed`: ids that may be queued; an id stands for its pairs.
  command_gate(const store& s, const names& n, std::string system, std::vector<id_t> listed,
               bool may_create)
      : store_(s),
        names_(n),
        system_(std::move(system)),
        listed_(std::move(listed)),
        may_create_(may_create) {}

  bool may_create() const { return may_create_; }
  // Raise an error if it is not declared.
  void check(const command& c) const;
  void check_creation() const;
  // Something happens at once that is no command.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  const store& store_;
  const names& names_;
  std::string system_;
  std::vector<id_t> listed_;
  bool may_create_;
};

// Does `listed`, which stands for its pairs too, contain all ids that an id or a pattern names?
bool stands_for_all(id_t listed, id_t id);

}  // namespace kith::core
