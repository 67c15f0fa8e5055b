// A type as one world knows it, and the operations on slots that hold its values.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include <kith/detail/id.hpp>
#include <kith/detail/type_info.hpp>

namespace kith::core {

struct type_info {
  entity_t component = 0;  // the entity that stands for the type
  std::string name;
  std::size_t size = 0;  // never 0: an id without data has no type_info
  std::size_t alignment = 1;
  type_hooks hooks;
  bool boxed = false;
  bool zero_default = false;
  std::shared_ptr<const value_operations> operations;  // if not null, used instead of hooks
  // The number of bytes to copy to move a slot; 0 if moving takes more than copying bytes.
  std::size_t bytes_to_move = 0;
  // Nothing has to be done to empty a slot.
  bool ends_silently = false;
  // Bits of the sinks that want all ids of this type (store::want_type).
  mutable std::uint8_t wanted_by = 0;

  explicit type_info(const type_desc& desc, entity_t component_entity)
      : component(component_entity),
        name(desc.name),
        size(desc.size),
        alignment(desc.alignment),
        hooks(desc.hooks),
        boxed(desc.boxed),
        zero_default(desc.zero_default),
        operations(desc.operations),
        bytes_to_move(boxed || (!operations && !hooks.move) ? slot_size() : 0),
        ends_silently(!boxed && !hooks.destroy && !operations) {}

  std::size_t slot_size() const { return boxed ? sizeof(void*) : size; }
  std::size_t slot_alignment() const { return boxed ? alignof(void*) : alignment; }
  bool has_default() const { return hooks.construct || zero_default || operations; }
  bool can_copy() const {
    return hooks.copy || operations || (zero_default && !hooks.move && !hooks.destroy);
  }

  // Moving or destroying a slot runs code of the user.
  bool runs_user_code() const { return hooks.destroy || (hooks.move && !boxed); }

  void* value(void* slot) const { return boxed ? *static_cast<void**>(slot) : slot; }
  const void* value(const void* slot) const {
    return boxed ? *static_cast<void* const*>(slot) : slot;
  }
};

// The place of a value and its type; false if there is no value.
struct located_value {
  const type_info* type = nullptr;
  void* slot = nullptr;
  std::uint64_t* writes = nullptr;  // counts writes to the values beside it
  explicit operator bool() const { return slot != nullptr; }
  void* value() const { return slot ? type->value(slot) : nullptr; }
  // A source that copies the value. Holds as long as this object.
  value_source copy();
};

// The value that the i-th of many new entities gets.
struct nth_value {
  const bulk_id* bulk;
  std::size_t i;

  // Holds as long as this object.
  value_source source() {
    return {this, [](void* slot, void* context) {
              const auto& n = *static_cast<nth_value*>(context);
              std::size_t done = 0;
              n.bulk->construct(slot, n.i, 1, done, n.bulk->context);
            }};
  }
};

// Fill one empty slot. If a hook of the type throws, the slot stays empty. Raise a type error if
// the type has no default value, or cannot be copied.
void construct_default(const type_info& type, void* slot);
void construct_copy(const type_info& type, void* slot, const void* from_slot);
// The same from a value that is in no slot.
void construct_copy_of(const type_info& type, void* slot, const void* value);

// Moves `count` values into empty slots and leaves the old slots empty. Never fails.
void relocate(const type_info& type, void* to, void* from, std::size_t count);
// The same for one value. Most values have a few bytes: two copies of fixed size, of the first
// bytes and of the last bytes, which may overlap, move all of them.
inline void relocate_one(const type_info& type, void* to, void* from) {
  const auto copy_ends = [&]<class Bytes>(Bytes first, std::size_t size) {
    Bytes last;
    std::memcpy(&first, from, sizeof(Bytes));
    std::memcpy(&last, static_cast<std::byte*>(from) + size - sizeof(Bytes), sizeof(Bytes));
    std::memcpy(to, &first, sizeof(Bytes));
    std::memcpy(static_cast<std::byte*>(to) + size - sizeof(Bytes), &last, sizeof(Bytes));
  };
  struct sixteen {
    std::uint64_t a, b;
  };
  const std::size_t size = type.bytes_to_move;
  if (size >= 8 && size <= 16)
    copy_ends(std::uint64_t(), size);
  else if (size > 16 && size <= 32)
    copy_ends(sixteen(), size);
  else if (size == 4)
    std::memcpy(to, from, 4);
  else
    relocate(type, to, from, 1);
}
// Destroys `count` values and leaves their slots empty.
void destroy(const type_info& type, void* slots, std::size_t count);
// Destroys the value in `to` and moves the one in `from` there.
void replace(const type_info& type, void* to, void* from);

// A value outside any column. The buffer destroys the value unless it was moved out.
class slot_buffer {
 public:
  explicit slot_buffer(const type_info& type);
  slot_buffer(slot_buffer&& other) noexcept;
  slot_buffer& operator=(slot_buffer&&) = delete;
  ~slot_buffer();

  // Constructs the value from `source`, or as the default one.
  void fill(const value_source& source);
  // Moves the value out, into an empty slot.
  void move_to(void* slot);
  void* get() { return memory_; }
  const type_info* type() const { return type_; }
  // A source that moves the value out, once.
  value_source source();
  // Moves the value of a slot in, and leaves the slot empty.
  void take(void* slot);
  void swap(slot_buffer& other) noexcept;

 private:
  const type_info* type_;
  void* memory_;
  bool full_ = false;
};

}  // namespace kith::core
