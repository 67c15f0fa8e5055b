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

block reductions::reduce(const block& b, slot_list unset, const bit_set& around) {
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

const item* reductions::reduce(const item& i, const slot_list& unset, const bit_set& around) {
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
    bit_set known = around;
    for (slot_index slot : i.hidden) known.erase(slot);
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

std::shared_ptr<plan_level> reductions::level_of(open_items what, const bit_set& bound) const {
  return std::make_shared<plan_level>(
      std::make_shared<const agenda>(std::move(what), known_, bound_, bound), bound);
}

namespace {

// The items of nested levels from which some are dropped; the innermost level comes first. Only the
// items that use a slot are looked at, since most of a long query has nothing to do with it.
class dropping {
 public:
  dropping(const std::shared_ptr<const plan_level>& level, const bit_set& bound) : bound_(bound) {
    for (auto at = level; at; at = at->outer) levels_.push_back({at, nullptr});
  }

  // Is each slot that has a value by now set by the item that introduces it?
  bool is_regular() const {
    return std::ranges::all_of(levels_, [&](const one& l) {
      if (l.from->irregular || l.from->impossible) return false;
      for (slot_index slot : without(bound_, l.from->bound))
        for (const agenda::use& u : l.from->all->uses_of(slot))
          if (l.from->left.contains(u.place) &&
              contains(l.from->all->items()[u.place]->introduces, slot))
            return false;
      return true;
    });
  }

  // Calls `visit` with each item that uses a slot, its level and its place, until it says false.
  template <class Visit>
  bool each_use(slot_index slot, Visit visit) {
    for (std::size_t n = 0; n < levels_.size(); ++n)
      for (const agenda::use& u : levels_[n].now().all->uses_of(slot))
        if (levels_[n].now().left.contains(u.place) &&
            !visit(*levels_[n].now().all->items()[u.place], n, u.place))
          return false;
    return true;
  }

  void leave_unset(slot_index slot) {
    for (one& l : levels_)
      if (l.now().is_own(slot)) l.change().unset.insert(slot);
  }
  void drop(std::size_t level, std::size_t place) {
    plan_level& l = levels_[level].change();
    l.order_news += l.counted.contains(place) || l.all->chains().contains(place);
    l.remove(place);
  }
  // A slot that a level no longer uses may still be its business because of a level further in, or
  // be that of a level further out. If it is nobody's, it stays unset: returns true.
  bool is_lost(slot_index slot) {
    if (slot == this_slot || contains(bound_, slot)) return false;
    std::size_t first_use = levels_.size();
    each_use(slot, [&](const item& i, std::size_t level, std::size_t) {
      if (contains(i.positive, slot)) first_use = level;
      return first_use == levels_.size();
    });
    bool lost = false;
    for (std::size_t n = 0; n < first_use; ++n) {
      if (!levels_[n].now().is_own(slot)) continue;
      levels_[n].change().unset.insert(slot);
      lost = lost || first_use == levels_.size();
    }
    return lost;
  }

  std::shared_ptr<const plan_level> levels() {
    std::shared_ptr<const plan_level> outer;
    for (std::size_t n = levels_.size(); n-- > 0;) {
      if (outer != levels_[n].from->outer) levels_[n].change().outer = std::move(outer);
      outer = levels_[n].changed ? levels_[n].changed : levels_[n].from;
    }
    return outer;
  }

 private:
  struct one {
    std::shared_ptr<const plan_level> from;
    std::shared_ptr<plan_level> changed;

    const plan_level& now() const { return changed ? *changed : *from; }
    plan_level& change() {
      if (!changed) changed = std::make_shared<plan_level>(*from);
      return *changed;
    }
  };

  const bit_set& bound_;
  std::vector<one> levels_;
};

}  // namespace

// The commonest case of reduce: what uses the slots goes as a whole. Null: it is not so.
std::shared_ptr<const plan_level> reductions::drop_items(
    const std::shared_ptr<const plan_level>& level, const slot_list& unset, const bit_set& bound) {
  dropping levels(level, bound);
  if (!levels.is_regular()) return nullptr;
  slot_list gone = unset, waiting = unset, touched;
  const auto lose = [&](slot_index slot) {
    if (contains(gone, slot)) return;
    insert(gone, slot);
    waiting.push_back(slot);
  };
  while (!waiting.empty()) {
    const slot_index slot = waiting.back();
    waiting.pop_back();
    levels.leave_unset(slot);
    if (!levels.each_use(slot, [&](const item& i, std::size_t n, std::size_t place) {
          const item* const kept = reduce(i, gone, known_);
          if (kept == &i) return true;
          const slot_list lost = lost_slots(i, kept);
          if (kept || any_in(lost, bound)) return false;
          levels.drop(n, place);
          std::ranges::for_each(lost, lose);
          touched.insert(touched.end(), i.positive.begin(), i.positive.end());
          return true;
        }))
      return nullptr;
    if (!waiting.empty()) continue;
    for (slot_index other : touched)
      if (!contains(gone, other) && levels.is_lost(other)) lose(other);
    touched.clear();
  }
  return levels.levels();
}

// Levels of what is left, one inside the other. Those that have not changed keep their agenda.
std::shared_ptr<plan_level> reductions::join(std::vector<reduced_level>& levels,
                                             const bit_set& bound) const {
  std::shared_ptr<plan_level> outer;
  for (std::size_t n = levels.size(); n-- > 0;) {
    reduced_level& l = levels[n];
    std::shared_ptr<plan_level> fresh =
        l.changed ? level_of(std::move(l.left), bound) : std::make_shared<plan_level>(l.from);
    fresh->owner = l.from.owner;
    fresh->alternative = l.from.alternative;
    fresh->outer = std::move(outer);
    outer = std::move(fresh);
  }
  return outer;
}

std::shared_ptr<const plan_level> reductions::reduce(const std::shared_ptr<const plan_level>& level,
                                                     slot_list unset, const bit_set& bound) {
  if (auto rest = drop_items(level, unset, bound)) return rest;
  // Reducing can leave another variable without a term, or without the one that decides it: it
  // stays unset as well.
  for (;;) {
    slot_list more = unset;
    bool impossible = false;
    std::vector<reduced_level> levels;
    for (const plan_level* at = level.get(); at; at = at->outer.get()) {
      levels.push_back({*at, at->open(), {}, false});
      reduced_level& rest = levels.back();
      std::vector<const item*> kept_items;
      for (const item* i : rest.left.items) {
        const item* kept = reduce(*i, unset, known_);
        for (slot_index slot : without(both(i->introduces, bound), bound_))
          if (kept) kept = with_set(*kept, slot);
        const slot_list lost = lost_slots(*i, kept);
        impossible = impossible || any_in(lost, bound);
        insert(more, lost);
        if (kept == i) {
          kept_items.push_back(kept);
          insert(rest.used, kept->positive);
          continue;
        }
        rest.changed = true;
        for (auto& [slot, by] : rest.left.decided)
          if (by == i) by = kept;
        if (!kept) continue;
        kept_items.push_back(kept);
        insert(rest.used, kept->positive);
      }
      rest.left.items = std::move(kept_items);
    }
    for (std::size_t n = 0; n < levels.size(); ++n) {
      slot_list own;
      for (slot_index slot : levels[n].left.own) {
        const auto uses = [&](const reduced_level& l) { return contains(l.used, slot); };
        const auto inside = levels.begin() + static_cast<std::ptrdiff_t>(n) + 1;
        // What a level no longer uses may still be its business because of a level further in, or
        // be that of a level further out.
        if (slot == this_slot || contains(bound, slot) || std::any_of(levels.begin(), inside, uses))
          insert(own, slot);
        else if (std::none_of(inside, levels.end(), uses))
          insert(more, slot);
      }
      levels[n].changed = levels[n].changed || own.size() != levels[n].left.own.size();
      levels[n].left.own = std::move(own);
    }
    for (reduced_level& rest : levels) {
      slot_list own = without(rest.left.own, more);
      rest.changed = rest.changed || own.size() != rest.left.own.size();
      rest.left.own = std::move(own);
      rest.changed = std::erase_if(rest.left.decided,
                                   [&](const auto& d) { return contains(more, d.first); }) ||
                     rest.changed;
    }
    if (impossible || more == unset) {
      auto joined = join(levels, bound);
      joined->impossible = impossible;
      return joined;
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
    const bit_set& bound) {
  const slot_list& mine = chain.bodies[alternative].positive;
  const auto is_loose = [&](slot_index slot) {
    return q_.slots[slot].conditional && !contains(bound, slot);
  };
  const auto may_be_lost = [&](slot_index slot) {
    return slot != this_slot && !contains(bound, slot) && !is_loose(slot) &&
           !q_.slots[slot].name.empty();
  };
  if (std::ranges::none_of(mine, is_loose) || std::ranges::none_of(mine, may_be_lost)) return rest;
  item m;
  m.is = item::kind::mention;
  m.chain = &chain;
  m.alternative = alternative;
  for (slot_index slot : without(mentioned_beside(chain, alternative, {}), bound)) {
    if (is_loose(slot))
      insert(m.slots, slot);
    else if (may_be_lost(slot) && contains(mine, slot))
      insert(m.positive, slot);
  }
  if (m.positive.empty()) return rest;
  insert(m.slots, m.positive);
  open_items what = rest->open();
  what.items.push_back(&items_.emplace_back(std::move(m)));
  auto level = level_of(std::move(what), bound);
  level->impossible = rest->impossible;
  level->owner = rest->owner;
  level->alternative = rest->alternative;
  level->outer = rest->outer;
  return level;
}

const block* reductions::block_of(const std::vector<const item*>& items, std::uint32_t number) {
  block& b = blocks_.emplace_back();
  b.number = number;
  for (const item* i : items) add_item(b, *i);
  return &b;
}

}  // namespace kith::core
