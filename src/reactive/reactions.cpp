#include "reactive/reactions.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/builtins.hpp>

#include "base/scope_exit.hpp"

namespace kith::core {

namespace {

bool is_told_before(const std::shared_ptr<watcher>& a, const std::shared_ptr<watcher>& b) {
  return std::pair(a->priority, a->number) < std::pair(b->priority, b->number);
}

id_t this_of(const recorded_rows::result& r) { return r.values[this_slot]; }

// Keeps the first row of each $this; without $this the first of all.
void keep_first_of_this(result_list& list) {
  const auto same_this = [](const recorded_rows::result& x, const recorded_rows::result& y) {
    return this_of(x) == this_of(y);
  };
  list.rows.erase(std::unique(list.rows.begin(), list.rows.end(), same_this), list.rows.end());
}

// Rows that ascend by their values come in the order in which the query yields them.
void put_in_order(result_list& list) {
  if (list.query->ordered) std::ranges::stable_sort(list.rows, {}, &recorded_rows::result::depth);
}

// A trait is given by an id, or by a pair of one of these relations.
constexpr entity_t groups_of_traits[] = {
    PairIsTag, Exclusive, Acyclic,      Transitive,    Reflexive, Symmetric,     Final,
    OneOf,     With,      Relationship, Target,        Trait,     Singleton,     Inheritable,
    Sparse,    Union,     DontFragment, OnInstantiate, OnDelete,  OnDeleteTarget};

}  // namespace

reactions::reactions(graph& g, const shortcuts& open, statistics& samples, teller& tell)
    : g_(g),
      reach_(g),
      meaning_(g, reach_, open, samples),
      bit_(g.store.sinks().add(*this)),
      hooks_(g, bit_, tell),
      plain_(g, tell) {
  g_.watch = this;
}

reactions::~reactions() {
  g_.watch = nullptr;
  g_.store.sinks().remove(bit_);
}

// --- observers -----------------------------------------------------------------------------------

void reactions::add(std::shared_ptr<watcher> w) {
  w->number = ++last_number_;
  ++comings_and_goings_;
  const auto place = std::ranges::upper_bound(watchers_, w, is_told_before);
  const bool is_last = place == watchers_.end();
  watchers_.insert(place, w);
  scope_exit undo([&] { remove(w->entity); });
  want(w);
  stale_ = stale_ || !is_last;
  undo.dismiss();
}

std::shared_ptr<watcher> reactions::remove(entity_t observer) {
  const auto known =
      std::ranges::find(watchers_, observer, [](const auto& w) { return w->entity; });
  if (known == watchers_.end()) return nullptr;
  std::shared_ptr<watcher> gone = std::move(*known);
  watchers_.erase(known);
  ++comings_and_goings_;
  stale_ = true;
  if (!any()) g_.store.sinks().unwant_all(bit_);
  return gone;
}

watcher* reactions::find(entity_t observer) const {
  const auto known =
      std::ranges::find(watchers_, observer, [](const auto& w) { return w->entity; });
  return known == watchers_.end() ? nullptr : known->get();
}

// Finds out what a query reads, and wants to see changes of that.
void reactions::want(const std::shared_ptr<watcher>& w) {
  meaning_.refresh();
  w->query.refresh();
  w->what = reads_of(*w->query.checked(), meaning_);
  w->plain = plain_terms_of(*w->query.checked(), meaning_);
  const auto add_reader = [&](id_t group) {
    std::unique_ptr<readers>& of_group = by_group_[group];
    if (!of_group) of_group = std::make_unique<readers>();
    of_group->list.push_back(w);
    of_group->all_plain = of_group->all_plain && w->plain;
  };
  change_sinks& sinks = g_.store.sinks();
  any_reads_names_ = any_reads_names_ || w->what.names;
  any_reads_life_ = any_reads_life_ || w->what.life;
  if (w->what.all_ids || w->what.names) of_all_.push_back(w);
  if (w->what.all_ids) sinks.want_all(bit_);
  for (id_t group : w->what.groups) {
    add_reader(group);
    sinks.want(bit_, group);
  }
  for (entity_t e : w->what.named) named_[e] = true;
  for (id_t group : w->what.leading) leading_[group] = true;
  // An entity that ends may be named, or be the value of a variable.
  add_reader(0);
  sinks.want(bit_, 0);
  for (entity_t t : groups_of_traits) {
    sinks.want(bit_, t);
    sinks.want(bit_, make_pair(t, 0));
  }
}

void reactions::want_all_again() {
  if (!std::exchange(stale_, false)) return;
  g_.store.sinks().unwant_all(bit_);
  for (auto& [group, of_group] : by_group_) {
    of_group->list.clear();
    of_group->all_plain = true;
  }
  of_all_.clear();
  named_.clear();
  leading_.clear();
  any_reads_names_ = any_reads_life_ = false;
  for (const std::shared_ptr<watcher>& w : watchers_) want(w);
  hooks_.want_all();
}

std::shared_ptr<recorded_rows> reactions::rows_of(watcher& w) {
  result_list found = w.finder.find(meaning_, std::nullopt);
  if (w.monitor) keep_first_of_this(found);
  put_in_order(found);
  auto rows = std::make_shared<recorded_rows>(found.query, g_);
  for (const recorded_rows::result& r : found.rows)
    rows->add({&r.values[this_slot], 1}, r.values, r.fields);
  return rows;
}

std::vector<reaction> reactions::hearing(const event_call& call) {
  std::vector<reaction> list;
  for (const std::shared_ptr<watcher>& w : watchers_) {
    if (!w->listens_to(call.event) || is_silent(*w)) continue;
    w->query.refresh();
    std::optional<std::vector<partial_result>> about;
    if (w->query.checked()->uses_this) about = {{{this_slot, index_of(call.entity)}}};
    result_list found = w->finder.find(meaning_, about);
    put_in_order(found);
    const auto shows = [&](const result_field& f) {
      return std::ranges::any_of(call.ids, [&](id_t id) { return f.id && matches(f.id, id); });
    };
    auto rows = std::make_shared<recorded_rows>(found.query, g_);
    for (const recorded_rows::result& r : found.rows)
      if (call.ids.empty() || std::ranges::any_of(r.fields, shows))
        rows->add({&r.values[this_slot], 1}, r.values, r.fields);
    if (!rows->rows()) continue;
    const event_info what{.event = call.event,
                          .id = call.ids.empty() ? 0 : call.ids[0],
                          .payload_type = call.payload_type,
                          .payload = call.payload,
                          .stopped = call.stopped};
    list.push_back({w, what, std::move(rows)});
  }
  return list;
}

bool reactions::is_silent(const watcher& w) const {
  return g_.store.entities().is_alive(w.entity) && g_.store.owns(g_.alive(w.entity), Disabled);
}

// --- one change ----------------------------------------------------------------------------------

bool reactions::carry_out(function_ref<void()> change, way_back way) {
  want_all_again();
  facts_.clear();
  written_.clear();
  born_.clear();
  ended_.clear();
  hooks_.begin();
  coming_plainly_.clear();
  differences_.clear();
  any_lost_ = any_gained_ = any_off_ = any_replaced_ = false;
  traits_changed_ = reads_changed_ = taken_back_ = looked_ahead_ = false;
  shows_value_.clear();
  names_before_ = g_.names.version();
  in_change_ = true;
  scope_exit end([&] {
    in_change_ = false;
    transaction_.reset();
  });
  // Names do not go through the funnel.
  if (way == way_back::whole || (way == way_back::of_parts && any_reads_names_)) open({});
  change();
  in_change_ = false;
  if (reads_changed_ || traits_changed_ || !ended_.empty()) stale_ = stale_ || needs_another_look();
  hooks_.find_after();
  if (looked_ahead_) {
    find_after();
    for (difference& d : differences_) compare(d);
    sort_coming();
    hooks_.find_before();
    end.dismiss();
    return true;
  }
  const bool concerns = !facts_.empty() || !written_.empty() || g_.names.version() != names_before_;
  if (concerns) list_concerned();
  if (differences_.empty() && !hooks_.any_noted()) {
    if (transaction_) transaction_->keep();
    return false;
  }
  find_parts();
  find_after();
  if (transaction_) {
    transaction_->take_back();
    taken_back_ = true;
    find_before();
    hooks_.find_before();
  } else {
    hooks_.find_before();
    // A value was written through a pointer, and nothing else changed.
    for (difference& d : differences_) d.before = d.after;
    if (!born_.empty()) find_before_births();
  }
  for (difference& d : differences_) compare(d);
  sort_coming();
  if (leaving_.empty() && !hooks_.any_leaving()) go_on();
  end.dismiss();
  return true;
}

bool reactions::carry_out_births(const births& born) {
  std::vector<delta> deltas;
  for (entity_t e : born.entities)
    if (g_.store.entities().is_alive(e))
      deltas.push_back({.entity = e, .what = delta::kind::began});
  const bool takes_back = !born.any_chosen && can_take_back(born.entities);
  const auto tell = [&] {
    for (const delta& d : deltas) {
      note(d);
      if (!takes_back) born_.push_back(d.entity);
    }
    if (!takes_back) return;
    transaction_->join(deltas);
    transaction_->hear(deltas);
    for (const delta& d : deltas) g_.names.note(d.entity);
  };
  return carry_out(tell, takes_back ? way_back::whole : way_back::none);
}

// Those that stand for a type have ids already.
bool reactions::can_take_back(std::span<const entity_t> born) const {
  return !g_.undo && std::ranges::all_of(born, [&](entity_t e) {
    const entity_record* const r = g_.store.entities().find(e);
    return !r || (g_.store.owned_ids(*r).empty() && !r->referenced);
  });
}

// Rows that contain an entity were not there before it began.
void reactions::find_before_births() {
  for (difference& d : differences_)
    std::erase_if(d.before.rows, [&](const recorded_rows::result& r) {
      return std::ranges::any_of(
          r.values, [&](id_t v) { return std::ranges::find(born_, v) != born_.end(); });
    });
}

void reactions::go_on() {
  if (!std::exchange(taken_back_, false)) return;
  transaction_->carry_out_again();
}

void reactions::finish() {
  differences_.clear();
  if (!transaction_) return;
  transaction_->keep();
  transaction_.reset();
}

// All OnAdd come before all OnSet; the order of observers stays.
void reactions::sort_coming() {
  std::ranges::stable_sort(coming_, {}, [](const reaction& r) { return r.what.event == OnSet; });
}

void reactions::open(std::span<const delta> deltas) {
  if (g_.undo) return;  // the transaction of somebody else
  transaction_.emplace(g_);
  joined_late_ = !deltas.empty();
  if (joined_late_) transaction_->join(deltas);
}

// A planned change also takes steps of its own, which are part of the transaction if it is open.
void reactions::expect_change() {
  if (in_change_ && !transaction_) open({});
}

void reactions::before(std::span<const delta> deltas) {
  if (!in_change_) return;
  coming_plainly_.emplace_back();
  if (hooks_.any()) hooks_.before(deltas);
  const bool is_read =
      !watchers_.empty() && std::ranges::any_of(deltas, [&](const delta& d) { return reads(d); });
  if (transaction_ || is_read) {
    facts_.reserve(facts_.size() + deltas.size());
    written_.reserve(written_.size() + deltas.size());
  }
  if (!transaction_ && is_read) {
    if (look_plainly(deltas))
      plain_.tell_leaving();
    else if (!look_ahead(deltas))
      open(deltas);
  }
  if (hooks_.any() && !transaction_) hooks_.tell_before();
}

void reactions::after(std::span<const delta> deltas) noexcept {
  if (!in_change_) return;
  if (std::exchange(joined_late_, false)) transaction_->hear(deltas);
  if (hooks_.any()) hooks_.after(transaction_.has_value());
  if (!coming_plainly_.empty()) {
    const std::vector<plain_changes::report> coming = std::move(coming_plainly_.back());
    coming_plainly_.pop_back();
    plain_.tell(coming);
  }
  if (!transaction_ || looked_ahead_) return;
  for (const delta& d : deltas) note(d);
}

// Tells the change by looks at its entities, if it concerns plain terms alone.
bool reactions::look_plainly(std::span<const delta> deltas) {
  std::vector<std::shared_ptr<watcher>> to;
  for (const delta& d : deltas) {
    if (!d.id) {
      if (reads(d)) return false;
      continue;
    }
    const id_t group = group_key(d.id);
    if (group == make_pair(IsA, 0) || !is_plain_entity(d.entity)) return false;
    if (!is_watched(d.id)) continue;  // hooks are called without rows
    if (!of_all_.empty() || traits::is_trait(d.id)) return false;
    const readers& read = *by_group_.find(group)->second;
    if (!read.all_plain) return false;
    to.insert(to.end(), read.list.begin(), read.list.end());
  }
  std::ranges::sort(to, is_told_before);
  to.erase(std::unique(to.begin(), to.end()), to.end());
  std::erase_if(to, [&](const std::shared_ptr<watcher>& w) { return is_silent(*w); });
  plain_.find(deltas, std::move(to));
  coming_plainly_.back() = plain_.coming();
  return true;
}

// Does the entity show what it owns alone, and hand nothing on?
bool reactions::is_plain_entity(entity_t e) const {
  if (!g_.inherit.any()) return true;
  const entity_record& r = g_.store.entities().at_index(index_of(e));
  return !g_.inherit.has_bases(r) && !g_.inherit.is_base(e);
}

// Finds the rows before the change, if nothing has to be told of rows that go: then the change need
// not be taken back. Returns false if it must be.
bool reactions::look_ahead(std::span<const delta> deltas) {
  if (any_reads_life_ || !differences_.empty()) return false;
  for (const delta& d : deltas) note(d);
  list_concerned();
  const bool tells_removal =
      std::ranges::any_of(differences_, [](const difference& d) { return d.of->tells_removal(); });
  const bool filters = std::ranges::any_of(
      differences_, [](const difference& d) { return d.of->filtered != nullptr; });
  if (tells_removal || filters || traits_changed_) {
    differences_.clear();
    facts_.clear();
    written_.clear();
    return false;
  }
  find_parts();
  find_before();
  looked_ahead_ = true;
  return true;
}

// Does the query of an observer read the fact?
bool reactions::reads(const delta& d) const {
  if (d.id) return is_watched(d.id);
  return any_reads_life_ || (d.what == delta::kind::ended && reads_end_of(d.entity));
}

bool reactions::reads(id_t id) const {
  return is_watched(id) || (hooks_.any() && hooks_.has_any_for(id));
}

void reactions::add_readers(entity_t component, std::vector<entity_t>& observers) const {
  for (id_t group : {id_t{component}, make_pair_of(index_of(component), 0)})
    if (const auto known = by_group_.find(group); known != by_group_.end())
      for (const std::shared_ptr<watcher>& w : known->second->list)
        if (find(w->entity)) observers.push_back(w->entity);
}

bool reactions::is_watched(id_t id) const {
  if (!of_all_.empty() || (!watchers_.empty() && traits::is_trait(id))) return true;
  const auto known = by_group_.find(group_key(id));
  return known != by_group_.end() && !known->second->list.empty();
}

bool reactions::takes_back(entity_t e, id_t id) const {
  if (watchers_.empty()) return false;
  if (!of_all_.empty() || traits::is_trait(id)) return true;
  const bool is_base_pair = is_pair(id) && relation_of(id) == index_of(IsA);
  const auto known = by_group_.find(group_key(id));
  if (known == by_group_.end() || known->second->list.empty()) return false;
  return is_base_pair || !known->second->all_plain || !is_plain_entity(e);
}

bool reactions::reads_end_of(entity_t e) const { return any_reads_life_ || named_.contains(e); }

reactions::short_look reactions::look(id_t id) {
  want_all_again();
  if (!of_all_.empty() || (hooks_.any() && hooks_.has_any_for(id))) return {};
  const auto known = by_group_.find(group_key(id));
  const readers* const read =
      known == by_group_.end() || known->second->list.empty() ? nullptr : known->second.get();
  return {!read || read->all_plain, read};
}

void reactions::forget_facts(const facts_mark& mark) {
  facts_.resize(std::min(facts_.size(), mark.facts));
  written_.resize(std::min(written_.size(), mark.written));
  hooks_.forget_noted(mark.hooked);
}

void reactions::note_modified(entity_t e, id_t id) {
  written_.push_back({e, id});
  hooks_.note_modified(e, id);
}

void reactions::note(const delta& d) {
  using kind = delta::kind;
  if (d.what == kind::written || (d.what == kind::gained && d.given))
    written_.push_back({d.entity, d.id});
  if (d.what == kind::written) return;
  facts_.push_back({d.entity, d.id});
  any_lost_ |= d.what == kind::lost && d.id != Disabled;
  any_gained_ |= d.what == kind::gained;
  if (d.what == kind::ended) ended_.push_back(d.entity);
  any_off_ |= (d.what == kind::switched && d.off) || (d.what == kind::gained && d.id == Disabled);
  any_replaced_ |= d.what == kind::gained && is_pair(d.id) &&
                   (g_.traits.of(relation_of(d.id)) & trait::exclusive) && any_lost_;
  traits_changed_ |= d.id && traits::is_trait(d.id);
  reads_changed_ |= is_pair(d.id) && (relation_of(d.id) == index_of(IsA) ||
                                      (!leading_.empty() && leading_.contains(group_key(d.id))));
}

// The observers whose queries read a changed fact, in the order in which they are told.
void reactions::list_concerned() {
  hash_map<const watcher*, id_t> concerned;
  const auto add_group = [&](id_t group, id_t id) {
    const auto known = by_group_.find(group);
    if (known == by_group_.end()) return;
    for (const std::shared_ptr<watcher>& w : known->second->list)
      if (id || w->what.life) concerned.try_emplace(w.get(), id);
  };
  for (const std::vector<changed_fact>* list : {&facts_, &written_})
    for (const changed_fact& f : *list) add_group(f.id ? group_key(f.id) : 0, f.id);
  if (!ended_.empty())
    for (const std::shared_ptr<watcher>& w : watchers_)
      if (names_one_that_ended(*w)) concerned.try_emplace(w.get(), 0);
  for (const std::shared_ptr<watcher>& w : of_all_) concerned.try_emplace(w.get(), 0);
  for (const std::shared_ptr<watcher>& w : watchers_) {
    const auto known = concerned.find(w.get());
    if (known == concerned.end() && !traits_changed_) continue;
    if (is_silent(*w)) continue;
    difference& d = differences_.emplace_back();
    d.of = w;
    if (known != concerned.end()) d.id = known->second;
  }
}

// May queries read other ids now, or be plain no more?
bool reactions::needs_another_look() const {
  return reads_changed_ || traits_changed_ ||
         std::ranges::any_of(
             facts_, [&](const changed_fact& f) { return !f.id && named_.contains(f.entity); });
}

// Does the query name an entity that ended? Then some of its terms hold no more.
bool reactions::names_one_that_ended(const watcher& w) const {
  return std::ranges::any_of(w.what.named, [&](entity_t e) {
    return std::ranges::find(facts_, changed_fact{e, 0}) != facts_.end();
  });
}

// What rows must contain so that the changed facts can have affected them.
void reactions::find_parts() {
  std::ranges::sort(written_);
  std::vector<changed_fact> all = facts_;
  all.insert(all.end(), written_.begin(), written_.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  // More parts than this are rarely cheaper than all rows.
  const std::size_t most = 4096 + 8 * all.size();
  const bool names_changed = g_.names.version() != names_before_;
  meaning_.refresh();
  for (difference& d : differences_) {
    d.of->query.refresh();
    const checked_query& q = *d.of->query.checked();
    const bool any = traits_changed_ || (names_changed && d.of->what.names) ||
                     (!ended_.empty() && names_one_that_ended(*d.of));
    if (!any) d.parts = affected_results(q, meaning_, all, most);
  }
}

void reactions::find_after() {
  for (difference& d : differences_) {
    d.after = d.of->finder.find(meaning_, d.parts);
    for (const recorded_rows::result& r : d.after.rows)
      for (const result_field& f : r.fields)
        if (f.id && g_.store.types().type_of(f.id)) shows_value_.try_emplace(f.id, true);
  }
}

void reactions::find_before() {
  for (difference& d : differences_) d.before = d.of->finder.find(meaning_, d.parts);
}

// --- comparing -----------------------------------------------------------------------------------

void reactions::compare(difference& d) {
  if (d.of->monitor) return compare_monitored(d);
  std::vector<std::size_t> gone, come, set;
  const auto& a = d.before.rows;
  const auto& b = d.after.rows;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].values < b[j].values)) {
      gone.push_back(i++);
    } else if (i == a.size() || b[j].values < a[i].values) {
      if (is_written(d, b[j], nullptr)) set.push_back(j);
      come.push_back(j++);
    } else {
      if (is_written(d, b[j], &a[i])) set.push_back(j);
      ++i, ++j;
    }
  }
  if (d.of->filtered) drop_filtered(d, gone, come);
  if (d.of->on_remove) add_report(leaving_, d, OnRemove, d.before, std::move(gone));
  if (d.of->on_add) add_report(coming_, d, OnAdd, d.after, std::move(come));
  if (d.of->on_set) add_report(coming_, d, OnSet, d.after, std::move(set));
}

