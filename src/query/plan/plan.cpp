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

std::vector<const item*> less(const std::vector<const item*>& items, std::size_t which) {
  std::vector<const item*> rest = items;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(which));
  return rest;
}

std::shared_ptr<const plan_level> less_item(const plan_level& level, std::size_t which) {
  auto rest = std::make_shared<plan_level>(level);
  rest->items = less(level.items, which);
  // What the item decides is its business alone.
  for (const auto& [slot, by] : level.decided)
    if (by == level.items[which]) std::erase(rest->own, slot);
  std::erase_if(rest->decided, [&](const auto& d) { return d.second == level.items[which]; });
  return rest;
}

}  // namespace

plan::plan(const checked_query& q, const block& b, slot_list bound, const slot_list& known,
           const estimates& counts, statistics& samples)
    : q_(q), counts_(counts), samples_(samples), known_(known), left_(q, known_, start_.bound) {
  insert(known_, bound);
  insert(known_, b.positive);
  auto level = std::make_shared<plan_level>(*make_level(b, bound, nullptr, nullptr, 0));
  // $this has a value everywhere, also where only a Not asks for it.
  if (contains(b.slots, this_slot) && !contains(known_, this_slot)) {
    insert(level->own, this_slot);
    insert(known_, this_slot);
  }
  repeats_ = has_loose_alternatives(b);
  start_.level = std::move(level);
  start_.bound = std::move(bound);
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
  if (!s.bodies_[which] && !s.vanished_[which]) s.bodies_[which] = plan_next(s.body_states_[which]);
  return s.bodies_[which];
}

plan_step* plan::otherwise(plan_step& s) {
  if (!s.otherwise_) s.otherwise_ = plan_next(s.else_);
  return s.otherwise_;
}

plan_step& plan::add(plan_step::op does) {
  plan_step& s = steps_.emplace_back();
  s.does = does;
  s.number = steps_.size() - 1;
  return s;
}

std::shared_ptr<const plan_level> plan::make_level(const block& b, const slot_list& bound,
                                                   std::shared_ptr<const plan_level> outer,
                                                   plan_step* owner,
                                                   std::size_t alternative) const {
  auto level = std::make_shared<plan_level>();
  for (const item& i : b.items) level->items.push_back(&i);
  level->own = without(b.positive, bound);
  // Undecided is also what vanishes with a term that uses what is undecided.
  slot_list undecided;
  for (const item& i : b.items) {
    const bool may_vanish = any_in(i.slots, undecided);
    std::vector<slot_index> in_order;
    list_in_order(i, in_order);
    for (slot_index slot : in_order) {
      if (!contains(i.introduces, slot) || contains(bound, slot)) continue;
      if (!may_vanish && !may_stay_unset(i, slot)) continue;
      level->decided.emplace_back(slot, &i);
      insert(undecided, slot);
    }
  }
  level->outer = std::move(outer);
  level->owner = owner;
  level->alternative = alternative;
  return level;
}

// What must have a value, or be known to stay unset, before the item can be answered.
slot_list plan::free_slots(const item& i) const { return both(i.slots, known_); }

plan_step* plan::plan_next(const plan_state& from) {
  if (from.level->impossible) return &add(plan_step::op::nothing);
  if (auto rest = without_idle(from))
    return plan_next({from.bound, std::move(rest), from.order, from.filters});
  if (plan_step* s = plan_test(from)) return s;
  if (plan_step* s = plan_binding(from)) return s;
  if (plan_step* s = plan_optional(from)) return s;
  if (plan_step* s = plan_open_term(from)) return s;
  if (plan_step* s = plan_everything(from)) return s;
  if (plan_step* s = plan_guess(from)) return s;
  return plan_end(from);
}

// What is left when all goes that gives no value to anything any more; null if that is everything.
// Whether an optional one holds is asked where it matters, for its field.
std::shared_ptr<const plan_level> plan::without_idle(const plan_state& from) const {
  const auto is_idle = [&](const item* i) {
    return (i->is == item::kind::optional && all_in(i->slots, from.bound)) ||
           (i->is == item::kind::mention && all_in(i->positive, from.bound));
  };
  if (std::ranges::none_of(from.level->items, is_idle)) return nullptr;
  auto rest = std::make_shared<plan_level>(*from.level);
  std::erase_if(rest->items, is_idle);
  // What an item decides is its business alone.
  for (const auto& [slot, by] : from.level->decided)
    if (is_idle(by)) std::erase(rest->own, slot);
  std::erase_if(rest->decided, [&](const auto& d) { return is_idle(d.second); });
  return rest;
}

