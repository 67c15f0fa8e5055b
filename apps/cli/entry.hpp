// Decides what a line of the shell is: facts, a query or a command, and whether it is complete.
//
//   Likes(bob, alice)         facts: every statement names its entity, and nothing is a variable
//   (Likes, $whom)            a query: $this and $whom are variables
//   Likes(bob, alice)?        a query, because of the question mark at its end
//   :load city.facts          a command
//
// A text can be both a fact and a query; only its form decides, never the content of the world.
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

// Turns `Likes(bob, alice)?` into `Likes(bob, alice)`.
std::string without_question_mark(std::string_view query);

// Whether another line must follow: a bracket is open, or the last line ends with a comma, a
// semicolon or `||`.
bool is_unfinished(std::string_view typed);

}  // namespace kith::cli
