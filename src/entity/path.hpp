// Paths: names joined by `::` or `.`, from an outer parent to an inner child.
//
//   game::units::Tank      game.units.Tank      ::game (from the root)      "odd.name"::wheel
//
// A name is written in quotes if it contains a separator or a quote, begins with `#`, or begins or
// ends with a colon. Inside quotes a backslash stands before a quote and before a backslash.
// `#1234` names an entity by its number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kith/detail/error.hpp>
#include <kith/detail/id.hpp>

namespace kith::core {

struct parsed_path {
  bool from_root = false;
  entity_t number = 0;             // the entity at which the path starts, if it begins `#number`
  std::vector<std::string> names;  // not empty unless there is a number
};

// A text that is no path gives a parse error with its position.
result<parsed_path> parse_path(std::string_view text);

// The name as it is written in a path, with quotes if it needs them.
std::string path_part(std::string_view name);

}  // namespace kith::core
