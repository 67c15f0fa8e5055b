#include "query/cache/result_cursor.hpp"

#include <algorithm>
#include <utility>

#include "base/scope_exit.hpp"

namespace kith::core {

// --- beginning -----------------------------------------------------------------------------------

void result_cursor::begin(const query_bindings& bindings, query_use use, meaning& m,
                          std::mutex* guard) {
  guard_ = guard;
  const auto lock = locked();
  it_.says = &m;
  it_.several_readers = guard != nullptr;
  it_.use = use;
  at_end_ = false;
  given_ = 0;
  is_cut_ = false;
  is_limited_ = m.effort().is_limited();
  if (is_limited_) m.effort().work_until(deadline_ = m.effort().end_of_time());
  forget_written();
  it_.store.note_look();
  if (lookup_) {
    source_ = lookup_.get();
    if (!guard && lookup_->begin_again(bindings)) return;
    lookup_->forget();
  }
  source_ = &nothing_;
  m.refresh();
  prepared_.refresh();
  it_.begun_at = it_.store.version();
  it_.query = prepared_.checked();
  it_.now = {};
  it_.fields.resize(it_.query->fields.size());
  for (iteration::field_answer& f : it_.fields) {
    f.typed_id = 0;
    f.type = nullptr;
  }
  if (bind(bindings)) source_ = &choose(bindings);
}

// For results that were found before.
void result_cursor::begin_found(std::shared_ptr<const checked_query> query, meaning& m) {
  if (lookup_) lookup_->forget();
  it_.says = &m;
  it_.several_readers = guard_ != nullptr;
  it_.is_question = false;
  at_end_ = false;
  forget_written();
  it_.begun_at = it_.store.version();
  it_.query = std::move(query);
  it_.now = {};
  it_.values.assign(it_.query->slots.size(), 0);
  it_.bound.clear();
  it_.fields.assign(it_.query->fields.size(), {});
  group_.reset();
}

void result_cursor::begin(std::shared_ptr<recorded_rows> rows, meaning& m) {
  guard_ = nullptr;
  begin_found(rows->query(), m);
  it_.use = query_use::some;
  made(arranged_, cache_).begin(std::move(rows), std::nullopt);
  source_ = arranged_.get();
}

void result_cursor::begin(const query_piece& piece, query_use use, meaning& m, std::mutex* guard) {
  guard_ = guard;
  const auto lock = locked();
  begin_found(piece.tables ? piece.tables->query() : piece.rows->query(), m);
  it_.use = use;
  made(part_, cache_).begin(piece);
  source_ = part_.get();
}

query_piece result_cursor::find_all() {
  query_piece all;
  if (source_ == &tables_) all.tables = tables_.all_rows();
  if (all.tables) {
    for (const table_list::match& m : all.tables->matches()) all.count += m.rows->entities().size();
  } else if (source_ == arranged_.get()) {
    all.rows = arranged_->rows();
    all.count = all.rows->rows();
  } else {
    result_recorder results(it_);
    while (next()) results.add(*source_);
    all.rows = results.rows();
    all.count = all.rows->rows();
  }
  at_end_ = true;
  return all;
}

bool result_cursor::look_up(const slot_values& values, meaning& m) {
  note_writes();
  forget_written();
  source_->end();
  source_ = &nothing_;
  says_at_once_ = true;
  it_.now = {};
  m.refresh();
  prepared_.refresh();
  it_.query = prepared_.checked();
  if (it_.query->slots.size() != values.size()) return false;
  it_.fields.assign(it_.query->fields.size(), {});
  it_.values = values;
  it_.bound.clear();
  const auto is_variable = [&](slot_index s) {
    return values[s] && it_.query->slots[s].is == slot_info::kind::variable &&
           contains(it_.query->root.positive, s);
  };
  for (slot_index s = 0; s < values.size(); ++s) {
    if (!is_variable(s)) continue;
    if (!m.alive(values[s]) || !is_allowed(*it_.query, it_.world, s, values[s])) return false;
    insert(it_.bound, s);
  }
  plan_source& results = made(plan_, prepared_);
  results.begin(it_.bound);
  source_ = &results;
  while (results.next(it_.now))
    if (it_.values == values) return true;
  return false;
}

bool result_cursor::bind(const query_bindings& bindings) {
  const checked_query& q = *it_.query;
  it_.values.assign(q.slots.size(), 0);
  it_.bound.clear();
  group_.reset();
  for (const auto& [number, e] : bindings) {
    if (number == group_binding) {
      if (!cache_.how().groups()) raise(errc::out_of_range, "the query has no groups");
      group_ = e;
      continue;
    }
    if (number < 0 || static_cast<std::size_t>(number) >= q.slots.size())
      raise(errc::out_of_range, "the query has no such variable");
    it_.world.alive(e);
    const auto slot = static_cast<slot_index>(number);
    for (slot_index s = 0; s < q.slots.size(); ++s) {
      if (s != slot && q.slots[s].same_as != slot) continue;
      it_.values[s] = e;
      insert(it_.bound, s);
    }
  }
  for (slot_index slot : q.parameters)
    if (!it_.values[slot])
      raise(errc::out_of_range, "the parameter @", q.slots[slot].name, " has no value");
  it_.is_question =
      !q.uses_this && it_.bound.empty() && std::ranges::none_of(q.variables, [&](slot_index slot) {
        return contains(q.root.positive, slot);
      });
  if (std::ranges::any_of(q.distinct, [&](const slot_list& set) { return has_twins(set); }))
    return false;
  for (slot_index slot : it_.bound)
    if (!is_allowed(q, it_.world, slot, it_.values[slot])) return false;
  return true;
}

// Have two of the slots the same value?
bool result_cursor::has_twins(const slot_list& slots) const {
  if (slots.size() == 2) return it_.values[slots[0]] == it_.values[slots[1]];
  slot_values given;
  for (slot_index slot : slots) given.push_back(it_.values[slot]);
  std::ranges::sort(given);
  return std::ranges::adjacent_find(given) != given.end();
}

result_source& result_cursor::choose(const query_bindings& bindings) {
  const bool lasting = it_.bound.empty() && !it_.is_question;
  cache_.begin(it_.query, lasting);
  if (!it_.bound.empty() && !group_ && made(lookup_).begin(cache_, bindings)) return *lookup_;
  if (!lasting) return choose_plan(lasting);
  if (auto tables = cache_.tables()) {
    tables_.begin(std::move(tables));
    return tables_;
  }
  std::shared_ptr<recorded_rows> rows = cache_.rows();
  if (!rows) rows = renew_rows();
  if (!rows) rows = repair_rows();
  if (!rows) return choose_plan(lasting);
  made(arranged_, cache_).begin(std::move(rows), group_);
  return *arranged_;
}

result_source& result_cursor::choose_plan(bool lasting) {
  const bool arranges = it_.query->uses_this && cache_.how().arranges();
  // An iteration that may end early keeps nothing, unless it must find all results anyway.
  const bool whole = arranges || cache_.watches_rows() || it_.use != query_use::some;
  std::optional<read_watch> watch;
  if (lasting && whole) watch = cache_.wants_rows();
  plan_source& results = made(plan_, prepared_);
  results.begin(it_.bound);
  if (arranges || it_.query->ordered || (watch && cache_.collects_first())) {
    const bool all = made(arranged_, cache_).begin_all(results, cache_, std::move(watch), group_);
    results.end();
    if (all) return *arranged_;
    it_.values.assign(it_.values.size(), 0);
    results.begin(it_.bound);
    return results;
  }
  if (!watch) return results;
  made(recording_).begin(results, std::move(*watch), cache_.max_rows());
  return *recording_;
}

// Asks the few entities anew because of which kept results are outdated. Null: that is not
// possible.
std::shared_ptr<recorded_rows> result_cursor::renew_rows() {
  const auto changed = cache_.outdated();
  if (!changed) return nullptr;
  plan_source& results = made(plan_, prepared_);
  results.begin({this_slot});
  std::vector<result_field> fields(it_.fields.size());
  std::vector<query_cache::answered> answers;
  bool alike = true;
  for (entity_t e : *changed) {
    it_.values.assign(it_.values.size(), 0);
    it_.values[this_slot] = e;
    results.begin_again();
    const bool is_result = it_.says->alive(e) && is_allowed(*it_.query, it_.world, this_slot, e) &&
                           results.next(it_.now);
    if (is_result) {
      for (std::size_t n = 0; n < fields.size(); ++n) fields[n] = results.find_field(n);
      alike = cache_.is_like_rows(it_.values, fields) && !results.next(it_.now);
    }
    if (!alike) break;
    answers.push_back({e, is_result});
  }
  it_.values.assign(it_.values.size(), 0);
  results.end();
  return alike ? cache_.renew(answers) : nullptr;
}

// Finds the results anew that facts which changed can have affected. Null: finding all of them is
// not more work.
std::shared_ptr<recorded_rows> result_cursor::repair_rows() {
  const auto affected = cache_.affected();
  if (!affected) return nullptr;
  recorded_rows& rows = cache_.rows_to_repair();
  // Where an error ends this, the rows are neither those of before nor those of now.
  scope_exit forget([&] { cache_.forget_rows(); });
  plan_source& results = made(plan_, prepared_);
  effort& spent = it_.says->effort();
  const std::uint64_t most = spent.done() + cache_.repair_effort();
  const std::uint64_t looks_before = it_.says->looks_at_all();
  slot_list bound;
  bool differ = false, given_up = false;
  std::vector<recorded_rows::result> fresh;
  for (const partial_result& part : *affected) {
    slot_list slots;
    for (const slot_value& v : part) slots.push_back(v.slot);
    it_.values.assign(it_.values.size(), 0);
    if (slots != bound) {
      results.begin(slots);
      bound = std::move(slots);
    }
    fresh.clear();
    if (bind(part)) {
      results.begin_again();
      while (!given_up && results.next(it_.now)) {
        recorded_rows::result& r = fresh.emplace_back();
        r.values = it_.values;
        for (std::size_t n = 0; n < it_.fields.size(); ++n)
          r.fields.push_back(results.find_field(n));
        given_up = spent.done() > most;
      }
    }
    if (given_up) break;
    std::size_t looked_at = 0;
    const std::vector<std::uint32_t> old = rows.find_all(part, looked_at);
    differ = replace(rows, old, fresh) || differ;
    spent.spend(1 + looked_at);
    given_up = spent.done() > most;
    if (given_up) break;
  }
  results.end();
  it_.values.assign(it_.values.size(), 0);
  forget.dismiss();
  return given_up ? nullptr : cache_.repaired(differ, it_.says->looks_at_all() != looks_before);
}

// Gives the slots of a partial result their values. False: no result can have them.
bool result_cursor::bind(const partial_result& part) {
  return std::ranges::all_of(part, [&](const slot_value& v) {
    it_.values[v.slot] = it_.store.entities().alive_at(v.index);
    return it_.values[v.slot] && is_allowed(*it_.query, it_.world, v.slot, it_.values[v.slot]);
  });
}

// Puts results in the place of rows, which descend. Returns whether they are others.
bool result_cursor::replace(recorded_rows& rows, const std::vector<std::uint32_t>& old,
                            std::vector<recorded_rows::result>& fresh) {
  const auto less = [](const recorded_rows::result& a, const recorded_rows::result& b) {
    return a.values < b.values;
  };
  std::ranges::sort(fresh, less);
  std::vector<bool> stays(fresh.size());
  bool differ = false;
  for (std::uint32_t row : old) {
    const recorded_rows::result r = rows.result_at(row);
    const auto [first, last] = std::equal_range(fresh.begin(), fresh.end(), r, less);
    const auto same = std::find_if(
        first, last, [&](const recorded_rows::result& f) { return rows.is_result(row, f); });
    if (same != last) {
      stays[static_cast<std::size_t>(same - fresh.begin())] = true;
      continue;
    }
    rows.remove_row(row);
    differ = true;
  }
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (stays[i]) continue;
    rows.add_row(fresh[i]);
    cache_.note_added(fresh[i].fields);
    differ = true;
  }
  return differ;
}

