// Which rows of one column are switched off. Exists only where something ever was.
#pragma once

#include <cstdint>
#include <vector>

namespace kith::core {

class toggles {
 public:
  bool is_off(std::size_t row) const {
    return row / 64 < words_.size() && (words_[row / 64] >> (row % 64) & 1) != 0;
  }

  void set(std::size_t row, bool off) {
    if (row / 64 >= words_.size()) {
      if (!off) return;
      words_.resize(row / 64 + 1);
    }
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    if (off)
      words_[row / 64] |= bit;
    else
      words_[row / 64] &= ~bit;
  }

  bool any_off(std::size_t first, std::size_t count) const {
    for (std::size_t row = first; row < first + count && row / 64 < words_.size(); ++row)
      if (is_off(row)) return true;
    return false;
  }
  // After this, `set` of a row below `rows` cannot fail.
  void reserve(std::size_t rows) {
    if (const std::size_t words = (rows + 63) / 64; words > words_.size()) words_.resize(words);
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
