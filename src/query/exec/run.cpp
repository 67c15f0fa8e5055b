#include "query/exec/run.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/builtins.hpp>

#include "base/deep_call.hpp"

namespace kith::core {

bool is_allowed(const checked_query& q, const graph& g, slot_index slot, entity_t value) {
  if (slot != this_slot) return !q.slots[slot].is_source || !is_builtin(value);
  if (is_builtin(value)) return false;
  const entity_record* r = g.store.entities().find(value);
  if (!r) return false;
  return std::ranges::none_of(q.hides,
                              [&](id_t id) { return g.inherit.is_visible(value, *r, id); });
}

bool plan_run::next() {
  if (!std::exchange(started_, true) && descend(plan_.first()) == outcome::result) return true;
  while (depth_) {
    plan_step* step = advance(frames_[depth_ - 1]);
    if (!step) {
      slots_noted_ = std::min(slots_noted_, --depth_);
      continue;
    }
    if (descend(step) == outcome::result) return true;
  }
  return false;
}

void plan_run::stop() {
  for (; depth_; --depth_)
    if (const slot_index slot = frames_[depth_ - 1].step->slot; slot != no_slot) values_[slot] = 0;
  slots_noted_ = 0;
}

// Goes on from a step until something must be chosen, fails, or is complete.
plan_run::outcome plan_run::descend(plan_step* step) {
  for (;;) {
    switch (step->does) {
      case plan_step::op::test:
        if (is_proven(*step->term)) break;
        meaning_.effort().spend(1);
        if (!meaning_.holds(*step->term, values_)) return outcome::failed;
        break;
      case plan_step::op::filter:
        meaning_.effort().spend(1);
        if (!meaning_.may_hold(*step->term, values_)) return outcome::failed;
        break;
      case plan_step::op::absent:
        if (has_result(*step->inner[0])) return outcome::failed;
        break;
      case plan_step::op::end_optional:
        frame_of(*step->owner).found = true;
        break;
      case plan_step::op::end_alternative:
        for (const auto& earlier : step->inner)
          if (has_result(*earlier)) return outcome::failed;
        frame_of(*step->owner).found = true;
        break;
      case plan_step::op::result:
        if (plan_.repeats() && !seen_.insert(values_).second) return outcome::failed;
        step->actual += batch() ? batch()->entities.size() : 1;
        return outcome::result;
      case plan_step::op::nothing:
        return outcome::failed;
      case plan_step::op::guess:
      case plan_step::op::bind:
      case plan_step::op::star:
      case plan_step::op::all:
      case plan_step::op::optional:
      case plan_step::op::any_of:
        open(*step);
        return outcome::opened;
    }
    ++step->actual;
    step = plan_.after(*step);
  }
}

plan_run::frame& plan_run::push(plan_step& s) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  frame& f = frames_[depth_++];
  f.step = &s;
  f.list.clear();
  f.at = 0;
  f.found = f.by_block = false;
  f.proven = nullptr;
  f.common = nullptr;
  f.scan.reset();
  f.block = {};
  return f;
}

void plan_run::open(plan_step& s) {
  frame& f = push(s);
  if (s.does == plan_step::op::star)
    candidates_.find_stars(*s.term, values_, f.list);
  else if (s.does == plan_step::op::all)
    candidates_.find_all(*s.term, s.slot, values_, f.list);
  else if (s.does == plan_step::op::guess)
    list_everything(f);
  else if (s.does == plan_step::op::bind && !open_lists(f) && !open_scan(f))
    open_bind(f);
  meaning_.effort().spend(1 + f.list.size());
}

// Lists what the terms have in common, if they come down to lists. Rows of $this come in blocks
// where it is about one of them alone.
bool plan_run::open_lists(frame& f) {
  const plan_step& s = *f.step;
  if (std::exchange(known_step_, nullptr) == &s) {
    f.list.swap(known_list_);
    f.common = lists_[s.number].get();
    return true;
  }
  value_lists* const lists = lists_of(s);
  if (!lists || !lists->find(values_, f.list)) return false;
  f.common = lists;
  return true;
}

// The lists by which a step is answered; null if it is not.
value_lists* plan_run::lists_of(const plan_step& s) {
  if (!meaning_.shortcuts().lists) return nullptr;
  if (s.number >= lists_.size()) lists_.resize(s.number + 1);
  auto& lists = lists_[s.number];
  if (!lists) lists = std::make_unique<value_lists>(meaning_, s.slot, s.from, values_);
  if (!lists->names_targets() || (s.slot == this_slot && lists->size() < 2)) return nullptr;
  if (lists->size() < s.from.size() && names_fewer(s, *lists)) return nullptr;
  return lists.get();
}

// Is it known at once that a step gives nothing? Else what was found waits until the step is
// opened.
bool plan_run::has_nothing_in_common(const plan_step& s) {
  known_step_ = nullptr;
  if (s.does != plan_step::op::bind) return false;
  value_lists* const lists = lists_of(s);
  known_list_.clear();
  if (!lists || !lists->find(values_, known_list_)) return false;
  if (known_list_.empty()) return true;
  known_step_ = &s;
  return false;
}

