// Parses one place of a term with its flags.
//
//   Position   $x.cockpit   *   Bob[self|up(ChildOf, 2)]   Artwork|sub   up(ChildOf)
#pragma once

#include "query/model/expression.hpp"
#include "query/parse/cursor.hpp"

namespace kith::core {

enum class ref_place : std::uint8_t {
  predicate,  // also the left of an equality
  source,     // a flag word is a flag, `$` is a singleton
  target,
  right,  // of an equality: one name in quotes is a text
};

// Both return false after an error, which `at` records. `hint` is for a word that is like no flag.
bool parse_ref(cursor& at, ref_place place, ref& out);
bool parse_flags(cursor& at, substitution& out,
                 std::string_view hint = "flags: self all desc parent cascade up down super sub");

}  // namespace kith::core