// Terms that are marked as filters report nothing by themselves. A row that came was there already
// without them, or a row that went is still there without them: then only they have changed.
void reactions::drop_filtered(difference& d, std::vector<std::size_t>& gone,
                              std::vector<std::size_t>& come) {
  if (!taken_back_) return;
  filtered_watch& f = *d.of->filtered;
  drop_filtered(f, d.before, d.after, come);
  if (gone.empty()) return;
  transaction_->carry_out_again();
  drop_filtered(f, d.after, d.before, gone);
  transaction_->take_back();
}

// Drops the rows that are there now, but for the filters. `there` has the query of this moment.
void reactions::drop_filtered(filtered_watch& f, const result_list& there, const result_list& in,
                              std::vector<std::size_t>& rows) {
  static_cast<void>(there);
  if (rows.empty()) return;
  f.query.query.refresh();
  const checked_query& less = *f.query.query.checked();
  // The slots of the shorter query, by those of the whole one.
  std::vector<std::pair<slot_index, slot_index>> slots;
  for (slot_index s = 0; s < less.slots.size(); ++s) {
    if (s == this_slot) {
      if (less.uses_this) slots.emplace_back(s, s);
      continue;
    }
    if (less.slots[s].is != slot_info::kind::variable || less.slots[s].name.empty()) continue;
    const slot_index whole = in.query->find_variable(less.slots[s].name);
    if (whole != no_slot) slots.emplace_back(s, whole);
  }
  std::erase_if(rows, [&](std::size_t row) {
    partial_result part;
    for (const auto& [s, whole] : slots)
      if (const id_t value = in.rows[row].values[whole]) part.push_back({s, index_of(value)});
    return !f.finder.find(meaning_, {{part}}).rows.empty();
  });
}

