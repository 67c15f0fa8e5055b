#include "query/plan/reductions.hpp"

#include <algorithm>

#include "base/deep_call.hpp"
#include "query/plan/slot_sets.hpp"

namespace kith::core {

namespace {

// The slots that a block uses outside `!` where some are unset: a term that uses one of those that
// is introduced elsewhere is as if not written.
void list_mentioned(const block& b, const slot_list& unset, slot_list& found) {
  for (const item& i : b.items) {
    if (i.is == item::kind::not_) continue;
    if (i.is == item::kind::term && !any_in(without(i.term.slots, i.introduces), unset))
      insert(found, i.term.slots);
    for (const block& body : i.bodies) deep_call([&] { list_mentioned(body, unset, found); });
  }
}

slot_list mentioned_beside(const item& chain, std::size_t alternative, const slot_list& unset) {
  slot_list found;
  for (std::size_t k = 0; k < chain.bodies.size(); ++k)
    if (k != alternative) list_mentioned(chain.bodies[k], unset, found);
  return found;
}

void add_item(block& b, const item& i) {
  insert(b.slots, i.slots);
  insert(b.positive, i.positive);
  b.items.push_back(i);
}

// An item of the same kind without bodies.
item empty_copy(const item& i) {
  item copy;
  copy.is = i.is;
  copy.field = i.field;
  copy.hidden = i.hidden;
  copy.says_none = i.says_none;
  copy.introduces = i.introduces;
  return copy;
}

void add_body(item& i, block b) {
  insert(i.slots, without(b.slots, i.hidden));
  if (i.is != item::kind::not_) insert(i.positive, b.positive);
  i.bodies.push_back(std::move(b));
}

}  // namespace

slot_list mentioned(const item& i, const slot_list& unset) {
  slot_list found;
  for (const block& body : i.bodies) list_mentioned(body, unset, found);
  return found;
}

// --- what is left when a variable stays unset ----------------------------------------------------

block reductions::reduce(const block& b, slot_list unset, const slot_list& around) {
  for (;;) {
    block left;
    left.number = b.number;
    slot_list lost;
    for (const item& i : b.items) {
      const item* kept = reduce(i, unset, around);
      insert(lost, lost_slots(i, kept));
      if (kept) add_item(left, *kept);
    }
    lost = without(lost, unset);
    if (lost.empty()) return left;
    insert(unset, lost);
  }
}

// What an item no longer sets of what it introduces.
slot_list reductions::lost_slots(const item& i, const item* left) const {
  return without(left ? without(i.introduces, left->positive) : i.introduces, bound_);
}

const item* reductions::reduce(const item& i, const slot_list& unset, const slot_list& around) {
  slot_list gone = without(unset, i.hidden);
  if (!any_in(i.slots, gone)) return &i;
  if (i.says_none) {
    slot_list ordinary;
    for (slot_index slot : both(i.slots, gone))
      if (!q_.slots[slot].conditional) insert(ordinary, slot);
    if (!ordinary.empty()) {
      item& wider = items_.emplace_back(i);
      insert(wider.hidden, ordinary);
      wider.slots = without(i.slots, ordinary);
      return reduce(wider, unset, around);
    }
  }
  if (i.is == item::kind::term) return nullptr;
  if (i.is == item::kind::mention) {
    item rest = i;
    insert(rest.unset, gone);
    rest.slots = without(i.slots, gone);
    rest.positive = both(i.positive, mentioned_beside(*i.chain, i.alternative, rest.unset));
    return rest.positive.empty() ? nullptr : &items_.emplace_back(std::move(rest));
  }
  const bool is_not = i.is == item::kind::not_;
  item rest = empty_copy(i);
  for (const block& b : i.bodies) {
    slot_list known = without(around, i.hidden);
    const slot_list own = is_not ? without(b.positive, known) : slot_list{};
    insert(known, own);
    const auto reduced = [&] { return deep_call([&] { return reduce(b, gone, known); }); };
    block left = reduced();
    // A variable of the Not that is left without a term stays unset as well.
    for (;;) {
      const slot_list lost = without(without(own, left.positive), gone);
      if (lost.empty()) break;
      insert(gone, lost);
      left = reduced();
    }
    if (!left.items.empty()) add_body(rest, std::move(left));
  }
  if (rest.bodies.empty()) return nullptr;
  return &items_.emplace_back(std::move(rest));
}

std::shared_ptr<const plan_level> reductions::reduce(const std::shared_ptr<const plan_level>& level,
                                                     slot_list unset, const slot_list& bound) {
  // Reducing can leave another variable without a term, or without the one that decides it: it
  // stays unset as well.
  for (;;) {
    slot_list more = unset;
    bool impossible = false;
    std::vector<std::shared_ptr<plan_level>> levels;
    std::vector<slot_list> used;  // by level
    for (auto at = level; at; at = at->outer) {
      auto rest = std::make_shared<plan_level>(*at);
      rest->items.clear();
      slot_list& positive = used.emplace_back();
      for (const item* i : at->items) {
        const item* kept = reduce(*i, unset, known_);
        for (slot_index slot : without(both(i->introduces, bound), bound_))
          if (kept) kept = with_set(*kept, slot);
        const slot_list lost = lost_slots(*i, kept);
        impossible = impossible || any_in(lost, bound);
        insert(more, lost);
        for (auto& [slot, by] : rest->decided)
          if (by == i) by = kept;
        if (!kept) continue;
        rest->items.push_back(kept);
        insert(positive, kept->positive);
      }
      levels.push_back(std::move(rest));
    }
    for (std::size_t n = 0; n < levels.size(); ++n) {
      slot_list own;
      for (slot_index slot : levels[n]->own) {
        const auto uses = [&](const slot_list& slots) { return contains(slots, slot); };
        const auto inside = used.begin() + static_cast<std::ptrdiff_t>(n) + 1;
        // What a level no longer uses may still be its business because of a level further in, or
        // be that of a level further out.
        if (slot == this_slot || uses(bound) || std::any_of(used.begin(), inside, uses))
          insert(own, slot);
        else if (std::none_of(inside, used.end(), uses))
          insert(more, slot);
      }
      levels[n]->own = std::move(own);
    }
    for (const auto& rest : levels) {
      rest->own = without(rest->own, more);
      std::erase_if(rest->decided, [&](const auto& d) { return contains(more, d.first); });
    }
    if (impossible || more == unset) {
      for (std::size_t i = levels.size(); i-- > 1;) levels[i - 1]->outer = levels[i];
      levels.front()->impossible = impossible;
      return levels.front();
    }
    unset = std::move(more);
  }
}

// --- what is left when a variable is guessed -----------------------------------------------------

const item* reductions::with_set(const item& i, slot_index slot) {
  if (!may_stay_unset(i, slot)) return contains(i.positive, slot) ? &i : nullptr;
  item rest = empty_copy(i);
  rest.is = item::kind::any_of;
  for (const block& b : i.bodies)
    if (contains(b.positive, slot))
      add_body(rest, deep_call([&] {
                 return changed(b, slot, [&](const item& one) { return with_set(one, slot); });
               }));
  if (rest.bodies.empty()) return nullptr;
  return &items_.emplace_back(std::move(rest));
}

const item* reductions::with_unset(const item& i, slot_index slot, const slot_list& fresh) {
  item rest = empty_copy(i);
  rest.is = item::kind::any_of;
  // What gives it a value cannot be: that is an item without alternatives.
  if (may_stay_unset(i, slot))
    for (const block& b : i.bodies) {
      block left = deep_call([&] {
        return changed(b, slot, [&](const item& one) { return with_unset(one, slot, fresh); });
      });
      left = reduce(left, {slot}, known_);
      if (!left.items.empty()) add_body(rest, std::move(left));
    }
  if (i.is == item::kind::optional) {
    // Or it has no result at all.
    item none = empty_copy(i);
    none.is = item::kind::not_;
    none.says_none = true;
    none.hidden = both(i.positive, fresh);
    none.introduces.clear();
    add_body(none, i.bodies[0]);
    block left;
    left.number = 1;
    add_item(left, none);
    add_body(rest, std::move(left));
  }
  return &items_.emplace_back(std::move(rest));
}

// A block with its first item that sets a slot changed.
template <class Change>
block reductions::changed(const block& b, slot_index slot, const Change& change) {
  block left;
  left.number = b.number;
  bool done = false;
  slot_list lost;
  for (const item& i : b.items) {
    const bool first = !done && contains(i.positive, slot);
    done = done || first;
    const item& kept = first ? *change(i) : i;
    insert(lost, lost_slots(i, &kept));
    add_item(left, kept);
  }
  std::erase(lost, slot);
  return reduce(left, lost, known_);
}

// --- what the alternatives of a chain say --------------------------------------------------------

// A variable that each alternative uses, but that one of them may lose because a term vanishes, has
// a value as long as another alternative speaks of it.
std::shared_ptr<const plan_level> reductions::with_mention(
    const std::shared_ptr<const plan_level>& rest, const item& chain, std::size_t alternative,
    const slot_list& bound) {
  const auto is_loose = [&](slot_index slot) {
    return q_.slots[slot].conditional && !contains(bound, slot);
  };
  if (std::ranges::none_of(chain.bodies[alternative].positive, is_loose)) return rest;
  item m;
  m.is = item::kind::mention;
  m.chain = &chain;
  m.alternative = alternative;
  for (slot_index slot : without(mentioned_beside(chain, alternative, {}), bound)) {
    if (is_loose(slot))
      insert(m.slots, slot);
    else if (slot != this_slot && !q_.slots[slot].name.empty() &&
             contains(chain.bodies[alternative].positive, slot))
      insert(m.positive, slot);
  }
  if (m.positive.empty()) return rest;
  insert(m.slots, m.positive);
  auto level = std::make_shared<plan_level>(*rest);
  level->items.push_back(&items_.emplace_back(std::move(m)));
  return level;
}

const block* reductions::block_of(const std::vector<const item*>& items, std::uint32_t number) {
  block& b = blocks_.emplace_back();
  b.number = number;
  for (const item* i : items) add_item(b, *i);
  return &b;
}

}  // namespace kith::core
