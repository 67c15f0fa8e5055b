#include "query/check/check.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <kith/detail/builtins.hpp>

#include "base/bit_set.hpp"
#include "base/deep_call.hpp"
#include "base/destroy_deep.hpp"
#include "base/scope_exit.hpp"

namespace kith::core {

bool operator==(const checked_ref& a, const checked_ref& b) {
  const auto same_walk = [](const checked_walk& v, const checked_walk& w) {
    return v.direction == w.direction && v.relation == w.relation && v.min == w.min &&
           v.max == w.max;
  };
  return a.is == b.is && a.entity == b.entity && a.slot == b.slot && a.lookup == b.lookup &&
         a.flagged == b.flagged && a.self == b.self &&
         std::ranges::equal(a.walks, b.walks, same_walk);
}

block::block(const block& other)
    : number(other.number), slots(other.slots), positive(other.positive) {
  deep_call([&] { items = other.items; });
}

block& block::operator=(const block& other) {
  if (this != &other) *this = block(other);
  return *this;
}

block& block::operator=(block&& other) noexcept {
  if (this == &other) return *this;
  // What is replaced may hold `other`.
  block old(std::move(*this));
  items = std::move(other.items);
  number = other.number;
  slots = std::move(other.slots);
  positive = std::move(other.positive);
  return *this;
}

block::~block() {
  const auto last_bodies = [](block& b) -> std::vector<block>* {
    while (!b.items.empty() && b.items.back().bodies.empty()) b.items.pop_back();
    return b.items.empty() ? nullptr : &b.items.back().bodies;
  };
  const auto first_bodies = [](block& b) {
    return b.items.empty() ? nullptr : &b.items.front().bodies;
  };
  while (std::vector<block>* bodies = last_bodies(*this))
    destroy_deep(*bodies, last_bodies, first_bodies);
}

bool contains(const slot_list& list, slot_index slot) {
  return std::ranges::binary_search(list, slot);
}

void insert(slot_list& list, slot_index slot) {
  const auto place = std::ranges::lower_bound(list, slot);
  if (place == list.end() || *place != slot) list.insert(place, slot);
}

void insert(slot_list& list, const slot_list& more) {
  for (slot_index slot : more) insert(list, slot);
}

bool may_stay_unset(const item& i, slot_index slot) {
  if (i.is == item::kind::optional) return true;
  if (i.is != item::kind::any_of) return false;
  return std::ranges::any_of(i.bodies, [&](const block& alternative) {
    return !contains(alternative.positive, slot) ||
           deep_call([&] { return may_stay_unset(alternative, slot); });
  });
}

bool may_stay_unset(const block& b, slot_index slot) {
  for (const item& i : b.items)
    if (contains(i.positive, slot)) return may_stay_unset(i, slot);
  return false;
}

slot_index checked_query::find_variable(std::string_view name) const {
  for (slot_index i = 0; i < slots.size(); ++i)
    if (slots[i].is == slot_info::kind::variable && slots[i].name == name) return i;
  return no_slot;
}

namespace {

class checker {
  // Sorts of slots that have no name.
  enum nameless { star_of_id, star_of_source, all_of_first, all_of_source, all_of_second };
  static constexpr std::size_t nameless_count = 5;
  using nameless_counts = std::array<std::size_t, nameless_count>;

 public:
  checker(checked_query& q, const traits& t) : q_(q), traits_(t) {}

  void check(const expression& e) {
    q_.slots.push_back({.is = slot_info::kind::variable, .name = "this"});
    by_name_.try_emplace("this", this_slot);
    q_.root = check_block(e, true);
    separate(q_.root, {});
    mark_sources(q_.root);
    slot_list known = q_.root.positive;
    insert(known, this_slot);
    mark_named(q_.root, q_.root.positive, known);
    bit_set before, around;
    for (slot_index slot : known) around.insert(slot);
    find_introduced(q_.root, before, conditional_in(q_.root, {}), around);
    q_.uses_this = contains(q_.root.slots, this_slot);
    if (q_.uses_this && !names_prefab_) q_.hides.push_back(Prefab);
    if (q_.uses_this && !names_disabled_) q_.hides.push_back(Disabled);
    q_.is_local = q_.uses_this && !q_.ordered && each_item(q_.root, [](const item& i) {
                    return i.is != item::kind::term || is_local(i.term);
                  });
  }

