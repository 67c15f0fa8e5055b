// Values that leave their rows. A destructor of the user may read the world, so it may run only
// when all rows are in order again. take() moves a value out of its slot, and this object destroys
// the values when it ends. If memory ends, take() destroys the value in its slot instead.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/try_allocate.hpp"
#include "storage/type_info.hpp"

namespace kith::core {

class leaving_values {
 public:
  leaving_values() = default;
  leaving_values(const leaving_values&) = delete;
  leaving_values& operator=(const leaving_values&) = delete;
  ~leaving_values() {
    for (std::size_t i = 0; i < count_; ++i) destroy(*few_[i].type, few_[i].slot, 1);
  }

  // Moves the value out of the slot, or destroys it if its destructor is not code of the user.
  void take(const type_info& type, void* slot) noexcept {
    if (!type.hooks.destroy) return destroy(type, slot, 1);
    void* to = free_;
    if (count_ < max_few && std::align(type.slot_alignment(), type.slot_size(), to, space_)) {
      relocate(type, to, slot, 1);
      few_[count_++] = {&type, to};
      free_ = static_cast<std::byte*>(to) + type.slot_size();
      space_ -= type.slot_size();
      return;
    }
    if (try_allocate([&] { more_.emplace_back(type); }))
      more_.back().take(slot);
    else
      destroy(type, slot, 1);
  }

 private:
  // Most values that leave together are few and small: they fit in here.
  static constexpr std::size_t max_few = 8;
  static constexpr std::size_t few_bytes = 256;
  struct value {
    const type_info* type;
    void* slot;
  };
  value few_[max_few];
  std::size_t count_ = 0;
  alignas(std::max_align_t) std::byte bytes_[few_bytes];
  void* free_ = bytes_;
  std::size_t space_ = few_bytes;
  std::vector<slot_buffer> more_;
};

}  // namespace kith::core
