// The only place that knows how queries are run in the library.
#pragma once

#include <string>

#include "oracle/evaluate.hpp"

namespace kith_oracle {

// Which of the ways to run a query is used. All of them must give the same rows.
enum class run_mode { uncached, cached };

// What the library answers, rows in the order in which they come.
answer engine_answer(kith::world& world, const std::string& query, const arguments& bound,
                     run_mode mode = run_mode::uncached);

// The query as the library prints it; the error if it is none.
std::string engine_text(kith::world& world, const std::string& query);

}  // namespace kith_oracle