// Tests that tables or lists of ids answer come first, since rows are scanned with them. Then come
// other terms, those that walk, and what is a plan of its own.
int plan::rank_of_test(const item& i) const {
  if (i.is == item::kind::term) {
    if (i.term.is != checked_term::kind::predicate) return 1;
    if (i.term.shape.on == term_shape::place::walk || i.term.shape.is == term_shape::kind::walk)
      return 3;
    return i.term.shape.is_on_slot() && i.term.shape.is_present_ids() ? 0 : 2;
  }
  if (i.is != item::kind::not_) return 5;
  const block& body = i.bodies[0];
  const bool is_one_term = body.items.size() == 1 && body.items[0].is == item::kind::term;
  return is_one_term && rank_of_test(body.items[0]) == 0 ? 0 : 4;
}

plan_step* plan::plan_test(const plan_state& from) {
  const plan_level& level = *from.level;
  constexpr int none = 9;
  int best = none;
  std::size_t which = 0;
  for (std::size_t n = 0; n < level.items.size() && best > 0; ++n) {
    const item& i = *level.items[n];
    if (i.is == item::kind::mention || i.is == item::kind::optional) continue;
    if (!all_in(i.is == item::kind::not_ ? free_slots(i) : i.slots, from.bound)) continue;
    if (const int rank = rank_of_test(i); rank < best) {
      best = rank;
      which = n;
    }
  }
  if (best > 0 && !from.filters.empty()) {
    plan_step& s = add(plan_step::op::filter);
    s.term = from.filters.back();
    s.then_ = from;
    s.then_.filters.pop_back();
    return &s;
  }
  if (best == none) return nullptr;
  const item& i = *level.items[which];
  if (i.is == item::kind::any_of) return plan_bodies(from, which);
  plan_step& s = add(i.is == item::kind::term ? plan_step::op::test : plan_step::op::absent);
  if (i.is == item::kind::term) {
    s.term = &i.term;
  } else {
    s.what = &i;
    s.inner.push_back(
        std::make_unique<plan>(q_, i.bodies[0], from.bound, known_, counts_, samples_));
  }
  s.then_ = {from.bound, less_item(level, which), from.order, from.filters};
  return &s;
}

double plan::cost_of(const item& any_of, const plan_level& level, const slot_list& bound) const {
  // All that has no value yet must get one in each alternative, but for a `*` or an `all`: nothing
  // else asks for that.
  for (slot_index slot : without(free_slots(any_of), bound)) {
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
          const double rows = counts_.values(i.term, slot, bound);
          if (rows >= 0) best = std::min(best, rows);
        }
    sum += all_in(b.slots, bound) ? 1 : best;
  }
  return sum;
}

// A term with a variable of which it is not known yet whether it stays unset says nothing yet.
bool plan::may_vanish(const item& i, const plan_state& from) const {
  return std::ranges::any_of(i.slots, [&](slot_index slot) {
    const item* by = contains(from.bound, slot) ? nullptr : from.level->decider_of(slot);
    return by && by != &i;
  });
}

// May a variable that no term names yet be given each entity in turn? Not where variables may stay
// unset: then plan_everything() knows which of them have to wait.
bool plan::may_have_any_value(slot_index slot) const {
  return q_.slots[slot].is == slot_info::kind::variable &&
         std::ranges::none_of(q_.slots, &slot_info::conditional);
}

std::shared_ptr<const slot_order> plan::find_order(const plan_state& from) const {
  const plan_level& level = *from.level;
  order_question asked{q_, from.bound, {}, {}, {}, {}};
  for (const item* i : level.items) {
    if (i->is == item::kind::not_) asked.nots.push_back(i);
    if (i->is == item::kind::any_of)
      if (const double rows = cost_of(*i, level, from.bound); rows >= 0)
        asked.chains.push_back({i, rows});
    if (i->is != item::kind::term || may_vanish(*i, from)) continue;
    asked.terms.push_back(i);
    for (slot_index slot : without(i->term.slots, from.bound))
      if (may_have_any_value(slot)) insert(asked.open_to_all, slot);
  }
  return std::make_shared<const slot_order>(core::find_order(asked, counts_, samples_));
}

