// Results that are the rows of tables.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "query/cache/table_list.hpp"
#include "query/exec/result_source.hpp"

namespace kith::core {

class table_source final : public result_source {
 public:
  using result_source::result_source;

  void begin(std::shared_ptr<table_list> tables);
  // The results from a match on.
  void begin_at(std::shared_ptr<table_list> tables, std::size_t match);
  // The tables whose rows are the results, each of them; null if there are no results, or some rows
  // are none.
  std::shared_ptr<table_list> all_rows() const;
  void end() override { tables_.reset(); }

  bool next(batch& b) override;
  void note_writes(std::size_t n) override;

 private:
  bool next_with_builtins(batch& b);

  std::shared_ptr<table_list> tables_;
  std::size_t at_ = 0;  // the next table
  // Of a table that has built-in entities, which are no results: its rows, and those that are left.
  std::span<const entity_t> rows_;
  std::size_t at_row_ = 0;
  std::vector<entity_t> copied_;
};

}  // namespace kith::core