  void find_fields(const expression& e);
  void find_distinct();

 private:
  block check_block(const expression& e, bool outermost) {
    struct place {
      const std::vector<chain>* chains;
      std::size_t at = 0;
    };
    block b;
    std::vector<place> open{{&e.chains}};
    while (!open.empty()) {
      place& here = open.back();
      if (here.at == here.chains->size()) {
        open.pop_back();
        continue;
      }
      const std::size_t number = here.at++;
      const chain& c = (*here.chains)[number];
      // A scope that stands alone is its content.
      if (c.alternatives.size() == 1 && c.alternatives[0].is == term::kind::scope &&
          c.alternatives[0].op == term::oper::and_) {
        open.push_back({&c.alternatives[0].scope.chains});
        continue;
      }
      item one = c.alternatives.size() == 1 ? check_item(c.alternatives[0]) : check_chain(c);
      if (outermost && open.size() == 1) one.field = static_cast<std::uint32_t>(number);
      b.items.push_back(std::move(one));
    }
    for (const item& i : b.items) {
      insert(b.slots, i.slots);
      insert(b.positive, i.positive);
    }
    return b;
  }

  item check_chain(const chain& c) {
    item any;
    any.is = item::kind::any_of;
    // The first `*` of each alternative is the same one, and so is the second; likewise the first
    // `all` in a place.
    const nameless_counts before = used_;
    nameless_counts most = used_;
    // `A || {B || C}` is `A || B || C`.
    struct place {
      const std::vector<term>* alternatives;
      std::size_t at = 0;
    };
    std::vector<place> open{{&c.alternatives}};
    while (!open.empty()) {
      place& here = open.back();
      if (here.at == here.alternatives->size()) {
        open.pop_back();
        continue;
      }
      const term& t = (*here.alternatives)[here.at++];
      const bool plain = t.is == term::kind::scope && t.op == term::oper::and_;
      if (plain && t.scope.chains.size() == 1) {
        open.push_back({&t.scope.chains[0].alternatives});
        continue;
      }
      used_ = before;
      if (plain)
        any.bodies.push_back(deep_call([&] { return check_block(t.scope, false); }));
      else
        any.bodies.push_back(single(check_item(t)));
      any.bodies.back().number = static_cast<std::uint32_t>(open.front().at - 1);
      insert(any.slots, any.bodies.back().slots);
      insert(any.positive, any.bodies.back().positive);
      for (std::size_t n = 0; n < most.size(); ++n) most[n] = std::max(most[n], used_[n]);
    }
    used_ = most;
    return any;
  }

  // A variable that occurs only inside several `!` is another one in each: gives it a slot in each.
  void separate(block& b, slot_list known) {
    insert(known, b.positive);
    insert(known, this_slot);
    for (item& i : b.items)
      for (block& body : i.bodies) {
        if (i.is == item::kind::not_)
          for (const slot_index slot : slot_list(body.positive)) {
            if (contains(known, slot) || q_.slots[slot].name.empty()) continue;
            if (!std::exchange(q_.slots[slot].taken, true)) continue;
            const auto copy = static_cast<slot_index>(q_.slots.size());
            q_.slots.push_back(q_.slots[slot]);
            q_.slots[copy].same_as = slot;
            rename(body, slot, copy);
          }
        deep_call([&] { separate(body, known); });
      }
    b.slots.clear();
    for (item& i : b.items) {
      if (i.is != item::kind::term) {
        i.slots.clear();
        for (const block& body : i.bodies) insert(i.slots, body.slots);
      }
      insert(b.slots, i.slots);
    }
  }