// --- batches -------------------------------------------------------------------------------------

bool result_cursor::next() {
  if (!written_.empty()) {
    const auto lock = locked();
    note_writes();
    forget_written();
  }
  it_.now.count = 0;
  it_.says->effort().check_stop();
  if (is_limited_) go_on();
  if (std::exchange(it_.asked, false))
    for (iteration::field_answer& f : it_.fields) f.matched = f.viewed = false;
  if (source_->next(it_.now)) {
    if (is_limited_) count_rows();
    return true;
  }
  it_.now.fields = {};
  if (!std::exchange(at_end_, true) && source_ == recording_.get()) {
    const auto lock = locked();
    recording_->keep(cache_);
  }
  return false;
}

// Iterations inside this one have limits of their own.
void result_cursor::go_on() {
  if (is_cut_) it_.says->effort().raise_rows();
  it_.says->effort().work_until(deadline_);
}

// Of a batch that is too long, the rows that are allowed are passed on.
void result_cursor::count_rows() {
  const std::size_t left = it_.says->effort().most_rows() - given_;
  if (left == 0) it_.says->effort().raise_rows();
  is_cut_ = it_.now.count > left;
  if (is_cut_) it_.now.count = left;
  given_ += it_.now.count;
}

void result_cursor::end() {
  const auto lock = locked();
  if (std::exchange(is_limited_, false))
    it_.says->effort().work_until(effort::clock::time_point::max());
  if (!std::exchange(says_at_once_, false)) say_writes();
  forget_written();
  if (std::exchange(is_writer_, false)) it_.store.end_writing(*this);
  // A caller that saw a part has not seen the rest.
  const bool seen_all = at_end_ && it_.bound.empty() && !group_ && it_.use != query_use::some &&
                        source_ != part_.get();
  if (seen_all && !it_.store.busy()) cache_.end(source_ == &tables_);
  it_.now = {};
  source_->end();
  // The next question may be the same but for its values.
  if (guard_ && lookup_) lookup_->forget();
  source_ = &nothing_;
}

