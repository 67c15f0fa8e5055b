#include "query/cache/table_list.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/builtins.hpp>

#include "base/scope_exit.hpp"
#include "query/exec/term_now.hpp"

namespace kith::core {

table_list::table_list(std::shared_ptr<const checked_query> q, meaning& m)
    : q_(std::move(q)), m_(m), g_(m.world()), judge_(m) {
  simple_ = q_->uses_this && q_->slots.size() == 1 && !q_->ordered;
  for (const item& i : q_->root.items) simple_ = simple_ && add(i);
}

// --- what is asked -------------------------------------------------------------------------------

// False: it is not about fixed ids alone.
bool table_list::add(const item& i) {
  asked a{condition_kind::required, {}, i.field};
  switch (i.is) {
    case item::kind::term:
      a.terms.push_back(&i.term);
      break;
    case item::kind::not_:
    case item::kind::optional:
      a.is = i.is == item::kind::not_ ? condition_kind::refused : condition_kind::optional;
      break;
    case item::kind::any_of:
      break;
    case item::kind::mention:
      return false;
  }
  for (const block& b : i.bodies) {
    if (b.items.size() != 1 || b.items[0].is != item::kind::term) return false;
    a.terms.push_back(&b.items[0].term);
  }
  if (a.terms.size() == 1 && a.terms[0]->slots.empty()) {
    constants_.push_back({a.terms[0], a.is, a.field});
    return true;
  }
  if (!std::ranges::all_of(a.terms, [](const checked_term* t) { return t->shape.is_plain(); }))
    return false;
  asked_.push_back(std::move(a));
  return true;
}

bool table_list::constants_hold() const {
  return std::ranges::all_of(constants_, [&](const constant& c) {
    return c.is == condition_kind::optional ||
           m_.holds(*c.term, no_values_) == (c.is == condition_kind::required);
  });
}

// --- whether something changed -------------------------------------------------------------------

// A value of one entity goes with it from table to table, so its own log says when it was written.
void table_list::add_value(entity_t e, id_t id, std::uint64_t& sum) const {
  std::shared_ptr<const change_log>& log = shared_values_[id];
  if (!log) log = g_.store.value_logs().watch_each(id);
  sum += mix(log->mark_of(e) + mix(e));
}

void table_list::add_constant(const constant& c, std::uint64_t& sum) const {
  if (c.field >= q_->fields.size() || !m_.holds(*c.term, no_values_)) return;
  const matched shown = m_.find_match(*c.term, no_values_);
  sum += mix(shown.id + mix(shown.source + mix(c.field + 1)));
  if (shown.id && reads_values(q_->fields[c.field])) add_value(shown.source, shown.id, sum);
}

std::uint64_t table_list::state() const {
  std::uint64_t sum = mix(g_.store.tables().erasures() + 1) + constants_hold();
  for (const match& m : matches_) {
    sum += mix(m.rows->id().value + 1) + m.rows->changes();
    for (std::size_t n = 0; n < q_->fields.size(); ++n) {
      const result_field& f = fields(m)[n];
      if (!f.id) continue;
      // What the rows have themselves is the same as long as it is the same table.
      if (f.source) sum += mix(f.id + mix(f.source + mix(m.rows->id().value + 1)));
      if (!reads_values(q_->fields[n])) continue;
      if (f.in)
        sum += f.in->writes;
      else if (f.source)
        add_value(f.source, f.id, sum);
    }
  }
  for (const constant& c : constants_) add_constant(c, sum);
  return sum;
}

// --- whether tables decide -----------------------------------------------------------------------

table_list::basis table_list::now() const {
  return {g_.store.tables().erasures(), g_.store.placements(), g_.inherit.version()};
}

bool table_list::is_decided() const {
  const auto by_tables = [&](id_t id) { return judge_.is_decided_by_tables(id); };
  if (!std::ranges::all_of(q_->hides, by_tables)) return false;
  if (g_.inherit.any() && !by_tables(make_pair(IsA, 0))) return false;
  return std::ranges::all_of(asked_, [&](const asked& a) {
    return std::ranges::all_of(a.terms, [&](const checked_term* t) {
      return by_tables(fixed_id(*t)) && !term_now(m_, *t).has_kinds();
    });
  });
}

bool table_list::refresh() {
  if (!simple_) return false;
  if (!kinds_) kinds_ = log_reader(g_.store.logs().watch(make_pair(IsA, 0)));
  // Where memory ends on the way, the list is made anew the next time.
  scope_exit forget([&] { made_for_ = basis(); });
  bool fresh = made_for_ == now();
  if (kinds_.has_news()) {
    kinds_.catch_up();
    // A new kind of a term's predicate counts as the predicate.
    fresh = fresh && decided_ && is_decided();
  }
  if (!fresh) decided_ = rebuild();
  if (!decided_) {
    forget.dismiss();
    return false;
  }
  const auto made = g_.store.tables().made_since_erasure();
  const bool some_filled = std::ranges::any_of(later_, [](const table* t) { return t->size(); });
  if (tables_seen_ == made.size() && !some_filled) {
    forget.dismiss();
    return true;
  }
  watch_ids();
  for (; tables_seen_ < made.size(); ++tables_seen_) look_at(*made[tables_seen_]);
  for (const table* t : std::exchange(later_, {})) look_at(*t);
  forget.dismiss();
  return true;
}

bool table_list::rebuild() {
  made_for_ = now();
  matches_.clear();
  fields_.clear();
  later_.clear();
  tables_seen_ = g_.store.tables().made_since_erasure().size();
  if (!is_decided()) return false;
  watch_ids();
  const judge::watched_id* rarest = nullptr;
  const auto tables_of = [](const judge::watched_id& w) {
    return w.record ? w.record->tables.size() : 0;
  };
  for (const judge::condition& c : judge_.conditions()) {
    if (c.is != condition_kind::required || c.ids.size() > 1 || c.ids[0].handed_on) continue;
    if (!rarest || tables_of(c.ids[0]) < tables_of(*rarest)) rarest = &c.ids[0];
  }
  if (!rarest)
    g_.store.tables().each([&](const table& t) { look_at(t); });
  else if (rarest->record)
    for (const table* t : rarest->record->tables) look_at(*t);
  return true;
}

// --- tables --------------------------------------------------------------------------------------

// Another entity may have the index of one that is gone: its ids are none of this query.
void table_list::watch_ids() {
  judge_.forget_conditions();
  std::vector<id_t> ids;
  for (const asked& a : asked_) {
    ids.clear();
    for (const checked_term* t : a.terms) {
      const bool alive = m_.alive(t->first.entity) && (!t->pair || m_.alive(t->second.entity));
      ids.push_back(alive ? fixed_id(*t) : 0);
    }
    judge_.add(ids, a.is);
  }
  judge_.hide(*q_);
}

void table_list::look_at(const table& t) {
  const bool has_bases = g_.inherit.any() && t.pairs_of(index_of(IsA)).count != 0;
  if (has_bases && !t.size()) {
    later_.push_back(&t);
    return;
  }
  judge::verdict v;
  std::vector<judge::shown_id> shown(judge_.conditions().size());
  judge_.decide(t, v, shown);
  if (!v.passes_all()) return;
  const std::size_t first = fields_.size();
  matches_.push_back({&t, static_cast<std::uint32_t>(first)});
  fields_.resize(first + q_->fields.size());
  const std::span<result_field> out = std::span(fields_).subspan(first);
  for (std::size_t n = 0; n < asked_.size(); ++n) show(asked_[n], shown[n], t, out);
  for (const constant& c : constants_)
    if (c.field < out.size() && !q_->fields[c.field].terms.empty()) out[c.field].term = c.term;
}

void table_list::show(const asked& a, judge::shown_id id, const table& t,
                      std::span<result_field> out) const {
  // What is written as a scope has no id to show.
  if (id.which == judge::shown_id::none || a.field >= out.size()) return;
  const checked_term* term = a.terms[id.which];
  const auto& shown = q_->fields[a.field].terms;
  if (a.is == condition_kind::refused || std::ranges::find(shown, term) == shown.end()) return;
  const id_t found = fixed_id(*term);
  out[a.field] = {term, found, id.owner, id.owner ? nullptr : t.find_column(found)};
}

}  // namespace kith::core