  static void rename(block& b, slot_index from, slot_index to) {
    const auto in_list = [&](slot_list& list) {
      if (std::erase(list, from)) insert(list, to);
    };
    in_list(b.slots);
    in_list(b.positive);
    for (item& i : b.items) {
      in_list(i.slots);
      in_list(i.positive);
      in_list(i.term.slots);
      for (checked_ref* r : {&i.term.first, &i.term.source, &i.term.second})
        if (r->slot == from) r->slot = to;
      for (block& body : i.bodies) deep_call([&] { rename(body, from, to); });
    }
  }

  void mark_sources(const block& b) {
    each_item(b, [&](const item& i) {
      const checked_ref& source = i.term.source;
      if (source.is == checked_ref::kind::slot && source.lookup.empty())
        q_.slots[source.slot].is_source = true;
      return true;
    });
  }

  // `own` are the variables of the query or of the nearest `!`, `known` those and all around it.
  void mark_named(const block& b, const slot_list& own, const slot_list& known) {
    for (const item& i : b.items) {
      const bool names =
          i.term.is == checked_term::kind::predicate ||
          (i.term.is != checked_term::kind::list && i.term.compare == term::comparison::equal);
      for (const checked_ref* r : {&i.term.first, &i.term.source, &i.term.second})
        if (names && r->is == checked_ref::kind::slot && r->lookup.empty() &&
            contains(own, r->slot))
          q_.slots[r->slot].is_named = true;
      for (const block& body : i.bodies) {
        if (i.is != item::kind::not_) {
          deep_call([&] { mark_named(body, own, known); });
          continue;
        }
        slot_list inner, all = known;
        for (slot_index slot : body.positive)
          if (!contains(known, slot)) inner.push_back(slot);
        insert(all, inner);
        deep_call([&] { mark_named(body, inner, all); });
      }
    }
  }

  // The variables of the query, or of a `!`, that may stay unset.
  bit_set conditional_in(const block& b, const bit_set& known) {
    bit_set found, seen = known;
    seen.insert(this_slot);
    for (const item& i : b.items)
      for (slot_index slot : i.positive) {
        if (seen.contains(slot)) continue;
        seen.insert(slot);
        if (!may_stay_unset(i, slot)) continue;
        found.insert(slot);
        q_.slots[slot].conditional = q_.any_conditional = true;
      }
    return found;
  }

  // `seen`: the slots that items before the block use. Those of the block are added to it.
  void find_introduced(block& b, bit_set& seen, const bit_set& conditional, const bit_set& known) {
    for (item& i : b.items) {
      for (slot_index slot : i.positive)
        if (conditional.contains(slot) && !seen.contains(slot)) i.introduces.push_back(slot);
      for (block& body : i.bodies) {
        if (i.is != item::kind::not_) {
          introduce_in_body(body, seen, conditional, known);
          continue;
        }
        bit_set inner = known, before;
        for (slot_index slot : body.positive) inner.insert(slot);
        deep_call([&] { find_introduced(body, before, conditional_in(body, known), inner); });
      }
      for (slot_index slot : i.positive) seen.insert(slot);
    }
  }

  // What a body uses is new to the next one.
  void introduce_in_body(block& body, bit_set& seen, const bit_set& conditional,
                         const bit_set& known) {
    slot_list fresh;
    for (slot_index slot : body.positive)
      if (!seen.contains(slot)) fresh.push_back(slot);
    deep_call([&] { find_introduced(body, seen, conditional, known); });
    for (slot_index slot : fresh) seen.erase(slot);
  }

  static block single(item i) {
    block b;
    b.slots = i.slots;
    b.positive = i.positive;
    b.items.push_back(std::move(i));
    return b;
  }

  // The only thing in a scope, if that is another scope with the same operator; else null.
  static const term* only_scope(const term& t) {
    if (t.scope.chains.size() != 1 || t.scope.chains[0].alternatives.size() != 1) return nullptr;
    const term& only = t.scope.chains[0].alternatives[0];
    return only.is == term::kind::scope && only.op == t.op ? &only : nullptr;
  }

