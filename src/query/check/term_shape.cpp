#include "query/check/checked_query.hpp"

namespace kith::core {

namespace {

using shape_kind = term_shape::kind;
using shape_place = term_shape::place;

bool is_open(const checked_ref& r) {
  return r.is == checked_ref::kind::star || r.is == checked_ref::kind::any;
}

shape_kind kind_of(const checked_term& t, const traits& traits) {
  switch (t.is) {
    case checked_term::kind::list:
      return shape_kind::list;
    case checked_term::kind::equality:
      return shape_kind::equality;
    case checked_term::kind::text:
      return shape_kind::text;
    case checked_term::kind::predicate:
      break;
  }
  if (t.first.flagged || t.second.flagged) return shape_kind::walk;
  const bool fixed_first = t.first.is == checked_ref::kind::fixed;
  if (is_open(t.first) || is_open(t.second))
    return fixed_first && t.second.is == checked_ref::kind::star ? shape_kind::star
                                                                 : shape_kind::wild;
  if (t.pair && fixed_first &&
      traits.of(index_of(t.first.entity)) & (trait::transitive | trait::reflexive))
    return shape_kind::closure;
  const bool fixed = fixed_first && (!t.pair || t.second.is == checked_ref::kind::fixed);
  return fixed ? shape_kind::id : shape_kind::variable;
}

shape_place place_of(const checked_ref& source) {
  if (source.flagged || !source.lookup.empty()) return shape_place::walk;
  switch (source.is) {
    case checked_ref::kind::none:
    case checked_ref::kind::star:
      break;
    case checked_ref::kind::fixed:
      return shape_place::fixed;
    case checked_ref::kind::slot:
      return source.slot == this_slot ? shape_place::this_ : shape_place::slot;
    case checked_ref::kind::any:
      return shape_place::any;
  }
  return shape_place::none;
}

}  // namespace

term_shape shape_of(const checked_term& t, const traits& traits) {
  term_shape shape;
  shape.is = kind_of(t, traits);
  shape.on = place_of(t.source);
  shape.names_first = t.first.is == checked_ref::kind::fixed && !t.first.flagged;
  shape.looks_up = !t.first.lookup.empty() || !t.second.lookup.empty();
  shape.about_source = t.source.is == checked_ref::kind::slot &&
                       (t.first.slot == t.source.slot || t.second.slot == t.source.slot);
  return shape;
}

std::string_view to_text(shape_kind k) {
  constexpr std::string_view names[] = {"id",   "variable", "closure",  "star", "wild",
                                        "walk", "list",     "equality", "text"};
  return names[static_cast<std::size_t>(k)];
}

std::string_view to_text(shape_place p) {
  constexpr std::string_view names[] = {"$this", "variable", "fixed", "any", "walk", "none"};
  return names[static_cast<std::size_t>(p)];
}

}  // namespace kith::core
