#include "query/parse/parse_ref.hpp"

#include <array>
#include <utility>

#include "base/spelling.hpp"
#include "query/model/words.hpp"

namespace kith::core {

namespace {

std::string_view expected_in(ref_place place) {
  switch (place) {
    case ref_place::source:
      return "a name or a flag";
    case ref_place::right:
      return "a name or a text in quotes";
    default:
      return "a name";
  }
}

// The name, without flags.
bool parse_plain_ref(cursor& at, ref_place place, ref& out) {
  const token& now = at.now();
  out.at = now.at;
  if (at.accept("*")) {
    out.is = ref::kind::wildcard;
    return true;
  }
  if (at.is_word("_")) {
    out.is = ref::kind::any;
    at.step();
    return true;
  }
  if (now.is == token::kind::dollar) {
    if (place != ref_place::source)
      return at.fail(now.at, "'$' can stand only for a source, as in Game($)",
                     "a variable has a name: $x");
    out.is = ref::kind::singleton;
    at.step();
    return true;
  }
  if (now.is == token::kind::variable || now.is == token::kind::parameter) {
    out.is = ref::kind::variable;
    out.parameter = now.is == token::kind::parameter;
    out.text = now.word;
    out.lookup = now.path.names;
    at.step();
    return true;
  }
  if (place == ref_place::right && now.is_quoted) {
    out.is = ref::kind::text;
    out.text = now.path.names.front();
    at.step();
    return true;
  }
  out.is = ref::kind::entity;
  return at.take_entity(out.name, expected_in(place));
}

// The text in errors for a kind of ref that cannot have flags.
std::string_view name_of_plain(ref::kind is) {
  switch (is) {
    case ref::kind::wildcard:
      return "'*'";
    case ref::kind::any:
      return "'_'";
    case ref::kind::text:
      return "a text";
    default:
      return {};
  }
}

// The hint for `A | B`: a list was meant if A is like AND, OR or NOT; otherwise alternatives.
std::string_view hint_after_bar(std::string_view before) {
  constexpr std::array<std::string_view, 3> opers = {"and", "or", "not"};
  return nearest_word(before, opers).empty() ? "alternatives are written A || B"
                                             : "lists are written AND | E, OR | E, NOT | E";
}

}  // namespace

bool parse_ref(cursor& at, ref_place place, ref& out) {
  const token first = at.now();
  if (place == ref_place::source && at.is_plain_word() && is_flag_word(first.text)) {
    out.is = ref::kind::variable;
    out.text = "this";
    out.flags.emplace();
    if (!parse_flags(at, *out.flags)) return false;
    out.at = out.flags->at;
    return true;
  }
  if (!parse_plain_ref(at, place, out)) return false;
  if (!at.is_sign("[") && !at.is_sign("|") && !at.is_sign(":")) return true;
  if (const std::string_view plain = name_of_plain(out.is); !plain.empty())
    return at.fail(at.now().at, concat(plain, " takes no flags"));
  const bool in_brackets = at.is_sign("["), after_bar = at.is_sign("|");
  at.step();
  substitution& flags = out.flags.emplace();
  if (!(after_bar ? parse_flags(at, flags, hint_after_bar(first.text)) : parse_flags(at, flags)))
    return false;
  if (in_brackets && !at.accept("]")) return at.fail_expected("'|' or ']'");
  out.at = at.range_from(first);
  return true;
}

}  // namespace kith::core
