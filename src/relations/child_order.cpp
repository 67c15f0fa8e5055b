#include "relations/child_order.hpp"

#include <algorithm>

#include "base/make_room.hpp"

namespace kith::core {

void child_order::list::close_up() {
  if (!holes) return;
  std::erase(entities, entity_t{0});
  holes = 0;
  for (std::size_t i = 0; i < entities.size(); ++i) positions[entities[i]] = i;
}

void child_order::list::reserve(std::size_t count) {
  make_room(entities, count);
  make_room(positions, count);
}

void child_order::keep(std::uint32_t parent, std::span<const entity_t> children) {
  if (!is_kept(parent)) set(parent, children);
}

void child_order::reserve(std::uint32_t parent, std::size_t count) {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return;
  if (undo_) note_whole(parent);
  found.value()->reserve(count);
}

void child_order::reserve_keep(std::uint32_t parent, std::size_t count) {
  make_room(lists_, coming_.size() + 1);
  std::unique_ptr<list>& ready = coming_[parent];
  if (!ready) ready = std::make_unique<list>();
  ready->reserve(count);
}

void child_order::note_whole(std::uint32_t parent) {
  auto found = lists_.find(parent);
  std::unique_ptr<list> old;
  if (found != lists_.end()) {
    // A copy of the list undoes all later changes of it too, so one copy per log is enough.
    if (found->second->noted == undo_number_) return;
    old = std::make_unique<list>(*found->second);
  }
  undo_->push(
      [this, parent, other = std::move(old)](undo_way) mutable { exchange(parent, other); });
  if (found != lists_.end()) found.value()->noted = undo_number_;
}

void child_order::exchange(std::uint32_t parent, std::unique_ptr<list>& other) {
  std::unique_ptr<list> now;
  if (auto found = lists_.find(parent); found != lists_.end()) {
    now = std::move(found.value());
    if (!other) lists_.erase(found);
  }
  // If the list was there once, the map has room for it.
  if (other) lists_[parent] = std::move(other);
  other = std::move(now);
}

void child_order::forget(std::uint32_t parent) {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return;
  if (undo_) note_whole(parent);
  lists_.erase(found);
}

void child_order::set(std::uint32_t parent, std::span<const entity_t> children) {
  if (undo_) note_whole(parent);
  std::unique_ptr<list> fresh;
  if (auto ready = coming_.find(parent); ready != coming_.end()) {
    fresh = std::move(ready.value());
    coming_.erase(ready);
  }
  if (!fresh) fresh = std::make_unique<list>();
  fresh->entities.assign(children.begin(), children.end());
  for (std::size_t i = 0; i < children.size(); ++i) fresh->positions[children[i]] = i;
  fresh->noted = undo_number_;
  lists_[parent] = std::move(fresh);
}

void child_order::append(std::uint32_t parent, entity_t child) {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return;
  list& l = *found.value();
  make_room(l.entities);
  make_room(l.positions);
  if (undo_) undo_->reserve(1);
  put_last(l, child);
  if (undo_ && l.noted != undo_number_)
    undo_->push([this, parent, child](undo_way way) {
      list& changed = *lists_.at(parent);
      if (way == undo_way::again)
        put_last(changed, child);
      else
        take_out(changed, child);
    });
}

void child_order::take_out(list& l, entity_t child) {
  const auto position = l.positions.find(child);
  l.entities[position->second] = 0;
  l.positions.erase(position);
  if (++l.holes > l.entities.size() / 2) l.close_up();
}

void child_order::erase(std::uint32_t parent, entity_t child) {
  auto found = lists_.find(parent);
  if (found == lists_.end() || !found->second->positions.contains(child)) return;
  if (undo_) note_whole(parent);
  take_out(*found.value(), child);
}

std::span<const entity_t> child_order::children(std::uint32_t parent) const {
  auto found = lists_.find(parent);
  if (found == lists_.end()) return {};
  const std::lock_guard guard(closing_up_);
  found.value()->close_up();
  return found.value()->entities;
}

}  // namespace kith::core
