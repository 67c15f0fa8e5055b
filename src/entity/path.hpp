// Paths: names joined by `::` or `.`, from an outer parent to an inner child.
//
//   game::units::Tank      game.units.Tank      ::game (from the root)      "odd.name"::wheel
//
// A name that contains a separator, a quote, or starts like a number sign is written in quotes,
// with a backslash before a quote or a backslash inside. `#1234` names an entity by its number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <kith/detail/error.hpp>
#include <kith/detail/id.hpp>

namespace kith::core {

struct parsed_path {
  bool from_root = false;
  entity_t number = 0;             // of an entity to start from, if the path starts with `#number`
  std::vector<std::string> names;  // not empty unless there is a number
};

// A text that is no path gives a parse error with the position.
result<parsed_path> parse_path(std::string_view text);

// The name as a part of a path: in quotes if it needs them.
std::string path_part(std::string_view name);

}  // namespace kith::core