  // `?{?{A}}` is `?{A}`, and `!{!{!{A}}}` is `!{A}`.
  static const term& innermost(const term& t) {
    const term* at = &t;
    for (;;) {
      const term* next = only_scope(*at);
      if (next && t.op == term::oper::not_) next = only_scope(*next);
      if (!next) return *at;
      at = next;
    }
  }

  // Not and Optional stand around what they are about.
  item check_item(const term& t) {
    item inner;
    block body;
    const bool negated = t.op == term::oper::not_;
    negations_ += negated;
    const scope_exit leave([&] { negations_ -= negated; });
    if (t.is == term::kind::scope) {
      body = deep_call([&] { return check_block(innermost(t).scope, false); });
    } else {
      inner.term = check_term(t);
      inner.slots = inner.positive = inner.term.slots;
      if (t.op != term::oper::not_ && t.op != term::oper::optional) return inner;
      body = single(std::move(inner));
    }
    item outer;
    outer.is = t.op == term::oper::not_ ? item::kind::not_ : item::kind::optional;
    outer.slots = body.slots;
    if (outer.is == item::kind::optional) outer.positive = body.positive;
    outer.bodies.push_back(std::move(body));
    return outer;
  }

  // Is it about what $this has, and about values that do not depend on anything?
  static bool is_local(const checked_term& t) {
    const auto is_plain = [](const checked_ref& r) { return !r.flagged && r.lookup.empty(); };
    const term_shape& shape = t.shape;
    if (shape.is == term_shape::kind::equality) return is_plain(t.first) && is_plain(t.second);
    return shape.on == term_shape::place::this_ && shape.names_first && !shape.looks_up &&
           (shape.is_present_ids() || shape.is == term_shape::kind::star ||
            shape.is == term_shape::kind::wild);
  }

  checked_term check_term(const term& t) {
    checked_term c = check_parts(t);
    c.shape = shape_of(c, traits_);
    return c;
  }

  checked_term check_parts(const term& t) {
    checked_term c;
    c.number = q_.term_count++;
    if (t.is == term::kind::equality) {
      c.is =
          t.second.is == ref::kind::text ? checked_term::kind::text : checked_term::kind::equality;
      c.compare = t.compare;
      c.text = t.second.text;
      c.first = check_ref(c, t.first, all_of_first);
      if (c.is == checked_term::kind::equality) c.second = check_ref(c, t.second, all_of_second);
      note_order(c.first, t.first);
      note_order(c.second, t.second);
      return c;
    }
    if (t.op == term::oper::and_from || t.op == term::oper::or_from ||
        t.op == term::oper::not_from) {
      c.is = checked_term::kind::list;
      c.list_op = t.op;
    }
    c.first = check_ref(c, t.first, all_of_first);
    note_order(c.first, t.first);
    check_source(c, t);
    if (t.second.is != ref::kind::none) c.second = check_ref(c, t.second, all_of_second);
    note_order(c.second, t.second);
    // Written bare, a Relationship asks for any pair of it.
    const bool bare = t.source.is == ref::kind::none && t.second.is == ref::kind::none;
    if (bare && c.is == checked_term::kind::predicate && has_trait(c.first, trait::relation_only) &&
        !has_trait(c.first, trait::singleton))
      c.second.is = checked_ref::kind::any;
    c.pair = c.second.is != checked_ref::kind::none;

    const auto open = [](const checked_ref& r) {
      return r.is == checked_ref::kind::star || r.is == checked_ref::kind::any;
    };
    c.exact = open(c.first) || open(c.second);
    if (c.first.is == checked_ref::kind::star || c.second.is == checked_ref::kind::star) {
      c.star = nameless_slot(star_of_id, slot_info::kind::star);
      insert(c.slots, c.star);
    }
    return c;
  }

