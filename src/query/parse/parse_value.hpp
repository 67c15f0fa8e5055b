// Parses the value of a fact: `{10, y: 20}`.
#pragma once

#include "query/model/statement.hpp"
#include "query/parse/cursor.hpp"

namespace kith::core {

// Reads a list. Line breaks inside it are white space; after it they count again. Returns false
// after an error, which `at` records. Requires: at.is_sign("{").
bool parse_value(cursor& at, value_text& out);

}  // namespace kith::core
