#include "query/cache/recorded_source.hpp"

#include <algorithm>
#include <utility>

namespace kith::core {

// --- recorded rows -------------------------------------------------------------------------------

void recorded_source::begin(std::shared_ptr<recorded_rows> rows,
                            std::optional<std::uint64_t> group) {
  rows_ = std::move(rows);
  it_.now = {};
  at_ = 0;
  last_ = rows_->batches().size();
  if (group) {
    const recorded_rows::batch_range range = rows_->group(*group);
    at_ = range.first;
    last_ = range.last;
  }
  first_ = at_;
  // A visit that ends reports what it wrote even where memory has ended.
  written_.clear();
  written_.reserve(it_.fields.size());
  // Long batches often have their values side by side.
  constexpr std::size_t long_batch = 1024;
  all_at_once_ =
      it_.use == query_use::values && rows_->rows() < long_batch * rows_->batches().size();
}

void recorded_source::begin_at(std::shared_ptr<recorded_rows> rows, std::size_t batch) {
  begin(std::move(rows), std::nullopt);
  first_ = at_ = batch;
}

bool recorded_source::next(batch& b) {
  while (at_ != last_ && !rows_->batches()[at_].count) ++at_;
  if (at_ == last_) return false;
  const bool uses_this = it_.query->uses_this;
  const recorded_rows::run& run = rows_->batches()[at_];
  b.first_row = run.first;
  b.entities = uses_this ? rows_->entities() + run.first : nullptr;
  if (all_at_once_) {
    // A caller that asks for values alone sees no batches.
    const std::size_t gap = rows_->next_gap(at_, last_);
    const recorded_rows::run& end = rows_->batches()[std::min(gap, last_ - 1)];
    b.count = end.first + end.count - run.first;
    at_ = std::min(gap + 1, last_);
    return true;
  }
  std::copy_n(rows_->values_of(at_), it_.values.size(), it_.values.begin());
  it_.values[this_slot] = uses_this ? *b.entities : 0;
  b.count = run.count;
  b.fields = rows_->fields_of(at_);
  b.group = rows_->group_of(at_);
  ++at_;
  return true;
}

// Where all values are is found out when a part of them was asked for, unless rows move while the
// iteration lasts: then it would be in vain.
bool recorded_source::find_view(std::size_t n, field_view& out) {
  const std::size_t first = it_.now.first_row;
  if (all_at_once_) {
    out.rows = rows_->pointers(n) + first;
    out.gaps = rows_->has_gaps(n);
    return false;
  }
  const result_field& f = field(n);
  const type_info* type = f.id ? it_.type_of(n, f.id) : nullptr;
  if (!type) return true;
  constexpr std::size_t part = 8;
  const std::size_t count = it_.now.count;
  const bool pays = it_.begun_at == it_.store.version() && (first + count) * part >= rows_->rows();
  if (!pays && !rows_->knows_pointers(n)) return result_source::find_view(n, out);
  void* const* rows = rows_->pointers(n) + first;
  out.data = static_cast<std::byte*>(rows[0]);
  if (f.source) return true;
  out.stride = type->size;
  if (count > 1 && !rows_->side_by_side(n, at_ - 1)) out.rows = rows;
  return true;
}

void recorded_source::note_writes(std::size_t n) {
  const std::size_t first = all_at_once_ ? first_ : at_ - 1;
  const auto before = std::ranges::find(written_, n, &written_batches::field);
  if (before == written_.end()) {
    written_.push_back({n, first, at_});
    return;
  }
  if (before->last < first) {
    rows_->note_writes(n, before->first, before->last, it_.store);
    before->first = first;
  }
  before->last = at_;
}

void recorded_source::say_writes() {
  for (const auto& [n, first, last] : written_) rows_->note_writes(n, first, last, it_.store);
  written_.clear();
}

bool recorded_source::changed(std::size_t row) const {
  return all_at_once_ || cache_.changed(*rows_, at_ - 1, it_.now.first_row + row);
}

// --- recording -----------------------------------------------------------------------------------

void result_recorder::add(result_source& from) {
  for (std::size_t n = 0; n < fields_.size(); ++n) fields_[n] = from.find_field(n);
  const batch& b = it_.now;
  rows_->add(b.entities ? b.rows() : std::span<const entity_t>(&it_.values[this_slot], 1),
             it_.values, fields_);
  if (it_.query->ordered) rows_->depths.push_back(it_.says->place_in_order(*it_.query, it_.values));
}

void result_recorder::bring_together() {
  // What one entity finds by an `all` comes from near to far.
  const auto is_all = [](const slot_info& s) { return s.is == slot_info::kind::all; };
  if (std::ranges::none_of(it_.query->slots, is_all)) rows_->bring_together();
}

void result_recorder::keep(query_cache& cache, read_watch watch) const {
  if (it_.says->looks_at_all() == looks_before_) watch.forget_life();
  cache.keep(rows_, std::move(watch));
}

void recording_source::begin(result_source& from, read_watch watch, std::size_t most) {
  from_ = &from;
  recording_.reset(new recording{result_recorder(it_), std::move(watch), most});
}

bool recording_source::next(batch& b) {
  if (!from_->next(b)) return false;
  if (!recording_) return true;
  result_recorder& results = recording_->results;
  results.add(*from_);
  b.fields = results.fields();
  if (results.rows()->rows() > recording_->most) {
    b.fields = {};
    recording_.reset();
  }
  return true;
}

void recording_source::keep(query_cache& cache) {
  if (!recording_) return;
  recording_->results.bring_together();
  recording_->results.keep(cache, std::move(recording_->watch));
}

void recording_source::end() {
  recording_.reset();
  from_->end();
}

// --- order ---------------------------------------------------------------------------------------

bool arranged_source::begin_all(result_source& from, query_cache& cache,
                                std::optional<read_watch> watch,
                                std::optional<std::uint64_t> group) {
  result_recorder results(it_);
  const arrangement& how = cache.how();
  const bool arranged = it_.query->ordered || (it_.query->uses_this && how.arranges());
  const effort& spent = it_.says->effort();
  const std::size_t most =
      std::min(cache.watches_rows() ? ~std::size_t{0} : cache.max_rows(), spent.most_rows());
  while (from.next(it_.now)) {
    results.add(from);
    if (arranged && results.rows()->rows() > spent.most_rows()) spent.raise_rows();
    if (results.rows()->rows() <= most) continue;
    if (!arranged) return false;
    watch.reset();
  }
  if (arranged)
    how.arrange(*results.rows());
  else
    results.bring_together();
  if (watch) results.keep(cache, std::move(*watch));
  begin(results.rows(), group);
  return true;
}

}  // namespace kith::core