  void check_source(checked_term& c, const term& t) {
    if (t.source.is == ref::kind::none) {
      const bool on_itself = t.second.is == ref::kind::none &&
                             c.is == checked_term::kind::predicate &&
                             has_trait(c.first, trait::singleton);
      if (on_itself) {
        c.source.is = checked_ref::kind::fixed;
        c.source.entity = c.first.entity;
      } else {
        c.source.is = checked_ref::kind::slot;
        c.source.slot = this_slot;
        insert(c.slots, this_slot);
      }
    } else {
      ref source = t.source;
      if (source.is == ref::kind::singleton) {
        source.is = t.first.is;
        source.name = t.first.name;
        source.text = t.first.text;
        source.lookup = t.first.lookup;
      }
      c.source = check_ref(c, source, all_of_source);
      note_order(c.source, t.source);
    }
    if (c.source.is == checked_ref::kind::star) {
      // Each entity: a variable without a name.
      c.source.is = checked_ref::kind::slot;
      c.source.slot = nameless_slot(star_of_source, slot_info::kind::variable);
      insert(c.slots, c.source.slot);
    }
    for (const checked_walk& w : c.source.walks)
      if (w.relation != IsA) c.source_sees = true;

    if (c.source.is == checked_ref::kind::slot && c.source.slot == this_slot &&
        c.is == checked_term::kind::predicate && c.first.is == checked_ref::kind::fixed) {
      if (c.first.entity == Prefab) names_prefab_ = true;
      if (c.first.entity == Disabled) names_disabled_ = true;
    }
  }

  // The first cascade outside `!` decides the order.
  void note_order(const checked_ref& checked, const ref& written) {
    if (q_.ordered || negations_ || !written.flags) return;
    for (const walk& w : written.flags->walks) {
      if (!w.cascade || q_.ordered) continue;
      q_.ordered = true;
      q_.descending = written.flags->descending;
      q_.order_relation = w.relation.entity;
      q_.ordered_by = checked;
    }
  }

  checked_ref check_ref(checked_term& c, const ref& r, nameless all) {
    checked_ref checked;
    switch (r.is) {
      case ref::kind::entity:
        checked.is = checked_ref::kind::fixed;
        checked.entity = r.name.entity;
        break;
      case ref::kind::variable:
        checked.is = checked_ref::kind::slot;
        checked.slot = variable(r);
        checked.lookup = r.lookup;
        insert(c.slots, checked.slot);
        break;
      case ref::kind::wildcard:
        checked.is = checked_ref::kind::star;
        break;
      case ref::kind::any:
        checked.is = checked_ref::kind::any;
        break;
      case ref::kind::none:
      case ref::kind::singleton:
      case ref::kind::text:
        break;
    }
    if (r.flags) {
      checked.flagged = true;
      checked.self = r.flags->self;
      for (const walk& w : r.flags->walks)
        checked.walks.push_back({w.direction, w.relation.entity, w.min, w.max});
      if (r.flags->all) {
        checked.all = nameless_slot(all, slot_info::kind::all);
        insert(c.slots, checked.all);
      }
    }
    return checked;
  }

  slot_index variable(const ref& r) {
    const auto [found, fresh] =
        by_name_.try_emplace(r.text, static_cast<slot_index>(q_.slots.size()));
    const slot_index slot = found->second;
    if (fresh) {
      q_.slots.push_back({.is = slot_info::kind::variable, .name = r.text});
      q_.variables.push_back(slot);
    }
    if (r.parameter && !q_.slots[slot].parameter) {
      q_.slots[slot].parameter = true;
      q_.parameters.push_back(slot);
    }
    return slot;
  }

  // The next slot of its sort: one that another alternative had, or a new one.
  slot_index nameless_slot(nameless n, slot_info::kind kind) {
    const auto fresh = static_cast<slot_index>(q_.slots.size());
    if (!negations_ && used_[n] < made_[n].size()) return made_[n][used_[n]++];
    q_.slots.push_back({.is = kind, .name = {}});
    // What is inside `!` is its own.
    if (negations_) return fresh;
    made_[n].push_back(fresh);
    ++used_[n];
    return fresh;
  }

