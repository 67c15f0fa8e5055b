#include "query/exec/gathered_rows.hpp"

#include <utility>

namespace kith::core {

gathered_rows::gathered_rows(const store& facts, std::uint32_t relation) : relation_(relation) {
  // New memory takes longer than the rest, so it is kept small.
  struct match {
    std::uint32_t target, row;
  };
  const entity_index& entities = facts.entities();
  std::vector<match> found;
  if (const id_group* group = facts.ids().find_group(make_pair_of(relation, 0)))
    found.reserve(group->table_uses);
  std::vector<std::uint32_t> ends(entities.limit() + std::size_t{1});
  facts.tables().each([&](const table& t) {
    if (!t.size()) return;
    for (id_t pair : t.ids_in(t.pairs_of(relation))) {
      ends[target_of(pair)] += t.size();
      for (entity_t e : t.entities()) found.push_back({target_of(pair), index_of(e)});
    }
  });
  // How many each target has becomes where they end, and, as they are filled in from the last on, where they begin.
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends) end = sum += end;
  rows_.resize(sum);
  for (std::size_t i = found.size(); i-- > 0;)
    rows_[--ends[found[i].target]] = entities.alive_at(found[i].row);
  first_ = std::move(ends);
}

}  // namespace kith::core
