// Values that leave their rows. A destructor of the user may read the world, so it may run only
// when all rows are in order again and all listeners have heard of the change. take() moves a value
// out of its slot, and this object destroys the values when it ends. If memory ends, take()
// destroys the value in its slot instead.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/try_allocate.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

// Costs nearly nothing until it takes a value.
class leaving_values {
 public:
  // Not std::optional: gcc 12 fills an empty one with zeros.
  leaving_values() noexcept {}
  leaving_values(const leaving_values&) = delete;
  leaving_values& operator=(const leaving_values&) = delete;
  ~leaving_values() { end(); }

  // Moves the value out of the slot, or destroys it if its destructor is not code of the user.
  void take(const type_info& type, void* slot) noexcept {
    if (!type.hooks.destroy) return destroy(type, slot, 1);
    if (!any_) ::new (&taken_) values;
    any_ = true;
    taken_.take(type, slot);
  }
  bool any() const { return any_; }
  // Destroys the values now.
  void end() noexcept {
    if (std::exchange(any_, false)) taken_.~values();
  }

 private:
  struct values {
    values() = default;
    values(const values&) = delete;
    values& operator=(const values&) = delete;
    ~values() {
      for (std::size_t i = 0; i < count; ++i) destroy(*few[i].type, few[i].slot, 1);
    }
    void take(const type_info& type, void* slot) noexcept {
      void* to = free;
      if (count < max_few && std::align(type.slot_alignment(), type.slot_size(), to, space)) {
        relocate(type, to, slot, 1);
        few[count++] = {&type, to};
        free = static_cast<std::byte*>(to) + type.slot_size();
        space -= type.slot_size();
        return;
      }
      if (try_allocate([&] { more.emplace_back(type); }))
        more.back().take(slot);
      else
        destroy(type, slot, 1);
    }

    // Most values that leave together are few and small: they fit in here.
    static constexpr std::size_t max_few = 8;
    static constexpr std::size_t few_bytes = 256;
    struct value {
      const type_info* type;
      void* slot;
    };
    value few[max_few];
    std::size_t count = 0;
    alignas(std::max_align_t) std::byte bytes[few_bytes];
    void* free = bytes;
    std::size_t space = few_bytes;
    std::vector<slot_buffer> more;
  };
  union {
    values taken_;
  };
  bool any_ = false;
};

}  // namespace kith::core
