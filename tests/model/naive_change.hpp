// One change of the naive world with its consequences, made on a copy.
//
// The change adds and removes what the caller asks for, then what follows from that, until nothing
// more follows. If the result is an error, the copy is discarded.
#pragma once

#include "model/naive_world.hpp"

namespace kith_model {

// The source of the value of a new id. Without a value or a copy it is the inherited value, or else
// the default.
struct wanted {
  std::optional<int> value = std::nullopt;
  number copy_of = 0;  // copy the value that this entity owns
  // For (IsA, base): whether overrides are copied and children are made.
  bool overrides = true;
  bool instantiates = true;
};

class naive_change {
 public:
  explicit naive_change(naive_world& w) : world_(w), before_(w), after_(w) {}

  void include(number e, const naive_id& id, const wanted& how = {});
  void exclude(number e, const naive_id& id);
  // A new entity, which exists if the change succeeds.
  number make() { return after_.make(); }

  // The errors; if there are none, the change has been made.
  faults finish();

 private:
  struct place {
    number e;
    naive_id id;
    friend auto operator<=>(const place&, const place&) = default;
  };
  struct addition {
    place where;
    wanted how;
  };

  std::optional<int> value_for(number e, const naive_id& id, const wanted& how);
  void follow(number e, const naive_id& id, const wanted& how);
  void follow_plain(number e, number id);
  void mirror_all(number relation);
  void become_kind_of(number e, number base, const wanted& how);
  void copy_children(number original, number copy);

  void settle_names();
  void settle_order();
  void check_targets_stay();
  void check_traits();
  void check_prefabs();
  void refuse() { wrong_.insert(kith::errc::constraint); }
  void refuse(const faults& why) { wrong_.insert(why.begin(), why.end()); }

  naive_world& world_;
  const naive_world& before_;
  naive_world after_;
  std::vector<addition> additions_;
  std::set<place> added_, removed_;
  faults wrong_;
};

}  // namespace kith_model
