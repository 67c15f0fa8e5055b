#include "query/cache/result_cursor.hpp"

#include <algorithm>
#include <utility>

#include "query/plan/shortcuts.hpp"

namespace kith::core {

// --- beginning -------------------------------------------------------------------------------------

void result_cursor::begin(const query_bindings& bindings, query_use use, meaning& m,
                          std::mutex* guard) {
  says_ = &m;
  guard_ = guard;
  const auto lock = locked();
  use_ = use;
  done_ = false;
  at_end_ = false;
  forget_written();
  unsaid_.clear();
  store_.note_look();
  if (!guard && begin_again(bindings)) return;
  arguments_.reset();
  says_->refresh();
  prepared_.refresh();
  begun_at_ = store_.version();
  q_ = prepared_.checked();
  fields_.resize(q_->fields.size());
  for (field_answer& f : fields_) {
    f.typed_id = 0;
    f.type = nullptr;
  }
  values_.assign(q_->slots.size(), 0);
  bound_.clear();
  bind(bindings);
  if (done_) return;
  question_ = !q_->uses_this && bound_.empty();
  for (slot_index slot : q_->variables) question_ = question_ && !contains(q_->root.positive, slot);
  choose();
}

// Where the results come from.
void result_cursor::choose() {
  block_ = nullptr;
  table_fields_ = 0;
  const bool lasting = bound_.empty() && !question_;
  const arrangement& how = cache_.how();
  const bool arranged = q_->uses_this && (how.sorts() || how.groups());
  at_ = 0;
  cache_.begin(q_);
  if (!bound_.empty() && !group_ && begin_list()) return;
  if (lasting) {
    tables_ = cache_.tables();
    if (tables_) {
      from_ = from::tables;
      for (std::size_t n = 0; n < fields_.size(); ++n) {
        const std::vector<const checked_term*>& terms = q_->fields[n].terms;
        fields_[n].in_tables = terms.size() != 1 || !terms[0]->slots.empty();
      }
      at_row_ = 0;
      table_rows_ = {};
      done_ = !tables_->constants_hold();
      return;
    }
    rows_ = cache_.rows();
  }
  if (!rows_ && !(lasting && renew_rows())) {
    const bool whole = arranged || cache_.watches_rows() || use_ != query_use::some;
    const bool keep = lasting && whole && cache_.wants_rows();
    begin_plan();
    if (keep || arranged || q_->ordered) collect(keep, arranged);
  }
  from_ = rows_ ? from::rows : from::plan;
  if (!rows_) return;
  last_ = rows_->batches().size();
  if (group_) {
    const recorded_rows::batch_range range = rows_->group(*group_);
    at_ = range.first;
    last_ = range.last;
  }
  first_batch_ = at_;
  // Long batches often have their values side by side.
  constexpr std::size_t long_batch = 1024;
  all_at_once_ = use_ == query_use::values && rows_->rows() < long_batch * rows_->batches().size();
}

void result_cursor::bind(const query_bindings& bindings) {
  group_.reset();
  numbers_.clear();
  for (const auto& [number, e] : bindings) {
    numbers_.push_back(number);
    if (number == group_binding) {
      if (!cache_.how().groups()) raise(errc::out_of_range, "the query has no groups");
      group_ = e;
      continue;
    }
    if (number < 0 || static_cast<std::size_t>(number) >= q_->slots.size())
      raise(errc::out_of_range, "the query has no such variable");
    world_.alive(e);
    const auto slot = static_cast<slot_index>(number);
    for (slot_index s = 0; s < q_->slots.size(); ++s) {
      if (s != slot && q_->slots[s].same_as != slot) continue;
      values_[s] = e;
      insert(bound_, s);
    }
  }
  for (slot_index slot : q_->parameters)
    if (!values_[slot])
      raise(errc::out_of_range, "the parameter @", q_->slots[slot].name, " has no value");
  for (const auto& [a, b] : q_->distinct) done_ = done_ || values_[a] == values_[b];
  for (slot_index slot : bound_) done_ = done_ || !is_allowed(*q_, world_, slot, values_[slot]);
}

// Looks the results up by the values that are given.
bool result_cursor::begin_list() {
  if (bound_.size() + 1 != q_->slots.size()) return false;
  arguments_ = cache_.arguments(bound_);
  if (!arguments_) return false;
  from_ = from::list;
  uniform_ = arguments_->is_uniform();
  asked_at_ = store_.version();
  any_value_ = q_->distinct.empty();
  for (slot_index slot : bound_)
    any_value_ = any_value_ && !q_->slots[slot].is_source && q_->slots[slot].same_as == no_slot;
  by_parameters_ = any_value_ && uniform_ && bound_ == q_->parameters;
  find_fixed_ids();
  look_up();
  return true;
}

// Finds the ids of fields that are the same for all results of all values, as their terms say.
void result_cursor::find_fixed_ids() {
  plain_ids_.assign(fields_.size(), 0);
  const auto is_fixed = [](const checked_ref& ref) {
    return ref.is == checked_ref::kind::fixed && !ref.flagged && ref.lookup.empty();
  };
  for (std::size_t n = 0; uniform_ && n < fields_.size(); ++n) {
    if (q_->fields[n].terms.size() != 1) continue;
    const checked_term& t = *q_->fields[n].terms[0];
    const bool own = t.is == checked_term::kind::predicate && !t.exact &&
                     t.source.is_slot(this_slot) && !t.source.flagged;
    if (!own || !is_fixed(t.first) || (t.pair && !is_fixed(t.second))) continue;
    const entity_t p = says_->value_of(t.first, values_);
    if (!p || says_->has_kinds(p) || says_->traits_of(p) & (trait::transitive | trait::reflexive))
      continue;
    plain_ids_[n] = t.pair ? make_pair(p, t.second.entity) : p;
  }
}

// The last question was the same but for the values, and nothing has changed since.
bool result_cursor::begin_again(const query_bindings& bindings) {
  if (!arguments_ || asked_at_ != store_.version() || !any_value_ || store_.busy()) return false;
  const auto is_same = [](const query_binding& b, int number) { return b.number == number; };
  if (!std::equal(bindings.begin(), bindings.end(), numbers_.begin(), numbers_.end(), is_same))
    return false;
  for (const query_binding& b : bindings) {
    world_.alive(b.value);
    values_[static_cast<std::size_t>(b.number)] = b.value;
  }
  look_up();
  return true;
}

void result_cursor::look_up() {
  at_ = 0;
  given_.clear();
  for (slot_index slot : bound_) given_.push_back(values_[slot]);
  answer_ = arguments_->find(given_);
  list_ = answer_.entities;
  if (answer_.more.empty()) return;
  copied_.assign(list_.begin(), list_.end());
  for (entity_t e : answer_.more)
    if (arguments_->is_result(e, values_)) copied_.push_back(e);
  list_ = copied_;
  answer_ = {};
}

void result_cursor::begin_plan() {
  plan_ = guard_ ? prepared_.make_plan(bound_) : prepared_.plan_for(bound_);
  run_.emplace(*q_, *plan_, *says_, values_);
  block_ = nullptr;
  plain_ids_.clear();
  if (question_ || q_->ordered || !q_->uses_this || !open_shortcuts.batches || !find_batches())
    return;
  std::vector<id_t> observed = plain_ids_;
  std::erase(observed, 0);
  run_->allow_batches(std::move(observed), closed_relations_);
}

void result_cursor::end() {
  const auto lock = locked();
  say_writes();
  forget_written();
  table_fields_ = 0;
  if (std::exchange(writes_, false)) store_.end_writing(*this);
  block_ = nullptr;
  // Who saw a part has not seen the rest.
  const bool seen_all = at_end_ && bound_.empty() && !group_ && use_ != query_use::some;
  if (seen_all && !store_.busy()) cache_.end(tables_ != nullptr);
  run_.reset();
  plan_.reset();
  rows_.reset();
  tables_.reset();
  // The next question may be the same but for its values.
  if (guard_) arguments_.reset();
}

// Can results that differ in $this alone have the same ids and sources?
bool result_cursor::find_batches() {
  plain_ids_.assign(fields_.size(), 0);
  closed_relations_.clear();
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    const field_info& info = q_->fields[n];
    if (info.terms.size() > 1) return false;
    if (info.terms.empty() || !contains(info.terms[0]->slots, this_slot)) continue;
    const checked_term& t = *info.terms[0];
    if (t.source.flagged || t.first.flagged || t.second.flagged || t.source.slot != this_slot ||
        !t.source.lookup.empty() || t.first.slot == this_slot || t.second.slot == this_slot)
      return false;
    if (t.exact) {
      // The id of a star is the same for a batch.
      if (t.star == no_slot || t.first.is != checked_ref::kind::fixed ||
          t.second.is != checked_ref::kind::star || world_.inherit.any())
        return false;
      continue;
    }
    const bool known = (t.first.slot == no_slot || values_[t.first.slot]) &&
                       (t.second.slot == no_slot || values_[t.second.slot]);
    const entity_t p = says_->value_of(t.first, values_);
    if (!p || says_->has_kinds(p)) return false;
    if (says_->traits_of(p) & trait::reflexive) return false;
    if (says_->traits_of(p) & trait::transitive && t.pair) {
      if (!known || world_.inherit.any() || store_.was_toggled(index_of(p))) return false;
      closed_relations_.push_back(p);
      continue;
    }
    if (!known) {
      // The value of a variable is the same for a batch; only bases could show it in more than one way.
      if (t.first.slot != no_slot || world_.inherit.any()) return false;
      // An optional term that does not give the value itself holds for some rows and not for others.
      const auto shown = std::ranges::find(q_->root.items, n, &item::field);
      if (info.optional && !contains(shown->introduces, t.second.slot)) return false;
      continue;
    }
    const entity_t target = t.pair ? says_->value_of(t.second, values_) : 0;
    if (t.pair && !target) return false;
    plain_ids_[n] = t.pair ? make_pair(p, target) : p;
  }
  return true;
}

