// Values that know whether a call gave them.
//
// Each value that is made gets a stamp that no other value has. A copy was given by a call; a
// default value was not. Moves keep both, so a value that was written can be told from one that
// only moved.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <kith/kith.hpp>

namespace kith_oracle {

struct stamped {
  std::int64_t stamp = 0;
  std::int32_t number = 0;  // a text of facts can give it; 0 in default values
  bool is_copy = false;
  std::uint8_t noise = 0;  // is written without a report
  bool is_given() const { return is_copy || number; }
};

kith::component_desc stamped_component(std::string_view name);

// Constructs a value that a call gives.
kith::core::value_source given_value();

// The stamps of all values of user entities, by entity and id.
struct known_value {
  std::int64_t stamp = 0;
  std::int32_t number = 0;
  bool is_given = false;
  bool is_same(const known_value& other) const {
    return stamp == other.stamp && number == other.number;
  }
};
using value_place = std::pair<kith::entity_t, kith::id_t>;
using known_values = std::map<value_place, known_value>;
known_values values_of(kith::world& world);

}  // namespace kith_oracle
