#include "oracle/observed_query.hpp"

#include <algorithm>
#include <iterator>

#include "oracle/query_writer.hpp"
#include "world/engine_state.hpp"
#include "world/live_query.hpp"

namespace kith_oracle {

namespace {

constexpr std::size_t looks_between = 8;    // every so many calls look at the whole result
constexpr std::size_t throws_between = 11;  // every so many calls of an observer that throws

kith::query<> query_of(scripted_world& world, const std::string& text, evaluator by) {
  auto builder = world.world().query_builder<>();
  builder.expr(text);
  builder.cache_kind(by == evaluator::cached_library ? kith::cache_kind::always
                                                     : kith::cache_kind::never);
  return builder.build();
}

template <class Rows>
void sort(Rows& list) {
  std::ranges::sort(list);
}

}  // namespace

observed_query::observed_query(scripted_world& world, const observer_plan& plan, call_log& log)
    : world_(world),
      plan_(plan),
      text_(written(plan.query)),
      log_(log),
      asked_(query_of(world, text_, plan.by)) {
  plan_.query = with_entities(plan_.query, world);
  kith::query_desc desc;
  desc.expr = text_;
  const auto q = kith::core::make_query(world.world().engine(), desc);
  const kith::core::checked_query& checked = *q->prepared.checked();
  slots_ = checked.slots.size();
  for (const kith::core::field_info& f : checked.fields)
    shows_value_.push_back(f.access != kith::core::term::access::none &&
                           f.access != kith::core::term::access::filter);
  columns_ = asked_.vars();
  listen(false);
  forget();
}

void observed_query::listen(bool yields) {
  auto made = world_.world().observer<>().expr(written(with_numbers(plan_.query)));
  if (plan_.to == listening::as_monitor) made.event(kith::Monitor);
  if (hears(told_at::on_add) && plan_.to != listening::as_monitor) made.event(kith::OnAdd);
  if (hears(told_at::on_set)) made.event(kith::OnSet);
  if (hears(told_at::on_remove) && plan_.to != listening::as_monitor) made.event(kith::OnRemove);
  made.priority(plan_.priority).yield_existing(yields).yield_on_delete(yields);
  observer_ = made.run([this](kith::iter& it) { hear(it); });
}

bool observed_query::hears(told_at event) const {
  switch (event) {
    case told_at::on_add:
      return plan_.to != listening::to_what_goes;
    case told_at::on_set:
      return plan_.to == listening::to_all || plan_.to == listening::to_what_comes;
    default:
      return plan_.to != listening::to_what_comes;
  }
}

bool observed_query::is_silent() {
  is_over_ = is_over_ ||
             (plan_.by == evaluator::naive && !names_only_the_living(plan_.query, world_.world()));
  return is_off_ || is_over_;
}

void observed_query::note(std::string what) {
  if (problem_.empty()) problem_ = std::move(what);
}

// --- rows ----------------------------------------------------------------------------------------

// Of the proofs of a yes/no question any may be shown.
observed_query::shown_row observed_query::read(kith::iter& it, std::size_t row) const {
  shown_row r;
  if (asked_.is_question()) return r;
  const kith::entity self = it.entity(row);
  const kith::id_t self_id = self ? self.id() : 0;
  if (plan_.by == evaluator::naive) {
    r.columns.push_back(self_id);
    for (const std::string& name : columns_) {
      const kith::entity value = it.get_var(name);
      r.columns.push_back(value ? value.id() : 0);
    }
  } else {
    r.columns.resize(slots_);
    for (std::size_t s = 0; s < slots_; ++s) r.columns[s] = it.run().variable(static_cast<int>(s));
    r.columns[0] = self_id;
  }
  for (std::size_t f = 0; f < it.field_count(); ++f) {
    const kith::id_t id = it.is_set(f) ? it.id(f).raw_id() : 0;
    const kith::entity source = it.src(f);
    r.fields.push_back({id, id ? (source ? source.id() : self_id) : 0});
  }
  return r;
}

observed_query::evaluation observed_query::evaluate() const {
  if (plan_.by == evaluator::naive) return evaluate_naively();
  evaluation all;
  asked_.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        shown_row r = read(it, i);
        std::vector<kith::id_t> key = r.columns;
        all.emplace(std::move(key), std::move(r));
      }
  });
  return all;
}

observed_query::evaluation observed_query::evaluate_naively() const {
  evaluation all;
  const snapshot now = snapshot_of(world_.world());
  facts known(now);
  const answer a = kith_oracle::evaluate(known, plan_.query);
  if (a.is_yes_no) {
    if (a.is_true) all.emplace();
    return all;
  }
  for (const row& r : a.rows) {
    shown_row shown{{r.values.begin(), r.values.end()}, {}};
    std::vector<kith::id_t> key = shown.columns;
    for (const auto& [s, value] : r.slots)
      key.insert(key.end(), {static_cast<kith::id_t>(s.is), static_cast<kith::id_t>(s.number),
                             value.first, value.second});
    for (const field& f : r.fields) {
      const kith::id_t id =
          f.id.is_pair() ? world_.world().engine().pair(f.id.first, f.id.second) : f.id.first;
      shown.fields.push_back({id, id ? f.source : 0});
    }
    all.emplace(std::move(key), std::move(shown));
  }
  return all;
}

