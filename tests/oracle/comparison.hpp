// One query asked twice: of the oracle and of the library.
#pragma once

#include "oracle/engine_rows.hpp"
#include "oracle/random_query.hpp"

namespace kith_oracle {

// A world, a query and its arguments, all by the names of the script: enough to ask again.
struct trial {
  script world;
  random_query query;
  std::uint64_t spelling = 0;  // seed of the spelling; 0 is the plain one
  run_mode mode = run_mode::uncached;
};

// What a trial came to.
struct verdict {
  bool agrees = true;
  std::string text;      // of the query, as asked
  std::string problem;   // in a word
  std::string expected;  // rows
  std::string got;
};

// Asks both.
verdict compare(const trial& t);
// In a world that is there already, made by the script of the trial.
verdict compare(const trial& t, scripted_world& world);

// "" if the rows are the same, in an order that is allowed; else what is wrong.
std::string difference(const snapshot& world, const answer& expected, const answer& got);

// Takes away steps, terms, flags and operators as long as the two still disagree.
trial shrunk(trial t);
// World, query and rows, as a case that can be put in a file.
std::string report(const trial& t);

}  // namespace kith_oracle
