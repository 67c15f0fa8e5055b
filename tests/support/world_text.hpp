// Prints a world: all that a user can see of every entity, one line each.
//
//   e256 ship: Position=3, Npc, -(Likes, bob)        an id that is off has a minus
#pragma once

#include <map>
#include <string>

#include <kith/kith.hpp>

namespace kith::test {

class world_text {
 public:
  // Shows values of T by their value().
  template <class T>
  void show(kith::world& w) {
    printers_[w.component<T>().id()] = [](const void* value) {
      return std::to_string(static_cast<const T*>(value)->value());
    };
  }

  std::string of(kith::world& w) const;
  std::string of(kith::entity e) const;

 private:
  std::map<entity_t, std::string (*)(const void*)> printers_;
};

}  // namespace kith::test
