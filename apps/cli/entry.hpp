// What a person typed into the shell: is it complete, and is it told or asked?
//
//   Likes(bob, alice)         told: every statement names its entity and nothing is left open
//   (Likes, $whom)            asked: something is left open, here $this and $whom
//   Likes(bob, alice)?        asked: a question mark at the end
//   :load city.facts          a command
//
// The same text can be a fact and a query, so what it looks like decides, not what is in the world.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kith::cli {

struct entry {
  enum class kind : std::uint8_t { nothing, command, facts, query };
  kind is = kind::nothing;
  std::string text;  // without the question mark of a query and the colon of a command
};

entry read_entry(std::string_view typed);

// `Likes(bob, alice)` for `Likes(bob, alice)?`
std::string without_question_mark(std::string_view query);

// More has to come: a bracket is open, or the last line ends with a comma, a semicolon or `||`.
bool is_unfinished(std::string_view typed);

}  // namespace kith::cli