// $this has rows or it has none; without $this, the query as a whole.
void reactions::compare_monitored(difference& d) {
  std::vector<partial_result> touched;
  for (const result_list* list : {&d.before, &d.after})
    for (const recorded_rows::result& r : list->rows)
      touched.push_back({{this_slot, index_of(r.values[this_slot])}});
  std::ranges::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  std::optional<std::vector<partial_result>> parts;
  if (d.after.query->uses_this) parts = std::move(touched);
  // The rows of each $this that the change touched, not only those that the change affects.
  if (d.parts && taken_back_) {
    d.before = d.of->finder.find(meaning_, parts);
    transaction_->carry_out_again();
    d.after = d.of->finder.find(meaning_, parts);
    transaction_->take_back();
  }
  keep_first_of_this(d.before);
  keep_first_of_this(d.after);
  const auto rows_without = [&](const result_list& in, const result_list& other) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < in.rows.size(); ++i)
      if (!std::ranges::binary_search(other.rows, in.rows[i].values[this_slot], {}, this_of))
        rows.push_back(i);
    return rows;
  };
  add_report(leaving_, d, OnRemove, d.before, rows_without(d.before, d.after));
  add_report(coming_, d, OnAdd, d.after, rows_without(d.after, d.before));
}

bool reactions::was_written(entity_t e, id_t id) const {
  return std::ranges::binary_search(written_, changed_fact{e, id});
}

