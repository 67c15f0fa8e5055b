// Which entity stands for which C++ type in one world.
#pragma once

#include <string>
#include <vector>

#include <kith/detail/id.hpp>

#include "base/hash_map.hpp"
#include "base/undo_log.hpp"

namespace kith::core {

class components {
 public:
  // By type slot (type_slot); 0: the type is not registered. Valid until `make_room`.
  std::span<entity_t> by_slot() { return by_slot_; }
  void make_room(std::uint32_t slot) {
    if (slot >= by_slot_.size()) by_slot_.resize(slot + 1);
  }
  // The component whose C++ type has this qualified name, or 0.
  entity_t find(const std::string& symbol) const {
    const auto found = by_symbol_.find(symbol);
    return found == by_symbol_.end() ? 0 : found->second;
  }
  bool stands_for_type(entity_t e) const { return symbols_.contains(index_of(e)); }

  // From now on `e` stands for the C++ type of that slot and name. `undo`: null, or where the way
  // back is noted.
  void insert(std::uint32_t slot, entity_t e, const std::string& symbol, undo_log* undo);
  // `e` is deleted.
  void erase(entity_t e, undo_log* undo);

 private:
  struct registration {
    entity_t e;
    std::uint32_t slot;
    std::string symbol;
  };
  // All or nothing.
  void put(const registration& r);
  void take(const registration& r) noexcept;

  std::vector<entity_t> by_slot_;
  hash_map<std::string, entity_t, std::hash<std::string>> by_symbol_;
  hash_map<std::uint32_t, std::string> symbols_;  // by entity index
};

}  // namespace kith::core
