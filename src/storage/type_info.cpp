#include "storage/type_info.hpp"

#include <cstring>
#include <new>
#include <utility>

#include <kith/detail/error.hpp>

#include "base/scope_exit.hpp"

namespace kith::core {

namespace {

void* allocate_box(const type_info& type) {
  return ::operator new (type.size, std::align_val_t{type.alignment});
}

void free_box(const type_info& type, void* box) {
  ::operator delete (box, std::align_val_t{type.alignment});
}

// Calls make(memory), where `memory` is where the value of `slot` will live.
template <class Make>
void construct_in(const type_info& type, void* slot, Make make) {
  if (!type.boxed) return make(slot);
  void* box = allocate_box(type);
  scope_exit undo([&] { free_box(type, box); });
  make(box);
  undo.dismiss();
  std::memcpy(slot, &box, sizeof box);
}

std::byte* nth(const type_info& type, void* slots, std::size_t i) {
  return static_cast<std::byte*>(slots) + i * type.slot_size();
}

}  // namespace

void construct_default(const type_info& type, void* slot) {
  if (!type.has_default())
    raise(errc::type, type.name, " has no default value; give it one with set or emplace");
  construct_in(type, slot, [&](void* value) {
    if (type.operations)
      type.operations->construct(value);
    else if (type.hooks.construct)
      type.hooks.construct(value);
    else
      std::memset(value, 0, type.size);
  });
}

void construct_copy(const type_info& type, void* slot, const void* from_slot) {
  construct_copy_of(type, slot, type.value(from_slot));
}

void construct_copy_of(const type_info& type, void* slot, const void* value) {
  if (!type.can_copy()) raise(errc::type, "values of ", type.name, " cannot be copied");
  construct_in(type, slot, [&](void* memory) {
    if (type.operations)
      type.operations->copy(memory, value);
    else if (type.hooks.copy)
      type.hooks.copy(memory, value);
    else
      std::memcpy(memory, value, type.size);
  });
}

value_source located_value::copy() {
  return {this, [](void* to, void* context) {
            const auto& from = *static_cast<located_value*>(context);
            construct_copy(*from.type, to, from.slot);
          }};
}

void relocate(const type_info& type, void* to, void* from, std::size_t count) {
  if (type.bytes_to_move) {
    if (count) std::memcpy(to, from, count * type.slot_size());
    return;
  }
  if (type.operations) {
    for (std::size_t i = 0; i < count; ++i)
      type.operations->relocate(nth(type, to, i), nth(type, from, i));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    type.hooks.move(nth(type, to, i), nth(type, from, i));
    if (type.hooks.destroy) type.hooks.destroy(nth(type, from, i));
  }
}

void destroy(const type_info& type, void* slots, std::size_t count) {
  if (type.ends_silently) return;
  for (std::size_t i = 0; i < count; ++i) {
    void* value = type.value(nth(type, slots, i));
    if (type.operations)
      type.operations->destroy(value);
    else if (type.hooks.destroy)
      type.hooks.destroy(value);
    if (type.boxed) free_box(type, value);
  }
}

void replace(const type_info& type, void* to, void* from) {
  destroy(type, to, 1);
  relocate(type, to, from, 1);
}

slot_buffer::slot_buffer(const type_info& type)
    : type_(&type),
      memory_(::operator new (type.slot_size(), std::align_val_t{type.slot_alignment()})) {}

slot_buffer::slot_buffer(slot_buffer&& other) noexcept
    : type_(other.type_),
      memory_(std::exchange(other.memory_, nullptr)),
      full_(std::exchange(other.full_, false)) {}

slot_buffer::~slot_buffer() {
  if (full_) destroy(*type_, memory_, 1);
  if (memory_) ::operator delete (memory_, std::align_val_t{type_->slot_alignment()});
}

void slot_buffer::fill(const value_source& source) {
  if (source.construct)
    source.construct(memory_, source.context);
  else
    construct_default(*type_, memory_);
  full_ = true;
}

void slot_buffer::move_to(void* slot) {
  relocate(*type_, slot, memory_, 1);
  full_ = false;
}

void slot_buffer::swap(slot_buffer& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(memory_, other.memory_);
  std::swap(full_, other.full_);
}

void slot_buffer::take(void* slot) {
  relocate(*type_, memory_, slot, 1);
  full_ = true;
}

value_source slot_buffer::source() {
  value_source s;
  s.context = this;
  s.construct = [](void* slot, void* context) {
    static_cast<slot_buffer*>(context)->move_to(slot);
  };
  s.assign = [](void* slot, void* context) {
    auto& buffer = *static_cast<slot_buffer*>(context);
    destroy(*buffer.type_, slot, 1);
    buffer.move_to(slot);
  };
  return s;
}

}  // namespace kith::core
