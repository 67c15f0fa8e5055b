#include "query/cache/table_source.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

void table_source::begin(std::shared_ptr<table_list> tables) {
  const std::size_t first = tables->constants_hold() ? 0 : tables->matches().size();
  begin_at(std::move(tables), first);
}

void table_source::begin_at(std::shared_ptr<table_list> tables, std::size_t match) {
  tables_ = std::move(tables);
  at_ = match;
  rows_ = {};
  at_row_ = 0;
}

std::shared_ptr<table_list> table_source::all_rows() const {
  const std::vector<table_list::match>& matches = tables_->matches();
  const auto has_builtins = [](const table_list::match& m) { return m.rows->has_builtins(); };
  return at_ == matches.size() || std::ranges::any_of(matches, has_builtins) ? nullptr : tables_;
}

bool table_source::next(batch& b) {
  if (at_row_ < rows_.size() && next_with_builtins(b)) return true;
  const std::vector<table_list::match>& matches = tables_->matches();
  while (at_ != matches.size()) {
    const table_list::match& match = matches[at_++];
    tables_->expect(at_);
    rows_ = match.rows->entities();
    b.fields = {tables_->fields(match), it_.fields.size()};
    // New entities come to the table without ids at any time.
    if (match.rows->ids().empty()) {
      copied_.assign(rows_.begin(), rows_.end());
      rows_ = copied_;
    }
    at_row_ = 0;
    if (match.rows->has_builtins()) {
      if (next_with_builtins(b)) return true;
      continue;
    }
    at_row_ = rows_.size();
    if (rows_.empty()) continue;
    b.entities = rows_.data();
    b.count = rows_.size();
    b.first_row = 0;
    it_.values[this_slot] = *b.entities;
    return true;
  }
  b.fields = {};
  return false;
}

// The next rows of the table up to a built-in entity. False: there are none.
bool table_source::next_with_builtins(batch& b) {
  while (at_row_ < rows_.size() && is_builtin(rows_[at_row_])) ++at_row_;
  if (at_row_ == rows_.size()) return false;
  b.first_row = at_row_;
  while (at_row_ < rows_.size() && !is_builtin(rows_[at_row_])) ++at_row_;
  b.entities = rows_.data() + b.first_row;
  b.count = at_row_ - b.first_row;
  it_.values[this_slot] = *b.entities;
  return true;
}

void table_source::note_writes(std::size_t n) {
  const result_field& f = it_.now.fields[n];
  if (!f.in) return result_source::note_writes(n);
  it_.store.note_writes(f.in->writes, f.id);
  if (it_.store.value_logs().any()) it_.store.value_logs().mark(f.id, it_.now.rows());
}

}  // namespace kith::core
