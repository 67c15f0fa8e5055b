// A query whose names are ids and whose terms know their slots: what the planner reads.
//
// A slot is a place for a value that a result assigns: $this, a variable, the id of a `*`, the
// entity of an `all`. Slot 0 is $this.
//
//   Position, ?(DockedTo, $o), Planet($o) || !Moon($o)
//
//   block
//   ├── term      Position($this)                    field 0
//   ├── optional  block ── term DockedTo($this, $o)  field 1
//   └── any_of                                       field 2
//       ├── block ── term Planet($o)
//       └── block ── not ── block ── term Moon($o)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <kith/detail/id.hpp>

#include "query/model/expression.hpp"
#include "relations/traits.hpp"

namespace kith::core {

using slot_index = std::uint32_t;
inline constexpr slot_index this_slot = 0;
inline constexpr slot_index no_slot = ~slot_index{0};

struct slot_info {
  enum class kind : std::uint8_t { variable, star, all };

  kind is = kind::variable;
  std::string name;  // of a variable
  bool parameter = false;
  bool is_source = false;  // used as a source somewhere: never a built-in entity
  // A predicate or an `==` that is not inside another `!` gives it values. Otherwise its value is
  // never a built-in entity.
  bool is_named = false;
  // A variable inside `!` that has the name of another one; if the caller gives a value, both get
  // it.
  slot_index same_as = no_slot;
  bool taken = false;        // is the variable of one `!`
  bool conditional = false;  // its first written use may leave it unset
};

// A set of slots, ascending.
using slot_list = std::vector<slot_index>;

struct checked_walk {
  walk::way direction;
  entity_t relation;
  std::uint32_t min;
  std::uint32_t max;
};

struct checked_ref {
  enum class kind : std::uint8_t { none, fixed, slot, star, any };

  kind is = kind::none;
  entity_t entity = 0;        // fixed
  slot_index slot = no_slot;  // slot
  std::vector<std::string> lookup;

  // Flags are written. Otherwise the place stands for what the term implies.
  bool flagged = false;
  bool self = true;
  std::vector<checked_walk> walks;
  slot_index all = no_slot;

  // Is it this slot itself, and not a child of it?
  bool is_slot(slot_index s) const { return is == kind::slot && slot == s && lookup.empty(); }

  friend bool operator==(const checked_ref&, const checked_ref&);
};

// What a term asks, as far as its text and the traits of the entities it names tell. `check` finds
// it once; a query is checked again when a trait comes or goes. What follows from other facts of
// the present world is asked of `term_now` (exec/term_now.hpp).
struct term_shape {
  enum class kind : std::uint8_t {
    id,        // one id: Position, (Likes, bob)
    variable,  // an id with a variable in it: (Likes, $x), $c, ($r, bob)
    closure,   // a pair of a Transitive or Reflexive relation: more holds than the pairs say
    star,      // (R, *): each pair of a relation that is there
    wild,      // any other id with `*` or `_` in it
    walk,      // flags are written on a part of the id
    list,      // AND | prefab: the ids of another entity
    equality,  // $x == $y
    text,      // $x == "name"
  };
  // Whose ids are asked.
  enum class place : std::uint8_t {
    this_,  // those that are visible on $this
    slot,   // those that are visible on a variable
    fixed,  // those that are visible on a named entity
    any,    // `_`: those of any entity
    walk,   // flags or a lookup say which entities
    none,   // the term has no source
  };

  kind is = kind::id;
  place on = place::none;
  bool names_first = false;   // the predicate is a named entity, without flags
  bool looks_up = false;      // a part of the id is a child that is found by its name: $x.wheel
  bool about_source = false;  // the source occurs in the id: (Likes, $this)

  // The ids that are visible on the value of a slot are asked.
  bool is_on_slot() const { return on == place::this_ || on == place::slot; }
  // One fixed id of $this, and nothing else.
  bool is_plain() const { return is == kind::id && on == place::this_; }
  // The ids that are there say all there is to know, unless the value of a variable turns out to be
  // a Transitive or Reflexive relation.
  bool is_present_ids() const { return is == kind::id || is == kind::variable; }
};

struct checked_term {
  enum class kind : std::uint8_t { predicate, list, equality, text };

  kind is = kind::predicate;
  checked_ref first;   // predicate, list of ids, or left of an equality
  checked_ref source;  // of a predicate or a list
  checked_ref second;  // target, or right of an equality
  bool pair = false;   // has a target
  // `*` or `_` is in the id: the ids that are there, without closure.
  bool exact = false;
  slot_index star = no_slot;  // of a `*` in the id: the whole id
  // A flag of the source follows another relation than IsA: self is tested on its visible ids.
  bool source_sees = false;
  term::oper list_op = term::oper::and_from;
  term::comparison compare = term::comparison::equal;
  std::string text;  // to compare a name with