  bool has_trait(const checked_ref& r, std::uint32_t flag) const {
    return r.is == checked_ref::kind::fixed && traits_.of(index_of(r.entity)) & flag;
  }

  checked_query& q_;
  const traits& traits_;
  hash_map<std::string, slot_index, std::hash<std::string>> by_name_;
  std::array<std::vector<slot_index>, nameless_count> made_;
  nameless_counts used_{};
  int negations_ = 0;  // around the term that is being checked
  bool names_prefab_ = false;
  bool names_disabled_ = false;
};

// The term whose id a field shows, or null.
const checked_term* id_term(const item& i) {
  switch (i.is) {
    case item::kind::term:
      return i.term.is == checked_term::kind::predicate ? &i.term : nullptr;
    case item::kind::optional:
      return id_term(i.bodies[0].items[0]);
    case item::kind::not_:
    case item::kind::any_of:
    case item::kind::mention:
      break;
  }
  return nullptr;
}

// Requires: the root block is complete, so that terms stay where they are.
void checker::find_fields(const expression& e) {
  q_.fields.resize(e.chains.size());
  for (std::size_t i = 0; i < e.chains.size(); ++i) {
    const term& first = e.chains[i].alternatives[0];
    const bool alone = e.chains[i].alternatives.size() == 1;
    q_.fields[i].access = first.rights;
    q_.fields[i].optional = alone && first.op == term::oper::optional;
    q_.fields[i].negated = alone && first.op == term::oper::not_;
  }
  for (const item& i : q_.root.items) {
    if (i.field == ~0u) continue;
    const std::vector<term>& written = e.chains[i.field].alternatives;
    std::vector<const checked_term*>& terms = q_.fields[i.field].terms;
    if (i.is == item::kind::any_of) {
      terms.assign(written.size(), nullptr);
      for (const block& b : i.bodies)
        if (written[b.number].is != term::kind::scope) terms[b.number] = id_term(b.items[0]);
    } else if (written[0].is != term::kind::scope) {
      if (const checked_term* t = id_term(i)) terms.push_back(t);
    }
  }
}

void checker::find_distinct() {
  std::vector<const checked_term*> terms;
  std::vector<const block*> open{&q_.root};
  while (!open.empty()) {
    const block& b = *open.back();
    open.pop_back();
    for (const item& i : b.items) {
      if (i.is == item::kind::not_) continue;
      for (const block& body : i.bodies) open.push_back(&body);
      const checked_ref& target = i.term.second;
      if (i.is == item::kind::term && i.term.is == checked_term::kind::predicate &&
          target.is == checked_ref::kind::slot && !target.flagged && target.lookup.empty() &&
          q_.slots[target.slot].parameter)
        terms.push_back(&i.term);
    }
  }
  const auto key = [](const checked_term* t) {
    return std::tuple(t->first.is, t->first.entity, t->first.slot, t->source.is, t->source.entity,
                      t->source.slot);
  };
  std::ranges::stable_sort(terms, {}, key);
  for (std::size_t at = 0; at < terms.size();) {
    // Terms of one key differ in their flags at most, which are seldom many.
    std::vector<std::pair<const checked_term*, slot_list>> sets;
    const auto first = key(terms[at]);
    for (; at < terms.size() && key(terms[at]) == first; ++at) {
      const checked_term& t = *terms[at];
      auto same = std::ranges::find_if(sets, [&](const auto& s) {
        return s.first->first == t.first && s.first->source == t.source;
      });
      if (same == sets.end()) same = sets.insert(sets.end(), {&t, {}});
      same->second.push_back(t.second.slot);
    }
    for (auto& [of, slots] : sets) {
      std::ranges::sort(slots);
      slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
      if (slots.size() > 1) q_.distinct.push_back(std::move(slots));
    }
  }
}

}  // namespace

checked_query check(const expression& e, const traits& t) {
  checked_query q;
  checker c(q, t);
  c.check(e);
  c.find_fields(e);
  c.find_distinct();
  return q;
}

}  // namespace kith::core