// --- all results at once ---------------------------------------------------------------------------

// Finds all results, in their order. If they are to be kept and are too many for that, and no order is
// asked for, they are found one after the other instead.
void result_cursor::collect(bool keep, bool arranged) {
  auto rows = std::make_shared<recorded_rows>(q_, world_);
  std::vector<recorded_rows::field> fields(fields_.size());
  const std::uint64_t looks = says_->looks_at_all();
  const std::size_t most = cache_.max_rows();
  while (run_->next()) {
    block_ = run_->batch();
    for (std::size_t n = 0; n < fields.size(); ++n) fields[n] = find_field(n);
    rows->add(block_ ? block_->entities : std::span<const entity_t>(&values_[this_slot], 1),
              values_, fields);
    if (q_->ordered) rows->depths.push_back(depth());
    if (question_) break;
    if (rows->rows() <= most || cache_.watches_rows()) continue;
    keep = false;
    if (q_->ordered || arranged) continue;
    run_->stop();
    begin_plan();
    return;
  }
  run_.reset();
  if (q_->ordered || arranged)
    cache_.how().arrange(*rows);
  else if (keep && !has_all())
    rows->bring_together();
  rows_ = std::move(rows);
  if (keep) cache_.keep(rows_, says_->looks_at_all() != looks);
}