// Was a value written that the row shows? In a row that stays, a field that became set, or that
// comes from another id or source than before, counts as written.
bool reactions::is_written(const difference& d, const recorded_rows::result& r,
                           const recorded_rows::result* old) const {
  if (!d.of->on_set) return false;
  for (std::size_t n = 0; n < r.fields.size(); ++n) {
    const result_field& f = r.fields[n];
    const field_info& info = d.after.query->fields[n];
    if (info.access == term::access::none || info.access == term::access::filter) continue;
    if (!shows_value_.contains(f.id)) continue;
    const entity_t source = f.source ? f.source : r.values[this_slot];
    if (was_written(source, f.id)) return true;
    if (!old || n >= old->fields.size()) continue;
    const result_field& before = old->fields[n];
    const entity_t old_source = before.source ? before.source : r.values[this_slot];
    if (before.id != f.id || old_source != source) return true;
  }
  return false;
}

event_cause reactions::cause() const {
  if (!ended_.empty()) return event_cause::deleted;
  if (any_replaced_) return event_cause::replaced;
  if (any_off_) return event_cause::disabled;
  if (any_lost_ && !any_gained_) return event_cause::removed;
  return event_cause::changed;
}

// In a deletion rows follow the first entity they name that ends; children end before parents.
void reactions::sort_by_end(const result_list& found, std::vector<std::size_t>& rows) const {
  hash_map<id_t, std::size_t> ends;
  for (entity_t e : ended_) ends.try_emplace(e, ends.size());
  const auto first_end = [&](std::size_t row) {
    std::size_t first = ends.size();
    for (id_t v : found.rows[row].values)
      if (const auto known = ends.find(v); known != ends.end())
        first = std::min(first, known->second);
    return first;
  };
  std::ranges::stable_sort(rows, {}, first_end);
}

void reactions::add_report(std::vector<reaction>& list, const difference& d, entity_t event,
                           const result_list& found, std::vector<std::size_t> rows) {
  if (rows.empty()) return;
  if (found.query->ordered)
    std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return found.rows[i].depth; });
  if (event == OnRemove && !ended_.empty()) sort_by_end(found, rows);
  auto recorded = std::make_shared<recorded_rows>(found.query, g_);
  for (std::size_t i : rows) {
    const recorded_rows::result& r = found.rows[i];
    recorded->add({&r.values[this_slot], 1}, r.values, r.fields);
  }
  list.push_back({d.of, {.event = event, .id = d.id, .cause = cause()}, std::move(recorded)});
}

// --- the end -------------------------------------------------------------------------------------

std::vector<reaction> reactions::all_leaving() {
  std::vector<reaction> all;
  for (const std::shared_ptr<watcher>& w : watchers_) {
    if (!w->tells_removal()) continue;
    if (auto rows = rows_of(*w); rows->rows())
      all.push_back({w, {.event = OnRemove, .cause = event_cause::world_ends}, std::move(rows)});
  }
  return all;
}

}  // namespace kith::core
