#include "storage/component_types.hpp"

#include <algorithm>
#include <iterator>

#include "base/assert.hpp"

namespace kith::core {

const type_info& component_types::insert(entity_t component, const type_desc& desc) {
  KITH_ASSERT(desc.size > 0, "a type without members is a tag");
  KITH_ASSERT(!find(index_of(component)), "an entity stands for one type");
  auto type = std::make_unique<type_info>(desc, component);
  make_room(retired_, types_.size() + 1);
  return *(types_[index_of(component)] = std::move(type));
}

void component_types::erase(std::uint32_t component_index) {
  if (auto found = types_.find(component_index); found != types_.end()) {
    retired_.push_back(std::move(found.value()));
    types_.erase(found);
  }
  pair_is_tag_.erase(component_index);
}

void component_types::restore(const type_info* type) {
  // It is mostly the one that was erased last.
  const auto found =
      std::ranges::find(retired_.rbegin(), retired_.rend(), type, &std::unique_ptr<type_info>::get);
  types_[index_of(type->component)] = std::move(*found);
  retired_.erase(std::prev(found.base()));
}

const type_info* component_types::find(std::uint32_t index) const {
  auto found = types_.find(index);
  return found == types_.end() ? nullptr : found->second.get();
}

const type_info* component_types::type_of(id_t id) const {
  if (!is_pair(id)) return find(index_of(id));
  if (pair_is_tag_.contains(relation_of(id))) return nullptr;
  if (const type_info* type = find(relation_of(id))) return type;
  return find(target_of(id));
}

void component_types::set_pair_is_tag(std::uint32_t relation, bool on) {
  if (on)
    pair_is_tag_[relation] = true;
  else
    pair_is_tag_.erase(relation);
}

}  // namespace kith::core
