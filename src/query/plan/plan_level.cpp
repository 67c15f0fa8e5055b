#include "query/plan/plan_level.hpp"

#include <algorithm>
#include <array>
namespace kith::core {

namespace {

constexpr std::size_t ranks = 6;

}  // namespace

int rank_of_test(const item& i) {
  if (i.is == item::kind::term) {
    if (i.term.is != checked_term::kind::predicate) return 1;
    if (i.term.shape.on == term_shape::place::walk || i.term.shape.is == term_shape::kind::walk)
      return 3;
    return i.term.shape.is_on_slot() && i.term.shape.is_present_ids() ? first_rank : 2;
  }
  if (i.is != item::kind::not_) return 5;
  const block& body = i.bodies[0];
  const bool is_one_term = body.items.size() == 1 && body.items[0].is == item::kind::term;
  return is_one_term && rank_of_test(body.items[0]) == first_rank ? first_rank : 4;
}

// --- agenda --------------------------------------------------------------------------------------

agenda::agenda(open_items what, const bit_set& known, const bit_set& given, const bit_set& bound)
    : what_(std::move(what)), known_(known), deciders_(what_.decided) {
  const std::size_t count = what_.items.size();
  turns_.resize(count);
  by_turn_.resize(count);
  std::array<std::uint32_t, ranks + 1> begins{};
  for (std::size_t n = 0; n < count; ++n) {
    const item& i = *what_.items[n];
    const auto place = static_cast<std::uint32_t>(n);
    for (slot_index slot : i.slots) uses_.push_back({slot, place});
    turns_[n] = static_cast<std::uint32_t>(rank_of_test(i));
    ++begins[turns_[n] + 1];
    if (i.is == item::kind::any_of) chains_.insert(n);
    if (i.is == item::kind::any_of || !i.introduces.empty()) places_.emplace_back(&i, place);
    if (i.is == item::kind::term && (i.term.star != no_slot || i.term.first.all != no_slot ||
                                     i.term.source.all != no_slot || i.term.second.all != no_slot))
      open_terms_.insert(n);
    for (slot_index slot : i.introduces)
      irregular_ = irregular_ || !contains(i.positive, slot) ||
                   (contains(bound, slot) && !contains(given, slot) && may_stay_unset(i, slot));
  }
  std::ranges::sort(uses_, [](const use& a, const use& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.place < b.place;
  });
  std::ranges::sort(deciders_);
  std::ranges::sort(places_);
  for (const auto& [slot, by] : what_.decided)
    if (by) deciding_.insert(place_of(by));
  // Items of one rank take turns in their order.
  for (std::size_t rank = 0; rank < ranks; ++rank) begins[rank + 1] += begins[rank];
  for (std::size_t n = 0; n < count; ++n) {
    turns_[n] = begins[turns_[n]]++;
    by_turn_[turns_[n]] = static_cast<std::uint32_t>(n);
  }
}

slot_index agenda::next_slot(slot_index from) const {
  const auto own = std::ranges::lower_bound(what_.own, from);
  const auto used = std::ranges::lower_bound(uses_, from, {}, &use::slot);
  slot_index next = no_slot;
  if (own != what_.own.end()) next = *own;
  if (used != uses_.end()) next = std::min(next, used->slot);
  return next;
}

const item* agenda::decider_of(slot_index slot) const {
  const auto found =
      std::ranges::lower_bound(deciders_, slot, {}, [](const auto& d) { return d.first; });
  return found != deciders_.end() && found->first == slot ? found->second : nullptr;
}

std::size_t agenda::place_of(const item* i) const {
  const auto found =
      std::ranges::lower_bound(places_, i, {}, [](const auto& p) { return p.first; });
  return found != places_.end() && found->first == i ? found->second : bit_set::none;
}

std::span<const agenda::use> agenda::uses_of(slot_index slot) const {
  const auto first = std::ranges::lower_bound(uses_, slot, {}, &use::slot);
  return {first, std::ranges::upper_bound(first, uses_.end(), slot, {}, &use::slot)};
}

// --- level ---------------------------------------------------------------------------------------

plan_level::plan_level(std::shared_ptr<const agenda> a, const bit_set& now)
    : all(std::move(a)), bound(now), irregular(all->is_irregular()) {
  for (std::size_t n = 0; n < all->items().size(); ++n) left.insert(n);
  for (std::size_t n = 0; n < all->items().size(); ++n) note(n);
}

const item* plan_level::decider_of(slot_index slot) const {
  const item* const by = all->decider_of(slot);
  return by && left.contains(all->place_of(by)) && !contains(unset, slot) ? by : nullptr;
}

// What an item that is done decides was its business alone.
bool plan_level::is_own(slot_index slot) const {
  return contains(all->own(), slot) && !contains(unset, slot) &&
         (!all->decider_of(slot) || decider_of(slot));
}

bool plan_level::decides_nothing() const {
  return left.next_of_both(all->deciding()) == bit_set::none;
}

bool plan_level::may_vanish(const item& i) const {
  return std::ranges::any_of(i.slots, [&](slot_index slot) {
    const item* by = contains(bound, slot) ? nullptr : decider_of(slot);
    return by && by != &i;
  });
}

open_items plan_level::open() const {
  open_items what;
  each([&](const item& i, std::size_t) { what.items.push_back(&i); });
  for (slot_index slot : all->own())
    if (is_own(slot)) what.own.push_back(slot);
  for (const auto& [slot, by] : all->decided())
    if (decider_of(slot) == by) what.decided.emplace_back(slot, by);
  return what;
}

void plan_level::remove(std::size_t place) {
  left.erase(place);
  tests.erase(all->turn_of(place));
  optionals.erase(place);
  counted.erase(place);
  idle.erase(place);
}

// Finds out what an item still waits for.
void plan_level::note(std::size_t place) {
  const item& i = *all->items()[place];
  switch (i.is) {
    case item::kind::mention:
      if (all_in(i.positive, bound)) idle.insert(place);
      break;
    case item::kind::optional: {
      if (all_in(i.slots, bound)) idle.insert(place);
      const auto waits = [&](slot_index slot) {
        return !contains(bound, slot) && decider_of(slot) != &i;
      };
      if (std::ranges::none_of(all->free_slots(i), waits)) optionals.insert(place);
      break;
    }
    case item::kind::term:
      if (!may_vanish(i)) counted.insert(place);
      if (all_in(i.slots, bound)) tests.insert(all->turn_of(place));
      break;
    case item::kind::not_:
      if (all_in(all->free_slots(i), bound)) tests.insert(all->turn_of(place));
      break;
    case item::kind::any_of:
      if (all_in(i.slots, bound)) tests.insert(all->turn_of(place));
      break;
  }
}

slot_list plan_level::note_bound(const bit_set& now) {
  slot_list fresh = without(now, bound);
  bound = now;
  for (slot_index slot : fresh)
    for (const agenda::use& u : all->uses_of(slot)) {
      if (!left.contains(u.place)) continue;
      const item& i = *all->items()[u.place];
      irregular = irregular || (contains(i.introduces, slot) && may_stay_unset(i, slot));
      note(u.place);
    }
  return fresh;
}

}  // namespace kith::core
