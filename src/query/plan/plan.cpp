#include "query/plan/plan.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/deep_call.hpp"
#include "query/plan/slot_sets.hpp"

namespace kith::core {

namespace {

// Can an alternative leave a variable unset? Then whether another says the same is not to be told
// by asking it. Where there are many, asking all of them would take too long.
bool has_loose_alternatives(const block& b) {
  constexpr std::size_t many = 16;
  return std::ranges::any_of(b.items, [](const item& i) {
    if (i.is == item::kind::not_) return false;
    if (i.bodies.size() > many) return true;
    return std::ranges::any_of(i.bodies, [&](const block& body) {
      if (deep_call([&] { return has_loose_alternatives(body); })) return true;
      return i.is == item::kind::any_of && std::ranges::any_of(body.positive, [&](slot_index slot) {
               return slot != this_slot && may_stay_unset(body, slot);
             });
    });
  });
}

// The slots of an item in the order of their first use outside `!`.
void list_in_order(const item& i, std::vector<slot_index>& found) {
  if (i.is == item::kind::not_) return;
  for (const block& body : i.bodies)
    for (const item& inner : body.items) deep_call([&] { list_in_order(inner, found); });
  for (slot_index slot : i.term.slots)
    if (std::ranges::find(found, slot) == found.end()) found.push_back(slot);
}

std::shared_ptr<plan_level> less_item(const plan_level& level, std::size_t place) {
  auto rest = std::make_shared<plan_level>(level);
  rest->remove(place);
  return rest;
}

// What goes on around a body. Where all orders can be compared, that is done anew after it.
std::shared_ptr<const plan_level> around_body(const plan_level& level, std::size_t place) {
  auto rest = less_item(level, place);
  if (rest->order && !rest->order->rough) rest->order = nullptr;
  return rest;
}

// Does a level use the slot, or one around it?
bool is_used(const plan_level& level, slot_index slot) {
  for (const plan_level* at = &level; at; at = at->outer.get()) {
    const auto is_left = [&](const agenda::use& u) { return at->left.contains(u.place); };
    if (at->is_own(slot) || std::ranges::any_of(at->all->uses_of(slot), is_left)) return true;
  }
  return false;
}

}  // namespace

plan::plan(const checked_query& q, const block& b, bit_set bound, const bit_set& known,
           const estimates& counts, statistics& samples)
    : q_(q), counts_(counts), samples_(samples), known_(known), left_(q, known_, start_.bound) {
  known_.insert(bound);
  insert(known_, b.positive);
  start_.bound = std::move(bound);
  slot_list own = without(b.positive, start_.bound);
  // $this has a value everywhere, also where only a Not asks for it.
  if (contains(b.slots, this_slot) && !contains(known_, this_slot)) {
    insert(own, this_slot);
    insert(known_, this_slot);
  }
  start_.level = make_level(b, start_.bound, std::move(own), nullptr, nullptr, 0);
  repeats_ = has_loose_alternatives(b);
}

plan::~plan() {
  deep_call([&] { steps_.clear(); });
}

plan_step* plan::first() {
  if (!first_) first_ = plan_next(start_);
  return first_;
}

plan_step* plan::after(plan_step& s) {
  if (!s.next_) {
    s.next_ = plan_next(s.then_);
    // With many terms what is still to do after each of them would take much room.
    s.then_ = {};
  }
  return s.next_;
}

plan_step* plan::body(plan_step& s, std::size_t which) {
  plan_step::branch& b = branch_of(s, which);
  if (!b.first && !b.vanished) {
    plan_step* const first = plan_next(b.from);
    // Planning may have made other branches.
    s.branches_[which].first = first;
    s.branches_[which].from = {};
    return first;
  }
  return b.first;
}

plan_step* plan::otherwise(plan_step& s) {
  if (!s.otherwise_) {
    s.otherwise_ = plan_next(s.else_);
    s.else_ = {};
  }
  return s.otherwise_;
}

plan_step& plan::add(plan_step::op does) {
  plan_step& s = steps_.emplace_back();
  s.does = does;
  s.number = steps_.size() - 1;
  return s;
}

std::shared_ptr<plan_level> plan::make_level(const block& b, const bit_set& bound, slot_list own,
                                             std::shared_ptr<const plan_level> outer,
                                             plan_step* owner, std::size_t alternative) const {
  open_items what;
  for (const item& i : b.items) what.items.push_back(&i);
  what.own = std::move(own);
  // Undecided is also what vanishes with a term that uses what is undecided.
  bit_set undecided;
  for (const item& i : b.items) {
    if (i.introduces.empty()) continue;
    const bool may_vanish = any_in(i.slots, undecided);
    std::vector<slot_index> in_order;
    list_in_order(i, in_order);
    for (slot_index slot : in_order) {
      if (!contains(i.introduces, slot) || contains(bound, slot)) continue;
      if (!may_vanish && !may_stay_unset(i, slot)) continue;
      what.decided.emplace_back(slot, &i);
      insert(undecided, slot);
    }
  }
  auto level = left_.level_of(std::move(what), bound);
  level->outer = std::move(outer);
  level->owner = owner;
  level->alternative = alternative;
  return level;
}

plan_step* plan::plan_next(const plan_state& at) {
  if (!at.unset.empty()) {
    plan_state rest = at;
    rest.level = left_.reduce(at.level, std::exchange(rest.unset, {}), at.bound);
    return plan_next(rest);
  }
  if (at.level->impossible) return &add(plan_step::op::nothing);
  plan_state from = brought_up_to_date(at);
  if (plan_step* s = plan_test(from)) return s;
  if (plan_step* s = plan_binding(from)) return s;
  if (plan_step* s = plan_optional(from)) return s;
  if (plan_step* s = plan_open_term(from)) return s;
  if (plan_step* s = plan_everything(from)) return s;
  if (plan_step* s = plan_guess(from)) return s;
  return plan_end(from);
}

plan_state plan::brought_up_to_date(const plan_state& from) const {
  const plan_level& old = *from.level;
  if (from.bound.next_beyond(old.bound) == bit_set::none && old.idle.next() == bit_set::none)
    return from;
  auto level = std::make_shared<plan_level>(old);
  const slot_list fresh = level->note_bound(from.bound);
  for (std::size_t n = level->idle.next(); n != bit_set::none; n = level->idle.next(n + 1))
    level->remove(n);
  if (level->order && level->order->rough)
    level->order_news += news_for(*level->order, *level, fresh);
  return {from.bound, std::move(level), {}, from.filters};
}

// How many items could an order go on with, now that slots have got values, that it does not know?
std::size_t plan::news_for(const slot_order& order, const plan_level& level,
                           const slot_list& fresh) const {
  const auto names_values = [&](const checked_term& t) {
    return std::ranges::any_of(t.slots, [&](slot_index slot) {
      return !contains(level.bound, slot) && counts_.values(t, slot, {level.bound}) >= 0;
    });
  };
  std::size_t news = 0;
  for (slot_index slot : fresh)
    for (const agenda::use& u : level.all->uses_of(slot)) {
      if (!level.left.contains(u.place)) continue;
      const item& i = *level.all->items()[u.place];
      if (i.is == item::kind::any_of)
        news +=
            !std::ranges::binary_search(order.chains, &i) && cost_of(i, level, level.bound) >= 0;
      else if (level.counted.contains(u.place))
        news += !(order.gives.contains(slot) && order.terms.contains(i.term.number)) &&
                names_values(i.term);
    }
  return news;
}

plan_step* plan::plan_test(const plan_state& from) {
  const plan_level& level = *from.level;
  const std::size_t turn = level.tests.next();
  const std::size_t which = turn == bit_set::none ? turn : level.all->at_turn(turn);
  const item* const best = turn == bit_set::none ? nullptr : level.all->items()[which];
  if (!from.filters.empty() && (!best || rank_of_test(*best) != first_rank)) {
    plan_step& s = add(plan_step::op::filter);
    s.term = from.filters.back();
    s.then_ = from;
    s.then_.filters.pop_back();
    return &s;
  }
  if (!best) return nullptr;
  const item& i = *best;
  if (i.is == item::kind::any_of) return plan_bodies(from, which);
  plan_step& s = add(i.is == item::kind::term ? plan_step::op::test : plan_step::op::absent);
  if (i.is == item::kind::term) {
    s.term = &i.term;
  } else {
    s.what = &i;
    s.inner.push_back(
        std::make_unique<plan>(q_, i.bodies[0], from.bound, known_, counts_, samples_));
  }
  s.then_ = {from.bound, less_item(level, which), {}, from.filters};
  return &s;
}

double plan::cost_of(const item& any_of, const plan_level& level, const bit_set& bound) const {
  // All that has no value yet must get one in each alternative, but for a `*` or an `all`: nothing
  // else asks for that.
  for (slot_index slot : without(level.all->free_slots(any_of), bound)) {
    if (level.decider_of(slot) == &any_of || q_.slots[slot].name.empty()) continue;
    for (const block& b : any_of.bodies)
      if (!contains(b.positive, slot) || may_stay_unset(b, slot)) return -1;
    if (level.decider_of(slot)) return -1;
  }
  double sum = 0;
  for (const block& b : any_of.bodies) {
    double best = counts_.everything();
    for (const item& i : b.items)
      if (i.is == item::kind::term)
        for (slot_index slot : without(i.term.slots, bound)) {
          const double rows = counts_.values(i.term, slot, {bound});
          if (rows >= 0) best = std::min(best, rows);
        }
    sum += all_in(b.slots, bound) ? 1 : best;
  }
  return sum;
}

// May a variable that no term names yet be given each entity in turn? Not where variables may stay
// unset: then plan_everything() knows which of them have to wait.
bool plan::may_have_any_value(slot_index slot) const {
  return q_.slots[slot].is == slot_info::kind::variable && !q_.any_conditional;
}

std::shared_ptr<const slot_order> plan::find_order(const plan_state& from) const {
  const plan_level& level = *from.level;
  const agenda& all = *level.all;
  order_question asked{q_, from.bound, {}, {}, {}, {}, !level.owner};
  const auto each = [&](const bit_set& set, auto visit) {
    for (std::size_t n = set.next_of_both(level.left); n != bit_set::none;
         n = set.next_of_both(level.left, n + 1))
      visit(*all.items()[n]);
  };
  each(all.chains(), [&](const item& i) {
    if (const double rows = cost_of(i, level, from.bound); rows >= 0)
      asked.chains.push_back({&i, rows});
  });
  slot_list anything;
  each(level.counted, [&](const item& i) {
    asked.terms.push_back(&i);
    for (slot_index slot : i.term.slots)
      if (!contains(from.bound, slot) && may_have_any_value(slot)) anything.push_back(slot);
  });
  asked.open_to_all = set_of(anything);
  if (asked.terms.empty() && asked.chains.empty()) return std::make_shared<const slot_order>();
  level.each([&](const item& i, std::size_t place) {
    if (i.is == item::kind::not_)
      asked.nots.push_back(&i);
    else if (!level.counted.contains(place))
      asked.is_all = false;
  });
  return std::make_shared<const slot_order>(core::find_order(asked, counts_, samples_));
}

// What the order of the level says comes next; null if nothing names values for anything.
const order_choice* plan::next_choice(plan_state& from, bool& is_new) const {
  auto level = std::make_shared<plan_level>(*from.level);
  from.level = level;
  const auto counts = [&](const agenda::use& u) { return level->counted.contains(u.place); };
  const auto is_open = [&](const order_choice& c) {
    if (c.chain) return level->left.contains(level->all->place_of(c.chain));
    return !contains(from.bound, c.slot) &&
           std::ranges::any_of(level->all->uses_of(c.slot), counts);
  };
  const auto first_open = [&]() -> const order_choice* {
    const std::vector<order_choice>& steps = level->order->steps;
    while (level->order_at < steps.size() && !is_open(steps[level->order_at])) ++level->order_at;
    return level->order_at < steps.size() ? &steps[level->order_at] : nullptr;
  };
  // While it is not known which variables stay unset, each value may add terms that count.
  constexpr std::size_t part = 16;
  if (level->order && (level->order->rough || level->decides_nothing())) {
    const order_choice* next = first_open();
    const bool is_good = level->order_news * part <= level->order->steps.size() - level->order_at;
    if (level->order->rough ? is_good : next != nullptr) return next;
  }
  level->order = find_order(from);
  level->order_at = level->order_news = 0;
  const order_choice* next = first_open();
  is_new = next && level->order_at == 0;
  return next;
}

// The commonest case: one variable is left, and there is nothing to compare. False: it is not so.
bool plan::find_only_choice(const plan_state& from, order_choice& only) const {
  const plan_level& level = *from.level;
  if (level.all->chains().next_of_both(level.left) != bit_set::none) return false;
  for (std::size_t n = level.counted.next(); n != bit_set::none; n = level.counted.next(n + 1)) {
    const checked_term& t = level.all->items()[n]->term;
    for (slot_index slot : t.slots) {
      if (contains(from.bound, slot) || q_.slots[slot].is == slot_info::kind::all) continue;
      if (only.slot != no_slot && only.slot != slot) return false;
      only.slot = slot;
      if (const double rows = counts_.values(t, slot, {from.bound}); rows >= 0)
        only.from.push_back({&t, rows});
    }
  }
  if (only.slot == no_slot) return false;
  std::ranges::stable_sort(only.from, {}, &named_values::rows);
  if (only.from.empty() && !may_have_any_value(only.slot)) return false;
  only.tried = only.from.empty() ? counts_.everything() : only.from.front().rows;
  return true;
}

plan_step* plan::plan_binding(plan_state& from) {
  if (order_choice only; find_only_choice(from, only)) return plan_slot(from, only);
  bool is_new = false;
  const order_choice* next = next_choice(from, is_new);
  if (!next) return nullptr;
  if (next->chain) return plan_bodies(from, from.level->all->place_of(next->chain));
  plan_step* const s = plan_slot(from, *next);
  if (is_new && !from.level->order->others.empty()) {
    s->considered = from.level->order;
    s->cost = next->cost;
  }
  return s;
}

plan_step* plan::plan_slot(const plan_state& from, const order_choice& next) {
  const plan_level& level = *from.level;
  const slot_index slot = next.slot;
  const bool is_star = q_.slots[slot].is == slot_info::kind::star;
  plan_step& s = add(plan_step::op::bind);
  s.slot = slot;
  for (const agenda::use& u : is_star ? level.all->uses_of(slot) : std::span<const agenda::use>()) {
    if (!level.counted.contains(u.place)) continue;
    const item* const i = level.all->items()[u.place];
    // A star is found by the source of its term, or else the source is found by the star.
    const checked_ref& source = i->term.source;
    if (source.is != checked_ref::kind::slot || contains(from.bound, source.slot)) {
      s.does = plan_step::op::star;
      s.term = &i->term;
    }
  }
  // What an order that was found earlier names may be gone.
  const auto is_left = [&](const checked_term* t) {
    return std::ranges::any_of(level.all->uses_of(slot), [&](const agenda::use& u) {
      return level.left.contains(u.place) && &level.all->items()[u.place]->term == t;
    });
  };
  const bool all_left = level.order_news == 0;
  for (const named_values& n : next.from) {
    if (!all_left && !is_left(n.term)) continue;
    s.from.push_back(n.term);
    s.from_rows.push_back(n.rows);
  }
  s.estimate = next.tried;
  s.then_ = from;
  for (const checked_term* t : next.filters)
    if (all_left || is_left(t)) s.then_.filters.push_back(t);
  insert(s.then_.bound, slot);
  return &s;
}

plan_step* plan::plan_bodies(const plan_state& from, std::size_t which) {
  const item& i = *from.level->all->items()[which];
  plan_step& s = add(plan_step::op::any_of);
  s.what = &i;
  s.open_ = without(i.positive, from.bound);
  s.first_only = s.open_.empty();
  s.around_ = {from.bound, around_body(*from.level, which)};
  std::ranges::copy_if(s.open_, std::back_inserter(s.wanted_),
                       [&](slot_index slot) { return is_used(*s.around_.level, slot); });
  return &s;
}

// What is to do in a branch, which is worked out when it is first asked for.
plan_step::branch& plan::branch_of(plan_step& s, std::size_t which) {
  while (s.branches_.size() <= which) {
    const std::size_t k = s.branches_.size();
    const item& i = *s.what;
    const block& b = i.bodies[k];
    const bit_set& bound = s.around_.bound;
    plan_step::branch fresh;
    if (s.does == plan_step::op::optional) {
      fresh.from = {bound,
                    make_level(b, bound, without(b.positive, bound), s.around_.level, &s, k)};
    } else {
      const auto around = left_.with_mention(s.around_.level, i, k, bound);
      auto body = make_level(b, bound, without(b.positive, bound), around, &s, k);
      // Of the slots that stay unset, those that nothing uses do not matter.
      const bool has_mention = around != s.around_.level;
      slot_list unset = without(has_mention ? s.open_ : s.wanted_, b.positive);
      insert(unset, without(both(b.slots, s.open_), b.positive));
      const auto left = left_.reduce(body, std::move(unset), bound);
      const open_items rest = left->open();
      // What earlier alternatives say is asked with the same terms left out.
      if (!s.first_only && !repeats_) fresh.said = left_.block_of(rest.items, b.number);
      fresh.vanished = rest.items.empty();
      fresh.from = {bound, left};
    }
    s.branches_.push_back(std::move(fresh));
    if (k + 1 == i.bodies.size()) s.around_.level = nullptr;
  }
  return s.branches_[which];
}

plan_step* plan::plan_optional(const plan_state& from) {
  const std::size_t n = from.level->optionals.next();
  if (n == bit_set::none) return nullptr;
  const item& i = *from.level->all->items()[n];
  plan_step& s = add(plan_step::op::optional);
  s.what = &i;
  s.around_ = {from.bound, around_body(*from.level, n)};
  s.else_ = {from.bound, s.around_.level, without(i.positive, from.bound)};
  return &s;
}

// A `*` or an `all` whose term is otherwise known.
plan_step* plan::plan_open_term(const plan_state& from) {
  const plan_level& level = *from.level;
  const bit_set& terms = level.all->open_terms();
  for (std::size_t n = terms.next_of_both(level.left); n != bit_set::none;
       n = terms.next_of_both(level.left, n + 1)) {
    const item* const i = level.all->items()[n];
    const slot_list open = without(i->term.slots, from.bound);
    if (open.empty() || !std::ranges::all_of(open, [&](slot_index slot) {
          return slot == i->term.star || q_.slots[slot].is == slot_info::kind::all;
        }))
      continue;
    const slot_index slot =
        i->term.star != no_slot && contains(open, i->term.star) ? i->term.star : open.front();
    plan_step& s = add(slot == i->term.star ? plan_step::op::star : plan_step::op::all);
    s.slot = slot;
    s.term = &i->term;
    s.estimate = 2;
    s.then_ = from;
    insert(s.then_.bound, slot);
    return &s;
  }
  return nullptr;
}

// A variable that nothing names the values of. One whose terms may all vanish waits.
plan_step* plan::plan_everything(const plan_state& from) {
  const plan_level& level = *from.level;
  // A term decides as soon as it cannot vanish any more.
  const auto can_vanish = [&](const plan_level& at, const item& i) {
    return i.is != item::kind::term || std::ranges::any_of(i.slots, [&](slot_index slot) {
             return !contains(from.bound, slot) && at.decider_of(slot) != &i;
           });
  };
  const auto is_undecided = [&](slot_index slot) {
    if (contains(from.bound, slot)) return false;
    for (const plan_level* at = &level; at; at = at->outer.get())
      if (const item* by = at->decider_of(slot)) return can_vanish(*at, *by);
    return false;
  };
  const auto may_vanish = [&](slot_index slot) {
    if (slot == this_slot) return false;
    bool named = false;
    for (const plan_level* at = &level; at; at = at->outer.get())
      for (const agenda::use& u : at->all->uses_of(slot)) {
        const item* const i = at->all->items()[u.place];
        if (!at->left.contains(u.place) || !contains(i->positive, slot)) continue;
        named = true;
        if (std::ranges::any_of(i->slots, [&](slot_index other) {
              return is_undecided(other) && at->decider_of(other) != i;
            }))
          continue;
        // Or what uses it in there may vanish with what is decided there.
        slot_list unset;
        for (slot_index other : i->introduces)
          if (at->decider_of(other) == i && !contains(from.bound, other) &&
              !q_.slots[other].name.empty())
            unset.push_back(other);
        if (unset.empty() || contains(mentioned(*i, unset), slot)) return false;
      }
    return named;
  };
  const auto is_wanted = [&](slot_index slot) {
    return level.is_own(slot) ||
           (contains(known_, slot) &&
            std::ranges::any_of(level.all->uses_of(slot), [&](const agenda::use& u) {
              return level.left.contains(u.place);
            }));
  };
  for (slot_index slot = level.all->next_slot(0); slot != no_slot;
       slot = level.all->next_slot(slot + 1)) {
    if (contains(from.bound, slot) || !is_wanted(slot) || is_undecided(slot)) continue;
    if (may_vanish(slot)) continue;
    const slot_info::kind kind = q_.slots[slot].is;
    if (kind != slot_info::kind::variable) continue;
    plan_step& s = add(plan_step::op::bind);
    s.slot = slot;
    s.estimate = counts_.everything();
    s.then_ = from;
    insert(s.then_.bound, slot);
    return &s;
  }
  return nullptr;
}

// Variables that may stay unset wait for each other: the first of them is guessed.
plan_step* plan::plan_guess(const plan_state& from) {
  const open_items left = from.level->open();
  for (const auto& decided : left.decided) {
    const slot_index slot = decided.first;
    const item* by = decided.second;
    const slot_info& info = q_.slots[slot];
    if (contains(from.bound, slot) || info.is != slot_info::kind::variable || info.name.empty())
      continue;
    slot_list fresh;
    for (const auto& [other, decider] : left.decided)
      if (decider == by) insert(fresh, other);
    const auto with = [&](const item* changed) {
      open_items next = left;
      std::ranges::replace(next.items, by, changed);
      for (auto& [other, decider] : next.decided)
        if (decider == by) decider = changed;
      return next;
    };
    const auto reduced = [&](open_items next, slot_list unset, const bit_set& bound) {
      auto level = left_.level_of(std::move(next), bound);
      level->owner = from.level->owner;
      level->alternative = from.level->alternative;
      level->outer = from.level->outer;
      return left_.reduce(level, std::move(unset), bound);
    };
    plan_step& s = add(plan_step::op::guess);
    s.slot = slot;
    s.estimate = counts_.everything();
    bit_set bound = from.bound;
    insert(bound, slot);
    s.then_ = {bound, reduced(with(left_.with_set(*by, slot)), {}, bound)};
    open_items unset = with(left_.with_unset(*by, slot, without(fresh, from.bound)));
    std::erase_if(unset.decided, [&](const auto& d) { return d.first == slot; });
    s.else_ = {from.bound, reduced(std::move(unset), {slot}, from.bound)};
    return &s;
  }
  return nullptr;
}

plan_step* plan::plan_end(const plan_state& from) {
  const plan_level& level = *from.level;
  KITH_ASSERT(level.left.next() == bit_set::none, "nothing is left to do");
  if (!level.owner) return &add(plan_step::op::result);
  plan_step& owner = *level.owner;
  const bool optional = owner.does == plan_step::op::optional;
  plan_step& s = add(optional ? plan_step::op::end_optional : plan_step::op::end_alternative);
  s.owner = &owner;
  s.alternative = level.alternative;
  s.then_ = {from.bound, level.outer};
  if (optional || owner.first_only || repeats_) return &s;
  // An earlier alternative may have said the same, if it gives values to the same slots.
  const bit_set& before = owner.around_.bound;
  const slot_list mine = without(from.bound, before);
  for (std::size_t k = 0; k < level.alternative; ++k) {
    const plan_step::branch& earlier = branch_of(owner, k);
    if (earlier.vanished || without(earlier.said->positive, before) != mine) continue;
    s.inner.push_back(
        std::make_unique<plan>(q_, *earlier.said, from.bound, known_, counts_, samples_));
  }
  return &s;
}

}  // namespace kith::core
