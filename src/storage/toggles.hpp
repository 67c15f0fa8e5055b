// The rows of one column that are switched off. Exists only where a row is, or was, off.
#pragma once

#include <cstdint>
#include <vector>

namespace kith::core {

class toggles {
 public:
  bool is_off(std::size_t row) const {
    return row / 64 < words_.size() && (words_[row / 64] >> (row % 64) & 1) != 0;
  }

  // After this, rows up to `row` can be set without taking memory.
  void reserve(std::size_t row) {
    if (row / 64 >= words_.size()) words_.resize(row / 64 + 1);
  }

  void set(std::size_t row, bool off) {
    if (row / 64 >= words_.size()) {
      if (!off) return;
      reserve(row);
    }
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    if (off)
      words_[row / 64] |= bit;
    else
      words_[row / 64] &= ~bit;
  }

  // Row `last` takes the place of `row`.
  void swap_remove(std::size_t row, std::size_t last) {
    set(row, is_off(last));
    set(last, false);
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace kith::core
