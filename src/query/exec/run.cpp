#include "query/exec/run.hpp"

#include <algorithm>

namespace kith::core {

bool is_allowed(const checked_query& q, const graph& g, slot_index slot, entity_t value) {
  if (slot != this_slot) return !q.slots[slot].is_source || !is_builtin(value);
  if (is_builtin(value)) return false;
  const entity_record* r = g.facts.entities().find(value);
  if (!r) return false;
  if (!q.names_prefab && g.bases.is_visible(value, *r, Prefab)) return false;
  return q.names_disabled || !g.bases.is_visible(value, *r, Disabled);
}

bool plan_run::next() {
  outcome reached = outcome::failed;
  if (!started_) {
    started_ = true;
    reached = descend(plan_.first());
    if (reached == outcome::result) return true;
  }
  while (!frames_.empty()) {
    plan_step* step = advance(frames_.back());
    if (!step) {
      frames_.pop_back();
      continue;
    }
    if (descend(step) == outcome::result) return true;
  }
  return false;
}

void plan_run::stop() {
  for (const frame& f : frames_)
    if (f.step->slot != no_slot) values_[f.step->slot] = 0;
  frames_.clear();
}

// Goes on from a step until something must be chosen, fails, or is complete.
plan_run::outcome plan_run::descend(plan_step* step) {
  for (;;) {
    switch (step->does) {
      case plan_step::op::test:
        if (!is_proven(*step->term) && !meaning_.holds(*step->term, values_))
          return outcome::failed;
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
        ++step->actual;
        return outcome::result;
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

void plan_run::open(plan_step& s) {
  frame f;
  f.step = &s;
  if (s.does == plan_step::op::star) {
    candidates_.find_stars(*s.term, values_, f.list);
  } else if (s.does == plan_step::op::all) {
    candidates_.find_all(*s.term, s.slot, values_, f.list);
  } else if (s.does == plan_step::op::bind) {
    // The term that names the fewest values.
    const checked_term* best = nullptr;
    double fewest = -1;
    for (const checked_term* t : s.from) {
      const double rows = s.from.size() > 1 ? candidates_.size_hint(*t, s.slot, values_) : 0;
      if (!best || (rows >= 0 && (fewest < 0 || rows < fewest))) {
        best = t;
        fewest = rows;
      }
    }
    auto found = candidates::quality::none;
    if (best) found = candidates_.find(*best, s.slot, values_, f.list);
    for (std::size_t i = 0; i < s.from.size() && found == candidates::quality::none; ++i)
      found = candidates_.find(*(best = s.from[i]), s.slot, values_, f.list);
    if (found == candidates::quality::none) candidates_.everything(s.builtins_too, f.list);
    const bool complete = best && std::ranges::all_of(best->slots, [&](slot_index slot) {
                            return slot == s.slot || values_[slot];
                          });
    if (found == candidates::quality::exact && complete) f.proven = best;
  }
  frames_.push_back(std::move(f));
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
  while (f.at < f.list.size()) {
    const id_t value = f.list[f.at++];
    if (s.does == plan_step::op::bind && !allowed(s.slot, value)) continue;
    values_[s.slot] = value;
    ++s.actual;
    return plan_.after(s);
  }
  values_[s.slot] = 0;
  return nullptr;
}

plan_run::frame& plan_run::frame_of(const plan_step& s) {
  std::size_t i = frames_.size() - 1;
  while (frames_[i].step != &s) --i;
  return frames_[i];
}

bool plan_run::allowed(slot_index slot, entity_t value) const {
  return is_allowed(q_, meaning_.world(), slot, value);
}

bool plan_run::is_proven(const checked_term& t) const {
  for (std::size_t i = frames_.size(); i-- > 0;)
    if (frames_[i].proven == &t) return true;
  return false;
}

bool plan_run::has_result(plan& inner) {
  plan_run run(q_, inner, meaning_, values_);
  const bool found = run.next();
  run.stop();
  return found;
}

std::size_t plan_run::alternative_of(std::uint32_t field) const {
  for (const frame& f : frames_)
    if (f.step->does == plan_step::op::any_of && f.step->what->field == field)
      return f.step->what->bodies[f.at - 1].number;
  return 0;
}

}  // namespace kith::core
