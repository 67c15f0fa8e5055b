// Ids of entities that are made while several threads read. They begin when the reading is over.
//
// The ids of a unit of work are decided before it runs, so that threads change nothing. First come
// those that were set aside for it, and when these are used up, blocks of fresh indices. Each block
// is twice as long as the one before, and the blocks of all units lie side by side:
//
//   units of a step     0        1        2        0            1            2          0 ...
//   indices        [ 64     | 64     | 64     | 128        | 128        | 128        | 256 ...
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <kith/detail/error.hpp>
#include <kith/detail/id.hpp>

namespace kith::core {

// Where a unit of a step gets indices when its ids are used up.
struct index_blocks {
  static constexpr std::uint64_t first_length = 64;

  std::uint64_t start = 0;
  std::uint64_t units = 1;
  std::uint64_t unit = 0;

  // The `n`-th index of the unit.
  std::uint64_t at(std::uint64_t n) const {
    std::uint64_t before = 0, length = first_length;
    while (n - before >= length) {
      before += length;
      length *= 2;
    }
    // All blocks before this row of blocks are as long as `before` for each unit.
    return start + units * before + unit * length + (n - before);
  }
};

class promised_ids {
 public:
  promised_ids() = default;
  promised_ids(std::vector<entity_t> set_aside, const index_blocks& blocks)
      : free_(std::move(set_aside)), blocks_(blocks) {
    std::ranges::sort(free_);
  }

  const std::vector<entity_t>& all() const { return all_; }
  // Requires: `e` is more than all so far.
  void add(entity_t e) { all_.push_back(e); }
  // The next one of a unit.
  entity_t add_next() {
    if (from_free_ < free_.size()) {
      all_.push_back(free_[from_free_++]);
      first_end_ = all_.size();
    } else {
      const std::uint64_t index = blocks_.at(from_blocks_);
      if (index > max_index) raise(errc::out_of_range, "no entity index is left");
      all_.push_back(index);
      ++from_blocks_;
    }
    return all_.back();
  }
  bool contains(entity_t e) const {
    const auto border = all_.begin() + static_cast<std::ptrdiff_t>(first_end_);
    return std::binary_search(all_.begin(), border, e) || std::binary_search(border, all_.end(), e);
  }
  void erase(entity_t e) {
    const auto found = std::ranges::find(all_, e);
    if (found == all_.end()) return;
    if (static_cast<std::size_t>(found - all_.begin()) < first_end_) --first_end_;
    all_.erase(found);
  }

 private:
  std::vector<entity_t> all_;  // ascending up to `first_end_`, and again from there
  std::size_t first_end_ = 0;
  std::vector<entity_t> free_;
  std::size_t from_free_ = 0;
  index_blocks blocks_;
  std::uint64_t from_blocks_ = 0;
};

}  // namespace kith::core
