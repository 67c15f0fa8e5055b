#include "relations/cleanup.hpp"

#include "relations/traits.hpp"

namespace kith::core {

std::vector<entity_t> cleanup::doomed(entity_t e) const {
  std::vector<entity_t> list{e};
  hash_map<std::uint32_t, bool> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::uint32_t index = index_of(list[i]);
    if (!store_.entities().at_index(index).referenced) continue;
    for (const id_record* record = store_.ids().first_of_target(index); record;
         record = record->next_of_target) {
      if (!(record->group->traits & delete_with_target)) continue;
      if (seen.empty()) seen[index_of(e)] = true;
      store_.each(*record, [&](entity_t source) {
        if (seen.try_emplace(index_of(source), true).second) list.push_back(source);
      });
    }
  }
  return list;
}

void cleanup::forget_ids_of(entity_t e) {
  const std::uint32_t index = index_of(e);
  if (id_record* record = store_.ids().find(e)) store_.purge(*record);
  while (id_record* record = store_.ids().first_of_relation(index)) store_.purge(*record);
  while (id_record* record = store_.ids().first_of_target(index)) store_.purge(*record);
  store_.ids().erase_group(e);
  store_.ids().erase_group(make_pair_of(index, 0));
  store_.types().erase(index);
}

void cleanup::destroy(entity_t e, const std::function<void(entity_t)>& leaving) {
  const std::vector<entity_t> list = doomed(e);
  for (std::size_t i = list.size(); i-- > 0;) {
    const entity_t going = list[i];
    leaving(going);
    const entity_record& r = *store_.entities().find(going);
    if (r.named) names_.erase(going);
    if (r.referenced) forget_ids_of(going);
    store_.destroy(going);
  }
}

}  // namespace kith::core
