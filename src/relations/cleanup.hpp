// What else goes when an entity is deleted.
//
// First all entities that must go with it are found, along relations whose sources are deleted with
// their target (ChildOf). Then they go one by one, children before parents; each leaves with its name,
// its values, and every id made of it, wherever that id is.
#pragma once

#include <functional>

#include "entity/names.hpp"
#include "storage/store.hpp"

namespace kith::core {

class cleanup {
 public:
  cleanup(store& s, names& n) : store_(s), names_(n) {}

  // Deletes `e` and what depends on it. `leaving` is called for each before it goes.
  // Requires: `e` is alive and not built in.
  void destroy(entity_t e, const std::function<void(entity_t)>& leaving);

 private:
  // `e` and all that go with it, parents before children.
  std::vector<entity_t> doomed(entity_t e) const;
  // Takes every id made of `e` away from all entities.
  void forget_ids_of(entity_t e);

  store& store_;
  names& names_;
};

}  // namespace kith::core