// What the order of the level says comes next; null if nothing names values for anything.
const order_choice* plan::next_choice(plan_state& from) const {
  const auto is_open = [&](const order_choice& c) {
    return c.chain ? std::ranges::find(from.level->items, c.chain) != from.level->items.end()
                   : !contains(from.bound, c.slot);
  };
  const auto first_open = [&]() -> const order_choice* {
    const auto found = std::ranges::find_if(from.order->steps, is_open);
    return found == from.order->steps.end() ? nullptr : &*found;
  };
  // While it is not known which variables stay unset, each value may add terms that count.
  if (from.order && from.level->decided.empty())
    if (const order_choice* next = first_open()) return next;
  from.order = find_order(from);
  return first_open();
}

// The commonest case: one variable is left, and there is nothing to compare. False: it is not so.
bool plan::find_only_choice(const plan_state& from, order_choice& only) const {
  for (const item* i : from.level->items) {
    if (i->is == item::kind::any_of) return false;
    if (i->is != item::kind::term || may_vanish(*i, from)) continue;
    for (slot_index slot : i->term.slots) {
      if (contains(from.bound, slot) || q_.slots[slot].is == slot_info::kind::all) continue;
      if (only.slot != no_slot && only.slot != slot) return false;
      only.slot = slot;
      if (const double rows = counts_.values(i->term, slot, from.bound); rows >= 0)
        only.from.push_back({&i->term, rows});
    }
  }
  if (only.slot == no_slot) return false;
  std::ranges::stable_sort(only.from, {}, &named_values::rows);
  if (only.from.empty() && !may_have_any_value(only.slot)) return false;
  only.tried = only.from.empty() ? counts_.everything() : only.from.front().rows;
  return true;
}

