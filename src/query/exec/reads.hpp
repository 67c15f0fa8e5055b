// What the answer to a query depends on, as a value. Caches watch it (cache/read_watch.hpp).
//
// A query reads groups of ids: those its terms name, their kinds, the relations its flags follow,
// IsA, and the ids that hide $this. A query that asks for any predicate reads everything. Beyond
// ids an answer can depend on names, on whether named entities live, and on which entities there
// are.
#pragma once

#include <string>
#include <vector>

#include "query/exec/meaning.hpp"

namespace kith::core {

struct reads {
  std::vector<id_t> groups;     // keys of group_key, each once
  std::vector<entity_t> named;  // entities whose end makes another answer
  // Those of `groups` along which a predicate is replaced: a change of them changes `groups`.
  std::vector<id_t> leading;
  bool all_ids = false;
  bool names = false;
  bool life = false;  // which entities there are

  void add_group(id_t group);
};

// Kinds are those of this moment; IsA is among the groups.
reads reads_of(const checked_query& q, meaning& m);

std::string to_text(const reads& r, const graph& g);

}  // namespace kith::core