// Does a term that is no list name far fewer values?
bool plan_run::names_fewer(const plan_step& s, const value_lists& lists) const {
  constexpr double far = 8;
  double listed = -1, others = -1;
  for (const checked_term* t : s.from) {
    const double rows = candidates_.size_hint(*t, s.slot, values_);
    double& fewest = lists.takes(*t) ? listed : others;
    if (rows >= 0 && (fewest < 0 || rows < fewest)) fewest = rows;
  }
  return others >= 0 && listed >= 0 && others * far < listed;
}

// How many values a term of a step names: as counted now, or as the plan expects.
double plan_run::rows_of(const plan_step& s, std::size_t i) const {
  const double now = candidates_.size_hint(*s.from[i], s.slot, values_);
  return now >= 0 ? now : s.from_rows[i];
}

void plan_run::list_everything(frame& f) {
  const slot_info& slot = q_.slots[f.step->slot];
  candidates_.everything(slot.is_named && !slot.is_source, f.list);
}

// Lists the values that the best of the terms names.
void plan_run::open_bind(frame& f) {
  const plan_step& s = *f.step;
  const checked_term* best = nullptr;
  double fewest = 0;
  for (std::size_t i = 0; i < s.from.size(); ++i) {
    const double rows = s.from.size() > 1 ? rows_of(s, i) : 0;
    if (best && rows >= fewest) continue;
    best = s.from[i];
    fewest = rows;
  }
  auto found = candidates::quality::none;
  if (best) found = candidates_.find(*best, s.slot, values_, f.list);
  for (std::size_t i = 0; i < s.from.size() && found == candidates::quality::none; ++i)
    found = candidates_.find(*(best = s.from[i]), s.slot, values_, f.list);
  if (found == candidates::quality::none) list_everything(f);
  const bool complete = best && std::ranges::all_of(best->slots, [&](slot_index slot) {
                          return slot == s.slot || values_[slot];
                        });
  if (found == candidates::quality::exact && complete) f.proven = best;
}

// Goes through rows instead, if that is what the terms ask for. The tests that follow and are about
// ids alone are made on the way.
bool plan_run::open_scan(frame& f) {
  plan_step& s = *f.step;
  const slot_info& slot = q_.slots[s.slot];
  if (!meaning_.shortcuts().scans || (s.slot != this_slot && !slot.is_source)) return false;
  auto scan = std::make_unique<row_scan>(meaning_);
  in_scan_.clear();
  plan_step* then = plan_.after(s);
  for (;; then = plan_.after(*then)) {
    if (then->does == plan_step::op::test) {
      if (!scan->add(*then->term, s.slot, values_, false)) break;
      in_scan_.push_back(then->term);
    } else if (then->does == plan_step::op::absent) {
      plan& inner = *then->inner[0];
      plan_step* only = inner.first();
      if (only->does != plan_step::op::test || inner.after(*only)->does != plan_step::op::result ||
          !scan->add(*only->term, s.slot, values_, true))
        break;
    } else {
      break;
    }
  }
  scan->leave_out_builtins();
  if (s.slot == this_slot) scan->hide(q_);
  f.by_block =
      batches_ && s.slot == this_slot && then->does == plan_step::op::result && !plan_.repeats();
  if (f.by_block) {
    for (id_t id : observed_) scan->observe(id);
    for (entity_t relation : observed_relations_) scan->observe_pairs(relation);
  }

  // Is there a shorter list than the rows of the rarest id?
  scan->begin();
  const checked_term* shorter = nullptr;
  double fewest = -1;
  for (std::size_t i = 0; i < s.from.size(); ++i) {
    const checked_term& t = *s.from[i];
    const bool as_source =
        t.is == checked_term::kind::predicate && t.shape.is_on_slot() && t.source.slot == s.slot;
    if (as_source && t.second.slot != s.slot && std::ranges::find(in_scan_, &t) != in_scan_.end())
      continue;
    if (!shorter && !in_scan_.empty()) fewest = scan->cost();
    const double rows = rows_of(s, i);
    if (fewest >= 0 && rows >= fewest) continue;
    shorter = &t;
    fewest = rows;
  }
  if (shorter) {
    std::vector<id_t> list;
    auto found = candidates_.find(*shorter, s.slot, values_, list);
    for (std::size_t i = 0; i < s.from.size() && found == candidates::quality::none; ++i)
      found = candidates_.find(*s.from[i], s.slot, values_, list);
    if (found != candidates::quality::none) scan->begin(std::move(list));
  }
  gather(*scan);
  f.scan = std::move(scan);
  f.then = then;
  return true;
}

// Takes the owners of a pair from those that were gathered; gathers them if that pays.
void plan_run::gather(row_scan& scan) {
  const id_record* const pair = meaning_.shortcuts().gathering ? scan.goes_through() : nullptr;
  if (!pair || !is_pair(pair->id)) return;
  const std::uint32_t relation = relation_of(pair->id);
  auto known = std::ranges::find(gathered_, relation, &gathered_rows::relation);
  if (known == gathered_.end()) {
    if (!pays_to_gather(*pair, scan)) return;
    known = gathered_.emplace(known, meaning_.world().store, relation);
  }
  if (known->is_complete()) scan.take_rows(known->of(target_of(pair->id)));
}

