// Parses texts into expressions and statements.
//
// The parser knows no world, so names stay text. Everything that it does not understand is an error
// with a position; it ignores nothing.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <kith/detail/error.hpp>

#include "query/model/expression.hpp"
#include "query/model/statement.hpp"

namespace kith::core {

result<expression> parse_query(std::string_view text);
// The text has exactly one chain.
result<chain> parse_chain(std::string_view text);
result<std::vector<statement>> parse_facts(std::string_view text);
// Calls `take` with each statement until it returns false. Returns the first error of the text, if
// there is one. Needs only as much memory as the longest statement.
std::optional<error> parse_facts(std::string_view text,
                                 const std::function<bool(const statement&)>& take);

// An error at a place of `text`, with the line and a caret below it:
//
//   1:1: unknown name 'Positon'
//     Positon, (ChildOf, $p)
//     ^^^^^^^ did you mean 'Position'?
error error_at(errc code, std::string_view text, const text_range& where, std::string_view message,
               std::string_view hint = {});

}  // namespace kith::core
