#include "query/exec/scan.hpp"

#include <algorithm>

#include "query/plan/estimate.hpp"

namespace kith::core {

bool row_scan::add(const checked_term& t, slot_index slot, const slot_values& values,
                   bool refused) {
  const term_shape& shape = t.shape;
  if (t.pair && t.second.is_slot(slot)) return add_source(t, slot, values, refused);
  if (!shape.is_on_slot() || t.source.slot != slot) return false;
  if (shape.is == term_shape::kind::star) return !refused && add_star(t, values);
  if (shape.about_source || (!shape.is_present_ids() && shape.is != term_shape::kind::closure))
    return false;
  // What the value of a variable implies is known by now.
  if (m_.is_reflexive(t, values)) return false;
  if (m_.is_transitive(t, values)) return add_closure(t, values, refused);
  std::vector<entity_t> predicates, targets;
  m_.predicates(t, values, predicates);
  if (t.pair) m_.targets(t, values, targets);
  // An id without a record is on no entity; there may be very many kinds without.
  std::vector<id_t> ids;
  const auto add = [&](id_t id) {
    if (g_.store.ids().find(id)) ids.push_back(id);
  };
  for (entity_t p : predicates) {
    if (!t.pair) add(p);
    for (entity_t target : targets) add(make_pair(p, target));
  }
  judge_.add(ids, refused ? condition::kind::refused : condition::kind::required);
  find_holders(judge_.conditions().back());
  return true;
}

void row_scan::find_holders(condition& c) {
  const auto hides = [](const watched_id& w) { return w.exclusive || w.record->group->toggled; };
  if (c.ids.size() <= m_.many_kinds() || std::ranges::any_of(c.ids, hides)) return;
  std::vector<entity_t> givers, heirs;
  auto holders = std::make_shared<hash_map<entity_t, bool>>();
  for (const watched_id& w : c.ids)
    g_.store.each(*w.record, [&](entity_t e) {
      const auto [known, is_new] = holders->try_emplace(e, w.handed_on);
      if (w.handed_on && (is_new || !std::exchange(known.value(), true))) givers.push_back(e);
    });
  m_.add_reached(givers, {walk::way::down, IsA, 1, walk::no_limit}, heirs);
  for (entity_t e : heirs) holders->try_emplace(e, true);
  c.holders = std::move(holders);
}

bool row_scan::add_star(const checked_term& t, const slot_values& values) {
  const id_t pair = values[t.star];
  if (!pair || has_wildcard(pair)) return false;
  std::vector<entity_t> kinds;
  m_.predicates(t, values, kinds);
  const bool fits = std::ranges::find(kinds, relation_of(pair), index_of) != kinds.end();
  judge_.add(std::span(&pair, fits ? 1 : 0), condition::kind::required);
  return true;
}

bool row_scan::add_closure(const checked_term& t, const slot_values& values, bool refused) {
  const entity_t relation = m_.value_of(t.first, values), target = m_.value_of(t.second, values);
  if (!relation || !target) return false;
  auto pairs = m_.closure_of(relation, target);
  for (entity_t kind : pairs->relations)
    if (g_.inherit.hands_on(make_pair(kind, target)) || g_.store.was_toggled(index_of(kind)))
      return false;
  (refused ? refused_ : closures_).push_back(std::move(pairs));
  return true;
}

bool row_scan::add_source(const checked_term& t, slot_index slot, const slot_values& values,
                          bool refused) {
  const checked_ref& from = t.source;
  const bool known = from.is == checked_ref::kind::fixed ||
                     (from.is == checked_ref::kind::slot && from.slot != slot);
  if (t.shape.is != term_shape::kind::closure || !t.shape.names_first || t.shape.looks_up ||
      !known || from.flagged || !from.lookup.empty() || m_.is_reflexive(t, values))
    return false;
  const entity_t source = m_.value_of(from, values), relation = m_.value_of(t.first, values);
  if (!source || !relation || !m_.is_transitive(t, values)) return false;
  led_from_.push_back({source, relation, refused});
  return true;
}

// --- what is decided per table -------------------------------------------------------------------

void row_scan::decide(const table& t, verdict& v) const {
  judge_.decide(t, v);
  if (v.rejected) return;
  v.observed.clear();
  v.builtins = no_builtins_ && t.has_builtins();
  v.closures = !refused_.empty() || !led_from_.empty();
  v.relations = false;
  for (const auto& c : closures_) v.closures = v.closures || c.get() != closure_;
  for (std::uint32_t relation : observed_relations_) {
    const id_group* group = g_.store.ids().find_group(make_pair_of(relation, 0));
    v.relations = v.relations || (group && differs_within_tables(*group));
  }
  for (std::uint32_t n = 0; n < observed_.size(); ++n)
    if (!observed_[n].settled && judge_.locate(observed_[n], t) == judge::where::differs)
      v.observed.push_back(n);
}

const row_scan::verdict& row_scan::verdict_of(const table& t) {
  if (t.id().value != last_table_) {
    const auto [known, fresh] =
        verdict_of_table_.try_emplace(t.id().value, static_cast<std::uint32_t>(verdicts_.size()));
    if (fresh) decide(t, verdicts_.emplace_back());
    last_table_ = t.id().value;
    last_verdict_ = known->second;
  }
  return verdicts_[last_verdict_];
}

bool row_scan::passes(entity_t e, const entity_record& r, const verdict& v) const {
  if ((no_builtins_ && is_builtin(e)) || !judge_.passes(e, r, v)) return false;
  return !asks_closures_ || passes_closures(e, r);
}

bool row_scan::passes_closures(entity_t e, const entity_record& r) const {
  for (const auto& c : closures_)
    if (c.get() != closure_ && !has_pair_of(*c, r)) return false;
  for (const led_from& l : led_from_)
    if (m_.reach().leads(l.source, l.relation, e) == l.refused) return false;
  return std::ranges::none_of(refused_, [&](const auto& c) { return has_pair_of(*c, r); });
}

bool row_scan::has_pair_of(const meaning::closure& c, const entity_record& r) const {
  for (entity_t relation : c.relations)
    for (id_t pair : g_.store.pairs_of(r, index_of(relation)))
      if (c.targets.find(target_of(pair)) != c.targets.end()) return true;
  return false;
}

bool row_scan::is_first_pair(const entity_record& r) const {
  for (entity_t relation : closure_->relations)
    for (id_t pair : g_.store.pairs_of(r, index_of(relation)))
      if (closure_->targets.find(target_of(pair)) != closure_->targets.end())
        return pair == closure_->pairs[at_pair_ - 1]->id;
  return false;
}

bool row_scan::same_owners(entity_t e, const entity_record& r, const verdict& v,
                           std::vector<entity_t>& owners, bool first) const {
  for (std::size_t i = 0; i < v.observed.size(); ++i) {
    entity_t owner = g_.inherit.owner(e, r, observed_[v.observed[i]].id);
    if (owner == e) owner = This;
    if (first)
      owners.push_back(owner);
    else if (owners[i] != owner)
      return false;
  }
  // Rows with the same pair and no other, or with none, are alike.
  constexpr id_t several = ~id_t{0};
  if (!v.relations) return true;
  for (std::size_t i = 0; i < observed_relations_.size(); ++i) {
    const std::span<const id_t> pairs = g_.store.pairs_of(r, observed_relations_[i]);
    const id_t only = pairs.empty() ? 0 : pairs.size() == 1 ? pairs[0] : several;
    if (first)
      owners.push_back(only);
    else if (only == several || owners[v.observed.size() + i] != only)
      return false;
  }
  return true;
}

// --- what it goes through ------------------------------------------------------------------------

void row_scan::settle() {
  all_observed_settled_ = observed_relations_.empty();
  for (watched_id& w : observed_) {
    w.settled = stage_ == stage::owners && driver_.size() == 1 && driver_[0].id == w.id &&
                w.record && !w.record->group->toggled;
    all_observed_settled_ = all_observed_settled_ && w.settled;
  }
  all_settled_ =
      all_observed_settled_ && closures_.empty() && refused_.empty() && led_from_.empty();
  for (std::size_t n = 0; n < judge_.conditions().size(); ++n) {
    condition& c = judge_.conditions()[n];
    if (c.is == condition::kind::refused) {
      c.settled = std::ranges::all_of(
          c.ids, [&](const watched_id& w) { return !w.record || !may_have_owners(*w.record); });
    } else {
      c.settled = stage_ == stage::owners && n == driver_condition_ &&
                  std::ranges::none_of(c.ids, [&](const watched_id& w) {
                    return w.record && w.record->group->toggled;
                  });
    }
    all_settled_ = all_settled_ && c.settled;
  }
}

double row_scan::rows_of(const condition& c) const {
  if (c.holders) return static_cast<double>(c.holders->size());
  const estimates counts(g_, m_.shortcuts());
  double rows = 0;
  for (const watched_id& w : c.ids) {
    rows += w.record ? counts.rows(w.id) : 0;
    if (w.handed_on) rows += counts.rows(make_pair(IsA, Wildcard));
  }
  return rows;
}

double row_scan::cost() {
  if (cost_ < 0) cost_ = rows_of(judge_.conditions()[driver_condition_]);
  return cost_;
}

void row_scan::begin() {
  const condition* best = nullptr;
  const std::vector<condition>& conditions = judge_.conditions();
  const auto is_required = [](const condition& c) { return c.is == condition::kind::required; };
  if (closures_.empty() && std::ranges::count_if(conditions, is_required) == 1) {
    // There is nothing to choose from: `cost` counts the rows if a caller asks.
    best = &*std::ranges::find_if(conditions, is_required);
    cost_ = -1;
  } else {
    for (const condition& c : conditions) {
      if (!is_required(c)) continue;
      const double rows = rows_of(c);
      if (!best || rows < cost_) {
        best = &c;
        cost_ = rows;
      }
    }
  }
  closure_ = nullptr;
  for (const auto& c : closures_)
    if ((!best && !closure_) || c->rows < cost_) {
      closure_ = c.get();
      cost_ = c->rows;
    }
  runs_ = {};
  asks_closures_ =
      !led_from_.empty() || !refused_.empty() || closures_.size() > (closure_ ? 1u : 0u);
  if (closure_) {
    stage_ = stage::closure;
    at_pair_ = 0;
  } else if (best && best->holders) {
    std::vector<id_t> holders;
    for (const auto& [e, is] : *best->holders) holders.push_back(e);
    sort_unique(holders);
    return begin(std::move(holders));
  } else if (best) {
    driver_ = best->ids;
    driver_condition_ = static_cast<std::size_t>(best - conditions.data());
    stage_ = stage::owners;
  } else {
    m_.note_look_at_all();
    cost_ = estimates(g_, m_.shortcuts()).everything();
    stage_ = stage::everything;
    runs_ = runs(g_.store);
  }
  at_id_ = 0;
  rows_ = {};
  at_row_ = 0;
  settle();
}

void row_scan::begin(std::vector<id_t> candidates) {
  list_ = std::move(candidates);
  closure_ = nullptr;
  asks_closures_ = !led_from_.empty() || !refused_.empty() || !closures_.empty();
  driver_.clear();
  cost_ = static_cast<double>(list_.size());
  stage_ = stage::list;
  rows_ = {};
  at_row_ = 0;
  settle();
}

const id_record* row_scan::goes_through() const {
  if (stage_ != stage::owners || driver_.size() != 1 || !all_settled_) return nullptr;
  const id_record* const record = driver_[0].record;
  return record && !differs_within_tables(*record->group) ? record : nullptr;
}

void row_scan::take_rows(std::span<const entity_t> rows) {
  gathered_ = rows;
  stage_ = stage::gathered;
}

bool row_scan::open_run() {
  run next;
  if (!runs_.next(next)) return false;
  in_ = next.in;
  of_ = next.of;
  rows_ = next.entities;
  // New entities come to the table without ids at any time.
  if (in_ && in_->ids().empty()) {
    copied_.assign(rows_.begin(), rows_.end());
    rows_ = copied_;
  }
  return true;
}

bool row_scan::open_rows() {
  in_ = nullptr;
  of_ = nullptr;
  heirs_ = false;
  at_row_ = 0;
  for (;;) {
    switch (stage_) {
      case stage::owners:
        if (open_owners()) return true;
        break;
      case stage::gathered:
        rows_ = gathered_;
        at_id_ = driver_.size();
        runs_ = {};
        stage_ = stage::owners;
        return true;
      case stage::closure:
        if (open_closure()) return true;
        break;
      case stage::heirs:
        if (open_heirs()) return true;
        stage_ = stage::done;
        break;
      case stage::everything:
        if (open_run()) return true;
        stage_ = stage::done;
        break;
      case stage::list:
        rows_ = list_;
        stage_ = stage::done;
        return true;
      case stage::done:
        return false;
    }
  }
}

// The runs of each id of the driver. False: the stage is another now.
bool row_scan::open_owners() {
  while (!open_run()) {
    if (at_id_ == driver_.size()) {
      // From here on rows pass the condition of the driver by what they inherit, if they do.
      stage_ = stage::heirs;
      base_ = nullptr;
      verdicts_.clear();
      verdict_of_table_.clear();
      last_table_ = no_table;
      settle();
      return false;
    }
    const id_record* record = driver_[at_id_++].record;
    runs_ = record ? runs(*record) : runs();
  }
  return true;
}

// The runs of each pair of the closure. False: there are no more.
bool row_scan::open_closure() {
  while (!open_run()) {
    if (at_pair_ == closure_->pairs.size()) {
      stage_ = stage::done;
      return false;
    }
    runs_ = runs(*closure_->pairs[at_pair_++]);
  }
  return true;
}

// May those that are a kind of `base` inherit it? They do if it is visible there. On a cycle of
// bases a pair of an Exclusive relation may be the first from one of them and not from the next.
bool row_scan::hands_on(const watched_id& w, entity_t base) const {
  if (!w.handed_on || !w.record) return false;
  return g_.inherit.is_visible(base, g_.alive(base), w.id) ||
         (w.exclusive && m_.reach().leads(base, IsA, base));
}

// Rows that inherit an id of the driver: those of each base that may hand it on.
bool row_scan::open_heirs() {
  heirs_ = true;
  if (!base_) {
    if (std::ranges::none_of(driver_, &watched_id::handed_on)) return false;
    base_ = g_.store.ids().first_of_relation(index_of(IsA));
    runs_ = {};
  } else if (open_run()) {
    of_ = nullptr;
    return true;
  } else {
    base_ = base_->next_of_relation;
  }
  for (; base_; base_ = base_->next_of_relation) {
    const entity_t base = g_.store.entities().alive_at(target_of(base_->id));
    const auto gives = [&](const watched_id& w) { return hands_on(w, base); };
    if (std::ranges::none_of(driver_, gives)) continue;
    runs_ = runs(*base_);
    if (!open_run()) continue;
    of_ = nullptr;
    return true;
  }
  return false;
}

// Of the ways in which a row comes up, it counts in the first: by the first id it owns, or by the
// first of its bases that shows one.
bool row_scan::is_first_way(const entity_record& r) const {
  if (!heirs_) {
    for (std::size_t i = 0; i + 1 < at_id_; ++i)
      if (driver_[i].record && g_.store.owns(r, driver_[i].id)) return false;
    return true;
  }
  for (const watched_id& w : driver_)
    if (w.record && g_.store.owns(r, w.id)) return false;
  for (id_t pair : g_.store.pairs_of(r, index_of(IsA))) {
    if (g_.store.is_off(r, pair)) continue;
    if (pair == base_->id) return true;
    const entity_t other = g_.store.entities().alive_at(target_of(pair));
    for (const watched_id& w : driver_)
      if (hands_on(w, other)) return false;
  }
  return false;
}

bool row_scan::inherit_alike() const {
  const id_group* kinds = g_.store.ids().find_group(make_pair(IsA, 0));
  if (!kinds || !is_decided_by_tables(*kinds)) return false;
  return std::ranges::all_of(driver_, [](const watched_id& w) {
    return !w.record || is_decided_by_tables(*w.record->group);
  });
}

// Is each of the rows a result, if nothing is left to ask?
bool row_scan::is_whole() const {
  if (of_) return driver_.size() == 1;
  if (rows_.data() == gathered_.data()) return true;
  return rows_.data() == list_.data() &&
         std::ranges::all_of(rows_, [&](entity_t e) { return m_.alive(e); });
}

// --- blocks --------------------------------------------------------------------------------------

row_scan::opened row_scan::look_at_rows() {
  if (rows_.empty()) return opened::nothing;
  if (!in_)
    return all_settled_ && is_whole() && (!no_builtins_ || std::ranges::none_of(rows_, is_builtin))
               ? opened::block
               : opened::rows;
  if (stage_ == stage::owners && driver_.size() == 1 && all_settled_ &&
      !(no_builtins_ && in_->has_builtins()))
    return opened::block;
  decide(*in_, current_);
  if (current_.rejected) return opened::nothing;
  bool one_way = !heirs_ && driver_.size() <= 1 && !closure_;
  if (heirs_ && inherit_alike()) {
    one_way = is_first_way(g_.alive(rows_.front()));
    if (!one_way) return opened::nothing;
  }
  // Rows of a table have the same pairs, if none is kept apart.
  const auto is_apart = [](const id_record* p) { return differs_within_tables(*p->group); };
  if (closure_ && std::ranges::none_of(closure_->pairs, is_apart)) {
    one_way = is_first_pair(g_.alive(rows_.front()));
    if (!one_way) return opened::nothing;
  }
  return one_way && current_.all_alike() ? opened::block : opened::rows;
}

bool row_scan::next(block& b) {
  constexpr std::size_t rows_of_one = 16;  // rows of a block cost as much as one that is asked
  for (;;) {
    if (at_row_ >= rows_.size()) {
      if (!open_rows()) return false;
      const opened found = look_at_rows();
      if (found == opened::nothing) {
        rows_ = {};
        continue;
      }
      if (found == opened::block) {
        m_.effort().spend(1 + rows_.size() / rows_of_one);
        b = {rows_, in_, in_ ? nullptr : of_, row_index{0}};
        at_row_ = rows_.size();
        return true;
      }
    }
    if (take(b)) return true;
  }
}

// The next rows that pass and look alike.
bool row_scan::take(block& b) {
  const entity_index& entities = g_.store.entities();
  std::vector<entity_t> owners;
  const verdict* v = in_ ? &current_ : nullptr;
  std::uint32_t table_number = 0;
  const auto look = [&](std::size_t row) -> const entity_record* {
    const entity_record* r = entities.find(rows_[row]);
    if (!r) return nullptr;
    if (!in_) v = all_settled_ ? &settled_ : &verdict_of(g_.store.tables().at(r->table));
    if (v->rejected || !passes(rows_[row], *r, *v)) return nullptr;
    if ((heirs_ || driver_.size() > 1) && !is_first_way(*r)) return nullptr;
    if (closure_ && !is_first_pair(*r)) return nullptr;
    return r;
  };
  const entity_record* r = nullptr;
  const std::size_t begun = at_row_;
  while (at_row_ < rows_.size() && !(r = look(at_row_))) ++at_row_;
  if (!r) {
    m_.effort().spend(at_row_ - begun);
    return false;
  }
  const std::size_t first = at_row_;
  m_.effort().spend(first - begun + 1);
  table_number = r->table.value;
  same_owners(rows_[first], *r, *v, owners, true);
  for (++at_row_; at_row_ < rows_.size(); ++at_row_) {
    r = look(at_row_);
    // Rows of another table may differ in what the verdict takes for granted.
    if (!r || (!in_ && !all_observed_settled_ && r->table.value != table_number) ||
        !same_owners(rows_[at_row_], *r, *v, owners, false))
      break;
  }
  b = {rows_.subspan(first, at_row_ - first), in_, of_,
       row_index{static_cast<std::uint32_t>(first)}};
  return true;
}

}  // namespace kith::core