plan_step* plan::plan_binding(const plan_state& at) {
  if (order_choice only; find_only_choice(at, only)) return plan_slot(at, only);
  plan_state from = at;
  const order_choice* next = next_choice(from);
  if (!next) return nullptr;
  const bool is_first = next == &from.order->steps.front() && from.order != at.order;
  if (next->chain) {
    const auto which = std::ranges::find(from.level->items, next->chain);
    return plan_bodies(from, static_cast<std::size_t>(which - from.level->items.begin()));
  }
  plan_step* const s = plan_slot(from, *next);
  if (is_first && !from.order->others.empty()) {
    s->considered = from.order;
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
  for (const item* i : level.items) {
    if (i->is != item::kind::term || !contains(i->term.slots, slot) || may_vanish(*i, from))
      continue;
    // A star is found by the source of its term, or else the source is found by the star.
    const checked_ref& source = i->term.source;
    if (is_star && (source.is != checked_ref::kind::slot || contains(from.bound, source.slot))) {
      s.does = plan_step::op::star;
      s.term = &i->term;
    }
  }
  for (const named_values& n : next.from) {
    s.from.push_back(n.term);
    s.from_rows.push_back(n.rows);
  }
  s.estimate = next.tried;
  s.then_ = from;
  s.then_.filters.insert(s.then_.filters.end(), next.filters.begin(), next.filters.end());
  insert(s.then_.bound, slot);
  return &s;
}

plan_step* plan::plan_bodies(const plan_state& from, std::size_t which) {
  const plan_level& level = *from.level;
  const item& i = *level.items[which];
  plan_step& s = add(plan_step::op::any_of);
  s.what = &i;
  const slot_list open = without(i.positive, from.bound);
  s.first_only = open.empty();
  const auto rest = less_item(level, which);
  for (std::size_t k = 0; k < i.bodies.size(); ++k) {
    const slot_list unset = without(open, i.bodies[k].positive);
    auto body =
        make_level(i.bodies[k], from.bound, left_.with_mention(rest, i, k, from.bound), &s, k);
    auto left = left_.reduce(body, unset, from.bound);
    // What earlier alternatives say is asked with the same terms left out.
    s.said_.push_back(left_.block_of(left->items, i.bodies[k].number));
    s.vanished_.push_back(left->items.empty());
    s.bodies_.push_back(nullptr);
    s.body_states_.push_back({from.bound, std::move(left)});
  }
  return &s;
}

plan_step* plan::plan_optional(const plan_state& from) {
  const plan_level& level = *from.level;
  for (std::size_t n = 0; n < level.items.size(); ++n) {
    const item& i = *level.items[n];
    if (i.is != item::kind::optional) continue;
    const slot_list open = without(free_slots(i), from.bound);
    if (!std::ranges::all_of(open, [&](slot_index slot) { return level.decider_of(slot) == &i; }))
      continue;
    plan_step& s = add(plan_step::op::optional);
    s.what = &i;
    const auto rest = less_item(level, n);
    s.vanished_.push_back(false);
    s.bodies_.push_back(nullptr);
    s.body_states_.push_back({from.bound, make_level(i.bodies[0], from.bound, rest, &s, 0)});
    s.else_ = {from.bound, left_.reduce(rest, without(i.positive, from.bound), from.bound)};
    return &s;
  }
  return nullptr;
}

// A `*` or an `all` whose term is otherwise known.
plan_step* plan::plan_open_term(const plan_state& from) {
  const plan_level& level = *from.level;
  for (const item* i : level.items) {
    if (i->is != item::kind::term) continue;
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
  slot_list wanted = level.own;
  for (const item* i : level.items) insert(wanted, free_slots(*i));
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
      for (const item* i : at->items) {
        if (!contains(i->positive, slot)) continue;
        named = true;
        if (std::ranges::any_of(i->slots, [&](slot_index other) {
              return is_undecided(other) && at->decider_of(other) != i;
            }))
          continue;
        // Or what uses it in there may vanish with what is decided there.
        slot_list unset;
        for (const auto& [other, by] : at->decided)
          if (by == i && !contains(from.bound, other) && !q_.slots[other].name.empty())
            insert(unset, other);
        if (unset.empty() || contains(mentioned(*i, unset), slot)) return false;
      }
    return named;
  };
  for (slot_index slot : wanted) {
    if (contains(from.bound, slot) || is_undecided(slot)) continue;
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
  const plan_level& level = *from.level;
  for (const auto& decided : level.decided) {
    const slot_index slot = decided.first;
    const item* by = decided.second;
    const slot_info& info = q_.slots[slot];
    if (contains(from.bound, slot) || info.is != slot_info::kind::variable || info.name.empty())
      continue;
    slot_list fresh;
    for (const auto& [other, decider] : level.decided)
      if (decider == by) insert(fresh, other);
    const auto with = [&](const item* left) {
      auto next = std::make_shared<plan_level>(level);
      std::ranges::replace(next->items, by, left);
      for (auto& [other, decider] : next->decided)
        if (decider == by) decider = left;
      return next;
    };
    plan_step& s = add(plan_step::op::guess);
    s.slot = slot;
    s.estimate = counts_.everything();
    slot_list bound = from.bound;
    insert(bound, slot);
    s.then_ = {bound, left_.reduce(with(left_.with_set(*by, slot)), {}, bound)};
    auto unset = with(left_.with_unset(*by, slot, without(fresh, from.bound)));
    std::erase_if(unset->decided, [&](const auto& d) { return d.first == slot; });
    s.else_ = {from.bound, left_.reduce(unset, {slot}, from.bound)};
    return &s;
  }
  return nullptr;
}

plan_step* plan::plan_end(const plan_state& from) {
  const plan_level& level = *from.level;
  KITH_ASSERT(level.items.empty(), "nothing is left to do");
  if (!level.owner) return &add(plan_step::op::result);
  plan_step& owner = *level.owner;
  const bool optional = owner.does == plan_step::op::optional;
  plan_step& s = add(optional ? plan_step::op::end_optional : plan_step::op::end_alternative);
  s.owner = &owner;
  s.alternative = level.alternative;
  s.then_ = {from.bound, level.outer};
  if (optional || owner.first_only || repeats_) return &s;
  // An earlier alternative may have said the same, if it gives values to the same slots.
  const slot_list& before = owner.body_states_[level.alternative].bound;
  const slot_list mine = without(from.bound, before);
  for (std::size_t k = 0; k < level.alternative; ++k) {
    const block& earlier = *owner.said_[k];
    if (owner.vanished_[k] || without(earlier.positive, before) != mine) continue;
    s.inner.push_back(std::make_unique<plan>(q_, earlier, from.bound, known_, counts_, samples_));
  }
  return &s;
}

}  // namespace kith::core
