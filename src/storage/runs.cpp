#include "storage/runs.hpp"

#include <algorithm>

namespace kith::core {

entity_t first_owner(const id_record& record) {
  runs all(record);
  for (run r; all.next(r);)
    if (!r.entities.empty()) return r.entities.front();
  return 0;
}

located_value values_of(const store& s, const run& r, id_t id) {
  if (r.in) {
    const column* c = r.in->find_column(id);
    return c ? located_value{c->type, c->slot(r.first), &c->writes} : located_value();
  }
  const id_record* record = r.of ? s.ids().find(id) : nullptr;
  if (!record || &record->pool != r.of || !r.of->type() || !r.of->is_dense()) return {};
  return {r.of->type(), r.of->slot(r.first), &r.of->writes()};
}

namespace {

double count_roughly(const id_record& record) {
  // Counts a sample of tables, spread over old and new ones, and takes the rest to be like them.
  constexpr std::size_t sample = 16;
  std::size_t rows = 0, tables = std::min(record.tables.size(), sample);
  for (std::size_t i = 0; i < tables; ++i)
    rows += record.tables[i * record.tables.size() / tables]->size();
  double all = static_cast<double>(rows);
  if (tables && tables < record.tables.size())
    all *= static_cast<double>(record.tables.size()) / static_cast<double>(tables);
  return all + record.pool.size();
}

}  // namespace

double count_roughly(const store& s, id_t pattern) {
  if (!is_pair(pattern) || !is_wildcard(target_of(pattern))) {
    const id_record* record = s.ids().find(pattern);
    return record ? count_roughly(*record) : 0;
  }
  const id_group* group = s.ids().find_group(pattern);
  if (!group) return 0;
  if (group->where == id_group::place::pools) return group->pool_rows;
  constexpr int sample = 16;
  double sum = 0;
  int seen = 0;
  for (const id_record* pair = s.ids().first_of_relation(relation_of(pattern));
       pair && seen < sample; pair = pair->next_of_relation, ++seen)
    sum += count_roughly(*pair);
  return seen ? sum * group->ids / seen : 0;
}

// A table with several pairs of the relation is listed for each of them, but occurs once among all
// tables.
bool list_owners_of_any(const store& s, std::uint32_t relation, std::vector<entity_t>& out) {
  const id_group* group = s.ids().find_group(make_pair_of(relation, 0));
  if (!group || differs_within_tables(*group) || group->table_uses <= s.tables().size())
    return false;
  s.tables().each([&](const table& t) {
    if (t.size() && t.pairs_of(relation).count)
      out.insert(out.end(), t.entities().begin(), t.entities().end());
  });
  return true;
}

}  // namespace kith::core