std::string observed_query::text_of(const shown_row& r) const {
  std::string text;
  const kith::core::engine& engine = world_.world().engine();
  for (const kith::id_t value : r.columns) text += (value ? engine.text_of(value) : "-") + " ";
  text += "|";
  for (const shown_field& f : r.fields)
    text += " " + (f.id ? engine.text_of(f.id) : "-") + "@" +
            (f.source ? engine.text_of(f.source) : "-");
  return text;
}

// --- hearing -------------------------------------------------------------------------------------

void observed_query::hear(kith::iter& it) {
  const kith::entity event = it.event();
  told now{event == kith::OnRemove ? told_at::on_remove
           : event == kith::OnAdd  ? told_at::on_add
                                   : told_at::on_set,
           {},
           {},
           {}};
  log_.calls.push_back({now.event, plan_.priority, plan_.age});
  kith::core::engine& engine = world_.world().engine();
  while (it.next())
    for (auto i : it) {
      now.shown.push_back(read(it, i));
      for (const shown_field& f : now.shown.back().fields)
        if (f.id && f.source && engine.type_of(f.id) &&
            !kith::core::is_builtin(engine.type_of(f.id)))
          if (const void* const at = engine.get(f.source, f.id, 0))
            now.values.push_back({{f.source, f.id}, static_cast<const stamped*>(at)->stamp});
    }
  if (now.shown.empty()) note("an event without rows");
  if (is_off_) note("an observer that is switched off was told");
  if (++heard_ % looks_between == 0 && !is_silent()) now.at_this_time = evaluate();
  told_.push_back(std::move(now));
  if (log_.may_throw && plan_.throws && heard_ % throws_between == 0)
    throw kith::error(kith::errc::constraint, "an observer throws");
}

observed_query::rows observed_query::told_of(told_at event) const {
  rows all;
  for (const told& t : told_)
    if (t.event == event) all.insert(all.end(), t.shown.begin(), t.shown.end());
  sort(all);
  return all;
}

// --- comparing -----------------------------------------------------------------------------------

void observed_query::compare(told_at event, rows expected, const char* what) {
  const rows got = told_of(event);
  if (!hears(event)) expected.clear();
  sort(expected);
  if (got == expected) return;
  std::string text = what;
  const auto list = [&](const char* how, const rows& these, const rows& without) {
    rows rest;
    std::ranges::set_difference(these, without, std::back_inserter(rest));
    for (const shown_row& r : rest) text += "\n  " + std::string(how) + " " + text_of(r);
  };
  list("not told:", expected, got);
  list("told without a reason:", got, expected);
  note(std::move(text));
}

// Does the row show a value that was written? In a row that stays, a field that became set, or that
// comes from another id or source than before, counts as written.
bool observed_query::shows_written(const shown_row& now, const shown_row* before,
                                   const std::set<value_place>& written) const {
  for (std::size_t n = 0; n < now.fields.size(); ++n) {
    const shown_field& f = now.fields[n];
    if (!shows_value_[n] || !f.id || !world_.world().engine().type_of(f.id)) continue;
    if (written.contains({f.source, f.id}) || (before && before->fields[n] != f)) return true;
  }
  return false;
}

void observed_query::compare_set(const evaluation& after, const written_values& values) {
  if (!hears(told_at::on_set) || asked_.is_question()) return;
  rows must, may;
  for (const auto& [key, now] : after) {
    const auto old = before_.find(key);
    const shown_row* const before = old == before_.end() ? nullptr : &old->second;
    if (shows_written(now, before, values.must)) must.push_back(now);
    if (shows_written(now, before, values.may)) may.push_back(now);
  }
  sort(must);
  sort(may);
  const rows got = told_of(told_at::on_set);
  if (!std::ranges::includes(got, must)) note("OnSet is missing");
  for (const shown_row& r : got)
    if (!std::ranges::binary_search(may, r))
      note("OnSet of a row of which nothing was written: " + text_of(r));
}

void observed_query::compare_monitored(const evaluation& after) {
  const auto by_this = [](const evaluation& all) {
    std::map<kith::id_t, std::set<shown_row>> found;
    for (const auto& [key, r] : all) found[r.columns.empty() ? 0 : r.columns[0]].insert(r);
    return found;
  };
  const auto was = by_this(before_), is = by_this(after);
  const auto compare_with = [&](told_at event, const auto& in, const auto& other) {
    std::set<kith::id_t> expected, got;
    for (const auto& [e, list] : in)
      if (!other.contains(e)) expected.insert(e);
    for (const shown_row& r : told_of(event)) {
      const kith::id_t e = r.columns.empty() ? 0 : r.columns[0];
      if (!got.insert(e).second) note("a Monitor is told twice of an entity");
      if (const auto known = in.find(e); known != in.end() && !known->second.contains(r))
        note("a Monitor shows a row that is not there");
    }
    if (got != expected) note("a Monitor is told of other entities");
  };
  compare_with(told_at::on_remove, was, is);
  compare_with(told_at::on_add, is, was);
}

