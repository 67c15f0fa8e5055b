// A query as it is written: names are text that nothing has looked up yet.
//
//   Position, (Likes, $x) || !Enemy($x[up(ChildOf, 2)])
//   └ chain ┘ └ chain ──────────────────────────────────┘
//             └ term ───┘    └ term ────────────────────┘
//
// Texts, query builders and descriptors all become an expression. Two expressions are equal if they
// have the same terms; their positions in a text do not matter. `to_text` (print.hpp) prints an
// expression as a text that parses to an equal one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <kith/detail/id.hpp>

namespace kith::core {

// A range of a text. Lines and columns begin at 1; columns and length count characters, including
// line breaks. {0, 0, 0} means that there is no text.
struct text_range {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;
  // Always equal, so that the comparison of expressions ignores positions.
  friend bool operator==(const text_range&, const text_range&) { return true; }
};

// The name of an entity, or the entity itself.
struct entity_name {
  // A path that entity/path.hpp reads: `game.units.Tank`, `"odd name"`, `#1234`. The parser writes
  // it in one form: names are joined by `.`, and quotes surround only names that are no words.
  std::string path;
  // The entity if it is known: a program gave it instead of a path, a flag word implies it, or the
  // path was looked up.
  entity_t entity = 0;
  text_range at;
  // Compares entities if both are known, and otherwise paths.
  friend bool operator==(const entity_name& a, const entity_name& b) {
    return a.entity && b.entity ? a.entity == b.entity : a.path == b.path;
  }
};

// `up(R, min, max)` or `down(R, min, max)`: the entities from `min` to `max` steps along a
// relation.
struct walk {
  enum class way : std::uint8_t { up, down };
  static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

  way direction = way::up;
  entity_name relation;
  std::uint32_t min = 1;
  std::uint32_t max = no_limit;
  bool cascade = false;  // order the results by their depth along this relation
  friend bool operator==(const walk&, const walk&) = default;
};

// `[self|all|up(R)]`: the entities that take the place of a name.
//
// Invariants
//  (1) there is `self` or a walk;
//  (2) `all` needs a walk;
//  (3) at most one walk has `cascade`, and its direction is up; `descending` needs it.
struct substitution {
  bool self = false;
  bool all = false;
  bool descending = false;
  std::vector<walk> walks;
  text_range at;
  friend bool operator==(const substitution&, const substitution&) = default;
};

// One place of a term: predicate, source, target, or a side of an equality.
struct ref {
  enum class kind : std::uint8_t {
    none,       // the place is empty
    entity,     // `Position`: `name`
    variable,   // `$x`, `@x` if `parameter`, `$x.cockpit` if `lookup`; `text` is "x"
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

// Scopes may be nested to any depth, so copying, comparing and destroying do not recurse.
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
  // For a predicate: first(source, second). `source` is none if the term is a bare `Position`; in
  // `(R, T)` and `P(up)` it is $this. `second` is none if there is no target.
  // For an equality: `first` is compared with `second`.
  ref first;
  ref source;
  ref second;
  expression scope;  // for a scope
  text_range at;
  friend bool operator==(const term&, const term&);
};

}  // namespace kith::core
