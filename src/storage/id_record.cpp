#include "storage/id_record.hpp"

#include "base/assert.hpp"

namespace kith::core {

namespace {

// Puts `record` in front of the list whose head is in `heads`.
template <class Heads>
void link(Heads& heads, id_record& record, id_record* id_record::*next,
          id_record* id_record::*previous) {
  id_record* const second = heads.put(record);
  record.*next = second;
  if (second) second->*previous = &record;
}

template <class Heads, class Key>
void unlink(Heads& heads, Key key, id_record& record, id_record* id_record::*next,
            id_record* id_record::*previous) {
  if (record.*next) record.*next->*previous = record.*previous;
  if (record.*previous)
    record.*previous->*next = record.*next;
  else if (record.*next)
    heads.put(*(record.*next));
  else
    heads.erase(key);
}

}  // namespace

id_index::~id_index() {
  for (id_record* record : records_) memory_.destroy(record);
}

id_record& id_index::insert(id_t id, const type_info* type) {
  KITH_ASSERT(!find(id), "an id has one record");
  // The steps that can fail come first.
  records_.make_room();
  if (is_pair(id)) {
    relations_.make_room();
    targets_.make_room();
  }
  id_group& group = group_of(id);
  id_record& record = *memory_.make(id, type, &group);
  if (group.fixed) record.pool.fix_addresses();
  records_.put(record);
  ++record.group->ids;
  if (is_pair(id)) {
    link(relations_, record, &id_record::next_of_relation, &id_record::previous_of_relation);
    link(targets_, record, &id_record::next_of_target, &id_record::previous_of_target);
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

id_group& id_index::group_of(id_t id) {
  const id_t key = group_key(id);
  if (const auto found = groups_.find(key); found != groups_.end()) return *found->second;
  auto group = std::make_unique<id_group>();
  group->key = key;
  return *(groups_[key] = std::move(group));
}

std::unique_ptr<id_group> id_index::take_group(id_t key) {
  const auto found = groups_.find(key);
  if (found == groups_.end()) return nullptr;
  KITH_ASSERT(found->second->ids == 0, "a group with records stays where it is");
  std::unique_ptr<id_group> group = std::move(found.value());
  groups_.erase(found);
  return group;
}

void id_index::put_group(std::unique_ptr<id_group> group) {
  if (!group) return;
  KITH_ASSERT(!groups_.contains(group->key), "an id belongs to one group");
  groups_[group->key] = std::move(group);
}

id_group* id_index::find_group(id_t id) const {
  auto found = groups_.find(group_key(id));
  return found == groups_.end() ? nullptr : found->second.get();
}

}  // namespace kith::core