// What was shown when the observer was called: before the change the old values, after it the new.
void observed_query::compare_values(const written_values& values) {
  for (const told& t : told_) {
    const known_values& then = t.event == told_at::on_remove ? values.before : values.after;
    for (const told_value& v : t.values) {
      const auto known = then.find(v.place);
      if (known == then.end() || known->second.stamp != v.stamp)
        note("an observer saw another value of #" + std::to_string(v.place.first) + ", " +
             world_.world().engine().text_of(v.place.second) + " in event " +
             std::to_string(static_cast<int>(t.event)) + ": " + std::to_string(v.stamp) +
             " instead of " + std::to_string(known == then.end() ? 0 : known->second.stamp));
    }
  }
}

void observed_query::compare_looks(const evaluation& after) {
  for (const told& t : told_)
    if (t.at_this_time && *t.at_this_time != (t.event == told_at::on_remove ? before_ : after))
      note("an observer saw the world of another time");
}

void observed_query::check_one(const written_values& values) {
  if (is_silent()) return told_.clear();
  evaluation after = evaluate();
  std::set<told_at> events;
  for (const told& t : told_)
    if (!events.insert(t.event).second) note("two calls for one change and event");
  compare_looks(after);
  compare_values(values);
  if (plan_.to == listening::as_monitor) {
    compare_monitored(after);
  } else {
    rows gone, come;
    for (const auto& [key, r] : before_)
      if (!after.contains(key)) gone.push_back(r);
    for (const auto& [key, r] : after)
      if (!before_.contains(key)) come.push_back(r);
    compare(told_at::on_remove, std::move(gone), "OnRemove");
    compare(told_at::on_add, std::move(come), "OnAdd");
    compare_set(after, values);
  }
  before_ = std::move(after);
  told_.clear();
}

void observed_query::check_many() {
  if (is_silent()) return told_.clear();
  evaluation after = evaluate();
  const bool monitors = plan_.to == listening::as_monitor;
  const auto key_of = [&](const shown_row& r) {
    return monitors ? std::vector<kith::id_t>{r.columns.empty() ? 0 : r.columns[0]} : r.columns;
  };
  std::map<std::vector<kith::id_t>, int> sum;
  if (monitors) {
    std::set<std::vector<kith::id_t>> was, is;
    for (const auto& [key, r] : before_) was.insert(key_of(r));
    for (const auto& [key, r] : after) is.insert(key_of(r));
    for (const auto& key : was) ++sum[key];
    for (const auto& key : is) --sum[key];
  } else {
    for (const auto& [key, r] : before_) ++sum[key_of(r)];
    for (const auto& [key, r] : after) --sum[key_of(r)];
  }
  for (const told& t : told_)
    for (const shown_row& r : t.shown) {
      if (t.event == told_at::on_add) ++sum[key_of(r)];
      if (t.event == told_at::on_remove) --sum[key_of(r)];
    }
  if (plan_.to == listening::to_all || monitors)
    for (const auto& [key, rest] : sum)
      if (rest) note("the sum of what was told is not the difference");
  before_ = std::move(after);
  told_.clear();
}

// --- the observer as an entity -------------------------------------------------------------------

void observed_query::toggle() {
  const bool was_off = std::exchange(is_off_, false);
  try {
    was_off ? observer_.enable() : observer_.disable();
  } catch (const kith::error&) {
    // Another observer threw.
  }
  is_off_ = !was_off;
  forget();
}

void observed_query::forget() {
  told_.clear();
  if (!is_silent()) before_ = evaluate();
}

void observed_query::renew(int age) {
  if (is_silent() || !names_only_the_living(plan_.query, world_.world())) return;
  const bool may_throw = std::exchange(log_.may_throw, false);
  observer_.destruct();
  told_.clear();
  plan_.age = age;
  listen(true);
  log_.may_throw = may_throw;
  const evaluation now = evaluate();
  const bool adds = hears(told_at::on_add);
  const bool monitors = plan_.to == listening::as_monitor;
  std::set<kith::id_t> entities;
  rows all;
  for (const auto& [key, r] : now)
    if (!monitors || entities.insert(r.columns.empty() ? 0 : r.columns[0]).second) all.push_back(r);
  if (!adds && !hears(told_at::on_set)) all.clear();
  const rows got = told_of(adds ? told_at::on_add : told_at::on_set);
  sort(all);
  if (monitors ? got.size() != all.size() : got != all) note("yield_existing tells of other rows");
  forget();
}

}  // namespace kith_oracle
