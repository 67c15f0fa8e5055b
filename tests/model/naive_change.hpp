// One change of the naive world with all that follows from it, tried on a copy.
//
// First what is asked for, then what follows from each part of it until nothing more does. If something
// is wrong with the outcome the copy is thrown away.
#pragma once

#include "model/naive_world.hpp"

namespace kith_model {

// Where the value of a new id comes from. If nothing is said: from what is inherited, else the default.
struct wanted {
  std::optional<int> value = std::nullopt;
  number copy_of = 0;  // the value that this entity owns
  // Of (IsA, base): what else becoming a kind brings.
  bool overrides = true;
  bool instantiates = true;
};

class naive_change {
 public:
  explicit naive_change(naive_world& w) : world_(w), before_(w), after_(w) {}

  void include(number e, const naive_id& id, const wanted& how = {});
  void exclude(number e, const naive_id& id);
  // A new entity that is there if all goes well.
  number make() { return after_.make(); }

  // What is wrong; if nothing is, the change has happened.
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
