#include "storage/id_record.hpp"

#include "base/assert.hpp"
#include "base/scope_exit.hpp"

namespace kith::core {

namespace {

id_record* head_of(const hash_map<std::uint32_t, id_record*>& heads, std::uint32_t index) {
  auto found = heads.find(index);
  return found == heads.end() ? nullptr : found->second;
}

// Puts `record` in front of the list that starts at heads[index].
void link(hash_map<std::uint32_t, id_record*>& heads, std::uint32_t index, id_record& record,
          id_record* id_record::*next, id_record* id_record::*previous) {
  id_record*& head = heads[index];
  record.*next = head;
  if (head) head->*previous = &record;
  head = &record;
}

void unlink(hash_map<std::uint32_t, id_record*>& heads, std::uint32_t index, id_record& record,
            id_record* id_record::*next, id_record* id_record::*previous) {
  if (record.*next) record.*next->*previous = record.*previous;
  if (record.*previous)
    record.*previous->*next = record.*next;
  else if (record.*next)
    heads[index] = record.*next;
  else
    heads.erase(index);
}

}  // namespace

id_index::~id_index() {
  for (const auto& [id, record] : records_) memory_.destroy(record);
}

id_record& id_index::insert(id_t id, const type_info* type) {
  KITH_ASSERT(!find(id), "an id has one record");
  id_record& record = *memory_.make(id, type, &group_of(id));
  scope_exit undo([&] { memory_.destroy(&record); });
  records_[id] = &record;
  undo.dismiss();
  ++record.group->ids;
  if (is_pair(id)) {
    link(relations_, relation_of(id), record, &id_record::next_of_relation,
         &id_record::previous_of_relation);
    link(targets_, target_of(id), record, &id_record::next_of_target,
         &id_record::previous_of_target);
    if (!record.next_of_relation) ++relations_version_;
  }
  return record;
}

void id_index::erase(id_record& record) {
  KITH_ASSERT(record.tables.empty() && record.pool.size() == 0, "the id is still in use");
  const id_t id = record.id;
  --record.group->ids;
  if (is_pair(id)) {
    if (!record.next_of_relation && !record.previous_of_relation) ++relations_version_;
    unlink(relations_, relation_of(id), record, &id_record::next_of_relation,
           &id_record::previous_of_relation);
    unlink(targets_, target_of(id), record, &id_record::next_of_target,
           &id_record::previous_of_target);
  }
  records_.erase(id);
  if (last_ == &record) last_ = nullptr;
  memory_.destroy(&record);
}

id_record* id_index::first_of_relation(std::uint32_t relation) const {
  return head_of(relations_, relation);
}

id_record* id_index::first_of_target(std::uint32_t target) const {
  return head_of(targets_, target);
}

id_group& id_index::group_of(id_t id) {
  auto& group = groups_[group_key(id)];
  if (!group) {
    group = std::make_unique<id_group>();
    group->key = group_key(id);
  }
  return *group;
}

const id_group* id_index::find_group(id_t id) const {
  auto found = groups_.find(group_key(id));
  return found == groups_.end() ? nullptr : found->second.get();
}

}  // namespace kith::core
