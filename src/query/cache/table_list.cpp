#include "query/cache/table_list.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

namespace kith::core {

table_list::table_list(std::shared_ptr<const checked_query> q, meaning& m)
    : q_(std::move(q)), m_(m), g_(m.world()) {
  simple_ = q_->uses_this && q_->slots.size() == 1 && !q_->ordered;
  for (const item& i : q_->root.items) simple_ = simple_ && add(i);
}

// --- what is asked ---------------------------------------------------------------------------------

bool table_list::add(const item& i) {
  switch (i.is) {
    case item::kind::term:
      return add(i, condition::kind::required);
    case item::kind::not_:
    case item::kind::optional:
      if (i.bodies[0].items.size() != 1 || i.bodies[0].items[0].is != item::kind::term)
        return false;
      return add(i,
                 i.is == item::kind::not_ ? condition::kind::refused : condition::kind::optional);
    case item::kind::any_of:
      return std::ranges::all_of(i.bodies,
                                 [&](const block& b) {
                                   return b.items.size() == 1 &&
                                          b.items[0].is == item::kind::term &&
                                          is_simple(b.items[0].term);
                                 }) &&
             add(i, condition::kind::required);
    case item::kind::mention:
      break;
  }
  return false;
}

bool table_list::add(const item& i, condition::kind kind) {
  condition c{kind, {}, i.field};
  if (i.is == item::kind::term) c.terms.push_back(&i.term);
  for (const block& b : i.bodies) c.terms.push_back(&b.items[0].term);
  const checked_term& first = *c.terms.front();
  if (first.slots.empty()) {
    constants_.push_back({&first, kind, i.field});
    return true;
  }
  if (!is_simple(first)) return false;
  conditions_.push_back(std::move(c));
  return true;
}

// Is it about one id of $this and nothing else?
bool table_list::is_simple(const checked_term& t) const {
  if (t.is != checked_term::kind::predicate || t.exact || t.star != no_slot) return false;
  if (!t.source.is_slot(this_slot) || t.source.flagged) return false;
  if (t.first.is != checked_ref::kind::fixed || t.first.flagged || !t.first.lookup.empty())
    return false;
  if (!t.pair) return true;
  return t.second.is == checked_ref::kind::fixed && !t.second.flagged && t.second.lookup.empty() &&
         !(m_.traits_of(t.first.entity) & (trait::transitive | trait::reflexive));
}

id_t table_list::id_of(const checked_term& t) {
  return t.pair ? make_pair(t.first.entity, t.second.entity) : t.first.entity;
}

bool table_list::constants_hold() const {
  return std::ranges::all_of(constants_, [&](const constant& c) {
    return c.is == condition::kind::optional ||
           m_.holds(*c.term, no_values_) == (c.is == condition::kind::required);
  });
}

std::uint64_t table_list::state() const {
  std::uint64_t sum = mix(g_.store.tables().erasures() + 1) + constants_hold();
  // A value of one entity goes with it from table to table.
  const auto add_value = [&](entity_t e, id_t id) {
    std::shared_ptr<const change_log>& log = shared_values_[id];
    if (!log) log = g_.store.value_logs().watch_each(id);
    sum += mix(log->mark_of(e) + mix(e));
  };
  for (const match& m : matches_) {
    sum += mix(m.rows->id().value + 1) + m.rows->changes();
    for (std::size_t n = 0; n < q_->fields.size(); ++n) {
      const found& f = fields(m)[n];
      if (!f.term) continue;
      // What the rows have themselves is the same as long as it is the same table.
      if (f.source) sum += mix(f.id + mix(f.source + mix(m.rows->id().value + 1)));
      if (!reads_values(q_->fields[n])) continue;
      if (f.in)
        sum += f.in->writes;
      else if (f.source)
        add_value(f.source, f.id);
    }
  }
  for (const constant& c : constants_) {
    if (c.field >= q_->fields.size() || !m_.holds(*c.term, no_values_)) continue;
    const matched shown = m_.find_match(*c.term, no_values_);
    sum += mix(shown.id + mix(shown.source + mix(c.field + 1)));
    if (shown.id && reads_values(q_->fields[c.field])) add_value(shown.source, shown.id);
  }
  return sum;
}

// --- whether tables decide -------------------------------------------------------------------------

table_list::basis table_list::now() const {
  return {g_.store.tables().erasures(), g_.store.placements(), g_.inherit.version()};
}

bool table_list::is_decided(id_t id) const {
  const id_group* group = g_.store.ids().find_group(id);
  return !group || (!group->toggled && group->where == id_group::place::tables);
}

bool table_list::refresh() {
  if (!simple_) return false;
  if (!kinds_) kinds_ = log_reader(g_.store.logs().watch(make_pair(IsA, 0)));
  // A new kind of a term's predicate counts as the predicate; of most others nobody asks.
  bool fresh = made_for_ == now();
  if (kinds_.has_news()) {
    kinds_.catch_up();
    for (const condition& c : conditions_)
      for (const checked_term* t : c.terms)
        fresh = fresh && (!decided_ || !m_.has_kinds(t->first.entity));
    fresh = fresh && decided_ && is_decided(make_pair(IsA, 0));
  }
  if (!fresh) decided_ = rebuild();
  if (!decided_) return false;
  const auto made = g_.store.tables().made_since_erasure();
  for (; tables_seen_ < made.size(); ++tables_seen_) look_at(*made[tables_seen_]);
  for (std::size_t i = 0; i < later_.size();) {
    if (!later_[i]->size()) {
      ++i;
      continue;
    }
    const table& t = *later_[i];
    later_[i] = later_.back();
    later_.pop_back();
    look_at(t);
  }
  return true;
}

bool table_list::rebuild() {
  made_for_ = now();
  matches_.clear();
  fields_.clear();
  later_.clear();
  tables_seen_ = g_.store.tables().made_since_erasure().size();
  if (!is_decided(Prefab) || !is_decided(Disabled)) return false;
  if (g_.inherit.any() && !is_decided(make_pair(IsA, 0))) return false;
  const condition* rarest = nullptr;
  std::size_t fewest = 0;
  for (const condition& c : conditions_) {
    for (const checked_term* t : c.terms)
      if (!is_decided(id_of(*t)) || m_.has_kinds(t->first.entity)) return false;
    if (c.is != condition::kind::required || c.terms.size() > 1) continue;
    const id_t id = id_of(*c.terms[0]);
    const id_record* record = g_.store.ids().find(id);
    const std::size_t tables = record ? record->tables.size() : 0;
    if (!g_.inherit.hands_on(id) && (!rarest || tables < fewest)) {
      rarest = &c;
      fewest = tables;
    }
  }
  if (rarest) {
    if (const id_record* record = g_.store.ids().find(id_of(*rarest->terms[0])))
      for (const table* t : record->tables) look_at(*t);
  } else {
    g_.store.tables().each([&](const table& t) { look_at(t); });
  }
  return true;
}

// --- tables ----------------------------------------------------------------------------------------

void table_list::look_at(const table& t) {
  std::vector<found> fields(q_->fields.size());
  const verdict v = judge(t, fields);
  if (v == verdict::later) later_.push_back(&t);
  if (v != verdict::yes) return;
  matches_.push_back({&t, static_cast<std::uint32_t>(fields_.size())});
  fields_.insert(fields_.end(), fields.begin(), fields.end());
}

table_list::verdict table_list::judge(const table& t, std::vector<found>& fields) const {
  const bool has_bases = g_.inherit.any() && t.pairs_of(index_of(IsA)).count != 0;
  const auto sees = [&](id_t id) {
    if (t.has(id)) return true;
    if (!has_bases || !g_.inherit.hands_on(id)) return false;
    const entity_t e = t.entities().front();
    return g_.inherit.is_visible(e, g_.alive(e), id);
  };
  if (has_bases && !t.size()) return verdict::later;
  if (!q_->names_prefab && sees(Prefab)) return verdict::no;
  if (!q_->names_disabled && sees(Disabled)) return verdict::no;
  for (const condition& c : conditions_) {
    const found f = find(c, t);
    if (c.is == condition::kind::required && !f.term) return verdict::no;
    if (c.is == condition::kind::refused && f.term) return verdict::no;
    // What is written as a scope has no id to show.
    if (c.is == condition::kind::refused || c.field >= fields.size()) continue;
    const auto& shown = q_->fields[c.field].terms;
    if (std::ranges::find(shown, f.term) != shown.end()) fields[c.field] = f;
  }
  return verdict::yes;
}

table_list::found table_list::find(const condition& c, const table& t) const {
  for (const checked_term* term : c.terms) {
    // Another entity may have the index of one that is gone.
    if (!m_.alive(term->first.entity) || (term->pair && !m_.alive(term->second.entity))) continue;
    const id_t id = id_of(*term);
    if (t.has(id)) return {term, id, 0, t.find_column(id)};
    if (!g_.inherit.any() || !g_.inherit.hands_on(id) || !t.size()) continue;
    const entity_t e = t.entities().front();
    if (const entity_t owner = g_.inherit.owner(e, g_.alive(e), id))
      return {term, id, owner, nullptr};
  }
  return {};
}

}  // namespace kith::core
