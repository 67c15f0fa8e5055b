#include "storage/gathered_rows.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

gathered_rows::gathered_rows(const core::store& store, std::uint32_t relation)
    : relation_(relation) {
  const id_record* const first_pair = store.ids().first_of_relation(relation);
  if (!first_pair) return;
  std::uint32_t highest = lowest_ = target_of(first_pair->id);
  for (const id_record* pair = first_pair; pair; pair = pair->next_of_relation) {
    lowest_ = std::min(lowest_, target_of(pair->id));
    highest = std::max(highest, target_of(pair->id));
  }
  constexpr std::size_t most_rows = std::size_t{1} << 31;
  const std::size_t uses = first_pair->group->table_uses, most = std::min(tiny * uses, most_rows);
  if (highest - lowest_ > most) return;

  // Touching new memory takes longer than the rest, so a match is kept small.
  struct match {
    std::uint32_t target, row;
  };
  std::vector<match> found;
  found.reserve(uses);
  std::vector<std::uint32_t> ends(highest - lowest_ + std::size_t{2});
  bool few = true;
  store.tables().each([&](const table& t) {
    if (!t.size() || !few) return;
    const std::span<const id_t> pairs = t.ids_in(t.pairs_of(relation));
    few = found.size() + pairs.size() * t.size() <= most;
    if (!few) return;
    for (id_t pair : pairs) {
      const std::uint32_t target = target_of(pair) - lowest_;
      ends[target] += t.size();
      for (entity_t e : t.entities()) found.push_back({target, index_of(e)});
    }
  });
  if (!few) return;
  // Counting sort: `ends` has the number of rows per target, then where the rows of each target
  // end. Filling them in from the last one down turns it into where they begin.
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends) end = sum += end;
  rows_.resize(sum);
  for (std::size_t i = found.size(); i-- > 0;)
    rows_[--ends[found[i].target]] = store.entities().alive_at(found[i].row);
  first_ = std::move(ends);
}

}  // namespace kith::core
