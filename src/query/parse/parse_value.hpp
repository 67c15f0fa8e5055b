// `{10, y: 20}`: the value of a fact.
#pragma once

#include "query/model/statement.hpp"
#include "query/parse/cursor.hpp"

namespace kith::core {

// Reads a list; line breaks inside it are white space, and count again after it. Returns false after an
// error, which `at` has then. Requires: at.is_sign("{").
bool parse_value(cursor& at, value_text& out);

}  // namespace kith::core
