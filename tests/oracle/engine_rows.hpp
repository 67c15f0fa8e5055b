// The only place that knows how queries are run in the library.
#pragma once

#include <string>

#include "oracle/evaluate.hpp"

namespace kith_oracle {

// Which of the ways to run a query is used. All of them must give the same rows.
enum class run_mode { uncached, cached };

// False as long as the library has no queries.
bool engine_has_queries();

// What the library answers, rows in the order in which they come. `expected` tells the columns, the
// number of chains, and whether it is a yes/no question.
answer engine_answer(kith::world& world, const std::string& query, const arguments& bound,
                     const answer& expected, std::size_t chains,
                     run_mode mode = run_mode::uncached);

}  // namespace kith_oracle
