// What a query asks for, as a program says it. The text of the language says the same.
//
//     auto q = world.query({.terms = {{.id = world.id<Position>()},
//                                     {.first = Likes, .second = "$x"},
//                                     {.first = Npc, .oper = kith::Not}},
//                           .expr = "!Enemy($x)"});
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kith/detail/engine.hpp>

namespace kith {

namespace core {
// kith::id and what derives from it.
template <class Handle>
concept id_handle = requires(const Handle& h) {
  h.raw_id();
  h.engine();
};
}  // namespace core

// How a term counts. `Or`: all neighbours that have it are one chain.
enum oper_kind : std::uint8_t { And, Or, Not, Optional, AndFrom, OrFrom, NotFrom };

// What is done with the value of a term.
enum inout_kind : std::uint8_t { InOutDefault, InOut, In, Out, InOutNone, InOutFilter };

// What stands in the place of a name: it, or what a relation leads to or from.
enum set_kind : std::uint32_t {
  Self = 1,
  SuperSet = 2,
  SubSet = 4,
  All = 8,
  Cascade = 16,
  Desc = 32,
  Up = SuperSet,
  Down = SubSet,
};
constexpr set_kind operator|(set_kind a, set_kind b) {
  return static_cast<set_kind>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

// A value the caller gives before each iteration: `.with(OnTeam, kith::param)`.
struct param_t {};
inline constexpr param_t param{};

// A component, a tag or a pair.
struct id_desc {
  id_desc() = default;
  id_desc(id_t i) : raw(i) {}
  template <core::id_handle Handle>
  id_desc(const Handle& h) : raw(h.raw_id()), owner(h.engine()) {}

  id_t raw = 0;
  const core::engine* owner = nullptr;
};

// What stands in a place instead of what is written there: what a relation leads to or from.
struct set_desc {
  set_kind mask = {};
  id_desc relation = {};  // 0: IsA for supersets and subsets, ChildOf for a cascade
  std::uint32_t min_depth = 0;
  std::uint32_t max_depth = 0;
};

// One place of a term: an entity, or a text as the language writes it there: "$x", "@team", "*".
struct ref_desc {
  ref_desc() = default;
  ref_desc(entity_t e) : entity(e) {}
  template <core::id_handle Handle>
  ref_desc(const Handle& h) : entity(h.raw_id()), owner(h.engine()) {}
  ref_desc(const char* written) : text(written) {}
  ref_desc(std::string written) : text(std::move(written)) {}
  ref_desc(param_t) : parameter(true) {}
  // `{kith::This, {.mask = kith::SuperSet, .relation = kith::ChildOf}}`
  ref_desc(ref_desc what, const set_desc& s) : ref_desc(std::move(what)) {
    set = s.mask;
    relation = s.relation.raw;
    relation_owner = s.relation.owner;
    min_depth = s.min_depth;
    max_depth = s.max_depth;
  }

  bool empty() const { return !entity && text.empty() && !parameter; }

  entity_t entity = 0;
  std::string text;
  bool parameter = false;

  // 0: what the term implies. Else as `[self|up(relation, min, max)]` says.
  std::uint32_t set = 0;
  entity_t relation = 0;
  entity_t down_relation = 0;  // of a subset, if it is another one
  std::uint32_t min_depth = 0;
  std::uint32_t max_depth = 0;

  // The worlds of the handles that were given.
  const core::engine* owner = nullptr;
  const core::engine* relation_owner = nullptr;
};

struct term_desc {
  // An id or a pair; or its parts in `first` and `second`.
  id_desc id = {};
  ref_desc first = {};
  ref_desc src = {};
  ref_desc second = {};
  oper_kind oper = And;
  inout_kind inout = InOutDefault;
  // A term as the language writes it, instead of all the above.
  std::string expr = {};
  // Joined to the next term: `A || B`.
  bool or_next = false;
  bool singleton = false;
};

enum class cache_kind : std::uint8_t { automatic, always, never };

// In which order results come. Rows are told apart by $this and its value of a component.
struct sort_row {
  const void* value;  // null: it is ordered by entity
  entity_t entity;
  std::uint32_t row;
};
struct order_desc {
  id_desc id = {};  // whose values decide; none: the entities themselves
  // Both null: no order is asked for. Rows that are alike come in ascending order of their
  // entities.
  std::function<bool(const sort_row&, const sort_row&)> less = {};
  std::function<void(sort_row* first, sort_row* last)> sort = {};
};

// Which results come together, groups in ascending order.
struct group_desc {
  id_desc relation = {};  // a group per target, and one, 0, of those that have none
  std::function<std::uint64_t(entity_t)> group_of = {};  // instead: what a function says
};

// What a callback reads or writes besides what its terms say.
struct access_desc {
  id_t id = 0;
  bool writes = false;
};

struct query_desc {
  std::vector<term_desc> terms = {};
  // These decide nothing: systems order themselves by them, and `query.term(n)` lists them last.
  std::vector<access_desc> accesses = {};
  // More terms, as the language writes them.
  std::optional<std::string> expr = {};
  cache_kind cache = cache_kind::automatic;
  order_desc order = {};
  group_desc group = {};
  bool detect_changes = false;  // row by row
};

}  // namespace kith
