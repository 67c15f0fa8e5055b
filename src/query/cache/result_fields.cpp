// What a batch of results tells: its fields, where their values are, and that they are written.
#include <algorithm>
#include <utility>

#include "query/cache/result_cursor.hpp"
#include "storage/value_finder.hpp"

namespace kith::core {

recorded_rows::field& result_cursor::find_answer(std::size_t n) {
  if (n >= fields_.size())
    raise(errc::out_of_range, "the query has ", std::to_string(fields_.size()), " fields, not ",
          std::to_string(n + 1));
  field_answer& f = fields_[n];
  f.is = field_answer::known::match;
  asked_ = true;
  if (from_ == from::rows) {
    f.match = rows_->field_of(at_ - 1, n);
  } else if (from_ == from::list && plain_ids_[n]) {
    f.match = {q_->fields[n].terms[0], {plain_ids_[n], 0}};
  } else if (const table_list::found* found = find_in_table(n)) {
    f.match = {found->term, {found->id, found->source}};
  } else {
    f.match = find_field(n);
  }
  return f.match;
}

recorded_rows::field result_cursor::find_field(std::size_t n) {
  const field_info& info = q_->fields[n];
  if (info.terms.empty()) return {};
  const checked_term* term = info.terms.size() == 1
                                 ? info.terms[0]
                                 : info.terms[run_->alternative_of(static_cast<std::uint32_t>(n))];
  if (!term) return {};
  for (slot_index slot : term->slots)
    if (!values_[slot]) return {};
  if ((info.optional || info.terms.size() > 1) && !says_->holds(*term, values_)) return {};
  // The value of a star is the id that was found, and where nothing is inherited it is on $this itself.
  if (term->star != no_slot && term->source.is_slot(this_slot) && !term->source.flagged &&
      term->source.lookup.empty() && !has_wildcard(values_[term->star]) && !world_.inherit.any())
    return {term, {values_[term->star], 0}};
  recorded_rows::field found{term, says_->find_match(*term, values_)};
  const bool on_this = term->source.is_slot(this_slot) && found.match.source == values_[this_slot];
  if (on_this) found.match.source = 0;
  return found;
}

const field_view& result_cursor::find_field_view(std::size_t n, bool writes) {
  if (n >= fields_.size()) ask(n);
  // Where values are, and that they are written, is kept for all.
  const auto lock = locked();
  if (writes && !fields_[n].written) begin_writing(n);
  return find_view(n);
}

void result_cursor::begin_writing(std::size_t n) {
  // While several threads read, nobody else may ask this one.
  if (guard_)
    note_writes(n);
  else if (!std::exchange(writes_, true))
    store_.begin_writing(*this);
  written_.push_back(n);
  fields_[n].written = true;
}

// What is written to kept batches is said for many of them at once.
void result_cursor::leave_batch() {
  const bool waits = from_ == from::rows && !all_at_once_ && !guard_;
  for (std::size_t n : written_) {
    if (!waits) {
      note_writes(n);
      continue;
    }
    auto before = std::ranges::find(unsaid_, n, &written_batches::field);
    if (before == unsaid_.end())
      unsaid_.push_back({n, at_ - 1, at_});
    else if (before->last == at_ - 1)
      before->last = at_;
    else {
      rows_->note_writes(n, before->first, before->last, store_);
      *before = {n, at_ - 1, at_};
    }
  }
  forget_written();
}

// The iteration ends, or somebody looks at what was written so far.
void result_cursor::say_writes() {
  for (const auto& [n, first, last] : unsaid_) rows_->note_writes(n, first, last, store_);
  unsaid_.clear();
  for (std::size_t n : written_) note_writes(n);
}

bool result_cursor::changed(std::size_t row) const {
  if (!cache_.watches_rows())
    raise(errc::constraint, "the query does not watch its rows; say detect_changes()");
  // What was not kept may be anything.
  if (from_ != from::rows || all_at_once_) return true;
  const auto lock = locked();
  // What this one writes is no news to it; what others write meanwhile is.
  store_.note_look(this);
  return cache_.changed(*rows_, at_ - 1, rows_->batches()[at_ - 1].first + row);
}

bool result_cursor::writes(std::size_t n) {
  const recorded_rows::field& f = ask(n);
  const term::access access = q_->fields[n].access;
  if (access == term::access::normal) return f.term && !f.match.source;
  return access == term::access::out || access == term::access::inout;
}

void result_cursor::note_writes(std::size_t n) {
  if (from_ == from::rows) {
    rows_->note_writes(n, all_at_once_ ? first_batch_ : at_ - 1, all_at_once_ ? last_ : at_,
                       store_);
    return;
  }
  if (const table_list::found* found = find_in_table(n); found && found->in) {
    store_.note_writes(found->in->writes, found->id);
    if (store_.value_logs().any()) store_.value_logs().mark(found->id, {entities_, count_});
    return;
  }
  const id_t id = ask(n).match.id;
  const entity_t source = ask(n).match.source;
  if (!id) return;
  const column* side_by_side =
      !source && block_ && block_->in ? block_->in->find_column(id) : nullptr;
  if (side_by_side) {
    store_.note_writes(side_by_side->writes, id);
    store_.value_logs().mark(id, {entities_, count_});
    return;
  }
  for (entity_t e : source ? std::span(&source, 1) : std::span(entities_, count_))
    if (const located_value found = store_.find_value(world_.alive(e), id))
      store_.note_write(found, e, id);
}

std::uint64_t result_cursor::group() const {
  return from_ == from::rows && at_ ? rows_->group_of(at_ - 1) : 0;
}

// Requires: there is such a field.
const field_view& result_cursor::find_view(std::size_t n) {
  field_answer& f = fields_[n];
  if (const field_view* found = view_in_table(n)) return *found;
  if (f.is == field_answer::known::view) return f.view;
  const id_t plain = from_ == from::plan || from_ == from::list ? plain_id(n) : 0;
  // The common case: a column of the table, of which nothing is switched off.
  if (plain && from_ == from::plan && block_ && block_->in) {
    const column* c = block_->in->find_column(plain);
    if (c && !c->type->boxed && !world_.store.toggles_used()) {
      f.view = {c->data + block_->first.value * c->type->size, c->type->size};
      // What the id and the source are stays to be asked; the view stays when it is.
      return f.view;
    }
  }
  if (plain && from_ == from::list) {
    f.view = {};
    view_own(f, n, plain);
    return f.view;
  }
  if (from_ == from::rows && all_at_once_) return view_all(n);
  ask(n);
  f.is = field_answer::known::view;
  f.view = {};
  if (!f.match.match.id) return f.view;
  if (from_ == from::rows)
    view_kept(f, n);
  else
    view(f, n);
  return f.view;
}

// The values of all rows that were kept.
const field_view& result_cursor::view_all(std::size_t n) {
  field_view& v = fields_[n].view;
  v = {};
  v.rows = rows_->pointers(n) + first_row_;
  v.gaps = rows_->has_gaps(n);
  return v;
}

// Finds where the values of a field are.
void result_cursor::view(field_answer& f, std::size_t n) {
  const core::store& store = world_.store;
  const auto [id, source] = f.match.match;
  const entity_t first = source ? source : values_[this_slot];
  const located_value value = store.find_value(world_.alive(first), id);
  if (!value) return;
  f.view.data = static_cast<std::byte*>(value.value());
  if (source) return;
  f.view.stride = value.type->size;
  if (count_ == 1) return;
  if (from_ == from::plan && !value.type->boxed) {
    const id_record* record = store.ids().find(id);
    const bool side_by_side =
        block_->in ? block_->in->find_column(id) != nullptr
                   : block_->of && record && &record->pool == block_->of && record->pool.is_dense();
    if (side_by_side) return;
  }
  view_own(f, n, id);
}

// The same for kept results. Where all values are is found out when a part of them was asked for, unless things
// move while the iteration lasts: then it would be in vain.
void result_cursor::view_kept(field_answer& f, std::size_t n) {
  const type_info* type = this->type(n);
  if (!type) return;
  constexpr std::size_t part = 8;
  const std::size_t first = rows_->batches()[at_ - 1].first;
  const bool pays = begun_at_ == store_.version() && (first + count_) * part >= rows_->rows();
  if (!pays && !rows_->knows_pointers(n)) return view(f, n);
  void* const* rows = rows_->pointers(n) + first;
  f.view.data = static_cast<std::byte*>(rows[0]);
  if (f.match.match.source) return;
  f.view.stride = type->size;
  if (count_ > 1 && !rows_->side_by_side(n, at_ - 1)) f.view.rows = rows;
}

// The same for values that the entities of a batch have themselves, each in its place.
void result_cursor::view_own(field_answer& f, std::size_t n, id_t id) {
  const entity_index& entities = store_.entities();
  value_finder values(store_, id);
  const located_value first = values.find(entities.at_index(index_of(entities_[0])));
  if (!first) return;
  f.view.data = static_cast<std::byte*>(first.value());
  f.view.stride = first.type->size;
  if (count_ == 1) return;
  f.rows.clear();
  std::vector<void*>* rows = &f.rows;
  if (from_ == from::list && !answer_.entities.empty()) {
    argument_index::located& known = arguments_->values_of(answer_);
    if (known.version != store_.version()) known.pointers.assign(fields_.size(), {});
    known.version = store_.version();
    rows = &known.pointers[n];
  }
  if (rows->empty()) {
    rows->reserve(count_);
    for (std::size_t row = 0; row < count_; ++row)
      rows->push_back(values.find(entities.at_index(index_of(entities_[row]))).value());
  }
  f.view.rows = rows->data();
}

}  // namespace kith::core
