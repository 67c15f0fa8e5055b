#include "storage/table_graph.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/make_room.hpp"
#include "base/scope_exit.hpp"

namespace kith::core {

table_graph::table_graph(id_index& ids) : ids_(ids) { create({}, hash_of({})); }

table_graph::~table_graph() {
  for (table* t : tables_)
    if (t) memory_.destroy(t);
}

std::uint64_t table_graph::hash_of(std::span<const id_t> ids) {
  std::uint64_t hash = 0;
  for (id_t id : ids) hash ^= mix(id);
  return hash;
}

table* table_graph::find(std::span<const id_t> ids) const {
  auto found = by_ids_.find(hash_of(ids));
  if (found == by_ids_.end()) return nullptr;
  for (table* t : found->second)
    if (std::ranges::equal(t->ids(), ids)) return t;
  return nullptr;
}

table& table_graph::find_or_create(std::vector<id_t> ids) {
  KITH_ASSERT(std::ranges::is_sorted(ids), "the ids of a table are ascending");
  if (table* t = find(ids)) return *t;
  const std::uint64_t hash = hash_of(ids);
  return create(std::move(ids), hash);
}

table& table_graph::create(std::vector<id_t> ids, std::uint64_t hash) {
  // The steps that can fail come first: room in every list that gets the table, then the table.
  std::vector<id_record*> records;
  std::vector<const type_info*> types;
  records.reserve(ids.size());
  types.reserve(ids.size());
  for (id_t id : ids) {
    records.push_back(ids_.find(id));
    types.push_back(records.back()->type());
    make_room(records.back()->tables);
  }
  make_room(made_);
  if (free_.empty()) {
    make_room(tables_);
    free_.reserve(tables_.capacity());
  }
  const auto number = free_.empty() ? static_cast<std::uint32_t>(tables_.size()) : free_.back();
  table& t = *memory_.make(table_id{number}, std::move(ids), types);
  scope_exit undo([&] {
    memory_.destroy(&t);
    if (const auto entry = by_ids_.find(hash); entry != by_ids_.end() && entry->second.empty())
      by_ids_.erase(entry);
  });
  t.positions().reserve(records.size());
  by_ids_[hash].push_back(&t);
  undo.dismiss();

  if (free_.empty()) {
    tables_.push_back(&t);
  } else {
    free_.pop_back();
    tables_[number] = &t;
  }
  made_.push_back(&t);
  for (id_record* record : records) {
    t.positions().push_back(static_cast<std::uint32_t>(record->tables.size()));
    record->tables.push_back(&t);
    ++record->group->table_uses;
  }
  return t;
}

void table_graph::erase(table& t) {
  KITH_ASSERT(t.size() == 0 && t.id().value != 0, "only an empty table can go");
  t.edges().each([&](id_t id, table* neighbour) { neighbour->edges().erase(id); });

  // The table leaves the list of each of its ids; the last table of the list takes its place.
  for (std::size_t i = 0; i < t.ids().size(); ++i) {
    id_record& record = *ids_.find(t.ids()[i]);
    const std::uint32_t position = t.positions()[i];
    table* last = record.tables.back();
    record.tables[position] = last;
    record.tables.pop_back();
    const auto in_last = std::ranges::lower_bound(last->ids(), record.id) - last->ids().begin();
    last->positions()[static_cast<std::size_t>(in_last)] = position;
    --record.group->table_uses;
  }

  const std::uint64_t hash = hash_of(t.ids());
  auto entry = by_ids_.find(hash);
  std::erase(entry.value(), &t);
  if (entry->second.empty()) by_ids_.erase(hash);
  const std::uint32_t number = t.id().value;
  tables_[number] = nullptr;
  memory_.destroy(&t);
  ++erasures_;
  made_.clear();
  free_.push_back(number);
}

table& table_graph::with(table& from, id_t id) {
  if (table* known = from.edges().find(id)) return *known;
  std::vector<id_t> ids(from.ids().begin(), from.ids().end());
  ids.insert(std::ranges::lower_bound(ids, id), id);
  table& to = find_or_create(std::move(ids));
  connect(from, to, id);
  return to;
}

table& table_graph::without(table& from, id_t id) {
  if (table* known = from.edges().find(id)) return *known;
  std::vector<id_t> ids(from.ids().begin(), from.ids().end());
  ids.erase(std::ranges::lower_bound(ids, id));
  table& to = find_or_create(std::move(ids));
  connect(to, from, id);
  return to;
}

void table_graph::connect(table& smaller, table& larger, id_t id) {
  smaller.edges().insert(id, &larger);
  scope_exit undo([&] { smaller.edges().erase(id); });
  larger.edges().insert(id, &smaller);
  undo.dismiss();
}

}  // namespace kith::core