// Is an `all` written? What one entity finds so comes from near to far.
bool result_cursor::has_all() const {
  return std::ranges::any_of(q_->slots,
                             [](const slot_info& s) { return s.is == slot_info::kind::all; });
}

// Asks the few entities anew because of which kept results are outdated.
bool result_cursor::renew_rows() {
  const auto changed = cache_.outdated();
  if (!changed) return false;
  plan_ = guard_ ? prepared_.make_plan({this_slot}) : prepared_.plan_for({this_slot});
  std::vector<recorded_rows::field> fields(fields_.size());
  std::vector<query_cache::answered> answers;
  bool alike = true;
  for (entity_t e : *changed) {
    values_.assign(values_.size(), 0);
    values_[this_slot] = e;
    bool is_result = says_->alive(e) && is_allowed(*q_, world_, this_slot, e);
    if (is_result) {
      run_.emplace(*q_, *plan_, *says_, values_);
      is_result = run_->next();
    }
    if (is_result) {
      for (std::size_t n = 0; n < fields.size(); ++n) fields[n] = find_field(n);
      alike = cache_.is_like_rows(values_, fields) && !run_->next();
    }
    run_.reset();
    if (!alike) break;
    answers.push_back({e, is_result});
  }
  values_.assign(values_.size(), 0);
  plan_.reset();
  if (!alike) return false;
  rows_ = cache_.renew(answers);
  return true;
}

