#include "entity/commands.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

#include "base/make_room.hpp"
#include "base/scope_exit.hpp"
#include "entity/command_gate.hpp"

namespace kith::core {

namespace {
constexpr std::size_t chunk_size = std::size_t{1} << 14;
}

void command_queue::swap(command_queue& other) noexcept {
  commands_.swap(other.commands_);
  texts_.swap(other.texts_);
  lists_.swap(other.lists_);
  chunks_.swap(other.chunks_);
  std::swap(used_, other.used_);
  last_change_.swap(other.last_change_);
  last_of_relation_.swap(other.last_of_relation_);
  last_emptied_.swap(other.last_emptied_);
  sweeping_.swap(other.sweeping_);
  std::swap(indexed_, other.indexed_);
}

void command_queue::check(const command& c) const { gate_->check(c); }

void command_queue::push_name(entity_t e, std::string_view name) {
  if (gate_) check({.what = command::kind::set_name, .entity = e});
  make_room(commands_);
  texts_.emplace_back(name);
  command c{.what = command::kind::set_name, .entity = e};
  c.text = static_cast<std::uint32_t>(texts_.size() - 1);
  commands_.push_back(c);
}

void command_queue::push_order(entity_t parent, std::span<const entity_t> children) {
  if (gate_) check({.what = command::kind::order_children, .entity = parent});
  make_room(commands_);
  lists_.emplace_back(children.begin(), children.end());
  command c{.what = command::kind::order_children, .entity = parent};
  c.list = static_cast<std::uint32_t>(lists_.size() - 1);
  commands_.push_back(c);
}

void* command_queue::push_value(entity_t e, id_t id, const type_info& type,
                                const value_source& source) {
  if (gate_) check({.what = command::kind::set, .entity = e, .id = id});
  void* slot = allocate(type.slot_size(), type.slot_alignment());
  if (source.construct)
    source.construct(slot, source.context);
  else
    construct_default(type, slot);
  scope_exit undo([&] { destroy(type, slot, 1); });
  commands_.push_back({.what = command::kind::set,
                       .is_default = source.is_default || !source.construct,
                       .entity = e,
                       .id = id,
                       .type = &type,
                       .slot = slot});
  undo.dismiss();
  return slot;
}

void command_queue::push_event(entity_t e, entity_t event, std::span<const id_t> ids,
                               const type_info* type, const value_source& payload) {
  if (gate_) check({.what = command::kind::emit, .entity = e, .id = event});
  std::vector<entity_t> list{event};
  list.insert(list.end(), ids.begin(), ids.end());
  make_room(commands_);
  make_room(lists_);
  command c{.what = command::kind::emit, .entity = e, .id = event, .type = type};
  if (type) {
    c.slot = allocate(type->slot_size(), type->slot_alignment());
    payload.construct(c.slot, payload.context);
  }
  c.list = static_cast<std::uint32_t>(lists_.size());
  lists_.push_back(std::move(list));
  commands_.push_back(c);
}

command_queue::outlook command_queue::outlook_for(entity_t e, id_t id, bool exclusive) {
  using kind = command::kind;
  for (; indexed_ < commands_.size(); ++indexed_) {
    const command& c = commands_[indexed_];
    if (c.what == kind::set || (c.what == kind::remove && !has_wildcard(c.id)))
      last_change_[{c.entity, c.id}] = indexed_;
    if (is_pair(c.id) && (c.what == kind::set || c.what == kind::add))
      last_of_relation_[{c.entity, make_pair_of(relation_of(c.id), 0)}] = indexed_;
    if (c.what == kind::clear || c.what == kind::destroy)
      last_emptied_[c.entity] = indexed_;
    else if (c.what == kind::remove || c.what == kind::remove_from_all ||
             c.what == kind::delete_with)
      sweeping_.push_back(indexed_);
  }

  const auto change = last_change_.find({e, id});
  const auto emptied = last_emptied_.find(e);
  const bool changed = change != last_change_.end();
  const std::size_t at = changed ? change->second : 0;
  // Positions count from 1 here, so that 0 is before all commands.
  const std::size_t since = changed ? at + 1 : 0;
  if (emptied != last_emptied_.end() && emptied->second + 1 > since) return {{}, true};
  for (auto s = sweeping_.rbegin(); s != sweeping_.rend() && *s + 1 > since; ++s) {
    const command& c = commands_[*s];
    const bool everyone = c.what != kind::remove;
    if ((everyone || c.entity == e) && matches(id, c.id)) return {{}, true};
  }
  if (exclusive) {
    // Another target that comes later takes the place of this one.
    const auto other = last_of_relation_.find({e, make_pair_of(relation_of(id), 0)});
    if (other != last_of_relation_.end() && other->second + 1 > since &&
        commands_[other->second].id != id)
      return {{}, true};
  }
  if (!changed) return {};
  const command& c = commands_[at];
  return c.what == kind::set ? outlook{{c.type, c.slot}, false} : outlook{{}, true};
}

void* command_queue::allocate(std::size_t size, std::size_t alignment) {
  for (;;) {
    if (!chunks_.empty()) {
      void* free = chunks_.back().memory.get() + used_;
      std::size_t space = chunks_.back().size - used_;
      if (std::align(alignment, size, free, space)) {
        used_ = chunks_.back().size - space + size;
        return free;
      }
    }
    const std::size_t wanted = std::max(chunk_size, size + alignment);
    chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(wanted), wanted});
    used_ = 0;
  }
}

void command_queue::truncate(std::size_t size) {
  while (commands_.size() > size) {
    const command c = commands_.back();
    commands_.pop_back();
    if (c.slot) destroy(*c.type, c.slot, 1);
  }
  forget_index();
}

void command_queue::forget_index() {
  last_change_.clear();
  last_of_relation_.clear();
  last_emptied_.clear();
  sweeping_.clear();
  indexed_ = 0;
}

void command_queue::clear() {
  // Destructors may queue more, so this one's part is taken out first.
  std::vector<command> going;
  going.swap(commands_);
  for (command& c : going)
    if (c.slot) destroy(*c.type, c.slot, 1);
  if (!commands_.empty()) return;
  texts_.clear();
  lists_.clear();
  forget_index();
  // One chunk is kept for the next time.
  if (chunks_.size() > 1) chunks_.resize(1);
  used_ = 0;
}

}  // namespace kith::core
