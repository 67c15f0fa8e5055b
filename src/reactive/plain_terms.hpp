// Queries whose rows can be read off the ids of their entity: `Position, !Frozen, ?Health`.
//
// Each entity is one row or none, and which it is follows from whether it owns fixed ids. So an
// observer of such a query is told of the change of one id without a second evaluation: before the
// change one look says whether the row is there, and after it another one does.
#pragma once

#include <optional>
#include <vector>

#include "query/exec/meaning.hpp"

namespace kith::core {

struct plain_terms {
  struct field {
    id_t id = 0;  // 0: a Not, which shows nothing
    bool shows_value = false;
    const checked_term* term = nullptr;  // of the query
  };
  std::vector<id_t> required;
  std::vector<id_t> forbidden;  // also the ids that hide an entity
  std::vector<field> fields;

  bool requires_id(id_t id) const;
  bool forbids(id_t id) const;
  bool shows_value_of(id_t id) const;
  // Is the entity a row? Requires: it has no bases.
  bool match(const store& s, const entity_record& r) const;
};

// Does an entity without bases show the id?
inline bool shows_owned(const store& s, const entity_record& r, id_t id) {
  return s.owns(r, id) && !s.is_off(r, id);
}

// Nothing if the query is not of this kind.
std::optional<plain_terms> plain_terms_of(const checked_query& q, meaning& m);

}  // namespace kith::core
