// Results that were recorded, and what records them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "query/cache/query_cache.hpp"
#include "query/exec/result_source.hpp"

namespace kith::core {

// Goes through recorded rows, in their order.
class recorded_source : public result_source {
 public:
  recorded_source(iteration& it, const query_cache& cache) : result_source(it), cache_(cache) {}

  // `group`: the only one that is asked for.
  void begin(std::shared_ptr<recorded_rows> rows, std::optional<std::uint64_t> group);
  // The results from a batch on.
  void begin_at(std::shared_ptr<recorded_rows> rows, std::size_t batch);
  void end() override { rows_.reset(); }
  const std::shared_ptr<recorded_rows>& rows() const { return rows_; }

  bool next(batch& b) override;
  result_field find_field(std::size_t n) override { return rows_->field_of(at_ - 1, n); }
  bool find_view(std::size_t n, field_view& out) override;
  void note_writes(std::size_t n) override;
  void say_writes() override;
  bool changed(std::size_t row) const override;

 private:
  // Batches in which a field was written, one after the other.
  struct written_batches {
    std::size_t field;
    std::size_t first, last;
  };

  const query_cache& cache_;
  std::shared_ptr<recorded_rows> rows_;
  std::size_t at_ = 0;    // the next batch
  std::size_t last_ = 0;  // one behind the last batch
  std::size_t first_ = 0;
  bool all_at_once_ = false;              // all rows come as if they were one batch
  std::vector<written_batches> written_;  // not reported yet: that is done for many batches at once
};

// Finds all results of another source, each with its fields.
class result_recorder {
 public:
  explicit result_recorder(iteration& it)
      : it_(it),
        looks_before_(it.says->looks_at_all()),
        rows_(std::make_shared<recorded_rows>(it.query, it.world)),
        fields_(it.query->fields.size()) {}

  // Adds the current batch of a source.
  void add(result_source& from);
  std::span<const result_field> fields() const { return fields_; }  // of the batch added last
  const std::shared_ptr<recorded_rows>& rows() const { return rows_; }
  // Keeps them. `watch`: since before the first was found.
  void keep(query_cache& cache, read_watch watch) const;
  // Brings rows together that differ in $this alone, where their order means nothing.
  void bring_together();

 private:
  iteration& it_;
  std::uint64_t looks_before_;
  std::shared_ptr<recorded_rows> rows_;
  std::vector<result_field> fields_;
};

// Passes on the results of another source and records them on the way. What was recorded can be
// kept when all results were seen.
class recording_source final : public result_source {
 public:
  using result_source::result_source;

  // Gives up recording when there are more than `most` rows.
  void begin(result_source& from, read_watch watch, std::size_t most);
  // All results were seen: keeps them.
  void keep(query_cache& cache);
  void end() override;

  bool next(batch& b) override;
  result_field find_field(std::size_t n) override { return from_->find_field(n); }
  bool find_view(std::size_t n, field_view& out) override { return from_->find_view(n, out); }
  void note_writes(std::size_t n) override { from_->note_writes(n); }

 private:
  struct recording {
    result_recorder results;
    read_watch watch;  // since before the first result was found
    std::size_t most;
  };

  result_source* from_ = nullptr;
  std::unique_ptr<recording> recording_;  // null: given up
};

// Finds all results of another source before it yields the first: in their order if they have one.
class arranged_source final : public recorded_source {
 public:
  using recorded_source::recorded_source;

  // `watch`: the results are kept. False: no order is asked for, and they are too many to be kept.
  bool begin_all(result_source& from, query_cache& cache, std::optional<read_watch> watch,
                 std::optional<std::uint64_t> group);
};

}  // namespace kith::core
