// Runs queries with the library and returns their rows in the form of the oracle.
#pragma once

#include <string>

#include "oracle/evaluate.hpp"

namespace kith_oracle {

// The kind of cache. All kinds must give the same rows.
enum class run_mode { uncached, automatic, cached };

// A query of the library that can be asked several times, also after the world has changed.
class engine_query {
 public:
  engine_query(kith::world& world, const std::string& text, const arguments& bound,
               run_mode mode = run_mode::uncached);

  // Rows in the order in which they come.
  answer ask() const;

 private:
  kith::query<> query_;
  arguments bound_;
  std::string error_;  // the error if the text is no query
};

// The answer of the library.
answer engine_answer(kith::world& world, const std::string& query, const arguments& bound,
                     run_mode mode = run_mode::uncached);

// The query as the library prints it, or its error.
std::string engine_text(kith::world& world, const std::string& query);

}  // namespace kith_oracle
