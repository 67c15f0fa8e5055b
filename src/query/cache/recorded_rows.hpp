// The results of a query, kept as they were found.
//
//   entities   [ e7 | e2 | e9 | e4 | e5 ]      $this of each row
//   batches      0    .    .    1    .         rows that differ in $this alone
//   field 0    [ p7 | p2 | p9 | p4 | p5 ]      where each row has its value
//
// Values move when rows of tables do; `pointers` then finds out anew where they are.
//
// Rows can come and go one by one (`add_row`, `remove_row`). The last row of the batch fills the
// hole, and the batch has room for a later row with the same values: a gap.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/cache/affected.hpp"
#include "query/exec/batch.hpp"
#include "query/exec/meaning.hpp"

namespace kith::core {

class recorded_rows {
 public:
  using field = result_field;  // without a column
  // Rows that differ in $this alone.
  struct run {
    std::size_t first;
    std::size_t count;
  };

  recorded_rows(std::shared_ptr<const checked_query> q, const graph& g);

  // --- making it ---
  // Adds results that differ in $this alone; `entities` has one that does not count if there is no
  // $this.
  void add(std::span<const entity_t> entities, const slot_values& values,
           std::span<const field> fields);
  // Puts rows in another order: row `i` becomes what row `order[i]` was. `groups`, if there are
  // any, says for each row as it was which group it is of; rows of one group come together.
  void reorder(std::span<const std::uint32_t> order, std::span<const std::uint64_t> groups);
  // Brings rows together that differ in $this alone, in the order in which the first of each came.
  void bring_together();

  // --- changing rows that are in no order ---
  // A result: the values of all slots, and its fields.
  struct result {
    slot_values values;
    std::vector<field> fields;
    std::uint32_t depth = 0;  // its place in the order that a cascade asks for
  };
  // The rows that contain a partial result, descending. Makes an index first, if there is none.
  // Adds how many rows it has looked at.
  std::vector<std::uint32_t> find_all(const partial_result& part, std::size_t& looked_at);
  result result_at(std::uint32_t row) const;
  bool is_result(std::uint32_t row, const result& r) const;
  void add_row(const result& r);
  // Rows before this one stay where they are.
  void remove_row(std::uint32_t row);
  // Do gaps and values without rows take more room than rows?
  bool is_worn() const;
  // The first batch, from `b` on, that has a gap behind it; `last` if none before that has.
  std::size_t next_gap(std::size_t b, std::size_t last) const;

  // --- changing one row ---
  // Do all rows have the same values of slots but $this, and the same fields?
  bool are_alike() const;
  bool are_like(const slot_values& values, std::span<const field> fields) const;
  // The first row of an entity, of those before `end`; `end` if it has none.
  std::size_t find(entity_t e, std::size_t end) const;
  // Requires: all are alike, as all that follow.
  void insert_row(std::size_t batch, std::size_t row, entity_t e, bool is_new);
  void erase_row(std::size_t row);
  // An empty batch for a group that has none.
  void insert_batch(std::size_t batch, std::uint64_t group);
  // Moves one row to another place. Requires: one batch.
  void move_row(std::size_t from, std::size_t to);

  // --- reading it ---
  std::size_t rows() const { return row_count_; }
  const std::shared_ptr<const checked_query>& query() const { return q_; }
  const std::vector<run>& batches() const { return batches_; }
  const entity_t* entities() const { return entities_.data(); }
  // Of a batch: the value of each slot but $this, and its fields.
  const id_t* values_of(std::size_t b) const { return &values_[context_[b] * slots_]; }
  std::span<const field> fields_of(std::size_t b) const {
    return std::span(fields_).subspan(context_[b] * field_count_, field_count_);
  }
  const field& field_of(std::size_t b, std::size_t n) const { return fields_of(b)[n]; }
  // Where each row has its value of a field; null where it has none.
  void* const* pointers(std::size_t n);
  // Are they known, and nothing has moved since?
  bool knows_pointers(std::size_t n) const { return pointers_[n].version == store_.version(); }
  bool has_gaps(std::size_t n) const { return pointers_[n].gaps; }
  // Are the values of a batch side by side, in the order of its rows? Requires: `pointers` was
  // asked, and no row has moved since.
  bool side_by_side(std::size_t n, std::size_t b) const { return pointers_[n].side_by_side[b]; }
  // Says that the values of a field are written, in batches from `first` to before `last`.
  void note_writes(std::size_t n, std::size_t first, std::size_t last, core::store& store);
  // The batches of a group: from the first to one behind the last.
  struct batch_range {
    std::size_t first, last;
  };
  batch_range group(std::uint64_t id);
  // Its first batch, or the one before which it would come.
  std::size_t place_of_group(std::uint64_t id) const;
  std::uint64_t group_of(std::size_t b) const {
    return batch_groups_.empty() ? 0 : batch_groups_[b];
  }
  // The ids of fields that have values, each once; if `read`, those whose values are read.
  std::vector<id_t> ids(bool read) const;

  // For rows in a cascade: how deep each is. Else empty.
  std::vector<std::uint32_t> depths;

  // --- rows that are new ---
  // Finds those that `before` has not, or not with the same ids from the same sources.
  void find_new(const recorded_rows& before);
  // All are.
  void all_are_new() { new_.assign(entities_.size(), 1); }
  void none_is_new() { new_.clear(); }
  bool is_new(std::size_t row) const { return !new_.empty() && new_[row]; }

 private:
  struct pointer_column {
    std::uint64_t version = 0;  // of the store they were found in
    std::vector<void*> at;
    bool gaps = false;
    std::vector<bool> side_by_side;  // by batch
    // What counts the writes of these values, each once, with the id.
    std::vector<std::pair<std::uint64_t*, id_t>> counters;
  };

  // Finds rows by values. A copy of the rows makes its own.
  class row_index;
  struct index_place {
    index_place() = default;
    index_place(const index_place&) {}
    index_place& operator=(const index_place&) = delete;
    std::shared_ptr<row_index> at;
  };

  std::size_t batch_of(std::size_t row) const;
  std::size_t room_of(std::size_t b) const;
  void set_gap(std::size_t b);
  row_index& index();
  std::uint32_t context_of(const result& r);
  bool has_context(std::uint32_t context, const result& r) const;
  void groups_changed();
  std::vector<std::uint32_t> context_of_rows() const;
  std::uint64_t hash_of(entity_t e, std::uint32_t context) const;
  std::uint64_t hash_of_context(std::uint32_t context) const;
  bool is_same(std::uint32_t context, std::uint32_t other) const;

  std::shared_ptr<const checked_query> q_;  // its terms are named by fields
  const store& store_;
  std::size_t slots_;
  std::size_t field_count_;
  std::size_t row_count_ = 0;
  std::vector<entity_t> entities_;
  std::vector<run> batches_;
  std::vector<std::uint32_t> gaps_;  // batches with room behind their rows, ascending
  index_place index_;
  // What the rows of a batch have in common; batches may share it.
  std::vector<std::uint32_t> context_;
  std::vector<id_t> values_;
  std::vector<field> fields_;
  std::vector<pointer_column> pointers_;
  std::vector<std::uint8_t> new_;            // by row; empty if none is
  std::vector<std::uint64_t> batch_groups_;  // ascending
  // Made when many groups were asked for since the last change of them.
  hash_map<std::uint64_t, batch_range> groups_;
  std::size_t asked_for_groups_ = 0;
};

}  // namespace kith::core