// The place of a result in the order that a cascade asks for.
std::uint32_t result_cursor::depth() {
  const entity_t e = says_->value_of(q_->ordered_by, values_);
  // What leads into a cycle comes last either way, and after that what has no depth at all.
  constexpr std::uint32_t on_cycle = meaning::endless - 1;
  if (!e) return meaning::endless;
  const std::uint32_t found = says_->depth(e, q_->order_relation);
  if (found == meaning::endless) return on_cycle;
  return q_->descending ? on_cycle - 1 - found : found;
}

// --- batches ---------------------------------------------------------------------------------------

bool result_cursor::next() {
  if (!written_.empty()) {
    const auto lock = locked();
    leave_batch();
  }
  count_ = 0;
  if (std::exchange(asked_, false))
    for (field_answer& f : fields_) f.is = field_answer::known::no;
  if (!done_ && next_batch()) return true;
  at_end_ = true;
  return false;
}

bool result_cursor::next_batch() {
  switch (from_) {
    case from::plan:
      return next_of_plan();
    case from::tables:
      return next_of_tables();
    case from::rows:
      return next_of_rows();
    case from::list:
      return next_of_list();
  }
  return false;
}

bool result_cursor::next_of_plan() {
  if (!run_->next()) {
    done_ = true;
    return false;
  }
  done_ = question_;
  block_ = run_->batch();
  count_ = block_ ? block_->entities.size() : 1;
  entities_ = block_ ? block_->entities.data() : q_->uses_this ? &values_[this_slot] : nullptr;
  return true;
}

bool result_cursor::next_of_tables() {
  for (;;) {
    // Built-in entities are no results.
    while (at_row_ < table_rows_.size() && is_builtin(table_rows_[at_row_])) ++at_row_;
    if (at_row_ < table_rows_.size()) break;
    const std::vector<table_list::match>& matches = tables_->matches();
    if (at_ == matches.size()) {
      done_ = true;
      return false;
    }
    const table_list::match& match = matches[at_++];
    tables_->expect(at_);
    table_rows_ = match.rows->entities();
    in_table_ = tables_->fields(match);
    table_fields_ = fields_.size();
    // New entities come to the table without ids at any time.
    if (match.rows->ids().empty()) {
      copied_.assign(table_rows_.begin(), table_rows_.end());
      table_rows_ = copied_;
    }
    at_row_ = 0;
    has_builtins_ = match.rows->has_builtins();
    if (!has_builtins_ && !table_rows_.empty()) break;
  }
  first_row_ = at_row_;
  at_row_ = table_rows_.size();
  if (has_builtins_) {
    at_row_ = first_row_ + 1;
    while (at_row_ < table_rows_.size() && !is_builtin(table_rows_[at_row_])) ++at_row_;
  }
  entities_ = table_rows_.data() + first_row_;
  count_ = at_row_ - first_row_;
  values_[this_slot] = *entities_;
  return true;
}

bool result_cursor::next_of_list() {
  if (at_ == list_.size()) {
    done_ = true;
    return false;
  }
  entities_ = list_.data() + at_;
  count_ = uniform_ ? list_.size() : 1;
  at_ += count_;
  values_[this_slot] = *entities_;
  return true;
}

bool result_cursor::next_of_rows() {
  while (at_ != last_ && !rows_->batches()[at_].count) ++at_;
  if (at_ == last_) {
    done_ = true;
    return false;
  }
  if (all_at_once_) {
    // Who asks for values alone sees no batches.
    first_row_ = rows_->batches()[at_].first;
    const recorded_rows::batch& end = rows_->batches()[last_ - 1];
    count_ = end.first + end.count - first_row_;
    entities_ = q_->uses_this ? rows_->entities() + first_row_ : nullptr;
    at_ = last_;
    return true;
  }
  const recorded_rows::batch& b = rows_->batches()[at_];
  std::copy_n(rows_->values_of(at_), values_.size(), values_.begin());
  ++at_;
  count_ = b.count;
  entities_ = q_->uses_this ? rows_->entities() + b.first : nullptr;
  values_[this_slot] = entities_ ? *entities_ : 0;
  return true;
}

}  // namespace kith::core
