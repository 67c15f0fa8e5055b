// What is still to do while a query is planned.
//
// A plan has as many steps as its query has terms, so no step may look at all terms. An `agenda`
// says once, for the items of a block, which of them wait for which slots. A `plan_level` says
// which of them are left, and which are ready: a bit each. When a slot gets a value, only the items
// that use it are looked at.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "query/plan/slot_sets.hpp"

namespace kith::core {

struct plan_step;
struct slot_order;

// The items of a block that are to be done, in a form that can be changed.
struct open_items {
  std::vector<const item*> items;
  slot_list own;  // slots the block itself must give values to
  // Those of them that may stay unset, each with the item that decides it, in the order of their
  // first use. One that was guessed to have a value must get it there.
  std::vector<std::pair<slot_index, const item*>> decided;
};

// Items never change while they have an agenda; an index of one is its place among them.
class agenda {
 public:
  // `known`: what occurs around the items. `given`: the slots that have values from the beginning.
  // `bound`: those that have values now.
  agenda(open_items what, const bit_set& known, const bit_set& given, const bit_set& bound);

  const std::vector<const item*>& items() const { return what_.items; }
  const slot_list& own() const { return what_.own; }
  const std::vector<std::pair<slot_index, const item*>>& decided() const { return what_.decided; }
  // The item that decides a slot; null if none does.
  const item* decider_of(slot_index slot) const;
  // Requires: it is a chain, or introduces a slot.
  std::size_t place_of(const item* i) const;

  // The places of the items that use a slot, ascending.
  struct use {
    slot_index slot;
    std::uint32_t place;
  };
  std::span<const use> uses_of(slot_index slot) const;
  // The first slot not less than `from` that is own or that an item uses, or no_slot.
  slot_index next_slot(slot_index from) const;
  // What must have a value, or be known to stay unset, before an item can be answered.
  slot_list free_slots(const item& i) const { return both(i.slots, known_); }

  // Tests are made in the order of their turns.
  std::size_t turn_of(std::size_t place) const { return turns_[place]; }
  std::size_t at_turn(std::size_t turn) const { return by_turn_[turn]; }
  // Terms with a `*` or an `all`; chains; items that decide slots.
  const bit_set& open_terms() const { return open_terms_; }
  const bit_set& chains() const { return chains_; }
  const bit_set& deciding() const { return deciding_; }
  // An item introduces a slot that got its value elsewhere, or one that it does not set.
  bool is_irregular() const { return irregular_; }

 private:
  open_items what_;
  const bit_set& known_;
  std::vector<std::pair<slot_index, const item*>> deciders_;   // ascending
  std::vector<std::pair<const item*, std::uint32_t>> places_;  // see place_of; ascending
  std::vector<use> uses_;                                      // ascending
  std::vector<std::uint32_t> turns_, by_turn_;
  bit_set open_terms_, chains_, deciding_;
  bool irregular_ = false;
};

// Tests that tables or lists of ids answer come first, since rows are scanned with them. Then come
// other terms, those that walk, and what is a plan of its own.
inline constexpr int first_rank = 0;
int rank_of_test(const item& i);

// The items of a block that are still to do, inside what surrounds the block.
struct plan_level {
  explicit plan_level(std::shared_ptr<const agenda> a, const bit_set& bound);
  plan_level(const plan_level&) = default;
  // Those around it go one after the other, not one inside the other.
  ~plan_level() {
    while (outer && outer.use_count() == 1) outer = std::shared_ptr<const plan_level>(outer->outer);
  }

  std::shared_ptr<const agenda> all;
  bit_set left;       // by place
  bit_set tests;      // by turn: those left whose slots have values
  bit_set optionals;  // those left that wait for nothing but what they decide themselves
  bit_set counted;    // terms left that cannot vanish
  // Those left that give no value to anything any more. Whether an optional item holds is asked
  // where it matters, for its field.
  bit_set idle;
  bit_set unset;            // own slots that stay unset, or are the business of a level further out
  bit_set bound;            // the slots with values that these sets are about
  bool irregular = false;   // see agenda
  bool impossible = false;  // a guess was wrong
  plan_step* owner = nullptr;  // the step whose body this is; null for the block of the plan
  std::size_t alternative = 0;
  std::shared_ptr<const plan_level> outer;
  // The order that was found for the level, the first of its steps that is still to do, and how
  // many items it would now be asked about, or not be asked about, that were none before.
  std::shared_ptr<const slot_order> order{};
  std::size_t order_at = 0;
  std::size_t order_news = 0;

  // The item that decides a slot, if it is left.
  const item* decider_of(slot_index slot) const;
  bool is_own(slot_index slot) const;
  bool decides_nothing() const;
  // A term with a variable of which it is not known yet whether it stays unset says nothing yet.
  bool may_vanish(const item& i) const;

  // Calls `visit` with each item that is left, and its place.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t n = left.next(); n != bit_set::none; n = left.next(n + 1))
      visit(*all->items()[n], n);
  }
  // What is left, to be changed.
  open_items open() const;
  void remove(std::size_t place);
  // Takes note of slots that have got values, and lists them.
  slot_list note_bound(const bit_set& now);

 private:
  void note(std::size_t place);
};

}  // namespace kith::core