  std::uint32_t number = 0;  // among all terms of the query
  slot_list slots;           // all that occur
  term_shape shape;
};

// The id of a term whose shape is `id`.
inline id_t fixed_id(const checked_term& t) {
  return t.pair ? make_pair(t.first.entity, t.second.entity) : t.first.entity;
}

// Finds the shape of a term whose other members are complete.
term_shape shape_of(const checked_term& t, const traits& traits);
std::string_view to_text(term_shape::kind kind);
std::string_view to_text(term_shape::place place);

struct block;

struct item {
  // `mention` is made by the planner: it always holds, but its variables must have a value.
  enum class kind : std::uint8_t { term, not_, optional, any_of, mention };

  kind is = kind::term;
  checked_term term;
  std::vector<block> bodies;  // one of a not_ or optional, the alternatives of an any_of
  std::uint32_t field = ~0u;  // the outermost chain this is, if it is one

  slot_list slots;     // all that occur
  slot_list positive;  // those that occur outside `!`
  slot_list hidden;    // of a not_: its own, not among its slots though they also occur elsewhere
  // Of a not_ that the planner makes: it says that an optional item has no result. A variable that
  // is unset because no term names it any more may have any value in there.
  bool says_none = false;
  // The variables that may stay unset and have their first use of the block in this item. If the
  // item does not set one of them, it is unset in the whole block.
  slot_list introduces;
  // Of a mention: the other alternatives of a chain, and what is unset in them.
  const item* chain = nullptr;
  std::size_t alternative = 0;
  slot_list unset;
};

// Blocks may be nested as deep as memory goes.
struct block {
  block() = default;
  block(const block&);
  block(block&&) noexcept = default;
  block& operator=(const block&);
  block& operator=(block&&) noexcept;
  ~block();

  std::vector<item> items;
  std::uint32_t number = 0;  // of an alternative, as written
  slot_list slots;
  slot_list positive;
};

// Calls `visit` with each item of a block and of those in it, also inside `!`, until it returns
// false. Returns whether it never did.
template <class Visit>
bool each_item(const block& b, Visit visit) {
  std::vector<const block*> open{&b};
  while (!open.empty()) {
    const block& here = *open.back();
    open.pop_back();
    for (const item& i : here.items) {
      if (!visit(i)) return false;
      for (const block& body : i.bodies) open.push_back(&body);
    }
  }
  return true;
}

// What an outermost chain was written as.
struct field_info {
  term::access access = term::access::normal;
  // The alternatives; empty for one that has no id: a scope, a Not, an equality, a list.
  std::vector<const checked_term*> terms;
  bool optional = false;
  bool negated = false;
};

// Does an iteration read the values that were there before it?
inline bool reads_values(const field_info& f) {
  return f.access != term::access::out && f.access != term::access::none &&
         f.access != term::access::filter;
}

// Moved, never copied: fields point into the blocks.
struct checked_query {
  checked_query() = default;
  checked_query(checked_query&&) = default;
  checked_query& operator=(checked_query&&) = default;

  std::vector<slot_info> slots;
  std::vector<slot_index> variables;   // in order of first appearance, without $this
  std::vector<slot_index> parameters;  // in order of first appearance
  block root;
  std::vector<field_info> fields;
  bool uses_this = false;
  // Whether an entity is a result depends on what that entity has alone: when another one changes,
  // it stays a result or none. What it inherits is not counted.
  bool is_local = false;
  // Entities with one of these ids are no results: Prefab and Disabled, less those that a term on
  // $this names.
  std::vector<id_t> hides;
  // Parameters that must have different values, in sets.
  std::vector<slot_list> distinct;
  // The first cascade: the slot or entity whose depth decides the order.
  bool ordered = false;
  bool descending = false;
  checked_ref ordered_by;
  entity_t order_relation = 0;
  std::uint32_t term_count = 0;
  bool any_conditional = false;  // some variable may stay unset

  slot_index find_variable(std::string_view name) const;
};

// Is the first use of a slot one that may leave it unset: optional, or not in all alternatives?
bool may_stay_unset(const item& i, slot_index slot);
bool may_stay_unset(const block& b, slot_index slot);

// Slot lists as sets.
bool contains(const slot_list& list, slot_index slot);
void insert(slot_list& list, slot_index slot);
void insert(slot_list& list, const slot_list& more);

}  // namespace kith::core
