#include "relations/child_order.hpp"

#include <algorithm>

namespace kith::core {

void child_order::list::close_up() {
  if (!holes) return;
  std::erase(entities, entity_t{0});
  holes = 0;
  for (std::size_t i = 0; i < entities.size(); ++i) positions[entities[i]] = i;
}

void child_order::keep(std::uint32_t parent, std::span<const entity_t> children) {
  if (!is_kept(parent)) set(parent, children);
}

void child_order::set(std::uint32_t parent, std::span<const entity_t> children) {
  list fresh;
  fresh.entities.assign(children.begin(), children.end());
  for (std::size_t i = 0; i < children.size(); ++i) fresh.positions[children[i]] = i;
  lists_[parent] = std::move(fresh);
}

void child_order::append(std::uint32_t parent, entity_t child) {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return;
  list& l = found.value();
  l.positions[child] = l.entities.size();
  l.entities.push_back(child);
}

void child_order::erase(std::uint32_t parent, entity_t child) {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return;
  list& l = found.value();
  auto position = l.positions.find(child);
  if (position == l.positions.end()) return;
  l.entities[position->second] = 0;
  l.positions.erase(position);
  if (++l.holes > l.entities.size() / 2) l.close_up();
}

std::span<const entity_t> child_order::children(std::uint32_t parent) const {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return {};
  found.value().close_up();
  return found.value().entities;
}

}  // namespace kith::core