// Is the scan one of many through tiny tables, one for each of many values? An iteration that ends
// early shall not pay for gathering, so some tables must have been gone through before.
bool plan_run::pays_to_gather(const id_record& pair, row_scan& scan) const {
  if (depth_ < 2) return false;
  if (meaning_.shortcuts().chance)
    return mix(meaning_.shortcuts().chance + relation_of(pair.id)) % 2;
  constexpr std::size_t early = 64;
  const frame& outer = frames_[depth_ - 2];
  if (outer.at > outer.list.size() || outer.at * early < outer.list.size()) return false;
  return gathered_rows::pays(meaning_.world().store, pair, outer.at, outer.list.size() - outer.at,
                             [&] { return scan.cost(); });
}

plan_step* plan_run::advance_scan(frame& f) {
  plan_step& s = *f.step;
  for (;;) {
    if (f.by_block || f.at >= f.block.entities.size()) {
      f.at = 0;
      if (!f.scan->next(f.block)) {
        values_[s.slot] = 0;
        return nullptr;
      }
    }
    if (f.by_block) {
      values_[s.slot] = f.block.entities.front();
      s.actual += f.block.entities.size();
      return f.then;
    }
    // Most rows may end with the next step.
    while (f.at < f.block.entities.size()) {
      meaning_.world().store.expect(f.block.entities.subspan(f.at));
      values_[s.slot] = f.block.entities[f.at++];
      ++s.actual;
      if (!has_nothing_in_common(*f.then)) return f.then;
    }
  }
}

// The next thing to try; null if there is nothing more.
plan_step* plan_run::advance(frame& f) {
  plan_step& s = *f.step;
  switch (s.does) {
    case plan_step::op::optional:
      ++f.at;
      if (f.at == 1) return plan_.body(s, 0);
      if (f.at == 2 && !f.found) return plan_.otherwise(s);
      return nullptr;
    case plan_step::op::any_of:
      if (s.first_only && f.found) return nullptr;
      while (f.at < plan_.body_count(s))
        if (plan_step* body = plan_.body(s, f.at++)) return body;
      return nullptr;
    default:
      break;
  }
  if (f.scan) return advance_scan(f);
  while (f.at < f.list.size()) {
    const id_t value = f.list[f.at++];
    if (q_.slots[s.slot].is == slot_info::kind::variable && !allowed(s.slot, value)) continue;
    values_[s.slot] = value;
    ++s.actual;
    return plan_.after(s);
  }
  values_[s.slot] = 0;
  if (s.does == plan_step::op::guess && !std::exchange(f.found, true)) return plan_.otherwise(s);
  return nullptr;
}

plan_run::frame& plan_run::frame_of(const plan_step& s) {
  std::size_t i = depth_ - 1;
  while (frames_[i].step != &s) --i;
  return frames_[i];
}

bool plan_run::allowed(slot_index slot, entity_t value) const {
  if (slot != this_slot && is_builtin(value) &&
      (!q_.slots[slot].is_named || is_wildcard(index_of(value))))
    return false;
  return is_allowed(q_, meaning_.world(), slot, value);
}

bool plan_run::is_proven(const checked_term& t) {
  if (!meaning_.shortcuts().proofs) return false;
  const auto proves = [&](const frame& f) {
    return f.proven == &t || (f.common && f.common->proves(t));
  };
  constexpr std::size_t few_frames = 8;
  if (depth_ <= few_frames) {
    for (std::size_t i = depth_; i-- > 0;)
      if (proves(frames_[i])) return true;
    return false;
  }
  // What gave a slot its value can prove only terms that use the slot.
  for (; slots_noted_ < depth_; ++slots_noted_)
    if (const slot_index slot = frames_[slots_noted_].step->slot; slot != no_slot) {
      if (slot >= frame_of_slot_.size()) frame_of_slot_.resize(q_.slots.size());
      frame_of_slot_[slot] = slots_noted_;
    }
  return std::ranges::any_of(t.slots, [&](slot_index slot) {
    const std::size_t at = slot < frame_of_slot_.size() ? frame_of_slot_[slot] : depth_;
    return at < depth_ && frames_[at].step->slot == slot && proves(frames_[at]);
  });
}

bool plan_run::has_result(plan& inner) {
  return deep_call([&] {
    std::unique_ptr<plan_run>& run = inner_[&inner];
    if (!run) run = std::make_unique<plan_run>(q_, inner, meaning_, values_);
    // Where an error ends it, it is not begun again.
    const bool found = run->next();
    run->stop();
    run->started_ = false;
    run->seen_.clear();
    return found;
  });
}

std::size_t plan_run::alternative_of(std::uint32_t field) const {
  for (std::size_t i = 0; i < depth_; ++i)
    if (const frame& f = frames_[i];
        f.step->does == plan_step::op::any_of && f.step->what->field == field)
      return f.step->what->bodies[f.at - 1].number;
  return 0;
}

}  // namespace kith::core
