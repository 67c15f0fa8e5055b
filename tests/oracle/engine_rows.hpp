// The only place that knows how queries are run in the library.
#pragma once

#include <string>

#include "oracle/evaluate.hpp"

namespace kith_oracle {

// Which of the ways to run a query is used. All of them must give the same rows.
enum class run_mode { uncached, automatic, cached };

// A query that lives in a world and can be asked again, also after the world has changed.
class engine_query {
 public:
  engine_query(kith::world& world, const std::string& text, const arguments& bound,
               run_mode mode = run_mode::uncached);

  // Rows in the order in which they come.
  answer ask() const;

 private:
  kith::query<> query_;
  arguments bound_;
  std::string error_;  // why there is none
};

// What the library answers.
answer engine_answer(kith::world& world, const std::string& query, const arguments& bound,
                     run_mode mode = run_mode::uncached);

// The query as the library prints it; the error if it is none.
std::string engine_text(kith::world& world, const std::string& query);

}  // namespace kith_oracle
