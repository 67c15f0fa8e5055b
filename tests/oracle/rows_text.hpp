// Answers as text, so that both evaluators and people can be compared.
//
//   bob what=apple | (Likes, apple)@bob; -        $this, the variables, what each chain matched on whom
//   x=-                                           unset; a query without $this
//
// A field without an id is `-`: also where a term holds by Reflexive alone.
#pragma once

#include "oracle/evaluate.hpp"

namespace kith_oracle {

std::string to_text(const snapshot& world, const answer& a, const row& r, bool with_fields);
// All of them; those of equal rank in alphabetical order.
std::vector<std::string> rows_text(const snapshot& world, const answer& a, bool with_fields);
// The whole answer: `error`, `yes`, `no`, or one line per row.
std::string to_text(const snapshot& world, const answer& a);

}  // namespace kith_oracle
