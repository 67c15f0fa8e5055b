// A query as it is written: names are still text, nothing is looked up.
//
//   Position, (Likes, $x) || !Enemy($x[up(ChildOf, 2)])
//   └ chain ┘ └ chain ──────────────────────────────────┘
//             └ term ───┘    └ term ────────────────────┘
//
// Text, builder and descriptors all make this. Two expressions are equal if they say the same; where
// in a text they stand does not matter. `to_text` (print.hpp) writes one so that it parses back to an
// equal one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <kith/detail/id.hpp>

namespace kith::core {

// Where something stands in a text: line and column from 1, columns and length in characters, line
// breaks among them. {0, 0, 0}: in no text.
struct text_range {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;
  // Where a thing is written does not make it another thing.
  friend bool operator==(const text_range&, const text_range&) { return true; }
};

// The name of an entity, or the entity itself.
struct entity_name {
  // A path that entity/path.hpp reads: `game.units.Tank`, `"odd name"`, `#1234`. The parser joins names
  // by `.` and leaves quotes only around those that are no words, however they were written.
  std::string path;
  // Given by a program instead of a path, or implied by a flag word, or found by the path.
  entity_t entity = 0;
  text_range at;
  // Where one of them is not looked up yet the paths decide.
  friend bool operator==(const entity_name& a, const entity_name& b) {
    return a.entity && b.entity ? a.entity == b.entity : a.path == b.path;
  }
};

// `up(R, min, max)` or `down(R, min, max)`: what is reached by so many steps along a relation.
struct walk {
  enum class way : std::uint8_t { up, down };
  static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

  way direction = way::up;
  entity_name relation;
  std::uint32_t min = 1;
  std::uint32_t max = no_limit;
  bool cascade = false;  // results are ordered by depth along this relation
  friend bool operator==(const walk&, const walk&) = default;
};

// `[self|all|up(R)]`: what stands in the place of a name. Invariant: self or a walk; `all` only with a
// walk; at most one cascade, and that goes up; `descending` only with a cascade.
struct substitution {
  bool self = false;
  bool all = false;
  bool descending = false;
  std::vector<walk> walks;
  text_range at;
  friend bool operator==(const substitution&, const substitution&) = default;
};

// What stands in one place of a term.
struct ref {
  enum class kind : std::uint8_t {
    none,    // nothing is written
    entity,  // `Position`: `name`
    variable,  // `$x`, `@x` if `parameter`, `$x.cockpit` if `lookup`: `text` is the name, "this" for $this
    wildcard,   // `*`
    any,        // `_`
    singleton,  // `$`, as a source only
    text,       // `"text"`, on the right of an equality only: `text`
  };

  kind is = kind::none;
  bool parameter = false;
  entity_name name;
  std::string text;
  std::vector<std::string> lookup;  // names of children, outer first
  std::optional<substitution> flags;
  text_range at;
  friend bool operator==(const ref&, const ref&) = default;
};

struct term;

// Alternatives: `A || B || C`. Not empty.
struct chain {
  std::vector<term> alternatives;
  friend bool operator==(const chain&, const chain&);
};

// Scopes may be nested as deep as memory goes: copies, comparison and destruction do not recurse.
struct expression {
  std::vector<chain> chains;

  expression() = default;
  expression(std::vector<chain> list);
  expression(const expression&);
  expression(expression&&) noexcept;
  expression& operator=(const expression&);
  expression& operator=(expression&&) noexcept;
  ~expression();
  friend bool operator==(const expression&, const expression&);
};

struct term {
  enum class kind : std::uint8_t { predicate, equality, scope };
  enum class oper : std::uint8_t { and_, not_, optional, and_from, or_from, not_from };
  enum class access : std::uint8_t { normal, in, out, inout, none, filter };
  enum class comparison : std::uint8_t { equal, different, contains };

  kind is = kind::predicate;
  oper op = oper::and_;
  access rights = access::normal;
  comparison compare = comparison::equal;
  // A predicate: first(source, second). `source` is none if the term is written bare (`Position`);
  // `(R, T)` and `P(up)` have $this as their source. `second` is none if there is no target.
  // An equality: `first` and `second`, compared.
  ref first;
  ref source;
  ref second;
  expression scope;  // of a scope
  text_range at;
  friend bool operator==(const term&, const term&);
};

}  // namespace kith::core
