// A query in which every name is looked up and every short form is written out, for the evaluation.
//
//   expression  --ask-->  question       (or an error: an unknown name)
//
// Variables are numbers; 0 is $this. A name that is existential in two separate `!` has one number,
// although the two are different variables; this is safe because no term sees both.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/facts.hpp"
#include "query/model/expression.hpp"

namespace kith_oracle {

struct unresolved : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using variable = int;
inline constexpr variable this_variable = 0;
using variables = std::set<variable>;

struct substitution {
  bool self = false;
  bool all = false;
  std::vector<step_walk> walks;
};

struct place {
  enum class kind { none, entity, var, star, any, text };
  kind is = kind::none;
  entity_t entity = 0;
  kith_oracle::variable variable = 0;
  std::vector<std::string> lookup;
  std::string text;
  std::optional<substitution> flags;

  bool is_wild() const { return is == kind::star || is == kind::any; }
};

// A part of a result that is no variable: the id of a `*`, the source of a `*`, the entity of an
// `all`. The n-th slot of a kind in one alternative of a chain is the n-th in the others.
struct slot {
  enum class kind { star_id, star_source, all_first, all_source, all_second };
  kind is = kind::star_id;
  int number = 0;
  friend auto operator<=>(const slot&, const slot&) = default;
};

struct part;

struct parts {
  std::vector<part> alternatives;
  variables positive;  // occur outside `!`
  variables inside_not;
};

// A term.
struct part {
  using model = kith::core::term;
  model::kind is = model::kind::predicate;
  model::oper op = model::oper::and_;
  model::comparison compare = model::comparison::equal;
  place first, source, second;
  std::vector<parts> scope;
  std::vector<slot> slots;

  variables positive;    // occur outside `!`; none for `!T`
  variables inside_not;  // occur inside `!`; all for `!T`
  // For `!T`: the variables that occur only here, and those of them that also range over built-in
  // entities.
  variables existential;
  variables range_over_all;

  bool is_from() const {
    return op == model::oper::and_from || op == model::oper::or_from || op == model::oper::not_from;
  }
  bool may_bind() const {
    return (is == model::kind::predicate && !is_from()) ||
           (is == model::kind::equality && compare == model::comparison::equal);
  }
  // "`*` and `_` in the id": such a term shows what is there.
  bool is_wild() const { return first.is_wild() || second.is_wild(); }
};

// Results in the order of depth along a relation.
struct cascade {
  kith_oracle::variable variable = 0;
  entity_t relation = 0;
  bool descending = false;
};

struct question {
  std::vector<std::string> names;  // by variable
  std::vector<parts> chains;
  variables outer;                // the variables of a result, with $this if it occurs
  std::vector<variable> columns;  // the same without $this, in order of first appearance
  variables parameters;           // written with an @
  variables conditional;          // by their first written use
  variables used_as_source;
  variables bound_by_term;   // some term outside `!` may bind them
  variables used_oddly;      // not only as a plain predicate or target
  std::set<entity_t> named;  // the entities in its text
  bool shows_prefabs = false;
  bool shows_disabled = false;
  std::optional<cascade> order;
  // Pairs of parameters that must differ.
  std::vector<std::pair<variable, variable>> distinct;

  bool is_yes_no() const { return outer.empty(); }
};

// `bound` are the names of the variables that get a value from the caller.
question ask(facts& world, const kith::core::expression& e, const std::set<std::string>& bound);

}  // namespace kith_oracle
