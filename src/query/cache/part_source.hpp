// The results of one piece (query_piece.hpp).
#pragma once

#include <algorithm>

#include "query/cache/query_piece.hpp"
#include "query/cache/recorded_source.hpp"
#include "query/cache/table_source.hpp"

namespace kith::core {

class part_source final : public result_source {
 public:
  part_source(iteration& it, const query_cache& cache)
      : result_source(it), tables_(it), rows_(it, cache) {}

  void begin(const query_piece& piece) {
    left_ = piece.count;
    skip_ = piece.skip;
    from_ = piece.tables ? static_cast<result_source*>(&tables_) : &rows_;
    if (piece.tables)
      tables_.begin_at(piece.tables, piece.first);
    else
      rows_.begin_at(piece.rows, piece.first);
  }
  void end() override { from_->end(); }

  bool next(batch& b) override {
    if (!left_ || !from_->next(b)) return false;
    if (skip_) {
      b.entities += skip_;
      b.first_row += skip_;
      b.count -= skip_;
      skip_ = 0;
      it_.values[this_slot] = *b.entities;
    }
    b.count = std::min(b.count, left_);
    left_ -= b.count;
    return true;
  }
  result_field find_field(std::size_t n) override { return from_->find_field(n); }
  bool find_view(std::size_t n, field_view& out) override { return from_->find_view(n, out); }
  void note_writes(std::size_t n) override { from_->note_writes(n); }
  void say_writes() override { from_->say_writes(); }

 private:
  table_source tables_;
  recorded_source rows_;
  result_source* from_ = &tables_;
  std::size_t skip_ = 0;  // rows of the first batch that are not part of it
  std::size_t left_ = 0;
};

}  // namespace kith::core
