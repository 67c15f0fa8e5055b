// A set of small numbers, one bit each.
//
// A set of n numbers below m takes m / 8 bytes, and no memory of its own while m is 64 or less; the
// next member is found 64 numbers at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kith::core {

class bit_set {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  bool contains(std::size_t n) const { return word(n / width) >> n % width & 1; }
  void insert(std::size_t n) {
    if (n / width > more_.size()) more_.resize(n / width);
    place(n / width) |= std::uint64_t{1} << n % width;
  }
  void insert(const bit_set& others) {
    if (more_.size() < others.more_.size()) more_.resize(others.more_.size());
    for (std::size_t w = 0; w < others.words(); ++w) place(w) |= others.word(w);
  }
  void erase(std::size_t n) {
    if (n / width < words()) place(n / width) &= ~(std::uint64_t{1} << n % width);
  }

  // The first member that is not less than `from`, or none.
  std::size_t next(std::size_t from = 0) const {
    return find(from, words(), [&](std::size_t w) { return word(w); });
  }
  // The first number not less than `from` that both sets have, or none.
  std::size_t next_of_both(const bit_set& other, std::size_t from = 0) const {
    return find(from, std::min(words(), other.words()),
                [&](std::size_t w) { return word(w) & other.word(w); });
  }
  // The first member not less than `from` that the other set lacks, or none.
  std::size_t next_beyond(const bit_set& other, std::size_t from = 0) const {
    return find(from, words(), [&](std::size_t w) { return word(w) & ~other.word(w); });
  }

 private:
  static constexpr std::size_t width = 64;

  std::size_t words() const { return more_.size() + 1; }
  std::uint64_t word(std::size_t w) const {
    return w == 0 ? first_ : w <= more_.size() ? more_[w - 1] : 0;
  }
  std::uint64_t& place(std::size_t w) { return w == 0 ? first_ : more_[w - 1]; }

  template <class Word>
  static std::size_t find(std::size_t from, std::size_t words, Word word) {
    for (std::size_t w = from / width; w < words; ++w) {
      std::uint64_t bits = word(w);
      if (w == from / width) bits &= ~std::uint64_t{0} << from % width;
      if (bits) return w * width + static_cast<std::size_t>(std::countr_zero(bits));
    }
    return none;
  }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

}  // namespace kith::core
