// Short forms of calls of the store.
#pragma once

#include <span>
#include <vector>

#include "storage/store.hpp"

namespace kith::test {

inline void lose(core::store& s, entity_t e, std::span<const id_t> ids) {
  const core::entity_change c{.entity = e, .lost = ids};
  s.carry_out({&c, 1});
}

inline void lose_all(core::store& s, entity_t e) { lose(s, e, s.owned_ids(*s.entities().find(e))); }

// All entities lose the ids made of `e`.
inline void forget_ids_of(core::store& s, entity_t e) { s.delete_all({}, s.records_made_of(e)); }

}  // namespace kith::test
