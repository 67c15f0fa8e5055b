// Which results of a query can change when facts change.
//
// A fact that came or went can make a term hold, or hold no more, only for certain values of its
// variables: `(Likes, bob)` of alice matters to `Likes($x, $y)` where $x is alice and $y is bob. A
// result that came or went for that reason has these values. So the results with these values are
// found anew and compared with those that were kept, whatever else the query says.
//
//   Likes($x, $y), !Enemy($y, $z)    alice gained (Likes, bob)      $x = alice, $y = bob
//                                    bob lost (Enemy, eve)          $y = bob
//
// Where a term follows relations, the change of one step matters to all that walk over it. A
// variable of a Not, or one that may stay unset, is left out of the values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/exec/meaning.hpp"

namespace kith::core {

// An id that an entity gained, lost or switched. Id 0: the entity began or ended.
struct changed_fact {
  entity_t entity;
  id_t id;
  friend auto operator<=>(const changed_fact&, const changed_fact&) = default;
};

// Values of some slots: by index, for the entity may have ended since.
struct slot_value {
  slot_index slot;
  std::uint32_t index;
  friend auto operator<=>(const slot_value&, const slot_value&) = default;
};
using partial_result = std::vector<slot_value>;  // ascending by slot, each slot once

// The partial results such that each result that came or went because of these facts contains one
// of them. Nothing: any result may be affected, or there are more than `most`.
std::optional<std::vector<partial_result>> affected_results(const checked_query& q, meaning& m,
                                                            std::span<const changed_fact> facts,
                                                            std::size_t most);

}  // namespace kith::core