// --- fields --------------------------------------------------------------------------------------

const field_view& result_cursor::find_field_view(std::size_t n, bool writes) {
  if (n >= it_.fields.size()) source_->field(n);
  // What queries keep of where values are, and that they are written, is guarded.
  const auto lock = locked();
  if (writes && !it_.fields[n].written) begin_writing(n);
  return source_->view(n);
}

bool result_cursor::writes(std::size_t n) {
  const result_field& f = source_->field(n);
  const term::access access = it_.query->fields[n].access;
  if (access == term::access::normal) return f.term && !f.source;
  return access == term::access::out || access == term::access::inout;
}

bool result_cursor::changed(std::size_t row) const {
  if (!cache_.watches_rows())
    raise(errc::constraint, "the query does not watch its rows; say detect_changes()");
  const auto lock = locked();
  // What this one writes is no news to it; what others write meanwhile is.
  it_.store.note_look(this);
  return source_->changed(row);
}

// --- writes --------------------------------------------------------------------------------------

void result_cursor::begin_writing(std::size_t n) {
  written_.push_back(n);
  it_.fields[n].written = true;
  // While several threads read, no other may ask this one for its writes.
  if (guard_ || says_at_once_)
    note_writes();
  else if (!std::exchange(is_writer_, true))
    it_.store.begin_writing(*this);
}

void result_cursor::note_writes() {
  for (std::size_t n : written_) source_->note_writes(n);
  if (guard_ || says_at_once_) source_->say_writes();
}

// The iteration ends, or a reader looks at what was written so far.
void result_cursor::say_writes() {
  for (std::size_t n : written_) source_->note_writes(n);
  source_->say_writes();
}

}  // namespace kith::core
