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

}  // namespace kith::test
